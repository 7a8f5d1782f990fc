// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/bulk/bulk_erase.hpp"

#include "bulk/bulk_errors.hpp"
#include "bulk/progress_reporter.hpp"

#include "tablemap/detail/bulk/bulk_sender.hpp"
#include "tablemap/detail/store/page_progress.hpp"
#include "tablemap/detail/wire/reader.hpp"
#include "tablemap/detail/wire/writer.hpp"
#include "tablemap/edm/names.hpp"
#include "store/flow_requests.hpp"

#include <deque>
#include <map>
#include <unordered_map>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr std::size_t rows_read_at_once = 8;
constexpr std::size_t most_to_read = 1'000;  // so many wait for being read again before no further page is asked for
constexpr int most_tries = 20;

// The flow has the slots of two others: those of the sender are odd.
constexpr std::size_t slot_of_sender(std::size_t slot) noexcept { return 2 * slot + 1; }
constexpr std::size_t slot_of_reader(std::size_t slot) noexcept { return 2 * slot; }

/// The beginning of a page, and the number of its rows that have not ended.
struct page_place {
    std::size_t partition;
    std::optional<continuation> from;
    std::size_t first_row;
    std::size_t open = 0;
};

/// A row that is read again.
struct row_read {
    std::size_t tag;
    encoded_write write;
    row_state state;  ///< that it has unless reading tells more
    error why;
    request what{};
};

/// True if reading merges the partitions: then the first rows are not those of the first partition.
bool is_merged(std::vector<key_bounds> const& partitions, row_order order) noexcept {
    // The ranges of a scan follow one another.
    return partitions.size() > 1 && partitions.front().is_exact() && order != row_order::any;
}

}  // namespace

struct bulk_erase::state final : bulk_sink {
    state(std::shared_ptr<table_state const> t, std::shared_ptr<query_description const> q,
          bool (*fit)(std::string_view, std::string_view), index_set const* with, bulk_options o,
          retry_policy const& policy)
        : table(std::move(t)),
          query(std::move(q)),
          are_keys(fit),
          indexes(with),
          options(std::move(o)),
          sender(table->name, table->store->capabilities(), table->cipher.get(), options, policy, *this),
          reads(policy) {}

    /// Why a query of another table, or of the same one in another store, is refused.
    std::string other_table() const {
        if (query->table() == table->name)
            return "the query reads table '" + table->name + "' of another store; query this table";
        return "the query reads table '" + query->table() + "', and this call erases rows of table '" + table->name +
               "'; call erase_where of the table that is queried";
    }

    // ---- pages ------------------------------------------------------------------------------------------------------

    void start() {
        started = true;
        if (!query->is_of(table->store, table->name))
            return stop(error{library_errc::unsupported, {.reason = other_table()}});
        auto begin = query->begin();
        if (!begin) return stop(begin.error());
        auto all = query->partitions();
        left = query->limit();
        if (left && is_merged(all, query->pages().order))
            return stop(error{library_errc::unsupported,
                              {.reason = "which rows of several partitions are the first ones is known only when they "
                                         "are merged; ask for any of them with in_any_order(), or erase in one "
                                         "partition after the other"}});
        partitions = std::move(all);
        ranges = *std::move(begin);
        ranges.resize(partitions.size());
        asked = query->pages().common;
        asked.current = true;
        if (auto const tag = tag_of(query->source().types); !tag.empty()) only.push_back(tag);
        asked.select = indexes ? std::span<std::string_view const>{} : only;
        skip_ended();
    }

    /// True if there is more to read.
    bool reading() const noexcept { return started && !stopped && at < partitions.size() && left != 0U; }

    void stop(error const& why) {
        if (!report.ended_by) report.ended_by = why.in("erase_where", table->name);
        stopped = true;
    }

    void skip_ended() {
        while (at < partitions.size() && ranges[at].ended) ++at;
        if (at == partitions.size()) return;
        from = ranges[at].page;
        progress_of_pages = {};
        progress_of_pages.begin_at(from);
    }

