# SPDX-License-Identifier: Apache-2.0
#
# One suite for every store.

tablemap_add_test(NAME contract LABEL contract
    SOURCES
        contract/seam.cpp
        contract/stores.cpp
        contract/async_bulk.cpp
        contract/async_table.cpp
        contract/async_transactions.cpp
        contract/table_bad_rows.cpp
        contract/table_bulk.cpp
        contract/table_changes.cpp
        contract/table_encryption.cpp
        contract/table_indexes.cpp
        contract/table_index_queries.cpp
        contract/table_index_groups.cpp
        contract/table_kinds.cpp
        contract/table_mapping.cpp
        contract/table_observing.cpp
        contract/table_paging.cpp
        contract/table_queries.cpp
        contract/table_series.cpp
        contract/table_service.cpp
        contract/table_transactions.cpp
        contract/table_values.cpp
        contract/table_writes.cpp
    LIBS tablemap_test_support
    FILTER "-*/azurite_*"
    SHARDS 8)

if(TARGET tablemap::serve)
    tablemap_add_test(NAME contract_served LABEL contract
        SOURCES
            contract/served.cpp
        LIBS tablemap::open tablemap::serve tablemap::store_contract)
endif()

tablemap_add_test(NAME contract_patterns LABEL contract
    SOURCES
        contract/stores.cpp
        contract/async_outbox.cpp
        contract/table_copies.cpp
        contract/table_outbox.cpp
        contract/table_row_pair.cpp
        contract/table_relations.cpp
        contract/table_tail.cpp
        contract/table_unique_values.cpp
    LIBS tablemap_test_support tablemap::patterns
    FILTER "-*/azurite_*"
    SHARDS 4)
foreach(transport IN LISTS transports)
    foreach(store IN ITEMS azurite_${transport} azurite_${transport}_async)
        tablemap_add_azurite_test(contract_patterns ${store} contract)
    endforeach()
endforeach()

# The cases of queues and blobs once more, by their asynchronous classes. One is about a time that `update` does not return.
set(without_time "-*.an_update_hides_the_message_for_longer_under_a_new_receipt/*")
tablemap_add_test(NAME contract_async_faces LABEL contract
    SOURCES
        contract/async_faces.cpp
        contract/stores.cpp
    LIBS tablemap_test_support
    FILTER "seam_queues.*/embedded_memory:seam_queues.*/embedded_file:seam_blobs.*/embedded_memory:seam_blobs.*/embedded_file:${without_time}")
foreach(transport IN LISTS transports)
    set(store azurite_${transport})
    add_test(NAME contract_async_faces.${store} COMMAND contract_async_faces --gtest_brief=1
        "--gtest_filter=seam_queues.*/${store}:seam_blobs.*/${store}:${without_time}")
    set_tests_properties(contract_async_faces.${store} PROPERTIES LABELS contract TIMEOUT 300)
endforeach()

# The suite accepts a store that does less, and notices those that do something wrong: each fails the case beside it.
tablemap_add_test(NAME contract_suite LABEL contract
    SOURCES
        contract/suite_check.cpp
    LIBS tablemap::embedded tablemap::store_contract
    FILTER "*/reduced:*/reduced_async:register_store_contract.*:deviation.*")
if(NOT TABLEMAP_SANITIZED_ELSEWHERE)
    function(tablemap_add_noticed_fault store case)
        add_test(NAME contract_suite.notices.${store} COMMAND contract_suite "--gtest_filter=${case}/${store}")
        set_tests_properties(contract_suite.notices.${store} PROPERTIES
            LABELS "contract;sanitized" TIMEOUT 120 PASS_REGULAR_EXPRESSION "FAILED  . ${case}/${store}")
    endfunction()
    tablemap_add_noticed_fault(ignores_etags seam_writes.a_stale_etag_is_refused_and_changes_nothing)
    tablemap_add_noticed_fault(forgets_continuations seam_pages.top_is_the_size_of_a_page)
    tablemap_add_noticed_fault(splits_transactions seam_transactions.one_refused_operation_undoes_all)
    tablemap_add_noticed_fault(ignores_deadlines seam_concurrency.a_call_whose_deadline_passed_is_not_carried_out)
    tablemap_add_noticed_fault(answers_twice seam_async.many_requests_at_once_are_answered_once_each)
    add_test(NAME contract_suite.says_what_a_store_needs
        COMMAND contract_suite "--gtest_filter=seam_writes.a_star_matches_any_version/not_there")
    set_tests_properties(contract_suite.says_what_a_store_needs PROPERTIES
        LABELS "contract;sanitized" TIMEOUT 120 PASS_REGULAR_EXPRESSION "not_there needs a server")

    foreach(transport IN LISTS transports)
        foreach(store IN ITEMS azurite_${transport} azurite_${transport}_async)
            tablemap_add_azurite_test(contract ${store} "contract;sanitized")
        endforeach()
    endforeach()

    # Once more with the other credentials that come in a connection string: what is sent to a store, and, under soak, the tables
    # of every other case, which send nothing else. No signature allows access policies.
    set(store azurite_${first_transport})
    set(all_of_lite "*/${store}")
    set(all_of_signature "*/${store}:-*polic*:services.every_operation_completes_a_coroutine/*")
    string(REPLACE "*/${store}" "seam_*/${store}" sent_with_lite "${all_of_lite}")
    string(REPLACE "*/${store}" "seam_*/${store}" sent_with_signature "${all_of_signature}")
    foreach(credential IN ITEMS lite signature)
        add_test(NAME contract.azurite_${credential}
            COMMAND contract --gtest_brief=1 "--gtest_filter=${sent_with_${credential}}")
        set_tests_properties(contract.azurite_${credential} PROPERTIES LABELS "contract;sanitized" TIMEOUT 600
            COST ${cost_of_a_long_test} ENVIRONMENT "TABLEMAP_AZURITE_CREDENTIAL=${credential}")
        add_test(NAME soak.azurite_${credential} CONFIGURATIONS soak
            COMMAND contract --gtest_brief=1 "--gtest_filter=${all_of_${credential}}")
        if(TEST soak.azurite_${credential})
            set_tests_properties(soak.azurite_${credential} PROPERTIES LABELS soak TIMEOUT 600
                ENVIRONMENT "TABLEMAP_AZURITE_CREDENTIAL=${credential}")
        endif()
    endforeach()
endif()
