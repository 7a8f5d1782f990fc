// SPDX-License-Identifier: Apache-2.0
#include "faults/blobs.hpp"

#include "faults/fault_case.hpp"
#include "support/without_value.hpp"

#include "tablemap/blob/blob_container.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace tablemap::test {
namespace {

/// An operation on a container with an append blob "log", a blob "known" of this etag and a block "1" staged for it.
struct blob_operation {
    char const* name;
    std::function<result<void>(blob_container const&, etag const&, call_options const&)> run;
    bool needs_container = true;
    bool appends = false;  ///< twice if it is carried out twice
};

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
        for (auto const& f : every_fault_case(way_.time_is_exact())) try_faults(op, after, f);
    }

private:
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
        blob_container const clean{way_.clean(), name_of_this_case()};
        auto const known = prepare(clean, op);
        EXPECT_TRUE(op.run(clean, known, {})) << op.name;
        auto const state = state_of(clean);
        clean.delete_if_exists();
        return state;
    }

    void try_faults(blob_operation const& op, std::string const& after, fault_case const& f) {
        SCOPED_TRACE(described(op.name, f));
        auto const name = name_of_this_case();
        blob_container const clean{way_.clean(), name};
        auto const known = prepare(clean, op);
        auto const before = state_of(clean);
        auto const run = [&](auto const& call) { return op.run(blob_container{way_.faulty(), name}, known, call); };
        auto const r = run_with_faults(way_, f, run);
        if (r) check(*r, before, after, state_of(clean), op.appends && f.policy.repeat_in_doubt);
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
