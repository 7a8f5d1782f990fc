// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/mapping/json_io.hpp"

#include "tablemap/detail/base/utf.hpp"
#include "tablemap/detail/wire/writer.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace tablemap::inline v0_1::detail {
namespace {

std::string_view name_of(json_kind kind) noexcept {
    switch (kind) {
    case json_kind::null: return "null";
    case json_kind::boolean: return "a boolean";
    case json_kind::integer: return "an integer";
    case json_kind::real: return "a number";
    case json_kind::text: return "text";
    case json_kind::array: return "an array";
    case json_kind::object: return "an object";
    }
    return "a value";
}

std::string_view found_in(json_value const& v) noexcept {
    if (v.kind != json_kind::real) return name_of(v.kind);
    return v.text.empty() ? "a number with a fraction or exponent" : "an integer beyond 64 bits";
}

template <class Number> void append_digits(std::string& out, Number v) {
    char text[24];
    out.append(text, std::to_chars(text, text + sizeof text, v).ptr);
}

constexpr ticks first_writable{0};

json_value const absent{};

/// A real is what any number is called here, so integers are left out.
constexpr std::array every_kind{json_kind::null, json_kind::boolean, json_kind::real,
                                json_kind::text, json_kind::array,   json_kind::object};

}  // namespace

// ---- places ---------------------------------------------------------------------------------------------------------

bool json_place::fail(library_errc code, std::string reason) {
    failure_ = error{code, {.reason = std::move(reason)}};
    return false;
}

bool json_place::fail(error const& e) {
    failure_ = e;
    return false;
}

bool json_place::in_field(std::string_view name) {
    path_.insert(0, name).insert(0, ".");
    return false;
}

bool json_place::in_element(std::size_t index) {
    path_.insert(0, "[" + std::to_string(index) + "]");
    return false;
}

bool json_place::in_entry() {
    path_.insert(0, ".*");
    return false;
}

error json_place::failed() const {
    auto details = failure_->details();
    details.reason = "$" + path_ + ": " + (details.reason.empty() ? failure_->code().message() : details.reason);
    return error{failure_->code(), std::move(details)};
}

// ---- writing --------------------------------------------------------------------------------------------------------

bool json_output::put_null() {
    out_ += "null";
    return true;
}

bool json_output::put(bool v) {
    out_ += v ? "true" : "false";
    return true;
}

bool json_output::put(std::int64_t v) {
    append_digits(out_, v);
    return true;
}

bool json_output::put(std::uint64_t v) {
    append_digits(out_, v);
    return true;
}

bool json_output::put(double v) {
    if (!std::isfinite(v))
        return fail(library_errc::value_out_of_range,
                    "JSON has no NaN and no infinity; use std::optional<double> for a number that may be missing");
    append_value(out_, v);
    return true;
}

bool json_output::put_text(std::string_view text) {
    if (append_json_string(out_, text) || utf16_length(text)) return true;
    return fail(library_errc::invalid_text, "the text is not UTF-8; use tablemap::bytes for data that is not text");
}

bool json_output::put(std::string const& v) { return put_text(v); }

bool json_output::put(ticks v) {
    if (v < first_writable || v > ticks::max())
        return fail(library_errc::value_out_of_range, "the time is outside the years 1 to 9999");
    append_value(out_, v);
    return true;
}

bool json_output::put(guid const& v) {
    append_value(out_, v);
    return true;
}

bool json_output::put(bytes const& v) {
    append_value(out_, v);
    return true;
}

bool json_output::put(json_document const& v) {
    if (depth_ + json_depth(v.text()) > deepest_json)
        return fail(library_errc::value_out_of_range, "the document is nested more than 64 levels deep");
    out_ += v.text();
    return true;
}

bool json_output::put_name(std::string_view known) {
    append_json_string(out_, known);
    return true;
}

bool json_output::open(char bracket) {
    if (++depth_ > deepest_json)
        return fail(library_errc::value_out_of_range, "the value is nested more than 64 levels deep");
    out_ += bracket;
    return true;
}

bool json_output::close(char bracket) {
    --depth_;
    out_ += bracket;
    return true;
}

void json_output::separate(bool first) {
    if (!first) out_ += ',';
}

bool json_output::key(std::string const& name) {
    if (!put_text(name)) return false;
    out_ += ':';
    return true;
}

void json_output::field(std::string_view name) { out_.append("\"").append(name).append("\":"); }

bool write_json_fields(json_output& out, std::span<json_field const> fields, void const* const* addresses) {
    if (!out.open('{')) return false;
    for (std::size_t i = 0; i < fields.size(); ++i) {
        out.separate(i == 0);
        out.field(fields[i].name);
        if (!fields[i].write(out, addresses[i])) return out.in_field(fields[i].name);
    }
    return out.close('}');
}

bool fail_unlisted(json_output& out) {
    return out.fail(library_errc::value_out_of_range,
                    "the value is none that tablemap::enumeration lists for its enum");
}

