# SPDX-License-Identifier: Apache-2.0
#
# One executable per layer.

tablemap_add_test(NAME unit_base LABEL unit
    SOURCES
        unit/base/base64_test.cpp
        unit/base/digit_groups_test.cpp
        unit/base/direction_test.cpp
        unit/base/durable_file_test.cpp
        unit/base/error_test.cpp
        unit/base/guid_test.cpp
        unit/base/process_number_test.cpp
        unit/base/redaction_test.cpp
        unit/base/ticks_test.cpp
        unit/base/utf_test.cpp)

tablemap_add_test(NAME unit_edm LABEL unit
    SOURCES
        unit/edm/access_policy_test.cpp
        unit/edm/dynamic_entity_test.cpp
        unit/edm/etag_test.cpp
        unit/edm/key_bounds_test.cpp
        unit/edm/names_test.cpp
        unit/edm/service_properties_test.cpp)

tablemap_add_test(NAME unit_crypto LABEL unit
    SOURCES
        unit/crypto/cached_keys_test.cpp
        unit/crypto/encryption_key_test.cpp
        unit/crypto/hmac_test.cpp
        unit/crypto/key_file_test.cpp
        unit/crypto/key_ring_test.cpp
        unit/crypto/legacy_keys_test.cpp
        unit/crypto/primitives_test.cpp
        unit/crypto/random_stock_test.cpp
        unit/crypto/sealed_value_test.cpp
        unit/crypto/sealed_vectors_test.cpp
    LIBS OpenSSL::Crypto)
target_compile_definitions(unit_crypto PRIVATE TABLEMAP_TEST_VECTORS="${CMAKE_CURRENT_SOURCE_DIR}/vectors")

tablemap_add_test(NAME unit_wire LABEL unit
    SOURCES
        unit/wire/json_scanner_test.cpp
        unit/wire/json_value_test.cpp
        unit/wire/packed_rows_test.cpp
        unit/wire/reader_test.cpp
        unit/wire/service_error_test.cpp
        unit/wire/token_test.cpp
        unit/wire/writer_test.cpp)

tablemap_add_test(NAME unit_filter LABEL unit
    SOURCES
        unit/filter/matches_test.cpp
        unit/filter/narrowing_test.cpp
        unit/filter/odata_test.cpp
        unit/filter/parse_test.cpp
        unit/filter/raw_test.cpp)

tablemap_add_test(NAME unit_reflect LABEL unit
    SOURCES
        unit/reflect/adapted_test.cpp
        unit/reflect/check_test.cpp
        unit/reflect/enumeration_test.cpp
        unit/reflect/fields_test.cpp
        unit/reflect/name_test.cpp)

tablemap_add_test(NAME unit_keys LABEL unit
    SOURCES
        unit/keys/end_of_prefix_test.cpp
        unit/keys/key_test.cpp
        unit/keys/key_literals_test.cpp
        unit/keys/key_members_test.cpp
        unit/keys/part_conversion_test.cpp
        unit/keys/part_form_test.cpp
        unit/keys/period_part_test.cpp
        unit/keys/text_form_test.cpp)

# allocation_test.cpp replaces operator new for this whole executable.
tablemap_add_test(NAME unit_mapping LABEL unit
    SOURCES
        unit/mapping/allocation_test.cpp
        unit/mapping/changes_test.cpp
        unit/mapping/columns_test.cpp
        unit/mapping/converted_keys_test.cpp
        unit/mapping/converters_decimal_test.cpp
        unit/mapping/converters_duration_test.cpp
        unit/mapping/converters_std_test.cpp
        unit/mapping/converters_system_time_test.cpp
        unit/mapping/converters_url_test.cpp
        unit/mapping/converters_user_test.cpp
        unit/mapping/decode_test.cpp
        unit/mapping/dynamic_test.cpp
        unit/mapping/encode_test.cpp
        unit/mapping/extras_test.cpp
        unit/mapping/json_read_test.cpp
        unit/mapping/json_round_trip_test.cpp
        unit/mapping/json_write_test.cpp
        unit/mapping/key_of_test.cpp
        unit/mapping/legacy_encryption_test.cpp
        unit/mapping/members_test.cpp
        unit/mapping/plain_value_test.cpp
        unit/mapping/rows_test.cpp
        unit/mapping/series_test.cpp
        unit/mapping/value_codec_test.cpp
        unit/mapping/variant_test.cpp
        unit/mapping/versions_test.cpp)

