# SPDX-License-Identifier: Apache-2.0
#
# Installs the libraries, their headers and the generator, and what find_package(tablemap) needs.
include(CMakePackageConfigHelpers)

set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/tablemap")

get_property(installed_targets GLOBAL PROPERTY TABLEMAP_INSTALLED)
install(TARGETS ${installed_targets} EXPORT tablemap_targets
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
    RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/tablemap" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
    FILES_MATCHING PATTERN "*.hpp")
install(EXPORT tablemap_targets NAMESPACE tablemap:: DESTINATION "${package_folder}")
if(TABLEMAP_GENERATOR)
    install(FILES "${PROJECT_SOURCE_DIR}/codegen/schema.json" DESTINATION "${CMAKE_INSTALL_DATADIR}/tablemap")
endif()

# Public headers include Boost.PFR. One that was unpacked for the build goes along, in a folder of its own, so that it meets
# no Boost of the system; else users' programs find the system's as this build did.
set(package_pfr "")
if(NOT PFR_ORIGIN STREQUAL "system")
    set(package_pfr "${CMAKE_INSTALL_DATADIR}/tablemap/pfr")
    install(FILES "${PFR_INCLUDE_DIR}/boost/pfr.hpp" DESTINATION "${package_pfr}/boost")
    install(DIRECTORY "${PFR_INCLUDE_DIR}/boost/pfr" DESTINATION "${package_pfr}/boost")
endif()

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/tablemap-config.cmake.in"
    "${PROJECT_BINARY_DIR}/tablemap-config.cmake"
    INSTALL_DESTINATION "${package_folder}"
    PATH_VARS package_pfr
    NO_SET_AND_CHECK_MACRO)
# Before 1.0 each minor version may change what the one before promised.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/tablemap-config-version.cmake" COMPATIBILITY SameMinorVersion)
install(FILES
    "${PROJECT_BINARY_DIR}/tablemap-config.cmake"
    "${PROJECT_BINARY_DIR}/tablemap-config-version.cmake"
    "${PROJECT_SOURCE_DIR}/cmake/TablemapGenerate.cmake"
    DESTINATION "${package_folder}")
