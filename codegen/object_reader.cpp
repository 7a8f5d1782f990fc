// SPDX-License-Identifier: Apache-2.0
#include "object_reader.hpp"

#include <algorithm>
#include <limits>

namespace tablemap::codegen {
namespace {

void expect(json_node const& found, std::string const& what, fault_list& faults) {
    faults.add(found.at, "found " + found.describe() + " where " + what + " is expected");
}

}  // namespace

object_reader::object_reader(json_node const& node, object_kind const& kind, fault_list& faults)
    : members_(node.as<json_node::object>()), kind_(kind), at_(node.at), faults_(faults) {
    if (members_ == nullptr) {
        expect(node, std::string{kind.title} + ", an object,", faults);
        return;
    }
    for (auto const& m : *members_)
        if (std::find(kind.keys.begin(), kind.keys.end(), m.key) == kind.keys.end())
            faults.add(m.at, std::string{kind.title} + " has no " + in_quotes(m.key) + suggestion(m.key, kind.keys));
}

json_node const* object_reader::find(std::string_view key) const {
    if (members_ == nullptr) return nullptr;
    auto const it = std::find_if(members_->begin(), members_->end(), [&](auto const& m) { return m.key == key; });
    return it == members_->end() ? nullptr : &it->value;
}

json_node const* object_reader::require(std::string_view key, std::string_view what) const {
    auto const* const node = find(key);
    if (node == nullptr && members_ != nullptr)
        faults_.add(at_, std::string{kind_.title} + " needs " + in_quotes(key) + ": add " + std::string{what});
    return node;
}

std::string object_reader::text(std::string_view key) const {
    auto const* const node = find(key);
    if (node == nullptr) return {};
    return read_text(*node, in_quotes(key) + ", a text,", faults_).value_or("");
}

codegen::name object_reader::name(std::string_view key) const {
    auto const* const node = find(key);
    if (node == nullptr) return {};
    auto text = read_text(*node, in_quotes(key) + ", a text,", faults_);
    if (text && text->empty()) faults_.add(node->at, in_quotes(key) + " is empty; write a name, or leave it out");
    return {text.value_or(""), node->at};
}

bool object_reader::flag(std::string_view key) const {
    auto const* const node = find(key);
    if (node == nullptr) return false;
    auto const* const b = node->as<bool>();
    if (b == nullptr) expect(*node, in_quotes(key) + ", true or false,", faults_);
    return b != nullptr && *b;
}

std::optional<std::int64_t> object_reader::number(std::string_view key) const {
    auto const* const node = find(key);
    return node == nullptr ? std::nullopt : read_number(*node, in_quotes(key) + ", a whole number,", faults_);
}

std::string object_reader::word(std::string_view key, word_list const& known) const {
    auto const* const node = find(key);
    if (node == nullptr) return {};
    auto const text = read_text(*node, in_quotes(key) + ", " + listed(known, "or") + ",", faults_);
    if (!text) return {};
    if (std::find(known.begin(), known.end(), *text) != known.end()) return *text;
    faults_.add(node->at, in_quotes(key) + " cannot be " + in_quotes(*text) + suggestion(*text, known));
    return {};
}

std::vector<codegen::name> object_reader::names(std::string_view key) const {
    std::vector<codegen::name> all;
    auto const* const node = find(key);
    if (node == nullptr) return all;
    for (auto const& element : read_array(*node, in_quotes(key) + ", an array of names,", faults_))
        if (auto text = read_text(element, "a name", faults_)) all.push_back({*text, element.at});
    return all;
}

std::vector<json_member> const& object_reader::entries(std::string_view key, std::string_view what) const {
    static std::vector<json_member> const none;
    auto const* const node = find(key);
    if (node == nullptr) return none;
    if (auto const* const all = node->as<json_node::object>()) return *all;
    expect(*node, in_quotes(key) + ", " + std::string{what} + ",", faults_);
    return none;
}

std::optional<std::string> read_text(json_node const& node, std::string_view what, fault_list& faults) {
    if (auto const* const s = node.as<std::string>()) return *s;
    expect(node, std::string{what}, faults);
    return std::nullopt;
}

std::optional<std::int64_t> read_number(json_node const& node, std::string_view what, fault_list& faults) {
    if (auto const* const n = node.as<std::int64_t>()) return *n;
    expect(node, std::string{what} + (node.is_beyond_int64() ? " " + whole_numbers() + "," : ""), faults);
    return std::nullopt;
}

std::string whole_numbers() {
    using limits = std::numeric_limits<std::int64_t>;
    return "from " + std::to_string(limits::min()) + " to " + std::to_string(limits::max());
}

json_node::array const& read_array(json_node const& node, std::string_view what, fault_list& faults) {
    static json_node::array const none;
    if (auto const* const all = node.as<json_node::array>()) return *all;
    expect(node, std::string{what}, faults);
    return none;
}

}  // namespace tablemap::codegen
