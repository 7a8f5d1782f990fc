# SPDX-License-Identifier: Apache-2.0
#
# What answers of a server that means harm may take of memory and time.

# Sanitizers need more memory than the cases allow.
if(NOT TABLEMAP_SANITIZE)
    add_executable(hostile_client hostile/client.cpp)
    tablemap_target_defaults(hostile_client)
    target_link_libraries(hostile_client PRIVATE tablemap_test_support GTest::gtest)
    tablemap_add_test(NAME hostile LABEL hostile
        SOURCES
            hostile/shapes.cpp
            hostile/transport_test.cpp
        LIBS tablemap_test_support
        SHARDS 4)
    target_compile_definitions(hostile PRIVATE HOSTILE_CLIENT="$<TARGET_FILE:hostile_client>")
    add_dependencies(hostile hostile_client)
endif()
