// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/crypto/encryption_key.hpp"
#include "tablemap/edm/limits.hpp"
#include "tablemap/store/options.hpp"
#include "tablemap/store/request.hpp"
#include "tablemap/store/response.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace tablemap::inline v0_1 {

class observer;

/// The properties of a store that operations depend on.
struct capabilities {
    std::string_view name;        ///< such as "embedded"; lives as long as the program
    bool ordered_results = true;  ///< queries answer in key order
    bool remote = false;          ///< requests wait for a network, so that several at once are faster
    std::size_t page_entities = limits::page_entities;
    std::size_t transaction_operations = limits::transaction_operations;
    std::size_t transaction_bytes = limits::transaction_bytes;

    /// The bytes of `transaction_bytes` that each operation, and the group itself, takes beside its body; 0: only
    /// bodies count. See `transaction_bytes_of`.
    std::size_t transaction_overhead = 0;

    double partition_rate = 0;  ///< entities per second that one partition takes; 0: no limit of its own
    double account_rate = 0;    ///< entities per second that the account takes; 0: no limit

    /// Writes of rows that are under way at once wait for the disk together, so that several at once are faster.
    bool shared_commits = false;

    /// Requests for one entity wait for nothing: no network, no disk, no other process.
    bool immediate = false;
};

/// The settings of a store that operations use, beside its capabilities.
struct store_context {
    retry_policy default_retry{};                ///< used where a call has none
    std::shared_ptr<key_provider const> keys{};  ///< keys of encrypted members; null: none. See `with_keys`
    std::shared_ptr<tablemap::observer>
        observer{};                ///< observer of operations on this store; null: none. See `with_observer`
    std::string server_address{};  ///< the host of a remote store
    int server_port = 0;
};

/// The bytes of `transaction_bytes` that an operation takes, at most: its keys may grow threefold in a URL, quotes
/// sixfold (not counted).
inline std::size_t transaction_bytes_of(capabilities const& c, std::string_view table,
                                        write_operation const& o) noexcept {
    if (c.transaction_overhead == 0) return o.body.size();
    return c.transaction_overhead + o.body.size() + table.size() + 3 * (o.partition_key.size() + o.row_key.size()) +
           o.if_match.size();
}

/// Takes the response of `store::async_execute`, exactly once, on any thread.
class receiver {
public:
    virtual void complete(response&& answer) noexcept = 0;

protected:
    ~receiver() = default;
};

/// The interface between mapping and storage: a store transfers encoded entities and never sees a C++ type of the user.
///
/// No function throws for a fault of the store or the request: that is `response::failure`.
///
/// \par Thread safety
/// All functions may be called from any number of threads.
class store {
public:
    virtual ~store() = default;

    virtual tablemap::capabilities const& capabilities() const noexcept = 0;

    /// Constant while the store lives. A store around another one returns that one's; the default is an empty one.
    virtual store_context const& context() const noexcept;

    virtual response execute(request const& r, call_options const& options) = 0;

    /// Answers to `to`, possibly before this call returns. A store that never waits may keep this default, which
    /// answers at once.
    ///
    /// \par Lifetime
    /// `r`, `options` and `to` must outlive the response.
    virtual void async_execute(request const& r, call_options const& options, receiver& to);
};

/// Stores are shared: every table keeps its store alive.
using store_ptr = std::shared_ptr<store>;

}  // namespace tablemap
