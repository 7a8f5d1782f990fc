// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "crypto/sealed_value.hpp"

#include "support/hex.hpp"

#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace tablemap::test {

/// A record of sealed_v1.txt: see make_sealed_vectors.py.
struct sealed_vector {
    std::map<std::string, bytes, std::less<>> fields;

    bytes const& operator[](std::string_view name) const { return fields.find(name)->second; }
    std::string_view text(std::string_view name) const {
        auto const& b = (*this)[name];
        return {reinterpret_cast<char const*>(b.data()), b.size()};
    }

    encryption_key key() const { return encryption_key::make(text("id"), (*this)["key"]); }
    std::uint8_t type() const { return std::to_integer<std::uint8_t>((*this)["type"].at(0)); }
    detail::sealed_place place() const {
        return {text("table"), text("partition_key"), text("row_key"), text("property")};
    }
};

inline std::vector<sealed_vector> parse_sealed_vectors(std::string const& text) {
    std::vector<sealed_vector> all(1);
    std::istringstream lines{text};
    for (std::string line; std::getline(lines, line);) {
        auto const at = line.find(' ');
        if (at == std::string::npos)
            all.emplace_back();
        else
            all.back().fields[line.substr(0, at)] = from_hex(std::string_view{line}.substr(at + 1));
    }
    if (all.back().fields.empty()) all.pop_back();
    return all;
}

}  // namespace tablemap::test
