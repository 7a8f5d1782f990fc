// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/store/store.hpp"
#include "tablemap/testing/scripted_store.hpp"

#include <cstddef>
#include <string>
#include <utility>
#include <variant>

namespace tablemap::test {

/// Answers every query with an empty page that is not the last one; passes everything else on.
class endless_store final : public store {
public:
    /// Of the pages: each names one of so many places in the query, in turn.
    endless_store(store_ptr inner, std::size_t places) : inner_(std::move(inner)), places_(places) {}

    tablemap::capabilities const& capabilities() const noexcept override { return inner_->capabilities(); }
    store_context const& context() const noexcept override { return inner_->context(); }

    response execute(request const& r, call_options const& o) override {
        if (!std::holds_alternative<query_page>(r)) return inner_->execute(r, o);
        continuation next{"p" + std::to_string(pages_++ % places_), std::nullopt};
        return tablemap::testing::answer_page(R"({"value":[]})", std::move(next));
    }

    std::size_t pages() const noexcept { return pages_; }

private:
    store_ptr inner_;
    std::size_t places_;
    std::size_t pages_ = 0;
};

inline constexpr std::size_t no_place_twice = static_cast<std::size_t>(-1);

}  // namespace tablemap::test