tablemap_add_test(NAME unit_store LABEL unit
    SOURCES
        unit/store/async_task_test.cpp
        unit/store/async_test.cpp
        unit/store/blob_check_test.cpp
        unit/store/concurrency_limit_test.cpp
        unit/store/log_observer_test.cpp
        unit/store/observer_test.cpp
        unit/store/page_reading_test.cpp
        unit/store/pager_test.cpp
        unit/store/queue_check_test.cpp
        unit/store/rate_limit_test.cpp
        unit/store/read_ahead_test.cpp
        unit/store/replicated_test.cpp
        unit/store/request_check_test.cpp
        unit/store/request_test.cpp
        unit/store/retry_test.cpp
        unit/store/stored_row_test.cpp
        unit/store/task_run_test.cpp
        unit/store/task_test.cpp
        unit/store/with_keys_test.cpp
    LIBS tablemap_test_support)

tablemap_add_test(NAME unit_blob LABEL unit
    SOURCES
        unit/blob/async_blob_container_test.cpp
        unit/blob/blob_container_test.cpp
    LIBS tablemap::embedded tablemap::testing tablemap::store_contract)

tablemap_add_test(NAME unit_query LABEL unit
    SOURCES
        unit/query/access_range_test.cpp
        unit/query/cursor_test.cpp
        unit/query/element_test.cpp
        unit/query/field_test.cpp
        unit/query/key_ranges_test.cpp
        unit/query/plan_test.cpp)

tablemap_add_test(NAME unit_queue LABEL unit
    SOURCES
        unit/queue/async_queue_test.cpp
        unit/queue/queue_test.cpp
    LIBS tablemap::embedded tablemap::testing tablemap::store_contract)

tablemap_add_test(NAME unit_write LABEL unit
    SOURCES
        unit/write/companion_test.cpp
        unit/write/index_inexact_test.cpp
        unit/write/index_keeping_test.cpp
        unit/write/index_rows_test.cpp
        unit/write/indexed_commit_test.cpp
        unit/write/modify_row_test.cpp
        unit/write/retry_on_conflict_test.cpp
        unit/write/transaction_test.cpp
        unit/write/value_editor_test.cpp
        unit/write/write_encoder_test.cpp
    LIBS tablemap::embedded tablemap::testing tablemap::store_contract)

tablemap_add_test(NAME unit_read LABEL unit
    SOURCES
        unit/read/find_many_test.cpp
        unit/read/index_look_up_test.cpp
        unit/read/index_query_test.cpp
        unit/read/query_range_test.cpp
        unit/read/query_select_test.cpp
        unit/read/query_value_test.cpp
        unit/read/spread_query_test.cpp
    LIBS tablemap::embedded tablemap::testing tablemap::store_contract)

tablemap_add_test(NAME unit_bulk LABEL unit
    SOURCES
        unit/bulk/bulk_concurrency_test.cpp
        unit/bulk/bulk_erase_interrupted_test.cpp
        unit/bulk/bulk_erase_test.cpp
        unit/bulk/bulk_faults_test.cpp
        unit/bulk/bulk_indexes_test.cpp
        unit/bulk/bulk_ledger_test.cpp
        unit/bulk/bulk_resume_test.cpp
    LIBS tablemap::embedded tablemap::testing tablemap::store_contract)

tablemap_add_test(NAME unit_index_audit LABEL unit
    SOURCES
        unit/index_audit/index_audit_kinds_test.cpp
        unit/index_audit/index_audit_meanwhile_test.cpp
        unit/index_audit/index_audit_test.cpp
        unit/index_audit/index_strange_rows_test.cpp
        unit/index_audit/migration_test.cpp
        unit/index_audit/reencryption_test.cpp
    LIBS tablemap::embedded tablemap::testing tablemap::store_contract)

