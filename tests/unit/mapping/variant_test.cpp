// SPDX-License-Identifier: Apache-2.0
#include "tablemap/mapping/variant.hpp"

#include "unit/mapping/codec.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace {

using namespace tablemap;
using test::failed_at;
using test::read_row;

struct staff {
    std::string key = "k";
    std::int32_t size{};

    friend bool operator==(staff const&, staff const&) = default;
};

struct office {
    std::string key = "k";
    std::string size{};
    std::int32_t rooms{};

    friend bool operator==(office const&, office const&) = default;
};

struct invoice {
    std::string number = "1";
    std::int32_t total{};

    friend bool operator==(invoice const&, invoice const&) = default;
};

struct reminder {
    std::string number = "1";
    std::string total{};

    friend bool operator==(reminder const&, reminder const&) = default;
};

}  // namespace

template <> struct tablemap::mapping<staff> : tablemap::test::keyed<staff> {
    static constexpr auto discriminator = tablemap::discriminator("Kind", "staff");
};
template <> struct tablemap::mapping<office> : tablemap::test::keyed<office> {
    static constexpr auto discriminator = tablemap::discriminator("Kind", "office");
    static constexpr auto versions = tablemap::versions<2>(
        tablemap::upgrade_from<1>([](tablemap::dynamic_entity& row) { row.set("rooms", std::int32_t{99}); }));
};
template <> struct tablemap::mapping<invoice> {
    static constexpr auto partition_key = tablemap::key("p");
    static constexpr auto row_key = tablemap::key("INVOICE_", tablemap::part<&invoice::number>);
};
template <> struct tablemap::mapping<reminder> {
    static constexpr auto partition_key = tablemap::key("p");
    static constexpr auto row_key = tablemap::key("REMINDER_", tablemap::part<&reminder::number>);
};

