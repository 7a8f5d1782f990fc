// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "index_audit/index_tally.hpp"
#include "tablemap/detail/store/environment.hpp"
#include "tablemap/detail/write/single_request.hpp"
#include "tablemap/index_audit/index_audit.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

/// Looking at one suspect at a time, and repairing it.
namespace tablemap::inline v0_1::detail {

/// The state that all checks of an audit share.
struct audit {
    audit(table_state const& of, audited_type const& t, bool repairing, index_audit_options o)
        : table(of), type(t), repairs(repairing), options(std::move(o)), tally(t.indexes) {}

    property_cipher const* cipher() const noexcept { return table.cipher.get(); }

    /// The rows that an entity implies. Errors: as `index_set::add_rows`.
    result<std::vector<index_row>> rows_of(stored_entity const& entity) const;

    /// Reads a row. Nothing if it is not there, or if the whole ends. The keys are borrowed.
    task<std::optional<stored_entity>> read(std::string_view partition_key, std::string_view row_key);

    void report(index_finding f);

    /// True if this row was not asked for before: each is reported once, no matter if an entity or the index itself
    /// leads to it. Forgets after very many.
    bool is_first_of(entity_key const& row);

    /// Ends the whole once no request is under way.
    void end_with(error const& e) {
        if (!fault) fault = e;
    }

    table_state const& table;
    audited_type const& type;
    bool repairs;
    index_audit_options options;
    environment const* env = nullptr;  ///< once it runs
    index_tally tally;
    index_report so_far{};
    std::optional<error> fault{};  ///< ends the whole
    bool changed = false;          ///< something, or may have
    std::unordered_set<std::uint64_t> known{};
};

/// A row that is suspect, and the repair of what is found.
class index_check {
public:
    virtual ~index_check() = default;

    /// True at first, and again after a repair that was not applied because something had changed.
    bool needs_look() const noexcept { return needs_look_; }

    /// Reads what shows if there is a fault, and ends with a repair to be written, or with nothing left to do. A fault
    /// that is not to be repaired is reported, once the row was read again and had not changed. After a repair that was
    /// not applied it waits a random time before.
    task<> look();

    bool has_repair() const noexcept { return has_repair_; }

    /// Appends the writes of the repair, one group, with keys and bodies that live until it is answered.
    virtual void add_writes(std::vector<write_operation>& to) = 0;

    /// Takes the response to the repair.
    void answered(response const& answer);

    /// The group failed, maybe because of others in it.
    void separate() noexcept { alone_ = true; }
    bool alone() const noexcept { return alone_; }

protected:
    explicit index_check(audit& all) : all_(all) {}

    bool is_first_look() const noexcept { return tries_ == 0; }

    virtual void begin(stored_entity const& row) = 0;
    virtual task<bool> find_fault() = 0;
    virtual bool make_repair() = 0;  ///< false if nothing can be repaired
    virtual void report_repaired() = 0;
    virtual void report_unrepaired(error const* why) = 0;
    virtual void note_doubt() = 0;  ///< the repair may have been written
    virtual void note_absence() = 0;

    audit& all_;
    entity_key key_{};
    etag etag_{};

private:
    bool may_try_again();
    void look_again_after(error const& met);

    bool needs_look_ = true;
    bool has_repair_ = false;
    bool alone_ = false;
    int tries_ = 0;
    time_point began_{};
    std::optional<time_point> again_at_{};
};

/// Checks the rows that one entity implies in its indexes.
class entity_check final : public index_check {
public:
    entity_check(audit& all, stored_entity const& entity) : index_check(all) { begin(entity); }

    void add_writes(std::vector<write_operation>& to) override;

private:
    struct implied_row {
        index_row row;
        row_digest digest{};
        std::optional<index_fault> fault{};
        etag stored{};  ///< of the row that is there
        std::optional<row_digest> held{};
        std::optional<error> why{};
    };

    void begin(stored_entity const& entity) override;
    task<bool> find_fault() override;
    task<> compare(implied_row& r);
    task<> examine_difference(implied_row& r, stored_entity const& held);
    void report_what_was_repaired();

    bool make_repair() override;
    void report_repaired() override { report_all(true, nullptr); }
    void report_unrepaired(error const* why) override { report_all(false, why); }
    void note_doubt() override;
    void note_absence() override {}

    void report_all(bool repaired, error const* why);
    bool is_reported(implied_row const& r);
    void report(implied_row const& r, bool repaired, error const* why);
    bool is_repairable(implied_row const& r) const noexcept {
        return r.fault == index_fault::missing || r.fault == index_fault::differing;
    }
    bool is_unique(implied_row const& r) const noexcept { return all_.type.indexes.list[r.row.index].unique; }

    std::string touch_{};
    std::vector<implied_row> rows_{};
    std::vector<implied_row> doubtful_{};  ///< may have been written
};

/// A row of an index that perhaps no entity implies.
class orphan_check final : public index_check {
public:
    orphan_check(audit& all, stored_entity const& row) : index_check(all) { begin(row); }

    void add_writes(std::vector<write_operation>& to) override;

private:
    void begin(stored_entity const& row) override;
    task<bool> find_fault() override;
    bool make_repair() override;
    void report_repaired() override { report(index_fault::orphaned, true, nullptr); }
    void report_unrepaired(error const* why) override { report(index_fault::orphaned, false, why); }
    void note_doubt() override { doubtful_ = true; }
    void note_absence() override;

    void report(index_fault what, bool repaired, error const* why);

    std::optional<std::string> owner_{};  ///< nothing: the row names no entity
    etag owner_etag_{};                   ///< empty: the owner is not there
    std::string touch_{};
    bool doubtful_ = false;
};

}  // namespace tablemap::detail
