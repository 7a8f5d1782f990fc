// SPDX-License-Identifier: Apache-2.0
#include "contract/fixture.hpp"

#include "support/azurite.hpp"
#include "support/recording.hpp"
#include "support/temp_folder.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/open.hpp"
#include "store/waiting_receiver.hpp"

#include <algorithm>
#include <atomic>
#include <functional>
#include <map>
#include <random>

namespace tablemap::test {
namespace {

/// A store whose file goes with it.
class store_in_folder final : public store {
public:
    store_in_folder()
        : inner_(
              value_or_throw(open_embedded({.path = folder_.file("contract.db"), .synchronous = durability::normal}))) {
    }

    tablemap::capabilities const& capabilities() const noexcept override { return inner_->capabilities(); }
    response execute(request const& r, call_options const& o) override { return inner_->execute(r, o); }
    void async_execute(request const& r, call_options const& o, receiver& to) override {
        inner_->async_execute(r, o, to);
    }

private:
    temp_folder folder_;
    store_ptr inner_;
};

/// A store whose every request goes the asynchronous way, so that the same cases hold there.
class asynchronous final : public store {
public:
    explicit asynchronous(store_ptr inner) : inner_(std::move(inner)) {}

    tablemap::capabilities const& capabilities() const noexcept override { return inner_->capabilities(); }
    void async_execute(request const& r, call_options const& o, receiver& to) override {
        inner_->async_execute(r, o, to);
    }
    response execute(request const& r, call_options const& o) override {
        detail::waiting_receiver arrived;
        inner_->async_execute(r, o, arrived);
        return arrived.wait();
    }

private:
    store_ptr inner_;
};

store_ptr in_memory() { return value_or_throw(open_embedded({.path = ":memory:"})); }
store_ptr in_folder() { return std::make_shared<store_in_folder>(); }

/// One store for each transport; null if the emulator is not installed.
store_ptr on_azurite(std::string const& transport) {
    if (!azurite::program()) return {};
    static std::map<std::string, store_ptr> shared;
    auto& s = shared[transport];
    if (!s) s = open_recorded(azurite::shared().connection_string(), {.transport = {.name = transport}});
    return s;
}

std::function<store_ptr()> the_asynchronous_way(std::function<store_ptr()> make) {
    return [make = std::move(make)] {
        auto inner = make();
        return inner ? std::make_shared<asynchronous>(std::move(inner)) : store_ptr{};
    };
}

/// What the emulator does otherwise than the service. Each was seen to fail without its switch.
std::set<deviation> const azurite_deviations{
    deviation::takes_any_property_name,
    deviation::takes_any_number_of_properties,
    deviation::takes_any_value_text,
    deviation::takes_any_body_key,
    deviation::keeps_last_duplicate,
    deviation::counts_bytes_of_body,
    deviation::names_no_property,
    deviation::measures_strings_in_bytes,
    deviation::finds_tables_by_exact_name,
    deviation::takes_any_etag_text,
    deviation::loses_negative_zero,
    deviation::compares_by_text,
    deviation::compares_by_millisecond,
    deviation::takes_any_cursor,
    deviation::wants_every_term_of_a_policy,
    deviation::wants_headers_in_cors_rules,
    deviation::types_do_not_separate,
    deviation::makes_up_digits_of_time,
    deviation::misreads_keys_in_groups,
};

}  // namespace

std::vector<store_under_test> const& stores_under_test() {
    static auto const all = [] {
        std::vector<store_under_test> stores{
            {"embedded_memory", in_memory},
            {"embedded_memory_async", the_asynchronous_way(in_memory)},
            {"embedded_file", in_folder},
            {"embedded_file_async", the_asynchronous_way(in_folder)},
        };
        for (auto const transport : transport_names()) {
            std::string const name{transport};
            auto const make = [name] { return on_azurite(name); };
            stores.push_back({"azurite_" + name, make, azurite_deviations});
            stores.push_back({"azurite_" + name + "_async", the_asynchronous_way(make), azurite_deviations});
        }
        return stores;
    }();
    return all;
}

void seam::SetUp() {
    store_ = GetParam().make();
    if (!store_) GTEST_SKIP() << GetParam().name << " needs the storage emulator: scripts/setup test installs it";
    table_.emplace(*store_, fresh_table_name());
    ASSERT_TRUE(carried_out(table_->create()));
}

void seam::TearDown() {
    if (!store_) return;
    for (auto const& name : names_) store_->execute(delete_table{name}, {});
}

std::string seam::fresh_table_name() {
    static std::atomic<unsigned> count{0};
    static auto const run = std::random_device{}();
    return names_.emplace_back("Seam" + std::to_string(run) + "x" + std::to_string(++count));
}

void seam::put_rows(std::string const& partition, std::vector<std::string> const& rows) {
    for (std::size_t i = 0; i < rows.size();) {
        auto const end = std::min(i + limits::transaction_operations, rows.size());
        std::vector<owned_operation> group;
        for (; i < end; ++i) group.push_back(operation(write_kind::insert, entity(partition, rows[i])));
        ASSERT_TRUE(carried_out(table().transact(group)));
    }
}

}  // namespace tablemap::test
