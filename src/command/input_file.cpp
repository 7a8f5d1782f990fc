// SPDX-License-Identifier: Apache-2.0
#include "command/input_file.hpp"

#include "command/open_store.hpp"

#include <filesystem>
#include <iostream>
#include <utility>

namespace tablemap::inline v0_1::command {

input_file::input_file(std::string name, std::optional<row_format> format)
    : name_(std::move(name)), format_(format_of(name_, format)) {
    if (name_ == "-") return;
    file_.open(name_, std::ios::binary);
    if (!file_) throw usage_error{"cannot open the file " + name_};
    std::error_code e;
    bool const regular = std::filesystem::is_regular_file(name_, e);
    if (!regular && std::filesystem::is_directory(name_, e)) throw usage_error{name_ + " is a folder; name a file"};
    if (auto const size = std::filesystem::file_size(name_, e); regular && !e) size_ = size;
}

std::unique_ptr<row_source> input_file::rows(key_names keys) {
    std::istream& in = name_ == "-" ? std::cin : file_;
    if (format_ == row_format::jsonl) return read_json_lines(in, std::move(keys));
    std::function<std::unique_ptr<std::istream>()> again;
    if (size_) again = [name = name_] { return std::make_unique<std::ifstream>(name, std::ios::binary); };
    return read_csv(in, std::move(keys), again);
}

}  // namespace tablemap::inline v0_1::command
