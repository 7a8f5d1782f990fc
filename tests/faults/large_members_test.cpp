// SPDX-License-Identifier: Apache-2.0
#include "support/async_calls.hpp"
#include "support/azurite.hpp"
#include "support/large_samples.hpp"
#include "support/mortal_store.hpp"
#include "support/without_value.hpp"

#include "tablemap/mapping/dynamic.hpp"
#include "tablemap/open.hpp"
#include "tablemap/patterns/async_large_table.hpp"
#include "tablemap/patterns/large_collector.hpp"
#include "tablemap/testing/faulty_store.hpp"
#include "tablemap/testing/fixed_clock.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

/// Writers of large members and collectors whose process ends before or after any request, whose responses are lost or
/// whose requests arrive late. Readers find the entity as it was or as it was to be, with its values, and a sweep
/// leaves the blobs that it names and no others.
namespace tablemap::test {
namespace {

using namespace std::chrono_literals;
using tablemap::testing::fault;
using tablemap::testing::faulty_store;
using tablemap::testing::fixed_clock;

using document_table = large_table<document>;

ticks in_an_hour() { return ticks::now() + std::chrono::hours{1}; }

document old_document() { return sample_document(1, 0); }
document new_document() { return sample_document(1, 5); }
document merged_document() {
    auto d = old_document();
    d.text = sample_text(7);
    return d;
}

struct scenario {
    char const* name;
    bool is_there;
    std::function<result<void>(document_table const& t, call_options const& o)> act;
    std::optional<document> wanted;
};

/// Reads the entity for a write under its etag.
result<entity<document>> read(document_table const& t, call_options const& o) {
    auto e = t.try_find(key_of<document>{"plans", 1}, o);
    if (!e) return failure{e.error()};
    return std::move(**e);
}

template <class Act> auto after_reading(Act act) {
    return [act](document_table const& t, call_options const& o) -> result<void> {
        auto e = read(t, o);
        if (!e) return failure{e.error()};
        return act(t, *e, o);
    };
}

std::vector<scenario> scenarios() {
    key_of<document> const key{"plans", 1};
    auto const change = [](document& d) { d = merged_document(); };
    auto const insert = [](auto& t, auto& o) { return without_value(t.try_insert(new_document(), o)); };
    auto const upsert = [](auto& t, auto& o) { return without_value(t.try_upsert(new_document(), o)); };
    auto const replace = [](auto& t, auto& e, auto& o) {
        e.value = new_document();
        return t.try_replace(e, o);
    };
    auto const merge = [](auto& t, auto& e, auto& o) {
        e.value = merged_document();
        return t.try_merge(e, only<&document::text>, o);
    };
    auto const modify = [=](auto& t, auto& o) { return without_value(t.try_modify(key, change, o)); };
    auto const async_insert = [](auto& t, auto& o) {
        auto const d = new_document();
        return without_value(outcome_of(async_large_table<document>{t}.insert(d, o, future)));
    };
    auto const async_modify = [=](auto& t, auto& o) {
        return without_value(outcome_of(async_large_table<document>{t}.modify(key, change, o, future)));
    };
    auto const erase = [](auto& t, auto& e, auto& o) { return t.try_erase(e, o); };
    auto const erase_any = [=](auto& t, auto& o) { return without_value(t.try_erase_any(key, o)); };
    return {{"insert", false, insert, new_document()},
            {"upsert of a new one", false, upsert, new_document()},
            {"upsert of one that is there", true, upsert, new_document()},
            {"replace", true, after_reading(replace), new_document()},
            {"merge", true, after_reading(merge), merged_document()},
            {"modify", true, modify, merged_document()},
            {"insert without blocking", false, async_insert, new_document()},
            {"modify without blocking", true, async_modify, merged_document()},
            {"erase", true, after_reading(erase), std::nullopt},
            {"erase_any", true, erase_any, std::nullopt}};
}

class large_members_after_faults : public ::testing::TestWithParam<std::string> {
protected:
    void SetUp() override {
        if (GetParam() == "azurite" && !azurite::program())
            GTEST_SKIP() << "needs the storage emulator: scripts/setup test installs it";
        clean_ = open(GetParam() == "azurite" ? azurite::shared().connection_string() : "embedded::memory:");
        clean().rows().create_if_not_exists();
        clean().blobs().create_if_not_exists();
    }
    void TearDown() override {
        if (!clean_) return;
        clean().rows().delete_table();
        std::cout << GetParam() << ": " << points_ << " points\n";
    }

