// SPDX-License-Identifier: Apache-2.0
#include "patterns/large_blobs.hpp"
#include "patterns/large_sources.hpp"
#include "patterns/large_values.hpp"
#include "store/ask.hpp"
#include "store/refusals.hpp"
#include "store/retry.hpp"
#include "store/task_group.hpp"
#include "tablemap/detail/base/utf.hpp"
#include "tablemap/detail/write/modify_row.hpp"
#include "tablemap/mapping/dynamic.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr int most_permits = 3;

error permit_was_taken() {
    return error{library_errc::too_many_conflicts,
                 {.reason = "a large_collector took the permit before the values were stored; give it a longer grace"}};
}

error not_loaded() {
    return error{library_errc::unsupported,
                 {.reason = "the value was not read, so it cannot be written with the entity; load() the entity first, "
                            "or merge other members"}};
}

/// A collector finds the names of blobs in rows.
error name_is_hidden() {
    return error{library_errc::unsupported,
                 {.reason = "table_options::encrypt chooses a large member, whose property names its blob; give the "
                            "member the type large<encrypted<...>>, and let the function leave it out"}};
}

/// A value that is stored in a blob.
struct stored_value {
    std::size_t at;  ///< its place among the parts that are written
    large_part part;
    std::string name;
    large_reference reference{};
};

std::vector<planned_part> to_plan(std::vector<large_part> const& parts) {
    std::vector<planned_part> all;
    all.reserve(parts.size());
    for (auto const& p : parts) all.push_back({p});
    return all;
}

/// True for a value that cannot be copied, now or later.
bool is_unreadable(error const& e) noexcept {
    return e.code() == library_errc::unknown_encryption_key || e.code() == library_errc::malformed_response;
}

/// One run of `write_large`.
class large_writing {
public:
    large_writing(large_state const& table, large_entity& e, large_writer& writer, task_call const& call)
        : table_(table),
          entity_(e),
          writer_(writer),
          call_(call),
          env_(call.env),
          written_(to_plan(writer.written())) {}

    task<result<void>> run() {
        if (!is_conditional(writer_.kind())) entity_.generate_key(env_.clock());
        auto key = entity_.key();
        if (!key) co_return failure{key.error()};
        key_ = *std::move(key);
        old_version_ = entity_.etag();
        for (int taken = 0, losses = 0;;) {
            auto const sent = co_await attempt();
            if (sent && *sent) co_return result<void>{};
            auto const why = sent ? permit_was_taken() : sent.error();
            if (used_source_ || (sent && ++taken == most_permits) || (!sent && !lost_)) co_return failure{why};
            if (sent) continue;
            auto const again = next_repetition(call_.policy, ++losses, env_);
            if (!again) co_return failure{why};
            co_await pause_until(*again);
        }
    }

private:
    /// False if a collector took the permit. Sets `lost_` if the error is that of a lost response, and nothing was
    /// applied nor will be.
    task<result<bool>> attempt() {
        permit_ = {};
        lost_ = false;
        if (auto r = plan(); !r) co_return failure{r.error()};
        if (!values_.empty()) {
            auto const stored = co_await store_values();
            if (!stored) co_return failure{stored.error()};
        }
        auto sent = co_await send();
        co_return sent;
    }

    // ---- the plan ---------------------------------------------------------------------------------------------------

    /// Decides about each value: it stays in its blob, it is stored in the row, or it is stored in a new blob.
    result<void> plan() {
        values_.clear();
        random_ = random_text();
        for (std::size_t i = 0; i < written_.size(); ++i)
            if (auto r = plan(i); !r) return failure{r.error().at(written_[i].part.member)};
        return {};
    }

    result<void> plan(std::size_t at) {
        auto& [part, text] = written_[at];
        auto const& cell = *part.cell;
        text.clear();
        if (stays(part)) {
            text = cell.in_blob->text();
            return {};
        }
        if (!cell.loaded && !cell.source && !part.is_copied) return failure{not_loaded()};
        if (cell.is_text() && !utf16_length(cell.content()))
            return fail(library_errc::invalid_text, {.reason = "the text is not valid UTF-8; use large<bytes>"});
        if (cell.loaded && !cell.is_encrypted() && cell.content().size() <= table_.options.inline_bytes)
            text = inline_property(cell.content(), cell.is_text());
        else
            values_.push_back({at, part, name_of(random_, values_.size())});
        return {};
    }

    /// True if the entity names the blob as long as it has the etag that this write demands.
    bool stays(large_part const& p) const {
        if (!is_conditional(writer_.kind()) || !p.cell->in_blob || p.cell->edited || old_version_.empty()) return false;
        return p.cell->origin == origin_of(table_, key_, old_version_, p.property);
    }

    // ---- permit and blobs -------------------------------------------------------------------------------------------

