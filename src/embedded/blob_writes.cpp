// SPDX-License-Identifier: Apache-2.0
#include "embedded/blob_rows.hpp"
#include "embedded/blobs.hpp"
#include "embedded/refusal.hpp"
#include "embedded/schema.hpp"
#include "embedded/stamps.hpp"

#include "store/service_answer.hpp"
#include "tablemap/edm/limits.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace tablemap::inline v0_1::detail::embedded {
namespace {

/// Bytes lie in pieces of at most this size, so that a range of a blob is read without the rest.
constexpr std::size_t piece_bytes = 1024 * 1024;
constexpr std::string_view usual_content_type = "application/octet-stream";
constexpr std::int64_t week = std::chrono::duration_cast<tick_duration>(std::chrono::hours{24 * 7}).count();

void run(connection& c, query q, std::int64_t id) {
    statement_use s{c.prepared(q)};
    s->bind(1, id);
    s->run();
}

/// The sum of the first column of the rows that a statement returns, if it returns any.
std::optional<std::int64_t> returned(statement& s) {
    std::optional<std::int64_t> sum;
    while (s.step()) sum = sum.value_or(0) + s.integer(0);
    return sum;
}

void require_state(std::optional<blob_row> const& found, blob_condition const& when) {
    if (when.if_absent && found) refuse(service_errc::blob_already_exists);
    if (when.if_match.empty()) return;
    if (!found) refuse(service_errc::update_condition_not_satisfied, "there is no such blob");
    require_match(*found, when.if_match);
}

void require_kind(blob_row const& found, blob_kind kind, char const* reason) {
    if (found.properties.kind != kind) refuse(service_errc::invalid_blob_type, reason);
}

/// The place of a blob, whether or not there is one.
struct place {
    std::int64_t container;
    std::string_view blob;
};

void remove_staged(connection& c, place const& at) {
    statement_use s{c.prepared(query::remove_staged)};
    s->bind(1, at.container);
    s->bind_blob(2, at.blob);
    s->run();
}

/// Removes some blocks that nobody has committed for a week.
void remove_old_staged(connection& c, ticks now) { run(c, query::remove_old_staged, now.count() - week); }

void remove(connection& c, blob_row const& found) {
    run(c, query::remove_blob, found.id);
    run(c, query::remove_blocks, found.id);
}

/// Stores an empty blob, and returns its id.
std::int64_t add_blob(connection& c, place const& at, blob_kind kind, std::string_view content_type, ticks stamp) {
    auto const type = content_type.empty() ? usual_content_type : content_type;
    statement_use s{c.prepared(query::add_blob)};
    s->bind(1, at.container);
    s->bind_blob(2, at.blob);
    s->bind(3, static_cast<std::int64_t>(kind));
    s->bind(4, stamp.count());
    s->bind_text(5, type);
    return returned(*s.operator->()).value();
}

void set_size(connection& c, std::int64_t blob, ticks stamp, std::int64_t size, std::int64_t blocks) {
    statement_use s{c.prepared(query::set_size_of_blob)};
    s->bind(1, blob);
    s->bind(2, stamp.count());
    s->bind(3, size);
    s->bind(4, blocks);
    s->run();
}

void add_block(connection& c, std::int64_t blob, std::int64_t at, std::string_view body) {
    statement_use s{c.prepared(query::add_block)};
    s->bind(1, blob);
    s->bind(2, at);
    s->bind_blob(3, body);
    s->run();
}

void add_pieces(connection& c, std::int64_t blob, std::string_view body) {
    for (std::size_t at = 0; at < body.size(); at += piece_bytes)
        add_block(c, blob, static_cast<std::int64_t>(at), body.substr(at, piece_bytes));
}

// --- blocks that are staged and committed ----------------------------------------------------------------------------

std::optional<std::int64_t> length_of_ids(connection& c, place const& at, std::optional<blob_row> const& found) {
    {
        statement_use s{c.prepared(query::length_of_staged_id)};
        s->bind(1, at.container);
        s->bind_blob(2, at.blob);
        if (s->step()) return s->integer(0);
    }
    if (!found) return std::nullopt;
    statement_use s{c.prepared(query::length_of_own_id)};
    s->bind(1, found->id);
    return s->step() ? std::optional{s->integer(0)} : std::nullopt;
}

void add_staged(connection& c, place const& at, stage_block const& q, ticks stamp) {
    statement_use s{c.prepared(query::stage_piece)};
    for (std::size_t i = 0; i < q.body.size(); i += piece_bytes) {
        s->bind(1, at.container);
        s->bind_blob(2, at.blob);
        s->bind_blob(3, q.block);
        s->bind(4, static_cast<std::int64_t>(i));
        s->bind(5, stamp.count());
        s->bind_blob(6, q.body.substr(i, piece_bytes));
        s->run();
        s->reset();
    }
}

void remove_staged_block(connection& c, place const& at, std::string_view id) {
    statement_use s{c.prepared(query::remove_staged_block)};
    s->bind(1, at.container);
    s->bind_blob(2, at.blob);
    s->bind_blob(3, id);
    s->run();
}

/// Copies blocks to the end of a new blob: staged ones first, else those of the blob before it.
class block_copier {
public:
    block_copier(connection& c, place const& at, std::int64_t to, std::optional<blob_row> const& before)
        : connection_(c), at_(at), to_(to), before_(before) {}

