// SPDX-License-Identifier: Apache-2.0
#include "faults/blobs.hpp"

#include "support/operations.hpp"

#include "tablemap/blob/blob_container.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace tablemap::test {
namespace {

using tablemap::testing::fault;

/// An operation on a container with an append blob "log", a blob "known" of this etag and a block "1" staged for it.
struct blob_operation {
    char const* name;
    std::function<result<void>(blob_container const&, etag const&, call_options const&)> run;
    bool needs_container = true;
    bool appends = false;  ///< twice if it is carried out twice
};

template <class V> result<void> without_value(result<V> const& r) {
    if (!r) return failure{r.error()};
    return {};
}

using c = blob_container;
using o = call_options;

std::vector<blob_operation> operations_on_containers() {
    return {
        {"create", [](c const& b, etag const&, o const& call) { return b.try_create(call); }, false},
        {"create_if_not_exists",
         [](c const& b, etag const&, o const& call) { return without_value(b.try_create_if_not_exists(call)); }, false},
        {"delete_container", [](c const& b, etag const&, o const& call) { return b.try_delete_container(call); }},
        {"delete_if_exists",
         [](c const& b, etag const&, o const& call) { return without_value(b.try_delete_if_exists(call)); }},
        {"exists", [](c const& b, etag const&, o const& call) { return without_value(b.try_exists(call)); }},
        {"list", [](c const& b, etag const&, o const& call) { return without_value(b.try_list("", call)); }},
    };
}

std::vector<blob_operation> operations_on_blobs() {
    return {
        {"put_absent",
         [](c const& b, etag const&, o const& call) {
             return without_value(b.try_put("new", "x", blob_state::absent(), {}, call));
         }},
        {"put_known",
         [](c const& b, etag const& e, o const& call) { return without_value(b.try_put("known", "x", e, {}, call)); }},
        {"put_any", [](c const& b, etag const&,
                       o const& call) { return without_value(b.try_put("known", "x", blob_state::any(), {}, call)); }},
        {"erase", [](c const& b, etag const& e, o const& call) { return b.try_erase("known", e, call); }},
        {"erase_any",
         [](c const& b, etag const&, o const& call) { return without_value(b.try_erase_any("known", call)); }},
        {"get", [](c const& b, etag const&, o const& call) { return without_value(b.try_get("known", {}, call)); }},
        {"properties",
         [](c const& b, etag const&, o const& call) { return without_value(b.try_properties("known", call)); }},
        {"create_append",
         [](c const& b, etag const&, o const& call) {
             return without_value(b.try_create_append("new", blob_state::absent(), {}, call));
         }},
        {"append",
         [](c const& b, etag const&, o const& call) { return without_value(b.try_append("log", "two", 3, call)); }},
        {"append_anywhere",
         [](c const& b, etag const&, o const& call) {
             return without_value(b.try_append_anywhere("log", "two", call));
         },
         true, true},
        {"commit",
         [](c const& b, etag const& e, o const& call) {
             std::vector<std::string_view> const ids{"1"};
             return without_value(b.try_commit("known", ids, e, {}, call));
         }},
        {"commit_any",
         [](c const& b, etag const&, o const& call) {
             std::vector<std::string_view> const ids{"1"};
             return without_value(b.try_commit("known", ids, blob_state::any(), {}, call));
         }},
    };
}

std::string state_of(blob_container const& b) {
    if (!b.exists()) return "no container";
    std::string state;
    for (auto const& p : b.list()) state += p.name + "=" + b.get(p.name).bytes + " ";
    return state;
}

class blob_cases {
public:
    explicit blob_cases(faulty_way& way) : way_(way) {}

    std::size_t count() const noexcept { return count_; }

    void try_all_faults(blob_operation const& op) {
        auto const after = state_after(op);
        for (auto const& policy : policies())
            for (auto const first : every_fault) {
                try_faults(op, after, policy, first, {});
                if (policy.attempts > 1 && way_.time_is_exact())
                    for (auto const second : every_fault) try_faults(op, after, policy, first, second);
            }
    }

private:
    static std::vector<retry_policy> policies() {
        auto const once = retry_policy::none();
        auto const thrice = exact_retry(3);
        auto repeating = thrice;
        repeating.repeat_in_doubt = true;
        return {once, thrice, repeating};
    }

    /// Names of containers on the emulator are used by one case each.
    static std::string fresh_name() {
        static auto const run = std::random_device{}();
        static int count = 0;
        return "faults-" + std::to_string(run) + "-" + std::to_string(++count);
    }

    static etag prepare(blob_container const& b, blob_operation const& op) {
        if (!op.needs_container) return {};
        b.create();
        auto e = b.put("known", "old", blob_state::absent());
        b.create_append("log", blob_state::absent());
        b.append("log", "one", 0);
        b.stage("known", "1", "block");
        return e;
    }

    std::string state_after(blob_operation const& op) {
        blob_container const clean{way_.clean(), fresh_name()};
        auto const known = prepare(clean, op);
        EXPECT_TRUE(op.run(clean, known, {})) << op.name;
        auto const state = state_of(clean);
        clean.delete_if_exists();
        return state;
    }

    void try_faults(blob_operation const& op, std::string const& after, retry_policy const& policy, fault first,
                    std::optional<fault> second) {
        SCOPED_TRACE(op.name + std::string{", faults "} + std::to_string(static_cast<int>(first)) +
                     (second ? " and " + std::to_string(static_cast<int>(*second)) : "") + ", attempts " +
                     std::to_string(policy.attempts) + (policy.repeat_in_doubt ? ", repeating" : ""));
        auto const name = fresh_name();
        blob_container const clean{way_.clean(), name};
        auto const known = prepare(clean, op);
        auto const before = state_of(clean);
        way_.fail_next(first, 0);
        if (second) way_.fail_next(*second, 1);
        call_options call{.retry = policy, .clock = &way_.clock()};
        call.deadline = way_.clock().now() + way_.patience();
        auto const r = op.run(blob_container{way_.faulty(), name}, known, call);
        way_.stop_failing();
        check(r, before, after, state_of(clean), op.appends && policy.repeat_in_doubt);
        clean.delete_if_exists();
        ++count_;
    }

    static void check(result<void> const& r, std::string const& before, std::string const& after,
                      std::string const& state, bool may_be_twice) {
        bool const twice = may_be_twice && state.find("onetwotwo") != std::string::npos;
        if (r || r.error().outcome() == outcome::applied) {
            EXPECT_TRUE(state == after || twice) << state;
        } else if (r.error().outcome() == outcome::not_applied) {
            EXPECT_EQ(state, before) << r.error().what();
        } else {
            EXPECT_TRUE(state == before || state == after || twice) << state << ": " << r.error().what();
        }
    }

    faulty_way& way_;
    std::size_t count_ = 0;
};

}  // namespace

std::size_t try_every_fault_of_blobs(faulty_way& way) {
    blob_cases cases{way};
    for (auto const& op : operations_on_containers()) cases.try_all_faults(op);
    for (auto const& op : operations_on_blobs()) cases.try_all_faults(op);
    return cases.count();
}

}  // namespace tablemap::test
