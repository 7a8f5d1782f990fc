// SPDX-License-Identifier: Apache-2.0
#include "page/browsing.hpp"

#include "page/frame.hpp"
#include "page/report_page.hpp"
#include "page/row_pages.hpp"
#include "page/store_until.hpp"
#include "serve/incoming.hpp"
#include "serve/refused.hpp"
#include "tablemap/base/error.hpp"
#include "tablemap/base/redaction.hpp"

#include <exception>
#include <utility>

namespace tablemap::inline v0_1::page {
namespace {

http_response in_html(int status, std::string body) {
    return {.status = status, .headers = {{"Content-Type", "text/html; charset=utf-8"}}, .body = std::move(body)};
}

http_response failure_page(int status, std::string_view why) {
    html to;
    begin_page(to, "tablemap");
    to.add("<header><p class=\"over\">tablemap</p><h1>This page cannot be shown</h1></header>\n<main><p>");
    to.text(redacted(why)).add("</p><p><a href=\"/\">To the report</a></p></main>\n");
    end_page(to);
    return in_html(status, std::move(to).take());
}

int status_of(error const& e) {
    if (e.code() == service_errc::table_not_found || e.code() == service_errc::resource_not_found) return 404;
    if (e.kind() == error_kind::timed_out) return 503;
    return e.kind() == error_kind::invalid_argument || e.kind() == error_kind::too_large ? 400 : 502;
}

row_place place_of(detail::serve::parameters const& q) {
    row_place at{.table = std::string{q.text("table")}, .cursor = std::string{q.text("cursor")}};
    if (auto const key = q.find("partition")) at.partition = std::string{*key};
    if (auto const key = q.find("after")) at.after = std::string{*key};
    return at;
}

}  // namespace

browsing::browsing(store_ptr store, gathering how, std::chrono::milliseconds longest)
    : store_(std::move(store)), how_(std::move(how)), longest_(longest) {}

std::string browsing::page_of(std::string_view target) const {
    auto const question = std::min(target.find('?'), target.size());
    auto const path = target.substr(0, question);
    detail::serve::parameters const query{target.substr(std::min(question + 1, target.size()))};
    auto const store = std::make_shared<store_until>(store_, within(longest_));
    if (path == "/-/partitions") return partitions_page(store, place_of(query));
    if (path == "/-/rows") return rows_page(store, place_of(query));
    if (path != "/") throw detail::serve::refused{404, "ResourceNotFound", "There is no such page."};
    std::unique_lock const one{*making_, std::try_to_lock};
    if (!one)
        throw detail::serve::refused{503, "ServerBusy", "Another report is being made. Load the page again later."};
    auto made = gather_report(store, how_);
    made.browsable = true;
    return report_page(made);
}

http_response browsing::answer(http_request const& r) const {
    try {
        return in_html(200, page_of(r.target));
    } catch (detail::serve::refused const& e) {
        return failure_page(e.status(), e.what());
    } catch (error const& e) {
        return failure_page(status_of(e), e.what());
    } catch (std::exception const& e) {
        return failure_page(500, e.what());
    }
}

}  // namespace tablemap::page
