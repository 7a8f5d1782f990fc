// SPDX-License-Identifier: Apache-2.0
#include "tablemap/mapping/dynamic.hpp"

#include "support/random.hpp"
#include "unit/mapping/codec.hpp"
#include "unit/mapping/samples.hpp"
#include "tablemap/mapping/variant.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <variant>

namespace {

using namespace tablemap;
using test::failed_at;
using test::failed_with;
using test::maybe;

struct cat {
    std::string key = "k";
    std::int32_t lives = 9;

    friend bool operator==(cat const&, cat const&) = default;
};

struct dog {
    std::string key = "k";
    std::int64_t bones{};

    friend bool operator==(dog const&, dog const&) = default;
};

}  // namespace

template <> struct tablemap::mapping<cat> : tablemap::test::keyed<cat> {
    static constexpr auto discriminator = tablemap::discriminator("Kind", "cat");
    static constexpr auto members =
        tablemap::members(tablemap::computed("Twice", [](cat const& c) { return 2 * c.lives; }));
};
template <> struct tablemap::mapping<dog> : tablemap::test::keyed<dog> {
    static constexpr auto discriminator = tablemap::discriminator("Kind", "dog");
};

namespace {

using pet = std::variant<cat, dog>;

std::string written(dynamic_entity const& e) {
    detail::encoded_entity out;
    auto const r = encode(e, out);
    return r ? out.body : "failed: " + std::string{r.error().what()};
}

dynamic_entity with(std::string_view name, auto value) {
    dynamic_entity e{"p", "k"};
    e.set(name, value);
    return e;
}

template <class Chosen> result<std::string> merged(dynamic_entity const& e, Chosen const& chosen) {
    detail::encoded_entity out;
    if (auto r = detail::encode(e, out, chosen); !r) return failure{r.error()};
    return out.body;
}

// ---- written --------------------------------------------------------------------------------------------------------

TEST(dynamic_entity_written, has_its_properties_in_their_order_with_types) {
    dynamic_entity e{"p", "k"};
    e.set("b", std::int64_t{5});
    e.set("a", "x");
    EXPECT_EQ(written(e), test::row(R"("b@odata.type":"Edm.Int64","b":"5","a":"x")"));
}

TEST(dynamic_entity_written, is_checked_like_a_typed_one) {
    EXPECT_TRUE(test::unwritable(dynamic_entity{"a/b", "k"}, library_errc::invalid_key, "PartitionKey"));
    EXPECT_TRUE(test::unwritable(dynamic_entity{"p", std::string(513, 'x')}, library_errc::key_too_large, "RowKey"));
    EXPECT_TRUE(test::unwritable(with("a b", true), library_errc::invalid_property_name, "a b"));
    EXPECT_TRUE(test::unwritable(with("Timestamp", true), library_errc::invalid_property_name, "Timestamp"));
    EXPECT_TRUE(
        test::unwritable(with("TablemapOperation", guid{}), library_errc::invalid_property_name, "TablemapOperation"));
    EXPECT_TRUE(test::unwritable(with("t", ticks{}), library_errc::value_out_of_range, "t"));
    EXPECT_TRUE(test::unwritable(with("s", std::string(32'769, 'x')), library_errc::value_too_large, "s"));
    EXPECT_TRUE(test::unwritable(with("s", std::string{"\xFF"}), library_errc::invalid_text, "s"));
}

TEST(dynamic_entity_written, has_at_most_252_properties_with_its_token) {
    dynamic_entity e{"p", "k"};
    for (int i = 0; i < 252; ++i) e.set("x" + std::to_string(i), true);
    detail::encoded_entity out;
    EXPECT_TRUE(encode(e, out));
    out.operation_id = guid{};
    EXPECT_TRUE(failed_with(encode(e, out), library_errc::too_many_properties));
    out.operation_id.reset();
    e.set("one_more", true);
    EXPECT_TRUE(failed_with(encode(e, out), library_errc::too_many_properties));
}

TEST(only_properties, are_sent_alone_and_once) {
    dynamic_entity e{"p", "k"};
    e.set("a", std::int32_t{1});
    e.set("b", "x");
    e.set("bad name", true);
    EXPECT_EQ(merged(e, only_properties{"b"}).value(), test::row(R"("b":"x")"));
    EXPECT_EQ(merged(e, only_properties{"b", "a", "b"}).value(), test::row(R"("b":"x","a":1)"));
}

TEST(only_properties, that_the_entity_lacks_are_refused) {
    EXPECT_TRUE(
        failed_at(merged(with("a", true), only_properties{"a", "c"}), library_errc::invalid_property_name, "c"));
}

// ---- read -----------------------------------------------------------------------------------------------------------

TEST(dynamic_entity_read, has_every_property_but_the_operation_token) {
    std::string json = R"({"odata.etag":"e","PartitionKey":"p","RowKey":"k","Timestamp":"2024-01-01T00:00:00Z",)"
                       R"("a":1,"TablemapOperation@odata.type":"Edm.Guid",)"
                       R"("TablemapOperation":"00000000-0000-4000-8000-000000000000"})";
    entity<dynamic_entity> e;
    ASSERT_TRUE(detail::decode_into(json, e));
    EXPECT_EQ(e.value, with("a", std::int32_t{1}));
    EXPECT_EQ(e.etag.text(), "e");
    EXPECT_EQ(e.timestamp.text(), "2024-01-01T00:00:00Z");
}

TEST(dynamic_page, is_read_behind_what_is_there) {
    std::vector<entity<dynamic_entity>> out(1);
    std::vector<detail::bad_row_at> bad;
    std::string page = R"({"value":[{"PartitionKey":"p","RowKey":"k","a":1},{"PartitionKey":"p","RowKey":"l"}]})";
    EXPECT_EQ(detail::decode_page(page, out, bad).value(), 2u);
    ASSERT_EQ(out.size(), 3u);
    EXPECT_EQ(out[1].value, with("a", std::int32_t{1}));
    EXPECT_EQ(out[2].value.row_key, "l");
}

// ---- to and from typed entities -------------------------------------------------------------------------------------

TEST(to_dynamic, gives_the_columns_as_a_store_holds_them) {
    dynamic_entity expected{"p", "k"};
    expected.set("Kind", "cat");
    expected.set("lives", std::int32_t{7});
    expected.set("Twice", std::int32_t{14});
    EXPECT_EQ(to_dynamic(cat{.lives = 7}).value(), expected);
    EXPECT_EQ(to_dynamic(pet{cat{.lives = 7}}).value(), expected);
    EXPECT_EQ(to_dynamic(expected).value(), expected);
    EXPECT_TRUE(failed_at(to_dynamic(cat{.key = "a/b"}), library_errc::invalid_key, "key"));
}

TEST(from_dynamic, reads_like_a_row) {
    dynamic_entity row{"p", "k"};
    row.set("bones", std::int64_t{3});
    row.set("Kind", "dog");
    EXPECT_EQ(from_dynamic<dog>(row).value(), dog{.bones = 3});
    EXPECT_EQ(from_dynamic<pet>(row).value(), pet{dog{.bones = 3}});
    EXPECT_EQ(from_dynamic<dynamic_entity>(row).value(), row);
    EXPECT_TRUE(failed_at(from_dynamic<cat>(row), library_errc::another_type, "Kind"));
    row.set("bones", "three");
    EXPECT_TRUE(failed_at(from_dynamic<dog>(row), library_errc::type_mismatch, "bones"));
}

TEST(to_and_from_dynamic, lose_nothing) {
    test::random_source random;
    for (int i = 0; i < 300; ++i) {
        maybe m{
            .key = random.key_text(20), .name = random.text(20), .salary = random.integer(), .ratio = random.real()};
        if (random.coin()) m.ratio = -std::numeric_limits<double>::infinity();
        if (random.coin()) m.hired = random.time();
        if (random.coin()) m.badge = random.guid();
        if (random.coin()) m.photo = random.binary(20);
        auto const row = to_dynamic(m);
        ASSERT_TRUE(row) << row.error().what();
        auto const back = from_dynamic<maybe>(*row);
        ASSERT_TRUE(back) << back.error().what();
        EXPECT_EQ(*back, m);
    }
}

}  // namespace
