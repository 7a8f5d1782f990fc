// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/table/service_operations.hpp"

#include "tablemap/detail/store/retry.hpp"
#include "tablemap/detail/store/run.hpp"
#include "tablemap/edm/names.hpp"
#include "tablemap/store/service_response.hpp"
#include "store/page_filter.hpp"

#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr std::chrono::seconds longest_deletion{120};
constexpr std::chrono::seconds between_tries{5};

constexpr auto lost_creation = "a response was lost: whether this call created the table nobody can tell; exists() "
                               "tells whether it is there, and create_if_not_exists() may be called again";
constexpr auto lost_deletion = "a response was lost: whether this call deleted the table nobody can tell; exists() "
                               "tells whether it is there, and delete_if_exists() may be called again";
constexpr auto lost_setting = "a response was lost: set them again, or read them to see which hold";

/// Replaces the reason that the retry gives for a lost response, which is meant for entities.
error explained(error const& e, char const* if_lost, std::string_view action, std::string_view table) {
    if (e.outcome() != outcome::in_doubt) return e.in(action, table);
    auto details = e.details();
    details.reason = if_lost;
    return error{e.code(), std::move(details)}.in(action, table);
}

/// The retry keeps the code of the last try for operations whose goal that is; for others it reports a lost response.
error doubt_of(error const& e) {
    bool const own_effect = e.outcome() == outcome::in_doubt && (e.code() == service_errc::table_already_exists ||
                                                                 e.code() == service_errc::resource_not_found);
    return own_effect ? doubt(e) : e;
}

}  // namespace

// ---- one request ----------------------------------------------------------------------------------------------------

service_request::service_request(store_ptr s, kind what, std::string table, std::vector<access_policy> policies)
    : store_(std::move(s)), kind_(what), table_(std::move(table)), policies_(std::move(policies)) {
    if (auto const good = check_table_name(table_); !good) refusal_ = good.error();
}

service_request::service_request(store_ptr s, kind what, service_properties properties)
    : store_(std::move(s)), kind_(what), properties_(std::move(properties)) {}

step service_request::start(environment const&) {
    if (refusal_) return step::done();
    switch (kind_) {
    case kind::delete_table:
    case kind::delete_if_exists: sent_ = delete_table{table_}; break;
    case kind::exists: sent_ = query_of_nothing(table_); break;
    case kind::read_policies: sent_ = get_access_policies{table_}; break;
    case kind::set_policies: sent_ = set_access_policies{table_, policies_}; break;
    case kind::read_properties: sent_ = get_service_properties{}; break;
    case kind::set_properties: sent_ = set_service_properties{&properties_}; break;
    case kind::read_statistics: sent_ = get_service_statistics{}; break;
    }
    return step::send(sent_);
}

step service_request::resume(environment const&, std::span<response> answers) {
    answer_ = std::move(answers.front());
    return step::done();
}

std::string_view service_request::action() const noexcept {
    switch (kind_) {
    case kind::delete_table:
    case kind::delete_if_exists: return "delete table";
    case kind::exists: return "exists";
    case kind::read_policies: return "read policies";
    case kind::set_policies: return "set policies";
    case kind::read_properties: return "read properties";
    case kind::set_properties: return "set properties";
    case kind::read_statistics: return "read statistics";
    }
    return {};
}

std::optional<error> service_request::doubt() const {
    if (answer_.outcome() != outcome::in_doubt || !is_missing()) return std::nullopt;
    return explained(doubt_of(*answer_.failure), lost_deletion, action(), table_);
}

bool service_request::is_missing() const {
    if (answer_.ok()) return false;
    auto const& code = answer_.failure->code();
    return (kind_ == kind::delete_if_exists && code == service_errc::resource_not_found) ||
           (kind_ == kind::exists && code == service_errc::table_not_found);
}

std::optional<error> service_request::fault() const {
    if (refusal_) return refusal_->in(action(), table_);
    if (answer_.ok() || is_missing()) return std::nullopt;
    bool const deletes = kind_ == kind::delete_table || kind_ == kind::delete_if_exists;
    return explained(doubt_of(*answer_.failure), deletes ? lost_deletion : lost_setting, action(), table_);
}

template <> result<void> service_operation<void>::take() {
    if (auto const f = fault()) return failure{*f};
    return {};
}
template <> result<bool> service_operation<bool>::take() {
    if (auto const f = fault()) return failure{*f};
    return !is_missing();
}
template <> result<own_doing> service_operation<own_doing>::take() {
    if (auto const f = fault()) return failure{*f};
    if (auto const d = doubt()) return own_doing::unknown(*d);
    return own_doing{!is_missing()};
}
template <> result<std::vector<access_policy>> service_operation<std::vector<access_policy>>::take() {
    if (auto const f = fault()) return failure{*f};
    return answer().service->policies;
}
template <> result<service_properties> service_operation<service_properties>::take() {
    if (auto const f = fault()) return failure{*f};
    return answer().service->properties;
}
template <> result<service_statistics> service_operation<service_statistics>::take() {
    if (auto const f = fault()) return failure{*f};
    return answer().service->statistics;
}

