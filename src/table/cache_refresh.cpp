// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/table/cache_refresh.hpp"

#include "store/ask.hpp"
#include "tablemap/detail/read/read_rows.hpp"

#include <cstddef>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr std::size_t at_once = 16;

/// Takes the keys that a scan finds; those of rows that are new or were changed are kept.
class changed_keys final : public row_taker {
public:
    explicit changed_keys(stale_cache& c) : cache_(c), types_(c.types()) {}

    result<bool> take(query_state& from) override {
        for (;;) {
            auto there = from.take();
            if (!there || !*there) return there;
            auto* const e = current_of<dynamic_entity>(from);
            if (!e) return true;
            entity_key k{std::move(e->value.partition_key), std::move(e->value.row_key)};
            if (!is_of_others(k) && !cache_.keeps(k, e->etag)) keys.push_back(std::move(k));
        }
    }

    std::vector<entity_key> keys{};

private:
    /// True if the key shows another type. Types that a property tells apart are told apart when the entity is read.
    bool is_of_others(entity_key const& k) const {
        if (is_key_of_index(types_, k.row_key)) return true;
        return tag_of(types_).empty() && !is_row_of(types_, k.partition_key, k.row_key, {});
    }

    stale_cache& cache_;
    static_list<row_type const*> types_;
};

}  // namespace

task<result<void>> refresh(stale_cache& cache) {
    auto const call = co_await this_call();
    if (!cache.begin(call.env.now())) co_return result<void>{};
    auto const query = cache.keys();
    changed_keys changed{cache};
    auto scanned = co_await read_rows(*query, changed);
    if (!scanned) co_return scanned;

    auto const& table = cache.table();
    auto rows = co_await read_points(table.name, changed.keys, at_once);
    if (!rows) co_return failure{rows.error().in("find", table.name)};
    bool const may_be_others = !tag_of(cache.types()).empty();
    for (std::size_t i = 0; i < rows->size(); ++i) {
        auto& row = (*rows)[i];
        if (!row.ok()) continue;  // erased since its key was read
        auto const added = cache.add(std::move(changed.keys[i]), row.body);
        if (!added && may_be_others && added.error().code() == library_errc::another_type) continue;
        if (!added) co_return failure{added.error().in("find", table.name)};
    }
    cache.finish();
    co_return result<void>{};
}

}  // namespace tablemap::detail
