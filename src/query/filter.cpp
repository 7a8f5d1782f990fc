// SPDX-License-Identifier: Apache-2.0
#include "tablemap/query/filter.hpp"

#include "tablemap/detail/keys/text.hpp"
#include "tablemap/edm/names.hpp"
#include "tablemap/query/field.hpp"

#include <cmath>

namespace tablemap::inline v0_1::detail::filtering {
namespace {

result<void> check_name(std::string_view property) {
    if (is_system_name(property)) return {};
    if (auto r = check_property_name(property); !r) return failure{r.error().at(property)};
    return {};
}

result<std::string> name_entry(std::string_view map, std::string_view key) {
    auto name = std::string{map}.append(key);
    // Without a valid key the user's text must not get into the error.
    if (!key.empty() && check_property_name(name)) return name;
    return fail(library_errc::invalid_property_name,
                {.reason = "the key of the map makes no property name: letters, digits and underscores, at most 255 "
                           "with what stands before them",
                 .member = std::string{map}});
}

}  // namespace

untyped_condition compare_property(std::string_view property, comparison_operator op,
                                   result<property_value> const& value) {
    if (auto r = check_name(property); !r) return failure{std::move(r).error()};
    if (!value) return failure{value.error().at(property)};
    if (auto const* real = std::get_if<double>(&*value); real && !std::isfinite(*real))
        return fail(library_errc::unsupported,
                    {.reason = "a filter cannot compare with NaN or an infinity", .member = std::string{property}});
    return filter::comparison{std::string{property}, op, *value};
}

untyped_condition property_begins_with(std::string_view property, std::string_view prefix) {
    auto from = compare_property(property, comparison_operator::ge, check_property_value(std::string{prefix}));
    if (!from) return from;
    auto end = end_of_prefix(prefix);
    if (!end) return from;
    return *from && filter::comparison{std::string{property}, comparison_operator::lt, std::move(*end)};
}

untyped_condition column_operand::compare(comparison_operator op, result<property_value> const& v) const {
    return compare_property(name, op, v);
}

untyped_condition column_operand::begins_with(std::string_view prefix) const {
    return property_begins_with(name, prefix);
}

untyped_condition compare_entry(std::string_view map, std::string_view key, comparison_operator op,
                                result<property_value> const& v) {
    auto const name = name_entry(map, key);
    if (!name) return failure{name.error()};
    return compare_property(*name, op, v);
}

untyped_condition compare_element(element_list const& list, std::size_t index, comparison_operator op,
                                  result<property_value> const& v) {
    auto const name = name_element(list, index);
    if (!name) return failure{name.error()};
    return compare_property(*name, op, v);
}

untyped_condition element_begins_with(element_list const& list, std::size_t index, std::string_view prefix) {
    auto const name = name_element(list, index);
    if (!name) return failure{name.error()};
    return property_begins_with(*name, prefix);
}

untyped_condition entry_begins_with(std::string_view map, std::string_view key, std::string_view prefix) {
    auto const name = name_entry(map, key);
    if (!name) return failure{name.error()};
    return property_begins_with(*name, prefix);
}

}  // namespace tablemap::detail::filtering
