# SPDX-License-Identifier: Apache-2.0
#
# Many writers of one entity.

tablemap_add_test(NAME concurrency LABEL concurrency
    SOURCES
        concurrency/counter_test.cpp
        concurrency/lost_responses_test.cpp
        concurrency/outbox_test.cpp
        concurrency/processes_test.cpp
        concurrency/unique_values_test.cpp
        concurrency/reserved_values_test.cpp
    LIBS tablemap_test_support tablemap::patterns
    FILTER "-*/azurite")
tablemap_add_azurite_test(concurrency azurite concurrency)

# Wide entities that are read while they are written. `ctest -C soak` reads the large ones 10,000 times.
tablemap_add_test(NAME wide_entities LABEL concurrency
    SOURCES
        concurrency/wide_entities_test.cpp
    LIBS tablemap_test_support tablemap::patterns
    FILTER "-*/azurite")
# Under a sanitizer each read of megabytes takes seconds.
if(TABLEMAP_SANITIZE)
    set_property(TEST wide_entities.shard_0 APPEND PROPERTY ENVIRONMENT TABLEMAP_WIDE_READS=50)
endif()
tablemap_add_azurite_test(wide_entities azurite concurrency)
add_test(NAME soak.wide_entities CONFIGURATIONS soak COMMAND wide_entities "--gtest_filter=*large*/embedded")
if(TEST soak.wide_entities)
    set_tests_properties(soak.wide_entities PROPERTIES
        LABELS soak TIMEOUT 1200 ENVIRONMENT TABLEMAP_WIDE_READS=10000)
endif()

# Relays in processes that are killed. `ctest -C soak` adds 10,000 changes.
tablemap_add_test(NAME relays LABEL concurrency
    SOURCES
        concurrency/relays_test.cpp
    LIBS tablemap_test_support tablemap::patterns
    FILTER "-*/azurite")
tablemap_add_azurite_test(relays azurite concurrency)
foreach(place IN ITEMS embedded_file azurite)
    add_test(NAME soak.relays_${place} CONFIGURATIONS soak COMMAND relays "--gtest_filter=*/${place}")
    if(TEST soak.relays_${place})
        set_tests_properties(soak.relays_${place} PROPERTIES LABELS soak TIMEOUT 1200
            ENVIRONMENT TABLEMAP_TEST_CHANGES=10000)
    endif()
endforeach()

# The command in processes that are killed, and between stores.
if(TABLEMAP_COMMAND)
    tablemap_add_test(NAME command LABEL concurrency
        SOURCES
            concurrency/command_copy_test.cpp
            concurrency/command_import_test.cpp
            concurrency/command_maintenance_test.cpp
        LIBS tablemap_test_support tablemap_command_parts
        FILTER "-*azurite*")
    if(TARGET tablemap::serve)
        target_sources(command PRIVATE concurrency/command_serve_test.cpp)
    endif()
    add_dependencies(command tablemap_command)
    target_compile_definitions(command PRIVATE TABLEMAP_COMMAND_PROGRAM="$<TARGET_FILE:tablemap_command>")
    add_test(NAME command.azurite COMMAND command "--gtest_filter=*azurite*")
    set_tests_properties(command.azurite PROPERTIES LABELS concurrency TIMEOUT 300)
endif()
