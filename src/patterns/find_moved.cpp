// SPDX-License-Identifier: Apache-2.0
#include "store/ask.hpp"
#include "store/refusals.hpp"
#include "tablemap/detail/patterns/move_core.hpp"
#include "tablemap/detail/write/modify_row.hpp"

#include <cstdint>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

/// One run of `find_moved`. The rows are read in the order in which moves change them, so that none is missed: an
/// entity that had left its source when that was read is at its target, and if its mark is still there, so is the
/// trace.
class moved_look {
public:
    moved_look(move_look const& of, entity_key const& from, entity_key const& to, void* source, void* target)
        : of_(of), from_(from), to_(to), source_(source), target_(target) {}

    task<result<move_place>> run() {
        std::optional<guid> untraced;  // the move whose trace was not there
        bool was_nowhere = false;
        constexpr int most_looks = 10;  // so many moves may begin or end between the reads of one look
        for (int looks = 1; looks <= most_looks; ++looks) {
            auto const there = co_await read_source();
            if (!there) co_return failure{there.error()};
            if (*there == source_row::entity) co_return move_place::source;
            auto const otherwise = *there == source_row::tentative ? move_place::source : move_place::nowhere;
            auto found = co_await read(*of_.to_table, to_.partition_key, to_.row_key);
            if (is_absent(found)) {
                // It may have come back since the source was read.
                bool const may_be_back = of_.comes_back && *there == source_row::gone;
                if (!may_be_back || std::exchange(was_nowhere, true)) co_return otherwise;
                continue;
            }
            if (!found.ok()) co_return failure{*std::move(found.failure)};
            auto const mark = of_.read_target(found.body, target_, of_.to_table->cipher.get());
            if (!mark) co_return failure{mark.error()};
            if (!*mark) co_return move_place::target;
            if (*mark == untraced) co_return otherwise;
            auto const key = trace_key(**mark);
            auto const trace = co_await read(*of_.from_table, from_.partition_key, key);
            if (trace.ok()) co_return move_place::target;
            if (!is_absent(trace)) co_return failure{*trace.failure};
            untraced = *mark;
        }
        co_return fail(library_errc::too_many_conflicts,
                       {.reason = "moves began and ended between all reads; call it again later"});
    }

private:
    enum class source_row : std::uint8_t { gone, tentative, entity };

    task<result<source_row>> read_source() {
        auto found = co_await read(*of_.from_table, from_.partition_key, from_.row_key);
        if (is_absent(found)) co_return source_row::gone;
        if (!found.ok()) co_return failure{*std::move(found.failure)};
        auto const mark = of_.read_source(found.body, source_, of_.from_table->cipher.get());
        if (!mark) co_return failure{mark.error()};
        co_return *mark ? source_row::tentative : source_row::entity;
    }

    task<response> read(table_state const& table, std::string const& partition_key, std::string const& row_key) const {
        request const reading = get_entity{table.name, partition_key, row_key, {}, true};
        auto found = co_await ask(reading);
        co_return found;
    }

    move_look const& of_;
    entity_key const& from_;
    entity_key const& to_;
    void* source_;
    void* target_;
};

}  // namespace

result<void> check_tables(table_state const& from, table_state const& to) {
    if (from.store == to.store) return {};
    return fail(service_errc::invalid_input,
                {.reason = "entities move between tables of one store object; make both tables from that"});
}

std::string trace_key(guid const& move) { return std::string{trace_prefix} + move.text(); }

task<result<move_place>> find_moved(move_look look, result<entity_key> from, result<entity_key> to, void* source,
                                    void* target) {
    if (!from) co_return failure{std::move(from).error()};
    if (!to) co_return failure{std::move(to).error()};
    moved_look reading{look, *from, *to, source, target};
    auto place = co_await reading.run();
    co_return place;
}

}  // namespace tablemap::detail
