// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/store/service_response.hpp"
#include "tablemap/store/store.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace tablemap::inline v0_1::testing {

/// A request in one line, keys and all: "find Employees [Sales] [empid_000212]". For scripts and messages of tests.
///
///     create table T                    find T [pk] [rk] select a,b
///     delete table T                    query T [pk, pk] [rk, rk) select a,b top 10 from [next pk] [next rk]
///     list tables prefix a from x top 5 insert T [pk] [rk] {"PartitionKey":…}
///     replace T [pk] [rk] if "etag" …   transaction T: insert [pk] [rk] …; erase [pk] [rk] if "*"
///     read policies T                   set policies T [id] raud
///     read properties                   set properties
///     read statistics                   find T [pk] [rk] current
std::string describe(request const& r);

/// One expected request and the response to it.
struct exchange {
    std::string expected;  ///< as `describe` has it; a shorter text is compared with the beginning
    response answer;
};

/// A store that answers from a script. A request that is not the next one of the script, and one beyond its end, is
/// answered by `library_errc::unsupported` and remembered as a complaint.
///
/// \par Thread safety
/// Full.
class scripted_store final : public store {
public:
    explicit scripted_store(std::vector<exchange> script, tablemap::capabilities can = {.name = "scripted"},
                            store_context with = {});

    tablemap::capabilities const& capabilities() const noexcept override { return can_; }
    store_context const& context() const noexcept override { return context_; }
    response execute(request const& r, call_options const& options) override;

    /// The deviations from the script, one line each; also exchanges that were never asked for.
    std::vector<std::string> complaints() const;

    /// The number of requests so far.
    std::size_t asked() const;

private:
    tablemap::capabilities can_;
    store_context context_;
    mutable std::mutex mutex_;
    std::vector<exchange> script_;
    std::vector<std::string> complaints_;
    std::size_t asked_ = 0;
};

/// The responses that scripts are made of.
response answer_ok(std::string etag_text = {});
response answer_row(std::string body, std::string etag_text);
response answer_page(std::string body, std::optional<continuation> next = {});
response answer_service(service_response what);
response response_failure(std::error_code code, outcome o = outcome::not_applied);

/// Runs an operation once for every step of a script, with that step's response replaced by `failure` and the script
/// cut off behind it. `run` is given the store and the number of the step that fails.
void for_each_failed_step(std::vector<exchange> const& script, response const& failure,
                          std::function<void(scripted_store&, std::size_t)> const& run);

}  // namespace tablemap::testing
