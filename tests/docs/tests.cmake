# SPDX-License-Identifier: Apache-2.0
#
# What the tables of the pages promise.

add_test(NAME docs.console_self_check
    COMMAND Python3::Interpreter -B -m unittest test_console)
set_tests_properties(docs.console_self_check PROPERTIES
    LABELS docs TIMEOUT 60 WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}/docs")

tablemap_add_test(NAME docs_related_rows LABEL docs
    SOURCES
        docs/page_table.cpp
        patterns/log_tail_requests_test.cpp
        patterns/relations_requests_test.cpp
    LIBS tablemap::embedded tablemap::patterns)
target_compile_definitions(docs_related_rows PRIVATE TABLEMAP_DOCS_FOLDER="${PROJECT_SOURCE_DIR}/docs")

tablemap_add_test(NAME docs_index_maintenance LABEL docs
    SOURCES
        docs/page_table.cpp
        patterns/index_maintenance_requests_test.cpp
    LIBS tablemap::embedded)
target_compile_definitions(docs_index_maintenance PRIVATE TABLEMAP_DOCS_FOLDER="${PROJECT_SOURCE_DIR}/docs")

tablemap_add_test(NAME docs_tables LABEL docs
    SOURCES
        docs/key_table_test.cpp
        docs/page_table.cpp
        docs/type_table_test.cpp)
target_compile_definitions(docs_tables PRIVATE TABLEMAP_DOCS_FOLDER="${PROJECT_SOURCE_DIR}/docs")

tablemap_add_test(NAME docs_indexes LABEL docs
    SOURCES
        docs/page_table.cpp
        patterns/index_requests_test.cpp
    LIBS tablemap::embedded)
target_compile_definitions(docs_indexes PRIVATE TABLEMAP_DOCS_FOLDER="${PROJECT_SOURCE_DIR}/docs")

tablemap_add_test(NAME docs_data_series LABEL docs
    SOURCES
        docs/page_table.cpp
        patterns/data_series_requests_test.cpp
    LIBS tablemap::embedded)
target_compile_definitions(docs_data_series PRIVATE TABLEMAP_DOCS_FOLDER="${PROJECT_SOURCE_DIR}/docs")
tablemap_add_test(NAME docs_unique_values LABEL docs
    SOURCES
        docs/page_table.cpp
        patterns/unique_values_requests_test.cpp
    LIBS tablemap::embedded tablemap::patterns tablemap::testing)
target_compile_definitions(docs_unique_values PRIVATE TABLEMAP_DOCS_FOLDER="${PROJECT_SOURCE_DIR}/docs")
tablemap_add_test(NAME docs_wide_entities LABEL docs
    SOURCES
        docs/page_table.cpp
        patterns/wide_entities_requests_test.cpp
    LIBS tablemap::embedded tablemap::patterns)
target_compile_definitions(docs_wide_entities PRIVATE TABLEMAP_DOCS_FOLDER="${PROJECT_SOURCE_DIR}/docs")
tablemap_add_test(NAME docs_large_members LABEL docs
    SOURCES
        docs/page_table.cpp
        patterns/large_members_requests_test.cpp
    LIBS tablemap::embedded tablemap::patterns)
target_compile_definitions(docs_large_members PRIVATE TABLEMAP_DOCS_FOLDER="${PROJECT_SOURCE_DIR}/docs")
tablemap_add_test(NAME docs_index_entities LABEL docs
    SOURCES
        docs/page_table.cpp
        patterns/index_entities_requests_test.cpp
    LIBS tablemap::embedded tablemap::patterns)
target_compile_definitions(docs_index_entities PRIVATE TABLEMAP_DOCS_FOLDER="${PROJECT_SOURCE_DIR}/docs")
tablemap_add_test(NAME docs_copies LABEL docs
    SOURCES
        docs/page_table.cpp
        patterns/copies_requests_test.cpp
    LIBS tablemap::embedded tablemap::patterns)
target_compile_definitions(docs_copies PRIVATE TABLEMAP_DOCS_FOLDER="${PROJECT_SOURCE_DIR}/docs")

tablemap_add_test(NAME docs_outbox LABEL docs
    SOURCES
        docs/page_table.cpp
        patterns/outbox_requests_test.cpp
    LIBS tablemap::embedded tablemap::patterns)
target_compile_definitions(docs_outbox PRIVATE TABLEMAP_DOCS_FOLDER="${PROJECT_SOURCE_DIR}/docs")

tablemap_add_test(NAME docs_moves LABEL docs
    SOURCES
        docs/page_table.cpp
        patterns/moves_requests_test.cpp
    LIBS tablemap::embedded tablemap::patterns tablemap::testing)
target_compile_definitions(docs_moves PRIVATE TABLEMAP_DOCS_FOLDER="${PROJECT_SOURCE_DIR}/docs")

tablemap_add_test(NAME docs_rolling_tables LABEL docs
    SOURCES
        docs/page_table.cpp
        patterns/rolling_requests_test.cpp
    LIBS tablemap::embedded tablemap::patterns)
target_compile_definitions(docs_rolling_tables PRIVATE TABLEMAP_DOCS_FOLDER="${PROJECT_SOURCE_DIR}/docs")

tablemap_add_test(NAME docs_expiry LABEL docs
    SOURCES
        docs/page_table.cpp
        patterns/expiry_requests_test.cpp
    LIBS tablemap::embedded tablemap::patterns)
target_compile_definitions(docs_expiry PRIVATE TABLEMAP_DOCS_FOLDER="${PROJECT_SOURCE_DIR}/docs")

tablemap_add_test(NAME docs_logs LABEL docs
    SOURCES
        docs/page_table.cpp
        patterns/hot_partitions_requests_test.cpp
        patterns/logs_requests_test.cpp
    LIBS tablemap::embedded tablemap::patterns tablemap::testing)
target_compile_definitions(docs_logs PRIVATE TABLEMAP_DOCS_FOLDER="${PROJECT_SOURCE_DIR}/docs")

tablemap_add_test(NAME docs_services LABEL docs
    SOURCES
        docs/page_table.cpp
        docs/services_requests_test.cpp
    LIBS tablemap::embedded)
target_compile_definitions(docs_services PRIVATE TABLEMAP_DOCS_FOLDER="${PROJECT_SOURCE_DIR}/docs")

tablemap_add_test(NAME docs_elsewhere LABEL docs
    SOURCES
        docs/page_table.cpp
        patterns/elsewhere_requests_test.cpp
    LIBS tablemap::embedded tablemap::patterns)
target_compile_definitions(docs_elsewhere PRIVATE TABLEMAP_DOCS_FOLDER="${PROJECT_SOURCE_DIR}/docs")
