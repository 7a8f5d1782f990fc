// SPDX-License-Identifier: Apache-2.0
#include "store/pager.hpp"

#include "support/operations.hpp"
#include "support/tasks.hpp"

namespace tablemap::test {
namespace {

using tablemap::testing::answer_page;
using tablemap::testing::exchange;
using tablemap::testing::response_failure;
using tablemap::testing::scripted_store;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A page's "entities" are the characters of its body.
struct character_reader {
    std::string* seen;

    result<std::size_t> operator()(response& page) {
        if (page.body == "?") return fail(library_errc::malformed_response);
        *seen += page.body;
        return page.body.size();
    }
};

/// Reads on to the next page with entities. False at the end.
template <class Pager> detail::task<result<bool>> next_page(Pager& pages) {
    auto const call = co_await detail::this_call();
    while (!pages.ended()) {
        request const what = pages.request();
        auto page = co_await detail::ask(what);
        auto const found = pages.take(page, call.env.options());
        if (!found || *found) co_return found;
    }
    co_return false;
}

class pager : public script_test {
protected:
    auto make() { return detail::pager(query_page{.table = "T"}, character_reader{&seen}); }

    /// Runs to the end or to a failure; returns how many runs found something.
    template <class Pager> result<int> run_all(scripted_store& s, Pager& pages) {
        options.clock = &clock;
        for (int found = 0;; ++found) {
            auto const more = run_task(s, next_page(pages), options);
            if (!more) return failure{more.error()};
            if (!*more) return found;
        }
    }

    std::string seen;
};

TEST_F(pager, reads_one_page_a_run_and_follows_the_continuation) {
    scripted_store s{{{"query T [*] [*]", answer_page("ab", continuation{"p", "r"})},
                      {"query T [*] [*] from [p] [r]", answer_page("c")}}};
    auto pages = make();
    auto const found = run_all(s, pages);
    ASSERT_TRUE(found);
    EXPECT_EQ(*found, 2);
    EXPECT_EQ(seen, "abc");
    EXPECT_THAT(s.complaints(), IsEmpty());
}

TEST_F(pager, passes_over_empty_pages_that_have_a_continuation) {
    scripted_store s{{{"query", answer_page("", continuation{"1", {}})},
                      {"query T [*] [*] from [1] []", answer_page("", continuation{"2", {}})},
                      {"query T [*] [*] from [2] []", answer_page("x", continuation{"3", {}})},
                      {"query T [*] [*] from [3] []", answer_page("")}}};
    auto pages = make();
    EXPECT_EQ(run_all(s, pages), result<int>{1});
    EXPECT_EQ(seen, "x");
    EXPECT_THAT(s.complaints(), IsEmpty());
}

TEST_F(pager, asks_nothing_more_after_the_end) {
    scripted_store s{{{"query", answer_page("a")}}};
    auto pages = make();
    EXPECT_EQ(run_all(s, pages), result<int>{1});
    EXPECT_EQ(run_task(s, next_page(pages), options), result<bool>{false});
    EXPECT_EQ(s.asked(), 1u);
}

TEST_F(pager, asks_for_the_same_page_again_after_a_failure) {
    scripted_store s{{{"query", answer_page("a", continuation{"p", "r"})},
                      {"query T [*] [*] from [p] [r]", response_failure(service_errc::server_busy)},
                      {"query T [*] [*] from [p] [r]", answer_page("b")}}};
    auto pages = make();
    auto const broken = run_all(s, pages);
    ASSERT_FALSE(broken);
    EXPECT_EQ(broken.error().code(), service_errc::server_busy);
    EXPECT_EQ(run_all(s, pages), result<int>{1});
    EXPECT_EQ(seen, "ab");
}

TEST_F(pager, takes_a_page_that_could_not_be_read_for_no_place_where_it_was) {
    auto unreadable = answer_page("?", continuation{"p", "r"});
    scripted_store s{{{"query", unreadable},
                      {"query", unreadable},
                      {"query", answer_page("a", continuation{"p", "r"})},
                      {"query T [*] [*] from [p] [r]", answer_page("b")}}};
    auto pages = make();
    EXPECT_FALSE(run_all(s, pages));
    EXPECT_FALSE(run_all(s, pages));
    EXPECT_EQ(run_all(s, pages), result<int>{2});
}

TEST_F(pager, follows_no_continuation_that_it_has_followed_before) {
    for (std::size_t const circle : {1u, 2u, 3u, 7u}) {
        std::vector<exchange> script;
        for (std::size_t i = 0; i < 1 + 3 * circle; ++i)
            script.push_back({"query", answer_page("x", continuation{std::to_string(i % circle), {}})});
        scripted_store s{script};
        auto pages = make();
        auto const r = run_all(s, pages);
        ASSERT_FALSE(r);
        EXPECT_EQ(r.error().code(), library_errc::malformed_response);
        EXPECT_THAT(r.error().what(), HasSubstr("would never end"));
    }
}

TEST_F(pager, does_not_come_back_to_where_it_began) {
    scripted_store s{{{"query T [*] [*] from [5] []", answer_page("x", continuation{"5", {}})}}};
    auto pages = make();
    pages.begin_at(continuation{"5", {}});
    EXPECT_FALSE(run_all(s, pages));
    EXPECT_EQ(seen, "");
}

TEST_F(pager, ends_after_as_many_empty_pages_as_the_call_allows_and_goes_on_from_there) {
    options.empty_pages = 2;
    scripted_store s{{{"query", answer_page("a", continuation{"1", {}})},
                      {"query", answer_page("", continuation{"2", {}})},
                      {"query", answer_page("", continuation{"3", {}})},
                      {"query T [*] [*] from [3] []", answer_page("", continuation{"4", {}})},
                      {"query", answer_page("b")}}};
    auto pages = make();
    auto const stopped = run_all(s, pages);
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().code(), library_errc::malformed_response);
    EXPECT_THAT(stopped.error().what(), HasSubstr("2 pages in a row were empty"));
    EXPECT_EQ(run_all(s, pages), result<int>{1});
    EXPECT_EQ(seen, "ab");
}

TEST_F(pager, passes_over_many_empty_pages_that_lead_somewhere) {
    std::vector<exchange> script;
    for (int i = 0; i < 9999; ++i) script.push_back({"query", answer_page("", continuation{std::to_string(i), {}})});
    script.push_back({"query", answer_page("x")});
    scripted_store s{script};
    auto pages = make();
    EXPECT_EQ(run_all(s, pages), result<int>{1});
}

TEST_F(pager, reports_a_page_that_cannot_be_read) {
    scripted_store s{{{"query", answer_page("?")}}};
    auto pages = make();
    auto const r = run_all(s, pages);
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code(), library_errc::malformed_response);
}

TEST_F(pager, every_step_failed_in_turn_ends_with_that_failure_and_what_came_before) {
    std::vector<exchange> const script{{"query", answer_page("a", continuation{"1", {}})},
                                       {"query", answer_page("b", continuation{"2", {}})},
                                       {"query", answer_page("c")}};
    tablemap::testing::for_each_failed_step(script, response_failure(service_errc::table_not_found),
                                            [&](scripted_store& s, std::size_t step) {
                                                seen.clear();
                                                auto pages = make();
                                                auto const r = run_all(s, pages);
                                                ASSERT_FALSE(r);
                                                EXPECT_EQ(r.error().code(), service_errc::table_not_found);
                                                EXPECT_EQ(seen, std::string{"abc"}.substr(0, step));
                                            });
}

}  // namespace
}  // namespace tablemap::test
