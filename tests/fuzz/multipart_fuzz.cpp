// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fuzz_target.hpp"

#include "rest/multipart.hpp"

/// Input: a Content-Type, a line break, the body of the response to a group. All that is read lies in the body.
namespace tablemap::fuzz {
namespace {

bool is_within(std::string_view part, std::string_view all) {
    return part.empty() || (part.data() >= all.data() && part.data() + part.size() <= all.data() + all.size());
}

constexpr std::size_t most_parts = 101;

}  // namespace

TABLEMAP_FUZZ_TARGET(multipart) {
    auto const type = take_line(input);
    std::size_t total = 0;
    auto const parts = detail::read_batch(type, input, most_parts);
    require(parts.size() <= most_parts, "no more parts are read than are asked for");
    for (auto const& part : parts) {
        require(is_within(part.body, input), "a part's body lies in the response");
        auto const headers = detail::headers_in(part.head);
        for (auto const& [name, value] : headers) {
            require(is_within(name, input) && is_within(value, input), "a part's headers lie in the response");
            require(detail::header_in(part.head, name).has_value(), "a header that is there is found");
        }
        total += part.body.size() + 1;
    }
    require(total <= 2 * input.size() + 1, "no byte belongs to many parts");
}

}  // namespace tablemap::fuzz
