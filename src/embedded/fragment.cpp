// SPDX-License-Identifier: Apache-2.0
#include "embedded/fragment.hpp"

#include "embedded/refusal.hpp"
#include "tablemap/detail/wire/row_codec.hpp"
#include "wire/text_stop.hpp"

#include "tablemap/detail/base/utf.hpp"
#include "tablemap/edm/dynamic_entity.hpp"
#include "tablemap/edm/limits.hpp"

#include <algorithm>
#include <vector>

namespace tablemap::inline v0_1::detail::embedded {
namespace {

constexpr std::string_view annotation_suffix = "@odata.type";

[[noreturn]] void damaged() {
    refuse(store_errc::corrupt, "a stored row is not what this store writes: restore a backup of the file");
}

edm_type type_of_token(std::string_view token) noexcept {
    if (token.front() == '"') return edm_type::string;
    if (token.front() == 't' || token.front() == 'f') return edm_type::boolean;
    return token.find_first_of(".e") == std::string_view::npos ? edm_type::int32 : edm_type::real;
}

/// The UTF-16 length of a JSON string between its quotes: an escape stands for one unit.
std::size_t units_of_json(std::string_view text) noexcept {
    std::size_t units = utf16_length(text).value_or(text.size());
    for (auto at = text.find('\\'); at != std::string_view::npos;) {
        std::size_t const length = at + 1 < text.size() && text[at + 1] == 'u' ? 6 : 2;
        units -= length - 1;
        at = text.find('\\', at + length);
    }
    return units;
}

std::size_t bytes_of_base64(std::string_view text) noexcept {
    auto const padding = text.ends_with("==") ? 2u : text.ends_with('=') ? 1u : 0u;
    return text.size() / 4 * 3 - padding;
}

}  // namespace

// --- reading ---------------------------------------------------------------------------------------------------------

void fragment_reader::take(char c) {
    if (left_.empty() || left_.front() != c) damaged();
    left_.remove_prefix(1);
}

std::string_view fragment_reader::take_name() {
    take('"');
    auto const end = left_.find('"');
    if (end == std::string_view::npos) damaged();
    auto const name = left_.substr(0, end);
    left_.remove_prefix(end + 1);
    take(':');
    return name;
}

std::string_view fragment_reader::take_value() {
    if (left_.empty()) damaged();
    std::size_t end = 0;
    if (left_.front() == '"') {
        auto const* const last = left_.data() + left_.size();
        auto stop = find_text_stop(left_.data() + 1, last);
        while (last - stop.at > 1 && *stop.at == '\\') stop = find_text_stop(stop.at + 2, last);
        if (stop.at == last || *stop.at != '"') damaged();
        end = static_cast<std::size_t>(stop.at + 1 - left_.data());
    } else {
        end = std::min(left_.find(','), left_.size());
        if (end == 0) damaged();
    }
    auto const value = left_.substr(0, end);
    left_.remove_prefix(end);
    return value;
}

bool fragment_reader::next(fragment_property& p) {
    if (left_.empty()) return false;
    char const* const begin = left_.data();
    take(',');
    p.name = take_name();
    bool const annotated = p.name.ends_with(annotation_suffix);
    if (annotated) {
        auto const quoted = take_value();
        auto const type = quoted.size() < 2 ? std::nullopt : edm_type_from_name(quoted.substr(1, quoted.size() - 2));
        if (!type) damaged();
        p.type = *type;
        take(',');
        p.name = take_name();
    }
    p.value = take_value();
    if (!annotated) p.type = type_of_token(p.value);
    p.whole = {begin, static_cast<std::size_t>(left_.data() - begin)};
    return true;
}

std::size_t property_size(fragment_property const& p) {
    std::size_t units = 0;
    if (p.type == edm_type::string || p.type == edm_type::binary) {
        if (p.value.size() < 2) damaged();
        auto const inner = p.value.substr(1, p.value.size() - 2);
        units = p.type == edm_type::string ? units_of_json(inner) : bytes_of_base64(inner);
    }
    return 8 + 2 * utf16_length(p.name).value_or(p.name.size()) + value_size(p.type, units);
}

// --- projecting and merging ------------------------------------------------------------------------------------------

void append_selected(std::string& out, std::string_view fragment, std::span<std::string_view const> select) {
    fragment_reader reader{fragment};
    for (fragment_property p; reader.next(p);)
        if (std::find(select.begin(), select.end(), p.name) != select.end()) out += p.whole;
}

std::string merge_fragments(std::string_view stored, std::string_view changes, std::size_t key_units) {
    struct change : fragment_property {
        bool used = false;
    };
    std::vector<change> changed;
    fragment_reader new_ones{changes};
    for (change c; new_ones.next(c);) changed.push_back(c);

    std::string out;
    out.reserve(stored.size() + changes.size());
    std::size_t size = 4 + 2 * key_units;
    std::size_t count = 0;
    auto const add = [&](fragment_property const& p) {
        out += p.whole;
        size += property_size(p);
        ++count;
    };
    fragment_reader old_ones{stored};
    for (fragment_property p; old_ones.next(p);) {
        auto const at = std::find_if(changed.begin(), changed.end(), [&](auto& c) { return c.name == p.name; });
        if (at == changed.end()) {
            add(p);
        } else {
            at->used = true;
            add(*at);
        }
    }
    for (auto const& c : changed)
        if (!c.used) add(c);
    check_entity_limits(size, count);
    return out;
}

}  // namespace tablemap::detail::embedded
