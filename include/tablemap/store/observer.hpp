// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/store/store.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>

/// What a program may watch of its stores: each request, and each operation, which is one request or many.
///
/// Events name tables, actions, codes and sizes. They hold no key, no value, no credential and no text of a server, so they
/// may be logged and counted as they are. Their views end with the call.
namespace tablemap {

/// One request that a store has answered. What was refused before it could be sent is none.
struct request_event {
    std::uint64_t operation = 0;      ///< of which it is one; 0: of none. A page read ahead: that of the page before it
    std::string_view action{};        ///< "insert", "find", "query": see `action_of`
    std::string_view table{};         ///< empty for what is about the service
    std::string_view store{};         ///< `capabilities::name`
    std::string_view server{};        ///< the host of a remote store
    int port = 0;                     ///< and its port
    bool secondary = false;           ///< the readable copy was asked
    int attempt = 1;                  ///< at sending this request; retries count on
    std::size_t writes = 0;           ///< operations on entities: 1, or those of a transaction; 0 for a read
    std::error_code error{};          ///< empty: carried out
    tablemap::outcome outcome{};      ///< of a write
    int http_status = 0;              ///< 0: no answer of a remote store
    std::size_t bytes_sent = 0;       ///< of entities, with their frame where there is one; 0: nothing was sent
    std::size_t bytes_received = 0;   ///< of the answer's body
    std::chrono::nanoseconds took{};  ///< on the clock of the call
    std::string_view client_request_id{};
    std::string_view server_request_id{};
};

/// One operation that has ended: what a function of a table, a query or a transaction did, waits and retries included.
struct operation_event {
    std::uint64_t number = 0;     ///< `request_event::operation` of its requests
    std::string_view action{};    ///< "insert", "find", "modify", "commit"; "query" for a page
    std::string_view table{};     ///< empty for what is about the service
    std::string_view store{};     ///< `capabilities::name`
    std::string_view server{};    ///< the host of a remote store
    int port = 0;                 ///< and its port
    std::error_code error{};      ///< empty: it went well
    std::string_view message{};   ///< `what()` of that error
    tablemap::outcome outcome{};  ///< of a write; of many, `in_doubt` if one is, `applied` if one was stored
    bool interrupted = false;     ///< by an exception of the user's functions, or the end of a `bulk_writer`
    std::error_code expected{};   ///< it went well although its last request was refused: `find` of what is not there
    std::chrono::nanoseconds took{};       ///< on the clock of the call
    std::size_t requests = 0;              ///< see `operation_done`
    std::size_t retries = 0;               ///< of those, second and later tries
    std::string_view client_request_id{};  ///< of its requests; empty where each has its own, as in `insert_many`
    std::string_view server_request_id{};  ///< of the last request

    bool ok() const noexcept { return !error && !interrupted; }
};

/// Is told what happens on a store. Functions must return soon, as an operation waits for them, must not use the store, and are
/// called on any thread, several at once. They should not throw: what one throws ends the operation and reaches its caller, although
/// the request was carried out, unless the operation has thrown already.
class observer {
public:
    virtual ~observer() = default;

    /// Each request to a store, also one that is a retry, that found no connection, or that went to the readable copy. A page
    /// that is read ahead is asked for in the name of the page before it, and again in its own if that failed.
    virtual void request_done(request_event const&) {}

    /// Each operation that sent anything, or failed before. Not what needed no request: a row of a page that is there.
    /// Its `requests` are those that it had the store send: none that was refused before, one for a read that went on to the
    /// readable copy, and one for a page that had been read ahead.
    virtual void operation_done(operation_event const&) {}
};

/// The same store, watched. A store that is watched already tells both. For an account with a readable copy prefer
/// `open_options::observer`: it watches both places, while around such a store a read that went on from one to the other is one
/// request. Preconditions: neither is null.
store_ptr observed(store_ptr inner, std::shared_ptr<observer> by);

/// A code as logs and metrics name it: "EntityAlreadyExists" for one of the service, else such as "tablemap.library.cancelled".
std::string code_name(std::error_code code);

}  // namespace tablemap
