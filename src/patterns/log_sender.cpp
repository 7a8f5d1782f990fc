// SPDX-License-Identifier: Apache-2.0
#include "patterns/log_sender.hpp"

#include "blob/blob_answers.hpp"
#include "store/ask.hpp"
#include "tablemap/detail/store/page_progress.hpp"
#include "tablemap/store/service_response.hpp"

#include <algorithm>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr int most_sends = 3;               // of one block in one call, each with the tries of the retry policy
constexpr int most_doubtful_creations = 3;  // in doubt, in a row
constexpr int most_claims = 100;            // of one file

error with_reason(error const& e, char const* reason) {
    auto d = e.details();
    d.reason = reason + (d.reason.empty() ? std::string{} : "; " + d.reason);
    return error{e.code(), std::move(d)};
}

error in_doubt(error const& e) {
    return with_reason(e, "nobody knows yet whether the first of the waiting lines are stored: flush again to find out")
        .with(outcome::in_doubt);
}

bool has_another_size(error const& e) { return e.code() == service_errc::append_position_condition_not_met; }

/// Refusals that show that another program has changed the file, or that the service takes no more appends.
bool ends_file(error const& e) {
    return has_another_size(e) || is_gone(e) || e.code() == service_errc::invalid_blob_type ||
           e.code() == service_errc::block_count_exceeds_limit;
}

/// The first numbers in a row that a list in order leaves free, from a number on.
struct free_numbers {
    std::uint32_t begin = 1;
    std::uint32_t end = log_names::last_number + 1;

    void take(std::uint32_t number) {
        if (number == begin)
            ++begin;
        else if (number > begin)
            end = std::min(end, number);
    }
};

}  // namespace

// ---- blocks ---------------------------------------------------------------------------------------------------------

task<result<void>> log_sender::flush(log_buffer& waiting) {
    while (!waiting.empty()) {
        auto& block = waiting.front();
        if (!block.bytes.empty()) {  // as it is if there was no memory for a line
            auto const sent = co_await send(block);
            if (!sent) co_return failure{sent.error()};
        }
        written_ += block.lines;
        waiting.pop();
    }
    co_return result<void>{};
}

bool log_sender::takes(log_block const& block) const noexcept {
    if (!file_ || file_->period != block.period || file_->appends >= settings_.file_appends) return false;
    return file_->size == 0 || file_->size + block.bytes.size() <= settings_.file_bytes;
}

task<result<void>> log_sender::send(log_block& block) {
    if (broken_) co_return failure{*broken_};
    if (block.in_doubt) {
        auto const there = co_await is_stored(block);
        if (!there) co_return failure{there.error()};
        if (*there) co_return result<void>{};
    } else if (!takes(block)) {
        file_.reset();
        auto const opened = co_await open(block.period);
        if (!opened) co_return failure{opened.error()};
    }
    for (int sends = 1;; ++sends) {
        auto const answer = co_await append(block);
        if (answer.ok()) {
            grown_by(block);
            co_return result<void>{};
        }
        if (!block.in_doubt) co_return refused(*answer.failure);
        auto const there = co_await is_stored(block);
        if (!there) co_return failure{there.error()};
        if (*there) co_return result<void>{};
        if (sends == most_sends) co_return failure{in_doubt(*answer.failure)};
    }
}

/// The block is in doubt while the append is under way, so that it stays so if an exception ends the call.
task<response> log_sender::append(log_block& block) {
    bool const was_in_doubt = std::exchange(block.in_doubt, true);
    request const what = blob_request{append_block{
        .container = settings_.container, .blob = file_->name, .body = block.bytes, .position = file_->size}};
    auto answer = co_await ask(what);
    block.in_doubt = !answer.ok() && (was_in_doubt || answer.outcome() != outcome::not_applied);
    if (!answer.ok() && !block.in_doubt && has_another_size(*answer.failure)) {
        block.in_doubt = true;
        block.refusal = *answer.failure;
    }
    co_return answer;
}

void log_sender::grown_by(log_block const& block) {
    file_->size += block.bytes.size();
    ++file_->appends;
    last_ = file_;
}

/// Nothing of the block was stored, or will be.
failure log_sender::refused(error const& e) {
    if (!ends_file(e)) return failure{e};
    file_.reset();
    return failure{with_reason(e, "the file of the log was deleted or changed by another program, or is full; the next "
                                  "flush writes the lines to another file")};
}

/// Tells by the bytes of the file whether a block that was refused was appended before. The file never has the size of
/// its condition again, so no append of it is carried out any more.
task<result<bool>> log_sender::is_in_its_place(log_block& block) {
    request const what = blob_request{get_blob{
        .container = settings_.container, .blob = file_->name, .range = blob_range{file_->size, block.bytes.size()}}};
    single_answer answer;
    auto got = co_await ask(what);
    static_cast<response&>(answer) = std::move(got);
    auto const read = bytes_of(answer, what);
    if (!read && !is_gone(read.error()) && read.error().code() != service_errc::invalid_range)
        co_return failure{in_doubt(read.error())};
    if (read && read->bytes == block.bytes) {
        grown_by(block);
        co_return true;
    }
    block.in_doubt = false;
    auto const refusal = *std::exchange(block.refusal, std::nullopt);
    co_return refused(refusal);
}

