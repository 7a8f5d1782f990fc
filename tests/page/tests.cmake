# SPDX-License-Identifier: Apache-2.0
#
# Reports in a browser.

if(TABLEMAP_COMMAND)
    add_test(NAME page.browser
        COMMAND Python3::Interpreter -B "${CMAKE_CURRENT_SOURCE_DIR}/page/browser.py"
            "$<TARGET_FILE:tablemap_command>" "${CMAKE_CURRENT_BINARY_DIR}/run/page")
    set_tests_properties(page.browser PROPERTIES LABELS page TIMEOUT 300 SKIP_RETURN_CODE 77)
endif()
