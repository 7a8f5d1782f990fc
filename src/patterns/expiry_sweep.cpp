// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/patterns/expiry_core.hpp"

#include "bulk/bulk_errors.hpp"
#include "bulk/bulk_sender.hpp"
#include "patterns/index_relay_pass.hpp"
#include "patterns/met_faults.hpp"
#include "patterns/option_check.hpp"
#include "patterns/sweeps.hpp"
#include "store/ask.hpp"
#include "store/page_reading.hpp"
#include "tablemap/detail/keys/part_layout.hpp"
#include "tablemap/detail/query/cursor.hpp"
#include "tablemap/detail/write/companion.hpp"
#include "tablemap/edm/limits.hpp"
#include "tablemap/mapping/dynamic.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1::detail {
namespace {

/// An expired entity, as it was read.
struct expired_entity {
    entity_key key{};
    etag version{};
    std::string body{};
};

/// Erases the expired entities of a page, each under the etag that was read.
class expired_rows final : bulk_sink {
public:
    expired_rows(expiry_core const& core, environment const& env, bulk_options const& options, expiry_report& report)
        : core_(core), report_(report), sender_(*core.entities, options, env, *this) {}

    void add(expired_entity e) {
        encoded_write w;
        w.kind = write_kind::erase;
        w.if_match = e.version.text();
        w.indexes = &core_.indexes;
        w.entity.partition_key = e.key.partition_key;
        w.entity.row_key = std::move(e.key.row_key);
        auto const tag = partitions_.size();
        partitions_.emplace_back(std::move(e.key.partition_key), false);
        sender_.add(tag, std::move(w), false, &e.body);
    }

    /// Returns the reason if some were not sent.
    task<std::optional<error>> erase() {
        co_await sender_.run();
        if (!unsent_) co_return std::nullopt;
        co_return sender_.ended_by() ? sender_.ended_by() : unsent_;
    }

    /// Adds the partitions of the entities that are erased, or may be.
    void add_outdated(std::set<std::string>& to) const {
        for (auto const& [partition, is_outdated] : partitions_)
            if (is_outdated) to.insert(partition);
    }

private:
    void ended(std::size_t tag, encoded_write&, row_state s, error const* why, bool absent) noexcept override {
        bool const is_gone = s == row_state::failed && why->code() == service_errc::resource_not_found;
        partitions_[tag].second = s == row_state::stored || s == row_state::in_doubt || is_gone;
        switch (s) {
        case row_state::stored: ++(absent ? report_.gone : report_.erased); break;
        case row_state::not_sent: unsent_ = *why; break;
        case row_state::in_doubt: fail(report_.in_doubt, *why); break;
        case row_state::failed:
            if (is_gone)
                ++report_.gone;
            else if (why->code() == service_errc::update_condition_not_satisfied)
                ++report_.changed;
            else
                fail(report_.failed, *why);
            break;
        }
    }

    void fail(std::size_t& count, error const& why) {
        ++count;
        report_.last_failure = why.in("sweep", core_.entities->name);
    }

    bool expects_rows() const noexcept override { return false; }
    bool is_done() const noexcept override { return true; }
    void tell() override {}

    expiry_core const& core_;
    expiry_report& report_;
    bulk_sender sender_;
    std::vector<std::pair<std::string, bool>> partitions_{};  ///< of each entity, and whether it has rows to let go
    std::optional<error> unsent_{};
};

/// The text of a time in keys.
std::string time_key_text(ticks t) {
    auto const digits = std::to_string(std::max<std::int64_t>(t.count(), 0));
    return std::string(time_key_length - std::min(time_key_length, digits.size()), '0') + digits;
}

/// One run over the index.
class expiry_sweep {
public:
    expiry_sweep(expiry_core const& core, environment const& env)
        : core_(core),
          env_(env),
          now_(std::min(core.options.now(), ticks::max())),
          began_(env.now()),
          partition_end_(time_key_text(now_ + tick_duration{1})),
          row_end_(expiry_row_prefix + partition_end_) {}

    task<expiry_report> run(std::string from) {
        auto const begin = begin_at(from);
        if (begin) {
            at_ = *begin;
            co_await each_page();
        } else {
            stop(begin.error());
        }
        co_return std::move(report_);
    }

private:
    // ---- pages ------------------------------------------------------------------------------------------------------

    task<> each_page() {
        page_reading pages{rows_of_the_past(), env_, at_};
        while (!pages.ended() && !report_.ended_by) {
            co_await keep_rate(began_, report_.seen, core_.options.rows_per_second);
            auto const rows = co_await pages.next_rows();
            if (rows)
                co_await take(*rows);
            else
                stop(rows.error());
            if (!report_.ended_by) at_ = pages.next_page();
            notify(report_.ended_by || !pages.ended());
        }
    }

    void notify(bool more) {
        report_.cursor = more ? std::optional{cursor()} : std::nullopt;
        if (core_.options.progress) core_.options.progress(report_);
    }

    query_page rows_of_the_past() const {
        return {.table = core_.rows,
                .partition = {.to = partition_end_, .to_inclusive = false},
                .row = {.from = expiry_row_prefix, .to = row_end_, .to_inclusive = false},
                .top = core_.options.page_size};
    }

