// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/patterns/one_to_one.hpp"
#include "tablemap/patterns/relation.hpp"

#include <string>
#include <vector>

/// Parents and children of both kinds, one parent in a partition and compound keys; and halves.
namespace tablemap::test {

struct team {
    std::string name{};
    std::int32_t people{};
};
struct member {
    std::string team{};
    std::int32_t id{};
    std::string first{};
};
struct desk {
    std::string team{};
    std::string room{};
};

struct clerk {
    std::string office{};
    std::int32_t id{};
    std::string first{};
};
struct review {
    std::string office{};
    std::int32_t id{};
    std::int32_t year{};
    std::int32_t rating{};
};
struct note {
    std::string office{};
    std::int32_t id{};
    std::string about{};
};

/// Keys of any text: escaped, since one may begin with another.
struct folder {
    std::string disk{};
    std::string path{};
};
struct file {
    std::string disk{};
    std::string path{};
    std::string name{};
};

/// Halves.
struct profile {
    std::string office{};
    std::int32_t id{};
    std::string name{};
};
struct payroll {
    std::string office{};
    std::int32_t id{};
    std::int64_t cents{};
};

}  // namespace tablemap::test

template <> struct tablemap::mapping<tablemap::test::team> {
    static constexpr auto partition_key = key(part<&test::team::name>);
    static constexpr auto row_key = key("team");
};
template <> struct tablemap::mapping<tablemap::test::member> {
    static constexpr auto partition_key = key(part<&test::member::team>);
    static constexpr auto row_key = key("member_", part<&test::member::id>.width(4));
};
template <> struct tablemap::mapping<tablemap::test::desk> {
    static constexpr auto partition_key = key(part<&test::desk::team>);
    static constexpr auto row_key = key("desk_", part<&test::desk::room>);
};

template <> struct tablemap::mapping<tablemap::test::clerk> {
    static constexpr auto discriminator = tablemap::discriminator("Kind", "clerk");
    static constexpr auto partition_key = key(part<&test::clerk::office>);
    static constexpr auto row_key = key("empid_", part<&test::clerk::id>.width(6));
};
template <> struct tablemap::mapping<tablemap::test::review> {
    static constexpr auto discriminator = tablemap::discriminator("Kind", "review");
    static constexpr auto partition_key = key(part<&test::review::office>);
    static constexpr auto row_key =
        key("empid_", part<&test::review::id>.width(6), "_", part<&test::review::year>.width(4));
};
template <> struct tablemap::mapping<tablemap::test::note> {
    static constexpr auto discriminator = tablemap::discriminator("Kind", "note");
    static constexpr auto partition_key = key(part<&test::note::office>);
    static constexpr auto row_key = key("empid_", part<&test::note::id>.width(6), "-", part<&test::note::about>);
};

template <> struct tablemap::mapping<tablemap::test::folder> {
    static constexpr auto discriminator = tablemap::discriminator("Kind", "folder");
    static constexpr auto partition_key = key(part<&test::folder::disk>);
    static constexpr auto row_key = key(part<&test::folder::path>.escaped());
};
template <> struct tablemap::mapping<tablemap::test::file> {
    static constexpr auto discriminator = tablemap::discriminator("Kind", "file");
    static constexpr auto partition_key = key(part<&test::file::disk>);
    static constexpr auto row_key = key(part<&test::file::path>.escaped(), part<&test::file::name>);
};

template <> struct tablemap::mapping<tablemap::test::profile> {
    static constexpr auto partition_key = key(part<&test::profile::office>);
    static constexpr auto row_key = key("profile_", part<&test::profile::id>.width(4));
};
template <> struct tablemap::mapping<tablemap::test::payroll> {
    static constexpr auto partition_key = key(part<&test::payroll::office>);
    static constexpr auto row_key = key("payroll_", part<&test::payroll::id>.width(4));
};

namespace tablemap::test {

using teams = relation<team, member, desk>;
using reviews = relation<clerk, review, note>;
using disks = relation<folder, file>;

/// "people: ids | rooms", with "-" for no parent.
inline std::string text_of(teams::family_type const& f) {
    auto text = f.parent ? std::to_string(f.parent->value.people) : "-";
    text += ":";
    for (auto const& m : f.children<member>()) text += " " + std::to_string(m.value.id);
    text += " |";
    for (auto const& d : f.children<desk>()) text += " " + d.value.room;
    return text;
}

/// "first: years | notes", with "-" for no parent.
inline std::string text_of(reviews::family_type const& f) {
    auto text = f.parent ? f.parent->value.first : "-";
    text += ":";
    for (auto const& r : f.children<review>()) text += " " + std::to_string(r.value.year);
    text += " |";
    for (auto const& n : f.children<note>()) text += " " + n.value.about;
    return text;
}

/// "path: names", with "-" for no parent.
inline std::string text_of(disks::family_type const& f) {
    auto text = f.parent ? f.parent->value.path : "-";
    text += ":";
    for (auto const& x : f.children()) text += " " + x.value.name;
    return text;
}

template <class Range> std::vector<std::string> texts_of(Range&& range) {
    std::vector<std::string> all;
    for (auto const& f : range) all.push_back(text_of(f));
    return all;
}

}  // namespace tablemap::test
