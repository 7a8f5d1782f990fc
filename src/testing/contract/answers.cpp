// SPDX-License-Identifier: Apache-2.0
#include "testing/contract/answers.hpp"

#include "tablemap/detail/wire/reader.hpp"
#include "tablemap/detail/wire/writer.hpp"

#include <algorithm>

namespace tablemap::inline v0_1::testing::contract {

::testing::AssertionResult carried_out(response const& r) {
    if (r.ok()) return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << "refused: " << r.failure->what();
}

::testing::AssertionResult refused(response const& r, std::error_code code) {
    if (r.ok()) return ::testing::AssertionFailure() << "carried out instead of refused with: " << code.message();
    if (r.failure->code() != code)
        return ::testing::AssertionFailure()
               << "refused otherwise: " << r.failure->what() << "\n  expected: " << code.message();
    if (r.outcome() != outcome::not_applied)
        return ::testing::AssertionFailure() << "the outcome of a refusal is not 'not applied'";
    return ::testing::AssertionSuccess();
}

::testing::AssertionResult refused_at(response const& r, std::error_code code, std::string const& member) {
    if (auto const plain = refused(r, code); !plain) return plain;
    if (r.failure->member() == member) return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << "the error names '" << r.failure->member() << "' instead of '" << member
                                         << "'";
}

detail::stored_entity entity_in(response const& r) {
    EXPECT_TRUE(carried_out(r));
    if (!r.ok()) return {};
    auto json = r.body;
    auto e = detail::read_dynamic(json);
    EXPECT_TRUE(e.has_value()) << "not an entity: " << r.body.substr(0, 300);
    return e ? *std::move(e) : detail::stored_entity{};
}

std::vector<detail::stored_entity> entities_in(response const& r) {
    EXPECT_TRUE(carried_out(r));
    if (!r.ok()) return {};
    auto json = r.body;
    auto e = detail::read_dynamic_page(json);
    EXPECT_TRUE(e.has_value()) << "not a page: " << r.body.substr(0, 300);
    return e ? *std::move(e) : std::vector<detail::stored_entity>{};
}

std::vector<std::string> row_keys(std::vector<detail::stored_entity> const& entities) {
    std::vector<std::string> keys;
    keys.reserve(entities.size());
    for (auto const& e : entities) keys.push_back(e.row_key);
    return keys;
}

std::vector<std::string> keys_of(std::vector<detail::stored_entity> const& entities) {
    std::vector<std::string> keys;
    keys.reserve(entities.size());
    for (auto const& e : entities) keys.push_back(e.partition_key + "/" + e.row_key);
    return keys;
}

std::vector<property> properties_of(dynamic_entity const& e) {
    auto const list = e.properties();
    std::vector<property> all{list.begin(), list.end()};
    std::sort(all.begin(), all.end(), [](auto& a, auto& b) { return a.name < b.name; });
    return all;
}

std::string text_of(property const& p) {
    std::string value;
    detail::append_any_value(value, p.value);
    if (value.size() > 80) value.replace(77, std::string::npos, "...");
    return p.name + " " + std::string{edm_name(type_of(p.value))} + " " + value;
}

}  // namespace tablemap::testing::contract
