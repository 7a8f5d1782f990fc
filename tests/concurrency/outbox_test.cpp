// SPDX-License-Identifier: Apache-2.0
#include "concurrency/fixture.hpp"

#include "support/outbox_samples.hpp"

#include "tablemap/queue/queue.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace tablemap::test {
namespace {

using namespace std::chrono_literals;

/// The versions of entities as a relay applied them.
class applied_versions {
public:
    void apply(std::string const& office, archive_staff const& e) {
        std::scoped_lock const lock{mutex_};
        auto& last = versions_[{office, e.id}];
        EXPECT_LE(e.version, last + 1) << "an effect was left out or overtaken";
        last = std::max(last, e.version);
        ++calls_;
    }
    std::size_t calls() const { return calls_; }
    auto const& versions() const { return versions_; }

private:
    std::mutex mutex_;
    std::map<std::pair<std::string, std::int32_t>, std::int32_t> versions_{};
    std::size_t calls_ = 0;
};

class busy_outbox : public every_store {
protected:
    /// A store's queues are shared by its tests.
    staff_outbox box() {
        table<staff> const people{the_store(), "Company"};
        people.delete_if_exists();
        people.create();
        queue{the_store(), "busy-outbox"}.create_if_not_exists();
        return staff_outbox{people, {.queue = "busy-outbox"}};
    }
    /// Relays that are stopped keep their leases: the test waits until they have none.
    bool is_drained_within(std::chrono::seconds d) {
        table<dynamic_entity> const raw{the_store(), "Company"};
        auto const end = std::chrono::steady_clock::now() + d;
        while (std::chrono::steady_clock::now() < end) {
            std::int64_t pending = 0;
            for (auto const* const office : {"Bonn", "Rome"})
                pending += *raw.find(office, "~outbox_head")->value.try_get<std::int64_t>("Pending");
            if (pending == 0) return true;
            std::this_thread::sleep_for(20ms);
        }
        return false;
    }
    /// One writer for each entity: its versions have an order.
    static void change(staff_outbox const& to, table<staff> const& people, std::int32_t id, std::int32_t version) {
        for (auto const* const office : {"Bonn", "Rome"}) {
            auto t = people.transaction();
            t.upsert_replace(staff{office, id, std::to_string(version)});
            to.commit(t, archive_staff{id, version});
        }
    }
};
INSTANTIATE_TEST_SUITE_P(, busy_outbox, store_kinds, [](auto const& i) { return i.param.name; });

TEST_P(busy_outbox, with_three_writers_and_two_relays_loses_nothing) {
    constexpr std::int32_t writers = 3, versions = 25;
    auto const to = box();
    table<staff> const people{the_store(), "Company"};
    applied_versions applied;
    auto const make_relay = [&] {
        return relay{to,
                     {.lease = 300s, .idle_wait = 10ms, .longest_idle_wait = 50ms, .sweep_every = 500ms},
                     on<archive_staff>([&](archive_staff const& e, effect_context const& c) {
                         applied.apply(std::string{c.partition_key}, e);
                     }),
                     on<greet_staff>([](greet_staff const&) {})};
    };
    std::vector<std::jthread> relays;
    for (int i = 0; i < 2; ++i)
        relays.emplace_back([relay = make_relay()](std::stop_token const& stop) { relay.run({.stop = stop}); });
    in_threads(writers, [&](int id) {
        for (std::int32_t v = 1; v <= versions; ++v) change(to, people, id, v);
    });
    EXPECT_TRUE(is_drained_within(60s));
    relays.clear();
    EXPECT_EQ(applied.versions().size(), 2U * writers);
    for (auto const& [entity, version] : applied.versions()) EXPECT_EQ(version, versions);
    std::cout << applied.calls() << " calls of handlers for " << 2 * writers * versions << " effects\n";
}

}  // namespace
}  // namespace tablemap::test
