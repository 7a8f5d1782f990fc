// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fuzz_target.hpp"

#include "tablemap/base/bytes.hpp"
#include "tablemap/base/guid.hpp"
#include "tablemap/base/ticks.hpp"
#include "tablemap/edm/etag.hpp"
#include "tablemap/mapping/converters/decimal.hpp"
#include "tablemap/mapping/converters/url.hpp"
#include "rest/http_date.hpp"
#include "rest/url.hpp"

/// Input: one value as text. What is read is written as a text that reads as the same.
namespace tablemap::fuzz {

TABLEMAP_FUZZ_TARGET(texts) {
    if (ticks t; detail::parse_ticks(input, t)) {
        auto const again = ticks::parse(t.text());
        require(again && *again == t, "a time that is written reads as the same");
    }
    if (guid g; detail::parse_guid(input, g))
        require(guid::parse(g.text()).value() == g, "a guid that is written reads as the same");
    if (bytes b; detail::parse_base64(input, b)) {
        std::string text;
        detail::append_base64(text, b);
        require(text == input, "bytes have one text");
    }
    if (auto const date = detail::parse_http_date(input)) {
        std::string text;
        detail::append_http_date(text, *date);
        require(detail::parse_http_date(text) == date, "a date that is written reads as the same");
    }
    if (auto const d = decimal::parse(input)) {
        auto const again = decimal::parse(d->text());
        require(again && again->text() == d->text(), "a decimal that is written reads as the same");
    }
    std::string encoded;
    detail::append_percent_encoded(encoded, input);
    require(detail::percent_decoded(encoded) == input, "text that is escaped comes back");
    require(detail::percent_decoded(input).size() <= input.size(), "escapes make text shorter");
}

}  // namespace tablemap::fuzz
