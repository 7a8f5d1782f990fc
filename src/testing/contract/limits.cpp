// SPDX-License-Identifier: Apache-2.0
#include "testing/contract/fixture.hpp"
#include "testing/contract/suites.hpp"

namespace tablemap::inline v0_1::testing::contract {
namespace {

class seam_limits : public seam {
protected:
    response put(property p) { return table().write(write_kind::upsert_replace, entity("p", "r", {std::move(p)})); }
};
TABLEMAP_CONTRACT_SUITE(seam_limits);

std::string repeated(std::string_view text, std::size_t times) {
    std::string all;
    for (std::size_t i = 0; i < times; ++i) all += text;
    return all;
}

/// Strings of 65,536 bytes as the service counts, and one that fills the entity to `size`.
dynamic_entity entity_of_size(std::size_t size) {
    auto e = entity("p", "r");
    constexpr std::size_t overhead = 8 + 2 * 2 + 4;  // of a string property with a name of two letters
    for (char c = 'a'; size - entity_size(e) > 66'000; ++c) e.set(std::string{"S"} + c, std::string(32'000, 'x'));
    auto const left = size - entity_size(e) - overhead;
    e.set("Zz", std::string(left / 2, 'x'));
    if (left % 2 != 0) {  // a boolean counts one byte beside its overhead of 8 + 2 * 2
        e.set("Zz", std::string((left - 13) / 2, 'x'));
        e.set("Zy", true);
    }
    return e;
}

TEST_P(seam_limits, a_string_has_at_most_32768_utf16_units) {
    EXPECT_TRUE(carried_out(put({"V", std::string(32'767, 'x')})));
    EXPECT_TRUE(carried_out(put({"V", std::string(32'768, 'x')})));
    EXPECT_TRUE(refused_because_of(put({"V", std::string(32'769, 'x')}), service_errc::property_value_too_large, "V"));
}

TEST_P(seam_limits, a_string_is_measured_in_utf16_not_in_bytes) {
    TABLEMAP_SKIP_IF(counts_strings_in_bytes);
    EXPECT_TRUE(carried_out(put({"V", repeated("\xE2\x82\xAC", 32'768)})));
    EXPECT_TRUE(carried_out(put({"V", repeated("\xF0\x9F\x98\x80", 16'384)})));
    EXPECT_TRUE(
        refused(put({"V", repeated("\xF0\x9F\x98\x80", 16'384) + "x"}), service_errc::property_value_too_large));
}

TEST_P(seam_limits, a_binary_has_at_most_65536_bytes) {
    EXPECT_TRUE(carried_out(put({"V", bytes(65'535)})));
    EXPECT_TRUE(carried_out(put({"V", bytes(65'536)})));
    EXPECT_TRUE(refused_because_of(put({"V", bytes(65'537)}), service_errc::property_value_too_large, "V"));
}

TEST_P(seam_limits, a_name_has_at_most_255_characters) {
    TABLEMAP_SKIP_IF(accepts_any_property_name);
    EXPECT_TRUE(carried_out(put({std::string(254, 'n'), 1})));
    EXPECT_TRUE(carried_out(put({std::string(255, 'n'), 1})));
    EXPECT_TRUE(carried_out(put({repeated("\xC3\xA4", 255), 1})));
    std::string const longer(256, 'n');
    EXPECT_TRUE(refused_because_of(put({longer, 1}), service_errc::property_name_too_long, longer));
}

TEST_P(seam_limits, an_entity_has_at_most_252_properties) {
    TABLEMAP_SKIP_IF(accepts_any_property_count);
    auto e = entity("p", "r");
    for (int i = 0; i < 252; ++i) e.set("P" + std::to_string(i), i);
    EXPECT_TRUE(carried_out(table().insert(e)));
    EXPECT_EQ(entity_in(table().get("p", "r")).properties().size(), 252u);
    e.set("P252", 252);
    EXPECT_TRUE(refused(table().write(write_kind::upsert_replace, e), service_errc::too_many_properties));
}

TEST_P(seam_limits, a_merge_may_not_exceed_252_properties_either) {
    TABLEMAP_SKIP_IF(accepts_any_property_count);
    auto e = entity("p", "r");
    for (int i = 0; i < 252; ++i) e.set("P" + std::to_string(i), i);
    ASSERT_TRUE(carried_out(table().insert(e)));
    EXPECT_TRUE(carried_out(table().write(write_kind::merge, entity("p", "r", {{"P7", 0}}), "*")));
    EXPECT_TRUE(refused(table().write(write_kind::merge, entity("p", "r", {{"New", 0}}), "*"),
                        service_errc::too_many_properties));
}

TEST_P(seam_limits, an_entity_has_at_most_1_mib) {
    TABLEMAP_SKIP_IF(counts_bytes_of_body);
    for (auto const size : {limits::entity_bytes - 1, limits::entity_bytes}) {
        auto const e = entity_of_size(size);
        ASSERT_EQ(entity_size(e), size);
        EXPECT_TRUE(carried_out(table().write(write_kind::upsert_replace, e)));
    }
    EXPECT_TRUE(refused(table().write(write_kind::upsert_replace, entity_of_size(limits::entity_bytes + 1)),
                        service_errc::entity_too_large));
}

TEST_P(seam_limits, a_merge_may_not_exceed_1_mib_either) {
    TABLEMAP_SKIP_IF(counts_bytes_of_body);
    ASSERT_TRUE(carried_out(table().insert(entity_of_size(limits::entity_bytes))));
    EXPECT_TRUE(carried_out(table().write(write_kind::merge, entity("p", "r", {{"Sa", "small"}}), "*")));
    EXPECT_TRUE(
        carried_out(table().write(write_kind::merge, entity("p", "r", {{"Sa", std::string(32'000, 'y')}}), "*")));
    EXPECT_TRUE(refused(table().write(write_kind::merge, entity("p", "r", {{"New", true}}), "*"),
                        service_errc::entity_too_large));
}

TEST_P(seam_limits, a_merge_counts_text_as_an_insert_does) {
    TABLEMAP_SKIP_IF(counts_bytes_of_body);
    // Escapes, text beyond ASCII and base64 take other lengths in JSON than the service counts.
    auto e = entity(
        "p", "r",
        {{"Esc", repeated("\"\n\x01", 10'000)}, {"Eur", repeated("\xE2\x82\xAC", 30'000)}, {"Bin", bytes(65'535)}});
    for (char c = 'a'; entity_size(e) + 66'000 < limits::entity_bytes; ++c)
        e.set(std::string{"S"} + c, std::string(32'000, 'x'));
    ASSERT_TRUE(carried_out(table().insert(e)));
    auto const left = limits::entity_bytes - entity_size(e);
    auto const change = entity("p", "r", {{"Z", bytes(left - 8 - 2 - 4)}});
    EXPECT_TRUE(carried_out(table().write(write_kind::merge, change, "*")));
    auto const more = entity("p", "r", {{"Z", bytes(left - 8 - 2 - 4 + 1)}});
    EXPECT_TRUE(refused(table().write(write_kind::merge, more, "*"), service_errc::entity_too_large));
}

}  // namespace

void link_limits() {}

}  // namespace tablemap::testing::contract
