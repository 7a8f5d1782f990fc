// SPDX-License-Identifier: Apache-2.0
#include "faults/cases.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/testing/fixed_clock.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <string>
#include <utility>

/// What is reported of a write whose answer was lost while someone else changed the row before the second try: the row does not
/// tell then, so a witness behind the fault does.
namespace tablemap::test {
namespace {

using tablemap::testing::fault;
using tablemap::testing::faulty_store;

/// Sees which writes were carried out.
class witness_store final : public store {
public:
    explicit witness_store(store_ptr inner) : inner_(std::move(inner)) {}

    capabilities const& can() const noexcept override { return inner_->can(); }
    response execute(request const& r, call_options const& o) override {
        auto answer = inner_->execute(r, o);
        if (is_write(r) && answer.ok()) applied_ = true;
        return answer;
    }

    bool applied() const noexcept { return applied_; }

private:
    store_ptr inner_;
    std::atomic<bool> applied_{false};
};

/// Lets someone else in after so many requests.
class meddled_store final : public store {
public:
    meddled_store(store_ptr inner, std::size_t after, std::function<void()> meddle)
        : inner_(std::move(inner)), left_(after), meddle_(std::move(meddle)) {}

    capabilities const& can() const noexcept override { return inner_->can(); }
    response execute(request const& r, call_options const& o) override {
        auto answer = inner_->execute(r, o);
        ++asked_;
        if (asked_ == left_) meddle_();
        return answer;
    }

    std::size_t asked() const noexcept { return asked_; }

private:
    store_ptr inner_;
    std::size_t left_;
    std::size_t asked_ = 0;
    std::function<void()> meddle_;
};

/// What someone else does to the rows that the operations write. What cannot be done is not.
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

    /// How many requests the operation takes where nothing fails.
    std::size_t requests() { return play(0, {}, strangers[0]).second; }

    /// What was told of it agrees with what the witness saw.
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
            EXPECT_TRUE(witness_->applied()) << why;
        } else if (said == outcome::not_applied) {
            EXPECT_FALSE(witness_->applied()) << why;
        }
    }

private:
    std::pair<seen, std::size_t> play(std::size_t request, std::optional<fault> f, stranger const& who) {
        store_ptr const clean = value_or_throw(open_embedded({.path = ":memory:"}));
        tablemap::table<worker> const with_tokens{clean, "Scene", {.operation_tokens = true}};
        tablemap::table<worker> const without{clean, "Scene"};
        witness_ = std::make_shared<witness_store>(clean);
        auto const faulty = std::make_shared<faulty_store>(witness_);
        auto const meddled = std::make_shared<meddled_store>(faulty, request + 1, [&] {
            for (std::int32_t const id : {1, 10}) who.act(with_tokens, without, id);
        });
        stage s{clean, meddled, "Scene", tokens_};
        op_.set_up ? op_.set_up(s) : set_up_workers(s);
        tablemap::testing::fixed_clock clock;
        s.options = {
            .deadline = clock.now() + std::chrono::hours{1}, .retry = retry_policy::exponential(), .clock = &clock};
        if (f) faulty->fail_next(*f, request);
        auto told = op_.run(s);
        return {std::move(told), meddled->asked()};
    }

    operation_under_test const& op_;
    bool tokens_;
    std::shared_ptr<witness_store> witness_;
};

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
            for (auto const f : every_fault)
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
