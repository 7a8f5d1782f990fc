# SPDX-License-Identifier: Apache-2.0

# tablemap_record_tests(test...): these run the emulator, and record what they log and what was sent; see tests/secrets.
function(tablemap_record_tests)
    set_tests_properties(${ARGN} PROPERTIES FIXTURES_REQUIRED secrets)
    # Some have an environment of their own, such as the credential that they use.
    set_property(TEST ${ARGN} APPEND PROPERTY ENVIRONMENT
        "TABLEMAP_RECORD_FOLDER=${CMAKE_BINARY_DIR}/Testing/secrets"
        "NODE_OPTIONS=--require \"${PROJECT_SOURCE_DIR}/tests/secrets/record_sent.js\"")
endfunction()
