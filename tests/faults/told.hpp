// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "faults/operations.hpp"

#include <boost/asio/use_future.hpp>

#include <cstddef>
#include <future>
#include <stdexcept>
#include <type_traits>

/// Parts of the rows in the table of operations.
namespace tablemap::test {

inline auto const& in_future = boost::asio::use_future;

/// The content of a future, as the blocking form returns it.
template <class V> result<V> get(std::future<V> f) {
    try {
        if constexpr (std::is_void_v<V>) {
            f.get();
            return {};
        } else {
            return f.get();
        }
    } catch (error const& e) {
        return failure{e};
    }
}

template <class V> seen told(result<V> const& r) {
    seen s;
    if (!r) s.failure = r.error();
    return s;
}

template <class W> void add(seen& s, entity<W> const& e) {
    auto const& w = e.value;
    s.value += w.department + ' ' + std::to_string(w.id) + ' ' + w.name + ' ' + std::to_string(w.age) + ' ' +
               w.email.value_or("-") + "; ";
    std::string partition, row;
    value_or_throw(detail::encode_keys(w, partition, row));
    s.etags[partition + '/' + row] = e.etag;
}
template <class W> void add(seen& s, std::optional<entity<W>> const& e) {
    if (e)
        add(s, *e);
    else
        s.value += "nobody; ";
}
template <class E> void add(seen& s, std::vector<E> const& all) {
    for (auto const& e : all) add(s, e);
}
inline void add(seen& s, std::size_t n) { s.value = std::to_string(n); }
inline void add(seen& s, bool yes) { s.value = yes ? "yes" : "no"; }

inline seen done(result<void> const& r) { return told(r); }

template <class V> seen done(result<V> const& r) {
    auto s = told(r);
    if (r) add(s, *r);
    return s;
}

/// Of a call that succeeds whoever reached its goal: nobody else did here.
inline seen reached(result<own_doing> const& r) {
    if (r && r->is_known() && !*r) throw std::logic_error{"said not to be its doing"};
    return told(r);
}

/// Of a write that refreshes the entity that it was given, or returns an etag alone.
inline seen refreshed(result<void> const& r, worker_entity const& e) {
    auto s = told(r);
    if (r) add(s, e);
    return s;
}
template <class W> seen tagged(result<etag> const& r, W const& w) {
    auto s = told(r);
    if (r) add(s, entity<W>{w, *r});
    return s;
}

// ---- workers to be written
// --------------------------------------------------------------------------------------------

inline worker const newcomer{.department = "Sales", .id = 10, .name = "Ann", .age = 20, .email = "ann@contoso.com"};
inline worker const first{.department = "Sales", .id = 1, .name = "Don", .age = 61, .email = "don@contoso.com"};
inline key_of<worker> const first_key{"Sales", 1};

inline worker numbered(std::int32_t id, std::string name = "New") {
    return {.department = "Sales", .id = id, .name = std::move(name)};
}

}  // namespace tablemap::test
