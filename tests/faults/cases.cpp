// SPDX-License-Identifier: Apache-2.0
#include "faults/cases.hpp"

#include "support/answers.hpp"
#include "support/table_client.hpp"

#include "tablemap/detail/wire/writer.hpp"
#include "tablemap/edm/names.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <iostream>
#include <random>
#include <set>
#include <string_view>

namespace tablemap::test {
namespace {

using tablemap::testing::fault;

std::string_view name_of(fault f) {
    switch (f) {
    case fault::busy: return "busy";
    case fault::lost_before: return "lost before";
    case fault::lost_after: return "lost after";
    case fault::late_before: return "late, not carried out";
    case fault::late_after: return "late, carried out";
    case fault::truncated: return "truncated";
    case fault::reset: return "reset";
    case fault::overtaken: return "overtaken";
    }
    return {};
}

bool is_late(fault f) { return f == fault::late_before || f == fault::late_after; }
bool is_carried_out(fault f) { return f == fault::lost_after || f == fault::late_after || f == fault::truncated; }

// ---- contents of tables ---------------------------------------------------------------------------------------------

struct stored_row {
    std::string text{};
    tablemap::etag etag{};
};

/// Nothing: there is no such table.
using contents = std::optional<std::map<std::string, stored_row>>;

contents contents_of(stage const& s) {
    table_client t{*s.clean, s.name};
    auto const first = t.page({.top = 1});
    if (first.failure && first.failure->kind() == error_kind::not_found) return std::nullopt;
    contents all{std::in_place};
    for (auto const& e : t.all()) {
        auto& row = (*all)[e.partition_key + '/' + e.row_key];
        row.etag = e.etag;
        for (auto const& p : properties_of(e)) {
            if (p.name == operation_id_property) continue;
            row.text += p.name + '=';
            detail::append_any_value(row.text, p.value);
            row.text += ' ';
        }
    }
    return all;
}

/// Each row as text; "" for one that is not there.
std::string row_of(contents const& c, std::string const& key) {
    if (!c) return "no table";
    auto const found = c->find(key);
    return found == c->end() ? std::string{} : found->second.text;
}

std::set<std::string> keys_of(contents const& a, contents const& b) {
    std::set<std::string> keys;
    for (auto const* c : {&a, &b})
        for (auto const& [key, row] : c->value_or(std::map<std::string, stored_row>{})) keys.insert(key);
    return keys;
}

bool same(contents const& a, contents const& b) {
    auto const keys = keys_of(a, b);
    return a.has_value() == b.has_value() &&
           std::all_of(keys.begin(), keys.end(), [&](auto& key) { return row_of(a, key) == row_of(b, key); });
}

/// Every row is as it is in one of both.
bool mixed_of(contents const& now, contents const& before, contents const& after) {
    auto keys = keys_of(before, after);
    keys.merge(keys_of(now, now));
    return std::all_of(keys.begin(), keys.end(), [&](auto& key) {
        auto const row = row_of(now, key);
        return row == row_of(before, key) || row == row_of(after, key);
    });
}

// ---- one case -------------------------------------------------------------------------------------------------------

/// The form in which an operation is called.
struct manner {
    bool tokens;
    bool asynchronous;
};

/// The effect of an operation without faults.
struct model {
    contents before, after;
    seen told;
    std::vector<bool> changes;  ///< one for each request
};

struct one_case {
    std::size_t request;
    fault what;
    bool retries;
    std::optional<fault> then{};  ///< met by the request after it
    bool repeats = false;         ///< `retry_policy::repeat_in_doubt`
};

/// The demanded end of a case. `truth` takes any end that is reported truly.
enum class demand { success, in_doubt, not_applied, failure, truth };

class case_runner {
public:
    case_runner(operation_under_test const& op, faulty_way& way, manner how) : op_(op), way_(way), how_(how) {}

    /// Returns the number of cases.
    std::size_t run_all() {
        make_model();
        if (shows_nothing_new()) return cases_;
        for (std::size_t n = 0; n < model_.changes.size(); ++n)
            for (auto const f : every_fault)
                for (bool const retries : {false, true}) {
                    if (shows_nothing_new(f, retries)) continue;
                    run({n, f, retries});
                    if (op_.once_only && retries) run({n, f, retries, {}, true});
                }
        return cases_;
    }

