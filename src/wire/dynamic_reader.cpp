// SPDX-License-Identifier: Apache-2.0
#include "wire/dynamic_sink.hpp"

#include "tablemap/edm/names.hpp"

#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

std::optional<property_value> retype(property_value const& v, edm_type type) {
    if (type_of(v) == type) return v;
    if (auto const* text = std::get_if<std::string>(&v))
        return value_of({.kind = json_token_kind::text, .text = *text}, type);
    if (auto const* i = std::get_if<std::int32_t>(&v))
        return value_of({.kind = json_token_kind::integer, .integer = *i}, type);
    if (auto const* i = std::get_if<std::int64_t>(&v))
        return value_of({.kind = json_token_kind::integer, .integer = *i}, type);
    return std::nullopt;
}

}  // namespace

bool dynamic_sink::begin() {
    out_.emplace_back();
    names_.clear(), known_.clear();
    has_partition_key_ = has_row_key_ = false;
    return true;
}

bool dynamic_sink::take_heading(row_heading const& heading) {
    auto& e = out_.back();
    e.etag = etag::of(heading.stamp);
    e.partition_key = heading.partition_key;
    e.row_key = heading.row_key;
    e.timestamp = heading.stamp;
    has_partition_key_ = has_row_key_ = true;
    return true;
}

bool dynamic_sink::property(std::string_view name, json_token const& t) {
    auto& e = out_.back();
    auto const take_text = [&](auto f) {
        if (t.kind != json_token_kind::text) return mismatch(name);
        f(t.text);
        return true;
    };
    if (name == "odata.etag") return take_text([&](auto text) { e.etag = etag{std::string{text}}; });
    if (name == partition_key_name || name == row_key_name) {
        if (std::exchange(name == row_key_name ? has_row_key_ : has_partition_key_, true))
            return stop(
                error{library_errc::malformed_response, {.reason = "a key comes twice", .member = std::string{name}}});
        return take_text([&](auto text) { (name == row_key_name ? e.row_key : e.partition_key) = text; });
    }
    if (name == timestamp_name)
        return t.kind == json_token_kind::text && parse_ticks(t.text, e.timestamp) ? true : mismatch(name);
    auto& k = known(name);
    if (k.at)
        return stop(
            error{library_errc::malformed_response, {.reason = "a property comes twice", .member = std::string{name}}});
    auto v = value_of(t, k.type.value_or(guess_type(t)));
    if (!v) return mismatch(name);
    k.at = e.properties_.size();
    e.properties_.push_back({std::string{name}, std::move(*v)});
    return true;
}

bool dynamic_sink::annotation(std::string_view name, std::string_view type) {
    auto const t = edm_type_from_name(type);
    if (!t) return is_system_name(name) || mismatch(name);
    auto& k = known(name);
    k.type = t;
    if (!k.at) return true;
    auto& v = out_.back().properties_[*k.at].value;
    auto retyped = retype(v, *t);
    if (!retyped) return mismatch(name);
    v = std::move(*retyped);
    return true;
}

dynamic_sink::known_name& dynamic_sink::known(std::string_view name) {
    auto const number = names_.insert(name);
    if (number == known_.size()) known_.emplace_back();
    return known_[number];
}

bool dynamic_sink::mismatch(std::string_view name) {
    return stop(error{library_errc::type_mismatch,
                      {.reason = "the value does not have its declared type", .member = std::string{name}}});
}

result<stored_entity> read_dynamic(std::string& json) {
    std::vector<stored_entity> out;
    dynamic_sink sink{out};
    if (auto r = read_entity(json, sink); !r) return failure{std::move(r).error()};
    return std::move(out.front());
}

result<std::vector<stored_entity>> read_dynamic_page(std::string& json) {
    std::vector<stored_entity> out;
    dynamic_sink sink{out};
    if (auto r = read_page(json, sink); !r) return failure{std::move(r).error()};
    return out;
}

}  // namespace tablemap::detail
