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

namespace tablemap::inline v0_1::detail {

/// Takes the entities of a page. Returns their number.
template <class R>
concept page_reader = requires(R& r, response& page) {
    { r(page) } -> std::same_as<result<std::size_t>>;
};

/// After a page without results the next one is larger, up to `most` rows: a query with small pages should not request
/// a long run of rows that it skips in small pages.
inline void widen(query_page& query, std::size_t most) noexcept {
    if (query.top && *query.top < most) query.top = std::min(most, *query.top * 8);
}

/// Fetches a query's pages one at a time: each run reads on to the next page with entities.
///
/// A run yields true if there was such a page, false at the end. Empty pages with a continuation are skipped, as many
/// in a row as `call_options::empty_pages` allows. After a failure the next run requests the same page again, so that
/// no row is left out.
template <page_reader Read> class page_operation {
public:
    using value_type = bool;

    /// The data that `query` borrows must outlive the operation. `most`: the greatest page size after widening.
    page_operation(query_page query, Read read, std::size_t most = 0)
        : query_(query), read_(std::move(read)), most_(most) {}

    /// Begins at the end of another operation of the same query. Precondition: it has not been run.
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

    /// The start of the next run; nothing at the start and at the end.
    std::optional<continuation> const& next() const noexcept { return next_; }

    /// The start of the page that was read last; nothing for the first one.
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
