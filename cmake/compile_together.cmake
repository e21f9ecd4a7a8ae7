# A few sources of one folder are compiled as one, so that the headers they share are read once: from
# nothing, everything is built in half the time. What stands in unnamed namespaces therefore has names
# that are unique within its folder, among sources and among tests. The debug build compiles
# every source alone, and so notices an include that is missing.
option(IFD_COMPILE_TOGETHER "Compile a few sources of a folder as one" ${PROJECT_IS_TOP_LEVEL})

# compile_together(TARGET AT_ONCE SOURCE...)
function(compile_together target at_once)
  if(NOT IFD_COMPILE_TOGETHER)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  foreach(source ${ARGN})
    cmake_path(ABSOLUTE_PATH source NORMALIZE OUTPUT_VARIABLE path)
    # Highway's headers compile a source once per instruction set, and only one source at a time.
    file(STRINGS ${path} per_instruction_set REGEX "hwy/foreach_target\\.h" LIMIT_COUNT 1)
    if(per_instruction_set)
      continue()
    endif()
    cmake_path(GET path PARENT_PATH folder)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    string(MAKE_C_IDENTIFIER "${folder}" folder)
    if(NOT DEFINED count_${folder})
      set(count_${folder} 0)
    endif()
    math(EXPR group "${count_${folder}} / ${at_once}")
    math(EXPR count_${folder} "${count_${folder}} + 1")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${target}_${folder}_${group})
  endforeach()
endfunction()
