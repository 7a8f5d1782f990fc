// SPDX-License-Identifier: Apache-2.0
#include "support/http_reader.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace tablemap::test {
namespace {

http_head parse(std::string bytes) {
    http_head h;
    h.bytes = std::move(bytes);
    std::string_view lines = h.bytes;
    lines.remove_suffix(4);
    h.first_line = lines.substr(0, lines.find("\r\n"));
    for (auto at = lines.find("\r\n"); at != std::string_view::npos; at = lines.find("\r\n", at + 2)) {
        auto const line = lines.substr(at + 2, lines.find("\r\n", at + 2) - at - 2);
        auto const colon = line.find(':');
        std::string name{line.substr(0, colon)};
        std::transform(name.begin(), name.end(), name.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        auto const value = line.find_first_not_of(' ', colon + 1);
        h.headers.emplace_back(name, value == std::string_view::npos ? "" : line.substr(value));
    }
    return h;
}

}  // namespace

std::string http_head::header(std::string_view lower_case_name) const {
    for (auto const& [name, value] : headers)
        if (name == lower_case_name) return value;
    return {};
}

std::size_t http_head::content_length() const {
    auto const length = header("content-length");
    return length.empty() ? 0 : std::stoul(length);
}

std::optional<http_head> http_reader::head() {
    auto bytes = until("\r\n\r\n");
    if (!bytes) return std::nullopt;
    return parse(*std::move(bytes));
}

std::optional<std::string> http_reader::bytes(std::size_t n) {
    while (buffer_.size() < n)
        if (!receive()) return std::nullopt;
    auto all = buffer_.substr(0, n);
    buffer_.erase(0, n);
    return all;
}

std::optional<std::string> http_reader::body(http_head const& head) {
    if (head.header("transfer-encoding") != "chunked") return bytes(head.content_length());
    std::string all;
    for (bool last = false; !last;) {
        auto const size = until("\r\n");
        if (!size) return std::nullopt;
        auto const data = bytes(std::stoul(*size, nullptr, 16) + 2);
        if (!data) return std::nullopt;
        all += *size + *data;
        last = data->size() == 2;
    }
    return all;
}

bool http_reader::receive() {
    std::array<char, 64 * 1024> part;
    auto const n = ::recv(socket_, part.data(), part.size(), 0);
    if (n <= 0) return false;
    buffer_.append(part.data(), static_cast<std::size_t>(n));
    return true;
}

std::optional<std::string> http_reader::until(std::string_view end) {
    auto at = buffer_.find(end);
    for (; at == std::string::npos; at = buffer_.find(end))
        if (!receive()) return std::nullopt;
    return bytes(at + end.size());
}

}  // namespace tablemap::test
