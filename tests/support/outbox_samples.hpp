// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/patterns/outbox.hpp"
#include "tablemap/patterns/relay.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

/// Types of tests of outboxes: clerks, effects of their changes, and the table that the effects write to.
namespace tablemap::test {

struct staff {
    std::string office{};
    std::int32_t id{};
    std::string name{};

    friend bool operator==(staff const&, staff const&) = default;
};

struct workplace {
    std::string office{};
    std::int32_t number{};
};

/// With rows in an index.
struct member_of_staff {
    std::string office{};
    std::int32_t id{};
    std::string email{};
};

/// A copy in another table, overwritten by each effect.
struct archived {
    std::string name{};
    std::int32_t id{};
    std::int32_t version{};

    friend bool operator==(archived const&, archived const&) = default;
};

struct archive_staff {
    std::int32_t id{};
    std::int32_t version{};
};

struct greet_staff {
    std::string text{};
};

}  // namespace tablemap::test

template <> struct tablemap::mapping<tablemap::test::staff> {
    static constexpr auto partition_key = key(part<&test::staff::office>);
    static constexpr auto row_key = key("staff_", part<&test::staff::id>.width(6));
};
template <> struct tablemap::mapping<tablemap::test::workplace> {
    static constexpr auto partition_key = key(part<&test::workplace::office>);
    static constexpr auto row_key = key("desk_", part<&test::workplace::number>.width(6));
};
template <> struct tablemap::mapping<tablemap::test::member_of_staff> {
    static constexpr auto partition_key = key(part<&test::member_of_staff::office>);
    static constexpr auto row_key = key("member_", part<&test::member_of_staff::id>.width(6));
    static constexpr auto indexes =
        tablemap::indexes(unique_index<"by_email">(key("email_", part<&test::member_of_staff::email>)));
};
template <> struct tablemap::mapping<tablemap::test::archived> {
    static constexpr auto partition_key = key("archive");
    static constexpr auto row_key = key("a_", part<&test::archived::id>.width(6));
};

namespace tablemap::test {

using staff_outbox = outbox<staff, archive_staff, greet_staff>;

/// Handlers that note what they were called for.
struct noted_effects {
    std::vector<std::string> calls{};
    int failures_left = 0;  ///< calls for the entity below fail as long as this is positive
    std::int32_t failing_id = -1;

    auto relay_of(staff_outbox const& o, relay_options options = {}) {
        return relay{o, std::move(options),
                     on<archive_staff>([this](archive_staff const& e, effect_context const& c) { archive(e, c); }),
                     on<greet_staff>([this](greet_staff const& e) { calls.push_back("greet " + e.text); })};
    }

private:
    void archive(archive_staff const& e, effect_context const& c) {
        if (e.id == failing_id && failures_left > 0) {
            --failures_left;
            throw std::runtime_error{"no archive for " + std::to_string(e.id)};
        }
        calls.push_back(std::to_string(c.sequence) + " archive " + std::to_string(e.id) + " v" +
                        std::to_string(e.version));
    }
};

}  // namespace tablemap::test
