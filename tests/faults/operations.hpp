// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/async.hpp"
#include "tablemap/bulk/bulk_ledger.hpp"
#include "tablemap/table/table.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

/// The operations that the fault suite tries. One more is one more row in one of the lists.
namespace tablemap::test {

struct worker {
    std::string department{};
    std::int32_t id{};
    std::string name{};
    std::int32_t age{};
    std::optional<std::string> email{};
};

}  // namespace tablemap::test

template <> struct tablemap::mapping<tablemap::test::worker> {
    static constexpr auto partition_key = key(part<&test::worker::department>);
    static constexpr auto row_key = key("w_", part<&test::worker::id>.width(4));
};

namespace tablemap::test {

using worker_entity = entity<worker>;

/// The stage of one case: a table that nobody else uses, seen through two ways to its store.
struct stage {
    stage(store_ptr clean_way, store_ptr faulty_way, std::string table_name, bool tokens);

    store_ptr clean;
    store_ptr faulty;
    std::string name;
    bool operation_ids;
    tablemap::table<worker> table;        ///< by the faulty way
    async_table<worker> async;            ///< by the faulty way
    tablemap::table<worker> clean_table;  ///< by the clean way
    worker_entity known{};                ///< as set-up read it
    call_options options{};
};

/// The result that an operation reported to its caller.
struct seen {
    std::optional<error> failure{};
    std::string value{};                      ///< of a success: to be the same whatever happened on the way
    std::map<std::string, etag> etags{};      ///< that it returned, by "partition/row"
    std::map<std::string, row_state> rows{};  ///< if it reported them, by "partition/row"
};

/// An operation's means of handling a write whose response was lost.
enum class after_loss {
    repeats,    ///< the write can be sent again, whether or not it was applied
    by_token,   ///< with operation ids: whether it was applied
    by_itself,  ///< the rows tell if it was applied
    nothing,
};

struct operation_under_test {
    std::string name;
    after_loss knows;
    std::function<seen(stage&)> run;
    std::function<seen(stage&)> run_async{};  ///< empty: only the blocking form is tried
    std::function<void(stage&)> set_up{};     ///< empty: a table of a few workers
    bool looks_itself = false;                ///< asks once more after a failure even where nothing is retried
    bool once_only = false;                   ///< not sent again after a lost response, unless the policy says so
    bool in_pieces = false;                   ///< several writes, of which some may be applied: in doubt then

    friend void PrintTo(operation_under_test const& o, std::ostream* out) { *out << o.name; }
};

using operation_list = std::vector<operation_under_test>;

operation_list table_operations();
operation_list reads();
operation_list conditional_writes();
operation_list unconditional_writes();
operation_list groups();
operation_list bulk_writes();
operation_list indexed_writes();

/// All of them.
operation_list const& operations();

/// A table of five workers in Sales and one elsewhere, of whom the first in Sales is known.
void set_up_workers(stage& s);

}  // namespace tablemap::test