/// Tells by the size of the file whether a block that is in doubt was appended.
task<result<bool>> log_sender::is_stored(log_block& block) {
    if (block.refusal) {
        auto const there = co_await is_in_its_place(block);
        co_return there;
    }
    request const what = blob_request{head_blob{settings_.container, file_->name}};
    auto const answer = co_await ask(what);
    if (!answer.ok() && !is_gone(*answer.failure)) co_return failure{in_doubt(*answer.failure)};
    if (answer.ok() && !answer.service)
        co_return failure{
            in_doubt(error{library_errc::malformed_response, {.reason = "no properties of the file came"}})};
    if (answer.ok() && answer.service->blob.size == file_->size) co_return false;
    if (answer.ok() && answer.service->blob.size == file_->size + block.bytes.size()) {
        grown_by(block);
        co_return true;
    }
    auto const code =
        answer.ok() ? make_error_code(service_errc::append_position_condition_not_met) : answer.failure->code();
    broken_ =
        error{code,
              {.reason = "another program has deleted or changed the file of the log while the outcome of an "
                         "append was in doubt: nobody can tell whether the first of the waiting lines are stored. "
                         "Use another writer",
               .outcome = outcome::in_doubt}};
    co_return failure{*broken_};
}

// ---- files ----------------------------------------------------------------------------------------------------------

task<result<void>> log_sender::open(ticks period) {
    if (numbers_.period != period) numbers_ = {.period = period};
    numbers_.free_to = numbers_.next;
    numbers_.in_doubt = 0;
    numbers_.made_container = false;
    for (int claims = 0; claims < most_claims; ++claims) {
        auto const done = co_await create(period);
        // The lines are in no file yet, whatever became of an empty one.
        if (!done) co_return failure{done.error().with(outcome::not_applied)};
        if (*done) co_return result<void>{};
    }
    co_return fail(library_errc::too_many_conflicts,
                   {.reason = "other writers of this log took each number for a new file first; flush again"});
}

/// Tries to create the file of the next number. False: it is to be tried again.
///
/// A number whose creation is in doubt is not used any more: if an empty file is left, nobody appends to it.
task<result<bool>> log_sender::create(ticks period) {
    auto const number = numbers_.next;
    if (number > log_names::last_number)
        co_return fail(library_errc::value_out_of_range,
                       {.reason =
                            "a period of a log has at most 999,999 files; let files become larger, or let periods "
                            "be hours"});
    numbers_.next = number + 1;
    open_file file{.name = settings_.names.file(period, number), .period = period};
    request const what = blob_request{create_append_blob{.container = settings_.container,
                                                         .blob = file.name,
                                                         .content_type = settings_.content_type,
                                                         .when = {.if_absent = true}}};
    auto const answer = co_await ask(what);
    if (answer.ok()) {
        file_ = last_ = std::move(file);
        co_return true;
    }
    auto const& e = *answer.failure;
    if (e.code() == service_errc::blob_already_exists) {
        auto const passed = co_await pass_taken_numbers(period);
        if (!passed) co_return failure{passed.error()};
        co_return false;
    }
    if (e.outcome() == outcome::in_doubt && ++numbers_.in_doubt < most_doubtful_creations) co_return false;
    if (e.outcome() != outcome::in_doubt) numbers_.next = number;
    if (e.code() != service_errc::container_not_found || std::exchange(numbers_.made_container, true))
        co_return failure{e};
    auto const made = co_await create_container();
    if (!made) co_return failure{made.error()};
    co_return false;
}

/// After a lost response, the creation of the file shows whether the container is there.
task<result<void>> log_sender::create_container() {
    request const what = blob_request{tablemap::create_container{settings_.container}};
    auto const answer = co_await ask(what);
    if (answer.ok() || answer.outcome() == outcome::in_doubt ||
        answer.failure->code() == service_errc::container_already_exists)
        co_return result<void>{};
    co_return failure{*answer.failure};
}

/// Goes on with the first number that is free. Conflicts before the end of the free ones, with writers that begin now,
/// take one number each.
task<result<void>> log_sender::pass_taken_numbers(ticks period) {
    if (numbers_.next < numbers_.free_to) co_return result<void>{};
    auto const call = co_await this_call();
    auto const prefix = settings_.names.folder(period);
    free_numbers free{numbers_.next};
    std::string from;
    page_progress progress;
    for (;;) {
        request const what = blob_request{list_blobs{.container = settings_.container, .prefix = prefix, .from = from}};
        auto const page = co_await ask(what);
        if (!page.ok()) co_return failure{*page.failure};
        if (!page.service) co_return fail(library_errc::malformed_response, {.reason = "no list of blobs came"});
        for (auto const& blob : page.service->blobs)
            if (auto const place = settings_.names.parse(blob.name)) free.take(place->number);
        auto const& next = page.service->next_blob;
        if (!next) break;
        std::optional<continuation> const mark{continuation{*next, {}}};
        if (auto const stuck = progress.stuck_at(mark, page.service->blobs.empty(), call.env.options()))
            co_return failure{*stuck};
        from = *next;
    }
    numbers_.next = free.begin;
    numbers_.free_to = free.end;
    co_return result<void>{};
}

}  // namespace tablemap::detail
