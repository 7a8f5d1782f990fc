// SPDX-License-Identifier: Apache-2.0
#include "tablemap/store/log_observer.hpp"

#include <chrono>
#include <string>
#include <utility>

namespace tablemap::inline v0_1 {
namespace {

using std::chrono::duration_cast;
using std::chrono::microseconds;

/// A line of pairs. Values with blanks or quotes are quoted; empty ones are left out.
class log_line {
public:
    log_line& add(std::string_view name, std::string_view value) {
        if (value.empty()) return *this;
        if (!text_.empty()) text_ += ' ';
        text_.append(name) += '=';
        if (value.find_first_of(" \"=\\") == std::string_view::npos && is_printable(value))
            text_ += value;
        else
            add_quoted(value);
        return *this;
    }
    log_line& add(std::string_view name, std::uint64_t value) { return add(name, std::to_string(value)); }
    log_line& add(std::string_view name, std::chrono::nanoseconds value) {
        return add(name, std::to_string(duration_cast<microseconds>(value).count()));
    }

    std::string_view text() const noexcept { return text_; }

private:
    static bool is_control(char c) noexcept { return static_cast<unsigned char>(c) < ' ' || c == '\x7F'; }
    static bool is_printable(std::string_view value) noexcept {
        for (auto const c : value)
            if (is_control(c)) return false;
        return true;
    }
    /// Escapes line ends, so that a line stays one line.
    void add_quoted(std::string_view value) {
        text_ += '"';
        for (auto const c : value) {
            if (c == '"' || c == '\\') text_ += '\\';
            text_ += is_control(c) ? ' ' : c;
        }
        text_ += '"';
    }

    std::string text_{};
};

std::string_view text_of(outcome o) noexcept {
    switch (o) {
    case outcome::not_applied: return "not_applied";
    case outcome::applied: return "applied";
    case outcome::in_doubt: return "in_doubt";
    }
    return {};
}

bool may_pass(std::error_code code) { return code == error_kind::unavailable; }

/// True for failures that a program may well expect.
bool is_ordinary(std::error_code code) {
    for (auto const kind :
         {error_kind::not_found, error_kind::already_exists, error_kind::precondition_failed, error_kind::cancelled})
        if (code == kind) return true;
    return false;
}

log_level level_of(operation_event const& e) {
    if (e.ok()) return e.outcome == outcome::in_doubt ? log_level::warning : log_level::info;
    return is_ordinary(e.error) && e.outcome != outcome::in_doubt ? log_level::warning : log_level::error;
}

class log_observer final : public observer {
public:
    log_observer(std::function<void(log_level, std::string_view)> sink, log_level least)
        : sink_(std::move(sink)), least_(least) {}

    void request_done(request_event const& e) noexcept override {
        try {
            auto const level = may_pass(e.error) ? log_level::warning : log_level::debug;
            if (level >= least_) sink_(level, line_of(e).text());
        } catch (...) {  // the operation goes on without its line
        }
    }
    void operation_done(operation_event const& e) noexcept override {
        try {
            auto const level = level_of(e);
            if (level >= least_) sink_(level, line_of(e).text());
        } catch (...) {
        }
    }
    void outbox_pass_done(outbox_event const& e) noexcept override {
        try {
            auto const level = e.error                   ? log_level::error
                               : e.failed + e.parked > 0 ? log_level::warning
                                                         : log_level::info;
            if (level >= least_) sink_(level, line_of(e).text());
        } catch (...) {
        }
    }
    void index_pass_done(index_event const& e) noexcept override {
        try {
            auto const level = e.error ? log_level::error : e.left > 0 ? log_level::warning : log_level::info;
            if (level >= least_) sink_(level, line_of(e).text());
        } catch (...) {
        }
    }

private:
    template <class Event> static void begin(log_line& l, std::string_view kind, Event const& e) {
        l.add("event", kind).add("action", e.action).add("table", e.table).add("store", e.store);
        l.add("server", e.server);
    }

    static log_line line_of(request_event const& e) {
        log_line l;
        begin(l, "request", e);
        if (e.secondary) l.add("secondary", "true");
        l.add("result", e.error ? code_name(e.error) : "ok").add("outcome", text_of(e.outcome));
        if (e.http_status != 0) l.add("status", static_cast<std::uint64_t>(e.http_status));
        l.add("took_us", e.took).add("attempt", static_cast<std::uint64_t>(e.attempt));
        if (e.writes > 0) l.add("writes", e.writes);
        l.add("sent", e.bytes_sent).add("received", e.bytes_received);
        if (e.operation != 0) l.add("operation", e.operation);
        l.add("client_request_id", e.client_request_id).add("request_id", e.server_request_id);
        return l;
    }

    static log_line line_of(operation_event const& e) {
        log_line l;
        begin(l, "operation", e);
        l.add("result", e.interrupted ? "interrupted" : e.error ? code_name(e.error) : "ok");
        if (e.expected) l.add("expected", code_name(e.expected));
        l.add("outcome", text_of(e.outcome)).add("took_us", e.took).add("requests", e.requests);
        l.add("retries", e.retries).add("operation", e.number);
        l.add("client_request_id", e.client_request_id).add("request_id", e.server_request_id);
        l.add("message", e.message);
        return l;
    }

    static log_line line_of(outbox_event const& e) {
        log_line l;
        l.add("event", "outbox").add("table", e.table).add("store", e.store);
        l.add("result", e.error ? code_name(e.error) : "ok").add("took_us", e.took).add("lag_us", e.lag);
        l.add("applied", e.applied).add("failed", e.failed).add("parked", e.parked).add("bad_rows", e.bad_rows);
        l.add("pending", static_cast<std::uint64_t>(e.pending)).add("message", e.message);
        return l;
    }

    static log_line line_of(index_event const& e) {
        log_line l;
        l.add("event", "indexes").add("table", e.table).add("store", e.store);
        l.add("result", e.error ? code_name(e.error) : "ok").add("took_us", e.took).add("lag_us", e.lag);
        l.add("entities", e.entities).add("intents", e.intents).add("written", e.written).add("erased", e.erased);
        l.add("left", e.left).add("message", e.message);
        return l;
    }

    std::function<void(log_level, std::string_view)> const sink_;
    log_level const least_;
};

}  // namespace

std::string_view name_of(log_level l) noexcept {
    switch (l) {
    case log_level::debug: return "debug";
    case log_level::info: return "info";
    case log_level::warning: return "warning";
    case log_level::error: return "error";
    }
    return {};
}

std::shared_ptr<observer> make_log_observer(std::function<void(log_level, std::string_view)> sink, log_level least) {
    return std::make_shared<log_observer>(std::move(sink), least);
}

}  // namespace tablemap
