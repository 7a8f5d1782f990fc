// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sample.hpp"

/// Two decodes written for each sample struct on simdjson's on-demand parser, for comparison. They throw away nothing
/// that the library checks for each value: types, ranges, digits, and the form of keys and times. Both return false for
/// rows that they cannot read, and simdjson stays in their source.
namespace bench {

/// One loop with a switch over the length of each name.
bool decode_page_inline(std::string& json, std::vector<stored_employee>& out);
bool decode_page_inline(std::string& json, std::vector<stored_contact>& out);
bool decode_entity_inline(std::string& json, stored_employee& out);
bool decode_entity_inline(std::string& json, stored_contact& out);

/// The same loop handing each property to the assignment that a table names.
bool decode_page_by_table(std::string& json, std::vector<stored_employee>& out);
bool decode_page_by_table(std::string& json, std::vector<stored_contact>& out);

}  // namespace bench
