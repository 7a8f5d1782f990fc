// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ascii.hpp"
#include "base/short_text.hpp"
#include "tablemap/detail/base/utf.hpp"
#include "tablemap/detail/wire/token.hpp"
#include "wire/text_stop.hpp"

#include <array>
#include <cstddef>
#include <memory>
#include <memory_resource>
#include <string>
#include <string_view>

namespace tablemap::inline v0_1::detail {

/// A number that is a double, whether it is written as one or not. False for text that is no number of JSON.
bool read_json_real(std::string_view text, double& to) noexcept;

/// Reads JSON token by token, in one pass, each after the blanks before it. Everything is checked where it is read:
/// the text may come from anywhere. A function that returns false has set `fault`, unless it says otherwise.
///
/// Texts are views of the source if they have no escapes.
class json_scanner {
public:
    explicit json_scanner(std::string const& json) noexcept : at_(json.data()), end_(json.data() + json.size()) {}
    json_scanner(json_scanner const&) = delete;
    json_scanner& operator=(json_scanner const&) = delete;

    /// Goes on with another text. Precondition: a NUL stands behind it.
    void go_to(std::string_view json) noexcept { at_ = json.data(), end_ = json.data() + json.size(); }

    /// The fault of the text; null: none so far.
    char const* fault() const noexcept { return fault_; }

    /// Ends the life of texts that had escapes.
    void forget_texts() noexcept {
        used_ = 0;
        long_texts_.reset();
    }

    /// False without a fault, like `take`, if something else comes than this character.
    bool is_next(char c) noexcept {
        if (*at_ == c) return true;
        skip_blanks();
        return *at_ == c;
    }
    bool take(char c) noexcept {
        if (!is_next(c)) return false;
        ++at_;
        return true;
    }
    bool expect(char c) noexcept { return take(c) || fail("a character of JSON is missing or wrong"); }

    bool read_text(std::string_view& to) { return expect_quote() && read_rest_of_text(to); }

    /// A text that probably is this one, whose characters all stand for themselves: comparing costs less than searching
    /// for the end.
    bool read_text(std::string_view& to, std::string_view probable) {
        if (!expect_quote()) return false;
        auto const n = probable.size();
        if (n >= static_cast<std::size_t>(end_ - at_) || at_[n] != '"' || !same_short_text(probable, {at_, n}))
            return read_rest_of_text(to);
        to = probable;
        at_ += n + 1;
        return true;
    }

    /// A text, a number, a boolean or null.
    bool read_scalar(json_token& to, bool& is_null) {
        if (!is_next('"')) return read_number_or_word(to, is_null);
        to.kind = json_token_kind::text;
        return read_text(to.text);
    }

    /// Goes behind a text whose escapes and characters are nobody's concern yet.
    bool pass_text() noexcept;

    /// A value of any shape.
    bool skip_value() { return skip_value(0); }

    std::size_t bytes_left() const noexcept { return static_cast<std::size_t>(end_ - at_); }

    /// False without a fault if something comes behind the blanks.
    bool is_at_end() noexcept {
        skip_blanks();
        return at_ == end_;
    }

private:
    bool fail(char const* reason) noexcept {
        if (!fault_) fault_ = reason;
        return false;
    }

    // The end of the text is no blank: a NUL stands there.
    void skip_blanks() noexcept {
        while (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t') ++at_;
    }

    bool expect_quote() noexcept { return take('"') || fail("a text is missing"); }

    bool read_rest_of_text(std::string_view& to) {
        auto const stop = find_text_stop(at_, end_);
        if (*stop.at != '"') [[unlikely]]
            return read_escaped(stop, to);
        to = {at_, static_cast<std::size_t>(stop.at - at_)};
        at_ = stop.at + 1;
        return stop.is_ascii() || check_utf8(to);
    }

    bool read_number_or_word(json_token& to, bool& is_null) {
        if (*at_ == '-' || is_digit(*at_)) return read_number(to);
        return read_word(to, is_null);
    }

    char* room_for_text(std::size_t size);
    bool check_utf8(std::string_view text) noexcept;
    bool find_quote(text_stop& stop) noexcept;
    bool read_escaped(text_stop stop, std::string_view& to);
    bool read_number(json_token& to) noexcept;
    bool read_long_number(json_token& to) noexcept;
    bool read_word(json_token& to, bool& is_null) noexcept;
    bool skip_value(std::size_t depth);
    bool skip_list(std::size_t depth);

    char const* at_;
    char const* end_;
    char const* fault_ = nullptr;
    // Texts that had escapes. Short ones stay in place: the resource of libstdc++ computes its next size in floating
    // point when it is made and whenever it is emptied.
    std::array<char, 256> short_texts_;
    std::size_t used_ = 0;
    std::unique_ptr<std::pmr::monotonic_buffer_resource> long_texts_;
};

}  // namespace tablemap::detail
