// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/answers.hpp"
#include "support/packed_rows.hpp"
#include "tablemap/detail/mapping/encode.hpp"
#include "tablemap/mapping/decode.hpp"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

/// Structs to rows and back, for the tests of this folder.
namespace tablemap::test {

/// The keys of most structs here: a constant, and the member `key`.
template <class T> struct keyed {
    static constexpr auto partition_key = tablemap::key("p");
    static constexpr auto row_key = tablemap::key(tablemap::part<&T::key>);
};

/// A row of such a struct with these members behind its keys.
inline std::string row(std::string const& members) {
    return R"({"PartitionKey":"p","RowKey":"k")" + (members.empty() ? "" : "," + members) + "}";
}

/// A value as JSON without the keys of `row`; what is wrong with it if it cannot be written.
template <class T> std::string written(T const& value) {
    detail::encoded_entity e;
    auto const r = encode(value, e);
    if (!r) return "failed: " + std::string{r.error().what()};
    std::string_view const keys = R"({"PartitionKey":"p","RowKey":"k")";
    if (!e.body.starts_with(keys)) return "other keys: " + e.body;
    auto members = e.body.substr(keys.size());
    members.pop_back();
    return members.empty() ? members : members.substr(1);
}

template <class T> result<entity<T>> read_row(std::string json) { return detail::decode<T>(json); }

/// The same as an embedded store answers it.
inline std::string packed_row(std::string const& members) {
    return packed_rows({{"p", "k", ticks::min()}}, members.empty() ? "" : "," + members);
}

template <class T>::testing::AssertionResult are_alike(result<entity<T>> const& a, result<entity<T>> const& b) {
    if (a && b && written(a->value) == written(b->value)) return ::testing::AssertionSuccess();
    if (!a && !b && a.error().code() == b.error().code() && a.error().faults().size() == b.error().faults().size())
        return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << (a ? written(a->value) : a.error().what()) << "\nand\n"
                                         << (b ? written(b->value) : b.error().what());
}

/// Reads a row of these members, which must be the same if it is packed.
template <class T> result<entity<T>> try_read(std::string const& members) {
    auto r = read_row<T>(row(members));
    EXPECT_TRUE(are_alike(r, read_row<T>(packed_row(members)))) << members;
    return r;
}

/// The value of a row. A row that cannot be read fails the test.
template <class T> T reading(std::string const& members) {
    auto r = try_read<T>(members);
    if (!r) ADD_FAILURE() << members << ": " << r.error().what();
    return r ? std::move(r->value) : T{};
}

/// Written as these members, and read back from them as the same value.
template <class T>::testing::AssertionResult round_trips(T const& value, std::string const& members) {
    if (auto const text = written(value); text != members)
        return ::testing::AssertionFailure() << "written as " << text;
    auto const r = try_read<T>(members);
    if (!r) return ::testing::AssertionFailure() << r.error().what();
    if (r->value == value) return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << "reads back as another value";
}

template <class T>::testing::AssertionResult failed_at(result<T> const& r, library_errc code, std::string const& name) {
    if (auto f = failed_with(r, code); !f) return f;
    if (r.error().member() == name) return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << "names the member '" << r.error().member() << "': " << r.error().what();
}

/// A value that cannot be written because of one property.
template <class T>
::testing::AssertionResult unwritable(T const& value, library_errc code, std::string const& property) {
    detail::encoded_entity e;
    return failed_at(encode(value, e), code, property);
}

/// A row of these members that cannot be read because of one property alone.
template <class T>
::testing::AssertionResult unreadable(std::string const& members, library_errc code, std::string const& property) {
    auto const r = try_read<T>(members);
    if (auto f = failed_at(r, code, property); !f) return f;
    if (r.error().faults().size() == 1) return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << r.error().what();
}

/// The properties at fault, in the order in which they are listed.
inline std::vector<std::string> faulty_properties(error const& e) {
    std::vector<std::string> names;
    for (auto const& f : e.faults()) names.push_back(f.property);
    return names;
}

}  // namespace tablemap::test
