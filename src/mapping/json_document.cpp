// SPDX-License-Identifier: Apache-2.0
#include "tablemap/mapping/converters/json_document.hpp"

#include "tablemap/detail/wire/json_value.hpp"

namespace tablemap::inline v0_1 {

result<json_document> json_document::parse(std::string text) {
    if (auto const tree = detail::parse_json(text); !tree) return failure{tree.error()};
    json_document d;
    d.text_ = std::move(text);
    return d;
}

json_document json_document::from_checked(std::string_view text) {
    json_document d;
    d.text_ = text;
    return d;
}

std::string converter<json_document>::to_property(json_document const& v) { return v.text(); }
result<json_document> converter<json_document>::from_property(std::string const& v) { return json_document::parse(v); }

}  // namespace tablemap
