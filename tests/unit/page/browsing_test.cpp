// SPDX-License-Identifier: Apache-2.0
#include "page/browsing.hpp"

#include "tablemap/mapping/dynamic.hpp"
#include "tablemap/open.hpp"
#include "tablemap/table/table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <future>
#include <optional>
#include <set>
#include <string>

namespace tablemap::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string padded(int n) {
    char text[16];
    std::snprintf(text, sizeof text, "%03d", n);
    return text;
}

class browsed_pages : public ::testing::Test {
protected:
    browsed_pages() {
        rows.create();
        for (int p = 0; p < 60; ++p) rows.insert({"p" + padded(p), "r"});
        for (int r = 0; r < 120; ++r) rows.insert({"many", "r" + padded(r)});
    }

    http_response get(std::string target) const { return pages.answer({.method = "GET", .target = std::move(target)}); }

    /// The target of the link with this text; empty if there is none.
    static std::string link(std::string const& page, std::string const& text) {
        auto const end = page.find("\">" + text + "</a>");
        if (end == page.npos) return {};
        auto const begin = page.rfind('"', end - 1) + 1;
        auto target = page.substr(begin, end - begin);
        for (auto at = target.find("&amp;"); at != target.npos; at = target.find("&amp;", at)) target.erase(at + 1, 4);
        return target;
    }

    /// The texts in keys of a page and of those that its link leads to.
    std::multiset<std::string> walk(std::string target, std::string const& link_text) const {
        std::multiset<std::string> found;
        while (!target.empty()) {
            auto const page = get(target).body;
            std::string const mark = "<bdi class=\"key\">";
            for (auto at = page.find(mark); at != page.npos; at = page.find(mark, at + 1))
                found.insert(page.substr(at + mark.size(), page.find("</bdi>", at) - at - mark.size()));
            target = link(page, link_text);
        }
        return found;
    }

    store_ptr store = open("embedded::memory:");
    table<dynamic_entity> rows{store, "Rows"};
    page::browsing pages{store, {.title = "Staff"}};
};

TEST_F(browsed_pages, report_links_to_partitions_and_rows) {
    auto const r = get("/");
    EXPECT_EQ(r.status, 200);
    EXPECT_EQ(*r.header("Content-Type"), "text/html; charset=utf-8");
    EXPECT_THAT(r.body, HasSubstr("<h1>Staff</h1>"));
    EXPECT_EQ(link(r.body, "Partitions"), "/-/partitions?table=Rows");
    EXPECT_THAT(r.body, HasSubstr("<a href=\"/-/rows?table=Rows&amp;partition=many\">"));
}

TEST_F(browsed_pages, key_that_no_row_can_have_is_the_fault_of_the_request) {
    EXPECT_EQ(get("/-/rows?table=Rows&partition=" + std::string(5'000, 'k')).status, 400);
}

TEST_F(browsed_pages, report_compares_rows_with_a_schema) {
    page::gathering how;
    how.schema.emplace(R"({"entities": {"row": {"table": "Rows", "properties": {"place": "string", "name": "string"},
        "partition_key": [{"member": "place"}], "row_key": [{"member": "name"}]}}})",
                       "rows.json");
    page::browsing const compared{store, how};
    EXPECT_THAT(compared.answer({.method = "GET", .target = "/"}).body,
                HasSubstr("The rows that were read do not differ from the schema."));
    EXPECT_THAT(get("/").body, Not(HasSubstr("schema")));
}

TEST_F(browsed_pages, store_that_takes_too_long_ends_a_page) {
    page::browsing const late{store, {.title = "Staff"}, std::chrono::milliseconds{0}};
    for (auto const* target : {"/", "/-/partitions?table=Rows", "/-/rows?table=Rows"}) {
        auto const r = late.answer({.method = "GET", .target = target});
        EXPECT_EQ(r.status, 503) << target;
        EXPECT_THAT(r.body, HasSubstr("the page took longer than it may"));
    }
}

