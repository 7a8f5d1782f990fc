// SPDX-License-Identifier: Apache-2.0
#include "command/schema_file.hpp"

#include "command/open_store.hpp"

#include <array>
#include <fstream>

namespace tablemap::inline v0_1::command {
namespace {

constexpr std::size_t largest_schema = 16 * 1024 * 1024;

std::string content_of(std::string const& file) {
    std::ifstream in{file, std::ios::binary};
    std::string text;
    std::array<char, 64 * 1024> block{};
    while (in && text.size() <= largest_schema) {
        in.read(block.data(), block.size());
        text.append(block.data(), static_cast<std::size_t>(in.gcount()));
    }
    if (text.size() > largest_schema)
        throw usage_error{file + " is larger than 16 MiB, and so no schema of tablemap-gen"};
    if (!in.eof() || in.bad()) throw usage_error{"cannot read the schema " + file};
    return text;
}

}  // namespace

inspect::checked_schema read_schema(std::string const& file) {
    auto const json = content_of(file);
    try {
        return {json, file};
    } catch (inspect::schema_fault const& e) {
        throw usage_error{e.what()};
    }
}

inspect::checked_schema read_schema_of_tables(std::string const& file) {
    auto schema = read_schema(file);
    if (schema.tables().empty())
        throw usage_error{"the schema " + file + " names no table; give its entities a \"table\""};
    return schema;
}

}  // namespace tablemap::inline v0_1::command