namespace {

using kind = std::variant<staff, office>;
using paper = std::variant<invoice, reminder>;

static_assert(detail::check_entity_type<kind>() && detail::check_entity_type<paper>());

kind read_kind(std::string const& members) { return test::reading<kind>(members); }

// ---- told by a property ---------------------------------------------------------------------------------------------

TEST(variant_by_property, is_read_wherever_the_discriminator_stands) {
    for (auto const* row : {R"("Kind":"staff","size":7)", R"("size":7,"Kind":"staff")"})
        EXPECT_EQ(read_kind(row), kind{staff{.size = 7}}) << row;
    for (auto const* row :
         {R"("Kind":"office_v2","size":"large","rooms":2)", R"("size":"large","rooms":2,"Kind":"office_v2")",
          R"("size":"large","Kind":"office_v2","rooms":2)"})
        EXPECT_EQ(read_kind(row), (kind{office{.size = "large", .rooms = 2}})) << row;
}

TEST(variant_by_property, reads_annotations_that_came_before_the_discriminator) {
    auto const r = test::try_read<kind>(R"("size@odata.type":"Edm.Int64","size":"7","Kind":"staff")");
    ASSERT_TRUE(failed_at(r, library_errc::type_mismatch, "size"));
    EXPECT_EQ(r.error().faults().front().found, "Edm.Int64");
}

TEST(variant_by_property, upgrades_old_rows_of_each_type) {
    auto const r = test::try_read<kind>(R"("size":"s","Kind":"office")");
    ASSERT_TRUE(r) << r.error().what();
    EXPECT_EQ(r->value, (kind{office{.size = "s", .rooms = 99}}));
    EXPECT_TRUE(r->outdated);
}

TEST(variant_by_property, refuses_types_it_does_not_know) {
    for (auto const* row :
         {R"("Kind":"customer","size":7)", R"("Kind":"staff_v2")", R"("Kind":5)", R"("size":7)", "", R"("Kind":null)"})
        EXPECT_TRUE(failed_at(test::try_read<kind>(row), library_errc::another_type, "Kind")) << row;
    EXPECT_TRUE(failed_at(test::try_read<kind>(R"("Kind":"office_v3")"), library_errc::unknown_version, "Kind"));
}

TEST(variant_by_property, tells_every_fault_of_the_type_it_is) {
    auto const r = test::try_read<kind>(R"("size":5,"rooms":"x","Kind":"office_v2")");
    ASSERT_FALSE(r);
    EXPECT_EQ(test::faulty_properties(r.error()), (std::vector<std::string>{"size", "rooms"}));
}

TEST(variant_by_property, is_written_as_the_type_it_holds) {
    EXPECT_EQ(test::written(kind{staff{.size = 7}}), R"("Kind":"staff","size":7)");
    EXPECT_EQ(test::written(kind{office{.size = "s"}}), R"("Kind":"office_v2","size":"s","rooms":0)");
}

TEST(variant_page, holds_rows_of_all_types_and_passes_over_others) {
    std::vector<entity<kind>> out;
    std::vector<detail::bad_row_at> bad;
    std::string page = R"({"value":[{"PartitionKey":"p","RowKey":"1","Kind":"staff","size":1},)"
                       R"({"PartitionKey":"p","RowKey":"2","Kind":"office_v2","size":"2"},)"
                       R"({"PartitionKey":"p","RowKey":"3","Kind":"else"},{"PartitionKey":"p","RowKey":"4"},)"
                       R"({"PartitionKey":"p","RowKey":"5","size":5,"Kind":"staff"},)"
                       R"({"PartitionKey":"p","RowKey":"6","size":"x","Kind":"staff"}]})";
    ASSERT_EQ(detail::decode_page(page, out, bad).value(), 6u);
    ASSERT_EQ(out.size(), 3u);
    EXPECT_EQ(out[0].value, (kind{staff{.key = "1", .size = 1}}));
    EXPECT_EQ(out[1].value, (kind{office{.key = "2", .size = "2"}}));
    EXPECT_EQ(out[2].value, (kind{staff{.key = "5", .size = 5}}));
    ASSERT_EQ(bad.size(), 1u) << "a row of one of the types that cannot be read is none of others";
    EXPECT_EQ(bad[0].row.partition_key, "p");
    EXPECT_EQ(bad[0].row.row_key, "6");
}

// ---- told by the row key --------------------------------------------------------------------------------------------

result<entity<paper>> read_paper(std::string const& before, std::string const& row_key, std::string const& after) {
    return read_row<paper>("{" + before + R"("RowKey":")" + row_key + R"(","PartitionKey":"p")" + after + "}");
}

TEST(variant_by_row_key, is_read_wherever_the_row_key_stands) {
    for (auto const& r : {read_paper("", "INVOICE_5", R"(,"total":7)"), read_paper(R"("total":7,)", "INVOICE_5", "")}) {
        ASSERT_TRUE(r) << r.error().what();
        EXPECT_EQ(r->value, (paper{invoice{.number = "5", .total = 7}}));
    }
    auto const r = read_paper(R"("total":"seven",)", "REMINDER_6", "");
    ASSERT_TRUE(r) << r.error().what();
    EXPECT_EQ(r->value, (paper{reminder{.number = "6", .total = "seven"}}));
}

TEST(variant_by_row_key, is_read_of_keys_alone) {
    EXPECT_EQ(read_paper("", "REMINDER_6", "")->value, (paper{reminder{.number = "6"}}));
}

TEST(variant_by_row_key, refuses_types_it_does_not_know) {
    for (auto const* row_key : {"ORDER_5", "INVOICE", "invoice_5", ""})
        EXPECT_TRUE(failed_at(read_paper(R"("total":7,)", row_key, ""), library_errc::another_type, "RowKey"))
            << row_key;
    EXPECT_TRUE(failed_at(read_row<paper>(R"({"PartitionKey":"p","total":5})"), library_errc::another_type, "RowKey"));
}

// ---- keys and bases -------------------------------------------------------------------------------------------------

TEST(variant_key, is_that_of_one_of_its_types) {
    key_of<paper> const k = key_of<reminder>{"6"};
    std::string partition, row;
    ASSERT_TRUE(detail::encode_keys(k, partition, row));
    EXPECT_EQ(partition + "|" + row, "p|REMINDER_6");
    ASSERT_TRUE(detail::encode_keys(paper{invoice{.number = "7"}}, partition, row));
    EXPECT_EQ(row, "INVOICE_7");
    EXPECT_EQ(k, key_of<paper>{key_of<reminder>{"6"}});
    EXPECT_NE(k, key_of<paper>{key_of<invoice>{"6"}});
}

struct shape {
    std::string name{};
};
struct circle : shape {};
struct square : shape {};

TEST(variant_of_one_hierarchy, is_seen_as_its_base) {
    std::variant<circle, square> v = square{{"s"}};
    as_base<shape>(v).name += "!";
    EXPECT_EQ(as_base<shape>(std::as_const(v)).name, "s!");
}

}  // namespace
