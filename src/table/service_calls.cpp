// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/table/service_calls.hpp"

#include "store/ask.hpp"
#include "store/page_filter.hpp"
#include "tablemap/detail/store/page_progress.hpp"
#include "store/retry.hpp"
#include "table/service_tasks.hpp"
#include "tablemap/edm/names.hpp"
#include "tablemap/store/service_response.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr std::chrono::seconds longest_deletion{120};
constexpr std::chrono::seconds between_tries{5};

constexpr std::string_view creating = "create table";
constexpr std::string_view deleting = "delete table";

constexpr auto lost_creation = "a response was lost: whether this call created the table nobody can tell; exists() "
                               "tells whether it is there, and create_if_not_exists() may be called again";
constexpr auto lost_deletion = "a response was lost: whether this call deleted the table nobody can tell; exists() "
                               "tells whether it is there, and delete_if_exists() may be called again";
constexpr auto lost_setting = "a response was lost: set them again, or read them to see which hold";

/// Replaces the reason that the retry gives for a lost response, which is meant for entities.
error explained(error const& e, char const* if_lost) {
    if (e.outcome() != outcome::in_doubt) return e;
    auto details = e.details();
    details.reason = if_lost;
    return error{e.code(), std::move(details)};
}

/// True for the response about a table that is not there. A service may give the second one to the deletion of a table
/// that is being deleted.
bool is_gone(error const& e) {
    return e.code() == service_errc::resource_not_found || e.code() == service_errc::table_not_found;
}

/// The same. The retry keeps the code of the last try for calls whose goal that is; for others it is a lost response.
error failed(error const& e, char const* if_lost) {
    bool const own_effect =
        e.outcome() == outcome::in_doubt && (e.code() == service_errc::table_already_exists || is_gone(e));
    return explained(own_effect ? doubt(e) : e, if_lost);
}

/// Sends a request about a table. Errors: that of the name, and that of the response, as it is. All is borrowed.
task<result<response>> send_about(std::string_view table, request const& what) {
    auto const good = check_table_name(table);
    if (!good) co_return failure{good.error()};
    auto answer = co_await ask(what);
    if (answer.failure) co_return failure{*std::move(answer.failure)};
    co_return answer;
}

// ---- creating a table -----------------------------------------------------------------------------------------------

/// The time of the next try while a table of the name is being deleted; for 2 minutes at most.
result<time_point> next_creation(environment const& env, time_point end) {
    if (env.now() >= end) return fail(service_errc::table_being_deleted, {.reason = "it still is after 2 minutes"});
    auto const until = env.wait_for(env.jittered(between_tries, 0.5));
    if (!until) return fail(library_errc::deadline_exceeded, {.reason = "the table is still being deleted"});
    return std::min(*until, end);
}

/// Creates a table. Errors: as `send_about`. The name is borrowed.
task<result<void>> create(std::string const& table, if_being_deleted then) {
    auto const call = co_await this_call();
    auto const end = call.env.now() + longest_deletion;
    request const what = create_table{table};
    for (;;) {
        auto const created = co_await send_about(table, what);
        if (created) co_return result<void>{};
        auto const& met = created.error();
        bool const is_free_later = met.code() == service_errc::table_being_deleted &&
                                   met.outcome() == outcome::not_applied && then == if_being_deleted::wait;
        if (!is_free_later) co_return failure{met};
        auto const until = next_creation(call.env, end);
        if (!until) co_return failure{until.error()};
        co_await pause_until(*until);
    }
}

task<result<void>> creation(std::string table, if_being_deleted then) {
    auto const created = co_await create(table, then);
    if (!created) co_return failure{failed(created.error(), lost_creation)};
    co_return result<void>{};
}

task<result<own_doing>> creation_if_not_exists(std::string table, if_being_deleted then) {
    auto const created = co_await create(table, then);
    if (created) co_return own_doing{true};
    auto const& met = created.error();
    if (met.code() != service_errc::table_already_exists) co_return failure{explained(met, lost_creation)};
    if (met.outcome() != outcome::in_doubt) co_return own_doing{false};
    co_return own_doing::unknown(failed(met, lost_creation).in(creating, table));
}

// ---- deleting one, and looking for it -------------------------------------------------------------------------------

task<result<void>> deletion(std::string table) {
    request const what = delete_table{table};
    auto const deleted = co_await send_about(table, what);
    if (!deleted) co_return failure{failed(deleted.error(), lost_deletion)};
    co_return result<void>{};
}

task<result<bool>> existence(std::string table) {
    request const what = query_of_nothing(table);
    auto const found = co_await send_about(table, what);
    if (found) co_return true;
    if (found.error().code() == service_errc::table_not_found) co_return false;
    co_return failure{failed(found.error(), lost_setting)};
}

// ---- settings -------------------------------------------------------------------------------------------------------

task<result<std::vector<access_policy>>> policies_of(std::string table) {
    request const what = get_access_policies{table};
    auto const answer = co_await send_about(table, what);
    if (!answer) co_return failure{failed(answer.error(), lost_setting)};
    co_return answer->service->policies;
}

