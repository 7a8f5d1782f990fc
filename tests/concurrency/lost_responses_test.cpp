// SPDX-License-Identifier: Apache-2.0
#include "concurrency/fixture.hpp"

#include "support/random.hpp"

#include "tablemap/testing/faulty_store.hpp"
#include "tablemap/testing/fixed_clock.hpp"

namespace tablemap::test {
namespace {

using tablemap::testing::faulty_store;

/// Counters in a store that fails before and after it carries out, one request in five.
class lost_answers : public ::testing::Test {
protected:
    lost_answers() { table<counter>{steady_, "Counters"}.create(); }

    void begin_faults() { faulty_->fail_randomly(0.2, random_.word()); }
    table<counter> counters(bool tokens) const { return {faulty_, "Counters", {.operation_ids = tokens}}; }
    counter stored() const { return table<counter>{steady_, "Counters"}.find("hits")->value; }

    /// Tries again what may pass, so often that only conflicts and lost responses remain; waits take no time.
    call_options patient() {
        return {.retry = retry_policy{.attempts = 30, .first_wait = std::chrono::milliseconds{1}}, .clock = &clock_};
    }

    /// Each of some threads counts; after every call the store must hold what the outcome says.
    void count_in_threads(bool tokens, int threads, int times, tally& all) {
        in_threads(threads, [&](int thread) {
            auto const me = std::to_string(thread);
            std::int64_t mine = 0;
            for (int i = 0; i < times; ++i) {
                auto const r = counters(tokens).try_modify(
                    {"hits"}, [&](counter& c) { ++c.count, ++c.by[me], ++all.tries; }, patient());
                auto const now = stored().by[me];
                bool const doubtful = !r && r.error().outcome() == outcome::in_doubt;
                EXPECT_TRUE(now == mine + (r ? 1 : 0) || (doubtful && now == mine + 1)) << (r ? "" : r.error().what());
                mine = now;
                if (r) ++all.successes;
                if (doubtful) ++all.doubts;
            }
        });
    }

    store_ptr steady_ = value_or_throw(open_embedded({.path = ":memory:"}));
    std::shared_ptr<faulty_store> faulty_ = std::make_shared<faulty_store>(steady_);
    random_source random_;
    tablemap::testing::fixed_clock clock_;
};

TEST_F(lost_answers, leave_no_doubt_to_one_writer_with_tokens) {
    counters(true).insert({.name = "hits"});
    begin_faults();
    tally all;
    auto const began = std::chrono::steady_clock::now();
    count_in_threads(true, 1, 500, all);
    all.print("one writer with tokens", began);
    EXPECT_EQ(all.doubts, 0);
    EXPECT_EQ(all.successes, 500);
    EXPECT_EQ(stored().count, 500);
    EXPECT_GT(faulty_->faults(), 100u);
}

TEST_F(lost_answers, leave_no_doubt_to_one_writer_that_inserts_with_tokens) {
    begin_faults();
    auto options = patient();
    options.retry->repeat_in_doubt = true;  // nobody else erases
    for (int i = 0; i < 200; ++i) {
        counter const made{.name = std::to_string(i)};
        EXPECT_EQ(counters(true)
                      .modify_or_insert(
                          made, [](counter& c) { ++c.count; }, {}, options)
                      .value.count,
                  1);
        EXPECT_EQ(counters(true)
                      .modify_or_insert(
                          made, [](counter& c) { ++c.count; }, {}, options)
                      .value.count,
                  2);
    }
}

TEST_F(lost_answers, of_many_writers_are_told_as_they_are_with_tokens_and_without) {
    for (bool const tokens : {true, false}) {
        faulty_->fail_randomly(0, 0);
        counters(tokens).upsert_replace({.name = "hits"});
        begin_faults();
        tally all;
        auto const began = std::chrono::steady_clock::now();
        count_in_threads(tokens, 8, 100, all);
        all.print(tokens ? "8 writers with tokens" : "8 writers without tokens", began);
        EXPECT_GE(stored().count, all.successes);
        EXPECT_LE(stored().count, all.successes + all.doubts);
    }
}

}  // namespace
}  // namespace tablemap::test
