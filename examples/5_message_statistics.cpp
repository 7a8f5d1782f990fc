// SPDX-License-Identifier: Apache-2.0
//
// Message counts by hour: one entity for each user and day, with one property for each hour in which there were
// messages. Two gateways write different hours of one entity without conflicts; a chart of a day and the busiest hour
// of a week are one read each.

#include <tablemap/tablemap.hpp>

#include <algorithm>
#include <cstdint>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace tmap = tablemap;

using hourly = tmap::series<std::int32_t, 24>;

struct message_stats {
    std::string user{};
    std::string day{};
    hourly messages{};
};

template <> struct tmap::mapping<message_stats> {
    static constexpr auto partition_key = tmap::key(tmap::part<&message_stats::user>);
    static constexpr auto row_key = tmap::key("day_", tmap::part<&message_stats::day>);
    static constexpr auto members = tmap::members(tmap::member<&message_stats::messages>.named("Messages"));
};

// The counts of the gateways: user, day, and hour=messages.
constexpr auto log_text = R"(
donh  2024-07-01  8=3 9=12 10=31 11=18 12=4 13=9 14=22 15=17 16=11 17=2
donh  2024-07-02  7=1 8=6 9=19 10=24 11=27 13=14 14=8 15=21 16=9
donh  2024-07-03  9=8 10=15 11=12 12=3 14=19 15=26 16=30 17=7 18=1
junc  2024-07-01  0=2 6=5 7=14 8=21 9=17 10=9 11=6 12=11 13=4
junc  2024-07-02  6=7 7=19 8=23 9=20 10=12 11=5 12=8 23=1
junc  2024-07-03  6=3 7=16 8=18 9=25 10=7 11=10
maryk 2024-07-01  13=6 14=11 15=9 16=14 17=28 18=33 19=16 20=5
maryk 2024-07-03  12=2 14=13 15=12 16=20 17=31 18=24 19=11 20=9 21=4
)";

std::vector<message_stats> read_log(std::string const& text) {
    std::vector<message_stats> all;
    std::istringstream lines{text};
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words{line};
        message_stats s;
        if (!(words >> s.user >> s.day)) continue;
        int hour = 0, count = 0;
        for (char equals = 0; words >> hour >> equals >> count;) s.messages.at(static_cast<std::size_t>(hour)) = count;
        all.push_back(std::move(s));
    }
    return all;
}

void draw(message_stats const& s) {
    std::cout << s.user << " on " << s.day << "\n";
    for (auto const& [hour, count] : s.messages)
        std::cout << "  " << std::setw(2) << hour << " | " << std::string(static_cast<std::size_t>(count), '#') << " "
                  << count << "\n";
}

/// A gateway writes only its own hour.
void count_hour(tmap::table<message_stats> const& stats, std::size_t hour, std::int32_t messages) {
    message_stats s{.user = "donh", .day = "2024-07-04"};
    s.messages[hour] = messages;
    stats.upsert_merge(s, tmap::element<&message_stats::messages>(hour));
}

void show_busiest_hour(tmap::table<message_stats> const& stats, std::string const& user) {
    hourly sum;
    for (auto const& e : stats.query(tmap::partition(user)))
        for (auto const& [hour, count] : e.value.messages) sum[hour] = sum[hour].value_or(0) + count;
    auto const busiest = *std::ranges::max_element(sum, {}, &hourly::entry::value);
    std::cout << "  " << std::left << std::setw(6) << user << std::right << std::setw(3) << busiest.index << ":00  "
              << busiest.value << " messages\n";
}

int main() try {
    tmap::table<message_stats> const stats{tmap::open("embedded::memory:"), "MessageStats"};
    stats.create();
    stats.insert_many(read_log(log_text)).require_complete();
    draw(stats.find("donh", "2024-07-01")->value);

    count_hour(stats, 9, 13);
    count_hour(stats, 10, 8);
    stats.modify({"donh", "2024-07-04"}, [](message_stats& s) { s.messages[10] = s.messages[10].value_or(0) + 1; });
    std::cout << "\nOne entity, two gateways:\n";
    draw(stats.find("donh", "2024-07-04")->value);

    std::cout << "\nBusiest hours:\n";
    for (auto const* user : {"donh", "junc", "maryk"}) show_busiest_hour(stats, user);

    std::cout << "\nAfternoons of maryk, read without the other hours:\n";
    auto const afternoon = tmap::elements<&message_stats::messages>(12, 18);
    for (auto const& [day, messages] :
         stats.query(tmap::partition("maryk")).select<&message_stats::day, &message_stats::messages>(afternoon)) {
        std::int32_t sum = 0;
        for (auto const& e : messages) sum += e.value;
        std::cout << "  " << day << "  " << sum << " messages in " << messages.count() << " hours\n";
    }

    std::cout << "\nMore than 20 messages at 8 o'clock:\n";
    for (auto const& e : stats.scan(tmap::element < &message_stats::messages, 8 >> 20))
        std::cout << "  " << e.value.user << " on " << e.value.day << "\n";
} catch (std::exception const& e) {
    std::cerr << "message_statistics: " << e.what() << "\n";
    return 1;
}
