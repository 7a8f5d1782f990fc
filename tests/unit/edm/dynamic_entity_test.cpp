// SPDX-License-Identifier: Apache-2.0
#include "tablemap/edm/dynamic_entity.hpp"

#include "support/random.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace {

using namespace tablemap;
using ::testing::ElementsAre;
using ::testing::Pointee;

std::vector<std::string> names(dynamic_entity const& e) {
    std::vector<std::string> n;
    for (auto const& p : e.properties()) n.push_back(p.name);
    return n;
}

// ---- types ----------------------------------------------------------------------------------------------------------

TEST(edm_type, is_found_again_by_its_name) {
    for (std::size_t i = 0; i < std::variant_size_v<property_value>; ++i) {
        auto const t = static_cast<edm_type>(i);
        EXPECT_EQ(edm_type_from_name(edm_name(t)), t) << edm_name(t);
    }
    for (auto const* name : {"", "Edm.Single", "edm.string", "String", "Edm.Double "})
        EXPECT_EQ(edm_type_from_name(name), std::nullopt) << name;
}

TEST(edm_type, is_that_of_the_values_alternative) {
    EXPECT_EQ(edm_name(type_of(std::string{})), "Edm.String");
    EXPECT_EQ(edm_name(type_of(true)), "Edm.Boolean");
    EXPECT_EQ(edm_name(type_of(std::int32_t{1})), "Edm.Int32");
    EXPECT_EQ(edm_name(type_of(std::int64_t{1})), "Edm.Int64");
    EXPECT_EQ(edm_name(type_of(1.0)), "Edm.Double");
    EXPECT_EQ(edm_name(type_of(ticks{})), "Edm.DateTime");
    EXPECT_EQ(edm_name(type_of(guid{})), "Edm.Guid");
    EXPECT_EQ(edm_name(type_of(bytes{})), "Edm.Binary");
}

// ---- properties -----------------------------------------------------------------------------------------------------

std::optional<dynamic_entity> found() {
    dynamic_entity e{"p", "r"};
    e.set("Name", "a name that is too long to lie in the string itself");
    e.set("Age", std::int32_t{34});
    return e;
}

TEST(dynamic_entity, shows_its_properties_beyond_its_own_life) {
    std::vector<std::string> n;
    for (auto const& p : found()->properties()) n.push_back(p.name);
    EXPECT_THAT(n, ElementsAre("Name", "Age"));
    auto const list = found()->properties();
    EXPECT_EQ(list.size(), 2u);
    EXPECT_EQ(list[1].value, property_value{std::int32_t{34}});
    EXPECT_EQ(found()->properties().front().name, "Name");
}

TEST(dynamic_entity, that_is_a_temporary_gives_values) {
    EXPECT_EQ((*found()).try_get<std::int32_t>("Age"), std::optional<std::int32_t>{34});
    EXPECT_EQ((*found()).try_get<std::string>("Age"), std::nullopt);
    EXPECT_EQ((*found()).find("Age"), std::optional<property_value>{std::int32_t{34}});
    EXPECT_EQ((*found()).find("None"), std::nullopt);
}

TEST(dynamic_entity, keeps_properties_in_the_order_in_which_they_were_first_set) {
    dynamic_entity e{"p", "r"};
    e.set("b", 1);
    e.set("a", "one");
    e.set("b", 2.5);
    EXPECT_THAT(names(e), ElementsAre("b", "a"));
    EXPECT_EQ(*e.find("b"), property_value{2.5});
}

TEST(dynamic_entity, takes_a_literal_as_text_not_as_a_boolean) {
    dynamic_entity e;
    e.set("name", "Don");
    EXPECT_THAT(e.try_get<std::string>("name"), Pointee(std::string{"Don"}));
}

TEST(dynamic_entity, gives_a_value_only_as_exactly_its_type) {
    dynamic_entity e;
    e.set("n", std::int32_t{7});
    EXPECT_THAT(e.try_get<std::int32_t>("n"), Pointee(7));
    EXPECT_EQ(e.try_get<std::int64_t>("n"), nullptr);
    EXPECT_EQ(e.try_get<double>("n"), nullptr);
    EXPECT_EQ(e.try_get<std::int32_t>("N"), nullptr);
}

TEST(dynamic_entity, finds_nothing_under_a_name_it_does_not_have) {
    dynamic_entity e{"p", "r"};
    EXPECT_EQ(e.find("PartitionKey"), nullptr);
    EXPECT_EQ(e.find(""), nullptr);
}

TEST(dynamic_entity, erases_one_property_and_keeps_the_order_of_the_others) {
    dynamic_entity e;
    for (auto const* name : {"a", "b", "c"}) e.set(name, true);
    EXPECT_TRUE(e.erase("b"));
    EXPECT_FALSE(e.erase("b"));
    EXPECT_THAT(names(e), ElementsAre("a", "c"));
}

TEST(dynamic_entity, is_equal_with_equal_keys_etag_and_properties) {
    detail::stored_entity a{"p", "r"};
    a.set("n", 1);
    auto b = a;
    EXPECT_EQ(a, b);
    b.set("n", std::int64_t{1});
    EXPECT_NE(a, b);
    b = a;
    b.etag = etag{"x"};
    EXPECT_NE(a, b);
}

// ---- size -----------------------------------------------------------------------------------------------------------

TEST(entity_size, of_keys_alone_is_four_and_two_for_each_code_unit) {
    EXPECT_EQ(entity_size({}), 4u);
    EXPECT_EQ(entity_size({"Sales", "empid_000212"}), 4u + 2 * 5 + 2 * 12);
}

TEST(entity_size, counts_each_type_as_the_service_does) {
    struct {
        property_value value;
        std::size_t size;
    } const cases[] = {{std::string{"abc"}, 2 * 3 + 4},
                       {std::string{}, 4},
                       {true, 1},
                       {std::int32_t{1}, 4},
                       {std::int64_t{1}, 8},
                       {1.5, 8},
                       {ticks::min(), 8},
                       {guid{}, 16},
                       {bytes(5), 5 + 4}};
    for (auto const& c : cases) {
        dynamic_entity e;
        e.set_value("Name", c.value);
        EXPECT_EQ(entity_size(e), 4 + 8 + 2 * 4 + c.size) << edm_name(type_of(c.value));
    }
}

TEST(entity_size, counts_text_in_utf16_code_units) {
    dynamic_entity e{test::utf8(U"\u00E9"), test::utf8(U"\U0001F600")};
    e.set(test::utf8(U"\u20AC"), test::utf8(U"a\U0001F600"));
    EXPECT_EQ(entity_size(e), 4u + 2 * 1 + 2 * 2 + 8 + 2 * 1 + 2 * 3 + 4);
}

TEST(entity_size, adds_up_over_properties) {
    dynamic_entity e{"p", "r"};
    e.set("Age", 34);
    e.set("Email", "donh@contoso.com");
    EXPECT_EQ(entity_size(e), 8u + (8 + 6 + 4) + (8 + 10 + 36));
}

TEST(dynamic_entity, refuses_to_encrypt_a_property_that_is_not_there) {
    dynamic_entity e{"p", "r"};
    try {
        e.encrypt("Text");
        ADD_FAILURE() << "a value that is set afterwards would be written in the open";
    } catch (error const& why) {
        EXPECT_EQ(why.code(), library_errc::invalid_property_name);
        EXPECT_EQ(why.member(), "Text");
    }
}

}  // namespace
