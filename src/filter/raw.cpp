// SPDX-License-Identifier: Apache-2.0
#include "tablemap/filter/raw.hpp"

#include "tablemap/filter/parse.hpp"

#include <utility>

namespace tablemap::inline v0_1 {

void detail::tablemap_Q3_the_filter_needs_exactly_one_value_for_each_placeholder() {}

property_value detail::text_value(std::string_view text) { return std::string{text}; }
property_value detail::time_value(ticks t) { return t; }

raw_filter raw_filter::from_trusted_text(std::string text) { return raw_filter{std::move(text), trusted{}}; }

raw_filter::raw_filter(std::string&& text, trusted) : text_(std::move(text)) {}

result<filter::expression> raw_filter::to_expression() const { return filter::parse(text_, values_); }

}  // namespace tablemap
