# What makes a defect harder to exploit, in release builds of everything of ours: buffers on the
# stack and calls of the C library are checked, the tables of functions are read-only from the start,
# programs are loaded at any address, indirect jumps land only where they may. Sanitisers bring their
# own checks, and the C library's would hide calls from them: the other builds have none of it.
# tests/hardening_test.sh looks for all of it in the binaries; docs/benchmarks.md tells what it costs.
include(CheckCXXCompilerFlag)
check_cxx_compiler_flag(-fcf-protection IFD_HAS_CF_PROTECTION)  # of x86 alone
set(hardening -fstack-protector-strong -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3)
if(IFD_HAS_CF_PROTECTION)
  list(APPEND hardening -fcf-protection)
endif()
target_compile_options(ifd_compile_flags INTERFACE "$<$<CONFIG:Release>:${hardening}>")
target_link_options(ifd_compile_flags INTERFACE
  "$<$<CONFIG:Release>:-Wl,-z,relro;-Wl,-z,now;-Wl,-z,noexecstack>"
  "$<$<AND:$<CONFIG:Release>,$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>>:-pie>")
