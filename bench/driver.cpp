// SPDX-License-Identifier: Apache-2.0
#include "sample.hpp"

#include "tablemap/table/table.hpp"

#include <benchmark/benchmark.h>

#include <charconv>
#include <memory>
#include <optional>
#include <utility>

// The cost of operations: on a store that does next to nothing, against the same calls made directly.
namespace {

using namespace bench;
using namespace tablemap;

constexpr std::string_view table_name = "employees";
constexpr std::string_view row_key = "empid_000212";

/// One row whose etag counts up.
class slot_store final : public store {
public:
    explicit slot_store(std::string body) : body_(std::move(body)) {}

    tablemap::capabilities const& capabilities() const noexcept override { return can_; }

    response execute(request const& r, call_options const&) override {
        response answer;
        if (std::holds_alternative<get_entity>(r)) {
            answer.body = body_;
        } else {
            auto const& o = std::get<write_entity>(r).operation;
            if (o.if_match != version()) return response::failed(error{service_errc::update_condition_not_satisfied});
            body_ = o.body;
            ++version_;
        }
        answer.etag = etag{std::string{version()}};
        return answer;
    }

private:
    std::string_view version() {
        return {text_, static_cast<std::size_t>(std::to_chars(text_, text_ + sizeof text_, version_).ptr - text_)};
    }

    tablemap::capabilities const can_{.name = "slot"};
    std::string body_;
    std::uint32_t version_ = 1;
    char text_[16];
};

std::unique_ptr<store> small_slot() { return std::make_unique<slot_store>("0"); }

// ---- read, change, write --------------------------------------------------------------------------------------------

void change(std::string& body) { body[0] = body[0] == '9' ? '0' : static_cast<char>(body[0] + 1); }

struct body_editor final : detail::row_editor {
    using value_type = etag;

    result<bool> edit(response* read, detail::environment const&, detail::edited_entity& write) override {
        change(read->body);
        write = {.kind = write_kind::replace, .body = std::move(read->body)};
        return true;
    }
    etag finish(etag&& stored) { return std::move(stored); }
    etag unchanged() { return {}; }
};

[[gnu::noinline]] result<etag> modify_in_task(store& s, call_options const& o) {
    entity_key key{std::string{department}, std::string{row_key}};
    detail::plain_call<etag> call{detail::modify_with(table_name, std::move(key), body_editor{})};
    return detail::run(s, call, o);
}

[[gnu::noinline]] result<etag> modify_directly(store& s, call_options const& o) {
    std::string const partition{department}, row{row_key};
    constexpr int tries = 50;
    for (int i = 0; i < tries; ++i) {
        auto read = s.execute(get_entity{table_name, partition, row}, o);
        if (read.failure) return failure{std::move(*read.failure)};
        change(read.body);
        auto written = s.execute(write_entity{table_name,
                                              {.kind = write_kind::replace,
                                               .partition_key = partition,
                                               .row_key = row,
                                               .body = read.body,
                                               .if_match = read.etag.text()}},
                                 o);
        if (!written.failure) return std::move(written.etag);
        if (written.failure->code() != service_errc::update_condition_not_satisfied)
            return failure{std::move(*written.failure)};
    }
    return fail(library_errc::too_many_conflicts);
}

void modify(benchmark::State& state, result<etag> (*run)(store&, call_options const&)) {
    auto const s = small_slot();
    call_options const options;
    for (auto _ : state) {
        auto r = run(*s, options);
        benchmark::DoNotOptimize(r);
        if (!r) state.SkipWithError("modify failed");
    }
}

BENCHMARK_CAPTURE(modify, task, modify_in_task)->Name("driver_modify/task");
BENCHMARK_CAPTURE(modify, direct, modify_directly)->Name("driver_modify/baseline_direct");

// ---- one read -------------------------------------------------------------------------------------------------------

store_ptr full_slot() { return std::make_shared<slot_store>(answered(make_employee(212))); }

void find(benchmark::State& state) {
    table<employee> employees{full_slot(), std::string{table_name}};
    for (auto _ : state) {
        auto e = employees.find(std::string{department}, 212);
        benchmark::DoNotOptimize(e);
        if (!e) state.SkipWithError("find failed");
    }
}

void find_directly(benchmark::State& state) {
    auto const s = full_slot();
    call_options const options;
    for (auto _ : state) {
        std::string const partition{department};
        std::string row{"empid_"};
        auto const number = std::to_string(212);
        row.append(6 - number.size(), '0').append(number);
        auto read = s->execute(get_entity{table_name, partition, row}, options);
        auto e = detail::decode<employee>(read.body);
        benchmark::DoNotOptimize(e);
        if (!e) state.SkipWithError("find failed");
    }
}

BENCHMARK(find)->Name("driver_find/table");
BENCHMARK(find_directly)->Name("driver_find/baseline_direct");

}  // namespace