    document_table through(store_ptr s) const { return {std::move(s), "LargeFaults", "large-faults"}; }
    document_table clean() const { return through(clean_); }
    call_options options(int attempts = 1) { return {.retry = retry_policy::exponential(attempts), .clock = &clock_}; }

    /// For this collector all permits are old.
    large_report sweep(store_ptr s) {
        large_collector_options const o{.grace = 0s, .page_size = 2, .parallel = 1, .now = &in_an_hour};
        return large_collector{std::move(s), "LargeFaults", "large-faults", o}.sweep(options());
    }

    /// One document with a version that is garbage, and a permit and a blob of a killed writer.
    void prepare(bool is_there) {
        clean().erase_any({"plans", 1});
        if (!is_there) return;
        clean().upsert(new_document());
        clean().upsert(old_document());
    }
    void kill_writer() {
        auto const mortal = std::make_shared<mortal_store>(clean_, 2, true);
        EXPECT_THROW(static_cast<void>(through(mortal).try_upsert(new_document(), options())), killed);
    }

    template <class Act> std::size_t count_requests(Act const& act) {
        auto const counting = std::make_shared<faulty_store>(clean_);
        act(counting);
        return counting->requests();
    }
    std::size_t count_requests(scenario const& s) {
        prepare(s.is_there);
        return count_requests([&](store_ptr const& on) { EXPECT_TRUE(s.act(through(on), options())); });
    }

    std::optional<document> stored() const {
        auto found = clean().find("plans", 1);  // throws if a blob is missing
        return found ? std::optional{std::move(found->value)} : std::nullopt;
    }
    static std::optional<document> before(scenario const& s) {
        return s.is_there ? std::optional{old_document()} : std::nullopt;
    }

    /// The blobs that are left are those of the entity, and no permit is left.
    void check_after_sweep() {
        auto const found = stored();
        EXPECT_TRUE(sweep(clean_).complete());
        EXPECT_EQ(stored(), found);
        EXPECT_EQ(clean().blobs().list().size(), found ? 2u : 0u);
        table<dynamic_entity> const rows{clean_, "LargeFaults"};
        std::size_t count = 0;
        for (auto q = rows.scan(); [[maybe_unused]] auto& e : q) ++count;
        EXPECT_EQ(count, found ? 1u : 0u);
        ++points_;
    }
    void check(scenario const& s, std::optional<result<void>> const& told) {
        auto const found = stored();
        EXPECT_TRUE(found == before(s) || found == s.wanted) << s.name;
        if (told) {
            auto const said = *told ? outcome::applied : told->error().outcome();
            EXPECT_TRUE(said == outcome::in_doubt || found == (said == outcome::applied ? s.wanted : before(s)));
        }
        check_after_sweep();
    }

    /// Acts while the process is killed at a request.
    template <class Act> void kill_at(std::size_t request, bool carries_out, Act const& act) {
        try {
            act(std::make_shared<mortal_store>(clean_, request, carries_out));
            ADD_FAILURE() << "it was not killed";
        } catch (killed const&) {  // the rest is for a process that is started then
        }
    }