tablemap_add_test(NAME unit_table LABEL unit
    SOURCES
        unit/table/administration_test.cpp
        unit/table/bulk_writer_test.cpp
        unit/table/cached_table_test.cpp
        unit/table/encryption_changes_test.cpp
        unit/table/encryption_test.cpp
        unit/table/endless_pages_test.cpp
        unit/table/index_members_test.cpp
        unit/table/join_test.cpp
        unit/table/key_values_test.cpp
        unit/table/legacy_rows_test.cpp
        unit/table/other_rows_test.cpp
        unit/table/shared_table_test.cpp
        unit/table/table_test.cpp
    LIBS tablemap::embedded tablemap::testing tablemap::store_contract)

if(TABLEMAP_COMMAND)
    tablemap_add_test(NAME unit_command LABEL unit
        SOURCES
            unit/command/arguments_test.cpp
            unit/command/check_test.cpp
            unit/command/chosen_rows_test.cpp
            unit/command/console_test.cpp
            unit/command/copy_test.cpp
            unit/command/csv_test.cpp
            unit/command/export_test.cpp
            unit/command/finding_lines_test.cpp
            unit/command/get_test.cpp
            unit/command/import_test.cpp
            unit/command/infer_test.cpp
            unit/command/lint_test.cpp
            unit/command/maintenance_test.cpp
            unit/command/open_store_test.cpp
            unit/command/option_checks_test.cpp
            unit/command/outbox_test.cpp
            unit/command/output_file_test.cpp
            unit/command/query_test.cpp
            unit/command/report_test.cpp
            unit/command/row_importer_test.cpp
            unit/command/row_source_test.cpp
            unit/command/row_writer_test.cpp
            unit/command/stats_test.cpp
            unit/command/sweep_test.cpp
            unit/command/tables_test.cpp
            unit/command/value_text_test.cpp
        LIBS tablemap_command_parts tablemap::testing)
    tablemap_add_test(NAME unit_inspect LABEL unit
        SOURCES
            unit/inspect/drift_list_test.cpp
            unit/inspect/index_shapes_test.cpp
            unit/inspect/infer_schema_test.cpp
            unit/inspect/key_shapes_test.cpp
            unit/inspect/member_names_test.cpp
            unit/inspect/row_kind_names_test.cpp
            unit/inspect/row_likeness_test.cpp
            unit/inspect/stored_types_test.cpp
            unit/inspect/table_survey_test.cpp
            unit/inspect/type_property_test.cpp
        LIBS tablemap_inspect tablemap::tablemap tablemap_test_support)
    # Rows of the types that the generator writes are compared with their schemas.
    if(TABLEMAP_GENERATOR)
        target_sources(unit_inspect PRIVATE unit/inspect/schema_check_test.cpp)
        target_compile_definitions(unit_inspect PRIVATE TABLEMAP_CODEGEN_CASES="${CMAKE_CURRENT_SOURCE_DIR}/codegen")
        foreach(schema IN ITEMS claims devices employees everything long_names minimal personnel telemetry)
            tablemap_generate(TARGET unit_inspect SCHEMA "codegen/golden/${schema}.json")
        endforeach()
    endif()
    tablemap_add_test(NAME unit_page LABEL unit
        SOURCES
            unit/page/findings_test.cpp
            unit/page/gathering_test.cpp
            unit/page/html_test.cpp
            unit/page/index_comparison_test.cpp
            unit/page/row_facts_test.cpp
        LIBS tablemap_page tablemap::open tablemap::testing)
    if(TARGET tablemap::serve)
        tablemap_add_test(NAME unit_page_browsing LABEL unit
            SOURCES unit/page/browsing_test.cpp
            LIBS tablemap_page tablemap::open tablemap::testing)
    endif()
endif()

if(TARGET tablemap::serve)
    tablemap_add_test(NAME unit_serve LABEL unit
        SOURCES
            unit/serve/account_rules_test.cpp
            unit/serve/beast_session_test.cpp
            unit/serve/cors_test.cpp
            unit/serve/gatekeeper_test.cpp
            unit/serve/page_call_test.cpp
            unit/serve/page_guard_test.cpp
            unit/serve/refused_test.cpp
            unit/serve/response_head_test.cpp
            unit/serve/server_test.cpp
            unit/serve/table_service_test.cpp
            unit/serve/target_test.cpp
        LIBS tablemap_test_support tablemap::serve)
