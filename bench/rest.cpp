// SPDX-License-Identifier: Apache-2.0
#include "bare_beast.hpp"
#include "bare_cpprest.hpp"
#include "decode_by_hand.hpp"
#include "load.hpp"
#include "loopback_server.hpp"
#include "sample.hpp"

#include "tablemap/async.hpp"
#include "tablemap/rest/store.hpp"
#include "tablemap/rest/transport.hpp"
#include "rest/request_builder.hpp"
#include "rest/shared_key.hpp"

#include <benchmark/benchmark.h>

#include <boost/asio/bind_executor.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/system_executor.hpp>

#include <map>

// The service over HTTP against each transport's bare library, which sends the same bytes to the same nginx, on as many
// threads. `baseline_…_bytes` sends recorded bytes, and decodes nothing. `baseline_…_whole` does what the library does
// for its user as well: it encodes, builds and signs each request, by the library's own functions, or decodes the page
// by hand. It leaves out retries, deadlines, observers, and the checks of responses. `scripts/bench-wrk` sends the
// bytes by wrk.
//
// The library calls no handler on the thread that received the response: handlers run on Asio's threads, or on the
// thread of an io_context. `baseline_…_whole` hands its results to the same threads. `baseline_…_whole_inline` and
// `baseline_…_bytes` call the handler where the response came.
// Times are the CPU time of this process, in user and system mode: what a client pays for one operation, the server's
// share left out.
namespace {

using namespace bench;
using namespace tablemap;
namespace asio = boost::asio;

constexpr std::string_view table_name = "employees";
constexpr std::int32_t sample_id = 212;
constexpr std::size_t blocking = 1;

loopback_server& server() { return loopback_server::instance(); }

/// The message that the library sends for this request, signed once.
http_request recorded(request const& r) {
    auto const a = server().account();
    auto const id = random_guid(clock::system()).text();
    auto message = value_or_throw(detail::build_request(r, {a.endpoint, id, ticks::now()}));
    detail::authorize(message, a);
    return message;
}

// ---- the clients ----------------------------------------------------------------------------------------------------

/// A library of HTTP: the transport over it, and its bare client.
template <class Bare> struct over;

template <> struct over<bare_cpprest> {
    static constexpr auto name = "cpprest";
    static bare_cpprest& client(std::size_t) {
        static bare_cpprest c{server().origin()};
        return c;
    }
};

template <> struct over<bare_beast> {
    static constexpr auto name = "beast";
    static bare_beast& client(std::size_t connections) {
        static std::map<std::size_t, bare_beast> clients;
        return clients.try_emplace(connections, server().origin(), connections).first->second;
    }
};

/// As many connections as requests are outstanding, because the bare clients open that many.
template <class Bare> store_ptr store_for(std::size_t outstanding) {
    static std::map<std::size_t, store_ptr> stores;
    auto& s = stores[outstanding];
    if (!s)
        s = value_or_throw(open_rest(
            {.account = server().account(),
             .transport = make_transport(server().origin(), {.name = over<Bare>::name, .connections = outstanding})}));
    return s;
}

// ---- the threads of handlers ----------------------------------------------------------------------------------------

/// Asio's own.
struct asio_threads {
    static asio::system_executor executor() { return {}; }
    template <class F> static void run(F f) { asio::post(executor(), std::move(f)); }
};

struct io_context_thread {
    auto executor() { return thread.executor(); }
    template <class F> void run(F f) {
        // The last handler may end the measurement, and with it the context, before post() has returned.
        auto const work = asio::make_work_guard(executor());
        asio::post(executor(), std::move(f));
    }

