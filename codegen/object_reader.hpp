// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json_tree.hpp"
#include "model.hpp"
#include "vocabulary.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tablemap::codegen {

/// Takes the members out of a JSON object and adds a fault for each that breaks the schema language. Lifetime: refers
/// to the node and the list of faults.
class object_reader {
public:
    /// Faults: the node is no object, a key that this kind of object does not have.
    object_reader(json_node const& node, object_kind const& kind, fault_list& faults);

    place at() const noexcept { return at_; }
    bool is_object() const noexcept { return members_ != nullptr; }

    json_node const* find(std::string_view key) const;
    /// As `find`. Fault: there is none; `what` is the expected value.
    json_node const* require(std::string_view key, std::string_view what) const;

    std::string text(std::string_view key) const;
    codegen::name name(std::string_view key) const;
    bool flag(std::string_view key) const;
    std::optional<std::int64_t> number(std::string_view key) const;
    /// One of some words; empty without it.
    std::string word(std::string_view key, word_list const& known) const;
    std::vector<codegen::name> names(std::string_view key) const;
    /// The members of an object with arbitrary keys; none if the key is missing.
    std::vector<json_member> const& entries(std::string_view key, std::string_view what) const;

private:
    json_node::object const* members_;
    object_kind const& kind_;
    place at_;
    fault_list& faults_;
};

/// Reads a text. Fault: the node is none.
std::optional<std::string> read_text(json_node const& node, std::string_view what, fault_list& faults);

/// Reads a whole number. Fault: the node is none.
std::optional<std::int64_t> read_number(json_node const& node, std::string_view what, fault_list& faults);

/// `from -9223372036854775808 to 9223372036854775807`: the whole numbers that a schema may hold.
std::string whole_numbers();

/// The elements of an array, none with a fault if it is no array.
json_node::array const& read_array(json_node const& node, std::string_view what, fault_list& faults);

}  // namespace tablemap::codegen
