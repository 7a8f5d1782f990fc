// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/read/find_many.hpp"
#include "tablemap/read/query_range.hpp"
#include "tablemap/table/table.hpp"

#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1::detail {

/// The copy that a cached table holds, and how long it may be used. Shared by all who read it.
template <class T> class cache_state {
public:
    using key = point_reads_operation::key;
    using rows = std::map<key, entity<T>>;

    cache_state(table<T> source, std::chrono::nanoseconds fresh_for)
        : source_(std::move(source)), fresh_for_(fresh_for) {}

    table<T> const& source() const noexcept { return source_; }

    /// The rows, if they are fresh.
    std::shared_ptr<rows const> fresh(time_point now) const {
        std::scoped_lock const lock{mutex_};
        return fresh_until_ && now < *fresh_until_ ? rows_ : nullptr;
    }

    /// The rows, however old.
    std::shared_ptr<rows const> last() const {
        std::scoped_lock const lock{mutex_};
        return rows_;
    }

    /// Rows that were read by a call that began at `asked`.
    void store(std::shared_ptr<rows const> read, time_point asked) {
        std::scoped_lock const lock{mutex_};
        rows_ = std::move(read);
        fresh_until_ = asked + std::chrono::duration_cast<time_point::duration>(fresh_for_);
    }

    void expire() {
        std::scoped_lock const lock{mutex_};
        fresh_until_.reset();
    }

private:
    table<T> source_;
    std::chrono::nanoseconds fresh_for_;
    mutable std::mutex mutex_{};
    std::optional<time_point> fresh_until_{};
    std::shared_ptr<rows const> rows_ = std::make_shared<rows>();
};

/// Yields the rows of a cached table: those at hand if they are fresh. Else it reads the keys and etags of all rows,
/// and then the entities that are new or were changed.
template <class T> class cache_refresh_operation {
    using cache = cache_state<T>;
    using key = typename cache::key;
    using rows = typename cache::rows;

public:
    using value_type = std::shared_ptr<rows const>;

    explicit cache_refresh_operation(std::shared_ptr<cache> c) : cache_(std::move(c)) {}

    step start(environment const& env) {
        asked_ = env.now();
        if (auto at_hand = cache_->fresh(asked_)) {
            result_ = std::move(at_hand);
            return step::done();
        }
        known_ = cache_->last();
        next_ = std::make_shared<rows>();
        auto const& table = table_internals::state(cache_->source());
        keys_ = std::make_shared<query_state>(table.store, table.name, keys_of_scan<T>(), env.options(), nullptr,
                                              entity_rows<dynamic_entity>);
        if (auto where = type_filter_of<T>()) keys_->restrict(*std::move(where));
        keys_->keys_only();
        if (auto r = keys_->open(); !r) return fail_with(std::move(r).error());
        return compare(env);
    }

    step resume(environment const& env, std::span<response> answers) {
        if (reads_) {
            auto const next = reads_->resume(env, answers);
            return next.what() == step::kind::done ? finish() : next;
        }
        auto const next = keys_->pages().resume(env, answers);
        return next.what() == step::kind::done ? after_page(env) : next;
    }

    result<value_type> take() { return std::move(*result_); }

private:
    /// Sorts the keys at hand into known and changed ones.
    step compare(environment const& env) {
        for (;;) {
            auto const there = keys_->take();
            if (!there) return fail_with(there.error());
            if (!*there) {
                auto const next = keys_->pages().start(env);
                return next.what() == step::kind::done ? after_page(env) : next;
            }
            auto* const e = current_of<dynamic_entity>(*keys_);
            if (!e) return read_changed(env);
            key k{std::move(e->value.partition_key), std::move(e->value.row_key)};
            if (is_key_of_index(entity_rows<T>.types, k.row_key) || is_of_others(k)) continue;
            auto const known = known_->find(k);
            if (known != known_->end() && known->second.etag == e->etag)
                next_->insert(*known);
            else
                changed_.push_back(std::move(k));
        }
    }

    /// True if the key shows another type. Types that a property tells apart are told apart when the entity is read.
    static bool is_of_others(key const& k) {
        auto const types = entity_rows<T>.types;
        return tag_of(types).empty() && !is_row_of(types, k.partition_key, k.row_key, {});
    }

    step after_page(environment const& env) {
        auto const more = keys_->pages().take();
        return more ? compare(env) : fail_with(keys_->explain_error(more.error()));
    }

    step read_changed(environment const& env) {
        reads_.emplace(cache_->source().name(), changed_, at_once);
        auto const next = reads_->start(env);
        return next.what() == step::kind::done ? finish() : next;
    }

    step finish() {
        if (reads_->fault()) return fail_with(reads_->fault()->in("find", cache_->source().name()));
        for (std::size_t i = 0; i < changed_.size(); ++i) {
            if (!reads_->answer(i).ok()) continue;  // erased since its key was read
            entity<T> e;
            auto const r =
                decode_into(reads_->answer(i).body, e, table_internals::state(cache_->source()).cipher.get());
            if (!r && !tag_of(entity_rows<T>.types).empty() && r.error().code() == library_errc::another_type) continue;
            if (!r) return fail_with(r.error().in("find", cache_->source().name()));
            next_->emplace(std::move(changed_[i]), std::move(e));
        }
        cache_->store(next_, asked_);
        result_ = value_type{next_};
        return step::done();
    }

    step fail_with(error e) {
        result_ = failure{std::move(e)};
        return step::done();
    }

    static constexpr std::size_t at_once = 16;

    std::shared_ptr<cache> cache_;
    time_point asked_{};
    value_type known_{};
    std::shared_ptr<rows> next_{};
    std::vector<key> changed_{};
    std::shared_ptr<query_state> keys_{};
    std::optional<point_reads_operation> reads_{};
    std::optional<result<value_type>> result_{};
};

/// The row of a key in what a cache holds.
template <class T>
std::optional<entity<T>> find_in(typename cache_state<T>::rows const& rows, point_reads_operation::key const& k) {
    auto const at = rows.find(k);
    return at == rows.end() ? std::nullopt : std::optional<entity<T>>{at->second};
}

template <class T> std::vector<entity<T>> list_of(typename cache_state<T>::rows const& rows) {
    std::vector<entity<T>> list;
    list.reserve(rows.size());
    for (auto const& [keys, e] : rows) list.push_back(e);
    return list;
}

}  // namespace tablemap::detail
