// SPDX-License-Identifier: Apache-2.0
#include "contract/fixture.hpp"

#include "support/azurite.hpp"
#include "support/recording.hpp"
#include "support/temp_folder.hpp"
#include "testing/contract/asynchronous.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/open.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <functional>
#include <map>
#include <random>
#include <string_view>

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
    store_context const& context() const noexcept override { return inner_->context(); }
    response execute(request const& r, call_options const& o) override { return inner_->execute(r, o); }
    void async_execute(request const& r, call_options const& o, receiver& to) override {
        inner_->async_execute(r, o, to);
    }

private:
    temp_folder folder_;
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
    return [make = std::move(make)] { return testing::contract::asynchronous(make()); };
}

/// The deviations of the emulator from the service. Each was seen to fail without its switch.
std::set<deviation> azurite_deviations() {
    std::set<deviation> all{
        deviation::accepts_any_property_name,     deviation::accepts_any_property_count,
        deviation::accepts_any_value_text,        deviation::accepts_any_body_key,
        deviation::keeps_last_duplicate,          deviation::counts_bytes_of_body,
        deviation::omits_property_of_error,       deviation::counts_strings_in_bytes,
        deviation::compares_table_names_by_case,  deviation::accepts_any_etag_text,
        deviation::loses_negative_zero,           deviation::compares_text_of_values,
        deviation::compares_milliseconds,         deviation::accepts_any_continuation,
        deviation::requires_every_term_of_policy, deviation::requires_cors_headers,
        deviation::compares_within_integer_type,  deviation::invents_digits_of_time,
        deviation::misreads_keys_in_transactions, deviation::keeps_staged_blocks,
    };
    // The emulator's server of blobs does not know the lite form of signatures.
    auto const* const credential = std::getenv("TABLEMAP_AZURITE_CREDENTIAL");
    if (credential && std::string_view{credential} == "lite") all.insert(deviation::no_blobs);
    return all;
}

}  // namespace

std::vector<store_under_test> const& stores_to_register() {
    static auto const all = [] {
        std::vector<store_under_test> stores{{"embedded_memory", in_memory}, {"embedded_file", in_folder}};
        for (auto const transport : transport_names()) {
            std::string const name{transport};
            stores.push_back({.name = "azurite_" + name,
                              .make = [name] { return on_azurite(name); },
                              .deviations = azurite_deviations(),
                              .requirement = "the storage emulator: scripts/setup test installs it"});
        }
        return stores;
    }();
    return all;
}

std::vector<store_under_test> const& stores_under_test() {
    static auto const all = [] {
        std::vector<store_under_test> stores;
        for (auto const& s : stores_to_register()) {
            stores.push_back(s);
            auto& other = stores.emplace_back(s);
            other.name += "_async";
            other.make = the_asynchronous_way(s.make);
        }
        return stores;
    }();
    return all;
}

}  // namespace tablemap::test
