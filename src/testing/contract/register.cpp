// SPDX-License-Identifier: Apache-2.0
#include "testing/contract/asynchronous.hpp"
#include "testing/contract/fixture.hpp"
#include "testing/contract/suites.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace tablemap::inline v0_1::testing {
namespace contract {
namespace {

std::vector<store_under_test>& stores() {
    static std::vector<store_under_test> all;
    return all;
}

bool is_letter_or_digit(char c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

void check(store_under_test const& s) {
    if (s.name.empty() || !std::all_of(s.name.begin(), s.name.end(), is_letter_or_digit))
        throw std::invalid_argument{"the name of a store under test has letters, digits and underscores: '" + s.name +
                                    "'"};
    auto const& all = stores();
    if (std::any_of(all.begin(), all.end(), [&](auto& other) { return other.name == s.name; }))
        throw std::invalid_argument{"there is a store under test of this name already: '" + s.name + "'"};
    if (!s.make) throw std::invalid_argument{"a store under test needs a function that makes it: '" + s.name + "'"};
}

}  // namespace

std::vector<store_under_test> const& registered_stores() { return stores(); }

}  // namespace contract

bool register_store_contract(store_under_test s) {
    using namespace contract;
    link_async();
    link_blobs();
    link_concurrency();
    link_filters();
    link_keys();
    link_limits();
    link_pages();
    link_queues();
    link_service();
    link_tables();
    link_transactions();
    link_values();
    link_writes();
    check(s);
    auto other = s;
    other.name += "_async";
    other.make = [make = s.make] { return asynchronous(make()); };
    check(other);
    stores().push_back(std::move(s));
    stores().push_back(std::move(other));
    return true;
}

std::string_view name_of(deviation d) noexcept {
    switch (d) {
    case deviation::no_access_policies: return "no_access_policies";
    case deviation::no_blobs: return "no_blobs";
    case deviation::no_queues: return "no_queues";
    case deviation::no_service_properties: return "no_service_properties";
    case deviation::etags_hold_no_time: return "etags_hold_no_time";
    case deviation::accepts_any_property_name: return "accepts_any_property_name";
    case deviation::accepts_any_property_count: return "accepts_any_property_count";
    case deviation::accepts_any_value_text: return "accepts_any_value_text";
    case deviation::accepts_any_body_key: return "accepts_any_body_key";
    case deviation::accepts_any_etag_text: return "accepts_any_etag_text";
    case deviation::accepts_any_continuation: return "accepts_any_continuation";
    case deviation::keeps_last_duplicate: return "keeps_last_duplicate";
    case deviation::counts_bytes_of_body: return "counts_bytes_of_body";
    case deviation::counts_strings_in_bytes: return "counts_strings_in_bytes";
    case deviation::omits_property_of_error: return "omits_property_of_error";
    case deviation::compares_table_names_by_case: return "compares_table_names_by_case";
    case deviation::invents_digits_of_time: return "invents_digits_of_time";
    case deviation::keeps_staged_blocks: return "keeps_staged_blocks";
    case deviation::loses_negative_zero: return "loses_negative_zero";
    case deviation::compares_text_of_values: return "compares_text_of_values";
    case deviation::compares_milliseconds: return "compares_milliseconds";
    case deviation::compares_within_integer_type: return "compares_within_integer_type";
    case deviation::misreads_keys_in_transactions: return "misreads_keys_in_transactions";
    case deviation::requires_cors_headers: return "requires_cors_headers";
    case deviation::requires_every_term_of_policy: return "requires_every_term_of_policy";
    }
    return "";
}

}  // namespace tablemap::testing
