// SPDX-License-Identifier: Apache-2.0
#include "mapping/plain_value.hpp"

#include "tablemap/detail/base/utf.hpp"
#include "tablemap/detail/wire/reader.hpp"
#include "tablemap/edm/limits.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace tablemap::inline v0_1::detail {
namespace {

/// The type of each number, from 1.
constexpr std::array types_by_number{edm_type::string, edm_type::boolean,  edm_type::int32, edm_type::int64,
                                     edm_type::real,   edm_type::datetime, edm_type::guid,  edm_type::binary};

template <class Word> void append_word(std::string& out, Word w) {
    for (std::size_t i = sizeof w; i-- > 0;) out.push_back(static_cast<char>(w >> (8 * i)));
}

template <class Word> std::optional<Word> word_of(std::string_view plain) {
    if (plain.size() != sizeof(Word)) return std::nullopt;
    Word w = 0;
    for (char const c : plain) w = static_cast<Word>(w << 8 | static_cast<unsigned char>(c));
    return w;
}

template <class V> library_errc check(V const&) { return nothing_wrong; }
library_errc check(std::string const& v) {
    auto const units = utf16_length(v);
    if (!units) return library_errc::invalid_text;
    return *units <= limits::string_units ? nothing_wrong : library_errc::value_too_large;
}
library_errc check(ticks v) { return v.storable() ? nothing_wrong : library_errc::value_out_of_range; }
library_errc check(bytes const& v) {
    return v.size() <= limits::binary_bytes ? nothing_wrong : library_errc::value_too_large;
}

template <class V> void append(std::string& out, V const& v) {
    if constexpr (std::same_as<V, std::string>)
        out += v;
    else if constexpr (std::same_as<V, bool>)
        out.push_back(static_cast<char>(v));
    else if constexpr (std::same_as<V, std::int32_t>)
        append_word(out, static_cast<std::uint32_t>(v));
    else if constexpr (std::same_as<V, std::int64_t>)
        append_word(out, static_cast<std::uint64_t>(v));
    else if constexpr (std::same_as<V, double>)
        append_word(out, std::bit_cast<std::uint64_t>(std::isnan(v) ? std::numeric_limits<double>::quiet_NaN() : v));
    else if constexpr (std::same_as<V, ticks>)
        append_word(out, static_cast<std::uint64_t>(v.count()));
    else if constexpr (std::same_as<V, guid>)
        out.append(reinterpret_cast<char const*>(v.bytes().data()), v.bytes().size());
    else
        out.append(reinterpret_cast<char const*>(v.data()), v.size());
}

template <class V> std::optional<V> value_from(std::string_view plain) {
    if constexpr (std::same_as<V, std::string>) {
        return utf16_length(plain) ? std::optional{std::string{plain}} : std::nullopt;
    } else if constexpr (std::same_as<V, bytes>) {
        auto const all = std::as_bytes(std::span{plain});
        return bytes{all.begin(), all.end()};
    } else if constexpr (std::same_as<V, bool>) {
        return plain.size() == 1 ? std::optional{plain.front() != '\0'} : std::nullopt;
    } else if constexpr (std::same_as<V, guid>) {
        std::array<std::uint8_t, 16> all;
        if (plain.size() != all.size()) return std::nullopt;
        std::memcpy(all.data(), plain.data(), all.size());
        return guid{all};
    } else if constexpr (std::same_as<V, std::int32_t>) {
        auto const word = word_of<std::uint32_t>(plain);
        return word ? std::optional{static_cast<std::int32_t>(*word)} : std::nullopt;
    } else {
        auto const word = word_of<std::uint64_t>(plain);
        if (!word) return std::nullopt;
        if constexpr (std::same_as<V, double>) return std::bit_cast<double>(*word);
        auto const number = static_cast<std::int64_t>(*word);
        if constexpr (std::same_as<V, ticks>)
            return ticks{number}.storable() ? std::optional{ticks{number}} : std::nullopt;
        else
            return static_cast<V>(number);
    }
}

template <class... V>
std::optional<property_value> value_of_type(edm_type t, std::string_view plain, std::variant<V...> const*) {
    std::optional<property_value> found;
    (..., [&] {
        if (edm_type_of<V>() != t) return;
        if (auto v = value_from<V>(plain)) found.emplace(std::in_place_type<V>, std::move(*v));
    }());
    return found;
}

/// Takes the value of the one property of an entity.
class value_sink final : public entity_sink {
public:
    explicit value_sink(edm_type t) : type_(t) {}

    bool begin() override { return true; }
    bool property(std::string_view, json_token const& t) override {
        value = value_of(t, type_);
        return true;
    }
    bool end() override { return true; }

    std::optional<property_value> value{};

private:
    edm_type type_;
};

}  // namespace

std::uint8_t number_of(edm_type t) noexcept {
    auto const at = std::find(types_by_number.begin(), types_by_number.end(), t);
    return static_cast<std::uint8_t>(at - types_by_number.begin() + 1);
}

std::optional<edm_type> type_of_number(std::uint8_t number) noexcept {
    if (number < 1 || number > types_by_number.size()) return std::nullopt;
    return types_by_number[number - 1];
}

template <edm_value V> library_errc append_plain(std::string& out, V const& v) {
    auto const fault = check(v);
    if (fault == nothing_wrong) append(out, v);
    return fault;
}
template library_errc append_plain(std::string&, std::string const&);
template library_errc append_plain(std::string&, bool const&);
template library_errc append_plain(std::string&, std::int32_t const&);
template library_errc append_plain(std::string&, std::int64_t const&);
template library_errc append_plain(std::string&, double const&);
template library_errc append_plain(std::string&, ticks const&);
template library_errc append_plain(std::string&, guid const&);
template library_errc append_plain(std::string&, bytes const&);

std::string plain_of(property_value const& v) {
    std::string out;
    std::visit([&](auto const& value) { append(out, value); }, v);
    return out;
}

result<std::string> plain_of_json(edm_type type, std::string_view text) {
    std::string json{"{\"v\":"};
    json += text;
    json += '}';
    value_sink sink{type};
    if (auto r = read_entity(json, sink); !r) return failure{std::move(r).error()};
    if (!sink.value) return fail(library_errc::type_mismatch);
    return plain_of(*sink.value);
}

std::optional<property_value> value_of_plain(edm_type type, std::string_view plain) {
    return value_of_type(type, plain, static_cast<property_value*>(nullptr));
}

}  // namespace tablemap::detail
