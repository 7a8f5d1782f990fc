// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "embedded/call_limits.hpp"
#include "embedded/connection.hpp"

#include "tablemap/base/ticks.hpp"
#include "tablemap/store/request.hpp"
#include "tablemap/store/response.hpp"

#include <functional>
#include <span>
#include <string>
#include <vector>

/// The operations behind each request, on a connection that the caller holds. All throw `error`.
namespace tablemap::inline v0_1::detail::embedded {

response read_entity(connection& c, get_entity const& q);
response read_page(connection& c, query_page const& q, call_limits const& limits);

response read_tables(connection& c, list_tables const& q);
response add_table(connection& c, create_table const& q);
response remove_table(connection& c, delete_table const& q);

response read_policies(connection& c, get_access_policies const& q);
response store_policies(connection& c, set_access_policies const& q);
response read_properties(connection& c);
response store_properties(connection& c, set_service_properties const& q);

/// True for requests that change no message and so need no write transaction.
bool reads_queue(queue_request const& r) noexcept;

/// Precondition: `check_queue_request(r)`.
response carry_out(connection& c, queue_request const& r, std::function<ticks()> const& now, call_limits const& limits);

/// Removes the stored data of a table except its rows. Inside a transaction.
void remove_policies(connection& c, std::int64_t table);

/// One write, or those of a group transaction, checked and encoded before any lock is taken.
class prepared_writes {
public:
    explicit prepared_writes(write_entity const& w);
    explicit prepared_writes(transact const& t);

    /// The number of writes, each of which takes a stamp.
    std::size_t size() const noexcept { return items_.size(); }

    /// The size of what they store.
    std::size_t bytes() const noexcept { return fragments_.size(); }

    /// Applies them inside a transaction, with stamps from the given one on. An error may leave some of several writes
    /// applied; it names the operation at fault if this is a group transaction.
    response apply(connection& c, ticks stamp) const;

private:
    struct item {
        write_operation const* operation;
        std::size_t key_units;
        std::size_t at, length;  // of its fragment
    };

    void add(write_operation const& o);
    std::string_view fragment_of(item const& i) const noexcept { return {fragments_.data() + i.at, i.length}; }
    void apply_one(connection& c, std::int64_t table, item const& i, ticks stamp) const;

    std::string_view table_;
    bool is_group_;
    std::vector<item> items_;
    std::string fragments_;
};

}  // namespace tablemap::detail::embedded
