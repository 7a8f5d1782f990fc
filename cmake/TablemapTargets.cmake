# SPDX-License-Identifier: Apache-2.0
include_guard(GLOBAL)

# What every target of this project is compiled with. Users' targets never inherit the warnings.
function(tablemap_target_defaults target)
    target_compile_features(${target} PRIVATE cxx_std_20)
    set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow)
    if(TABLEMAP_WERROR)
        target_compile_options(${target} PRIVATE -Werror)
    endif()
    # A local name may shadow one of another source of its batch.
    if(TABLEMAP_UNITY)
        target_compile_options(${target} PRIVATE -Wno-shadow "$<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>")
    endif()
    # g++ 12 warns of copies that overlap, are too long or leave an array inside operator+ of strings when it optimises (its bug
    # 105651).
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
        target_compile_options(${target} PRIVATE -Wno-restrict -Wno-stringop-overflow -Wno-array-bounds)
        # It also takes the frames of Asio's coroutines for mismatched, as soon as it inlines their operator delete.
        target_compile_options(${target} PRIVATE -Wno-mismatched-new-delete)
    endif()
    # Instrumented code confuses g++'s search for uninitialised variables (its manual says so), in Asio's headers too.
    if(TABLEMAP_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized)
    endif()
    # Boost 1.74's Asio does not find out by itself that clang 14 has coroutines.
    if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
        target_compile_definitions(${target} PRIVATE BOOST_ASIO_HAS_CO_AWAIT BOOST_ASIO_HAS_STD_COROUTINE)
    endif()
    # g++ warns about every atomic_thread_fence it cannot instrument, in headers of Asio too.
    if(TABLEMAP_SANITIZE MATCHES "thread" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        target_compile_options(${target} PRIVATE -Wno-tsan)
    endif()
endfunction()

# tablemap_precompile(<target> FROM <owner> [<header>...]): the headers are compiled once, for the owner, and every other target of
# the same options takes them from there. A source of the library that forgets an include is found by builds as a part of another project,
# which go without.
function(tablemap_precompile target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "FROM" "")
    if(NOT TABLEMAP_PRECOMPILE)
        return()
    endif()
    if(target STREQUAL arg_FROM)
        target_precompile_headers(${target} PRIVATE ${arg_UNPARSED_ARGUMENTS})
    else()
        target_precompile_headers(${target} REUSE_FROM ${arg_FROM})
    endif()
endfunction()

# tablemap_compile_alone(<source>...): sources of the current folder that cannot be compiled as one with others, since their
# unnamed namespaces declare names that others declare otherwise.
function(tablemap_compile_alone)
    set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# tablemap_unite(<target>): up to eight sources of one folder are compiled as one. Called when the target has all its sources.
function(tablemap_unite target)
    if(NOT TABLEMAP_UNITY)
        return()
    endif()
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
    get_target_property(sources ${target} SOURCES)
    list(FILTER sources INCLUDE REGEX "\\.cpp$")
    foreach(source IN LISTS sources)
        cmake_path(GET source PARENT_PATH folder)
        string(MAKE_C_IDENTIFIER "of_${folder}" group)
        if(NOT DEFINED ${group})
            set(${group} 0)
        endif()
        math(EXPR batch "${${group}} / 8")
        math(EXPR ${group} "${${group}} + 1")
        set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group}_${batch})
    endforeach()
endfunction()

# tablemap_add_library(<name>): static library tablemap_<name> with the alias tablemap::<name>; sources follow by
# target_sources, one block per layer.
function(tablemap_add_library name)
    add_library(tablemap_${name} STATIC)
    add_library(tablemap::${name} ALIAS tablemap_${name})
    set_target_properties(tablemap_${name} PROPERTIES EXPORT_NAME ${name} POSITION_INDEPENDENT_CODE ON)
    tablemap_target_defaults(tablemap_${name})
    target_compile_features(tablemap_${name} PUBLIC cxx_std_20)
    target_include_directories(tablemap_${name}
        PUBLIC "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>"
            "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>"
        PRIVATE "${PROJECT_SOURCE_DIR}/src")
    tablemap_precompile(tablemap_${name} FROM tablemap_${name}
        <algorithm> <chrono> <functional> <map> <memory> <optional> <span> <string> <system_error> <unordered_map> <variant> <vector>)
    set_property(GLOBAL APPEND PROPERTY TABLEMAP_INSTALLED tablemap_${name})
endfunction()

# Instruments everything below, tests included: a program half of which is instrumented reports false races.
macro(tablemap_sanitize)
    if(TABLEMAP_SANITIZE)
        add_compile_options(-fsanitize=${TABLEMAP_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
        add_link_options(-fsanitize=${TABLEMAP_SANITIZE})
        # With the data that this one puts before functions clang 14 cannot compile coroutines: "Cannot represent a difference
        # across sections".
        if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
            add_compile_options(-fno-sanitize=function)
        endif()
    endif()
endmacro()
