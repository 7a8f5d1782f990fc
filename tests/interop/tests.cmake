# SPDX-License-Identifier: Apache-2.0
#
# The service's own clients beside tablemap.

tablemap_add_test(NAME interop_azurite LABEL interop
    SOURCES
        interop/blobs_test.cpp
        interop/queues_test.cpp
    LIBS tablemap_test_support
    FILTER "-*")
target_compile_definitions(interop_azurite PRIVATE
    TABLEMAP_INTEROP_FOLDER="${CMAKE_CURRENT_SOURCE_DIR}/interop"
    TABLEMAP_STORAGE_SDK_FOLDER="${PROJECT_SOURCE_DIR}/build/storage-sdk")
add_test(NAME interop_azurite.all COMMAND interop_azurite --gtest_brief=1)
set_tests_properties(interop_azurite.all PROPERTIES LABELS interop TIMEOUT 120)

if(TARGET tablemap::serve)
    tablemap_add_test(NAME interop_served LABEL interop
        SOURCES
            interop/tables_test.cpp
        LIBS tablemap_test_support tablemap::serve)
    target_compile_definitions(interop_served PRIVATE
        TABLEMAP_INTEROP_FOLDER="${CMAKE_CURRENT_SOURCE_DIR}/interop"
        TABLEMAP_PYTHON_CLIENT_FOLDER="${PROJECT_SOURCE_DIR}/build/python-client"
        TABLEMAP_STORAGE_SDK_FOLDER="${PROJECT_SOURCE_DIR}/build/storage-sdk")
endif()
