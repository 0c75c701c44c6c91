include(GoogleTest)
if(WEFT_TESTS)
  find_package(GTest REQUIRED)
  find_package(rapidcheck REQUIRED)
endif()

# weft_library(NAME SOURCES ... [PUBLIC libs ...] [PRIVATE libs ...]): a static library of one folder.
function(weft_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC weft_flags ${ARG_PUBLIC} PRIVATE ${ARG_PRIVATE})
endfunction()

# weft_test(NAME LABEL unit|cosim|synth|slow SOURCES ... LIBS ...): a GoogleTest executable under CTest.
function(weft_test name)
  cmake_parse_arguments(ARG "" "LABEL;TIMEOUT" "SOURCES;LIBS" ${ARGN})
  if(NOT WEFT_TESTS)
    return()
  endif()
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 300)
  endif()
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE weft_flags ${ARG_LIBS} GTest::gtest GTest::gtest_main rapidcheck)
  target_compile_definitions(${name} PRIVATE WEFT_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                                             WEFT_BINARY_DIR="${PROJECT_BINARY_DIR}")
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST
                       PROPERTIES LABELS "${ARG_LABEL}" TIMEOUT ${ARG_TIMEOUT})
endfunction()

# weft_data(SOURCE NAME): files that weft reads at run time, a folder that base::data_directory() shows as
# NAME, in the build tree (a link to the source) and in an installed prefix alike.
function(weft_data source name)
  set(data ${PROJECT_BINARY_DIR}/share/weft)
  file(MAKE_DIRECTORY ${data})
  file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR}/${source} ${data}/${name} SYMBOLIC)
  install(DIRECTORY ${source}/ DESTINATION share/weft/${name})
endfunction()
