// SPDX-License-Identifier: Apache-2.0
#include "store/blob_check.hpp"

#include "support/answers.hpp"

#include "tablemap/edm/limits.hpp"

#include <limits>
#include <string>
#include <vector>

namespace tablemap::test {
namespace {

result<void> checked(blob_request const& r) { return detail::check_blob_request(r); }
result<void> named(std::string_view blob) { return checked(head_blob{"files", blob}); }

std::string parts(std::size_t n) {
    std::string name = "a";
    for (std::size_t i = 1; i < n; ++i) name += "/a";
    return name;
}

TEST(blob_check, refuses_names_of_containers_that_the_service_refuses) {
    EXPECT_TRUE(checked(create_container{"files"}));
    for (auto const* name : {"", "ab", "Files", "-files", "files-", "fi--les", "fi_les", "fi/les"}) {
        EXPECT_TRUE(failed_with(checked(create_container{name}), service_errc::invalid_resource_name)) << name;
        EXPECT_TRUE(failed_with(checked(head_blob{name, "b"}), service_errc::invalid_resource_name)) << name;
        EXPECT_TRUE(failed_with(checked(list_blobs{.container = name}), service_errc::invalid_resource_name)) << name;
    }
}

TEST(blob_check, takes_names_of_blobs_in_any_language) {
    for (auto const* name :
         {"a", "2026/11/day.log", "a b+c%d?e#f&g'h\"i", "\xC3\xA4/\xF0\x9F\x98\x80", "/a", "a//b", ".a", "a..b", "~"})
        EXPECT_TRUE(named(name)) << name;
}

TEST(blob_check, refuses_names_of_blobs_that_clients_or_the_service_would_change) {
    for (auto const* name : {"", ".", "..", "a/..", "a/../b", "./a", "a./b", "a.", "a/", "a\\b"})
        EXPECT_TRUE(failed_with(named(name), service_errc::invalid_resource_name)) << name;
}

TEST(blob_check, refuses_names_of_blobs_that_are_no_text) {
    for (auto const* name : {"a\nb", "\x7F", "\xC2\x85", "\xFF", "\xED\xA0\x80", "\xEF\xBF\xBF"})
        EXPECT_TRUE(failed_with(named(name), service_errc::invalid_resource_name)) << name;
}

TEST(blob_check, counts_the_characters_and_parts_of_names) {
    EXPECT_TRUE(named(std::string(1024, 'a')));
    EXPECT_FALSE(named(std::string(1025, 'a')));
    std::string umlauts;
    for (int i = 0; i < 1024; ++i) umlauts += "\xC3\xA4";
    EXPECT_TRUE(named(umlauts));
    EXPECT_TRUE(named(parts(254)));
    EXPECT_FALSE(named(parts(255)));
}

TEST(blob_check, takes_content_types_that_a_header_can_carry) {
    auto const typed = [](std::string_view type) { return checked(put_blob{"files", "b", "", type}); };
    EXPECT_TRUE(typed("text/plain; charset=utf-8"));
    for (auto const& type :
         {std::string{"a\r\nb"}, std::string{" a"}, std::string{"a "}, std::string{"\xC3\xA4"}, std::string(257, 'a')})
        EXPECT_TRUE(failed_with(typed(type), service_errc::invalid_header_value)) << type;
}

TEST(blob_check, takes_etags_of_every_store) {
    for (auto const* e : {"*", "\"0x8D\"", "W/\"17\"", "\"\xC3\xA4\""})
        EXPECT_TRUE(checked(put_blob{"files", "b", "", {}, {.if_match = e}})) << e;
    for (auto const* e : {"0x8D", "\"\"", "\"a", "\"a b\"", "\"a\"b\"", "\"a\n\"", "W/a"}) {
        blob_condition const when{.if_match = e};
        EXPECT_TRUE(failed_with(checked(put_blob{"files", "b", "", {}, when}), service_errc::invalid_header_value))
            << e;
        EXPECT_TRUE(failed_with(checked(get_blob{"files", "b", {}, when}), service_errc::invalid_header_value)) << e;
    }
}

TEST(blob_check, takes_absence_as_a_condition_of_what_stores_a_blob_alone) {
    blob_condition const absent{.if_absent = true};
    EXPECT_TRUE(checked(put_blob{"files", "b", "", {}, absent}));
    EXPECT_TRUE(checked(create_append_blob{"files", "b", {}, absent}));
    EXPECT_TRUE(checked(commit_blocks{"files", "b", {}, {}, absent}));
    EXPECT_TRUE(failed_with(checked(get_blob{"files", "b", {}, absent}), service_errc::invalid_input));
    EXPECT_TRUE(failed_with(checked(delete_blob{"files", "b", absent}), service_errc::invalid_input));
    blob_condition const both{.if_match = "\"1\"", .if_absent = true};
    EXPECT_TRUE(failed_with(checked(put_blob{"files", "b", "", {}, both}), service_errc::invalid_input));
}

TEST(blob_check, refuses_ranges_without_a_byte_or_beyond_all_blobs) {
    auto const part = [](blob_range r) { return checked(get_blob{"files", "b", r}); };
    constexpr std::uint64_t last = std::numeric_limits<std::int64_t>::max();
    EXPECT_TRUE(part({5, 1}));
    EXPECT_TRUE(part({last, {}}));
    EXPECT_TRUE(part({last, 1}));
    for (blob_range const r : {blob_range{5, 0}, blob_range{last + 1, {}}, blob_range{last, 2},
                               blob_range{1, std::numeric_limits<std::uint64_t>::max()}})
        EXPECT_TRUE(failed_with(part(r), service_errc::out_of_range_input)) << r.first;
}

TEST(blob_check, takes_pages_of_1_to_5000_blobs) {
    for (std::size_t const top : {1u, 5000u}) EXPECT_TRUE(checked(list_blobs{.container = "files", .top = top}));
    for (std::size_t const top : {0u, 5001u})
        EXPECT_TRUE(failed_with(checked(list_blobs{.container = "files", .top = top}),
                                service_errc::out_of_range_query_parameter_value));
    EXPECT_FALSE(checked(list_blobs{.container = "files", .prefix = "a\n"}));
}

TEST(blob_check, takes_bodies_up_to_the_limit) {
    std::string const most(limits::block_bytes, 'x'), more = most + 'x';
    EXPECT_TRUE(checked(put_blob{"files", "b", most}));
    EXPECT_TRUE(checked(stage_block{"files", "b", "id", most}));
    EXPECT_TRUE(checked(append_block{"files", "b", std::string_view{most}.substr(0, limits::appended_bytes)}));
    EXPECT_TRUE(failed_with(checked(put_blob{"files", "b", more}), service_errc::request_body_too_large));
    EXPECT_TRUE(failed_with(checked(stage_block{"files", "b", "id", more}), service_errc::request_body_too_large));
    EXPECT_TRUE(
        failed_with(checked(append_block{"files", "b", std::string_view{most}.substr(0, limits::appended_bytes + 1)}),
                    service_errc::request_body_too_large));
}

TEST(blob_check, refuses_empty_blocks_but_not_empty_blobs) {
    EXPECT_TRUE(checked(put_blob{"files", "b", ""}));
    EXPECT_TRUE(failed_with(checked(stage_block{"files", "b", "id", ""}), service_errc::invalid_input));
    EXPECT_TRUE(failed_with(checked(append_block{"files", "b", ""}), service_errc::invalid_input));
}

TEST(blob_check, refuses_block_ids_that_the_service_refuses) {
    std::string const longest(64, '\xFF'), longer(65, 'a');
    EXPECT_TRUE(checked(stage_block{"files", "b", longest, "x"}));
    for (std::string_view const id : {std::string_view{}, std::string_view{longer}}) {
        EXPECT_TRUE(failed_with(checked(stage_block{"files", "b", id, "x"}), service_errc::invalid_block_id));
        std::vector<std::string_view> const blocks{"good", id};
        EXPECT_TRUE(failed_with(checked(commit_blocks{"files", "b", blocks}), service_errc::invalid_block_id));
    }
}

TEST(blob_check, takes_50000_blocks) {
    std::vector<std::string_view> blocks(50'000, "id");
    EXPECT_TRUE(checked(commit_blocks{"files", "b", blocks}));
    blocks.emplace_back("id");
    EXPECT_TRUE(failed_with(checked(commit_blocks{"files", "b", blocks}), service_errc::block_count_exceeds_limit));
}

TEST(blob_check, holds_no_name_in_its_errors) {
    auto const r = named("secret.");
    ASSERT_FALSE(r);
    EXPECT_EQ(std::string{r.error().what()}.find("secret"), std::string::npos);
}

}  // namespace
}  // namespace tablemap::test
