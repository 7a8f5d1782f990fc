// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fuzz_target.hpp"

#include "tablemap/base/redaction.hpp"
#include "rest/refusal_reader.hpp"
#include "wire/service_error.hpp"

/// Input: a status and the value of Retry-After in a line, then the body of an error. What is kept of it is bounded,
/// holds no signature that redaction knows, and the message of the error holds nothing of it.
namespace tablemap::fuzz {
namespace {

constexpr std::string_view signature = "sig=bDlWQ4pXr5fEjWnOAWSPGcsH0q5ZcEe1PSnzHnCtYgA";

void check(int status, std::string_view body) {
    write_operation const erase{.kind = write_kind::erase, .partition_key = "p", .row_key = "r", .if_match = "*"};
    auto const e = detail::read_refusal(write_entity{"T", erase}, status, "ServerBusy", body);
    require(e.outcome() != outcome::applied, "what was refused is not applied");
    require(e.details().server_text.find(signature.substr(4)) == std::string::npos, "a signature is not kept");
    require(std::string_view{e.what()}.size() < 1000, "a message is short");
}

}  // namespace

TABLEMAP_FUZZ_TARGET(error_body) {
    auto const line = take_line(input);
    int const status = line.empty() ? 500 : 300 + static_cast<unsigned char>(line.front());
    http_response answer{.status = status};
    answer.headers.emplace_back("Retry-After", line.substr(std::min<std::size_t>(1, line.size())));
    auto const wait = detail::read_retry_after(answer, ticks::parse("2026-11-20T00:00:00Z").value());
    require(!wait || (wait->count() >= 0 && *wait <= std::chrono::hours{24}), "a wait is bounded");
    auto const said = detail::read_service_message(input);
    require(said.code.size() + said.text.size() <= 128 * 1024, "what a server says is bounded");
    static_cast<void>(redacted(input));
    // Alone, without its name, it is only text.
    if (input.find(signature.substr(4, 8)) != std::string_view::npos) return;
    check(status, input);
    check(status, std::string{input.substr(0, input.size() / 2)} + " " + std::string{signature} + " " +
                      std::string{input.substr(input.size() / 2)});
}

}  // namespace tablemap::fuzz
