// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/mapping/index_check.hpp"
#include "tablemap/detail/write/operations.hpp"
#include "tablemap/detail/write/write_encoder.hpp"
#include "tablemap/store/modify.hpp"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

/// Writes of entities that have rows in indexes. The stored entity is read first, to know which rows to erase, then
/// those rows of unique indexes that have to be changed or erased, so that no row of another entity is touched (see
/// `companion`). The entity and all of its rows are written in one group transaction under the etags that were read. An
/// insert reads nothing.
namespace tablemap::inline v0_1::detail {

/// The rows that have to be written beside an entity: those that only the encoded entity `stored` implies are erased,
/// those that are new or differ are written. Rows of unique indexes may have to be read before. `stored` is null if
/// there was none. It and the body may grow in capacity. Errors: as for reading the entities, and those of
/// `index_set::add_rows`.
result<std::vector<companion>> plan_index_rows(write_kind kind, std::string& body, std::string* stored,
                                               index_set const& indexes, property_cipher const* cipher);

/// Adds these rows to an edited entity.
result<void> keep_indexes(edited_entity& e, std::string* stored, index_set const& indexes,
                          property_cipher const* cipher);

/// The form in which a write of an entity is sent, with its companions.
struct write_plan {
    write_kind kind{};
    std::string if_match{};
    std::vector<companion> companions{};
};

/// True if the stored entity has to be read first.
inline bool needs_read(encoded_write const& w) noexcept { return w.indexes && w.kind != write_kind::insert; }

/// True if the user named no version: after a conflict the entity is read again, and the write planned again.
inline bool is_of_any_version(encoded_write const& w) noexcept {
    return w.if_match == any_etag || w.kind == write_kind::upsert_replace || w.kind == write_kind::upsert_merge;
}

/// True if the write may be repeated after a lost response, whatever is stored then. An erase may not: it could erase
/// an entity that somebody inserted since.
inline bool may_be_repeated(encoded_write const& w) noexcept {
    return is_of_any_version(w) && w.kind != write_kind::erase;
}

/// Plans a write; rows of unique indexes may have to be read before. `read` is the response to `get_entity`; null if
/// none is needed. The bodies may grow in capacity, the cipher may be null. Errors: that of the read;
/// `service_errc::entity_already_exists`, `resource_not_found` and `update_condition_not_satisfied` as the store would
/// answer; those of `plan_index_rows`.
result<write_plan> plan_write(encoded_write& w, response* read, property_cipher const* cipher);

/// A write of an entity as the editor of a `modify_operation`; it gives the etag.
class index_keeper {
public:
    using value_type = etag;

    /// The cipher, which may be null, is borrowed.
    index_keeper(encoded_write w, property_cipher const* cipher) : write_(std::move(w)), cipher_(cipher) {}

    result<bool> edit(response& read, environment const& env, edited_entity& write);
    result<void> create(response* read, environment const& env, edited_entity& write);
    etag finish(etag&& stored) { return std::move(stored); }
    etag unchanged() { return {}; }

private:
    encoded_write write_;
    property_cipher const* cipher_;
};

/// A write of an entity with rows in indexes; `Finish` is told of it as of a single write.
template <class Finish> class indexed_write {
public:
    using value_type = finished_value<Finish>;

    indexed_write(std::shared_ptr<table_state const> table, std::string_view action, encoded_write w, Finish finish)
        : table_(std::move(table)),
          action_(action),
          fault_(w.fault),
          needless_(w.needless),
          op_(make_operation(*table_, std::move(w))),
          finish_(std::move(finish)) {}

    step start(environment const& env) { return fault_ || needless_ ? step::done() : op_.start(env); }
    step resume(environment const& env, std::span<response> answers) { return op_.resume(env, answers); }

    result<value_type> take() {
        if (fault_) return failure{fault_->in(action_, table_->name)};
        response answer;
        if (!needless_) {
            auto stored = op_.take();
            if (stored)
                answer.etag = std::move(*stored);
            else
                answer.failure = std::move(stored).error();
        }
        auto r = finished(finish_, answer);
        if (!r) r = failure{r.error().in(action_, table_->name)};
        return r;
    }

    store_ptr const& store() const noexcept { return table_->store; }
    operation_label label() const noexcept { return {action_, table_->name}; }

private:
    static modify_operation<index_keeper> make_operation(table_state const& t, encoded_write w) {
        edit_rules const rules{.when_absent = w.kind == write_kind::insert ? absence::expected : absence::an_insert,
                               .repeated = may_be_repeated(w)     ? repetition::after_losses
                                           : is_of_any_version(w) ? repetition::after_conflicts
                                                                  : repetition::never,
                               .remedy = call_again_remedy};
        std::string partition_key = w.entity.partition_key, row_key = w.entity.row_key;
        return {t.name, std::move(partition_key), std::move(row_key), index_keeper{std::move(w), t.cipher.get()}, {},
                rules};
    }

    std::shared_ptr<table_state const> table_;
    std::string_view action_;
    std::optional<error> fault_;
    bool needless_;
    modify_operation<index_keeper> op_;
    Finish finish_;
};

}  // namespace tablemap::detail