TEST_F(browsed_pages, report_is_made_once_at_a_time) {
    std::optional<http_response> second;
    page::gathering how{.title = "Staff"};
    page::browsing const* all = nullptr;
    how.progress = [&](auto const&) {
        auto const ask = [&] { return all->answer({.method = "GET", .target = "/"}); };
        if (!second) second = std::async(std::launch::async, ask).get();
    };
    page::browsing const asked{store, how};
    all = &asked;
    for (int i = 0; i < 256; ++i) rows.insert({"further", padded(i)});
    EXPECT_EQ(asked.answer({.method = "GET", .target = "/"}).status, 200);
    ASSERT_TRUE(second);
    EXPECT_EQ(second->status, 503);
    EXPECT_THAT(second->body, HasSubstr("Another report is being made"));
    EXPECT_EQ(asked.answer({.method = "GET", .target = "/"}).status, 200);
}

TEST_F(browsed_pages, links_lead_through_all_partitions) {
    auto const found = walk("/-/partitions?table=Rows", "Further partitions");
    EXPECT_EQ(found.size(), 61u);
    EXPECT_EQ(found.count("p059"), 1u);
    EXPECT_EQ(found.count("many"), 1u);
}

TEST_F(browsed_pages, links_lead_through_all_rows_of_a_partition) {
    auto const found = walk("/-/rows?table=Rows&partition=many", "Further rows");
    EXPECT_EQ(found.count("r000"), 1u);
    EXPECT_EQ(found.count("r119"), 1u);
    EXPECT_EQ(found.count("many"), 3u);  // named once on each page
    EXPECT_EQ(found.size(), 123u);
}

TEST_F(browsed_pages, links_lead_through_all_rows_of_a_table) {
    EXPECT_EQ(walk("/-/rows?table=Rows", "Further rows").size(), 2u * 180u);
}

TEST_F(browsed_pages, texts_are_escaped_and_keys_are_encoded_in_links) {
    dynamic_entity hostile{"a&b=<'\">+ %41\xC3\xA9", "<script>"};
    hostile.set("Name", "</td><script>alert(1)");
    rows.insert(hostile);
    auto const all = get("/-/partitions?table=Rows").body;
    EXPECT_THAT(all, HasSubstr("partition=a%26b%3D%3C%27%22%3E%2B%20%2541%C3%A9\">"));
    auto const page = get("/-/rows?table=Rows&partition=a%26b%3D%3C%27%22%3E%2B%20%2541%C3%A9").body;
    EXPECT_THAT(page, HasSubstr("&lt;/td&gt;&lt;script&gt;alert(1)"));
    EXPECT_THAT(page, Not(HasSubstr("<script")));
}

TEST_F(browsed_pages, columns_are_bounded) {
    dynamic_entity wide{"wide", "r"};
    for (int i = 0; i < 100; ++i) wide.set("n" + std::to_string(i), i);
    rows.insert(wide);
    auto const page = get("/-/rows?table=Rows&partition=wide").body;
    EXPECT_THAT(page, HasSubstr("Only 40 properties have columns"));
    EXPECT_THAT(page, Not(HasSubstr("<th>n40</th>")));
}

TEST_F(browsed_pages, failures_are_pages_with_a_status) {
    EXPECT_EQ(get("/-/rows?table=Nobody").status, 404);
    EXPECT_EQ(get("/-/other").status, 404);
    EXPECT_EQ(get("/-/rows?table=a..b").status, 400);
    EXPECT_EQ(get("/-/rows").status, 400);
    EXPECT_EQ(get("/-/rows?table=Rows&cursor=%3Cb%3E").status, 400);
    EXPECT_EQ(get("/-/rows?table=Rows&table=Rows").status, 400);
    EXPECT_THAT(get("/-/rows?table=%3Cb%3E").body, Not(HasSubstr("<b>")));
}

}  // namespace
}  // namespace tablemap::test