// ---- reading --------------------------------------------------------------------------------------------------------

bool json_input::mismatch(json_value const& from, std::string_view expected) {
    std::string reason = "expected ";
    reason.append(expected).append(", found ").append(found_in(from));
    return fail(library_errc::type_mismatch, std::move(reason));
}

bool json_input::out_of_range() {
    return fail(library_errc::type_mismatch, "the integer does not fit the member's type; give the member a wider one");
}

bool json_input::expect(json_value const& from, json_kind kind) {
    return from.kind == kind || mismatch(from, name_of(kind));
}

bool json_input::expect_size(json_value const& from, std::size_t size) {
    if (!expect(from, json_kind::array)) return false;
    if (from.items.size() == size) return true;
    return fail(library_errc::type_mismatch,
                "expected " + std::to_string(size) + " elements, found " + std::to_string(from.items.size()));
}

bool json_input::get(json_value const& from, bool& to) {
    to = from.boolean;
    return expect(from, json_kind::boolean);
}

bool json_input::get(json_value const& from, double& to) {
    to = from.kind == json_kind::integer ? static_cast<double>(from.integer) : from.real;
    return from.kind == json_kind::integer || expect(from, json_kind::real);
}

bool json_input::get(json_value const& from, std::string& to) {
    if (!expect(from, json_kind::text)) return false;
    to = from.text;
    return true;
}

bool json_input::get(json_value const& from, ticks& to) {
    if (!expect(from, json_kind::text)) return false;
    return parse_ticks(from.text, to) ||
           fail(library_errc::type_mismatch, "expected a time such as 2014-07-01T12:00:00Z, found other text");
}

bool json_input::get(json_value const& from, guid& to) {
    if (!expect(from, json_kind::text)) return false;
    return parse_guid(from.text, to) ||
           fail(library_errc::type_mismatch, "expected a guid of 36 characters, found other text");
}

bool json_input::get(json_value const& from, bytes& to) {
    if (!expect(from, json_kind::text)) return false;
    return parse_base64(from.text, to) ||
           fail(library_errc::type_mismatch, "expected bytes in padded base64, found other text");
}

bool json_input::get(json_value const& from, json_document& to) {
    to = json_document::from_checked(from.source);
    return true;
}

bool json_input::get_signed(json_value const& from, std::int64_t min, std::int64_t max, std::int64_t& to) {
    if (from.kind == json_kind::real && !from.text.empty()) return out_of_range();
    if (!expect(from, json_kind::integer)) return false;
    to = from.integer;
    return (min <= to && to <= max) || out_of_range();
}

bool json_input::get_unsigned(json_value const& from, std::uint64_t max, std::uint64_t& to) {
    if (from.kind == json_kind::real && !from.text.empty()) {
        auto const* const last = from.text.data() + from.text.size();
        auto const [end, e] = std::from_chars(from.text.data(), last, to);
        return (e == std::errc{} && end == last && to <= max) || out_of_range();
    }
    if (!expect(from, json_kind::integer)) return false;
    to = static_cast<std::uint64_t>(from.integer);
    return (from.integer >= 0 && to <= max) || out_of_range();
}

bool read_json_fields(json_input& in, json_value const& from, std::span<json_field const> fields,
                      void* const* addresses) {
    if (!in.expect(from, json_kind::object)) return false;
    for (std::size_t i = 0; i < fields.size(); ++i) {
        auto const* value = from.find(fields[i].name);
        if (value == nullptr && fields[i].optional) value = &absent;
        if (value != nullptr && !fields[i].read(in, *value, addresses[i])) return in.in_field(fields[i].name);
    }
    return true;
}

result<void> append_json(std::string& out, json_write write, void const* from) {
    json_output to{out};
    if (!write(to, from)) return failure{to.failed()};
    return {};
}

result<void> read_json(json_value const& from, json_read read, void* to) {
    json_input in;
    if (!read(in, from, to)) return failure{in.failed()};
    return {};
}

result<void> read_json(std::string_view text, json_read read, void* to) {
    auto const tree = parse_json(text);
    if (!tree) return failure{tree.error()};
    return read_json(*tree, read, to);
}

bool fail_unlisted(json_input& in) {
    return in.fail(library_errc::type_mismatch,
                   "the stored value is none that tablemap::enumeration lists for the member's enum");
}

bool fail_valueless(json_output& out) {
    return out.fail(library_errc::value_out_of_range,
                    "the variant holds no value, since an exception prevented an assignment to it");
}

bool fail_repeated(json_input& in) {
    return in.fail(library_errc::type_mismatch, "the set has this element already; use std::vector to keep both");
}

bool fail_kind(json_input& in, json_value const& from, json_kinds expected) {
    std::string reason;
    for (auto const kind : every_kind)
        if (expected.holds(kind)) reason.append(reason.empty() ? "expected " : " or ").append(name_of(kind));
    reason.append(", found ").append(found_in(from));
    return in.fail(library_errc::type_mismatch, std::move(reason));
}

}  // namespace tablemap::detail
