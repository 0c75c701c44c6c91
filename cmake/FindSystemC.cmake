# Finds Accellera SystemC and defines weft_systemc, the target to link.
#
# The library's ABI depends on the C++ standard that it was built with; Debian's is built as C++17.
# SystemC's headers derive the ABI from SC_CPLUSPLUS, so C++20 code uses such a library when
# SC_CPLUSPLUS says C++17. Whether that fits the library found is tried here, where the message can be
# read, rather than by the linker of the first executable.
find_package(PkgConfig REQUIRED)
pkg_check_modules(SYSTEMC QUIET IMPORTED_TARGET systemc)

if(SYSTEMC_FOUND AND NOT TARGET weft_systemc)
  add_library(weft_systemc INTERFACE)
  target_link_libraries(weft_systemc INTERFACE PkgConfig::SYSTEMC)
  target_compile_definitions(weft_systemc INTERFACE SC_CPLUSPLUS=201703L)

  include(CheckCXXSourceCompiles)
  set(CMAKE_REQUIRED_LIBRARIES ${SYSTEMC_LINK_LIBRARIES})
  set(CMAKE_REQUIRED_INCLUDES ${SYSTEMC_INCLUDE_DIRS})
  set(CMAKE_REQUIRED_DEFINITIONS -DSC_CPLUSPLUS=201703L)
  set(CMAKE_REQUIRED_FLAGS -std=c++20)
  set(CMAKE_REQUIRED_QUIET ON)
  check_cxx_source_compiles([[
    #include <systemc>
    int sc_main(int, char**) { sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_NS)); return 0; }
  ]] WEFT_SYSTEMC_LINKS)
  foreach(setting LIBRARIES INCLUDES DEFINITIONS FLAGS QUIET)
    unset(CMAKE_REQUIRED_${setting})
  endforeach()
  if(NOT WEFT_SYSTEMC_LINKS)
    unset(WEFT_SYSTEMC_LINKS CACHE)  # try again next time
    message(FATAL_ERROR
      "SystemC ${SYSTEMC_VERSION} is installed (${SYSTEMC_LINK_LIBRARIES}), but a C++20 program does not link "
      "with it. weft needs a SystemC library built as C++17, as Debian's libsystemc-dev is. If you "
      "built your own, configure it with -DCMAKE_CXX_STANDARD=17.")
  endif()
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(SystemC
  REQUIRED_VARS SYSTEMC_LINK_LIBRARIES
  VERSION_VAR SYSTEMC_VERSION
  REASON_FAILURE_MESSAGE "install libsystemc-dev, or put systemc.pc on PKG_CONFIG_PATH")
