// SPDX-License-Identifier: Apache-2.0
#include "patterns/log_reading.hpp"

#include "blob/blob_answers.hpp"
#include "patterns/log_buffer.hpp"
#include "store/ask.hpp"
#include "tablemap/store/service_response.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

/// A reading that goes on at a position begins with the period of its file.
rolling_span from_position(log_names const& names, rolling_span span, std::optional<log_position> const& from) {
    auto const place = from ? names.parse(from->file) : std::nullopt;
    if (place) span.from = std::max(span.from.value_or(place->start), place->start);
    return span;
}

}  // namespace

// ---- lists ----------------------------------------------------------------------------------------------------------

task<result<std::vector<log_file>>> log_listing::page() {
    auto const prefix = next_ ? prefixes_[at_ - 1] : prefixes_[at_];
    auto const from = next_.value_or(std::string{});
    request const what = blob_request{list_blobs{.container = source_.container, .prefix = prefix, .from = from}};
    auto const page = co_await ask(what);
    std::vector<log_file> files;
    if (!page.ok() && page.failure->code() == service_errc::container_not_found) {
        next_.reset();
        at_ = prefixes_.size();
        co_return files;
    }
    if (!page.ok()) co_return failure{*page.failure};
    if (!page.service) co_return fail(library_errc::malformed_response, {.reason = "no list of blobs came"});
    for (auto const& blob : page.service->blobs) {
        auto const place = source_.names.parse(blob.name);
        if (place && source_.names.meets(place->start, span_))
            files.push_back({blob.name, place->start, place->number, blob.size});
    }
    auto const& next = page.service->next_blob;
    bool const is_empty = page.service->blobs.empty();
    auto const gone_on = co_await go_on(next, is_empty);
    if (!gone_on) co_return failure{gone_on.error()};
    co_return files;
}

/// Notes the place of the next page.
task<result<void>> log_listing::go_on(std::optional<std::string> const& next, bool is_empty) {
    auto const call = co_await this_call();
    auto const mark = next ? std::optional{continuation{*next, {}}} : std::nullopt;
    if (!next_) progress_ = {};
    if (auto const stuck = progress_.stuck_at(mark, is_empty, call.env.options())) co_return failure{*stuck};
    if (!next_) ++at_;
    next_ = next;
    co_return result<void>{};
}

task<result<std::vector<log_file>>> log_files_of(log_source const& source, rolling_span span) {
    log_listing listing{source, span};
    std::vector<log_file> all;
    while (!listing.ended()) {
        auto page = co_await listing.page();
        if (!page) co_return failure{page.error()};
        all.insert(all.end(), std::move_iterator{page->begin()}, std::move_iterator{page->end()});
    }
    co_return all;
}

// ---- lines ----------------------------------------------------------------------------------------------------------

log_lines_reading::log_lines_reading(std::shared_ptr<log_source const> source, rolling_span const& span,
                                     line_options&& how, call_options const& o)
    : source_(std::move(source)),
      how_(std::move(how)),
      options_(o),
      listing_(*source_, from_position(source_->names, span, how_.from)),
      position_(how_.from) {}

task<result<std::optional<logged_line>>> log_lines_reading::read_line() {
    for (;;) {
        auto line = take_line();
        if (!line || *line) co_return line;
        if (!file_ && files_.empty() && listing_.ended()) co_return std::optional<logged_line>{};
        auto const more = co_await fetch();
        if (!more) co_return failure{more.error()};
    }
}

/// Takes the next line of the text that was read. At the end of a file, what no line break ends is a line, too.
result<std::optional<logged_line>> log_lines_reading::take_line() {
    auto const end = text_.find('\n', searched_);
    if (end != std::string::npos) return take(end - at_, 1);
    searched_ = text_.size();
    bool const is_end = file_ && file_->read >= file_->size;
    if (!is_end) return std::optional<logged_line>{};
    if (at_ < text_.size()) return take(text_.size() - at_, 0);
    drop_file();
    return std::optional<logged_line>{};
}

result<std::optional<logged_line>> log_lines_reading::take(std::size_t length, std::size_t break_length) {
    if (auto const good = check_length(length); !good) return failure{good.error()};
    logged_line line{line_of_stored(std::string_view{text_}.substr(at_, length), source_->breaks), break_length > 0};
    at_ += length + break_length;
    searched_ = at_;
    position_ = log_position{file_->name, file_->read - (text_.size() - at_)};
    return std::optional{std::move(line)};
}

void log_lines_reading::drop_file() {
    file_.reset();
    text_.clear();
    at_ = searched_ = 0;
}

task<result<void>> log_lines_reading::fetch() {
    if (file_) {
        if (auto const good = check_length(text_.size() - at_); !good) co_return failure{good.error()};
        auto const read = co_await read_part();
        co_return read;
    }
    if (!files_.empty()) co_return open_next();
    auto const listed = co_await list();
    co_return listed;
}

task<result<void>> log_lines_reading::list() {
    auto page = co_await listing_.page();
    if (!page) co_return failure{page.error()};
    for (auto& file : *page)
        if (!how_.from || file.name >= how_.from->file) files_.push_back(std::move(file));
    co_return result<void>{};
}

result<void> log_lines_reading::open_next() {
    auto const& file = files_.front();
    auto const begin = how_.from && file.name == how_.from->file ? how_.from->offset : 0;
    if (begin > file.size)
        return fail(
            library_errc::invalid_cursor,
            {.reason = "the file of the position is shorter than the position: it is another file of that name"});
    if (begin < file.size) file_ = open_file{file.name, file.size, begin};
    files_.pop_front();
    return {};
}

result<void> log_lines_reading::check_length(std::size_t length) const {
    if (length <= how_.longest_line) return {};
    return fail(library_errc::value_too_large,
                {.reason = "a line of the file has more than " + std::to_string(how_.longest_line) +
                           " bytes; allow more with line_options::longest_line"});
}

/// Reads on. A file may have grown since it was listed; one that is gone has ended.
task<result<void>> log_lines_reading::read_part() {
    blob_range const part{file_->read, how_.part_bytes};
    request const what = blob_request{get_blob{.container = source_->container, .blob = file_->name, .range = part}};
    single_answer answer;
    auto got = co_await ask(what);
    static_cast<response&>(answer) = std::move(got);
    auto const read = bytes_of(answer, what);
    if (!read && is_gone(read.error())) {
        drop_file();
        co_return result<void>{};
    }
    if (!read) co_return failure{read.error()};
    text_.erase(0, std::exchange(at_, 0));
    searched_ = text_.size();
    text_ += read->bytes;
    file_->read += read->bytes.size();
    file_->size = read->properties.size;
    co_return result<void>{};
}

}  // namespace tablemap::detail
