# Tests of a program that loads LibTorch, which takes longer than most of its tests do: one process
# per suite. Suites that are named, whose tests are long or start programs, have one per test, and
# begin first, so that all processors are busy to the end.

# discover_suites(TARGET SUITE...): the suites after the target have a process per test.
function(discover_suites target)
  list(JOIN ARGN "|" alone)
  set(script ${CMAKE_CURRENT_BINARY_DIR}/${target}_suites.cmake)
  file(GENERATE OUTPUT ${script} CONTENT "set(target ${target})
set(program \"$<TARGET_FILE:${target}>\")
set(alone \"^(${alone})$\")
include(\"${PROJECT_SOURCE_DIR}/cmake/add_suite_tests.cmake\")
")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${script})
endfunction()
