// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "patterns/index_alignment.hpp"
#include "tablemap/detail/store/environment.hpp"
#include "tablemap/index_audit/index_audit.hpp"
#include "tablemap/store/stored_row.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The rows of indexes elsewhere one by one, for audits.
namespace tablemap::inline v0_1::detail {

/// A row elsewhere that may be wrong.
struct suspect {
    entity_key entity{};
    row_elsewhere place{};
    std::string_view index{};
    bool is_held = false;  ///< the index has it; else the entity implies it
};

/// Looks at rows elsewhere beside their entities, and repairs those that are wrong if that is wanted. All is borrowed.
class elsewhere_check {
public:
    elsewhere_check(index_relay_core const& relay, bool repairs, index_audit_options const& options,
                    environment const& env)
        : relay_(relay), repairs_(repairs), options_(options), env_(env) {}

    /// Looks at each of them, several at once, and again at those that seem wrong.
    task<> settle_all(std::vector<suspect> const& all);

    /// Counts and keeps a finding.
    void add(index_finding f);

    /// Ends the audit.
    void end_with(error const& e) {
        if (!fault) fault = e;
    }

    index_report report{};
    std::optional<error> fault{};    ///< ends the audit
    bool changed_something = false;  ///< or may have

private:
    /// The state of a row elsewhere beside its entity.
    enum class row_state : std::uint8_t { good, missing, differing, orphaned };

    request read_of(row_elsewhere const& row) const;
    request read_of(entity_key const& entity) const;
    row_state state_of(suspect const& s, response& row, response& base);
    bool is_alike(std::string& implied, std::string& held, entity_key const& key) const;

    task<> settle(suspect const& s);
    bool is_pending(std::string_view table, stored_entity const& row, suspect const& s) const;
    task<bool> has_intent_of(suspect const& s);
    task<bool> has_intent_in(std::string_view table, std::string_view partition, suspect const& s);
    task<> note(suspect const& s, row_state state);

    index_relay_core const& relay_;
    bool repairs_;
    index_audit_options const& options_;
    environment const& env_;
};

}  // namespace tablemap::detail
