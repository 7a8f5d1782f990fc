// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/read/find_many.hpp"

#include "store/ask.hpp"

#include <algorithm>
#include <map>

namespace tablemap::inline v0_1::detail {

task<result<std::vector<response>>> read_points(std::string_view table, std::vector<entity_key> const& keys,
                                                std::size_t at_once) {
    std::vector<response> answers;
    answers.reserve(keys.size());
    while (answers.size() < keys.size()) {
        auto const end = answers.size() + std::clamp<std::size_t>(at_once, 1, keys.size() - answers.size());
        std::vector<request> reads;
        for (auto i = answers.size(); i < end; ++i)
            reads.emplace_back(get_entity{
                .table = table, .partition_key = keys[i].partition_key, .row_key = keys[i].row_key, .packed = true});
        auto some = co_await ask_all(reads);
        for (auto& a : some) {
            if (!a.ok() && a.failure->code() != service_errc::resource_not_found)
                co_return failure{*std::move(a.failure)};
            answers.push_back(std::move(a));
        }
    }
    co_return answers;
}

std::vector<std::size_t> make_unique_keys(std::vector<entity_key>& keys) {
    std::map<entity_key, std::size_t> known;
    std::vector<std::size_t> places;
    std::vector<entity_key> unique;
    for (auto& k : keys) {
        auto const [at, is_new] = known.try_emplace(k, unique.size());
        if (is_new) unique.push_back(std::move(k));
        places.push_back(at->second);
    }
    keys = std::move(unique);
    return places;
}

}  // namespace tablemap::detail