    std::size_t run_pairs() {
        make_model();
        if (shows_nothing_new()) return cases_;
        for (std::size_t n = 0; n < model_.changes.size(); ++n)
            for (auto const f : every_fault)
                for (auto const then : every_fault) run({n, f, true, then});
        return cases_;
    }

private:
    /// Reads know no tokens.
    bool shows_nothing_new() const {
        auto const& all = model_.changes;
        return how_.tokens && std::find(all.begin(), all.end(), true) == all.end();
    }

    /// Without retries the drivers do the same. With them nothing is sent after a deadline; where that takes time, one
    /// driver is enough to show it.
    bool shows_nothing_new(fault f, bool retries) const {
        if (how_.asynchronous && !retries) return true;
        return is_late(f) && retries && !how_.asynchronous && op_.run_async && !way_.time_is_exact();
    }

    stage fresh_stage() const {
        static std::atomic<unsigned> count{0};
        static auto const process = std::random_device{}();
        auto const name = "Faults" + std::to_string(process) + "x" + std::to_string(++count);
        stage s{way_.clean(), way_.faulty(), name, how_.tokens};
        op_.set_up ? op_.set_up(s) : set_up_workers(s);
        s.options.clock = &way_.clock();
        s.options.retry = retry_policy::none();
        return s;
    }

    seen call(stage& s) const { return how_.asynchronous ? op_.run_async(s) : op_.run(s); }

    void make_model() {
        auto s = fresh_stage();
        model_.before = contents_of(s);
        auto const asked = way_.changes().size();
        model_.told = call(s);
        auto const all = way_.changes();
        model_.changes.assign(all.begin() + static_cast<std::ptrdiff_t>(asked), all.end());
        model_.after = contents_of(s);
        ASSERT_FALSE(model_.told.failure) << op_.name << " fails without a fault: " << model_.told.failure->what();
        ASSERT_FALSE(model_.changes.empty()) << op_.name << " asks for nothing";
        expect_etags(model_.told, model_.after);
        s.clean_table.try_delete_if_exists();
    }

    void run(one_case const& c) {
        ++cases_;
        ::testing::ScopedTrace const where{__FILE__, __LINE__, describe(c)};
        auto s = fresh_stage();
        if (is_late(c.what) || (c.then && is_late(*c.then))) s.options.deadline = way_.clock().now() + way_.patience();
        if (c.retries)
            s.options.retry = retry_policy{.attempts = 3,
                                           .first_wait = std::chrono::milliseconds{1},
                                           .longest_wait = std::chrono::milliseconds{1},
                                           .jitter = 0,
                                           .repeat_in_doubt = c.repeats};
        auto const faults = way_.faults();
        auto const waited = way_.waited();
        way_.fail_next(c.what, c.request);
        if (c.then) way_.fail_next(*c.then, c.request + 1);
        auto const told = call(s);
        way_.stop_failing();
        // With real time a slow machine may have missed the deadline before.
        if (way_.time_is_exact() || !s.options.deadline) {
            EXPECT_GT(way_.faults(), faults) << "the request that was to fail never came";
        }
        if (c.what == fault::busy && c.retries && !c.then) {
            EXPECT_GE(way_.waited() - waited, std::chrono::milliseconds{900}) << "sooner than the store asked for";
        }
        auto const now = contents_of(s);
        expect_truth(told, now);
        if (!c.then) expect_precision(c, told);
        if (!told.failure && !is_carried_out(c.what) && !(c.then && is_carried_out(*c.then))) expect_all_etags(told);
        s.clean_table.try_delete_if_exists();
    }

    std::string describe(one_case const& c) const {
        return op_.name + (how_.tokens ? ", with tokens" : ", without tokens") +
               (how_.asynchronous ? ", asynchronous" : "") + (c.retries ? ", with retries" : ", without retries") +
               (c.repeats ? " of what is in doubt" : "") + ": request " + std::to_string(c.request) +
               (model_.changes[c.request] ? ", a write, is " : ", a read, is ") + std::string{name_of(c.what)};
    }

    /// The table holds what the caller was told.
    void expect_truth(seen const& told, contents const& now) const {
        auto const said = told.failure ? told.failure->outcome() : outcome::applied;
        auto const why = told.failure ? told.failure->what() : "a success";
        switch (said) {
        case outcome::applied: EXPECT_TRUE(same(now, model_.after)) << "said to be applied by " << why; break;
        case outcome::not_applied: EXPECT_TRUE(same(now, model_.before)) << "said not to be applied by " << why; break;
        case outcome::in_doubt:
            EXPECT_TRUE(op_.in_pieces ? mixed_of(now, model_.before, model_.after)
                                      : same(now, model_.before) || same(now, model_.after))
                << "neither applied nor not applied after " << why;
            break;
        }
        if (told.failure) {
            EXPECT_TRUE(model_.told.value.starts_with(told.value)) << "wrong before it failed: " << told.value;
        } else {
            EXPECT_EQ(told.value, model_.told.value);
        }
        expect_etags(told, now);
        expect_rows(told, now);
    }

