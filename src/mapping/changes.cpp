// SPDX-License-Identifier: Apache-2.0
#include "tablemap/mapping/changes.hpp"

#include "tablemap/mapping/property_cipher.hpp"

#include <algorithm>

namespace tablemap::inline v0_1::detail {

std::string_view text_of(encoded_state const& s, property_place const& p) noexcept {
    return std::string_view{s.entity.body}.substr(p.begin, p.end - p.begin);
}

std::string_view value_of(encoded_state const& s, property_place const& p) noexcept {
    return std::string_view{s.entity.body}.substr(p.value, p.end - p.value);
}

std::string_view name_of(encoded_state const& s, property_place const& p) noexcept {
    // The name is behind a comma and a quote; it contains neither a quote nor the start of an annotation.
    auto const text = text_of(s, p).substr(2);
    return text.substr(0, text.find_first_of("\"@"));
}

state_difference compare(encoded_state const& before, encoded_state const& after) {
    state_difference d;
    auto const count = before.places.size();
    std::vector<bool> found(count);
    // States of one type mostly have their properties in one order.
    std::size_t next = 0;
    for (auto const& p : after.places) {
        auto const name = name_of(after, p);
        std::size_t tried = 0;
        while (tried < count && name_of(before, before.places[next]) != name) {
            next = (next + 1) % count;
            ++tried;
        }
        // Plain bytes do not show their type, as most JSON does.
        bool const same = tried < count && before.places[next].how == p.how && before.places[next].type == p.type &&
                          text_of(before, before.places[next]) == text_of(after, p);
        if (tried < count) {
            found[next] = true;
            next = (next + 1) % count;
        }
        d.changed = d.changed || !same;
        if (!same || p.added) d.to_merge.push_back(p);
    }
    if (auto const gone = std::find(found.begin(), found.end(), false); gone != found.end())
        d.removed = name_of(before, before.places[static_cast<std::size_t>(gone - found.begin())]);
    return d;
}

bool have_same_keys(encoded_state const& a, encoded_state const& b) noexcept {
    return a.entity.partition_key == b.entity.partition_key && a.entity.row_key == b.entity.row_key;
}

result<void> append_place(std::string& out, encoded_state const& from, property_place const& p,
                          property_cipher const* cipher) {
    if (p.how == sealing::none) {
        out += text_of(from, p);
        return {};
    }
    return append_sealed(out, {from.entity.partition_key, from.entity.row_key}, name_of(from, p),
                         {p.type, value_of(from, p)}, p.how, cipher);
}

result<void> encode_places(encoded_state const& from, std::vector<property_place> const& places, encoded_entity& out,
                           property_cipher const* cipher) {
    out.partition_key = from.entity.partition_key;
    out.row_key = from.entity.row_key;
    out.body.clear();
    begin_entity(out.body, out.partition_key, out.row_key);
    for (auto const& p : places)
        if (auto r = append_place(out.body, from, p, cipher); !r) return r;
    return finish_entity(out, places.size());
}

result<bool> encode_difference(encoded_state const& before, encoded_state const& after, encoded_entity& out,
                               property_cipher const* cipher) {
    if (!have_same_keys(before, after))
        return fail(library_errc::key_changed,
                    {.reason = "the state to compare with has another key, and another key is another entity; insert "
                               "that one and erase the old one"});
    auto const d = compare(before, after);
    if (!d.removed.empty())
        return fail(library_errc::merge_cannot_remove,
                    {.reason = "the member was emptied, or an entry was erased, since the entity was read; replace the "
                               "entity instead, or use modify",
                     .member = std::string{d.removed}});
    if (!d.changed) {
        out.partition_key = after.entity.partition_key;
        out.row_key = after.entity.row_key;
        return false;
    }
    if (auto r = encode_places(after, d.to_merge, out, cipher); !r) return failure{std::move(r).error()};
    return true;
}

}  // namespace tablemap::detail