    task<result<void>> store_values() {
        auto folder = folder_of(table_.rows->name, key_);
        if (!folder) co_return failure{folder.error()};
        folder_ = *std::move(folder);
        if (auto r = choose_key(); !r) co_return r;
        if (auto r = rehearse(); !r) co_return r;
        auto const placed = co_await place_permit();
        if (!placed) co_return placed;
        for (std::size_t at = 0; at < values_.size(); at += table_.options.parallel) {
            task_group group;
            auto const end = std::min(values_.size(), at + table_.options.parallel);
            for (auto i = at; i < end; ++i) group.add(store(values_[i]));
            co_await group.all();
            if (!fault_) continue;
            if (is_unreadable(*fault_)) co_await give_up();
            co_return failure{fault_->with(outcome::not_applied)};
        }
        for (auto const& v : values_) written_[v.at].text = v.reference.text();
        co_return result<void>{};
    }

    /// Makes the row as it will be but for sizes and checksums, so that nothing is stored for a row that cannot be.
    result<void> rehearse() {
        auto const id = encryption_ ? encryption_->id() : std::string{};
        for (auto const& v : values_)
            written_[v.at].text = large_reference{v.name, most_large_bytes, std::string(64, '0'), id}.text();
        auto const write = encode();
        if (write.fault) return failure{*write.fault};
        return check_names(write);
    }

    encoded_write encode() {
        plans const put_in{written_};
        return writer_.encode(*table_.rows, env_.clock());
    }

    /// A collector finds names in rows as they are.
    result<void> check_names(encoded_write const& write) const {
        bool const is_part = writer_.leaves_out_unchanged() && write.kind == write_kind::merge;
        for (auto const& [part, text] : written_)
            if (text.starts_with('@') && !(is_part && stays(part)) &&
                !names(write.entity.body, text.substr(1, name_size)))
                return failure{name_is_hidden().at(part.member)};
        return {};
    }

    result<void> choose_key() {
        bool const needed =
            std::any_of(values_.begin(), values_.end(), [](auto& v) { return v.part.cell->is_encrypted(); });
        if (!needed) return {};
        auto const& keys = table_.rows->store->context().keys;
        if (!keys)
            return fail(library_errc::no_encryption_key,
                        {.reason = "the value is to be encrypted; open the store with keys"});
        auto current = keys->current();
        if (!current) return failure{current.error()};
        encryption_ = *std::move(current);
        return {};
    }

    /// A permit whose response was lost counts if it is there.
    task<result<void>> place_permit() {
        permit_key_ = permit_key(random_);
        dynamic_entity row{key_.partition_key, permit_key_};
        row.set("Entity", key_.row_key);
        row.set(permit_begun, ticks::now());
        encoded_entity permit;
        if (auto r = detail::encode(row, permit); !r) co_return r;
        request const what =
            write_entity{table_.rows->name, {write_kind::insert, key_.partition_key, permit_key_, permit.body, {}, {}}};
        auto const answer = co_await ask(what);
        permit_ = answer.etag;
        if (!answer.ok()) {
            if (answer.outcome() == outcome::not_applied) co_return failure{*answer.failure};
            request const look = get_entity{table_.rows->name, key_.partition_key, permit_key_, {}, true};
            auto const found = co_await ask(look);
            // A permit that is stored later has no transaction.
            lost_ = is_absent(found);
            if (!found.ok()) co_return failure{answer.failure->with(outcome::not_applied)};
            permit_ = found.etag;
        }
        if (!permit_.empty()) co_return result<void>{};
        co_return fail(library_errc::malformed_response, {.reason = "the store gave no etag of a row"});
    }

    task<> store(stored_value& v) {
        auto const& cell = *v.part.cell;
        large_place const where{table_.container, table_.rows->name, key_,          folder_,
                                v.name,           v.part.property,   cell.is_text()};
        auto const key = cell.is_encrypted() ? encryption_ : std::nullopt;
        if (v.part.is_copied)
            co_await copy_blob(v, where, key);
        else
            co_await store_content(v, where, key);
        v.reference.name = v.name;
    }

    task<> copy_blob(stored_value& v, large_place to, std::optional<encryption_key> key) {
        auto const what = *v.part.cell->in_blob;
        auto from = to;
        from.name = what.name;
        auto const* const keys = table_.rows->store->context().keys.get();
        auto stored = co_await store_anew(from, what, keys, to, std::move(key));
        if (stored && *stored)
            v.reference = **std::move(stored);
        else
            fault_ = (stored ? blob_is_gone() : stored.error()).at(v.part.member);
    }

    task<> store_content(stored_value& v, large_place where, std::optional<encryption_key> key) {
        auto& cell = *v.part.cell;
        text_source text{cell.content()};
        function_source streamed{std::exchange(cell.source, {})};
        large_source& from = cell.loaded ? static_cast<large_source&>(text) : streamed;
        used_source_ = used_source_ || !cell.loaded;
        auto stored = co_await store_value(where, std::move(key), from);
        if (stored)
            v.reference = *std::move(stored);
        else
            fault_ = stored.error().at(v.part.member);
    }