    void ask_page() {
        asked.partition = partitions[at];
        asked.from = from ? &*from : nullptr;
        page_request = asked;
        page_slot = reads.begin(page_request);
    }

    void take_page(environment const& env, response&& answer) {
        page_slot.reset();
        if (!answer.ok()) return stop(*answer.failure);
        auto rows = read_dynamic_page(answer.body);
        if (!rows) return stop(rows.error());
        if (auto const stuck = progress_of_pages.stuck_at(answer.next, rows->empty(), env.options()))
            return stop(*stuck);
        auto& here = pages.emplace_back(page_place{at, from, found, 1});  // until all of its rows are known
        for (auto& r : *rows) {
            if (left == 0U) break;
            if (is_before_start(here, r) || !is_own(r)) continue;
            if (left) --*left;
            ++here.open;
            std::string stored;
            if (indexes) append_entity(stored, r);
            erase(found++, {std::move(r.partition_key), std::move(r.row_key)}, r.etag, stored);
        }
        --here.open;
        from = std::move(answer.next);
        if (!from) {
            ++at;
            skip_ended();
        }
        forget_done_pages();
    }

    /// A row that cannot be read is left alone, too.
    bool is_own(stored_entity const& r) const {
        auto const& types = query->source().types;
        auto const* const tag = r.try_get<std::string>(tag_of(types));
        return is_row_of(types, r.partition_key, r.row_key, tag ? std::string_view{*tag} : std::string_view{}) &&
               are_keys(r.partition_key, r.row_key);
    }

    /// A cursor may begin within a page.
    bool is_before_start(page_place const& here, stored_entity const& r) const {
        auto const& l = ranges[here.partition];
        if (!l.partition_key || here.from != l.page) return false;
        auto const order = compare_utf16(r.partition_key, *l.partition_key);
        return order < 0 || (order == 0 && compare_utf16(r.row_key, l.row_key) < 0);
    }

    void forget_done_pages() {
        while (!pages.empty() && pages.front().open == 0) pages.pop_front();
    }

    // ---- rows -------------------------------------------------------------------------------------------------------

    void erase(std::size_t tag, entity_key key, etag const& version, std::string& stored) {
        encoded_write w{.kind = write_kind::erase, .if_match = version.text(), .indexes = indexes};
        w.entity.partition_key = std::move(key.partition_key);
        w.entity.row_key = std::move(key.row_key);
        add(tag, std::move(w), stored);
    }

    void add(std::size_t tag, encoded_write w, std::string& stored) {
        sender.add(tag, std::move(w), false, indexes ? &stored : nullptr);
    }

    void ended(std::size_t tag, encoded_write& w, row_state s, error const* why, bool absent) noexcept override {
        news.add();
        if (s == row_state::stored) return done(tag, absent);
        if (s == row_state::not_sent) return;
        if (why->code() == service_errc::resource_not_found) return done(tag, true);
        bool const changed = s == row_state::in_doubt || why->code() == service_errc::update_condition_not_satisfied;
        if (changed && given_up && s == row_state::failed) return;  // it stays as it is
        if (changed && !given_up && ++tries[tag] < most_tries)
            to_read.push_back({tag, std::move(w), s, *why});
        else if (changed && s == row_state::failed)
            refuse(tag, w, s, error{library_errc::too_many_conflicts, {.reason = "it was changed at every try"}});
        else
            refuse(tag, w, s, *why);
    }

    void done(std::size_t tag, bool absent) {
        ++totals.stored;
        if (absent) ++totals.absent;
        settle(tag);
    }

    void refuse(std::size_t tag, encoded_write& w, row_state s, error const& why) {
        ++(s == row_state::in_doubt ? totals.in_doubt : totals.failed);
        if (progress_reporter::wanted(options, report.problems))
            news.add({tag,
                      s,
                      {std::move(w.entity.partition_key), std::move(w.entity.row_key)},
                      why.in("erase_where", table->name)},
                     options, report.problems);
        settle(tag);
    }

