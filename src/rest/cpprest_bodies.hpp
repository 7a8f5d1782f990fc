// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rest/response_body.hpp"
#include "rest/cpprest_watch.hpp"

#include <utility>  // Asio of Boost 1.74 needs it first

#include <cpprest/streams.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>

namespace tablemap::inline v0_1::detail {

struct response_too_large {};

/// A stream that is read or written in blocks, once, from its begin to its end: all that an HTTP client needs.
class block_stream : public concurrency::streams::details::basic_streambuf<std::uint8_t> {
public:
    bool can_read() const override { return false; }
    bool can_write() const override { return false; }
    bool can_seek() const override { return false; }
    bool has_size() const override { return false; }
    bool is_eof() const override { return false; }
    bool is_open() const override { return true; }
    std::size_t buffer_size(std::ios_base::openmode) const override { return 0; }
    void set_buffer_size(std::size_t, std::ios_base::openmode) override {}
    std::size_t in_avail() const override { return 0; }
    utility::size64_t size() const override { return 0; }
    std::exception_ptr exception() const override { return nullptr; }

    pplx::task<void> close(std::ios_base::openmode) override { return pplx::task_from_result(); }
    pplx::task<void> close(std::ios_base::openmode, std::exception_ptr) override { return pplx::task_from_result(); }
    pplx::task<void> sync() override { return pplx::task_from_result(); }

    pplx::task<int_type> putc(std::uint8_t) override { return no_character(); }
    pplx::task<std::size_t> putn(std::uint8_t const* from, std::size_t n) override { return putn_nocopy(from, n); }
    pplx::task<std::size_t> putn_nocopy(std::uint8_t const*, std::size_t) override { return nothing(); }
    pplx::task<std::size_t> getn(std::uint8_t*, std::size_t) override { return nothing(); }

    pplx::task<int_type> bumpc() override { return no_character(); }
    pplx::task<int_type> getc() override { return no_character(); }
    pplx::task<int_type> nextc() override { return no_character(); }
    pplx::task<int_type> ungetc() override { return no_character(); }
    int_type sbumpc() override { return traits::eof(); }
    int_type sgetc() override { return traits::eof(); }
    std::size_t scopy(std::uint8_t*, std::size_t) override { return 0; }

    pos_type getpos(std::ios_base::openmode) const override { return traits::eof(); }
    pos_type seekpos(pos_type, std::ios_base::openmode) override { return traits::eof(); }
    pos_type seekoff(off_type, std::ios_base::seekdir, std::ios_base::openmode) override { return traits::eof(); }

    std::uint8_t* alloc(std::size_t) override { return nullptr; }
    void commit(std::size_t) override {}
    bool acquire(std::uint8_t*&, std::size_t&) override { return false; }
    void release(std::uint8_t*, std::size_t) override {}

private:
    static pplx::task<int_type> no_character() { return pplx::task_from_result<int_type>(traits::eof()); }
    static pplx::task<std::size_t> nothing() { return pplx::task_from_result<std::size_t>(0); }
};

/// The body of a request. A copy: cpprestsdk may hold on to it for longer than the caller waits.
class sent_body final : public block_stream {
public:
    explicit sent_body(std::string text) : text_(std::move(text)) {}

    bool can_read() const override { return true; }
    std::size_t in_avail() const override { return text_.size() - begin_; }
    pplx::task<std::size_t> getn(std::uint8_t* to, std::size_t n) override {
        n = std::min(n, in_avail());
        if (n > 0) std::memcpy(to, text_.data() + begin_, n);
        begin_ += n;
        return pplx::task_from_result(n);
    }

private:
    std::string const text_;
    std::size_t begin_ = 0;
};

/// The body of a response, refused as soon as it exceeds the limit.
class received_body final : public block_stream {
public:
    received_body(std::size_t limit, std::shared_ptr<cpprest_watch> watch)
        : limit_(std::min(limit, text.max_size())), watch_(std::move(watch)) {}

    /// Makes room for all of it. False if there is no memory for so much.
    bool expect(std::size_t n) try {
        text.reserve(n);
        return true;
    } catch (std::bad_alloc const&) {
        return false;
    } catch (std::length_error const&) {
        return false;
    }

    bool can_write() const override { return true; }
    // An exception here ends the process: cpprestsdk calls this on a thread of its own. Its length may be that of a
    // chunk of -1 byte.
    pplx::task<std::size_t> putn_nocopy(std::uint8_t const* from, std::size_t n) override try {
        if (n > limit_ - text.size()) return pplx::task_from_exception<std::size_t>(response_too_large{});
        make_room(text, text.size() + n, limit_);
        text.append(reinterpret_cast<char const*>(from), n);
        watch_->delivered();
        return pplx::task_from_result(n);
    } catch (std::bad_alloc const&) {
        return pplx::task_from_exception<std::size_t>(response_too_large{});
    }

    std::size_t limit() const noexcept { return limit_; }

    std::string text;

private:
    std::size_t const limit_;
    std::shared_ptr<cpprest_watch> const watch_;
};

}  // namespace tablemap::detail
