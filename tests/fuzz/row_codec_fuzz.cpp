// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fuzz_target.hpp"

#include "tablemap/base/error.hpp"
#include "tablemap/detail/wire/reader.hpp"
#include "tablemap/detail/wire/row_codec.hpp"

/// Input: the body of a write for the entity of the keys "p" and "r". What the embedded store makes of it is what it
/// makes of that.
namespace tablemap::fuzz {
namespace {

std::optional<std::string> canonical(std::string_view body, bool keys_required) {
    std::string fragment;
    try {
        detail::append_canonical(fragment, body, {"p", "r", 2}, keys_required);
        return fragment;
    } catch (error const& e) {
        require(e.code() == error_source::service, "a body is refused as the service refuses it");
        return std::nullopt;
    }
}

}  // namespace

TABLEMAP_FUZZ_TARGET(row_codec) {
    auto const fragment = canonical(input, false);
    static_cast<void>(canonical(input, true));
    if (!fragment) return;
    auto const whole = R"({"PartitionKey":"p","RowKey":"r")" + *fragment + "}";
    require(canonical(whole, true) == fragment, "a row that is written is written again as it is");
    auto json = whole;
    require(detail::read_dynamic(json).has_value(), "a row that is written is read");
}

}  // namespace tablemap::fuzz
