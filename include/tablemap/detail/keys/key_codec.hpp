// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/keys/key_check.hpp"
#include "tablemap/detail/keys/key_members.hpp"
#include "tablemap/detail/keys/text.hpp"
#include "tablemap/keys/key.hpp"

#include <bit>
#include <string>
#include <string_view>
#include <utility>

/// Making keys from values and reading values back from keys, for a key template known at compile time.
namespace tablemap::detail {

// ---- values without their types -------------------------------------------------------------------------------------

/// The duration with room for every time that ticks count.
template <class D> using wide_duration = std::chrono::duration<std::int64_t, typename D::period>;

/// The count of ticks of a time; for a time beyond the years 1 to 9999, a count on the same side that no key holds.
template <class D> constexpr std::int64_t count_of_ticks(std::chrono::sys_time<D> t) noexcept {
    using std::chrono::floor;
    using wide = wide_duration<D>;
    auto const since = wide{static_cast<std::int64_t>(t.time_since_epoch().count())};
    if (since < floor<wide>(ticks{0}.time().time_since_epoch())) return -1;
    if (since > floor<wide>(ticks::max().time().time_since_epoch())) return ticks::max().count() + 1;
    return ticks{std::chrono::sys_time<wide>{since}}.count();
}

template <class V> inline constexpr bool is_optional_part = !std::same_as<V, part_type_of<V>>;

/// Precondition: the value is not empty.
template <class V> part_value part_value_of(V const& v) {
    part_value p;
    if constexpr (is_optional_part<V>)
        p = part_value_of(*v);
    else if constexpr (std::same_as<V, std::string>)
        p.text = v;
    else if constexpr (std::same_as<V, guid>)
        p.id = v;
    else if constexpr (std::same_as<V, double>)
        p.number = std::bit_cast<std::uint64_t>(v);
    else if constexpr (std::same_as<V, ticks>)
        p.number = static_cast<std::uint64_t>(v.count());
    else if constexpr (is_sys_time<V>)
        p.number = static_cast<std::uint64_t>(count_of_ticks(v));
    else if constexpr (std::is_enum_v<V>)
        p.number = static_cast<std::uint64_t>(number_of(v));
    else
        p.number = static_cast<std::uint64_t>(v);
    return p;
}

/// False if the time is no whole number of the duration's units, or if the duration cannot hold it.
template <class D> bool assign_time(std::chrono::sys_time<D>& to, ticks from) {
    auto const since =
        std::chrono::floor<std::chrono::duration<std::int64_t, typename D::period>>(from.time().time_since_epoch());
    if (!std::in_range<typename D::rep>(since.count())) return false;
    to = std::chrono::sys_time<D>{D{static_cast<typename D::rep>(since.count())}};
    return ticks{to} == from;
}

template <class V> bool assign_part(V& to, parsed_part& from) {
    if constexpr (std::same_as<V, std::string>) {
        if (from.is_decoded)
            to = std::move(from.decoded);
        else
            to = from.text;
    } else if constexpr (std::same_as<V, guid>) {
        to = from.id;
    } else if constexpr (std::same_as<V, double>) {
        to = std::bit_cast<double>(from.number);
    } else if constexpr (std::same_as<V, ticks>) {
        to = ticks{static_cast<std::int64_t>(from.number)};
    } else if constexpr (is_sys_time<V>) {
        return assign_time(to, ticks{static_cast<std::int64_t>(from.number)});
    } else {
        to = static_cast<V>(from.number);
    }
    return true;
}

/// A part's value: a literal's text, or what `get` gives for the member.
template <class Part, class Get> part_value value_of_part(Part const& p, Get const& get) {
    if constexpr (is_literal_part<Part>) {
        part_value literal;
        literal.text = p.view();
        return literal;
    } else {
        return part_value_of(get(source_of(p)));
    }
}

/// The literals of a key in the places of its parts; empty for the others.
template <class... Parts>
constexpr std::array<std::string_view, sizeof...(Parts)> literals_of(key_template<Parts...> const& key) {
    auto const text = []<class Part>(Part const& p) -> std::string_view {
        if constexpr (is_literal_part<Part>)
            return p.view();
        else
            return {};
    };
    std::array<std::string_view, sizeof...(Parts)> literals{};
    [&]<std::size_t... I>(std::index_sequence<I...>) { (..., (literals[I] = text(std::get<I>(key.parts)))); }
    (std::index_sequence_for<Parts...>{});
    return literals;
}

template <auto const& Key> inline constexpr auto literals_in = literals_of(Key);
template <auto const& Key> inline constexpr key_outline outline_of{literals_in<Key>, Key.layouts};

// ---- writing and reading --------------------------------------------------------------------------------------------

/// Makes a key. `get(member_part)` gives a member's value. Errors: `library_errc::key_part_does_not_fit`,
/// `library_errc::invalid_key`, `library_errc::key_too_large`, with the member at fault where there is one.
template <class... Parts, class Get>
result<void> make_key(std::string& out, key_template<Parts...> const& k, Get const& get) {
    part_value values[sizeof...(Parts)];
    [&]<std::size_t... I>(std::index_sequence<I...>) { (..., (values[I] = value_of_part(std::get<I>(k.parts), get))); }
    (std::index_sequence_for<Parts...>{});
    return make_key_text(out, k.layouts.data(), values, sizeof...(Parts));
}

template <class Part> void put_literal(part_value& to, Part const& p) {
    if constexpr (is_literal_part<Part>) to.text = p.view();
}

template <class Part, class Set>
bool assign_to_member(Part const& p, part_layout const& layout, parsed_part& from, Set const& set) {
    if constexpr (is_readable_part<Part>)
        return layout.same_as != no_earlier_part || assign_part(set(p), from);
    else
        return true;
}

/// Reads a key. `set(member_part)` gives the place for a member's value, which is assigned only if the whole key can be
/// read. Errors: `library_errc::unreadable_key`, with the member at fault where there is one.
template <class... Parts, class Set>
result<void> read_key(std::string_view text, key_template<Parts...> const& k, Set const& set) {
    std::array<parsed_part, sizeof...(Parts)> values;
    return [&]<std::size_t... I>(std::index_sequence<I...>)->result<void> {
        (..., put_literal(values[I], std::get<I>(k.parts)));
        if (auto r = read_key_text(text, k.layouts.data(), values.data(), sizeof...(Parts)); !r) return r;
        std::size_t good = 0;
        static_cast<void>(
            ((assign_to_member(std::get<I>(k.parts), k.layouts[I], values[I], set) ? (++good, true) : false) && ...));
        if (good < sizeof...(Parts)) return failure{part_unreadable(k.layouts[good].name)};
        return {};
    }
    (std::index_sequence_for<Parts...>{});
}

// ---- generated parts ------------------------------------------------------------------------------------------------

template <class Part> constexpr bool may_be_generated() {
    if constexpr (is_readable_part<Part>)
        return std::same_as<typename Part::value_type, guid>;
    else
        return false;
}

template <class Part, class T, class MakeGuid>
void fill_generated_part(T& value, part_layout const& layout, MakeGuid const& make) {
    if constexpr (may_be_generated<Part>()) {
        auto& id = value.*Part::member;
        if (layout.generated && id == guid{}) id = make();
    }
}

/// Replaces nil guids in parts that are `.generated()` by what `make()` returns.
template <class T, class... Parts, class MakeGuid>
void fill_generated(T& value, key_template<Parts...> const& k, MakeGuid const& make) {
    if constexpr ((may_be_generated<Parts>() || ...)) {
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            (..., fill_generated_part<Parts>(value, k.layouts[I], make));
        }
        (std::index_sequence_for<Parts...>{});
    }
}

}  // namespace tablemap::detail
