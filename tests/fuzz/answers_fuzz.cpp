// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fuzz_target.hpp"

#include "rest/response_reader.hpp"
#include "tablemap/detail/wire/reader.hpp"
#include "tablemap/store/service_response.hpp"

#include <array>
#include <charconv>

/// Input: the number of a request, a blank and a status; lines `name: value`; an empty line; the body. Whatever comes,
/// the response is a success with what was asked for, or a failure with an outcome.
namespace tablemap::fuzz {
namespace {

constexpr write_operation insert{.kind = write_kind::insert, .partition_key = "p", .row_key = "r", .body = "{}"};
constexpr write_operation erase{.kind = write_kind::erase, .partition_key = "p", .row_key = "s", .if_match = "*"};
constexpr std::array operations{insert, erase};

request request_of(int number) {
    switch (number) {
    case 0: return create_table{"T"};
    case 1: return delete_table{"T"};
    case 2: return list_tables{};
    case 3: return get_entity{"T", "p", "r"};
    case 4: return query_page{.table = "T"};
    case 5: return write_entity{"T", insert};
    case 6: return write_entity{"T", erase};
    case 7: return transact{"T", operations};
    case 8: return get_access_policies{"T"};
    case 9: return set_access_policies{"T", {}};
    case 10: return get_service_properties{};
    default: return get_service_statistics{};
    }
}

int take_number(std::string_view& text) {
    int n = 0;
    auto const [end, e] = std::from_chars(text.data(), text.data() + text.size(), n);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return e == std::errc{} ? n : 0;
}

http_response response_of(std::string_view first_line, std::string_view rest) {
    http_response answer;
    first_line.remove_prefix(first_line.empty() ? 0 : 1);
    answer.status = take_number(first_line);
    for (auto line = take_line(rest); !line.empty(); line = take_line(rest)) {
        auto const colon = std::min(line.find(": "), line.size());
        answer.headers.emplace_back(line.substr(0, colon), line.substr(std::min(colon + 2, line.size())));
    }
    answer.body = rest;
    return answer;
}

void check_failure(request const& r, error const& e) {
    require(is_write(r) || e.outcome() == outcome::not_applied, "a read applies nothing");
    require(e.details().server_text.size() <= 64 * 1024, "what a server says is bounded");
    require(!e.details().failed_index || *e.details().failed_index < operations.size(),
            "a failed operation is one of the group");
}

}  // namespace

TABLEMAP_FUZZ_TARGET(answers) {
    auto first_line = take_line(input);
    auto const r = request_of(take_number(first_line));
    auto const now = ticks::parse("2026-11-20T00:00:00Z").value();
    auto answer = detail::read_response(r, response_of(first_line, input), now);
    if (answer.retry_after)
        require(answer.retry_after->count() >= 0 && *answer.retry_after <= std::chrono::hours{24}, "a wait is bounded");
    if (!answer.ok()) return check_failure(r, *answer.failure);
    if (std::holds_alternative<transact>(r)) {
        require(answer.etags.size() == operations.size(), "each operation of a group has its etag");
        require(!answer.etags[0].text().empty() && answer.etags[1].text().empty(),
                "each write has an etag but an erase");
    }
    if (auto const* w = std::get_if<write_entity>(&r))
        require(w->operation.kind == write_kind::erase || !answer.etag.text().empty(), "a write has an etag");
    if (std::holds_alternative<get_entity>(r)) static_cast<void>(detail::read_dynamic(answer.body));
    if (std::holds_alternative<query_page>(r)) static_cast<void>(detail::read_dynamic_page(answer.body));
    if (auto const* list = std::get_if<list_tables>(&r); list && answer.service)
        for (auto const& name : answer.service->tables) require(!name.empty(), "a table has a name");
}

}  // namespace tablemap::fuzz
