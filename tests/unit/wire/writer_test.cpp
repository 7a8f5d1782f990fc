// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/wire/writer.hpp"

#include "support/random.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <limits>
#include <string>
#include <string_view>

namespace {

using namespace tablemap;
using namespace tablemap::detail;

template <class V> std::string value(V const& v) {
    std::string out;
    append_value(out, v);
    return out;
}

std::string json_string(std::string_view text) {
    std::string out;
    append_json_string(out, text);
    return out;
}

/// The model: one character after the other.
std::string naive_string(std::string_view text) {
    std::string out = "\"";
    for (std::size_t i = 0; i < text.size(); ++i) {
        char const c = text[i];
        auto const separator = text.substr(i, 3);
        if (separator == "\xE2\x80\xA8" || separator == "\xE2\x80\xA9") {
            out += separator.back() == '\xA8' ? "\\u2028" : "\\u2029";
            i += 2;
            continue;
        }
        auto const at = std::string_view{"\b\f\n\r\t\"\\"}.find(c);
        if (at != std::string_view::npos) {
            out += '\\';
            out += "bfnrt\"\\"[at];
        } else if (static_cast<unsigned char>(c) < 0x20) {
            char code[8];
            std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(static_cast<unsigned char>(c)));
            out += code;
        } else {
            out += c;
        }
    }
    return out + '"';
}

// ---- strings --------------------------------------------------------------------------------------------------------

TEST(json_string, escapes_what_json_cannot_hold) {
    EXPECT_EQ(json_string(""), R"("")");
    EXPECT_EQ(json_string("a\"b\\c/d"), R"("a\"b\\c/d")");
    EXPECT_EQ(json_string("\b\f\n\r\t"), R"("\b\f\n\r\t")");
    EXPECT_EQ(json_string({"\0\x01\x1F\x7F", 4}), "\"\\u0000\\u0001\\u001f\x7F\"");
}

TEST(json_string, escapes_every_control_character_at_every_place_in_a_word) {
    for (int c = 0; c < 0x80; ++c)
        for (std::size_t at = 0; at < 18; ++at) {
            std::string text(18, 'x');
            text[at] = static_cast<char>(c);
            EXPECT_EQ(json_string(text), naive_string(text)) << c << " at " << at;
        }
}

TEST(json_string, leaves_valid_utf8_as_it_is) {
    auto const text = test::utf8(U"\u00E9\u20AC\u2027\u202A\U0001F600\uFFFF");
    EXPECT_EQ(json_string(text), '"' + text + '"');
}

// JSON takes them as they are, but Azurite ends a line there, and with it the body of an operation in a group
// transaction.
TEST(json_string, escapes_the_separators_of_lines_and_paragraphs) {
    EXPECT_EQ(json_string(test::utf8(U"\u2028\u2029")), R"("\u2028\u2029")");
    for (std::size_t at = 0; at < 18; ++at) {
        std::string text(18, 'x');
        text.insert(at, test::utf8(U"\u2029"));
        EXPECT_EQ(json_string(text), naive_string(text)) << at;
    }
    EXPECT_EQ(json_string("\xE2"), "\"\xE2\"");
    EXPECT_EQ(json_string("\xE2\x80"), "\"\xE2\x80\"");
}

TEST(json_string, tells_ascii_from_the_rest_wherever_the_rest_stands) {
    std::string out;
    EXPECT_TRUE(append_json_string(out, ""));
    for (std::size_t size = 1; size < 20; ++size) {
        std::string text(size, '~');
        text[size / 2] = '\n';
        EXPECT_TRUE(append_json_string(out, text)) << size;
        for (std::size_t at = 0; at < size; ++at) {
            std::string other(size, '~');
            other[at] = '\x80';
            EXPECT_FALSE(append_json_string(out, other)) << at << " of " << size;
        }
    }
}

TEST(json_string, agrees_with_the_model_at_every_length_and_alignment) {
    test::random_source random;
    constexpr std::string_view interesting = "\x1F\x20\x21\x22\x23\x5B\x5C\x5D\x7E\x7F\x80\xFF\xA2\xDC\xC3\n";
    for (int i = 0; i < 5000; ++i) {
        std::string text(random.below(8) + random.below(40), 'x');
        for (auto n = random.below(6); n > 0 && !text.empty(); --n)
            text[random.below(text.size())] = interesting[random.below(interesting.size())];
        if (random.coin())
            text.insert(random.below(text.size() + 1), test::utf8(random.coin() ? U"\u2028" : U"\u2029"));
        auto const shift = random.below(std::min<std::size_t>(8, text.size() + 1));
        auto const part = std::string_view{text}.substr(shift);
        EXPECT_EQ(json_string(part), naive_string(part));
    }
}

TEST(json_string, is_appended_behind_what_is_there) {
    std::string out = "{";
    append_json_string(out, "a\nb");
    EXPECT_EQ(out, R"({"a\nb")");
}

