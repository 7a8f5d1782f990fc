// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/read/find_many.hpp"

#include <algorithm>
#include <map>

namespace tablemap::inline v0_1::detail {

point_reads_operation::point_reads_operation(std::string_view table, std::vector<key> keys, std::size_t at_once)
    : table_(table), keys_(std::move(keys)), at_once_(std::max<std::size_t>(at_once, 1)) {}

point_reads_operation::~point_reads_operation() = default;

point_reads_operation::point_reads_operation(point_reads_operation&&) noexcept = default;

point_reads_operation& point_reads_operation::operator=(point_reads_operation&&) noexcept = default;

step point_reads_operation::start(environment const&) {
    asked_ = 0;
    answers_.clear();
    fault_.reset();
    return ask();
}

step point_reads_operation::ask() {
    requests_.clear();
    for (; asked_ < keys_.size() && requests_.size() < at_once_; ++asked_)
        requests_.emplace_back(get_entity{table_, keys_[asked_].partition_key, keys_[asked_].row_key});
    return requests_.empty() ? step::done() : step::send(requests_);
}

step point_reads_operation::resume(environment const&, std::span<response> answers) {
    for (auto& a : answers) {
        if (!a.ok() && a.failure->code() != service_errc::resource_not_found && !fault_) fault_ = *a.failure;
        answers_.push_back(std::move(a));
    }
    return fault_ ? step::done() : ask();
}

std::vector<std::size_t> make_unique_keys(std::vector<point_reads_operation::key>& keys) {
    std::map<point_reads_operation::key, std::size_t> known;
    std::vector<std::size_t> places;
    std::vector<point_reads_operation::key> unique;
    for (auto& k : keys) {
        auto const [at, is_new] = known.try_emplace(k, unique.size());
        if (is_new) unique.push_back(std::move(k));
        places.push_back(at->second);
    }
    keys = std::move(unique);
    return places;
}

}  // namespace tablemap::detail
