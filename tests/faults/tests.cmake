# SPDX-License-Identifier: Apache-2.0
#
# What becomes of a table when requests and answers are lost.

# What both have in common is compiled once.
add_library(tablemap_test_faults STATIC
    faults/blobs.cpp
    faults/bulk.cpp
    faults/cases.cpp
    faults/fault_case.cpp
    faults/groups.cpp
    faults/indexed.cpp
    faults/operations.cpp
    faults/queues.cpp
    faults/reads.cpp
    faults/writes.cpp)
tablemap_target_defaults(tablemap_test_faults)
target_include_directories(tablemap_test_faults PUBLIC "${CMAKE_CURRENT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/src")
target_link_libraries(tablemap_test_faults PUBLIC tablemap_test_support GTest::gmock GTest::gtest)

tablemap_add_test(NAME faults_embedded LABEL faults
    SOURCES
        faults/embedded_test.cpp
        faults/strangers_test.cpp
    LIBS tablemap_test_faults)

tablemap_add_test(NAME faults_outbox LABEL faults
    SOURCES
        faults/outbox_test.cpp
    LIBS tablemap_test_support tablemap::patterns
    FILTER "-*/azurite")
tablemap_add_azurite_test(faults_outbox azurite faults)

tablemap_add_test(NAME faults_index_entities LABEL faults
    SOURCES
        faults/index_entities_test.cpp
    LIBS tablemap_test_support tablemap::patterns
    SHARDS 2
    FILTER "-*/azurite")
# More than a thousand crash points take the emulator five minutes.
tablemap_add_azurite_test(faults_index_entities azurite soak)

tablemap_add_test(NAME faults_moves LABEL faults
    SOURCES
        faults/moves_test.cpp
    LIBS tablemap_test_support tablemap::patterns
    FILTER "-*/azurite")
# Hundreds of crash points take the emulator minutes.
tablemap_add_azurite_test(faults_moves azurite soak)

tablemap_add_test(NAME faults_expiry LABEL faults
    SOURCES
        faults/expiry_test.cpp
    LIBS tablemap_test_support tablemap::patterns
    FILTER "-*/azurite")
# Hundreds of crash points, each on tables of its own, take the emulator minutes.
tablemap_add_azurite_test(faults_expiry azurite soak)

tablemap_add_test(NAME faults_large_members LABEL faults
    SOURCES
        faults/large_members_test.cpp
    LIBS tablemap_test_support tablemap::patterns
    FILTER "-*/azurite")
# Hundreds of crash points take the emulator minutes.
tablemap_add_azurite_test(faults_large_members azurite soak)

tablemap_add_test(NAME faults_rolling_tables LABEL faults
    SOURCES
        faults/rolling_test.cpp
    LIBS tablemap_test_support tablemap::patterns
    FILTER "-*/azurite")
tablemap_add_azurite_test(faults_rolling_tables azurite faults)

tablemap_add_test(NAME faults_logs LABEL faults
    SOURCES
        faults/logs_test.cpp
    LIBS tablemap_test_support tablemap::patterns
    FILTER "-*/azurite")
# Several hundred crash points take the emulator many minutes.
tablemap_add_azurite_test(faults_logs azurite soak)

tablemap_add_test(NAME faults_index_relay LABEL faults
    SOURCES
        faults/elsewhere_model_test.cpp
        faults/index_relay_test.cpp
    LIBS tablemap_test_support tablemap::patterns
    FILTER "-*/azurite")
# Hundreds of crash points, each with other writers and relays in between, take the emulator many minutes.
tablemap_add_azurite_test(faults_index_relay azurite soak)

# memory_test.cpp replaces operator new for this whole executable, and SQLite's allocator: those that sanitizers watch.
if(NOT TABLEMAP_SANITIZE)
    tablemap_add_test(NAME faults_memory LABEL faults
        SOURCES
            faults/memory_test.cpp
            unit/embedded/unreliable_disk.cpp
        LIBS tablemap::embedded tablemap::store_contract SQLite::SQLite3)
endif()

tablemap_add_test(NAME faults_unique_values LABEL faults
    SOURCES
        faults/unique_values_test.cpp
    LIBS tablemap_test_support tablemap::patterns
    FILTER "-*/azurite")
# The crash points of a write, each with another writer in between, take the emulator minutes.
tablemap_add_azurite_test(faults_unique_values azurite soak)

tablemap_add_test(NAME faults_wide_entities LABEL faults
    SOURCES
        faults/wide_entities_test.cpp
    LIBS tablemap_test_support tablemap::patterns
    FILTER "-*/azurite")
tablemap_add_azurite_test(faults_wide_entities azurite faults)

tablemap_add_test(NAME faults_user_code LABEL faults
    SOURCES
        faults/user_code_test.cpp
    LIBS tablemap_test_support)

tablemap_add_test(NAME faults_proxy LABEL faults
    SOURCES
        faults/fault_proxy_test.cpp
    LIBS tablemap_test_support)

tablemap_add_test(NAME faults_azurite LABEL faults
    SOURCES
        faults/azurite_test.cpp
    LIBS tablemap_test_faults
    FILTER "-*")
# One transport takes the emulator minutes; `ctest -C soak` has the other one, too.
foreach(transport IN LISTS transports)
    set(configurations CONFIGURATIONS soak)
    if(transport STREQUAL first_transport)
        set(configurations "")
    endif()
    add_test(NAME faults_azurite.${transport} ${configurations}
        COMMAND faults_azurite "--gtest_filter=*/*_over_${transport}" --gtest_brief=1)
    set_tests_properties(faults_azurite.${transport} PROPERTIES LABELS faults TIMEOUT 600 COST ${cost_of_a_long_test})
endforeach()
