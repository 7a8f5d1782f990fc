// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/base/static_list.hpp"
#include "tablemap/detail/read/find_many.hpp"
#include "tablemap/read/query_range.hpp"
#include "tablemap/table/table.hpp"

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1::detail {

/// The copy that a cached table holds, and how long it may be used. Shared by all who read it.
template <class T> class cache_state {
public:
    using rows = std::map<entity_key, entity<T>>;

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

/// A cache whose rows are read again.
class stale_cache {
public:
    /// Begins, unless the rows at hand are fresh.
    virtual bool begin(time_point now) = 0;

    /// True if the row at hand is this one: it is taken over.
    virtual bool keeps(entity_key const& key, etag const& e) = 0;

    /// Adds a row that was read. It may grow in capacity. Errors: those of the row.
    virtual result<void> add(entity_key&& key, std::string& row) = 0;

    /// Replaces the rows at hand.
    virtual void finish() = 0;

    virtual table_state const& table() const noexcept = 0;
    virtual static_list<row_type const*> types() const noexcept = 0;

    /// The query of all rows, which yields their keys and etags.
    virtual std::shared_ptr<query_state> keys() const = 0;

protected:
    ~stale_cache() = default;
};

/// Reads the keys and etags of all rows, and then the entities that are new or were changed; nothing while the rows at
/// hand are fresh. The cache is borrowed.
task<result<void>> refresh(stale_cache& cache);

/// The rows of a cache, as they are read again.
template <class T> class refreshed_rows final : public stale_cache {
    using rows = typename cache_state<T>::rows;

public:
    explicit refreshed_rows(cache_state<T>& c) : cache_(c) {}

    std::shared_ptr<rows const> get() const noexcept { return known_; }

    bool begin(time_point now) override {
        asked_ = now;
        known_ = cache_.fresh(now);
        if (known_) return false;
        known_ = cache_.last();
        return true;
    }
    bool keeps(entity_key const& key, etag const& e) override {
        auto const known = known_->find(key);
        if (known == known_->end() || known->second.etag != e) return false;
        next_->insert(*known);
        return true;
    }
    result<void> add(entity_key&& key, std::string& row) override {
        entity<T> e;
        if (auto r = decode_into(row, e, table().cipher.get()); !r) return r;
        next_->emplace(std::move(key), std::move(e));
        return {};
    }
    void finish() override {
        known_ = std::move(next_);
        cache_.store(known_, asked_);
    }

    table_state const& table() const noexcept override { return table_internals::state(cache_.source()); }
    static_list<row_type const*> types() const noexcept override { return entity_rows<T>.types; }
    std::shared_ptr<query_state> keys() const override {
        auto const& t = table();
        auto query = std::make_shared<query_state>(t.store, t.name, keys_of_scan<T>(), call_options{}, nullptr,
                                                   entity_rows<dynamic_entity>);
        if (auto where = type_filter_of<T>()) query->restrict(*std::move(where));
        query->keys_only();
        return query;
    }

private:
    cache_state<T>& cache_;
    time_point asked_{};
    std::shared_ptr<rows const> known_{};
    std::shared_ptr<rows> next_ = std::make_shared<rows>();
};

/// The rows of a cached table: those at hand if they are fresh, else read again.
template <class T>
task<result<std::shared_ptr<typename cache_state<T>::rows const>>> fresh_rows(std::shared_ptr<cache_state<T>> cache) {
    refreshed_rows<T> rows{*cache};
    auto const good = co_await refresh(rows);
    if (!good) co_return failure{good.error()};
    co_return rows.get();
}

/// The row of a key in what a cache holds.
template <class T> std::optional<entity<T>> find_in(typename cache_state<T>::rows const& rows, entity_key const& k) {
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