    /// The reported states of single rows are true.
    void expect_rows(seen const& told, contents const& now) const {
        for (auto const& [key, state] : told.rows) {
            auto const row = row_of(now, key);
            bool const is_before = row == row_of(model_.before, key);
            bool const is_after = row == row_of(model_.after, key);
            bool const is_true = state == row_state::stored     ? is_after
                                 : state == row_state::in_doubt ? is_before || is_after
                                                                : is_before;
            EXPECT_TRUE(is_true) << key << " is said to have ended in state " << static_cast<int>(state);
        }
    }

    /// An etag that was returned is the row's.
    static void expect_etags(seen const& told, contents const& now) {
        for (auto const& [key, tag] : told.etags) {
            if (tag.empty()) continue;
            auto const found = now ? now->find(key) : decltype(now->find(key)){};
            ASSERT_TRUE(now && found != now->end()) << "an etag of a row that is not there: " << key;
            EXPECT_EQ(found->second.etag, tag) << key;
        }
    }

    /// No etag is missing that would be there without the fault.
    void expect_all_etags(seen const& told) const {
        for (auto const& [key, tag] : model_.told.etags) {
            auto const found = told.etags.find(key);
            ASSERT_NE(found, told.etags.end()) << key;
            EXPECT_EQ(found->second.empty(), tag.empty()) << "of " << key;
        }
    }

    /// The caller was told as much as can be known.
    void expect_precision(one_case const& c, seen const& told) const {
        auto const wanted = demanded(c);
        if (wanted == demand::truth) return;
        auto const why = told.failure ? told.failure->what() : "a success";
        EXPECT_EQ(!told.failure, wanted == demand::success) << why;
        if (!told.failure) return;
        if (is_late(c.what)) {
            EXPECT_EQ(told.failure->kind(), error_kind::timed_out) << why;
        }
        if (wanted != demand::failure) {
            EXPECT_EQ(told.failure->outcome(), wanted == demand::in_doubt ? outcome::in_doubt : outcome::not_applied)
                << why;
        }
    }

    demand demanded(one_case const& c) const {
        auto const failed = [&](demand d) {
            bool const exact = !op_.in_pieces && (!is_late(c.what) || way_.time_is_exact());
            return exact ? d : demand::failure;
        };
        if (!model_.changes[c.request]) {
            if (way_.lets_read_end_either_way(c.what, c.retries)) return demand::truth;
            if (c.retries && !is_late(c.what)) return demand::success;
            bool const asks_again = op_.looks_itself && op_.knows == after_loss::repeats && c.request > 0;
            return asks_again ? demand::truth : failed(demand::not_applied);
        }
        if (is_late(c.what)) return failed(demand::in_doubt);
        if (c.what == fault::busy) return c.retries ? demand::success : failed(demand::not_applied);
        bool const goes_on = c.retries || op_.looks_itself;
        bool const goes_again = !op_.once_only || c.repeats;
        bool const known = (!is_carried_out(c.what) && goes_again) || op_.knows == after_loss::repeats ||
                           op_.knows == after_loss::by_itself ||
                           (op_.knows == after_loss::by_token && how_.tokens && is_carried_out(c.what));
        return goes_on && known ? demand::success : failed(demand::in_doubt);
    }

    operation_under_test const& op_;
    faulty_way& way_;
    manner how_;
    model model_{};
    std::size_t cases_ = 0;
};

}  // namespace

std::size_t try_every_fault(operation_under_test const& op, faulty_way& way) {
    std::size_t cases = 0;
    for (bool const tokens : {false, true})
        for (bool const asynchronous : {false, true})
            if (!asynchronous || op.run_async) cases += case_runner{op, way, {tokens, asynchronous}}.run_all();
    return cases;
}

std::size_t try_every_pair_of_faults(operation_under_test const& op, faulty_way& way) {
    std::size_t cases = 0;
    for (bool const tokens : {false, true}) cases += case_runner{op, way, {tokens, false}}.run_pairs();
    return cases;
}

void report_cases(std::string const& of, std::size_t cases) {
    std::cout << of << ": " << cases << " cases\n";
    ::testing::Test::RecordProperty("cases", std::to_string(cases));
}

}  // namespace tablemap::test
