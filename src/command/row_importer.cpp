// SPDX-License-Identifier: Apache-2.0
#include "command/row_importer.hpp"

#include "tablemap/edm/names.hpp"
#include "tablemap/table/bulk_writer.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace tablemap::inline v0_1::command {
namespace {

/// An insert whose response was lost is tried again so often if its row is not there.
constexpr int most_rounds = 4;

constexpr std::size_t rows_of_trial = 200;

bool equal_values(property_value const& a, property_value const& b) {
    auto const* const x = std::get_if<double>(&a);
    auto const* const y = std::get_if<double>(&b);
    if (x && y && *x != *x && *y != *y) return true;
    return a == b;
}

/// The name of a property of `a` that `b` lacks, or has with another value.
std::string not_in(dynamic_entity const& a, dynamic_entity const& b) {
    for (auto const& p : detail::properties_of(a)) {
        auto const* const other = b.find(p.name);
        if (!other || !equal_values(p.value, *other)) return p.name;
    }
    return {};
}

row_result compared(dynamic_entity const& row, dynamic_entity const& stored) {
    auto const name = find_difference(row, stored);
    if (name.empty()) return {row_state::stored, true, {}};
    return {row_state::failed, true, "the table has another row of these keys, which differs in " + name};
}

bool may_be_there(bulk_problem const& p) {
    return p.state == row_state::in_doubt || p.error.code() == error_kind::already_exists;
}

}  // namespace

std::string find_difference(dynamic_entity const& a, dynamic_entity const& b) {
    auto const name = not_in(a, b);
    return name.empty() ? not_in(b, a) : name;
}

/// Writes the rows at these places.
///
/// \return those that may be there already
row_importer::places row_importer::send(std::span<dynamic_entity const> rows, places const& which,
                                        std::vector<row_result>& results) {
    bulk_options options;
    options.problems_kept = which.size();
    bulk_writer<dynamic_entity> writer{table_, std::move(options)};
    for (auto const at : which) {
        if (mode_ == write_mode::insert)
            writer.insert(rows[at]);
        else
            writer.upsert_replace(rows[at]);
    }
    auto const report = writer.finish();
    if (report.ended_by) throw *report.ended_by;
    for (std::size_t i = 0; i < which.size(); ++i) results[which[i]].state = report.ledger.state(i);
    places doubtful;
    for (auto const& p : report.problems) {
        auto const at = which[p.position];
        results[at].reason = p.error.what();
        if (may_be_there(p)) doubtful.push_back(at);
    }
    return doubtful;
}

/// Compares rows with those of the table.
///
/// \return those that are not there
row_importer::places row_importer::look(std::span<dynamic_entity const> rows, places const& which,
                                        std::vector<row_result>& results) const {
    std::vector<key_of<dynamic_entity>> keys;
    places asked, absent;
    for (auto const at : which) {
        // A key that no row can have is refused when its row is sent.
        bool const possible = check_key(rows[at].partition_key) && check_key(rows[at].row_key);
        (possible ? asked : absent).push_back(at);
        if (possible) keys.emplace_back(rows[at].partition_key, rows[at].row_key);
    }
    auto const found = table_.find_many(keys);
    for (std::size_t i = 0; i < asked.size(); ++i) {
        if (found[i])
            results[asked[i]] = compared(rows[asked[i]], found[i]->value);
        else
            absent.push_back(asked[i]);
    }
    return absent;
}

void row_importer::write_part(std::span<dynamic_entity const> rows, places which, std::vector<row_result>& results) {
    auto const count = which.size();
    bool const inserts = mode_ == write_mode::insert;
    std::size_t there = 0;
    auto const look_at = [&](places const& at) {
        auto absent = look(rows, at, results);
        there += at.size() - absent.size();
        return absent;
    };
    if (look_first_ && inserts) which = look_at(which);
    for (int round = 0; round < most_rounds && !which.empty(); ++round) {
        auto const doubtful = send(rows, which, results);
        if (!inserts) break;  // an upsert in doubt was repeated already
        which = doubtful.empty() ? places{} : look_at(doubtful);
    }
    if (count > 0) look_first_ = there * 10 > count;
}

std::vector<row_result> row_importer::write(std::span<dynamic_entity const> rows) {
    std::vector<row_result> results(rows.size());
    // A few rows show whether the others are there.
    auto const trial = std::exchange(tried_, true) ? rows.size() : std::min(rows.size(), rows_of_trial);
    for (auto const& [from, to] : {std::pair{std::size_t{0}, trial}, std::pair{trial, rows.size()}}) {
        places which(to - from);
        std::iota(which.begin(), which.end(), from);
        write_part(rows, std::move(which), results);
    }
    return results;
}

}  // namespace tablemap::inline v0_1::command
