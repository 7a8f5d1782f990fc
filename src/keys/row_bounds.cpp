// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/keys/row_bounds.hpp"

#include "keys/member_values.hpp"
#include "tablemap/edm/names.hpp"

#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr char above_digits = '9' + 1;
constexpr char least_in_keys = ' ';

/// A position between the values of a part: before or after all keys that hold one value.
struct cut {
    part_value const* value;
    bool after;
};

/// Appends the position in the order of keys to `bound`, which holds the parts before. `last`: no part follows.
result<void> append_cut(std::string& bound, part_layout const& p, cut c, bool last) {
    bool const after = c.after != p.descending;
    if (p.form == part_form::digits) {
        auto const rank = rank_of(c.value->number, p.is_signed);
        bool const below = p.kind == part_kind::time ? static_cast<std::int64_t>(c.value->number) < 0 : rank < p.low;
        if (below || rank > p.high) {
            if (below == p.descending) bound += above_digits;
            return {};
        }
    }
    // A bound may be a number that its enumeration does not list.
    auto any = p;
    any.entries = nullptr;
    if (auto fault = append_part(bound, any, *c.value)) return failure{std::move(*fault)};
    if (auto r = check_key(bound); !r) return r;
    if (!after) return {};
    // Text at the end of a key is itself a key, and longer texts begin with it: only the next text lies after it. All
    // other parts end in a character of ASCII, so there is something above them.
    if (last && !ends_itself(p))
        bound += least_in_keys;
    else
        bound = end_of_prefix(bound).value();
    return {};
}

error prefix_holds_its_end(std::string_view member, std::string_view end) {
    return error{library_errc::key_part_does_not_fit,
                 {.reason = "the text holds, or ends with a beginning of, \"" + std::string{end} +
                            "\", the literal that ends this part of the key, so no one range holds its rows",
                  .member = std::string{member}}};
}

/// True if keys whose text ends within `prefix` could begin with it.
bool reaches_end(std::string_view prefix, std::string_view end) {
    if (prefix.find(end) != std::string_view::npos) return true;
    for (auto size = end.size() - 1; size > 0; --size)
        if (prefix.ends_with(end.substr(0, size))) return true;
    return false;
}

}  // namespace

result<void> make_key_range(key_range& out, static_list<part_layout> parts, void const* const* members, std::size_t at,
                            selection_kind kind, part_bounds bounds) {
    auto const count = parts.size();
    member_values values(count);
    if (auto r = values.take(parts, members); !r) return r;
    out.from.clear();
    if (auto r = append_parts(out.from, parts.data(), values.data(), count, at); !r) return r;
    if (kind == selection_kind::whole || kind == selection_kind::prefix) {
        if (kind == selection_kind::prefix) {
            std::string_view const begin = *static_cast<std::string const*>(bounds.low);
            auto const end = literal_after(parts.data(), count, at);
            if (!end.empty() && reaches_end(begin, end)) return failure{prefix_holds_its_end(parts[at].name, end)};
            if (auto fault = append_text_prefix(out.from, parts[at], begin)) return failure{std::move(*fault)};
        }
        out.one = at == count;
        if (!out.one) out.to = end_of_prefix(out.from);
        return out.one ? check_made_key(out.from, parts.data(), values.data(), count) : check_key(out.from);
    }
    auto const& p = parts[at];
    member_values ends(2);
    if (auto r = ends.take(p, 0, bounds.low); !r) return r;
    if (auto r = ends.take(p, 1, bounds.high); !r) return r;
    cut from{&ends[0], false}, to{&ends[1], kind == selection_kind::between};
    if (p.descending) std::swap(from, to);
    out.to = out.from;
    bool const last = at + 1 == count;
    if (auto r = append_cut(out.from, p, from, last); !r) return r;
    return append_cut(*out.to, p, to, last);
}

result<void> make_partition_keys(std::vector<std::string>& out, static_list<part_layout> all,
                                 void const* const* members, std::size_t spread_at) {
    member_values made(all.size());
    if (auto r = made.take(all, members); !r) return r;
    auto const count = all.size();
    auto const* const parts = all.data();
    auto const* const values = made.data();
    auto const buckets = spread_at < count ? parts[spread_at].buckets : 1;
    out.clear();
    for (std::uint64_t bucket = 0; bucket < buckets; ++bucket) {
        auto& key = out.emplace_back();
        if (auto r = append_parts(key, parts, values, count, spread_at); !r) return r;
        if (spread_at < count) {
            append_bucket(key, parts[spread_at], bucket);
            auto const after = spread_at + 1;
            if (auto r = append_parts(key, parts + after, values + after, count - after, count - after); !r) return r;
        }
        if (auto r = check_made_key(key, parts, values, count); !r) return r;
    }
    return {};
}

}  // namespace tablemap::detail
