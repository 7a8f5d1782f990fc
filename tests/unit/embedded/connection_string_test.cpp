// SPDX-License-Identifier: Apache-2.0
#include "support/answers.hpp"

#include "tablemap/embedded/store.hpp"

#include <gtest/gtest.h>

namespace tablemap::test {
namespace {

TEST(connection_string, with_a_path_alone_has_the_defaults) {
    auto const o = parse_embedded("embedded:folder/hr.db").value();
    EXPECT_EQ(o.path, "folder/hr.db");
    EXPECT_EQ(o.synchronous, durability::full);
    EXPECT_FALSE(o.max_page_count);
    EXPECT_EQ(o.busy_timeout, std::chrono::seconds{5});
}

TEST(connection_string, may_name_memory) { EXPECT_EQ(parse_embedded("embedded::memory:").value().path, ":memory:"); }

TEST(connection_string, keeps_a_path_that_looks_like_a_uri) {
    EXPECT_EQ(parse_embedded("embedded:file:foo.db?mode=memory").value().path, "file:foo.db?mode=memory");
}

TEST(connection_string, takes_every_option) {
    auto const o = parse_embedded("embedded:hr.db;synchronous=normal;max_page_count=1000;busy_timeout=250;").value();
    EXPECT_EQ(o.path, "hr.db");
    EXPECT_EQ(o.synchronous, durability::normal);
    EXPECT_EQ(o.max_page_count, 1000);
    EXPECT_EQ(o.busy_timeout, std::chrono::milliseconds{250});
    EXPECT_EQ(parse_embedded("embedded:hr.db;synchronous=full").value().synchronous, durability::full);
}

TEST(connection_string, that_is_wrong_is_refused_with_what_was_expected) {
    struct mistake {
        char const* text;
        char const* expected;
    };
    for (auto const& [text, expected] : std::initializer_list<mistake>{
             {"hr.db", "begins with 'embedded:'"},
             {"", "begins with 'embedded:'"},
             {"embedded:", "comes the path"},
             {"embedded:;synchronous=full", "comes the path"},
             {"embedded:hr.db;synchronous=off", "synchronous must be 'full' or 'normal'"},
             {"embedded:hr.db;synchronous", "expected name=value"},
             {"embedded:hr.db;max_page_count=0", "max_page_count must be"},
             {"embedded:hr.db;max_page_count=many", "max_page_count must be"},
             {"embedded:hr.db;busy_timeout=-1", "busy_timeout must be"},
             {"embedded:hr.db;busy_timeout=5s", "busy_timeout must be"},
             {"embedded:hr.db;Synchronous=full", "unknown option 'Synchronous'"},
             {"embedded:hr.db;Synchronous=full", "in lower case"},
             {"embedded:hr.db;synchronous=full;synchronous=normal", "the option synchronous is given twice"},
             {"embedded:hr.db;busy_timeout=1;max_page_count=9;busy_timeout=1",
              "the option busy_timeout is given twice"},
             {"embedded:hr.db;;", "expected name=value"},
         }) {
        auto const r = parse_embedded(text);
        EXPECT_TRUE(failed_with(r, library_errc::invalid_connection_string)) << text;
        if (!r) {
            EXPECT_NE(std::string{r.error().what()}.find(expected), std::string::npos) << r.error().what();
        }
    }
}

TEST(connection_string, options_that_make_no_sense_are_refused_when_opening) {
    for (auto const& o : {embedded_options{}, embedded_options{.path = ":memory:", .max_page_count = 0},
                          embedded_options{.path = ":memory:", .busy_timeout = std::chrono::milliseconds{-1}}})
        EXPECT_TRUE(failed_with(open_embedded(o), library_errc::invalid_connection_string));
}

}  // namespace
}  // namespace tablemap::test
