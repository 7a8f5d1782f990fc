// SPDX-License-Identifier: Apache-2.0
#include "serve/parameter_values.hpp"

#include "base/text_bytes.hpp"
#include "serve/refused.hpp"
#include "tablemap/base/bytes.hpp"

#include <charconv>

namespace tablemap::inline v0_1::detail::serve {

std::optional<std::size_t> number_in(parameters const& q, std::string_view name) {
    auto const text = q.find(name);
    if (!text) return std::nullopt;
    std::size_t n = 0;
    auto const* const last = text->data() + text->size();
    auto const [end, e] = std::from_chars(text->data(), last, n);
    if (e != std::errc{} || end != last || text->empty())
        refuse_input("The parameter " + std::string{name} + " must be a whole number.");
    return n;
}

std::string encoded_token(std::string_view text) {
    std::string token;
    append_base64(token, as_bytes(text));
    return token;
}

std::string decoded_token(std::string_view token) {
    bytes data;
    if (!parse_base64(token, data)) refuse_token();
    return {reinterpret_cast<char const*>(data.data()), data.size()};
}

void refuse_token() {
    refuse_input("The continuation is none that this server gave: pass back what the page before gave, unchanged.");
}

}  // namespace tablemap::detail::serve
