# SPDX-License-Identifier: Apache-2.0
#
# usage: cmake -P RunInEmptyFolder.cmake FOLDER PROGRAM [ARGUMENT...]
#
# Runs a program in a folder without files of an earlier run, so that an example finds no store it filled before.
set(folder "${CMAKE_ARGV3}")
set(command "")
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(i RANGE 4 ${last})
    list(APPEND command "${CMAKE_ARGV${i}}")
endforeach()

file(REMOVE_RECURSE "${folder}")
file(MAKE_DIRECTORY "${folder}")
execute_process(COMMAND ${command} WORKING_DIRECTORY "${folder}" COMMAND_ERROR_IS_FATAL ANY)
