// SPDX-License-Identifier: Apache-2.0
#include "faults/cases.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/testing/fixed_clock.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <string>
#include <utility>

/// Reports of a write whose response was lost while someone else changed the row before the second try: the row
/// does not tell then, so a witness behind the fault does.
namespace tablemap::test {
namespace {

using tablemap::testing::fault;
using tablemap::testing::faulty_store;

/// Sees how many writes were carried out.
class witness_store final : public store {
public:
    explicit witness_store(store_ptr inner) : inner_(std::move(inner)) {}

    tablemap::capabilities const& capabilities() const noexcept override { return inner_->capabilities(); }
    store_context const& context() const noexcept override { return inner_->context(); }
    response execute(request const& r, call_options const& o) override {
        auto answer = inner_->execute(r, o);
        if (is_write(r) && answer.ok()) ++applied_;
        return answer;
    }

    int applied() const noexcept { return applied_; }

private:
    store_ptr inner_;
    std::atomic<int> applied_{0};
};

/// A change that someone else makes to the rows that the operations write. Impossible changes are left out.
struct stranger {
    char const* does;
    void (*act)(tablemap::table<worker> const& with_tokens, tablemap::table<worker> const& without, std::int32_t id);
};

worker theirs(std::int32_t id) {
    return {.department = "Sales", .id = id, .name = "Theirs", .email = "theirs@contoso.com"};
}

stranger const strangers[] = {
    {"nothing", [](auto&, auto&, std::int32_t) {}},
    {"erases",
     [](auto&, auto& t, std::int32_t id) {
         (void)t.try_erase_any({"Sales", id});
     }},
    {"replaces with a token", [](auto& t, auto&, std::int32_t id) { (void)t.try_upsert_replace(theirs(id)); }},
    {"replaces without a token", [](auto&, auto& t, std::int32_t id) { (void)t.try_upsert_replace(theirs(id)); }},
    {"merges, and leaves a token that is there",
     [](auto&, auto& t, std::int32_t id) { (void)t.try_merge_any(theirs(id), only<&worker::name>); }},
};

/// A table behind a witness, a fault and a stranger.
class scene {
public:
    scene(operation_under_test const& op, bool tokens) : op_(op), tokens_(tokens) {}

    /// The number of requests that the operation takes without faults.
    std::size_t requests() { return play(0, {}, strangers[0]).second; }

    /// The report agrees with the witness.
    void expect_truth(std::size_t request, fault f, stranger const& who) {
        ::testing::ScopedTrace const where{__FILE__, __LINE__,
                                           op_.name + (tokens_ ? ", with tokens" : ", without tokens") + ": request " +
                                               std::to_string(request) + " meets fault " +
                                               std::to_string(static_cast<int>(f)) + ", and then someone " + who.does};
        auto const told = play(request, f, who).first;
        bool const nothing_to_do = !told.failure && told.value == "no";  // erase_any of what is gone
        auto const said = told.failure    ? told.failure->outcome()
                          : nothing_to_do ? outcome::not_applied
                                          : outcome::applied;
        auto const* const why = told.failure ? told.failure->what() : "a success";
        if (said == outcome::applied) {
            EXPECT_GT(witness_->applied(), 0) << why;
        } else if (said == outcome::not_applied) {
            EXPECT_EQ(witness_->applied(), 0) << why;
        }
        if (op_.knows != after_loss::repeats) {
            EXPECT_LE(witness_->applied(), 1) << "carried out twice: " << why;
        }
    }

private:
    std::pair<seen, std::size_t> play(std::size_t request, std::optional<fault> f, stranger const& who) {
        store_ptr const clean = value_or_throw(open_embedded({.path = ":memory:"}));
        tablemap::table<worker> const with_tokens{clean, "Scene", {.operation_ids = true}};
        tablemap::table<worker> const without{clean, "Scene"};
        witness_ = std::make_shared<witness_store>(clean);
        auto const faulty = std::make_shared<faulty_store>(witness_);
        stage s{clean, faulty, "Scene", tokens_};
        op_.set_up ? op_.set_up(s) : set_up_workers(s);
        tablemap::testing::fixed_clock clock;
        s.options = {
            .deadline = clock.now() + std::chrono::hours{1}, .retry = retry_policy::exponential(), .clock = &clock};
        auto const before = faulty->requests();
        if (f) faulty->fail_next(*f, request);
        auto const act = [&](store&) {
            for (std::int32_t const id : {1, 10}) who.act(with_tokens, without, id);
        };
        faulty->act_before(act, request + 1);
        auto told = op_.run(s);
        faulty->carry_out_overtaken();
        return {std::move(told), faulty->requests() - before};
    }

    operation_under_test const& op_;
    bool tokens_;
    std::shared_ptr<witness_store> witness_;
};

/// Every fault, and a write that is carried out behind the requests that follow it.
constexpr fault faults_between_clients[] = {fault::busy,        fault::lost_before, fault::lost_after,
                                            fault::late_before, fault::late_after,  fault::truncated,
                                            fault::reset,       fault::overtaken};

operation_list atomic_writes() {
    operation_list all;
    for (auto const part : {conditional_writes, unconditional_writes, groups, indexed_writes})
        for (auto& o : part())
            if (!o.in_pieces) all.push_back(std::move(o));
    return all;
}

class strangers_and_faults : public ::testing::TestWithParam<operation_under_test> {};

TEST_P(strangers_and_faults, do_not_make_an_outcome_untrue) {
    std::size_t cases = 0;
    for (bool const tokens : {false, true}) {
        scene s{GetParam(), tokens};
        auto const requests = s.requests();
        for (std::size_t n = 0; n < requests; ++n)
            for (auto const f : faults_between_clients)
                for (auto const& who : strangers) {
                    s.expect_truth(n, f, who);
                    ++cases;
                }
    }
    report_cases(GetParam().name, cases);
}

INSTANTIATE_TEST_SUITE_P(embedded, strangers_and_faults, ::testing::ValuesIn(atomic_writes()),
                         [](auto const& instance) { return instance.param.name; });

}  // namespace
}  // namespace tablemap::test
