// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/repository/find_many.hpp"
#include "tablemap/repository/query_range.hpp"
#include "tablemap/repository/table.hpp"
#include "tablemap/store/run.hpp"

#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tablemap {

/// A copy in memory of a small table that rarely changes, for reading.
///
/// What is read is at most `fresh_for` old. After that the next read revalidates the copy: it reads the keys and etags of all
/// rows, since the service has no conditional read, and then only the entities that are new or were changed. Other threads
/// wait for that. Where it fails the copy stays, and the read fails.
/// Round trips: none while fresh; to revalidate, those of `table::scan` with keys only, and one for each entity that changed.
/// Thread safety: all members may be called from any number of threads.
template <class T> class cached_table {
public:
    /// Nothing is read yet.
    explicit cached_table(table<T> source, std::chrono::nanoseconds fresh_for = std::chrono::seconds{30})
        : source_(std::move(source)), fresh_for_(fresh_for) {}

    /// The entity of a key, or nothing. Errors: those of `table::scan` and `table::find`.
    std::optional<entity<T>> find(key_of<T> const& key, call_options const& o = {}) {
        return value_or_throw(try_find(key, o));
    }
    result<std::optional<entity<T>>> try_find(key_of<T> const& key, call_options const& o = {}) {
        detail::point_reads_operation::key k;
        if (auto r = detail::encode_keys(key, k.partition_key, k.row_key); !r)
            return failure{r.error().in("find", source_.name())};
        auto const now = fresh(o);
        if (!now) return failure{now.error()};
        auto const at = (*now)->find(k);
        if (at == (*now)->end()) return std::optional<entity<T>>{};
        return std::optional<entity<T>>{at->second};
    }

    /// All entities, in the order of their keys as bytes. Errors: as `find`.
    std::vector<entity<T>> all(call_options const& o = {}) { return value_or_throw(try_all(o)); }
    result<std::vector<entity<T>>> try_all(call_options const& o = {}) {
        auto const now = fresh(o);
        if (!now) return failure{now.error()};
        std::vector<entity<T>> list;
        for (auto const& [keys, e] : **now) list.push_back(e);
        return list;
    }

    /// Makes the next read revalidate the copy, however fresh it is.
    void expire() {
        std::scoped_lock const lock{mutex_};
        fresh_until_.reset();
    }

private:
    using row_keys = detail::point_reads_operation::key;
    using rows = std::map<row_keys, entity<T>>;

    result<std::shared_ptr<rows const>> fresh(call_options const& o) {
        auto& clock = detail::table_operations<T>::clock_of(o);
        std::scoped_lock const lock{mutex_};
        if (!fresh_until_ || clock.now() >= *fresh_until_) {
            auto const asked = clock.now();
            if (auto r = revalidate(o); !r) return failure{std::move(r).error()};
            fresh_until_ = asked + std::chrono::duration_cast<time_point::duration>(fresh_for_);
        }
        return rows_;
    }

    result<void> revalidate(call_options const& o) {
        auto const& table = detail::table_access::state(source_);
        detail::query_state<dynamic_entity> keys{table.store, table.name, {}, o};
        if (auto where = detail::type_filter_of<T>()) keys.restrict(*std::move(where));
        keys.keys_only();
        auto next = std::make_shared<rows>();
        std::vector<row_keys> changed;
        for (;;) {
            if (auto r = keys.advance(); !r) return r;
            if (!keys.current) break;
            row_keys k{std::move(keys.current->value.partition_key), std::move(keys.current->value.row_key)};
            auto const known = rows_->find(k);
            if (known != rows_->end() && known->second.etag == keys.current->etag)
                next->insert(*known);
            else
                changed.push_back(std::move(k));
        }
        if (auto r = read(std::move(changed), *next, o); !r) return r;
        rows_ = std::move(next);
        return {};
    }

    result<void> read(std::vector<row_keys> changed, rows& to, call_options const& o) {
        auto const& table = detail::table_access::state(source_);
        detail::point_reads_operation reads{table.name, changed, at_once};
        auto answers = detail::run(*table.store, reads, o);
        if (!answers) return failure{answers.error().in("find", table.name)};
        for (std::size_t i = 0; i < changed.size(); ++i) {
            if (!(*answers)[i].ok()) continue;  // erased since its key was read
            entity<T> e;
            if (auto r = detail::decode_into((*answers)[i].body, e); !r)
                return failure{r.error().in("find", table.name)};
            to.emplace(std::move(changed[i]), std::move(e));
        }
        return {};
    }

    static constexpr std::size_t at_once = 16;

    table<T> source_;
    std::chrono::nanoseconds fresh_for_;
    std::mutex mutex_{};
    std::optional<time_point> fresh_until_{};
    std::shared_ptr<rows const> rows_ = std::make_shared<rows>();
};

}  // namespace tablemap
