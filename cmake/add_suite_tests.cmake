# Read by ctest: asks a program for its tests (see suite_tests.cmake) and adds them.
cmake_minimum_required(VERSION 3.25)
if(NOT EXISTS "${program}")
  add_test(${target}_not_built ${target}_not_built)
  return()
endif()
if(NOT EXISTS "${program}.list" OR "${program}" IS_NEWER_THAN "${program}.list")
  # LibTorch takes its time to load where it was never loaded before.
  execute_process(COMMAND "${program}" --gtest_list_tests OUTPUT_VARIABLE listed ERROR_VARIABLE listed
    RESULT_VARIABLE result TIMEOUT 300)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${program} does not list its tests: ${result}\n${listed}")
  endif()
  file(WRITE "${program}.list" "${listed}")
endif()

# add_gtest(NAME FILTER PROPERTIES...)
function(add_gtest name filter)
  add_test("${name}" "${program}" "--gtest_filter=${filter}")
  set_tests_properties("${name}" PROPERTIES TIMEOUT 600 ${ARGN})
endfunction()

# A suite stands as `Suite.`, its tests below it, indented; what follows # is a parameter.
file(STRINGS "${program}.list" lines REGEX "^[^ ]+\\.( |$)|^  [^ ]")
set(suite "")
set(added "")
foreach(line IN LISTS lines)
  string(REGEX REPLACE " *#.*$" "" line "${line}")
  if(NOT line MATCHES "^  (.*)$")
    string(REGEX REPLACE "\\.$" "" suite "${line}")
    string(REGEX REPLACE "^.*/" "" name "${suite}")  # Seeds/Cohorts is the suite Cohorts
    continue()
  endif()
  set(test "${CMAKE_MATCH_1}")
  if(test MATCHES "^DISABLED_")
    continue()
  elseif(name MATCHES "${alone}")
    add_gtest("${suite}.${test}" "${suite}.${test}" COST 100
      SKIP_REGULAR_EXPRESSION "\\[  SKIPPED \\]")
  elseif(NOT suite STREQUAL added)
    # A failure must not hide behind another test that is skipped, so no suite counts as skipped.
    add_gtest("${suite}" "${suite}.*" COST 10)
    set(added "${suite}")
  endif()
endforeach()