    void copy(std::string_view id) {
        auto length = from_staged(id);
        if (!length && before_) length = from_before(id);
        if (!length) refuse(service_errc::invalid_block_list);
        size_ += *length;
    }

    std::int64_t size() const noexcept { return size_; }

private:
    std::optional<std::int64_t> from_staged(std::string_view id) {
        statement_use s{connection_.prepared(query::add_staged_block)};
        s->bind(1, to_);
        s->bind(2, size_);
        s->bind(3, at_.container);
        s->bind_blob(4, at_.blob);
        s->bind_blob(5, id);
        return returned(*s.operator->());
    }
    std::optional<std::int64_t> from_before(std::string_view id) {
        statement_use s{connection_.prepared(query::add_own_block)};
        s->bind(1, to_);
        s->bind(2, size_);
        s->bind(3, before_->id);
        s->bind_blob(4, id);
        return returned(*s.operator->());
    }

    connection& connection_;
    place const& at_;
    std::int64_t to_;
    std::optional<blob_row> const& before_;
    std::int64_t size_ = 0;
};

// --- one function for each kind of request ---------------------------------------------------------------------------

struct writer {
    connection& c;
    blob_call const& call;

    response operator()(create_container const& q) const {
        add_queue_tables(c.db());
        statement_use s{c.prepared(query::add_container)};
        s->bind_text(1, q.container);
        if (!s->run()) refuse(service_errc::container_already_exists, "use create_if_not_exists if that is fine");
        return {};
    }

    response operator()(delete_container const& q) const {
        auto const id = require_container(c, q.container);
        for (auto const step : {query::remove_blocks_of_container, query::remove_blobs_of_container,
                                query::remove_staged_of_container, query::remove_container})
            run(c, step, id);
        return {};
    }

    response operator()(put_blob const& q) const {
        place const at{require_container(c, q.container), q.blob};
        auto const stamp = next_stamp();
        auto const id = replace(at, q.when, blob_kind::block, q.content_type, stamp);
        add_pieces(c, id, q.body);
        set_size(c, id, stamp, static_cast<std::int64_t>(q.body.size()), 0);
        return written(stamp);
    }

    response operator()(create_append_blob const& q) const {
        place const at{require_container(c, q.container), q.blob};
        auto const stamp = next_stamp();
        replace(at, q.when, blob_kind::append, q.content_type, stamp);
        return written(stamp);
    }