// ---- creating a table -----------------------------------------------------------------------------------------------

creation::creation(store_ptr s, std::string table, if_being_deleted then)
    : store_(std::move(s)), table_(std::move(table)), then_(then) {}

step creation::start(environment const& env) {
    if (auto const good = check_table_name(table_); !good) return fail_with(good.error());
    end_ = env.now() + longest_deletion;
    sent_ = create_table{table_};
    return step::send(sent_);
}

step creation::resume(environment const& env, std::span<response> answers) {
    if (std::exchange(waiting_, false)) return step::send(sent_);
    auto const& answer = answers.front();
    if (answer.ok()) return step::done();
    bool const later = then_ == if_being_deleted::wait && answer.failure->code() == service_errc::table_being_deleted &&
                       answer.outcome() == outcome::not_applied;
    return later ? after_being_deleted(env) : fail_with(*answer.failure);
}

step creation::after_being_deleted(environment const& env) {
    if (env.now() >= end_)
        return fail_with(error{service_errc::table_being_deleted, {.reason = "it still is after 2 minutes"}});
    auto const until = env.wait_for(env.jittered(between_tries, 0.5));
    if (!until)
        return fail_with(error{library_errc::deadline_exceeded, {.reason = "the table is still being deleted"}});
    waiting_ = true;
    return step::wait_until(std::min(*until, end_));
}

step creation::fail_with(error const& e) {
    fault_ = explained(e, lost_creation, "create table", table_);
    return step::done();
}

result<void> create_operation::take() {
    if (fault()) return failure{explained(doubt_of(*fault()), lost_creation, "create table", table())};
    return {};
}

result<own_doing> create_if_not_exists_operation::take() {
    if (!fault()) return own_doing{true};
    if (fault()->code() != service_errc::table_already_exists) return failure{*fault()};
    if (fault()->outcome() != outcome::in_doubt) return own_doing{false};
    return own_doing::unknown(explained(doubt_of(*fault()), lost_creation, "create table", table()));
}

// ---- listing tables -------------------------------------------------------------------------------------------------

step list_tables_operation::ask() {
    sent_ = list_tables{.from = next_ ? std::string_view{*next_} : std::string_view{}, .prefix = prefix_};
    return step::send(sent_);
}

/// Returns what is wrong with the page.
std::optional<error> list_tables_operation::take_page(environment const& env, response const& answer) {
    if (!answer.ok()) return answer.failure;
    auto const& page = *answer.service;
    auto const next = page.next_table ? std::optional{continuation{*page.next_table, {}}} : std::nullopt;
    if (auto circle = progress_.circle(next)) return circle;
    found_.insert(found_.end(), page.tables.begin(), page.tables.end());
    next_ = page.next_table;
    return progress_.passed(next, page.tables.empty(), env.options());
}

step list_tables_operation::resume(environment const& env, std::span<response> answers) {
    fault_ = take_page(env, answers.front());
    return !fault_ && next_ ? ask() : step::done();
}

result<std::vector<std::string>> list_tables_operation::take() {
    if (fault_) return failure{fault_->in("list tables", {})};
    return std::move(found_);
}

// ---- the blocking driver --------------------------------------------------------------------------------------------

namespace {
template <class Op> auto run_on_its_store(Op& op, call_options const& o) { return run(*op.store(), op, o); }
}  // namespace

template <class V> result<V> drive(service_operation<V> op, call_options const& o) { return run_on_its_store(op, o); }
template result<void> drive(service_operation<void>, call_options const&);
template result<bool> drive(service_operation<bool>, call_options const&);
template result<own_doing> drive(service_operation<own_doing>, call_options const&);
template result<std::vector<access_policy>> drive(service_operation<std::vector<access_policy>>, call_options const&);
template result<service_properties> drive(service_operation<service_properties>, call_options const&);
template result<service_statistics> drive(service_operation<service_statistics>, call_options const&);

result<void> drive(create_operation op, call_options const& o) { return run_on_its_store(op, o); }
result<own_doing> drive(create_if_not_exists_operation op, call_options const& o) { return run_on_its_store(op, o); }
result<std::vector<std::string>> drive(list_tables_operation op, call_options const& o) {
    return run_on_its_store(op, o);
}

}  // namespace tablemap::detail