    void settle(std::size_t tag) {
        tries.erase(tag);
        auto page = std::upper_bound(pages.begin(), pages.end(), tag,
                                     [](std::size_t t, page_place const& p) { return t < p.first_row; });
        --std::prev(page)->open;
        forget_done_pages();
    }

    void read_again() {
        auto r = std::make_unique<row_read>(std::move(to_read.front()));
        to_read.pop_front();
        auto const& e = r->write.entity;
        r->what = get_entity{table->name, e.partition_key, e.row_key, {}, true};
        auto const slot = reads.begin(r->what);
        being_read[slot] = std::move(r);
    }

    /// The row as it is now: erased under its new etag if it still meets the condition.
    void take_row(row_read& r, response&& answer) {
        if (!answer.ok()) {
            if (answer.failure->code() == service_errc::resource_not_found) return done(r.tag, true);
            auto const& why = *answer.failure;
            if (ends_the_call(why)) stop(given_up.value_or(why));
            refuse_unread(r, why);
            // The store does not answer: asking it for each of the others would only take long.
            for (auto rest = std::exchange(to_read, {}); auto& other : rest) refuse_unread(other, why);
            return;
        }
        auto const row = read_dynamic(answer.body);
        if (!row) return refuse_unread(r, row.error());
        if (asked.where && !filter::matches(*asked.where, *row)) {
            ++totals.kept;
            return settle(r.tag);
        }
        r.write.if_match = (answer.etag.empty() ? row->etag : answer.etag).text();
        add(r.tag, std::move(r.write), answer.body);
    }

    /// A row of which an end of the call leaves no more to say stays as it is.
    void refuse_unread(row_read& r, error const& e) {
        if (r.state == row_state::in_doubt) return refuse(r.tag, r.write, r.state, r.why);
        if (!ends_the_call(e)) refuse(r.tag, r.write, r.state, e);
    }

    // ---- the flow ---------------------------------------------------------------------------------------------------

    flow_step next(environment const& env) {
        notify();
        if (!started) start();
        if (auto const why = env.why_stop()) give_up(why);
        if (auto const& why = sender.ended_by(); why && reading()) stop(*why);
        for (;;) {
            if (auto const slot = reads.due(given_up ? time_point::max() : env.now())) {
                auto const s = reads.send(*slot);
                return flow_step::send(s.asked(), slot_of_reader(*slot), s.attempt());
            }
            if (!to_read.empty() && being_read.size() < rows_read_at_once) {
                read_again();
                continue;
            }
            sender.drain(!reading() && !page_slot && to_read.empty() && being_read.empty());
            auto const s = sender.next(env);
            if (s.what() == flow_step::kind::send)
                return flow_step::send(s.asked(), slot_of_sender(s.slot()), s.attempt());
            if (!to_read.empty() && being_read.size() < rows_read_at_once) continue;  // the sender gave some up
            if (reading() && !page_slot && !sender.full() && to_read.size() < most_to_read) {
                ask_page();
                continue;
            }
            return wait(s);
        }
    }

    flow_step wait(flow_step const& of_sender) {
        auto until = of_sender.until();
        if (auto const t = reads.next_time()) until = std::min(until.value_or(*t), *t);
        if (until) return flow_step::wait(until);
        if (reads.under_way() > 0 || of_sender.what() == flow_step::kind::wait) return flow_step::wait();
        notify();
        return flow_step::done();
    }

    void give_up(std::error_code why) {
        if (!given_up) {
            given_up = error{why, {.reason = "nothing more was sent; the report's cursor tells where to go on"}};
            reads.hurry();
        }
        if (reading() || !to_read.empty()) stop(*given_up);
        for (auto rest = std::exchange(to_read, {}); auto& r : rest) refuse_unread(r, *given_up);
    }