    response operator()(delete_blob const& q) const {
        place const at{require_container(c, q.container), q.blob};
        auto const found = find_blob(c, at.container, at.blob);
        if (found) require_match(*found, q.when.if_match);
        if (found) remove(c, *found);
        remove_staged(c, at);
        if (!found) return response::failed(error{service_errc::blob_not_found});
        return {};
    }

    response operator()(append_block const& q) const {
        auto found = require_blob(c, require_container(c, q.container), q.blob);
        require_kind(found, blob_kind::append, "only blobs that were made to be appended to can be");
        require_match(found, q.if_match);
        auto& now = found.properties;
        if (q.position && *q.position != now.size) refuse(service_errc::append_position_condition_not_met);
        if (now.appended_blocks >= limits::blocks) refuse(service_errc::block_count_exceeds_limit);
        auto const stamp = next_stamp();
        add_block(c, found.id, static_cast<std::int64_t>(now.size), q.body);
        now.size += q.body.size();
        now.appended_blocks += 1;
        set_size(c, found.id, stamp, static_cast<std::int64_t>(now.size), found.blocks + 1);
        fill_properties(now, static_cast<std::int64_t>(now.kind), stamp.count(), static_cast<std::int64_t>(now.size));
        auto answer = answer_with({.blob = std::move(now)});
        answer.etag = blob_etag(stamp);
        return answer;
    }

    response operator()(stage_block const& q) const {
        place const at{require_container(c, q.container), q.blob};
        auto const found = find_blob(c, at.container, at.blob);
        if (found) require_kind(*found, blob_kind::block, "the blob can only be appended to");
        auto const length = length_of_ids(c, at, found);
        if (length && *length != static_cast<std::int64_t>(q.block.size()))
            refuse(service_errc::invalid_blob_or_block, "all ids of the blocks of a blob have the same length");
        auto const stamp = next_stamp();
        remove_old_staged(c, stamp);
        remove_staged_block(c, at, q.block);
        add_staged(c, at, q, stamp);
        return {};
    }

    response operator()(commit_blocks const& q) const {
        place const at{require_container(c, q.container), q.blob};
        auto const found = find_blob(c, at.container, at.blob);
        require_state(found, q.when);
        if (found) require_kind(*found, blob_kind::block, "the blob can only be appended to");
        auto const stamp = next_stamp();
        if (found) run(c, query::remove_blob, found->id);
        auto const id = add_blob(c, at, blob_kind::block, q.content_type, stamp);
        block_copier blocks{c, at, id, found};
        for (auto const block : q.blocks) {
            call.limits.check();
            blocks.copy(block);
        }
        if (found) run(c, query::remove_blocks, found->id);
        remove_staged(c, at);
        remove_old_staged(c, stamp);
        set_size(c, id, stamp, blocks.size(), 0);
        return written(stamp);
    }

    template <class Read> response operator()(Read const&) const {
        refuse(library_errc::unsupported, "a read was taken for a write");
    }

private:
    ticks next_stamp() const { return take_stamps(c, read_clock(call.now), 1); }

    /// Stores an empty blob in place of what is there, and returns its id.
    std::int64_t replace(place const& at, blob_condition const& when, blob_kind kind, std::string_view content_type,
                         ticks stamp) const {
        auto const found = find_blob(c, at.container, at.blob);
        require_state(found, when);
        if (found) remove(c, *found);
        remove_staged(c, at);
        remove_old_staged(c, stamp);
        return add_blob(c, at, kind, content_type, stamp);
    }

    static response written(ticks stamp) {
        response answer;
        answer.etag = blob_etag(stamp);
        return answer;
    }
};

}  // namespace

response change_blobs(connection& c, blob_request const& r, blob_call const& call) {
    write_transaction t{c.db()};
    auto answer = std::visit(writer{c, call}, r);
    t.commit();
    // Blocks may have been dropped all the same.
    if (answer.failure) throw error{*std::move(answer.failure)};
    return answer;
}

}  // namespace tablemap::detail::embedded