endif()

tablemap_add_test(NAME unit_async_arguments LABEL unit
    SOURCES
        unit/store/async_arguments_test.cpp
    LIBS tablemap::patterns tablemap_test_support)

tablemap_add_test(NAME unit_patterns LABEL unit
    SOURCES
        unit/patterns/beside_indexes_test.cpp
        unit/patterns/copies_holders_test.cpp
        unit/patterns/copies_test.cpp
        unit/patterns/endless_copies_test.cpp
        unit/patterns/latest_test.cpp
        unit/patterns/moves_between_kinds_test.cpp
        unit/patterns/moves_test.cpp
        unit/patterns/one_to_one_test.cpp
        unit/patterns/outbox_status_test.cpp
        unit/patterns/outbox_test.cpp
        unit/patterns/put_back_test.cpp
        unit/patterns/relation_test.cpp
        unit/patterns/relay_queue_test.cpp
        unit/patterns/relay_test.cpp
        unit/patterns/unique_values_test.cpp
    LIBS tablemap::embedded tablemap::patterns tablemap::testing)

tablemap_add_test(NAME unit_expiry LABEL unit
    SOURCES
        unit/patterns/async_expiry_test.cpp
        unit/patterns/expiry_adversity_test.cpp
        unit/patterns/expiry_sweeper_test.cpp
        unit/patterns/unexpired_table_test.cpp
    LIBS tablemap::embedded tablemap::patterns tablemap::testing)

tablemap_add_test(NAME unit_wide_entities LABEL unit
    SOURCES
        unit/patterns/async_wide_table_test.cpp
        unit/patterns/wide_keys_test.cpp
        unit/patterns/wide_reading_test.cpp
        unit/patterns/wide_table_test.cpp
    LIBS tablemap::embedded tablemap::patterns tablemap::testing)

tablemap_add_test(NAME unit_large_members LABEL unit
    SOURCES
        unit/mapping/large_test.cpp
        unit/patterns/async_large_table_test.cpp
        unit/patterns/large_blobs_test.cpp
        unit/patterns/large_collector_test.cpp
        unit/patterns/large_copies_test.cpp
        unit/patterns/large_reencryption_test.cpp
        unit/patterns/large_table_test.cpp
    LIBS tablemap::embedded tablemap::patterns tablemap::testing)

tablemap_add_test(NAME unit_rolling_tables LABEL unit
    SOURCES
        unit/patterns/async_rolling_table_test.cpp
        unit/patterns/rolling_dropped_test.cpp
        unit/patterns/rolling_names_test.cpp
        unit/patterns/rolling_query_test.cpp
        unit/patterns/rolling_retention_test.cpp
        unit/patterns/rolling_store_test.cpp
        unit/patterns/rolling_table_test.cpp
    LIBS tablemap::embedded tablemap::patterns tablemap::testing tablemap::store_contract)

tablemap_add_test(NAME unit_hot_partitions LABEL unit
    SOURCES
        unit/patterns/async_sample_partitions_test.cpp
        unit/patterns/hot_partitions_test.cpp
        unit/patterns/key_lint_test.cpp
    LIBS tablemap::embedded tablemap::patterns tablemap::testing)

tablemap_add_test(NAME unit_logs LABEL unit
    SOURCES
        unit/patterns/async_log_turns_test.cpp
        unit/patterns/async_logs_test.cpp
        unit/patterns/log_names_test.cpp
        unit/patterns/log_reader_test.cpp
        unit/patterns/log_sender_test.cpp
        unit/patterns/log_writer_ends_test.cpp
        unit/patterns/log_writer_test.cpp
    LIBS tablemap::embedded tablemap::patterns tablemap::testing)

tablemap_add_test(NAME unit_index_entities LABEL unit
    SOURCES
        unit/patterns/index_entities_adversity_test.cpp
        unit/patterns/index_entities_queue_test.cpp
        unit/patterns/index_entities_test.cpp
    LIBS tablemap::embedded tablemap::patterns tablemap::testing)