    handler_thread thread{};
};

/// Those on which responses come.
struct transport_thread {
    template <class F> static void run(F f) { f(); }
};

// ---- inserts --------------------------------------------------------------------------------------------------------

template <class Bare, class Handlers> void insert(benchmark::State& state, std::size_t outstanding) {
    async_table<employee> employees{store_for<Bare>(outstanding), std::string{table_name}};
    auto const sample = make_employee(sample_id);
    Handlers handlers;
    measure(state, outstanding, [&](auto& l) {
        employees.insert(
            sample, asio::bind_executor(handlers.executor(), [&l](std::exception_ptr e, stored_employee const& stored) {
                l.one_ended(!e && !stored.etag.empty());
            }));
    });
}

http_request recorded_insert() {
    detail::encoded_entity e;
    std::ignore = detail::encode(make_employee(sample_id), e);
    return recorded(write_entity{
        table_name,
        {.kind = write_kind::insert, .partition_key = e.partition_key, .row_key = e.row_key, .body = e.body}});
}

template <class Answer> bool is_stored(Answer const& a) { return a.status == 204 && !a.etag.empty(); }

/// The request of a bare client: recorded once, or made for each time.
enum class made { once, each_time };

template <class Bare, class Handlers> void insert_bare(benchmark::State& state, std::size_t outstanding, made how) {
    auto const message = recorded_insert();
    auto& client = over<Bare>::client(outstanding);
    Handlers handlers;
    measure(state, outstanding, [&](auto& l) {
        client.send(how == made::once ? message : recorded_insert(), [&](typename Bare::answer&& a) {
            handlers.run([&l, a = std::move(a)] { l.one_ended(is_stored(a)); });
        });
    });
}

template <class Bare> void insert_blocking(benchmark::State& state) {
    table<employee> employees{store_for<Bare>(blocking), std::string{table_name}};
    auto const sample = make_employee(sample_id);
    for (auto _ : state) benchmark::DoNotOptimize(employees.insert(sample));
    state.SetItemsProcessed(state.iterations());
}

template <class Bare> void insert_bare_blocking(benchmark::State& state, made how) {
    auto const message = recorded_insert();
    auto& client = over<Bare>::client(blocking);
    for (auto _ : state)
        if (!is_stored(client.send(how == made::once ? message : recorded_insert())))
            state.SkipWithError("insert failed");
    state.SetItemsProcessed(state.iterations());
}

// ---- finds ----------------------------------------------------------------------------------------------------------

template <class Bare> void find(benchmark::State& state, std::size_t outstanding) {
    async_table<employee> employees{store_for<Bare>(outstanding), std::string{table_name}};
    measure(state, outstanding, [&](auto& l) {
        employees.find({department, sample_id},
                       [&l](std::exception_ptr e, std::optional<stored_employee> const& found) {
                           l.one_ended(!e && found && found->value.id == sample_id);
                       });
    });
}

http_request recorded_find() { return recorded(get_entity{table_name, department, "empid_000212"}); }

template <class Answer> bool is_found(Answer const& a) {
    return a.status == 200 && !a.etag.empty() && a.body.size() == server().body_size();
}

template <class Bare> void find_bare(benchmark::State& state, std::size_t outstanding) {
    auto const message = recorded_find();
    auto& client = over<Bare>::client(outstanding);
    measure(state, outstanding,
            [&](auto& l) { client.send(message, [&l](typename Bare::answer&& a) { l.one_ended(is_found(a)); }); });
}

template <class Bare> void find_blocking(benchmark::State& state) {
    table<employee> employees{store_for<Bare>(blocking), std::string{table_name}};
    for (auto _ : state) {
        auto found = employees.find(department, sample_id);
        if (!found) state.SkipWithError("find failed");
        benchmark::DoNotOptimize(found);
    }
    state.SetItemsProcessed(state.iterations());
}

template <class Bare> void find_bare_blocking(benchmark::State& state) {
    auto const message = recorded_find();
    auto& client = over<Bare>::client(blocking);
    for (auto _ : state)
        if (!is_found(client.send(message))) state.SkipWithError("find failed");
    state.SetItemsProcessed(state.iterations());
}

// ---- pages ----------------------------------------------------------------------------------------------------------

/// The table that has a page of this struct, as nginx.conf.in names it.
template <class T> constexpr std::string_view pages_of = "pages";
template <> constexpr std::string_view pages_of<contact> = "contactPages";

/// One page of a thousand rows, decoded.
template <class Bare, class T> void page(benchmark::State& state) {
    table<T> rows{store_for<Bare>(blocking), std::string{pages_of<T>}};
    for (auto _ : state) {
        std::size_t count = 0;
        for (auto const& e : rows.scan()) count += e.timestamp.count() != 0;
        if (count != page_size) state.SkipWithError("the page is not whole");
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(page_size));
}

template <class Bare, class T> void page_bare(benchmark::State& state, bool decoded) {
    auto const message = recorded(query_page{.table = pages_of<T>});
    auto& client = over<Bare>::client(blocking);
    std::vector<entity<T>> rows;
    for (auto _ : state) {
        rows.clear();
        auto answer = client.send(message);
        if (answer.status != 200) state.SkipWithError("no page came");
        if (decoded && (!decode_page_inline(answer.body, rows) || rows.size() != page_size))
            state.SkipWithError("the page cannot be decoded");
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(page_size));
}

// ---- groups ---------------------------------------------------------------------------------------------------------

constexpr auto rows_of_a_group = static_cast<std::int32_t>(loopback_server::group_size);

template <class Bare, class T> void group(benchmark::State& state) {
    table<T> rows{store_for<Bare>(blocking), std::string{table_name}};
    auto t = rows.transaction();
    for (auto _ : state) {
        for (std::int32_t id = 0; id < rows_of_a_group; ++id) t.insert(sample<T>::make(id));
        if (auto const r = t.try_commit(); !r) state.SkipWithError(r.error().what());
    }
    state.SetItemsProcessed(state.iterations() * rows_of_a_group);
}

template <class T> http_request recorded_group() {
    std::vector<detail::encoded_entity> rows(loopback_server::group_size);
    std::vector<write_operation> operations;
    for (std::int32_t id = 0; auto& e : rows) {
        std::ignore = detail::encode(sample<T>::make(id++), e);
        operations.push_back(
            {.kind = write_kind::insert, .partition_key = e.partition_key, .row_key = e.row_key, .body = e.body});
    }
    return recorded(transact{table_name, operations});
}

template <class Bare, class T> void group_bare(benchmark::State& state, made how) {
    auto const message = recorded_group<T>();
    auto& client = over<Bare>::client(blocking);
    for (auto _ : state)
        if (client.send(how == made::once ? message : recorded_group<T>()).status != 202)
            state.SkipWithError("no group was stored");
    state.SetItemsProcessed(state.iterations() * rows_of_a_group);
}

// ---- all of them ----------------------------------------------------------------------------------------------------

template <class... Arguments> void add(std::string const& name, Arguments... arguments) {
    benchmark::RegisterBenchmark(name.c_str(), arguments...)
        ->MeasureProcessCPUTime()
        ->UseRealTime()
        ->Unit(benchmark::kMicrosecond);
}

template <class Bare, class T> void add_pages_and_groups() {
    std::string const name = over<Bare>::name;
    auto const group_name = "rest_" + name + '_';
    auto const bytes = "/baseline_" + name + "_bytes", whole = "/baseline_" + name + "_whole";
    auto const pages = group_name + "page_blocking" + std::string{sample<T>::suffix};
    auto const groups = group_name + "group_blocking" + std::string{sample<T>::suffix};
    add(pages + "/table", page<Bare, T>);
    add(pages + bytes, page_bare<Bare, T>, false);
    add(pages + whole, page_bare<Bare, T>, true);
    add(groups + "/table", group<Bare, T>);
    add(groups + bytes, group_bare<Bare, T>, made::once);
    add(groups + whole, group_bare<Bare, T>, made::each_time);
}

template <class Bare> void add_all() {
    std::string const name = over<Bare>::name;
    auto const group_name = "rest_" + name + '_';
    auto const bytes = "/baseline_" + name + "_bytes", whole = "/baseline_" + name + "_whole";
    for (std::size_t const outstanding : {1U, 8U, 64U}) {
        auto const suffix = "_c" + std::to_string(outstanding);
        auto const insert_name = group_name + "insert" + suffix;
        add(insert_name + "/tablemap", insert<Bare, asio_threads>, outstanding);
        add(insert_name + "/tablemap_io_context", insert<Bare, io_context_thread>, outstanding);
        add(insert_name + bytes, insert_bare<Bare, transport_thread>, outstanding, made::once);
        add(insert_name + whole, insert_bare<Bare, asio_threads>, outstanding, made::each_time);
        add(insert_name + whole + "_io_context", insert_bare<Bare, io_context_thread>, outstanding, made::each_time);
        add(insert_name + whole + "_inline", insert_bare<Bare, transport_thread>, outstanding, made::each_time);
        add(group_name + "find" + suffix + "/tablemap", find<Bare>, outstanding);
        add(group_name + "find" + suffix + bytes, find_bare<Bare>, outstanding);
    }
    add(group_name + "insert_blocking/table", insert_blocking<Bare>);
    add(group_name + "insert_blocking" + bytes, insert_bare_blocking<Bare>, made::once);
    add(group_name + "insert_blocking" + whole, insert_bare_blocking<Bare>, made::each_time);
    add(group_name + "find_blocking/table", find_blocking<Bare>);
    add(group_name + "find_blocking" + bytes, find_bare_blocking<Bare>);
    add_pages_and_groups<Bare, employee>();
    add_pages_and_groups<Bare, contact>();
}

[[maybe_unused]] bool const registered = [] {
    add_all<bare_beast>();
    add_all<bare_cpprest>();
    return true;
}();

}  // namespace
