// SPDX-License-Identifier: Apache-2.0
//
// An observed store: an observer turns its events into spans and measurements, under the names of OpenTelemetry's
// semantic conventions. It prints what a program would pass to its exporter.
//
// Give a connection string to observe another store.

#include <tablemap/open.hpp>
#include <tablemap/store/observer.hpp>
#include <tablemap/tablemap.hpp>
#include <tablemap/testing/faulty_store.hpp>
#include <tablemap/testing/fixed_clock.hpp>

#include <chrono>
#include <cstdint>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace tmap = tablemap;

struct employee {
    std::string department{};
    std::int32_t id{};
    std::string first_name{};
};

template <> struct tmap::mapping<employee> {
    static constexpr auto partition_key = tmap::key(tmap::part<&employee::department>);
    static constexpr auto row_key = tmap::key("empid_", tmap::part<&employee::id>.width(6));
};

namespace {

/// A span under construction. Absent values are omitted.
class span {
public:
    span& set(std::string_view name, std::string_view value) {
        if (!value.empty()) attributes_.emplace_back(std::string{name} + " = " + std::string{value});
        return *this;
    }
    span& set(std::string_view name, std::uint64_t value) {
        return value == 0 ? *this : set(name, std::to_string(value));
    }

    void print(std::string_view indent, std::string_view name) const {
        std::cout << indent << name << "\n";
        for (auto const& a : attributes_) std::cout << indent << "  " << a << "\n";
    }

private:
    std::vector<std::string> attributes_{};
};

std::string_view system_of(std::string_view store) { return store == "embedded" ? "sqlite" : "azure.tables"; }

/// Spans of operations with those of their requests, and how often and for how long each operation ran.
class telemetry final : public tmap::observer {
public:
    void request_done(tmap::request_event const& e) noexcept override {
        span s;
        s.set("http.request.resend_count", static_cast<std::uint64_t>(e.attempt - 1));
        if (e.http_status != 0) {  // a remote store that answered
            s.set("http.response.status_code", static_cast<std::uint64_t>(e.http_status));
            s.set("http.request.body.size", e.bytes_sent);
            s.set("http.response.body.size", e.bytes_received);
        }
        if (e.error) s.set("error.type", tmap::code_name(e.error));
        s.set("az.client_request_id", e.client_request_id);
        s.set("azure.service.request.id", e.server_request_id);
        std::scoped_lock const lock{mutex_};
        requests_[e.operation].emplace_back(std::string{e.action}, std::move(s));
    }

    void operation_done(tmap::operation_event const& e) noexcept override {
        span s;
        s.set("db.system.name", system_of(e.store));
        s.set("db.operation.name", e.action);
        s.set("db.collection.name", e.table);
        s.set("server.address", e.server);
        s.set("server.port", static_cast<std::uint64_t>(e.port));
        if (e.error) s.set("error.type", tmap::code_name(e.error));  // an expected error is none
        std::scoped_lock const lock{mutex_};
        s.print("", std::string{e.action} + " " + std::string{e.table});
        for (auto const& [name, request] : requests_[e.number]) request.print("    ", "request " + name);
        requests_.erase(e.number);
        auto& measured = durations_[std::string{e.action}];
        ++measured.count;
        measured.all += e.took;
    }

    void print_metrics() const {
        std::cout << "db.client.operation.duration\n";
        for (auto const& [name, d] : durations_)
            std::cout << "  db.operation.name = " << name << ": " << d.count << " in "
                      << std::chrono::duration<double>{d.all}.count() << " s\n";
    }

private:
    struct duration {
        std::uint64_t count = 0;
        std::chrono::nanoseconds all{};
    };

    std::mutex mutex_;
    std::map<std::uint64_t, std::vector<std::pair<std::string, span>>> requests_;  ///< of operations under way
    std::map<std::string, duration> durations_;
};

/// Some operations on a table.
void work(tmap::table<employee> const& employees, tmap::call_options const& options) {
    employees.create_if_not_exists(tmap::if_being_deleted::fail, options);
    employees.insert({"Sales", 212, "Don"}, options);
    employees.find({"Sales", 213}, options);
    employees.modify(
        {"Sales", 212}, [](employee& e) { e.first_name = "Donald"; }, options);
    if (!employees.try_insert({"Sales", 212, "Dora"}, options)) std::cout << "(that number is taken)\n";
    employees.delete_table(options);
}

}  // namespace

int main(int argc, char** argv) {
    auto const watcher = std::make_shared<telemetry>();
    if (argc > 1) {
        work({tmap::open(argv[1], {.observer = watcher}), "ObservedEmployees"}, {});
        watcher->print_metrics();
        return 0;
    }
    // A store that is busy once, and a clock that advances only in waits.
    auto const busy = std::make_shared<tmap::testing::faulty_store>(tmap::open("embedded::memory:"));
    busy->fail_next(tmap::testing::fault::busy, 1);
    tmap::testing::fixed_clock clock;
    work({tmap::with_observer(busy, watcher), "Employees"},
         {.retry = tmap::retry_policy::exponential(), .clock = &clock});
    watcher->print_metrics();
}
