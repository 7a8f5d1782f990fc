// SPDX-License-Identifier: Apache-2.0
#include "tablemap/embedded/store.hpp"
#include "tablemap/testing/store_contract.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>

/// Stores that do less than the others, which the suite is to accept, and stores that do something wrong, which it is
/// to notice.
namespace tablemap::test {
namespace {

/// Passes requests on, in one way or another.
class changed_store : public store {
public:
    explicit changed_store(tablemap::capabilities can = {.name = "changed"}) : can_(std::move(can)) {}

    tablemap::capabilities const& capabilities() const noexcept override { return can_; }
    response execute(request const& r, call_options const& o) override { return inner_->execute(r, o); }

protected:
    store_ptr const inner_ = value_or_throw(open_embedded({.path = ":memory:"}));

private:
    tablemap::capabilities can_;
};

/// Has neither transactions nor an order that it promises, and small pages.
class reduced_store final : public changed_store {
public:
    reduced_store()
        : changed_store{
              {.name = "reduced", .ordered_results = false, .page_entities = 100, .transaction_operations = 1}} {}

    response execute(request const& r, call_options const& o) override {
        if (std::holds_alternative<transact>(r)) return response::failed(error{library_errc::unsupported});
        auto changed = r;
        if (auto* const q = std::get_if<query_page>(&changed); q && !q->top) q->top = capabilities().page_entities;
        return inner_->execute(changed, o);
    }
};

/// Carries out conditional writes whatever the etag.
class ignores_etags final : public changed_store {
public:
    response execute(request const& r, call_options const& o) override {
        auto changed = r;
        if (auto* const w = std::get_if<write_entity>(&changed); w && !w->operation.if_match.empty())
            w->operation.if_match = any_etag;
        return inner_->execute(changed, o);
    }
};

/// Ends every query with its first page.
class forgets_continuations final : public changed_store {
public:
    response execute(request const& r, call_options const& o) override {
        auto answer = inner_->execute(r, o);
        answer.next.reset();
        return answer;
    }
};

/// Carries out transactions one operation after the other.
class splits_transactions final : public changed_store {
public:
    response execute(request const& r, call_options const& o) override {
        auto const* const t = std::get_if<transact>(&r);
        if (!t) return inner_->execute(r, o);
        response answer;
        for (auto const& w : t->operations) {
            auto one = inner_->execute(write_entity{t->table, w}, o);
            if (!one.ok()) return one;
            answer.etags.push_back(one.etag);
        }
        return answer;
    }
};

class ignores_deadlines final : public changed_store {
public:
    response execute(request const& r, call_options const&) override { return inner_->execute(r, {}); }
};

/// Answers a read twice.
class answers_twice final : public changed_store {
public:
    void async_execute(request const& r, call_options const& o, receiver& to) override {
        if (std::holds_alternative<get_entity>(r)) to.complete(execute(r, o));
        to.complete(execute(r, o));
    }
};

template <class Store> void add(char const* name) {
    testing::register_store_contract({.name = name, .make = [] { return std::make_shared<Store>(); }});
}

[[maybe_unused]] bool const registered = [] {
    add<reduced_store>("reduced");
    add<ignores_etags>("ignores_etags");
    add<forgets_continuations>("forgets_continuations");
    add<splits_transactions>("splits_transactions");
    add<ignores_deadlines>("ignores_deadlines");
    add<answers_twice>("answers_twice");
    testing::register_store_contract(
        {.name = "not_there", .make = [] { return store_ptr{}; }, .requirement = "a server"});
    return true;
}();

TEST(register_store_contract, refuses_names_that_gtest_does_not_take_and_names_that_are_taken) {
    auto const make = [] { return store_ptr{}; };
    EXPECT_THROW(testing::register_store_contract({.name = "", .make = make}), std::invalid_argument);
    EXPECT_THROW(testing::register_store_contract({.name = "a-b", .make = make}), std::invalid_argument);
    EXPECT_THROW(testing::register_store_contract({.name = "reduced", .make = make}), std::invalid_argument);
    EXPECT_THROW(testing::register_store_contract({.name = "reduced_async", .make = make}), std::invalid_argument);
}

TEST(register_store_contract, refuses_a_store_without_a_function_that_makes_it) {
    EXPECT_THROW(testing::register_store_contract({.name = "made_by_nobody", .make = {}}), std::invalid_argument);
}

TEST(deviation, has_a_name_for_each) {
    for (int i = 0; i <= static_cast<int>(testing::deviation::requires_every_term_of_policy); ++i)
        EXPECT_FALSE(testing::name_of(static_cast<testing::deviation>(i)).empty()) << i;
}

}  // namespace
}  // namespace tablemap::test
