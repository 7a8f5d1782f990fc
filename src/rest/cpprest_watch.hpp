// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace tablemap::inline v0_1::detail {

/// Bounds what a server makes cpprestsdk hold: that reads a head, a chunk and a chunk's line into memory as a whole,
/// however long they are. It counts what was read and not handed on yet, and ends the connection when that is too much.
/// To ask the system costs as much as a read does. So each step counts as a read of as much as one takes at most, and
/// the system is asked when that sum would be too much, and when something was handed on.
///
/// The steps of one connection follow each other, so that only `exceeded` is called from elsewhere.
class cpprest_watch {
public:
    explicit cpprest_watch(std::size_t largest_response) noexcept;
    ~cpprest_watch() { forget(); }
    cpprest_watch(cpprest_watch const&) = delete;
    cpprest_watch& operator=(cpprest_watch const&) = delete;

    /// Counts on this socket from here on, by a duplicate of its descriptor: cpprestsdk closes its own on any thread.
    /// Throws `std::system_error`.
    void watch(int socket);

    /// A response begins with what is read next.
    void response_begins() noexcept;
    /// The head of the response was read.
    void head_ended() noexcept;
    /// All that was read was handed on, or is handed on now.
    void delivered() noexcept;

    /// To be called after each step on the socket, which reads `most_of_a_step` at most. Ends the connection if too
    /// much was read.
    void look() noexcept;
    /// Counts bytes that were read by other means than a watched socket. False if they are too many: the caller ends
    /// the connection.
    bool add(std::size_t bytes) noexcept;

    /// Why the response is too large; null if it is not.
    char const* exceeded() const noexcept { return exceeded_; }

    /// The most bytes of one chunk, its line included.
    static constexpr std::size_t most_of_a_chunk = 8 * 1024 * 1024;
    /// Asio reads no more at once.
    static constexpr std::size_t most_of_a_step = 64 * 1024;

private:
    void forget() noexcept;
    void count() noexcept;
    /// Why so many bytes are too many; null if they are not.
    char const* excess(std::uint64_t read) const noexcept;

    std::size_t const most_held_;
    std::uint64_t const most_in_all_;
    int socket_ = -1;
    bool head_is_read_ = false;
    std::uint64_t read_ = 0;       // at most, since the connection was made; of a socket only
    std::uint64_t counted_ = 0;    // at least, when they were last counted, in the same measure
    std::uint64_t begin_ = 0;      // of the response, likewise
    std::uint64_t delivered_ = 0;  // likewise
    std::atomic<char const*> exceeded_{nullptr};
};

}  // namespace tablemap::detail
