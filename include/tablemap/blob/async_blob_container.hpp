// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/blob/async_blob_calls.hpp"
#include "tablemap/detail/store/async_start.hpp"

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1 {

/// The operations of `blob_container` for callers that do not block. Each takes a Boost.Asio completion token last,
/// which `call_options` may precede.
///
///     async_blob_container reports{store, "reports"};
///     auto const etag = co_await reports.put("november", text, blob_state::absent(), asio::use_awaitable);
///     auto const read = co_await reports.get("november", asio::use_awaitable);
///
/// Conditions, values and errors are those of `blob_container`; the signature is `void(std::exception_ptr, V)`, or
/// `void(std::exception_ptr)` where there is no value. Handlers run as `detail/store/async_task.hpp` says. Names and
/// bytes are copied before the call returns; a `std::string` that is passed as an rvalue is moved. On g++ 12 a
/// `blob_part` and a `blob_selection` need a name.
///
/// \par Thread safety
/// As `blob_container`.
/// \par Lifetime
/// May be destroyed while operations are under way.
class async_blob_container {
public:
    /// Names a container in a store; nothing is sent.
    ///
    /// \pre `s` is not null
    /// \throws error as the constructor of `blob_container`
    async_blob_container(store_ptr s, std::string name) : calls_(std::move(s), std::move(name)) {}

    std::string const& name() const& noexcept { return calls_.name(); }
    std::string name() const&& { return calls_.name(); }

    // ---- the container ----------------------------------------------------------------------------------------------

    template <class... Last> auto create(Last&&... last) const {
        return start(calls_.create(), std::forward<Last>(last)...);
    }
    template <class... Last> auto create_if_not_exists(Last&&... last) const {
        return start(calls_.create_if_not_exists(), std::forward<Last>(last)...);
    }
    template <class... Last> auto delete_container(Last&&... last) const {
        return start(calls_.delete_container(), std::forward<Last>(last)...);
    }
    template <class... Last> auto delete_if_exists(Last&&... last) const {
        return start(calls_.delete_if_exists(), std::forward<Last>(last)...);
    }
    template <class... Last> auto exists(Last&&... last) const {
        return start(calls_.exists(), std::forward<Last>(last)...);
    }

    // ---- whole blobs ------------------------------------------------------------------------------------------------

    /// `put(blob, content, state, token)`, `put(blob, content, state, content_type, token)`, each with `call_options`
    /// before the token or not.
    template <detail::is_text Content, class... Last>
    auto put(std::string_view blob, Content&& content, blob_state const& when, Last&&... last) const {
        return with_type(
            [&](std::string_view type) {
                return calls_.put(std::string{blob}, detail::kept_text(std::forward<Content>(content)), when,
                                  std::string{type});
            },
            std::forward<Last>(last)...);
    }

    template <class... Last> auto get(std::string_view blob, Last&&... last) const {
        return start(calls_.get(std::string{blob}, {}), std::forward<Last>(last)...);
    }
    template <class Part, class... Last>
    requires std::same_as<std::remove_cvref_t<Part>, blob_part>
    auto get(std::string_view blob, Part&& part, Last&&... last) const {
        detail::refuse_unsafe_temporary<Part>();
        return start(calls_.get(std::string{blob}, part), std::forward<Last>(last)...);
    }
    template <class... Last> auto find(std::string_view blob, Last&&... last) const {
        return start(calls_.find(std::string{blob}, {}), std::forward<Last>(last)...);
    }
    template <class Part, class... Last>
    requires std::same_as<std::remove_cvref_t<Part>, blob_part>
    auto find(std::string_view blob, Part&& part, Last&&... last) const {
        detail::refuse_unsafe_temporary<Part>();
        return start(calls_.find(std::string{blob}, part), std::forward<Last>(last)...);
    }

    template <class... Last> auto properties(std::string_view blob, Last&&... last) const {
        return start(calls_.properties(std::string{blob}), std::forward<Last>(last)...);
    }
    template <class... Last> auto find_properties(std::string_view blob, Last&&... last) const {
        return start(calls_.find_properties(std::string{blob}), std::forward<Last>(last)...);
    }

    template <class... Last> auto erase(std::string_view blob, etag const& e, Last&&... last) const {
        return start(calls_.erase(std::string{blob}, e), std::forward<Last>(last)...);
    }
    template <class... Last> auto erase_any(std::string_view blob, Last&&... last) const {
        return start(calls_.erase_any(std::string{blob}), std::forward<Last>(last)...);
    }

    /// A page of all blobs, or, with a selection first, of those.
    template <class Selection, class... Last>
    requires std::same_as<std::remove_cvref_t<Selection>, blob_selection>
    auto page(Selection&& which, Last&&... last) const {
        detail::refuse_unsafe_temporary<Selection>();
        return start(calls_.page(which), std::forward<Last>(last)...);
    }
    template <class... Last> auto page(Last&&... last) const {
        return start(calls_.page({}), std::forward<Last>(last)...);
    }

    /// All blobs, or, with a text first, those whose names begin with it.
    template <detail::is_text Prefix, class... Last> auto list(Prefix const& prefix, Last&&... last) const {
        return start(calls_.list(std::string{std::string_view{prefix}}), std::forward<Last>(last)...);
    }
    template <class... Last>
    requires(!detail::is_text<detail::first_argument<Last...>>) auto list(Last&&... last) const {
        return list(std::string_view{}, std::forward<Last>(last)...);
    }

    // ---- append blobs -----------------------------------------------------------------------------------------------

    /// `create_append(blob, state, token)`, `create_append(blob, state, content_type, token)`, each with `call_options`
    /// before the token or not.
    template <class... Last> auto create_append(std::string_view blob, blob_state const& when, Last&&... last) const {
        return with_type(
            [&](std::string_view type) { return calls_.create_append(std::string{blob}, when, std::string{type}); },
            std::forward<Last>(last)...);
    }
    template <detail::is_text Content, class... Last>
    auto append(std::string_view blob, Content&& content, std::uint64_t position, Last&&... last) const {
        return start(calls_.append(std::string{blob}, detail::kept_text(std::forward<Content>(content)), position),
                     std::forward<Last>(last)...);
    }
    template <detail::is_text Content, class... Last>
    auto append_anywhere(std::string_view blob, Content&& content, Last&&... last) const {
        return start(calls_.append_anywhere(std::string{blob}, detail::kept_text(std::forward<Content>(content))),
                     std::forward<Last>(last)...);
    }

    // ---- blocks -----------------------------------------------------------------------------------------------------

    template <detail::is_text Content, class... Last>
    auto stage(std::string_view blob, std::string_view block, Content&& content, Last&&... last) const {
        return start(
            calls_.stage(std::string{blob}, std::string{block}, detail::kept_text(std::forward<Content>(content))),
            std::forward<Last>(last)...);
    }

    /// `commit(blob, blocks, state, token)`, `commit(blob, blocks, state, content_type, token)`, each with
    /// `call_options` before the token or not. `blocks` is any range of texts.
    template <class Blocks, class... Last>
    auto commit(std::string_view blob, Blocks const& blocks, blob_state const& when, Last&&... last) const {
        return with_type(
            [&](std::string_view type) {
                std::vector<std::string> ids;
                for (std::string_view const id : blocks) ids.emplace_back(id);
                return calls_.commit(std::string{blob}, std::move(ids), when, std::string{type});
            },
            std::forward<Last>(last)...);
    }

private:
    template <class V, class... Last> static auto start(detail::service_call<V> call, Last&&... last) {
        auto where = call.store();
        return detail::start_with(std::move(where), std::move(call), std::forward<Last>(last)...);
    }

    // The type of the content may stand before the last arguments.
    template <class Make, detail::is_text Type, class... Last>
    auto with_type(Make make, Type&& type, Last&&... last) const {
        return start(make(std::string_view{type}), std::forward<Last>(last)...);
    }
    template <class Make, class... Last> auto with_type(Make make, Last&&... last) const {
        return start(make(std::string_view{}), std::forward<Last>(last)...);
    }

    detail::async_blob_calls calls_;
};

}  // namespace tablemap