    /// It does not depend on the time: a sweep may go on later.
    std::uint64_t hash() const {
        query_hash h;
        auto const& store = *core_.entities->store;
        h.add("expiry").add(store.capabilities().name).add(core_.rows).add(core_.entities->name);
        return h.value();
    }

    std::string cursor() const { return write_cursor(hash(), {{.page = at_}}); }

    result<std::optional<continuation>> begin_at(std::string const& from) const {
        if (from.empty()) return std::optional<continuation>{};
        auto ranges = read_cursor(from, hash(), 1);
        if (!ranges) return failure{std::move(ranges).error()};
        return std::move(ranges->front().page);
    }

    // ---- the entities of a page -------------------------------------------------------------------------------------

    task<> take(std::vector<stored_entity> const& rows) {
        report_.seen += rows.size();
        bulk_options const options{.parallel = core_.options.parallel};
        expired_rows expired{core_, env_, options, report_};
        auto const keys = owners_of(rows);
        for (std::size_t at = 0; at < keys.size() && !report_.ended_by; at += core_.options.parallel) {
            auto const some = std::span{keys}.subspan(at, std::min(core_.options.parallel, keys.size() - at));
            co_await look(some, expired);
        }
        auto const unsent = co_await expired.erase();
        if (unsent) stop(*unsent);
        expired.add_outdated(outdated_);
        if (!report_.ended_by) co_await relay();
    }

    /// Lets the rows of the page go whose entities are erased. A sweep that ended before leaves them to the next one,
    /// which finds them gone. A fault of the store ends the sweep when it reads on.
    task<> relay() {
        std::vector<std::string> partitions{outdated_.begin(), outdated_.end()};
        outdated_.clear();
        message_hold no_message;
        auto const at_once = core_.options.parallel;
        co_await relay_intents(*core_.relay, std::move(partitions), at_once, no_message, report_.relayed);
    }

    /// The keys of the entities of rows; those of other types are left out.
    std::vector<entity_key> owners_of(std::vector<stored_entity> const& rows) {
        std::vector<entity_key> keys;
        for (auto const& row : rows) {
            auto body = body_of(row);
            auto key = core_.owner_of(body);
            if (key)
                keys.push_back(*std::move(key));
            else if (key.error().code() == library_errc::another_type)
                ++report_.gone;
            else
                fail(key.error());
        }
        return keys;
    }

    task<> look(std::span<entity_key const> keys, expired_rows& expired) {
        std::vector<request> reads;
        for (auto const& k : keys)
            reads.emplace_back(get_entity{core_.entities->name, k.partition_key, k.row_key, {}, true});
        auto answers = co_await ask_all(reads);
        for (std::size_t i = 0; i < keys.size(); ++i) judge(keys[i], answers[i], expired);
    }

    void judge(entity_key const& key, response& base, expired_rows& expired) {
        bool const known = tells_presence(base);
        bool const go_on = faults_.go_on_after(known ? std::nullopt : base.failure);
        if (!known) return go_on ? fail(*base.failure) : stop(*base.failure);
        if (!base.ok()) outdated_.insert(key.partition_key);
        if (!base.ok()) return count(report_.gone);
        auto read = core_.read(base.body, core_.entities->cipher.get());
        if (!read && read.error().code() == library_errc::another_type) return count(report_.gone);
        if (!read) return fail(read.error());
        if (!read->time || *read->time > now_) return count(report_.prolonged);
        auto version = base.etag.empty() ? std::move(read->version) : std::move(base.etag);
        if (!is_of_one_version(version)) return fail(without_etag());
        expired.add({key, std::move(version), std::move(base.body)});
    }

    /// False for what would erase any version.
    static bool is_of_one_version(etag const& e) { return !e.empty() && e.text() != any_etag; }

    static error without_etag() {
        return error{library_errc::malformed_response,
                     {.reason = "the entity came without an etag of its own, so it is not erased"}};
    }

    static void count(std::size_t& what) { ++what; }

    void fail(error const& why) {
        ++report_.failed;
        report_.last_failure = why.in("sweep", core_.entities->name);
    }

    void stop(error const& why) {
        if (!report_.ended_by) report_.ended_by = why.in("sweep", core_.entities->name);
    }

    expiry_core const& core_;
    environment const& env_;
    ticks const now_;
    time_point const began_;
    std::string const partition_end_, row_end_;
    std::optional<continuation> at_{};  ///< the page to go on from
    std::set<std::string> outdated_{};  ///< the partitions of entities of the page that are erased or gone
    met_faults faults_{};
    expiry_report report_{};
};

}  // namespace

result<void> check_options(expiry_options const& o) {
    if (o.page_size < 1 || o.page_size > limits::page_entities)
        return failure{out_of_range("page_size", "a page has 1 to 1,000 rows")};
    if (!std::isfinite(o.rows_per_second) || o.rows_per_second < 0)
        return failure{out_of_range("rows_per_second", "a rate is not negative; 0 means no limit")};
    if (o.parallel < 1) return failure{out_of_range("parallel", "at least one entity is read at once")};
    if (!o.now) return failure{out_of_range("now", "entities expire at a time; leave the default")};
    return {};
}

task<result<expiry_report>> sweep_expired(expiry_core_ptr core, std::string from) {
    auto const call = co_await this_call();
    expiry_sweep sweep{*core, call.env};
    auto const running = sweep.run(std::move(from));
    auto report = co_await running;
    co_return report;
}

}  // namespace tablemap::detail
