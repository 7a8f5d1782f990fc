// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/store/asked_row.hpp"

#include "tablemap/detail/wire/reader.hpp"
#include "tablemap/edm/names.hpp"

#include <algorithm>

namespace tablemap::inline v0_1::detail {
namespace {

error another_row() {
    return error{library_errc::malformed_response,
                 {.reason =
                      "the row that came is another one than was asked for, so it was not read; look for a proxy, a "
                      "cache or a store that mixes up its responses"}};
}

/// Stops at the first row outside the bounds of a page.
class bounds_sink final : public entity_sink {
public:
    explicit bounds_sink(page_bounds const& bounds) : bounds_(bounds) {}

    bool begin() override { return true; }
    bool property(std::string_view name, json_token const& value) override {
        bool const outside = (name == partition_key_name && !bounds_.partition.holds(value.text)) ||
                             (name == row_key_name && !bounds_.row.holds(value.text));
        return !outside || stop(rows_not_asked_for());
    }
    bool end() override { return true; }

private:
    page_bounds bounds_;
};

/// The fault in the rows of a response. A body that cannot be read is left to its reader, which reports more.
struct fault_in {
    std::string& body;

    std::optional<error> operator()(get_entity const& asked) const {
        auto const keys = read_keys(body);
        if (!keys) return std::nullopt;
        if (!keys->partition_key || !keys->row_key)
            return error{library_errc::malformed_response, {.reason = "the row lacks a key"}};
        bool const same = *keys->partition_key == asked.partition_key && *keys->row_key == asked.row_key;
        return same ? std::nullopt : std::optional{another_row()};
    }
    std::optional<error> operator()(query_page const& asked) const {
        if (!asked.current) return std::nullopt;
        bounds_sink sink{{asked.partition, asked.row}};
        static_cast<void>(read_page(body, sink));
        return sink.failure;
    }
    std::optional<error> operator()(auto const&) const { return std::nullopt; }
};

}  // namespace

void refuse_other_rows(std::span<request const> asked, std::span<response> answers) {
    for (std::size_t i = 0; i < std::min(asked.size(), answers.size()); ++i) {
        auto& answer = answers[i];
        if (!answer.ok()) continue;
        answer.failure = std::visit(fault_in{answer.body}, asked[i]);
        if (answer.failure) answer.body.clear();
    }
}

}  // namespace tablemap::detail
