// SPDX-License-Identifier: Apache-2.0
#include "tablemap/index_audit/index_audit.hpp"

#include "index_audit/index_settling.hpp"
#include "store/ask.hpp"
#include "tablemap/detail/query/cursor.hpp"
#include "tablemap/detail/store/page_progress.hpp"
#include "tablemap/detail/wire/reader.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

namespace tablemap::inline v0_1 {

std::string_view index_fault_name(index_fault f) noexcept {
    constexpr std::array<std::string_view, 5> names{"missing", "differing", "orphaned", "held_twice", "unreadable"};
    return names[static_cast<std::size_t>(f)];
}

namespace detail {
namespace {

std::uint64_t hash_of(audit const& all) {
    query_hash h;
    h.add("indexes").add(all.table.name);
    for (auto const& i : all.type.indexes.list) h.add(i.name).add(i.row_prefix);
    return h.value();
}

// The marks that a resume point has for the partition that it names, before the row if there is one: the partition is
// to be added up; its entities, or its rows of indexes, were looked at up to this row; it is done.
constexpr char no_mark = 0, entities_mark = 'e', rows_mark = 'r', done_mark = 'd';

/// A place in a partition that an earlier run reached.
struct place {
    char mark = entities_mark;
    std::string row{};
};

/// One run of `audit_indexes`.
class index_audit {
public:
    index_audit(table_state const& table, std::vector<std::string> partitions, audited_type const& type, bool repairs,
                index_audit_options options)
        : all_(table, type, repairs, std::move(options)), partitions_(std::move(partitions)) {}

    task<result<index_report>> run() {
        auto const call = co_await this_call();
        all_.env = &call.env;
        if (auto const r = find_beginning(); !r) co_return failure{r.error()};
        if (partitions_.empty()) {
            key_bounds const rest{.from = from_partition_, .from_inclusive = !skips_partition_};
            co_await add_up(rest);
        } else {
            co_await add_up_partitions();
        }
        if (all_.fault) co_return failure{all_.changed ? all_.fault->with(outcome::in_doubt) : *all_.fault};
        notify({});
        co_return std::move(all_.so_far);
    }

private:
    /// The pages of a query. The bounds are borrowed.
    struct reading {
        key_bounds partition{};
        key_bounds row{};
        std::optional<continuation> next{};
        page_progress progress{};
    };

    // ---- the beginning, and the resume point ------------------------------------------------------------------------

    result<void> find_beginning() {
        if (all_.options.resume.empty()) return {};
        auto ranges = read_cursor(all_.options.resume, hash_of(all_), 1);
        if (!ranges) return failure{std::move(ranges).error()};
        if (!ranges->front().page || !by_partition())
            return fail(library_errc::invalid_cursor, {.reason = "it is none of this operation"});
        auto& page = *ranges->front().page;
        auto const found = std::find(partitions_.begin(), partitions_.end(), page.partition_key);
        if (!partitions_.empty() && found == partitions_.end())
            return fail(library_errc::invalid_cursor, {.reason = "it is of a partition that is not asked for"});
        first_ = static_cast<std::size_t>(found - partitions_.begin());
        from_partition_ = std::move(page.partition_key);
        if (!page.row_key) return {};
        auto const mark = page.row_key->empty() ? no_mark : page.row_key->front();
        if (mark != entities_mark && mark != rows_mark && mark != done_mark)
            return fail(library_errc::invalid_cursor, {.reason = "it is none of this operation"});
        skips_partition_ = mark == done_mark;
        if (!skips_partition_) resumed_at_ = {mark, page.row_key->substr(1)};
        return {};
    }

    std::string resume_point(char mark, std::string_view row) const {
        if (!by_partition() || !part_) return {};
        continuation at{*part_, std::nullopt};
        if (mark != no_mark) at.row_key = std::string{mark}.append(row);
        return write_cursor(hash_of(all_), {cursor_range{.page = std::move(at)}});
    }

    void notify(std::string resume) {
        if (all_.options.progress) all_.options.progress({all_.so_far, std::move(resume)});
    }

    /// A store without order is read as one partition.
    bool by_partition() const { return !partitions_.empty() || all_.table.store->capabilities().ordered_results; }

    // ---- adding up --------------------------------------------------------------------------------------------------

    task<> add_up_partitions() {
        for (auto at = first_; at < partitions_.size() && !all_.fault; ++at) {
            if (at > first_) {
                part_ = partitions_[at];
                notify(resume_point(no_mark, {}));
            } else if (skips_partition_) {
                continue;
            }
            auto const asked = key_bounds::exactly(partitions_[at]);
            co_await add_up(asked);
        }
    }

    /// Adds up the rows of a query, partition by partition.
    task<> add_up(key_bounds const& partitions) {
        reading pages{.partition = partitions};
        do {
            auto page = co_await read_page(pages);
            if (!page) co_return all_.end_with(page.error());
            for (auto& row : *page) {
                if (by_partition() && part_ != row.partition_key) {
                    if (part_) co_await end_partition();
                    if (all_.fault) co_return;
                    part_ = row.partition_key;
                }
                add(row);
                if (all_.fault) co_return;
            }
            if (pages.next) notify(resume_point(no_mark, {}));
        } while (pages.next);
        co_await end_partition();
    }

