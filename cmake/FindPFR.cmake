# SPDX-License-Identifier: Apache-2.0
#
# Finds Boost.PFR: the system's Boost when it has PFR (1.75 or newer), else boost/pfr* unpacked from a newer Debian package.
#
# Input:   PFR_ROOT        folder that holds boost/pfr.hpp (or include/boost/pfr.hpp)
#          PFR_FETCH       OFF forbids the unpacking
#          PFR_FETCH_DIR   where the unpacked headers are kept; shared by all presets
# Output:  target Boost::pfr, PFR_FOUND, PFR_INCLUDE_DIR, PFR_HAS_NAMES (member names, Boost 1.84), PFR_ORIGIN

set(PFR_ROOT "" CACHE PATH "Folder that holds boost/pfr.hpp")
option(PFR_FETCH "Unpack boost/pfr* from a newer libboost*-dev package when no Boost here has it" ON)

# Trees under build/ share one copy; any other build tree keeps its own, because the sources may be read-only.
cmake_path(IS_PREFIX PROJECT_SOURCE_DIR "${CMAKE_BINARY_DIR}" NORMALIZE _pfr_inside)
if(_pfr_inside)
    set(_pfr_default "${PROJECT_SOURCE_DIR}/build/_pfr")
else()
    set(_pfr_default "${CMAKE_BINARY_DIR}/_pfr")
endif()
set(PFR_FETCH_DIR "${_pfr_default}" CACHE PATH "Folder for the unpacked headers of Boost.PFR")

find_package(Boost QUIET)

# The two places have a variable each: a shared cached one would report an unpacked copy as the system's on the next run.
find_path(PFR_SYSTEM_INCLUDE_DIR boost/pfr.hpp
    HINTS ${PFR_ROOT} ${PFR_ROOT}/include ${Boost_INCLUDE_DIRS})
mark_as_advanced(PFR_SYSTEM_INCLUDE_DIR)

set(PFR_INCLUDE_DIR "")
set(PFR_ORIGIN "")
set(_pfr_reason "")
if(PFR_SYSTEM_INCLUDE_DIR)
    set(PFR_INCLUDE_DIR "${PFR_SYSTEM_INCLUDE_DIR}")
    set(PFR_ORIGIN "system")
else()
    if(PFR_FETCH AND NOT EXISTS "${PFR_FETCH_DIR}/include/boost/pfr.hpp")
        message(STATUS "Boost.PFR: not in the system's Boost, unpacking it into ${PFR_FETCH_DIR}")
        execute_process(
            COMMAND "${CMAKE_CURRENT_LIST_DIR}/fetch-pfr.sh" "${PFR_FETCH_DIR}"
            RESULT_VARIABLE _pfr_status
            ERROR_VARIABLE _pfr_errors
            ERROR_STRIP_TRAILING_WHITESPACE)
        if(NOT _pfr_status EQUAL 0)
            set(_pfr_reason " (${_pfr_errors})")
        endif()
    endif()
    if(EXISTS "${PFR_FETCH_DIR}/include/boost/pfr.hpp")
        set(PFR_INCLUDE_DIR "${PFR_FETCH_DIR}/include")
        set(PFR_ORIGIN "unpacked")
        if(EXISTS "${PFR_FETCH_DIR}/ORIGIN")
            file(STRINGS "${PFR_FETCH_DIR}/ORIGIN" PFR_ORIGIN LIMIT_COUNT 1)
            string(PREPEND PFR_ORIGIN "unpacked from ")
        endif()
    endif()
endif()

set(PFR_HAS_NAMES FALSE)
if(PFR_INCLUDE_DIR AND EXISTS "${PFR_INCLUDE_DIR}/boost/pfr/core_name.hpp")
    set(PFR_HAS_NAMES TRUE)
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(PFR
    REQUIRED_VARS PFR_INCLUDE_DIR
    REASON_FAILURE_MESSAGE
        "no Boost with boost/pfr.hpp was found${_pfr_reason}. Install Boost 1.75 or newer, or name a folder that holds \
boost/pfr.hpp with -DPFR_ROOT=<folder>, or on Debian and Ubuntu run scripts/setup and configure again.")

if(PFR_FOUND AND NOT TARGET Boost::pfr)
    message(STATUS "Boost.PFR: ${PFR_ORIGIN}")
    add_library(Boost::pfr INTERFACE IMPORTED)
    set_target_properties(Boost::pfr PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${PFR_INCLUDE_DIR}")
endif()
