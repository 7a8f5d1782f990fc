# SPDX-License-Identifier: Apache-2.0
#
# Who may do what, with every credential.

tablemap_add_test(NAME access LABEL access
    SOURCES
        access/tokens_test.cpp
    LIBS tablemap_test_support)

tablemap_add_test(NAME access_azurite LABEL access
    SOURCES
        access/azurite_test.cpp
        access/azurite_tokens_test.cpp
    LIBS tablemap_test_support
    FILTER "-*")
add_test(NAME access_azurite.all COMMAND access_azurite --gtest_brief=1)
set_tests_properties(access_azurite.all PROPERTIES LABELS access TIMEOUT 300)
