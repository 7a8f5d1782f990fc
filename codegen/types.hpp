// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace tablemap::codegen {

enum class type_kind { unknown, text, flag, integer, real, time, guid, binary, converted, extras, enumeration, cpp };

/// The C++ form of a property's type and its uses.
struct type_info {
    type_kind kind = type_kind::unknown;
    std::string cpp{};       ///< `std::int32_t`
    std::string argument{};  ///< the type of parameters: `std::string_view`
    std::int64_t low = 0;    ///< of integers
    std::uint64_t high = 0;
    codegen::enumeration const* declared = nullptr;
    bool has_order = false;  ///< filters may use less and greater

    bool by_name() const noexcept { return declared != nullptr && declared->by_name; }
    bool fits_key() const noexcept;
    bool fits_filter() const noexcept;
};

/// `unknown` for a word that is no type.
type_info find_type(schema const& s, std::string const& type);

/// The word of the schema language for a C++ type; empty if it has none.
std::string_view find_word(std::string_view cpp);

/// The type of a whole member: with `std::optional`, `encrypted` or `series` around the C++ type.
std::string member_type(std::string const& cpp, property const& p);

/// A literal as C++ writes it; empty if the type does not take it. `expected` is then the literal that it takes, or
/// empty if it takes none.
std::string cpp_literal(type_info const& t, literal const& l, std::string& expected);

/// A literal for messages.
std::string describe(literal const& l);

/// A C++ string literal.
std::string cpp_text(std::string_view text);

/// The numbers of an enum's values.
std::vector<std::int64_t> enum_numbers(enumeration const& e);

}  // namespace tablemap::codegen