    task<result<std::vector<stored_entity>>> read_page(reading& from) {
        request const what =
            query_page{.table = all_.table.name,
                       .partition = from.partition,
                       .row = from.row,
                       .top = std::clamp<std::size_t>(all_.options.page_rows, 1, limits::page_entities),
                       .from = from.next ? &*from.next : nullptr,
                       .current = true};
        auto answer = co_await ask(what);
        if (!answer.ok()) co_return failure{*std::move(answer.failure)};
        auto page = read_dynamic_page(answer.body);
        if (!page) co_return failure{std::move(page).error()};
        if (auto stuck = from.progress.stuck_at(answer.next, page->empty(), all_.env->options()))
            co_return failure{*std::move(stuck)};
        from.next = std::move(answer.next);
        co_return page;
    }

    bool is_entity(stored_entity const& row) const {
        auto const& types = all_.type.entities;
        return std::any_of(types.begin(), types.end(), [&](auto* t) {
            return has_literals(t->partition_parts, row.partition_key) && has_literals(t->row_parts, row.row_key);
        });
    }

    bool is_index_row(stored_entity const& row) const {
        return all_.tally.index_at(row.row_key) < all_.type.indexes.list.size();
    }

    void add(stored_entity const& row) {
        if (is_index_row(row)) {
            ++all_.so_far.index_rows;
            return all_.tally.held({row.partition_key, row.row_key}, digest_of(row, all_.cipher()));
        }
        if (!is_entity(row)) return;
        auto implied = all_.rows_of(row);
        if (!implied) {
            if (implied.error().code() != library_errc::another_type)
                all_.report(
                    {index_fault::unreadable, {row.partition_key, row.row_key}, {}, {}, false, implied.error()});
            return;
        }
        ++all_.so_far.entities;
        for (auto& r : *implied) {
            auto const content = read_dynamic(r.entity.body);
            if (!content) return all_.end_with(content.error());
            all_.tally.implied({r.entity.partition_key, r.entity.row_key}, digest_of(*content, all_.cipher()));
        }
    }

    // ---- looking for what did not add up ----------------------------------------------------------------------------

    task<> end_partition() {
        if (!all_.tally.in_step()) {
            co_await look_closer();
            if (all_.fault) co_return;
            notify(resume_point(done_mark, {}));
            all_.known.clear();
        }
        all_.tally.clear();
        part_.reset();
    }

    /// Reads the partition again, or the rest of it that an earlier run has left.
    task<> look_closer() {
        place from;
        if (resumed_at_ && part_ == from_partition_) from = *resumed_at_;
        resumed_at_.reset();
        if (from.mark == entities_mark) {
            co_await check_rows(from);
            // A difference of the sums that no entity explains comes from rows that no entity implies.
            if (all_.fault || all_.tally.in_step()) co_return;
            from = {rows_mark};
            notify(resume_point(rows_mark, {}));
        }
        co_await check_rows(from);
    }

    /// Checks the entities of the partition, or its rows of indexes, behind a place.
    task<> check_rows(place const& from) {
        reading pages;
        if (part_) pages.partition = key_bounds::exactly(*part_);
        if (!from.row.empty()) pages.row = {.from = from.row, .from_inclusive = false};
        auto last = from.row;
        do {
            auto const page = co_await read_page(pages);
            if (!page) co_return all_.end_with(page.error());
            auto suspects = suspects_in(*page, from.mark);
            if (all_.fault) co_return;
            co_await settle(all_, std::move(suspects));
            if (all_.fault) co_return;
            if (!page->empty()) last = page->back().row_key;
            if (pages.next) notify(resume_point(from.mark, last));
        } while (pages.next);
    }

    std::vector<std::unique_ptr<index_check>> suspects_in(std::vector<stored_entity> const& page, char mark) {
        std::vector<std::unique_ptr<index_check>> suspects;
        for (auto const& row : page) {
            bool const of_index = is_index_row(row);
            if (mark == rows_mark && of_index && all_.tally.suspects({row.partition_key, row.row_key}))
                suspects.push_back(std::make_unique<orphan_check>(all_, row));
            else if (mark == entities_mark && !of_index && is_entity(row))
                suspects.push_back(std::make_unique<entity_check>(all_, row));
            if (all_.fault) break;
        }
        return suspects;
    }

    audit all_;
    std::vector<std::string> partitions_;          ///< that are asked for; none: all
    std::size_t first_ = 0;                        ///< of them
    std::optional<std::string> part_{};            ///< the partition that is added up
    std::optional<std::string> from_partition_{};  ///< the first partition to read
    bool skips_partition_ = false;                 ///< it was done before
    std::optional<place> resumed_at_{};            ///< in it
};

task<result<index_report>> run_audit(result<std::unique_ptr<index_audit>> what) {
    if (!what) co_return failure{std::move(what).error()};
    auto report = co_await (*what)->run();
    co_return report;
}

}  // namespace

task<result<index_report>> audit_indexes(table_state const& table, result<std::vector<std::string>> partitions,
                                         audited_type const& type, bool repairs, index_audit_options options) {
    if (!partitions) return run_audit(failure{std::move(partitions).error()});
    return run_audit(std::make_unique<index_audit>(table, *std::move(partitions), type, repairs, std::move(options)));
}

}  // namespace detail
}  // namespace tablemap
