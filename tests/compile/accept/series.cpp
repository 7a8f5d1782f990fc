// SPDX-License-Identifier: Apache-2.0
// Every place that takes an element of a series.
#include <tablemap/async.hpp>
#include <tablemap/table/bulk_writer.hpp>
#include <tablemap/tablemap.hpp>

#include <boost/asio/use_future.hpp>

#include <cstdint>
#include <string>

namespace tmap = tablemap;
namespace asio = boost::asio;

struct shift {
    tmap::series<bool, 3> open{};
};

struct day_stats {
    std::string user{};
    std::string day{};
    std::int64_t total{};
    tmap::series<std::int32_t, 24> messages{};
    tmap::series<tmap::encrypted<std::string>, 7> notes{};
    shift at{};
};

template <> struct tmap::mapping<shift> {};
template <> struct tmap::mapping<day_stats> {
    static constexpr auto partition_key = tmap::key(tmap::part<&day_stats::user>);
    static constexpr auto row_key = tmap::key(tmap::part<&day_stats::day>);
    static constexpr auto members =
        tmap::members(tmap::member<&day_stats::messages>.named("Messages"), tmap::member<&day_stats::at>.flattened());
};

constexpr auto noon = tmap::element<&day_stats::messages>(12);
constexpr auto total_and_noon = tmap::only<&day_stats::total> | noon;
constexpr auto morning = tmap::elements<&day_stats::messages>(6, 12);

void blocking(tmap::table<day_stats> const& t, tmap::entity<day_stats>& e, int hour, tmap::call_options const& o) {
    t.merge(e, tmap::element<&day_stats::messages>(hour));
    t.merge(e, noon, o);
    tmap::result<void> const tried = t.try_merge(e, total_and_noon, {.request_id = "r"});
    tmap::etag const tag = t.merge_any(e.value, tmap::element<&day_stats::messages, 3>);
    tmap::result<tmap::etag> const again = t.try_merge_any(e.value, morning | noon, o);
    t.upsert_merge(e.value, tmap::element<&day_stats::at, &shift::open>(2u));
    t.upsert_merge(e.value, tmap::element<&day_stats::notes>(hour));
    static_cast<void>(t.try_upsert_merge(e.value, tmap::element<&day_stats::at, &shift::open, 0>));
    static_cast<void>(tried && again && tag.empty());
}

void together(tmap::table<day_stats> const& t, tmap::entity<day_stats>& e) {
    auto group = t.transaction();
    group.merge(e, noon);
    group.merge_any(e.value, morning);
    group.upsert_merge(e.value, total_and_noon);
    group.commit();
    tmap::bulk_writer writer{t};
    writer.merge(e, noon);
    writer.merge_any(e.value, morning);
    writer.upsert_merge(e.value, total_and_noon);
}

void asynchronous(tmap::async_table<day_stats> const& t, tmap::entity<day_stats>& e, tmap::call_options const& o) {
    t.merge(e, noon, asio::use_future).get();
    t.merge(e, total_and_noon, o, asio::use_future).get();
    t.merge_any(e.value, morning, asio::use_future).get();
    t.upsert_merge(e.value, noon, asio::use_future).get();
    static_cast<void>(t.scan().select<&day_stats::messages>(morning));
}

void reading(tmap::table<day_stats> const& t, int hour) {
    static_cast<void>(
        t.scan(tmap::element<&day_stats::messages>(hour) > 3 && tmap::element<&day_stats::messages, 0> == 0));
    static_cast<void>(t.scan(tmap::element<&day_stats::at, &shift::open>(hour)));
    static_cast<void>(t.scan().select<&day_stats::user, &day_stats::messages>(morning, noon));
    static_cast<void>(t.scan().select<&day_stats::at>(tmap::elements<&day_stats::at, &shift::open>(0, 2)));
}

int main() {}
