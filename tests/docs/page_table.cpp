// SPDX-License-Identifier: Apache-2.0
#include "docs/page_table.hpp"

#include <fstream>
#include <stdexcept>

namespace tablemap::test {
namespace {

std::string trimmed(std::string const& cell) {
    auto const first = cell.find_first_not_of(' ');
    if (first == std::string::npos) return {};
    auto text = cell.substr(first, cell.find_last_not_of(' ') + 1 - first);
    bool const code =
        text.size() > 1 && text.starts_with('`') && text.ends_with('`') && text.find('`', 1) == text.size() - 1;
    return code ? text.substr(1, text.size() - 2) : text;
}

std::vector<std::string> cells_of(std::string const& line) {
    std::vector<std::string> cells(1);
    for (std::size_t i = 1; i < line.size(); ++i) {
        if (line[i] == '\\' && i + 1 < line.size() && line[i + 1] == '|')
            cells.back() += line[++i];
        else if (line[i] == '|')
            cells.emplace_back();
        else
            cells.back() += line[i];
    }
    cells.pop_back();
    for (auto& c : cells) c = trimmed(c);
    return cells;
}

}  // namespace

std::vector<std::vector<std::string>> page_table(std::string const& page, std::string_view name) {
    std::ifstream in{std::string{TABLEMAP_DOCS_FOLDER} + "/" + page};
    std::string const mark = "<!-- " + std::string{name} + ":";
    std::vector<std::vector<std::string>> rows;
    bool found = false;
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with(mark)) found = true;
        if (found && line.starts_with('|')) rows.push_back(cells_of(line));
        if (!rows.empty() && !line.starts_with('|')) break;
    }
    if (rows.size() < 3) throw std::runtime_error(page + " has no table " + std::string{name});
    rows.erase(rows.begin(), rows.begin() + 2);
    return rows;
}

std::string without_spaces(std::string_view text) {
    std::string s;
    for (char const c : text)
        if (c != ' ' && c != '\n') s += c;
    return s;
}

}  // namespace tablemap::test
