// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/store/thrown_note.hpp"
#include "tablemap/store/store.hpp"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>

namespace tablemap::inline v0_1::detail {

/// A store for one query: while a page is being used, the one after it is on its way.
///
/// A page that failed ahead of its time is requested again when it is needed, so retries and errors are as without
/// this; if the store asked to wait, the failure is final, and a retry waits that long.
/// Memory: one page. The data that the query's requests borrow must outlive it. Its destructor waits for an outstanding
/// answer; a response to the asynchronous driver keeps `owner` alive instead, since that may be released on the thread
/// that brings the responses.
/// Thread safety: one request at a time.
class read_ahead_store final : public store {
public:
    /// `owner`: the object that the requests borrow from, and that owns this.
    explicit read_ahead_store(store_ptr inner, std::weak_ptr<void const> owner = {})
        : inner_(std::move(inner)), owner_(std::move(owner)) {}
    ~read_ahead_store() override;

    tablemap::capabilities const& capabilities() const noexcept override { return inner_->capabilities(); }
    store_context const& context() const noexcept override { return inner_->context(); }
    response execute(request const& r, call_options const& options) override;
    void async_execute(request const& r, call_options const& options, receiver& to) override;

private:
    /// The page that is requested, or has come.
    struct early_page final : receiver {
        explicit early_page(read_ahead_store& s) : owner(s) {}
        /// The call may end before the response comes: exceptions of the clock or an observer are noted here then.
        void take_options(call_options const& o);
        void pass_thrown(call_options const& to) noexcept;
        void complete(response&& answer) noexcept override { owner.arrived(std::move(answer)); }

        read_ahead_store& owner;
        continuation from{};
        request wanted{};
        call_options options{};
        thrown_note thrown{};
        guarded_clock clock{thrown};
        std::shared_ptr<void const> keep{};  ///< until the response is there
    };

    /// A request of the asynchronous driver whose response names the page to read next.
    struct watched final : receiver {
        void complete(response&& answer) noexcept override;

        read_ahead_store* owner{};
        query_page page{};
        call_options const* options{};
        receiver* to{};
    };

    bool is_early(query_page const& page) const;
    void read_next(query_page const& page, response const& answer, call_options const& options,
                   std::shared_ptr<void const> keep) noexcept;
    void arrived(response&& answer) noexcept;
    void ask_again() noexcept;
    void deliver(response&& answer) noexcept;

    store_ptr inner_;
    std::weak_ptr<void const> owner_;
    std::mutex mutex_;
    std::condition_variable came_;
    std::unique_ptr<early_page> early_{};
    std::optional<response> answer_{};
    bool waits_ = false;    ///< `early_` is outstanding
    bool claimed_ = false;  ///< `watched_` is to receive it
    watched watched_{};
};

}  // namespace tablemap::detail
