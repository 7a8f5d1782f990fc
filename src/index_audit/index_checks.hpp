// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "index_tally.hpp"
#include "tablemap/index_audit/index_audit.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

/// Looking at one suspect at a time, and repairing it.
namespace tablemap::inline v0_1::detail {

/// The state that all checks of an audit share.
struct audit {
    audit(audit_scope s, audited_type const& t, bool repairing, index_audit_options o)
        : scope(std::move(s)), type(t), repairs(repairing), options(std::move(o)), tally(t.indexes) {}

    /// The rows that an entity implies. Errors: as `index_set::add_rows`.
    result<std::vector<index_row>> rows_of(stored_entity const& entity) const;

    void report(index_finding f);

    /// True if this row was not asked for before: each is reported once, no matter if an entity or the index itself
    /// leads to it. Forgets after very many.
    bool is_first_of(entity_key const& row);

    audit_scope scope;
    audited_type const& type;
    bool repairs;
    index_audit_options options;
    index_tally tally;
    index_report so_far{};
    std::optional<error> fault{};  ///< ends the whole
    bool changed = false;          ///< something, or may have
    std::unordered_set<std::uint64_t> known{};
};

/// An operation without I/O on one suspect: one request at a time.
class index_check {
public:
    enum class wish : std::uint8_t { nothing, read, write };

    virtual ~index_check() = default;

    wish wants() const noexcept { return wish_; }
    entity_key const& asked() const noexcept { return asked_; }
    std::string const& partition() const noexcept { return asked_.partition_key; }
    bool alone() const noexcept { return alone_; }

    /// Appends the writes of one group, with keys and bodies that live as long as the check does not change.
    virtual void add_writes(std::vector<write_operation>& to) = 0;

    void answered_read(response& answer);
    void answered_write(response const& answer);

    /// The group failed, maybe because of others in it.
    void separate() noexcept { alone_ = true; }

protected:
    explicit index_check(audit& all) : all_(all) {}

    void read(std::string partition_key, std::string row_key);
    void write() noexcept { wish_ = wish::write; }
    void finish() noexcept { wish_ = wish::nothing; }
    bool first_time() const noexcept { return tries_ == 0; }

    /// A row that was read, or that is not there.
    virtual void found(stored_entity e) = 0;
    virtual void found_nothing() = 0;

    virtual void written() = 0;
    virtual void in_doubt() = 0;               ///< then looks again
    virtual void refused(error const& e) = 0;  ///< it cannot be written like that
    virtual void look_again() = 0;

    /// False if it has been done too often.
    bool may_try_again();
    void try_again() {
        if (may_try_again()) look_again();
    }

    audit& all_;

private:
    entity_key asked_{};
    wish wish_ = wish::nothing;
    bool alone_ = false;
    int tries_ = 0;
};

/// Checks the rows that one entity implies in its indexes.
class entity_check final : public index_check {
public:
    entity_check(audit& all, stored_entity const& entity);

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
    enum class stage : std::uint8_t { rows, holder, confirming, again };

    void begin(stored_entity const& entity);
    void go_on();
    void compare(stored_entity const& row);
    void decide();
    void report_all(bool repaired, error const* why);
    bool is_reported(implied_row const& r);
    void report(implied_row const& r, bool repaired, error const* why);
    bool is_repairable(implied_row const& r) const noexcept {
        return r.fault == index_fault::missing || r.fault == index_fault::differing;
    }
    bool is_unique(implied_row const& r) const noexcept { return all_.type.indexes.list[r.row.index].unique; }

    void found(stored_entity e) override;
    void found_nothing() override;
    void written() override { report_all(true, nullptr); }
    void in_doubt() override;
    void refused(error const& e) override { report_all(false, &e); }
    void look_again() override;

    entity_key key_{};
    etag etag_{};
    std::string touch_{};
    std::vector<implied_row> rows_{};
    std::vector<implied_row> doubtful_{};  ///< may have been written
    std::size_t at_ = 0;
    stage stage_{};
};

/// A row of an index that perhaps no entity implies.
class orphan_check final : public index_check {
public:
    orphan_check(audit& all, stored_entity const& row);

    void add_writes(std::vector<write_operation>& to) override;

private:
    enum class stage : std::uint8_t { owner, confirming, again };

    void begin(stored_entity const& row);
    void decide();
    void report(index_fault what, bool repaired, error const* why);

    void found(stored_entity e) override;
    void found_nothing() override;
    void written() override { report(index_fault::orphaned, true, nullptr); }
    void in_doubt() override { doubtful_ = true; }
    void refused(error const& e) override { report(index_fault::orphaned, false, &e); }
    void look_again() override;

    entity_key key_{};
    etag etag_{};
    std::string owner_{};
    etag owner_etag_{};  ///< empty: there is none
    std::string touch_{};
    bool doubtful_ = false;
    stage stage_{};
};

}  // namespace tablemap::detail
