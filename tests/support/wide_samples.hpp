// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/patterns/wide_table.hpp"

#include <cstdint>
#include <optional>
#include <string>

/// Structs that need several rows: of 1,000 properties, of 100 large members, and a small one of four rows.
namespace tablemap::test {

struct address_lines {
    std::string street{};
    std::optional<std::string> town{};

    friend bool operator==(address_lines const&, address_lines const&) = default;
};

/// Four rows: name and visits; address and home; notes and total; last.
struct survey {
    std::string area{};
    std::int32_t person{};
    std::string name{};
    std::int32_t visits{};
    std::string address{};
    std::optional<address_lines> home{};
    std::optional<std::string> notes{};
    std::int64_t total{};
    std::string last{};

    friend bool operator==(survey const&, survey const&) = default;
};

#define TABLEMAP_TEN(m, n) m(n##0) m(n##1) m(n##2) m(n##3) m(n##4) m(n##5) m(n##6) m(n##7) m(n##8) m(n##9)
#define TABLEMAP_HUNDRED(m) \
    TABLEMAP_TEN(m, 0)      \
    TABLEMAP_TEN(m, 1)      \
    TABLEMAP_TEN(m, 2)      \
    TABLEMAP_TEN(m, 3)      \
    TABLEMAP_TEN(m, 4) TABLEMAP_TEN(m, 5) TABLEMAP_TEN(m, 6) TABLEMAP_TEN(m, 7) TABLEMAP_TEN(m, 8) TABLEMAP_TEN(m, 9)

#define TABLEMAP_NUMBER(n) std::int32_t m##n = 0;

/// 100 members.
struct century {
    TABLEMAP_HUNDRED(TABLEMAP_NUMBER)
    friend bool operator==(century const&, century const&) = default;
};

/// 1,000 properties.
struct millennium {
    std::string area{};
    std::int32_t id{};
    century c0{}, c1{}, c2{}, c3{}, c4{}, c5{}, c6{}, c7{}, c8{}, c9{};

    friend bool operator==(millennium const&, millennium const&) = default;
};

/// Ten texts.
struct decade {
    std::string t0{}, t1{}, t2{}, t3{}, t4{}, t5{}, t6{}, t7{}, t8{}, t9{};

    friend bool operator==(decade const&, decade const&) = default;
};

/// 100 texts, each of which may have 60 KiB as the service measures it.
struct archive {
    std::string area{};
    std::int32_t id{};
    decade d0{}, d1{}, d2{}, d3{}, d4{}, d5{}, d6{}, d7{}, d8{}, d9{};

    friend bool operator==(archive const&, archive const&) = default;
};

inline survey sample_survey(std::int32_t person, std::int32_t state = 0) {
    auto const text = std::to_string(state);
    return {.area = "north",
            .person = person,
            .name = "n" + text,
            .visits = state,
            .address = "a" + text,
            .home = state % 3 == 2 ? std::nullopt : std::optional{address_lines{"s" + text, "t" + text}},
            .notes = state % 2 == 1 ? std::nullopt : std::optional{"o" + text},
            .total = state,
            .last = "l" + text};
}

/// Fills every member with what the state makes of its number.
inline void fill(century& c, std::int32_t state) {
    std::int32_t number = 0;
#define TABLEMAP_FILL(n) c.m##n = state * 1000 + number++;
    TABLEMAP_HUNDRED(TABLEMAP_FILL)
#undef TABLEMAP_FILL
}

inline millennium sample_millennium(std::int32_t id, std::int32_t state) {
    millennium m{.area = "north", .id = id};
    auto number = state * 10;
    for (auto* c : {&m.c0, &m.c1, &m.c2, &m.c3, &m.c4, &m.c5, &m.c6, &m.c7, &m.c8, &m.c9}) fill(*c, number++);
    return m;
}

/// 100 texts of so many characters.
inline archive sample_archive(std::int32_t id, std::size_t size, std::int32_t state) {
    archive a{.area = "north", .id = id};
    auto number = state;
    for (auto* d : {&a.d0, &a.d1, &a.d2, &a.d3, &a.d4, &a.d5, &a.d6, &a.d7, &a.d8, &a.d9})
        for (auto* t : {&d->t0, &d->t1, &d->t2, &d->t3, &d->t4, &d->t5, &d->t6, &d->t7, &d->t8, &d->t9})
            t->assign(size, static_cast<char>('a' + number++ % 26));
    return a;
}

#undef TABLEMAP_NUMBER

}  // namespace tablemap::test

template <> struct tablemap::mapping<tablemap::test::survey> {
    using survey = tablemap::test::survey;
    static constexpr auto partition_key = tablemap::key(tablemap::part<&survey::area>);
    static constexpr auto row_key = tablemap::key("survey_", tablemap::part<&survey::person>.width(6));
    static constexpr auto members = tablemap::members(tablemap::member<&survey::home>.flattened());
    static constexpr auto wide = tablemap::next_row_at<&survey::address, &survey::notes, &survey::last>;
};

template <> struct tablemap::mapping<tablemap::test::millennium> {
    using millennium = tablemap::test::millennium;
    static constexpr auto partition_key = tablemap::key(tablemap::part<&millennium::area>);
    static constexpr auto row_key = tablemap::key("m_", tablemap::part<&millennium::id>.width(6));
    static constexpr auto members =
        tablemap::members(tablemap::member<&millennium::c0>.flattened(), tablemap::member<&millennium::c1>.flattened(),
                          tablemap::member<&millennium::c2>.flattened(), tablemap::member<&millennium::c3>.flattened(),
                          tablemap::member<&millennium::c4>.flattened(), tablemap::member<&millennium::c5>.flattened(),
                          tablemap::member<&millennium::c6>.flattened(), tablemap::member<&millennium::c7>.flattened(),
                          tablemap::member<&millennium::c8>.flattened(), tablemap::member<&millennium::c9>.flattened());
    static constexpr auto wide =
        tablemap::next_row_at<&millennium::c2, &millennium::c4, &millennium::c6, &millennium::c8>;
};

template <> struct tablemap::mapping<tablemap::test::archive> {
    using archive = tablemap::test::archive;
    static constexpr auto partition_key = tablemap::key(tablemap::part<&archive::area>);
    static constexpr auto row_key = tablemap::key("archive_", tablemap::part<&archive::id>.width(6));
    static constexpr auto members =
        tablemap::members(tablemap::member<&archive::d0>.flattened(), tablemap::member<&archive::d1>.flattened(),
                          tablemap::member<&archive::d2>.flattened(), tablemap::member<&archive::d3>.flattened(),
                          tablemap::member<&archive::d4>.flattened(), tablemap::member<&archive::d5>.flattened(),
                          tablemap::member<&archive::d6>.flattened(), tablemap::member<&archive::d7>.flattened(),
                          tablemap::member<&archive::d8>.flattened(), tablemap::member<&archive::d9>.flattened());
    static constexpr auto wide =
        tablemap::next_row_at<&archive::d1, &archive::d2, &archive::d3, &archive::d4, &archive::d5, &archive::d6,
                              &archive::d7, &archive::d8, &archive::d9>;
};