    void answered(environment const& env, std::size_t slot, response&& answer) {
        news.add();
        if (slot % 2 == 1) return sender.answered(env, slot / 2, std::move(answer));
        auto final_response = reads.answered(env, slot / 2, std::move(answer));
        if (!final_response) return;
        if (page_slot == slot / 2) return take_page(env, *std::move(final_response));
        auto const r = std::move(being_read.at(slot / 2));
        being_read.erase(slot / 2);
        take_row(*r, *std::move(final_response));
    }

    void notify() {
        news.notify(options, [this] { return progress(); });
    }

    bulk_progress progress() const {
        auto p = totals;
        p.rows = found;
        sender.report(p);
        p.requests += reads.sent();
        p.retries += reads.retries();
        p.under_way += reads.under_way();
        return p;
    }

    /// With the first page that has not ended, or was not read.
    std::optional<std::string> cursor() const {
        bool const read_all = at >= partitions.size() || left == 0U;
        if ((pages.empty() && read_all) || !query->check_cursors()) return std::nullopt;
        auto const place = pages.empty() ? page_place{at, from, found} : pages.front();
        auto to = ranges;
        for (std::size_t i = 0; i < place.partition; ++i) {
            begin_at(to[i], std::nullopt);
            to[i].ended = true;
        }
        if (to[place.partition].page != place.from) begin_at(to[place.partition], place.from);
        return query->cursor(to);
    }

    static void begin_at(cursor_range& l, std::optional<continuation> const& page) {
        l.page = page;
        l.partition_key.reset();
        l.row_key.clear();
    }

    result<erase_report> take() {
        if (auto const& why = sender.ended_by(); why) stop(*why);
        bool const all_ended = totals.stored + totals.failed + totals.in_doubt + totals.kept == found;
        if (!all_ended && given_up) stop(*given_up);
        report.totals = progress();
        report.cursor = cursor();
        return std::move(report);
    }

    std::shared_ptr<table_state const> table;
    std::shared_ptr<query_description const> query;
    std::vector<std::string_view> only{partition_key_name};
    bool (*are_keys)(std::string_view, std::string_view);
    index_set const* indexes;
    bulk_options options;
    bulk_sender sender;
    flow_requests reads;

    bool started = false, stopped = false;
    std::optional<error> given_up{};  ///< because of a stop or the deadline
    std::vector<key_bounds> partitions{};
    std::vector<cursor_range> ranges{};  ///< the position in each of them where the query began
    std::size_t at = 0;                  ///< the partition whose next page is read, and where that begins
    std::optional<continuation> from{};
    std::optional<std::size_t> left{};
    query_page asked{};
    request page_request{};
    std::optional<std::size_t> page_slot{};
    page_progress progress_of_pages{};  ///< in the partition
    std::deque<page_place> pages{};     ///< that have not ended

    std::size_t found = 0;
    std::unordered_map<std::size_t, int> tries{};
    std::deque<row_read> to_read{};
    std::map<std::size_t, std::unique_ptr<row_read>> being_read{};
    bulk_progress totals{};
    progress_reporter news{};
    erase_report report{};
};

bulk_erase::bulk_erase(std::shared_ptr<table_state const> table, std::shared_ptr<query_description const> query,
                       bool (*are_keys)(std::string_view, std::string_view), index_set const* indexes,
                       bulk_options options, std::optional<retry_policy> const& retry) {
    auto const policy = retry.value_or(table->store->context().default_retry);
    state_ = std::make_unique<state>(std::move(table), std::move(query), are_keys, indexes, std::move(options), policy);
}
bulk_erase::~bulk_erase() = default;
bulk_erase::bulk_erase(bulk_erase&&) noexcept = default;

flow_step bulk_erase::next(environment const& env) { return state_->next(env); }
void bulk_erase::answered(environment const& env, std::size_t slot, response&& answer) {
    state_->answered(env, slot, std::move(answer));
}
result<erase_report> bulk_erase::take() { return state_->take(); }
operation_label bulk_erase::label() const noexcept { return {"erase_where", state_->table->name}; }

}  // namespace tablemap::detail
