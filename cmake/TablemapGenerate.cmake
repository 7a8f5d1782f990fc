# SPDX-License-Identifier: Apache-2.0
include_guard(GLOBAL)

# tablemap_generate(TARGET target SCHEMA file.json [OUTPUT_DIRECTORY folder] [HEADER name])
#
# Has tablemap-gen write a header from a schema before the target is built, again whenever the schema or the generator
# changes, and lets the target include it: `#include <file.hpp>`.
#
# TARGET            a target that is there already; of an INTERFACE library those that link it may include the header
# SCHEMA            the schema, relative to CMAKE_CURRENT_SOURCE_DIR
# OUTPUT_DIRECTORY  where the header is written, relative to CMAKE_CURRENT_BINARY_DIR; "generated" if not given
# HEADER            its name, which may begin with folders; the schema's with .hpp if not given. Targets may share one
function(tablemap_generate)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "TARGET;SCHEMA;OUTPUT_DIRECTORY;HEADER" "")
    if(NOT arg_TARGET OR NOT arg_SCHEMA OR arg_UNPARSED_ARGUMENTS OR arg_KEYWORDS_MISSING_VALUES)
        message(FATAL_ERROR "tablemap_generate needs TARGET and SCHEMA, and may have OUTPUT_DIRECTORY and HEADER; not "
            "understood: '${arg_UNPARSED_ARGUMENTS}${arg_KEYWORDS_MISSING_VALUES}'")
    endif()
    if(NOT TARGET "${arg_TARGET}")
        message(FATAL_ERROR "tablemap_generate: there is no target '${arg_TARGET}'; call it after add_executable or add_library")
    endif()
    if(NOT TARGET tablemap::gen)
        message(FATAL_ERROR "tablemap_generate: this tablemap was built without its generator; configure it with "
            "-DTABLEMAP_GENERATOR=ON")
    endif()
    get_target_property(aliased "${arg_TARGET}" ALIASED_TARGET)
    if(aliased)
        set(arg_TARGET "${aliased}")
    endif()

    cmake_path(ABSOLUTE_PATH arg_SCHEMA BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
    get_source_file_property(is_generated "${arg_SCHEMA}" GENERATED)
    if(NOT EXISTS "${arg_SCHEMA}" AND NOT is_generated)
        message(FATAL_ERROR "tablemap_generate: there is no schema '${arg_SCHEMA}'; if the build makes it, call "
            "add_custom_command for it before")
    endif()
    if(NOT arg_OUTPUT_DIRECTORY)
        set(arg_OUTPUT_DIRECTORY generated)
    endif()
    cmake_path(ABSOLUTE_PATH arg_OUTPUT_DIRECTORY BASE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}" NORMALIZE)
    if(NOT arg_HEADER)
        cmake_path(GET arg_SCHEMA STEM LAST_ONLY stem)
        set(arg_HEADER "${stem}.hpp")
    elseif(IS_ABSOLUTE "${arg_HEADER}")
        message(FATAL_ERROR "tablemap_generate: HEADER is what the program includes, and '${arg_HEADER}' is absolute; give "
            "the folder as OUTPUT_DIRECTORY")
    endif()
    cmake_path(APPEND arg_OUTPUT_DIRECTORY "${arg_HEADER}" OUTPUT_VARIABLE header)
    cmake_path(NORMAL_PATH header)

    # One target of its own writes a header for all that include it: they may be made in other folders, where the command is
    # not known, and must not run it at one time.
    string(MD5 id "${header}")
    set(step "tablemap_generate_${id}")
    if(NOT TARGET "${step}")
        add_custom_command(
            OUTPUT "${header}"
            COMMAND tablemap::gen "${arg_SCHEMA}" --output "${header}"
            DEPENDS "${arg_SCHEMA}" tablemap::gen
            COMMENT "Generating ${arg_HEADER}"
            VERBATIM)
        add_custom_target("${step}" DEPENDS "${header}")
        set_target_properties("${step}" PROPERTIES TABLEMAP_SCHEMA "${arg_SCHEMA}")
        cmake_path(GET header PARENT_PATH folder)
        file(MAKE_DIRECTORY "${folder}")
    endif()
    get_target_property(schema "${step}" TABLEMAP_SCHEMA)
    if(NOT schema STREQUAL arg_SCHEMA)
        message(FATAL_ERROR "tablemap_generate: '${header}' would be made of '${schema}' and of '${arg_SCHEMA}'; give "
            "one of them a HEADER or OUTPUT_DIRECTORY of its own")
    endif()
    add_dependencies("${arg_TARGET}" "${step}")

    get_target_property(type "${arg_TARGET}" TYPE)
    if(type STREQUAL "INTERFACE_LIBRARY")
        target_include_directories("${arg_TARGET}" INTERFACE "$<BUILD_INTERFACE:${arg_OUTPUT_DIRECTORY}>")
    else()
        target_include_directories("${arg_TARGET}" PRIVATE "${arg_OUTPUT_DIRECTORY}")
    endif()
endfunction()
