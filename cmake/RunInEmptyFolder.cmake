# SPDX-License-Identifier: Apache-2.0
#
# usage: cmake [-DEXPECTED=FILE] -P RunInEmptyFolder.cmake FOLDER PROGRAM [ARGUMENT...]
#
# Runs a program in a folder without files of an earlier run, so that an example finds no store it filled before. What it
# prints must be what the file holds, if one is named.
set(first 3)
if(DEFINED EXPECTED)
    set(first 4)
endif()
set(folder "${CMAKE_ARGV${first}}")
math(EXPR first "${first} + 1")
set(command "")
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(i RANGE ${first} ${last})
    list(APPEND command "${CMAKE_ARGV${i}}")
endforeach()

file(REMOVE_RECURSE "${folder}")
file(MAKE_DIRECTORY "${folder}")
if(NOT DEFINED EXPECTED)
    execute_process(COMMAND ${command} WORKING_DIRECTORY "${folder}" COMMAND_ERROR_IS_FATAL ANY)
    return()
endif()

execute_process(COMMAND ${command} WORKING_DIRECTORY "${folder}" OUTPUT_VARIABLE printed COMMAND_ERROR_IS_FATAL ANY)
message("${printed}")
file(READ "${EXPECTED}" expected)
if(NOT printed STREQUAL expected)
    message(FATAL_ERROR "the program is to print:\n${expected}")
endif()
