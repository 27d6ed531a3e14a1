# The one place where targets are declared and flags are set.
include(CMakeParseArguments)

add_library(rpcbench_flags INTERFACE)
target_compile_features(rpcbench_flags INTERFACE cxx_std_20)
target_include_directories(rpcbench_flags INTERFACE ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/generated)
target_compile_options(rpcbench_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor
                       $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)  # false alarms of GCC 12 on std::string at -O3
if(RPCBENCH_WERROR)
  target_compile_options(rpcbench_flags INTERFACE -Werror)
endif()
if(RPCBENCH_SANITIZE)
  target_compile_options(rpcbench_flags INTERFACE -fsanitize=${RPCBENCH_SANITIZE} -fno-omit-frame-pointer -g1)
  target_link_options(rpcbench_flags INTERFACE -fsanitize=${RPCBENCH_SANITIZE})
  target_compile_definitions(rpcbench_flags INTERFACE RPCBENCH_SANITIZED=1)
  if(RPCBENCH_FUZZ)
    target_compile_options(rpcbench_flags INTERFACE -fsanitize=fuzzer-no-link)
  endif()
  if(RPCBENCH_SANITIZE MATCHES "undefined")
    target_compile_options(rpcbench_flags INTERFACE -fno-sanitize-recover=undefined)
  endif()
endif()

# rpcbench_cold(SOURCE...): code that no measurement runs through. It is compiled with -O1 in a release, because flags
# and JSON headers take most of a build's time at -O3. Call it in the folder that declares the target.
function(rpcbench_cold)
  set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS "$<$<CONFIG:Release>:-O1>")
endfunction()

# rpcbench_test(NAME SOURCE [LABELS label...] [TIMEOUT seconds] [DEPS target...]): one test program; each of its
# cases is a ctest entry with a time limit.
function(rpcbench_test name source)
  if(NOT RPCBENCH_TESTS)
    return()
  endif()
  cmake_parse_arguments(ARG "" "TIMEOUT" "LABELS;DEPS" ${ARGN})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 60)
  endif()
  add_executable(${name} ${source})
  target_link_libraries(${name} PRIVATE ${ARG_DEPS} GTest::gmock GTest::gtest_main rpcbench_flags)
  set(properties TIMEOUT ${ARG_TIMEOUT})
  if(ARG_LABELS)
    list(APPEND properties LABELS "${ARG_LABELS}")
    if("concurrency" IN_LIST ARG_LABELS)
      add_dependencies(concurrency_tests ${name})
    endif()
  endif()
  if(RPCBENCH_SANITIZE STREQUAL "thread")
    # Equal addresses are not folded: the list of them is searched at each report, suppressed ones
    # included, which takes minutes where a library that is not instrumented causes thousands.
    list(APPEND properties ENVIRONMENT
         "TSAN_OPTIONS=halt_on_error=1 second_deadlock_stack=1 suppress_equal_addresses=0 suppressions=${PROJECT_SOURCE_DIR}/cmake/tsan.supp")
  endif()
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60 PROPERTIES ${properties})
endfunction()

# rpcbench_library(NAME SOURCES file... [DEPS target...] [TESTS name_test.cc...] [TEST_LABELS label...] [TEST_DEPS target...]):
# a library rpcbench_NAME with the alias rpcbench::NAME and one test program a test file.
function(rpcbench_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS;TESTS;TEST_LABELS;TEST_DEPS" ${ARGN})
  add_library(rpcbench_${name} STATIC ${ARG_SOURCES})
  add_library(rpcbench::${name} ALIAS rpcbench_${name})
  target_link_libraries(rpcbench_${name} PUBLIC ${ARG_DEPS} rpcbench_flags)
  foreach(test IN LISTS ARG_TESTS)
    get_filename_component(stem ${test} NAME_WE)
    rpcbench_test(${stem} ${test} LABELS ${ARG_TEST_LABELS} DEPS rpcbench_${name} ${ARG_TEST_DEPS})
  endforeach()
endfunction()

# rpcbench_binary(NAME SOURCE... [DEPS target...]): a program in build/<preset>/bin.
function(rpcbench_binary name)
  cmake_parse_arguments(ARG "" "" "DEPS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE ${ARG_DEPS} rpcbench_flags)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
endfunction()

# rpcbench_fuzz(NAME SOURCE CORPUS folder [DEPS target...]): a libFuzzer program in build/fuzz/bin. `fuzz_all` runs each
# for RPCBENCH_FUZZ_SECONDS over its committed corpus; what it finds anew stays in the build folder.
function(rpcbench_fuzz name source)
  if(NOT RPCBENCH_FUZZ)
    return()
  endif()
  cmake_parse_arguments(ARG "" "CORPUS" "DEPS" ${ARGN})
  add_executable(${name} ${source})
  target_link_libraries(${name} PRIVATE ${ARG_DEPS} rpcbench_flags)
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
  get_filename_component(corpus ${ARG_CORPUS} ABSOLUTE)
  set(found ${PROJECT_BINARY_DIR}/found/${name})
  add_custom_target(run_${name}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${found}
    COMMAND ${name} -max_total_time=${RPCBENCH_FUZZ_SECONDS} -timeout=10 -rss_limit_mb=2048 -print_final_stats=1
            -artifact_prefix=${found}/ ${found} ${corpus}
    USES_TERMINAL)
  add_dependencies(fuzz_all run_${name})
endfunction()

# add_framework(NAME SOURCES file... [DEPS target...]): the adapters of one folder under frameworks/.
# all.cc sees RPCBENCH_WITH_<NAME> and calls <Name>Frameworks().
function(add_framework name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS" ${ARGN})
  rpcbench_library(framework_${name} SOURCES ${ARG_SOURCES} DEPS rpcbench::echo ${ARG_DEPS})
  set_property(GLOBAL APPEND PROPERTY RPCBENCH_FRAMEWORKS ${name})
endfunction()

# missing_framework(NAME REASON identifier...): says at configure time why a folder is not built, and lets
# --list say it too. In CI it is an error.
function(missing_framework name reason)
  if(DEFINED ENV{CI})
    message(FATAL_ERROR "framework ${name} cannot be built: ${reason}")
  endif()
  message(WARNING "framework ${name} is not built: ${reason}")
  foreach(identifier IN LISTS ARGN)
    set_property(GLOBAL APPEND PROPERTY RPCBENCH_NOT_BUILT "${identifier}|${reason}")
  endforeach()
endfunction()
