// SPDX-License-Identifier: Apache-2.0
#include "command/schema_file.hpp"

#include "command/open_store.hpp"
#include "inspect/schema_check.hpp"

#include <array>
#include <fstream>
#include <memory>
#include <vector>

namespace tablemap::inline v0_1::command {
namespace {

constexpr std::size_t largest_schema = 16 * 1024 * 1024;

}  // namespace

std::string read_schema_file(std::string const& file) {
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

std::function<page::row_test(std::string const&)> rows_of_schema(std::string const& file) {
    auto const schema = [&] {
        try {
            return inspect::checked_schema{read_schema_file(file), file};
        } catch (inspect::schema_fault const& e) {
            throw usage_error{e.what()};
        }
    }();
    return [schema](std::string const& table) -> page::row_test {
        if (!schema.has_table(table)) return {};
        auto const check = std::make_shared<inspect::schema_check>(schema, table, std::vector<std::string>{});
        return [check](dynamic_entity const& row) { return check->knows(row); };
    };
}

}  // namespace tablemap::inline v0_1::command
