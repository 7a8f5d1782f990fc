// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/store/call_context.hpp"
#include "tablemap/detail/store/operation.hpp"
#include "tablemap/detail/store/page_progress.hpp"
#include "tablemap/edm/access_policy.hpp"
#include "tablemap/edm/service_properties.hpp"
#include "tablemap/store/store.hpp"
#include "tablemap/table/administration.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// The operations that are about tables as such, their access, and the service. They own what their requests borrow.
namespace tablemap::inline v0_1::detail {

/// One request, or the reason why it cannot even be sent.
class service_request {
public:
    enum class kind : std::uint8_t {
        delete_table,
        delete_if_exists,
        exists,
        read_policies,
        set_policies,
        read_properties,
        set_properties,
        read_statistics,
    };

    /// A request about a table.
    service_request(store_ptr s, kind what, std::string table, std::vector<access_policy> policies = {});

    /// A request about the service.
    service_request(store_ptr s, kind what, service_properties properties = {});

    step start(environment const&);
    step resume(environment const&, std::span<response> answers);

    store_ptr const& store() const noexcept { return store_; }

protected:
    /// The error in doubt of a deletion whose response was lost, if the table is gone now.
    std::optional<error> doubt() const;

    /// The failure, explained, if there is one that is not expected.
    std::optional<error> fault() const;

    /// True if it failed in the one way that this kind of request expects: there is no such table.
    bool is_missing() const;

    response const& answer() const noexcept { return answer_; }

    operation_label label() const noexcept { return {action(), table_}; }

private:
    std::string_view action() const noexcept;

    store_ptr store_;
    kind kind_;
    std::string table_{};
    std::vector<access_policy> policies_{};
    service_properties properties_{};
    std::optional<error> refusal_{};
    request sent_{};
    response answer_{};
};

/// The result of a request, from its response: nothing, whether there was such a table, or the data that was read.
template <class V> class service_operation final : public service_request {
public:
    using value_type = V;
    using service_request::service_request;

    result<V> take();
};

/// Creates a table.
class creation {
public:
    creation(store_ptr s, std::string table, if_being_deleted then);

    step start(environment const& env);
    step resume(environment const& env, std::span<response> answers);

    store_ptr const& store() const noexcept { return store_; }
    operation_label label() const noexcept { return {"create table", table_}; }

protected:
    std::optional<error> const& fault() const noexcept { return fault_; }
    std::string const& table() const noexcept { return table_; }

private:
    step after_being_deleted(environment const& env);
    step fail_with(error const& e);

    store_ptr store_;
    std::string table_;
    if_being_deleted then_;
    request sent_{};
    std::optional<error> fault_{};
    time_point end_{};
    bool waiting_ = false;
};

struct create_operation final : creation {
    using value_type = void;
    using creation::creation;

    result<void> take();
};

/// True if the table was created, false if it was there.
struct create_if_not_exists_operation final : creation {
    using value_type = own_doing;
    using creation::creation;

    result<own_doing> take();
};

/// The names of all tables that begin with a text, in the store's order.
class list_tables_operation {
public:
    using value_type = std::vector<std::string>;

    list_tables_operation(store_ptr s, std::string prefix) : store_(std::move(s)), prefix_(std::move(prefix)) {}

    step start(environment const&) { return ask(); }
    step resume(environment const&, std::span<response> answers);
    result<value_type> take();

    store_ptr const& store() const noexcept { return store_; }
    operation_label label() const noexcept { return {"list tables", {}}; }

private:
    step ask();
    std::optional<error> take_page(environment const& env, response const& answer);

    store_ptr store_;
    std::string prefix_;
    std::optional<std::string> next_{};
    page_progress progress_{};
    std::vector<std::string> found_{};
    std::optional<error> fault_{};
    request sent_{};
};

// ---- the blocking driver for them: compiled once --------------------------------------------------------------------

template <class V> result<V> drive(service_operation<V> op, call_options const& o);
result<void> drive(create_operation op, call_options const& o);
result<own_doing> drive(create_if_not_exists_operation op, call_options const& o);
result<std::vector<std::string>> drive(list_tables_operation op, call_options const& o);

}  // namespace tablemap::detail
