// SPDX-License-Identifier: Apache-2.0
#include "patterns/log_writing.hpp"

#include "patterns/option_check.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

log_sender::settings sending(std::string const& container, log_names const& names, log_options const& o) {
    return {.container = container,
            .names = names,
            .file_bytes = o.file_bytes,
            .file_appends = o.file_appends,
            .content_type = o.content_type};
}

std::string text_if_there_is_memory(log_buffer const& waiting) {
    try {
        return waiting.text();
    } catch (std::bad_alloc const&) {
        return {};
    }
}

}  // namespace

result<void> check_options(log_options const& o) {
    if (o.buffer_bytes == 0) return failure{out_of_range("buffer_bytes", "a writer needs room for a line")};
    if (o.file_bytes == 0) return failure{out_of_range("file_bytes", "a file holds a line at least")};
    if (o.file_appends == 0 || o.file_appends > limits::blocks)
        return failure{out_of_range("file_appends", "a file takes 1 to 50,000 appends")};
    return {};
}

log_writing::log_writing(store_ptr s, std::string container, log_format const& f, log_options&& o)
    : store_(std::move(s)),
      container_(std::move(container)),
      breaks_(f.breaks),
      options_(std::move(o)),
      names_(container_, f.name, f.per),
      waiting_(options_.buffer_bytes, options_.file_bytes),
      sender_(sending(container_, names_, options_)) {
    if (!options_.now) options_.now = &ticks::now;
}

result<std::optional<line_outcome>> log_writing::take(ticks time, std::string_view line) {
    auto r = take_checked(time, line);
    if (!r) return failure{r.error().in("write line", container_)};
    if (*r && **r != line_outcome::taken) ++refused_;
    return r;
}

result<std::optional<line_outcome>> log_writing::take_checked(ticks time, std::string_view line) {
    if (auto const good = check(time); !good) return failure{good.error()};
    auto const stored = stored_line(line, breaks_);
    if (!stored) return failure{stored.error()};
    if (stored->size() > waiting_.longest_line())
        return fail(service_errc::request_body_too_large,
                    {.reason = "a line has at most " + std::to_string(waiting_.longest_line()) +
                               " bytes with its line break: the size of the buffer, and 4 MiB"});
    auto const period = names_.start_of(time);
    if (options_.late == late_lines::refused && newest_ && period < *newest_) return std::optional{line_outcome::late};
    if (!waiting_.has_room_for(stored->size())) {
        if (options_.full == when_full::refuse) return std::optional{line_outcome::no_room};
        return std::optional<line_outcome>{};
    }
    newest_ = std::max(newest_.value_or(period), period);
    waiting_.add(*newest_, *stored);
    return std::optional{line_outcome::taken};
}

result<void> log_writing::check(ticks time) const {
    if (closed_) return fail(library_errc::unsupported, {.reason = "the log was closed; use another writer"});
    if (sender_.broken()) return failure{*sender_.broken()};
    if (time.storable()) return {};
    return fail(library_errc::value_out_of_range,
                {.reason = "a time from 1601 to 9999 says which file a line goes to", .member = "time"});
}

log_status log_writing::status() const {
    auto const& file = sender_.last_file();
    return {.written_lines = sender_.written_lines(),
            .refused_lines = refused_,
            .waiting_lines = waiting_.lines(),
            .waiting_bytes = waiting_.bytes(),
            .in_doubt = !waiting_.empty() && waiting_.front().in_doubt,
            .file = file ? file->name : std::string{},
            .file_size = file ? file->size : 0};
}

void log_writing::lose(error const& why) const {
    if (!options_.on_lost) return;
    auto const in_doubt = waiting_.bytes_in_doubt();
    options_.on_lost({.lines = waiting_.lines(),
                      .bytes = waiting_.bytes(),
                      .why = in_doubt > 0 ? why.with(outcome::in_doubt) : why,
                      .text = text_if_there_is_memory(waiting_),
                      .bytes_in_doubt = in_doubt});
}

}  // namespace tablemap::detail
