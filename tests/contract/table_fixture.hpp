// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "contract/fixture.hpp"

#include "tablemap/table/table.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tablemap::test {

struct employee {
    std::string department{};
    std::int32_t id{};
    std::string first_name{};
    std::int32_t age{};
    std::optional<std::string> email{};

    friend bool operator==(employee const&, employee const&) = default;
};

/// One member of every property type, and an optional of each.
struct every_type {
    std::string partition{};
    std::string row{};
    std::string text{};
    bool flag{};
    std::int32_t small{};
    std::int64_t large{};
    double real{};
    ticks when = ticks::min();
    guid id{};
    bytes data{};
    std::optional<std::string> maybe_text{};
    std::optional<bool> maybe_flag{};
    std::optional<std::int32_t> maybe_small{};
    std::optional<std::int64_t> maybe_large{};
    std::optional<double> maybe_real{};
    std::optional<ticks> maybe_when{};
    std::optional<guid> maybe_id{};
    std::optional<bytes> maybe_data{};

    friend bool operator==(every_type const&, every_type const&) = default;
};

/// Shares partitions with employees.
struct department_head {
    std::string department{};
    std::string name{};

    friend bool operator==(department_head const&, department_head const&) = default;
};

}  // namespace tablemap::test

template <> struct tablemap::mapping<tablemap::test::employee> {
    static constexpr auto partition_key = key(part<&test::employee::department>);
    static constexpr auto row_key = key("empid_", part<&test::employee::id>.width(6));
};

template <> struct tablemap::mapping<tablemap::test::every_type> {
    static constexpr auto partition_key = key(part<&test::every_type::partition>.may_be_empty());
    static constexpr auto row_key = key(part<&test::every_type::row>.may_be_empty());
};

template <> struct tablemap::mapping<tablemap::test::department_head> {
    static constexpr auto partition_key = key(part<&test::department_head::department>);
    static constexpr auto row_key = key("head");
};

namespace tablemap::test {

/// A typed table of employees beside the raw one of the same name.
class employees_test : public seam {
protected:
    void SetUp() override {
        seam::SetUp();
        if (!shared_store()) return;
        employees_.emplace(shared_store(), table().table());
    }

    tablemap::table<employee>& employees() { return *employees_; }

    static employee don() {
        return {.department = "Sales", .id = 212, .first_name = "Don", .age = 34, .email = "donh@contoso.com"};
    }

    /// Inserts employees [from, to) who have nothing but their keys.
    void insert_ids(std::string const& department, std::int32_t from, std::int32_t to) {
        std::vector<std::string> rows;
        for (auto id = from; id < to; ++id) {
            auto const digits = std::to_string(id);
            rows.push_back("empid_" + std::string(6 - digits.size(), '0') + digits);
        }
        put_rows(department, rows);
    }

    template <class Range> static std::vector<std::int32_t> ids(Range&& range) {
        std::vector<std::int32_t> found;
        for (auto const& e : range) found.push_back(e.value.id);
        return found;
    }

    static std::vector<std::int32_t> counting(std::int32_t from, std::int32_t to) {
        std::vector<std::int32_t> all;
        for (auto i = from; i < to; ++i) all.push_back(i);
        return all;
    }

private:
    std::optional<tablemap::table<employee>> employees_;
};

/// True if the error meets a condition, such as `error_kind::not_found`.
template <class T>::testing::AssertionResult failed_as(result<T> const& r, error_kind kind) {
    if (r) return ::testing::AssertionFailure() << "succeeded";
    if (r.error().code() == kind) return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << "failed otherwise: " << r.error().what();
}

}  // namespace tablemap::test