tablemap_add_test(NAME unit_indexes_elsewhere LABEL unit
    SOURCES
        unit/patterns/async_index_relay_test.cpp
        unit/patterns/elsewhere_look_up_test.cpp
        unit/patterns/index_relay_test.cpp
        unit/patterns/index_relay_audit_test.cpp
        unit/patterns/index_relay_queue_test.cpp
        unit/patterns/shared_index_table_test.cpp
    LIBS tablemap::embedded tablemap::patterns tablemap::testing)

tablemap_add_test(NAME unit_testing LABEL unit
    SOURCES
        unit/testing/faulty_store_test.cpp
        unit/testing/scripted_store_test.cpp
    LIBS tablemap::testing)

tablemap_add_test(NAME unit_embedded LABEL unit
    SOURCES
        unit/embedded/blobs_test.cpp
        unit/embedded/called_functions_test.cpp
        unit/embedded/commit_test.cpp
        unit/embedded/connection_string_test.cpp
        unit/embedded/file_gone_test.cpp
        unit/embedded/file_test.cpp
        unit/embedded/key_filters_test.cpp
        unit/embedded/log_test.cpp
        unit/embedded/maintenance_test.cpp
        unit/embedded/packed_answers_test.cpp
        unit/embedded/power_loss_test.cpp
        unit/embedded/processes_test.cpp
        unit/embedded/queues_test.cpp
        unit/embedded/reads_at_once_test.cpp
        unit/embedded/reopen_test.cpp
        unit/embedded/service_test.cpp
        unit/embedded/sqlite_test.cpp
        unit/embedded/stamps_test.cpp
        unit/embedded/unreliable_disk.cpp
        unit/embedded/worker_pool_test.cpp
        unit/embedded/write_queue_callers_test.cpp
        unit/embedded/write_queue_test.cpp
    LIBS tablemap::embedded tablemap::store_contract SQLite::SQLite3)
# The same with as many cut points as it takes to trust it.
add_test(NAME unit_embedded.thousand_cuts CONFIGURATIONS soak
    COMMAND unit_embedded --gtest_filter=power_loss.* --gtest_brief=1)
set_tests_properties(unit_embedded.thousand_cuts PROPERTIES
    LABELS soak TIMEOUT 600 ENVIRONMENT TABLEMAP_CUT_POINTS=1000)

tablemap_add_test(NAME unit_rest LABEL unit
    SOURCES
        unit/rest/access_signature_test.cpp
        unit/rest/account_store_test.cpp
        unit/rest/response_reader_test.cpp
        unit/rest/bearer_transport_test.cpp
        unit/rest/blob_protocol_test.cpp
        unit/rest/challenge_test.cpp
        unit/rest/connection_string_test.cpp
        unit/rest/cosmos_store_test.cpp
        unit/rest/cosmos_test.cpp
        unit/rest/credential_test.cpp
        unit/rest/http_date_test.cpp
        unit/rest/lost_races_test.cpp
        unit/rest/multipart_test.cpp
        unit/rest/queue_protocol_test.cpp
        unit/rest/refusal_advice_test.cpp
        unit/rest/refusal_reader_test.cpp
        unit/rest/request_builder_test.cpp
        unit/rest/request_check_test.cpp
        unit/rest/service_xml_test.cpp
        unit/rest/shared_key_test.cpp
        unit/rest/store_test.cpp
        unit/rest/token_cache_test.cpp
        unit/rest/transaction_size_test.cpp
        unit/rest/url_test.cpp
    LIBS tablemap::rest tablemap::testing)

tablemap_add_test(NAME unit_rest_transport LABEL unit
    SOURCES
        unit/open_account_test.cpp
        unit/rest/transport_responses_test.cpp
        unit/rest/transport_lifetime_test.cpp
        unit/rest/transport_options_test.cpp
        unit/rest/transport_test.cpp
        unit/rest/transport_tls_test.cpp
    LIBS tablemap_test_support
    SHARDS 4)
if(TABLEMAP_CPPREST)
    target_sources(unit_rest_transport PRIVATE unit/rest/cpprest_watch_test.cpp)
endif()
target_compile_definitions(unit_rest_transport PRIVATE
    TABLEMAP_TEST_SUPPORT_FOLDER="${CMAKE_CURRENT_SOURCE_DIR}/support")
