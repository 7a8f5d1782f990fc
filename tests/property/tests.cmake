# SPDX-License-Identifier: Apache-2.0
#
# What holds for every value, tried with random ones.

tablemap_add_test(NAME property_keys LABEL property
    SOURCES
        property/keys_order_test.cpp
        property/keys_ranges_test.cpp)

tablemap_add_test(NAME property_paging LABEL property
    SOURCES
        property/paging_cursors_test.cpp
    LIBS tablemap::embedded tablemap::testing)

tablemap_add_test(NAME property_index_queries LABEL property
    SOURCES
        property/index_queries_test.cpp
    LIBS tablemap::embedded tablemap::testing)

tablemap_add_test(NAME property_mapping LABEL property
    SOURCES
        property/encoded_properties_test.cpp
        property/encrypted_round_trip_test.cpp
        property/mapping_round_trip_test.cpp)

tablemap_add_test(NAME property_filters LABEL property
    SOURCES
        contract/stores.cpp
        property/filters_parse_test.cpp
        property/filters_stores_test.cpp
        property/injection_test.cpp
    LIBS tablemap_test_support
    FILTER "-*/azurite_*")
add_test(NAME property_filters.azurite COMMAND property_filters "--gtest_filter=*/azurite_*" --gtest_brief=1)
set_tests_properties(property_filters.azurite PROPERTIES LABELS property TIMEOUT 600)

tablemap_add_test(NAME property_indexes LABEL property
    SOURCES
        property/index_model_test.cpp
        property/index_not_rebuilt_test.cpp
    LIBS tablemap_test_support tablemap::testing
    FILTER "-*/azurite")
tablemap_add_azurite_test(property_indexes azurite property)
