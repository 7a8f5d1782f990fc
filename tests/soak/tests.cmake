# SPDX-License-Identifier: Apache-2.0
#
# What must hold for long or for much.

# Sanitizers need more memory than the program allows itself. `ctest -C soak` adds the whole size to the default tests.
if(NOT TABLEMAP_SANITIZE)
    set(tablemap_soak_programs stream_million bulk_stream large_members large_stream)
    foreach(program IN LISTS tablemap_soak_programs)
        add_executable(${program} soak/${program}.cpp)
        tablemap_target_defaults(${program})
        target_include_directories(${program} PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/src")
        target_link_libraries(${program} PRIVATE tablemap::tablemap)
    endforeach()

    add_test(NAME soak.stream COMMAND stream_million 100000)
    add_test(NAME soak.stream_notices_growth COMMAND stream_million 100000 keep)
    add_test(NAME soak.stream_million CONFIGURATIONS soak COMMAND stream_million)
    set_tests_properties(soak.stream soak.stream_notices_growth PROPERTIES LABELS soak TIMEOUT 120)
    set_tests_properties(soak.stream_notices_growth PROPERTIES PASS_REGULAR_EXPRESSION "memory grew by")

    add_test(NAME soak.bulk COMMAND bulk_stream 50000)
    add_test(NAME soak.bulk_notices_growth COMMAND bulk_stream 50000 keep)
    set_tests_properties(soak.bulk soak.bulk_notices_growth PROPERTIES LABELS soak TIMEOUT 120)
    set_tests_properties(soak.bulk_notices_growth PROPERTIES PASS_REGULAR_EXPRESSION "memory grew by")

    add_test(NAME soak.large_members COMMAND large_members 500)
    add_test(NAME soak.large_stream COMMAND large_stream 96)
    add_test(NAME soak.large_stream_notices_growth COMMAND large_stream 96 keep)
    set_tests_properties(soak.large_members soak.large_stream soak.large_stream_notices_growth PROPERTIES
        LABELS soak TIMEOUT 120)
    set_tests_properties(soak.large_stream_notices_growth PROPERTIES PASS_REGULAR_EXPRESSION "memory grew by more")
    add_test(NAME soak.large_members_10000 CONFIGURATIONS soak COMMAND large_members)
    add_test(NAME soak.large_stream_1_gib CONFIGURATIONS soak COMMAND large_stream)

    if(TEST soak.stream_million)
        set_tests_properties(soak.stream_million PROPERTIES LABELS soak TIMEOUT 900)
        set_tests_properties(soak.large_members_10000 soak.large_stream_1_gib PROPERTIES LABELS soak TIMEOUT 1200)
    endif()
endif()
