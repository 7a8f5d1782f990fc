// SPDX-License-Identifier: Apache-2.0
#include "patterns/wide_rows.hpp"

#include "base/ascii.hpp"
#include "mapping/row_reader.hpp"
#include "tablemap/detail/base/utf.hpp"
#include "tablemap/edm/names.hpp"
#include "tablemap/mapping/decode.hpp"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr std::size_t row_digits = 2;

}  // namespace

std::string further_row_key(std::string_view row_key, std::size_t number) {
    std::string key{row_key};
    key += further_row_separator;
    key += static_cast<char>('0' + number / 10);
    key += static_cast<char>('0' + number % 10);
    return key;
}

std::string end_of_rows(std::string_view row_key) {
    std::string key{row_key};
    key += further_row_separator;
    key += static_cast<char>('9' + 1);
    return key;
}

wide_row_key split_row_key(std::string_view row_key) noexcept {
    auto const tail = further_row_separator.size() + row_digits;
    if (row_key.size() < tail) return {row_key};
    auto const end = row_key.substr(row_key.size() - tail);
    if (!end.starts_with(further_row_separator) || !is_digit(end[tail - 2]) || !is_digit(end[tail - 1]))
        return {row_key};
    auto const digit = [&](std::size_t at) { return static_cast<std::size_t>(end[at] - '0'); };
    auto const number = digit(tail - 2) * 10 + digit(tail - 1);
    if (number == 0) return {row_key};
    return {row_key.substr(0, row_key.size() - tail), number};
}

result<void> check_head(entity_key const& key) {
    if (split_row_key(key.row_key).number == 0) return {};
    return fail(library_errc::invalid_key,
                {.reason = "the row key '" + key.row_key +
                           "' ends in two blanks and a number, as only those of the further rows of wide entities may; "
                           "put a literal such as \"_\" before the last digits of the row key in the mapping"});
}

/// The properties of a row, whose type its row key tells.
struct wide_assembly::row {
    struct event {
        std::string_view name;
        json_token value{};
        std::string_view type{};
        bool is_annotation = false;
    };

    std::vector<event> events{};
    std::string_view partition_key{};
    std::string_view row_key{};
};

class wide_assembly::sink final : public entity_sink {
public:
    sink(wide_assembly& to, reading const& how) : to_(to), how_(how) { wants_annotations = true; }

    bool begin() override {
        row_.events.clear();
        row_.partition_key = row_.row_key = {};
        return true;
    }
    bool property(std::string_view name, json_token const& value) override {
        row_.events.push_back({.name = name, .value = value});
        if (value.kind != json_token_kind::text) return true;
        if (name == partition_key_name) row_.partition_key = value.text;
        if (name == row_key_name) row_.row_key = value.text;
        return true;
    }
    bool annotation(std::string_view name, std::string_view type) override {
        row_.events.push_back({.name = name, .type = type, .is_annotation = true});
        return true;
    }
    bool end() override {
        auto const taken = to_.take_row(row_, how_);
        return taken || stop(taken.error());
    }

private:
    wide_assembly& to_;
    reading const& how_;
    row row_{};
};

result<std::size_t> wide_assembly::take(std::string& page, page_bounds const& bounds) {
    reading const how{.cipher = needed_for(page, cipher_), .bounds = bounds};
    sink into{*this, how};
    return read_page(page, into);
}

result<void> wide_assembly::take_row(row const& r, reading const& how) {
    auto const [head, number] = split_row_key(r.row_key);
    if (number == 0) {
        if (last_head_ && compare_utf16(head, *last_head_) <= 0) return failure{rows_not_asked_for()};
        end();
        last_head_ = head;
        place_ = to_.add();
        open_ = wide_set{.key = {std::string{r.partition_key}, std::string{r.row_key}}};
        read_into_open(r, 0, how);
        return {};
    }
    // Without its head a row is that of an entity that was written after its head would have been read, or is gone.
    if (!open_ || open_->key.row_key != head || open_->key.partition_key != r.partition_key) return {};
    if (!open_->rows.empty() && number <= open_->rows.back()) return failure{rows_not_asked_for()};
    open_->rows.push_back(number);
    auto const& named = place_.object->stamps->in_head;
    if (open_->fault || number >= named.size() || !named[number]) return {};
    read_into_open(r, number, how);
    return {};
}

/// True for the stamp of a row that only a mapping with more rows has.
bool wide_assembly::names_stranger(std::string_view property) const {
    auto const named = std::find_if(stamp_names.begin() + 1, stamp_names.end(),
                                    [&](auto const& name) { return name.view() == property; });
    return named != stamp_names.end() && named - stamp_names.begin() >= std::ssize(type_.rows);
}

void wide_assembly::read_into_open(row const& r, std::size_t number, reading const& how) {
    etag other_etag;
    ticks other_time;
    bool const is_head = number == 0;
    row_target const to{place_.object, &emplace_nothing, is_head ? place_.etag : &other_etag,
                        is_head ? place_.timestamp : &other_time, place_.outdated};
    one_row_reader reader{to, static_list<row_type const*>{&type_.rows[number], 1}, how};
    bool good = reader.begin();
    for (auto const& e : r.events) {
        if (!good) break;
        if (is_head && names_stranger(e.name)) continue;
        good = e.is_annotation ? reader.annotation(e.name, e.type) : reader.property(e.name, e.value);
    }
    // Nothing of an entity that cannot be read is given to anybody; those beside it are.
    if (!good || !reader.end()) open_->fault = std::move(reader.failure);
}

void wide_assembly::end() {
    if (!open_) return;
    open_->together = are_together();
    ended_.push_back(*std::exchange(open_, std::nullopt));
}

bool wide_assembly::are_together() const {
    auto const& stamps = *place_.object->stamps;
    for (std::size_t i = 1; i < stamps.in_head.size(); ++i)
        if (stamps.in_head[i] != stamps.in_rows[i]) return false;
    return true;
}

}  // namespace tablemap::detail