    // ---- the transaction --------------------------------------------------------------------------------------------

    /// False if a collector took the permit.
    task<result<bool>> send() {
        auto const write = encode();
        if (write.fault) co_return failure{*write.fault};
        if (write.needless) {
            settle(old_version_);
            co_return true;
        }
        if (auto r = check_names(write); !r) co_return failure{r.error()};
        std::array<write_operation, 2> const operations{write.operation(),
                                                        write_operation{.kind = write_kind::erase,
                                                                        .partition_key = key_.partition_key,
                                                                        .row_key = permit_key_,
                                                                        .if_match = permit_.text()}};
        request what = write_entity{table_.rows->name, operations.front()};
        if (!values_.empty()) what = transact{table_.rows->name, operations};
        auto answer = co_await ask(what);
        if (answer.ok()) {
            settle(answer.etags.empty() ? answer.etag : answer.etags.front());
            co_return true;
        }
        if (answer.outcome() == outcome::in_doubt) {
            auto const resolved = co_await resolve(*answer.failure);
            co_return resolved;
        }
        if (!values_.empty() && answer.failure->failed_index() == 1 && is_outdated(*answer.failure)) co_return false;
        if (!values_.empty() && is_overtaken(*answer.failure)) co_await give_up();
        co_return failure{without_place(*answer.failure)};
    }

    /// Removes what a refused write has stored, as far as that succeeds: a sweep removes the rest. Without the permit
    /// no request of this write can be carried out later, so no row will name the blobs.
    task<> give_up() {
        auto const barred = co_await erase_permit();
        if (!barred) co_return;
        for (auto const& v : values_) {
            auto const blob = folder_ + v.name;
            request const what = blob_request{delete_blob{.container = table_.container, .blob = blob}};
            auto const answer = co_await ask(what);
            if (!answer.ok() && answer.failure->code() != service_errc::blob_not_found) co_return;
        }
    }

    /// Finds out whether a write whose response was lost was carried out, and keeps it from being carried out later.
    task<result<bool>> resolve(error const& lost) {
        if (values_.empty()) co_return failure{without_place(lost)};
        auto const before = co_await is_written();
        if (!before) co_return failure{without_place(lost)};
        if (!*before) {
            auto const barred = co_await erase_permit();
            lost_ = barred;
            if (barred) co_return failure{without_place(lost).with(outcome::not_applied)};
            auto const after = co_await is_written();
            if (!after || !*after) co_return failure{without_place(lost)};
        }
        settle({});
        co_return true;
    }

    /// True if the entity names the blobs of this write.
    task<result<bool>> is_written() {
        request const what = get_entity{table_.rows->name, key_.partition_key, key_.row_key, {}, true};
        auto const row = co_await ask(what);
        if (is_absent(row)) co_return false;
        if (!row.ok()) co_return failure{*row.failure};
        co_return names(row.body, random_);
    }

    /// True if this call erased it, so that the transaction can never be carried out.
    task<bool> erase_permit() {
        request const what = write_entity{table_.rows->name,
                                          {.kind = write_kind::erase,
                                           .partition_key = key_.partition_key,
                                           .row_key = permit_key_,
                                           .if_match = permit_.text()}};
        auto const answer = co_await ask(what);
        co_return answer.ok();
    }

    /// The values are those of this version from now on.
    void settle(etag const& version) {
        auto const origin = [&](large_part const& p) { return origin_of(table_, key_, version, p.property); };
        for (auto const& p : entity_.parts()) p.cell->origin = stays(p) ? origin(p) : std::string{};
        for (auto const& [part, text] : written_)
            if (!text.starts_with('@')) part.cell->in_blob.reset();
        for (auto& v : values_) {
            v.part.cell->in_blob = std::move(v.reference);
            v.part.cell->origin = origin(v.part);
        }
        entity_.etag() = version;
    }

    large_state const& table_;
    large_entity& entity_;
    large_writer& writer_;
    task_call const& call_;
    environment const& env_;
    std::vector<planned_part> written_;
    entity_key key_{};
    tablemap::etag old_version_{};  ///< of the row whose values may stay where they are
    std::string random_{}, folder_{}, permit_key_{};
    etag permit_{};
    std::optional<encryption_key> encryption_{};
    std::vector<stored_value> values_{};  ///< those that get a blob
    bool used_source_ = false;            ///< nothing can be read from it again
    bool lost_ = false;                   ///< a response of this attempt was, and nothing was applied
    std::optional<error> fault_{};
};

}  // namespace

task<result<void>> write_large(large_state_ptr table, large_entity& e, large_writer& writer) {
    auto const call = co_await this_call();
    large_writing writing{*table, e, writer, call};
    auto const written = co_await writing.run();
    co_return written;
}

}  // namespace tablemap::detail