// ---- values ---------------------------------------------------------------------------------------------------------

TEST(wire_value, of_a_boolean_or_int32_is_a_bare_token) {
    EXPECT_EQ(value(true), "true");
    EXPECT_EQ(value(false), "false");
    EXPECT_EQ(value(std::int32_t{0}), "0");
    EXPECT_EQ(value(std::numeric_limits<std::int32_t>::min()), "-2147483648");
    EXPECT_EQ(value(std::numeric_limits<std::int32_t>::max()), "2147483647");
}

TEST(wire_value, of_an_int64_is_digits_in_text) {
    EXPECT_EQ(value(std::int64_t{255}), R"("255")");
    EXPECT_EQ(value(std::numeric_limits<std::int64_t>::min()), R"("-9223372036854775808")");
    EXPECT_EQ(value(std::numeric_limits<std::int64_t>::max()), R"("9223372036854775807")");
}

TEST(wire_value, of_a_double_always_has_a_point_or_an_exponent) {
    EXPECT_EQ(value(5.0), "5.0");
    EXPECT_EQ(value(0.0), "0.0");
    EXPECT_EQ(value(-0.0), "-0.0");
    EXPECT_EQ(value(0.1), "0.1");
    EXPECT_EQ(value(-2.5), "-2.5");
    EXPECT_EQ(value(123456.0), "123456.0");
    EXPECT_EQ(value(9007199254740993.0), "9007199254740992.0");
    EXPECT_EQ(value(1e21), "1e+21");
    EXPECT_EQ(value(1e-7), "1e-07");
}

TEST(wire_value, of_a_double_reaches_its_limits) {
    EXPECT_EQ(value(5e-324), "5e-324");
    EXPECT_EQ(value(std::numeric_limits<double>::max()), "1.7976931348623157e+308");
    EXPECT_EQ(value(std::numeric_limits<double>::quiet_NaN()), R"("NaN")");
    EXPECT_EQ(value(-std::numeric_limits<double>::quiet_NaN()), R"("NaN")");
    EXPECT_EQ(value(std::numeric_limits<double>::infinity()), R"("Infinity")");
    EXPECT_EQ(value(-std::numeric_limits<double>::infinity()), R"("-Infinity")");
}

TEST(wire_value, of_a_double_is_judged_by_itself_not_by_what_stands_before) {
    std::string out = "1.5e";
    append_value(out, 7.0);
    EXPECT_EQ(out, "1.5e7.0");
}

TEST(wire_value, of_a_time_guid_or_binary_is_text) {
    EXPECT_EQ(value(ticks::parse("2024-01-01T00:00:00.1234567Z").value()), R"("2024-01-01T00:00:00.1234567Z")");
    EXPECT_EQ(value(guid::parse("C9DA6455-213D-42C9-9A79-3E9149A57833").value()),
              R"("c9da6455-213d-42c9-9a79-3e9149a57833")");
    EXPECT_EQ(value(bytes{std::byte{1}, std::byte{2}, std::byte{3}}), R"("AQID")");
    EXPECT_EQ(value(bytes{}), R"("")");
}

// ---- entities -------------------------------------------------------------------------------------------------------

TEST(written_entity, has_the_bytes_of_the_protocol) {
    dynamic_entity e{"p", "r"};
    e.set("Age", 23);
    e.set("Big", std::int64_t{255});
    e.set("Ratio", 5.0);
    e.set("When", ticks::parse("2024-01-01T00:00:00.1234567Z").value());
    e.set("Id", guid::parse("c9da6455-213d-42c9-9a79-3e9149a57833").value());
    e.set("Raw", bytes{std::byte{1}, std::byte{2}, std::byte{3}});
    e.set("On", true);
    e.set("Name", "x");
    std::string out;
    append_entity(out, e);
    EXPECT_EQ(out, R"({"PartitionKey":"p","RowKey":"r","Age":23,"Big@odata.type":"Edm.Int64","Big":"255",)"
                   R"("Ratio@odata.type":"Edm.Double","Ratio":5.0,)"
                   R"("When@odata.type":"Edm.DateTime","When":"2024-01-01T00:00:00.1234567Z",)"
                   R"("Id@odata.type":"Edm.Guid","Id":"c9da6455-213d-42c9-9a79-3e9149a57833",)"
                   R"("Raw@odata.type":"Edm.Binary","Raw":"AQID","On":true,"Name":"x"})");
}

TEST(written_entity, leaves_etag_and_timestamp_to_the_store) {
    stored_entity e{"a\"b", "\xC3\xA9"};
    e.etag = etag{"W/\"x\""};
    e.timestamp = ticks::max();
    std::string out;
    append_entity(out, e);
    EXPECT_EQ(out, "{\"PartitionKey\":\"a\\\"b\",\"RowKey\":\"\xC3\xA9\"}");
}

}  // namespace
