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

/// Observers of a store: they receive an event for each request, and for each operation, which is one request or many.
///
/// Events name tables, actions, codes and sizes. They hold no key, no value, no credential and no text of a server, so
/// they may be logged and counted. Their views end with the call.
namespace tablemap::inline v0_1 {

/// One request that a store has answered. A request that was refused before it was sent makes no event.
struct request_event {
    std::uint64_t operation = 0;      ///< its operation; 0: none. For a page read ahead: that of the page before it
    std::string_view action{};        ///< "insert", "find", "query": see `action_of`
    std::string_view table{};         ///< empty for requests about the service
    std::string_view store{};         ///< `capabilities::name`
    std::string_view server{};        ///< the host of a remote store
    int port = 0;                     ///< the port of that host
    bool secondary = false;           ///< the readable copy was asked
    int attempt = 1;                  ///< the number of this try; counted across retries
    std::size_t writes = 0;           ///< operations on entities: 1, or those of a transaction; 0 for a read
    std::error_code error{};          ///< empty: the request was carried out
    tablemap::outcome outcome{};      ///< of a write
    int http_status = 0;              ///< 0: no response of a remote store
    std::size_t bytes_sent = 0;       ///< bytes of entities, with their frame where there is one; 0: nothing was sent
    std::size_t bytes_received = 0;   ///< bytes of the response's body
    std::chrono::nanoseconds took{};  ///< on the clock of the call
    std::string_view client_request_id{};
    std::string_view server_request_id{};
};

/// One operation that has ended: a call of a table, a query or a transaction, with its waits and retries.
struct operation_event {
    std::uint64_t number = 0;     ///< `request_event::operation` of its requests
    std::string_view action{};    ///< "insert", "find", "modify", "commit"; "query" for a page
    std::string_view table{};     ///< empty for operations on the service
    std::string_view store{};     ///< `capabilities::name`
    std::string_view server{};    ///< the host of a remote store; empty for operations on queues and blobs
    int port = 0;                 ///< the port of that host; 0 for operations on queues and blobs
    std::error_code error{};      ///< empty: the operation succeeded
    std::string_view message{};   ///< `what()` of that error
    tablemap::outcome outcome{};  ///< of a write; of many, `in_doubt` if one is, `applied` if one was stored
    bool interrupted = false;     ///< ended by an exception of the user's functions, or by the end of a `bulk_writer`
    std::error_code
        expected{};  ///< the operation succeeded although its last request was refused: `find` of a missing entity
    std::chrono::nanoseconds took{};       ///< on the clock of the call
    std::size_t requests = 0;              ///< see `operation_done`
    std::size_t retries = 0;               ///< second and later tries among them
    std::string_view client_request_id{};  ///< id of its requests; empty where each has its own, as in `insert_many`
    std::string_view server_request_id{};  ///< of the last request

    bool ok() const noexcept { return !error && !interrupted; }
};

/// One pass of a `relay` over the pending effects of one partition; or a fault that a running relay met between two
/// passes, which has no partition and an error.
struct outbox_event {
    std::string_view table{};
    std::string_view store{};         ///< `capabilities::name`
    std::size_t applied = 0;          ///< effects that were applied and marked as done
    std::size_t failed = 0;           ///< calls of handlers that failed
    std::size_t parked = 0;           ///< effects that were set aside, with those behind them
    std::size_t bad_rows = 0;         ///< rows of the outbox that could not be read
    std::int64_t pending = 0;         ///< effects of the partition that are left
    std::chrono::nanoseconds lag{};   ///< the age of the oldest pending effect when the pass began; 0: there was none
    std::error_code error{};          ///< empty: the pass reached its end
    std::string_view message{};       ///< `what()` of that error
    std::chrono::nanoseconds took{};  ///< on the clock of the call
};

/// One pass of an `index_relay` over the intents of a partition or of a table; or a fault that a running relay met
/// between two passes, or that a write of `table_with_index_entities` met when it put a message into the queue.
struct index_event {
    std::string_view table{};         ///< that of the entities
    std::string_view store{};         ///< `capabilities::name`
    std::size_t entities = 0;         ///< whose rows elsewhere were brought in step
    std::size_t intents = 0;          ///< that were carried out
    std::size_t written = 0;          ///< rows elsewhere
    std::size_t erased = 0;           ///< rows elsewhere
    std::size_t left = 0;             ///< intents that stay
    std::chrono::nanoseconds lag{};   ///< the age of the oldest intent that was met; 0: there was none
    std::error_code error{};          ///< the last fault; empty: there was none
    std::string_view message{};       ///< `what()` of that error
    std::chrono::nanoseconds took{};  ///< on the clock of the call
};

/// Receives the events of a store. Functions must return soon, as an operation waits for them, and must not use the
/// store. They should not throw: an exception ends the operation and reaches its caller, although the request was
/// carried out, unless the operation has thrown already.
///
/// \par Thread safety
/// Functions are called on any thread, several at once.
class observer {
public:
    virtual ~observer() = default;

    /// Called after each request to a store, including retries, requests that found no connection, and those to the
    /// readable copy. A page that is read ahead is requested as part of the page before it, and again as its own if
    /// that failed.
    virtual void request_done(request_event const&) {}

    /// Called after each operation that sent a request or failed before. Not called where no request was needed, such
    /// as for a row of a page that is there. Its `requests` are those that the store sent for it: none that was refused
    /// before, one for a read that went on to the readable copy, and one for a page that had been read ahead.
    virtual void operation_done(operation_event const&) {}

    /// Called after each pass of a relay over a partition that it held the lease of, and after each fault that
    /// `relay::run` goes on after.
    virtual void outbox_pass_done(outbox_event const&) {}

    /// Called after each pass of an index relay over a partition or a table, after each fault that `index_relay::run`
    /// goes on after, and after a write of `table_with_index_entities` that could put no message into its queue.
    virtual void index_pass_done(index_event const&) {}
};

/// The same store with an observer, for a store that `open` does not open; `open` takes `open_options::observer`. If
/// the store has one already, both receive the events. Of an account with a readable copy this function counts a read
/// that went on from one place to the other as one request.
///
/// \pre `inner` and `by` are not null
store_ptr with_observer(store_ptr inner, std::shared_ptr<observer> by);

/// The name of a code for logs and metrics: "EntityAlreadyExists" for one of the service, else such as
/// "tablemap.library.cancelled".
std::string code_name(std::error_code code);

}  // namespace tablemap
