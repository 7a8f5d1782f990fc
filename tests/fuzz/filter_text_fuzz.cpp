// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fuzz_target.hpp"

#include "tablemap/filter/narrowing.hpp"
#include "tablemap/filter/odata.hpp"
#include "tablemap/filter/parse.hpp"

/// Input: a filter as text. What is read is written as a text that reads as the same tree, and is written as itself.
namespace tablemap::fuzz {
namespace {

std::optional<std::string> text_of(filter::expression const& e) {
    std::string out;
    return filter::append_odata(out, e) ? std::optional{std::move(out)} : std::nullopt;
}

}  // namespace

TABLEMAP_FUZZ_TARGET(filter_text) {
    auto const tree = filter::parse(input);
    if (!tree) return;
    auto const text = text_of(*tree);
    if (!text) return;  // a name or a value that no service takes
    // The written text has more parentheses than the one that was read, and may so exceed the bounds of reading.
    auto const again = filter::parse(*text);
    if (!again) return require(input.size() > 1000 || text->size() > 1000, "what is written is read");
    require(text_of(*again) == text, "a filter that was written is written as it was");
    static_cast<void>(filter::matches(*tree, {}));
    require(filter::matches(*tree, {}) == filter::matches(*again, {}), "both match the same");
}

}  // namespace tablemap::fuzz
