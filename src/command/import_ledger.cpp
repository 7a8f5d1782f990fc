// SPDX-License-Identifier: Apache-2.0
#include "command/import_ledger.hpp"

#include "base/durable_file.hpp"
#include "command/open_store.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

namespace tablemap::inline v0_1::command {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view first_line = "tablemap import 1\n";

std::string read_all(std::string const& path) {
    std::ifstream in{path, std::ios::binary};
    std::string text{std::istreambuf_iterator<char>{in}, {}};
    if (!in && !in.eof()) throw usage_error{"cannot read the ledger " + path};
    return text;
}

}  // namespace

import_ledger::import_ledger(std::string path, std::string const& target, std::string const& source)
    : path_(std::move(path)), head_(std::string{first_line} + "target " + target + "\nsource " + source + "\nrows ") {
    if (path_.empty() || !fs::exists(path_)) return;
    auto const text = read_all(path_);
    if (!text.starts_with(first_line)) throw usage_error{path_ + " is no ledger of an import; name another file"};
    if (!text.starts_with(head_))
        throw usage_error{"the ledger " + path_ +
                          " is of another table, store or file, or the file was changed since; remove the ledger to "
                          "begin anew"};
    auto rows = bulk_ledger::parse(std::string_view{text}.substr(head_.size(), text.size() - head_.size() - 1));
    if (!rows) throw usage_error{"the ledger " + path_ + " is damaged; remove it to begin anew"};
    // Rows that had not ended then are written again.
    for (std::size_t i = 0; i < rows->rows(); ++i)
        set(i, rows->state(i) == row_state::stored ? row_state::stored : row_state::not_sent);
}

void import_ledger::set(std::size_t position, row_state s) {
    while (rows_.rows() <= position) rows_.add_row();
    rows_.set(position, s);
}

void import_ledger::save() const {
    if (path_.empty()) return;
    auto open = rows_;
    open.leave_open();
    detail::write_durably(path_, head_ + open.text() + "\n");
}

void import_ledger::finish() const {
    if (path_.empty()) return;
    if (!rows_.complete()) return detail::write_durably(path_, head_ + rows_.text() + "\n");
    std::error_code ignored;  // there is none if the import was short
    fs::remove(path_, ignored);
}

std::string identity_of(std::string const& file) {
    auto const changed = fs::last_write_time(file).time_since_epoch().count();
    return std::to_string(fs::file_size(file)) + " " + std::to_string(changed) + " " + fs::absolute(file).string();
}

}  // namespace tablemap::inline v0_1::command