    store_ptr clean_;
    fixed_clock clock_;
    int points_ = 0;
};
INSTANTIATE_TEST_SUITE_P(, large_members_after_faults, ::testing::Values("embedded", "azurite"),
                         [](auto const& i) { return i.param; });

TEST_P(large_members_after_faults, are_as_before_or_as_written_whatever_request_of_a_writer_was_the_last) {
    for (auto const& s : scenarios())
        for (std::size_t i = 0, requests = count_requests(s); i < requests; ++i)
            for (bool const carried_out : {false, true}) {
                SCOPED_TRACE(s.name + std::string{", request "} + std::to_string(i));
                prepare(s.is_there);
                kill_at(i, carried_out, [&](store_ptr on) { static_cast<void>(s.act(through(on), options())); });
                check(s, std::nullopt);
            }
}

TEST_P(large_members_after_faults, are_as_the_outcome_says_whatever_response_is_lost) {
    for (auto const& s : scenarios())
        for (std::size_t i = 0, requests = count_requests(s); i < requests; ++i)
            for (auto const met : {fault::lost_before, fault::lost_after, fault::busy}) {
                SCOPED_TRACE(s.name + std::string{", request "} + std::to_string(i));
                prepare(s.is_there);
                auto const faulty = std::make_shared<faulty_store>(clean_);
                faulty->fail_next(met, i);
                auto const told = s.act(through(faulty), options());
                check(s, told);
            }
}

/// Two requests in a row are lost, of which the first may arrive late, while the policy allows to repeat.
TEST_P(large_members_after_faults, are_as_the_outcome_says_whatever_responses_are_lost_before_it_is_repeated) {
    for (auto const& s : scenarios())
        for (std::size_t i = 0, requests = count_requests(s); i < requests; ++i)
            for (auto const met : {fault::lost_before, fault::lost_after, fault::overtaken}) {
                SCOPED_TRACE(s.name + std::string{", request "} + std::to_string(i));
                prepare(s.is_there);
                auto const faulty = std::make_shared<faulty_store>(clean_);
                faulty->set_overtaking(1000);
                faulty->fail_next(met, i);
                faulty->fail_next(fault::lost_before, i + 1);
                auto const told = s.act(through(faulty), options(2));
                faulty->carry_out_overtaken();
                check(s, told);
            }
}

TEST_P(large_members_after_faults, are_whole_when_a_request_of_a_writer_arrives_after_a_sweep) {
    for (auto const& s : scenarios())
        for (std::size_t i = 0, requests = count_requests(s); i < requests; ++i) {
            SCOPED_TRACE(s.name + std::string{", request "} + std::to_string(i));
            prepare(s.is_there);
            auto const faulty = std::make_shared<faulty_store>(clean_);
            faulty->set_overtaking(1000);
            faulty->fail_next(fault::overtaken, i);
            static_cast<void>(s.act(through(faulty), options()));
            static_cast<void>(sweep(clean_));
            static_cast<void>(stored());
            faulty->carry_out_overtaken();
            check(s, std::nullopt);
        }
}

TEST_P(large_members_after_faults, are_written_though_a_sweep_comes_before_any_request) {
    for (auto const& s : scenarios())
        for (std::size_t i = 0, requests = count_requests(s); i < requests; ++i) {
            SCOPED_TRACE(s.name + std::string{", request "} + std::to_string(i));
            prepare(s.is_there);
            auto const faulty = std::make_shared<faulty_store>(clean_);
            faulty->act_before([&](class store&) { static_cast<void>(sweep(clean_)); }, i);
            auto const told = s.act(through(faulty), options());
            EXPECT_TRUE(told) << told.error().what();
            check(s, told);
        }
}

TEST_P(large_members_after_faults, are_whole_whatever_request_of_a_sweep_was_the_last_or_is_lost_or_late) {
    auto const all = [&](store_ptr on) { static_cast<void>(sweep(std::move(on))); };
    auto const begin = [&] {
        prepare(true);
        kill_writer();
    };
    begin();
    for (std::size_t i = 0, requests = count_requests(all); i < requests; ++i) {
        SCOPED_TRACE("request " + std::to_string(i));
        for (bool const carried_out : {false, true}) {
            begin();
            kill_at(i, carried_out, all);
            EXPECT_EQ(stored(), old_document());
            check_after_sweep();
        }
        for (auto const met : {fault::lost_before, fault::lost_after, fault::overtaken}) {
            begin();
            auto const faulty = std::make_shared<faulty_store>(clean_);
            faulty->set_overtaking(1000);
            faulty->fail_next(met, i);
            all(faulty);
            clean().modify({"plans", 1}, [](document& d) { d.picture = sample_picture(9); });
            faulty->carry_out_overtaken();
            EXPECT_EQ(stored()->picture, sample_picture(9));
            check_after_sweep();
        }
    }
}

TEST_P(large_members_after_faults, are_whole_though_a_writer_comes_before_any_request_of_a_sweep) {
    auto const all = [&](store_ptr on) { static_cast<void>(sweep(std::move(on))); };
    for (auto const& s : scenarios()) {
        prepare(s.is_there);
        kill_writer();
        for (std::size_t i = 0, requests = count_requests(all); i < requests; ++i) {
            SCOPED_TRACE(s.name + std::string{", request "} + std::to_string(i));
            prepare(s.is_there);
            kill_writer();
            auto const faulty = std::make_shared<faulty_store>(clean_);
            faulty->act_before([&](class store&) { EXPECT_TRUE(s.act(clean(), options())); }, i);
            all(faulty);
            EXPECT_EQ(stored(), faulty->requests() > i ? s.wanted : before(s));
            check_after_sweep();
        }
    }
}

}  // namespace
}  // namespace tablemap::test
