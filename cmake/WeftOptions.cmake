# Build options, in one place.
option(WEFT_WERROR "Treat warnings as errors" OFF)
option(WEFT_SANITIZE "Build with AddressSanitizer and UndefinedBehaviorSanitizer" OFF)
option(WEFT_TESTS "Build the tests" ON)
option(WEFT_BENCH "Build the benchmarks" OFF)

find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

add_library(weft_flags INTERFACE)
target_compile_options(weft_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 sees overlaps and uninitialised values in std::string and std::optional that are not there.
  target_compile_options(weft_flags INTERFACE -Wno-restrict -Wno-maybe-uninitialized)
endif()
if(WEFT_WERROR)
  target_compile_options(weft_flags INTERFACE -Werror)
endif()
if(WEFT_SANITIZE)
  target_compile_options(weft_flags INTERFACE -fsanitize=address,undefined
                                              -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  target_link_options(weft_flags INTERFACE -fsanitize=address,undefined)
endif()
target_include_directories(weft_flags INTERFACE ${PROJECT_SOURCE_DIR})
