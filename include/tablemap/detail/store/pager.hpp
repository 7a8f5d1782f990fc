// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/store/operation.hpp"
#include "tablemap/detail/store/page_progress.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

namespace tablemap::detail {

/// Takes the entities of a page. Returns how many there were.
template <class R>
concept page_reader = requires(R& r, response& page) {
    { r(page) } -> std::same_as<result<std::size_t>>;
};

/// After a page that gave nothing the next one is larger, up to `most` rows: a query that asks for few rows, because few are wanted,
/// does not ask for each few of a long run that it passes over.
inline void widen(query_page& query, std::size_t most) noexcept {
    if (query.top && *query.top < most) query.top = std::min(most, *query.top * 8);
}

/// Fetches a query's pages one at a time: each run reads on to the next page that holds anything.
///
/// A run yields true if there was such a page, false at the end. Empty pages with a continuation are passed over, as many in a row
/// as `call_options::empty_pages` allows. After a failure the next run asks for the same page again, so nothing is skipped.
template <page_reader Read> class page_operation {
public:
    using value_type = bool;

    /// What `query` borrows must outlive the operation. `most`: to so many rows a page may be widened.
    page_operation(query_page query, Read read, std::size_t most = 0)
        : query_(query), read_(std::move(read)), most_(most) {}

    /// Begins where another operation of the same query ended. Precondition: it has not been run.
    void begin_at(std::optional<continuation> from) {
        next_ = std::move(from);
        progress_.begin_at(next_);
    }
    void begin_at_end() noexcept { ended_ = true; }

    step start(environment const&) {
        result_.reset();
        if (ended_) {
            result_ = false;
            return step::done();
        }
        return ask();
    }

    step resume(environment const& env, std::span<response> answers) {
        auto& page = answers.front();
        if (!page.ok()) return finish(failure{std::move(*page.failure)});
        if (auto const circle = progress_.circle(page.next)) return finish(failure{*circle});
        auto const count = read_(page);
        if (!count) return finish(failure{count.error()});
        current_ = std::exchange(next_, std::move(page.next));
        ended_ = !next_;
        auto const stuck = progress_.passed(next_, *count == 0, env.options());
        if (*count > 0) return finish(true);
        if (stuck) return finish(failure{*stuck});
        widen(query_, most_);
        return ended_ ? finish(false) : ask();
    }

    result<bool> take() { return std::move(*result_); }

    /// Where the next run begins; nothing at the start and at the end.
    std::optional<continuation> const& next() const noexcept { return next_; }

    /// Where the page began that was read last; nothing for the first one.
    std::optional<continuation> const& current() const noexcept { return current_; }
    bool ended() const noexcept { return ended_; }
    Read& reader() noexcept { return read_; }

private:
    step ask() {
        query_.from = next_ ? &*next_ : nullptr;
        request_ = query_;
        return step::send(request_);
    }

    step finish(result<bool> r) {
        result_ = std::move(r);
        return step::done();
    }

    query_page query_;
    Read read_;
    std::size_t most_;
    request request_{};
    std::optional<continuation> next_{};
    std::optional<continuation> current_{};
    std::optional<result<bool>> result_{};
    page_progress progress_{};
    bool ended_ = false;
};

}  // namespace tablemap::detail
