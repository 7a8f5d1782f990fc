// SPDX-License-Identifier: Apache-2.0
#include "testing/contract/fixture.hpp"
#include "testing/contract/suites.hpp"

#include <algorithm>
#include <atomic>
#include <thread>

namespace tablemap::inline v0_1::testing::contract {
namespace {

class seam_concurrency : public seam {
protected:
    template <class F> static void in_threads(int count, F f) {
        std::vector<std::thread> threads;
        threads.reserve(static_cast<std::size_t>(count));
        for (int i = 0; i < count; ++i) threads.emplace_back(f, i);
        for (auto& t : threads) t.join();
    }
};
TABLEMAP_CONTRACT_SUITE(seam_concurrency);

TEST_P(seam_concurrency, threads_insert_read_and_query_side_by_side) {
    std::atomic<int> failures{0};
    in_threads(8, [&](int thread) {
        for (int i = 0; i < 50; ++i) {
            auto const row = std::to_string(thread) + "_" + std::to_string(i);
            if (!table().insert(entity("p", row, {{"I", i}})).ok()) ++failures;
            if (!table().get("p", row).ok()) ++failures;
            if (i % 10 == 0 && !table().page({.top = 20}).ok()) ++failures;
        }
    });
    EXPECT_EQ(failures, 0);
    EXPECT_EQ(table().all().size(), 400u);
}

TEST_P(seam_concurrency, of_many_inserts_of_one_entity_one_succeeds) {
    std::atomic<int> inserted{0};
    std::atomic<int> refusals{0};
    in_threads(8, [&](int) {
        auto const r = table().insert(entity("p", "r"));
        if (r.ok()) ++inserted;
        if (!r.ok() && r.failure->code() == service_errc::entity_already_exists) ++refusals;
    });
    EXPECT_EQ(inserted, 1);
    EXPECT_EQ(refusals, 7);
}

TEST_P(seam_concurrency, conditional_writes_lose_no_update) {
    ASSERT_TRUE(carried_out(table().insert(entity("p", "r", {{"N", 0}}))));
    in_threads(4, [&](int) {
        for (int done = 0; done < 25;) {
            auto const read = table().get("p", "r");
            auto const n = *entity_in(read).try_get<std::int32_t>("N");
            if (table().write(write_kind::replace, entity("p", "r", {{"N", n + 1}}), read.etag.text()).ok()) ++done;
        }
    });
    EXPECT_EQ(*entity_in(table().get("p", "r")).try_get<std::int32_t>("N"), 100);
}

TEST_P(seam_concurrency, a_reader_sees_a_transaction_whole_or_not_at_all) {
    TABLEMAP_SKIP_WITHOUT_TRANSACTIONS();
    std::atomic<bool> done{false};
    std::atomic<int> torn{0};
    std::thread reader{[&] {
        while (!done) {
            auto const n = entities_in(table().page({})).size();
            if (n % 10 != 0) ++torn;
        }
    }};
    for (int g = 0; g < 20; ++g) {
        std::vector<owned_operation> group;
        group.reserve(10);
        for (int i = 0; i < 10; ++i)
            group.push_back(operation(write_kind::insert, entity("p", std::to_string(g * 10 + i + 1000))));
        EXPECT_TRUE(carried_out(table().transact(group)));
    }
    done = true;
    reader.join();
    EXPECT_EQ(torn, 0);
}

TEST_P(seam_concurrency, a_call_whose_deadline_passed_is_not_carried_out) {
    call_options late;
    late.deadline = std::chrono::steady_clock::now() - std::chrono::seconds{1};
    auto const sent = body("p", "r");
    write_entity const w{table().table(),
                         {.kind = write_kind::insert, .partition_key = "p", .row_key = "r", .body = sent}};
    EXPECT_TRUE(refused(the_store().execute(w, late), library_errc::deadline_exceeded));
    EXPECT_TRUE(refused(table().get("p", "r"), service_errc::resource_not_found));
}

TEST_P(seam_concurrency, a_call_that_was_stopped_is_not_carried_out) {
    std::stop_source stop;
    stop.request_stop();
    call_options options;
    options.stop = stop.get_token();
    EXPECT_TRUE(refused(the_store().execute(get_entity{table().table(), "p", "r"}, options), library_errc::cancelled));
}

}  // namespace

void link_concurrency() {}

}  // namespace tablemap::testing::contract