task<result<void>> replacement_of_policies(std::string table, std::vector<access_policy> policies) {
    request const what = set_access_policies{table, policies};
    auto const set = co_await send_about(table, what);
    if (!set) co_return failure{failed(set.error(), lost_setting)};
    co_return result<void>{};
}

task<result<service_properties>> properties_of_service() {
    request const what = get_service_properties{};
    auto const answer = co_await ask(what);
    if (answer.failure) co_return failure{failed(*answer.failure, lost_setting)};
    co_return answer.service->properties;
}

task<result<void>> change_of_properties(std::unique_ptr<service_properties const> to) {
    request const what = set_service_properties{to.get()};
    auto const answer = co_await ask(what);
    if (answer.failure) co_return failure{failed(*answer.failure, lost_setting)};
    co_return result<void>{};
}

task<result<service_statistics>> statistics_of_service() {
    request const what = get_service_statistics{};
    auto const answer = co_await ask(what);
    if (answer.failure) co_return failure{failed(*answer.failure, lost_setting)};
    co_return answer.service->statistics;
}

}  // namespace

task<result<own_doing>> deletion_if_exists(std::string table) {
    request const what = delete_table{table};
    auto const deleted = co_await send_about(table, what);
    if (deleted) co_return own_doing{true};
    auto const& met = deleted.error();
    if (!is_gone(met)) co_return failure{failed(met, lost_deletion)};
    if (met.outcome() != outcome::in_doubt) co_return own_doing{false};
    co_return own_doing::unknown(failed(met, lost_deletion).in(deleting, table));
}

task<result<std::vector<std::string>>> names_of_tables(std::string prefix) {
    auto const call = co_await this_call();
    std::vector<std::string> names;
    page_progress progress;
    std::optional<std::string> from;
    do {
        std::string_view const begin = from ? *from : std::string_view{};
        request const what = list_tables{.from = begin, .prefix = prefix};
        auto const answer = co_await ask(what);
        if (answer.failure) co_return failure{*answer.failure};
        auto const& page = *answer.service;
        names.insert(names.end(), page.tables.begin(), page.tables.end());
        from = page.next_table;
        auto const next = from ? std::optional{continuation{*from, {}}} : std::nullopt;
        auto const stuck = progress.stuck_at(next, page.tables.empty(), call.env.options());
        if (stuck) co_return failure{*stuck};
    } while (from);
    co_return names;
}

service_call<void> service_calls::create_table(std::string name, if_being_deleted then) const {
    auto first = creation(name, then);
    return {store_, creating, std::move(name), std::move(first)};
}

service_call<own_doing> service_calls::create_table_if_not_exists(std::string name, if_being_deleted then) const {
    auto first = creation_if_not_exists(name, then);
    return {store_, creating, std::move(name), std::move(first)};
}

service_call<void> service_calls::delete_table(std::string name) const {
    auto first = deletion(name);
    return {store_, deleting, std::move(name), std::move(first)};
}

service_call<own_doing> service_calls::delete_table_if_exists(std::string name) const {
    auto first = deletion_if_exists(name);
    return {store_, deleting, std::move(name), std::move(first)};
}

service_call<bool> service_calls::has_table(std::string name) const {
    auto first = existence(name);
    return {store_, "exists", std::move(name), std::move(first)};
}

service_call<std::vector<std::string>> service_calls::tables(std::string prefix) const {
    return {store_, "list tables", {}, names_of_tables(std::move(prefix))};
}

service_call<std::vector<access_policy>> service_calls::policies(std::string table) const {
    auto first = policies_of(table);
    return {store_, "read policies", std::move(table), std::move(first)};
}

service_call<void> service_calls::set_policies(std::string table, std::vector<access_policy> policies) const {
    auto first = replacement_of_policies(table, std::move(policies));
    return {store_, "set policies", std::move(table), std::move(first)};
}

service_call<service_properties> service_calls::properties() const {
    return {store_, "read properties", {}, properties_of_service()};
}

service_call<void> service_calls::set_properties(service_properties p) const {
    auto to = std::make_unique<service_properties const>(std::move(p));
    return {store_, "set properties", {}, change_of_properties(std::move(to))};
}

service_call<service_statistics> service_calls::statistics() const {
    return {store_, "read statistics", {}, statistics_of_service()};
}

// ---- the blocking driver --------------------------------------------------------------------------------------------

template <class V> result<V> drive(service_call<V> c, call_options const& o) {
    auto& where = *c.store();
    return run(where, c, o);
}
template result<void> drive(service_call<void>, call_options const&);
template result<bool> drive(service_call<bool>, call_options const&);
template result<own_doing> drive(service_call<own_doing>, call_options const&);
template result<std::vector<std::string>> drive(service_call<std::vector<std::string>>, call_options const&);
template result<std::vector<access_policy>> drive(service_call<std::vector<access_policy>>, call_options const&);
template result<service_properties> drive(service_call<service_properties>, call_options const&);
template result<service_statistics> drive(service_call<service_statistics>, call_options const&);

}  // namespace tablemap::detail
