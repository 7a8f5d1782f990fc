// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/rest/token_source.hpp"

#include <utility>
#include <vector>

namespace tablemap::test {

/// Answers when the test says so.
class slow_source final : public token_source {
public:
    void get(token_request const& r, token_receiver& to) override {
        asked.push_back(r);
        waiting.push_back(&to);
    }
    void answer(result<access_token> token) {
        auto* const to = waiting.front();
        waiting.erase(waiting.begin());
        to->complete(std::move(token));
    }

    std::vector<token_request> asked{};
    std::vector<token_receiver*> waiting{};
};

}  // namespace tablemap::test
