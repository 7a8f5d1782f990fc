// SPDX-License-Identifier: Apache-2.0
// Every type that a member can have, alone and as an optional, and members that only a key could hold a rule against.
#include <tablemap/table/table.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

struct everything {
    std::string id{};
    std::string text{};
    bool flag{};
    std::int32_t small{};
    std::int64_t large{};
    double real{};
    tablemap::ticks time{};
    tablemap::guid guid{};
    tablemap::bytes data{};
    std::optional<std::string> maybe_text{};
    std::optional<bool> maybe_flag{};
    std::optional<std::int32_t> maybe_small{};
    std::optional<std::int64_t> maybe_large{};
    std::optional<double> maybe_real{};
    std::optional<tablemap::ticks> maybe_time{};
    std::optional<tablemap::guid> maybe_guid{};
    std::optional<tablemap::bytes> maybe_data{};
    int and_int_where_it_is_32_bits_wide{};
    short narrow{};
    unsigned char octet{};
    signed char small_number{};
    unsigned natural{};
    long long_number{};
    unsigned long long_natural{};
    long long longer{};
    std::optional<std::uint64_t> maybe_natural{};
    std::chrono::sys_days day{};
    std::optional<std::chrono::sys_time<std::chrono::milliseconds>> maybe_moment{};
    std::string timestamp{};
    std::string partitionKey{};
    std::string _{};
};

template <> struct tablemap::mapping<everything> {
    static constexpr auto partition_key = tablemap::key("all");
    static constexpr auto row_key = tablemap::key(tablemap::part<&everything::id>);
};

static_assert(tablemap::mapped<everything>);

void use(tablemap::table<everything>& t, tablemap::entity<everything>& e) {
    t.insert(e.value);
    t.merge(e, tablemap::only<&everything::flag, &everything::maybe_data>);
    t.find("id");
}

int main() {}
