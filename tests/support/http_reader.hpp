// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tablemap::test {

/// The part before the body of a message of HTTP 1.1.
struct http_head {
    std::string bytes{};                                         // as they came, the blank line with them
    std::string first_line{};                                    // without its end
    std::vector<std::pair<std::string, std::string>> headers{};  // names in lower case

    /// The value of this header; "" if there is none.
    std::string header(std::string_view lower_case_name) const;

    /// The value of Content-Length; 0 if there is none.
    std::size_t content_length() const;
};

/// Reads messages off a socket, which is borrowed. Nothing once the peer has closed.
class http_reader {
public:
    explicit http_reader(int socket) : socket_(socket) {}

    std::optional<http_head> head();

    /// The next `n` bytes.
    std::optional<std::string> bytes(std::size_t n);

    /// The body behind a head, in the bytes that came: as long as Content-Length says, or in chunks, or none.
    std::optional<std::string> body(http_head const& head);

private:
    bool receive();
    std::optional<std::string> until(std::string_view end);

    int socket_;
    std::string buffer_;
};

}  // namespace tablemap::test
