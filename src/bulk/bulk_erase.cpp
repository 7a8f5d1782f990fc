// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/bulk/bulk_erase.hpp"

#include "bulk/bulk_errors.hpp"
#include "bulk/bulk_sender.hpp"
#include "bulk/progress_reporter.hpp"
#include "store/ask.hpp"
#include "store/task_group.hpp"
#include "tablemap/detail/store/page_progress.hpp"
#include "tablemap/detail/wire/reader.hpp"
#include "tablemap/detail/wire/writer.hpp"
#include "tablemap/detail/write/modify_row.hpp"
#include "tablemap/edm/names.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <unordered_map>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr std::size_t rows_read_at_once = 8;
constexpr std::size_t most_to_read = 1'000;  // so many wait for being read again before no further page is asked for
constexpr modify_options tries_of_a_row{.attempts = 20};

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
};

/// True if reading merges the partitions: then the first rows are not those of the first partition.
bool is_merged(std::vector<key_bounds> const& partitions, row_order order) noexcept {
    // The ranges of a scan follow one another.
    return partitions.size() > 1 && partitions.front().is_exact() && order != row_order::any;
}

/// One run of `erase_rows`.
class row_erasure final : bulk_sink {
public:
    row_erasure(table_state const& table, query_description const& query,
                bool (*are_keys)(std::string_view, std::string_view), index_set const* indexes,
                bulk_options const& options, environment const& env)
        : table_(table),
          query_(query),
          are_keys_(are_keys),
          indexes_(indexes),
          options_(options),
          env_(env),
          sender_(table, options, env, *this) {}

    task<erase_report> run() {
        start();
        tasks_.add(erase_pages());
        tasks_.add(sender_.run());
        co_await tasks_.all();
        co_return end();
    }

private:
    // ---- tasks ------------------------------------------------------------------------------------------------------

    /// Reads page after page, while there is room for its rows and nothing to be sent.
    task<> erase_pages() {
        while (has_pages()) {
            if (!sender_.is_idle() || sender_.full() || to_read_.size() >= most_to_read) {
                co_await sender_.became_idle().wait();
                continue;
            }
            auto const page = next_page();
            auto answer = co_await sender_.read(page);
            take_page(std::move(answer));
            sender_.changed();
        }
        pages_read_ = true;
        sender_.go_on();
    }

    /// Reads rows again whose time has come.
    task<> read_again() {
        while (is_due()) {
            auto row = std::move(to_read_.begin()->second);
            to_read_.erase(to_read_.begin());
            auto const& e = row.write.entity;
            request const what = get_entity{table_.name, e.partition_key, e.row_key, {}, true};
            auto answer = co_await sender_.read(what);
            take_row(row, std::move(answer));
            sender_.changed();
        }
        --readers_;
        sender_.go_on();
    }

    /// Waits for the times of rows, and lets them be read.
    task<> wait_for_rows() {
        for (;;) {
            read_due();
            auto const later = to_read_.upper_bound(reached_);
            if (later == to_read_.end()) break;
            auto const until = later->first;
            bool const notified = co_await earlier_.wait(until);
            if (notified) continue;
            reached_ = std::max(env_.now(), env_.why_stop() ? reached_ : until);
            sender_.changed();
        }
        waits_ = false;
    }

    // ---- pages ------------------------------------------------------------------------------------------------------

    void start() {
        if (!query_.is_of(table_.store, table_.name))
            return stop(error{library_errc::unsupported, {.reason = other_table()}});
        auto begin = query_.begin();
        if (!begin) return stop(begin.error());
        auto all = query_.partitions();
        left_ = query_.limit();
        if (left_ && is_merged(all, query_.pages().order))
            return stop(error{library_errc::unsupported,
                              {.reason = "which rows of several partitions are the first ones is known only when they "
                                         "are merged; ask for any of them with in_any_order(), or erase in one "
                                         "partition after the other"}});
        partitions_ = std::move(all);
        ranges_ = *std::move(begin);
        ranges_.resize(partitions_.size());
        asked_ = query_.pages().common;
        asked_.current = true;
        if (auto const tag = tag_of(query_.source().types); !tag.empty()) only_.push_back(tag);
        asked_.select = indexes_ ? std::span<std::string_view const>{} : only_;
        skip_ended();
    }

    /// The reason to refuse a query of another table, or of the same one in another store.
    std::string other_table() const {
        if (query_.table() == table_.name)
            return "the query reads table '" + table_.name + "' of another store; query this table";
        return "the query reads table '" + query_.table() + "', and this call erases rows of table '" + table_.name +
               "'; call erase_where of the table that is queried";
    }

    bool has_pages() const noexcept { return !stopped_ && at_ < partitions_.size() && left_ != 0U; }

    void stop(error const& why) {
        if (!report_.ended_by) report_.ended_by = why.in("erase_where", table_.name);
        stopped_ = true;
    }

    void skip_ended() {
        while (at_ < partitions_.size() && ranges_[at_].ended) ++at_;
        if (at_ == partitions_.size()) return;
        from_ = ranges_[at_].page;
        progress_of_pages_ = {};
        progress_of_pages_.begin_at(from_);
    }

    request next_page() {
        asked_.partition = partitions_[at_];
        asked_.from = from_ ? &*from_ : nullptr;
        return asked_;
    }

    void take_page(response&& answer) {
        if (!answer.ok()) return stop(*answer.failure);
        auto rows = read_dynamic_page(answer.body);
        if (!rows) return stop(rows.error());
        if (auto const stuck = progress_of_pages_.stuck_at(answer.next, rows->empty(), env_.options()))
            return stop(*stuck);
        auto& here = pages_.emplace_back(page_place{at_, from_, found_, 1});  // until all of its rows are known
        for (auto& r : *rows) {
            if (left_ == 0U) break;
            if (is_before_start(here, r) || !is_own(r)) continue;
            if (left_) --*left_;
            ++here.open;
            std::string stored;
            if (indexes_) append_entity(stored, r);
            erase(found_++, {std::move(r.partition_key), std::move(r.row_key)}, r.etag, stored);
        }
        --here.open;
        from_ = std::move(answer.next);
        if (!from_) {
            ++at_;
            skip_ended();
        }
        forget_done_pages();
    }

    /// A row that cannot be read is left alone, too.
    bool is_own(stored_entity const& r) const {
        auto const& types = query_.source().types;
        auto const* const tag = r.try_get<std::string>(tag_of(types));
        return is_row_of(types, r.partition_key, r.row_key, tag ? std::string_view{*tag} : std::string_view{}) &&
               are_keys_(r.partition_key, r.row_key);
    }

    /// A cursor may begin within a page.
    bool is_before_start(page_place const& here, stored_entity const& r) const {
        auto const& l = ranges_[here.partition];
        if (!l.partition_key || here.from != l.page) return false;
        auto const order = compare_utf16(r.partition_key, *l.partition_key);
        return order < 0 || (order == 0 && compare_utf16(r.row_key, l.row_key) < 0);
    }

    void forget_done_pages() {
        while (!pages_.empty() && pages_.front().open == 0) pages_.pop_front();
    }

    // ---- rows -------------------------------------------------------------------------------------------------------

    void erase(std::size_t tag, entity_key key, etag const& version, std::string& stored) {
        encoded_write w;
        w.kind = write_kind::erase;
        w.if_match = version.text();
        w.indexes = indexes_;
        w.entity.partition_key = std::move(key.partition_key);
        w.entity.row_key = std::move(key.row_key);
        add(tag, std::move(w), stored);
    }

    void add(std::size_t tag, encoded_write w, std::string& stored) {
        sender_.add(tag, std::move(w), false, indexes_ ? &stored : nullptr);
    }

    void ended(std::size_t tag, encoded_write& w, row_state s, error const* why, bool absent) noexcept override {
        news_.add();
        if (s == row_state::stored) return done(tag, absent);
        if (s == row_state::not_sent) return;
        if (why->code() == service_errc::resource_not_found) return done(tag, true);
        bool const changed = s == row_state::in_doubt || why->code() == service_errc::update_condition_not_satisfied;
        if (changed && given_up_ && s == row_state::failed) return;  // it stays as it is
        if (changed && !given_up_ && ++tries_[tag] < tries_of_a_row.attempts)
            look_again(next_look_at(tries_[tag], *why), {tag, std::move(w), s, *why});
        else if (changed && s == row_state::failed)
            refuse(tag, w, s, error{library_errc::too_many_conflicts, {.reason = "it was changed at every try"}});
        else
            refuse(tag, w, s, *why);
    }

    /// The other writer needs a while, too. If the deadline comes before that, now is the time.
    time_point next_look_at(int tries, error const& why) const {
        auto const until = next_try(tries_of_a_row, tries, {}, why, env_);
        return until ? *until : env_.now();
    }

    void look_again(time_point when, row_read r) {
        reached_ = std::max(reached_, env_.now());
        bool const is_next = to_read_.emplace(when, std::move(r)) == to_read_.upper_bound(reached_);
        read_due();
        if (!std::exchange(waits_, true)) tasks_.add(wait_for_rows());
        if (is_next) earlier_.notify_all();
    }

    bool is_due() const noexcept { return !to_read_.empty() && to_read_.begin()->first <= reached_; }

    void read_due() {
        for (auto row = to_read_.begin(); row != to_read_.end() && row->first <= reached_; ++row) {
            if (readers_ == rows_read_at_once) return;
            ++readers_;
            tasks_.add(read_again());
        }
    }

    /// Ends the rows that were to be read again.
    void refuse_waiting(error const& why) {
        for (auto rest = std::exchange(to_read_, {}); auto& [when, row] : rest) refuse_unread(row, why);
        earlier_.notify_all();
    }

    void done(std::size_t tag, bool absent) {
        ++totals_.stored;
        if (absent) ++totals_.absent;
        settle(tag);
    }

    void refuse(std::size_t tag, encoded_write& w, row_state s, error const& why) {
        ++(s == row_state::in_doubt ? totals_.in_doubt : totals_.failed);
        if (progress_reporter::wanted(options_, report_.problems))
            news_.add({tag,
                       s,
                       {std::move(w.entity.partition_key), std::move(w.entity.row_key)},
                       why.in("erase_where", table_.name)},
                      options_, report_.problems);
        settle(tag);
    }

    void settle(std::size_t tag) {
        tries_.erase(tag);
        auto page = std::upper_bound(pages_.begin(), pages_.end(), tag,
                                     [](std::size_t t, page_place const& p) { return t < p.first_row; });
        --std::prev(page)->open;
        forget_done_pages();
    }

    /// Takes a row as it is now: erases it under its new etag if it still meets the condition.
    void take_row(row_read& r, response&& answer) {
        if (!answer.ok()) {
            if (answer.failure->code() == service_errc::resource_not_found) return done(r.tag, true);
            auto const& why = *answer.failure;
            if (ends_the_call(why)) stop(given_up_.value_or(why));
            refuse_unread(r, why);
            // The store does not answer: asking it for each of the others would only take long.
            return refuse_waiting(why);
        }
        auto const row = read_dynamic(answer.body);
        if (!row) return refuse_unread(r, row.error());
        if (asked_.where && !filter::matches(*asked_.where, *row)) {
            ++totals_.kept;
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

    bool expects_rows() const noexcept override { return !pages_read_ || readers_ > 0; }
    bool is_done() const noexcept override { return !expects_rows() && to_read_.empty(); }

    // ---- news and the end -------------------------------------------------------------------------------------------

    void tell() override {
        news_.notify(options_, sender_.responses(), [this] { return progress(); });
        if (auto const why = env_.why_stop()) give_up(why);
        if (auto const& why = sender_.ended_by(); why && has_pages()) stop(*why);
    }

    void give_up(std::error_code why) {
        if (!given_up_)
            given_up_ = error{why, {.reason = "nothing more was sent; the report's cursor tells where to go on"}};
        if (has_pages() || !to_read_.empty()) stop(*given_up_);
        refuse_waiting(*given_up_);
    }

    bulk_progress progress() const {
        auto p = totals_;
        p.rows = found_;
        sender_.report(p);
        return p;
    }

    /// With the first page that has not ended, or was not read.
    std::optional<std::string> cursor() const {
        bool const read_all = at_ >= partitions_.size() || left_ == 0U;
        if ((pages_.empty() && read_all) || !query_.check_cursors()) return std::nullopt;
        auto const place = pages_.empty() ? page_place{at_, from_, found_} : pages_.front();
        auto to = ranges_;
        for (std::size_t i = 0; i < place.partition; ++i) {
            begin_at(to[i], std::nullopt);
            to[i].ended = true;
        }
        if (to[place.partition].page != place.from) begin_at(to[place.partition], place.from);
        return query_.cursor(to);
    }

    static void begin_at(cursor_range& l, std::optional<continuation> const& page) {
        l.page = page;
        l.partition_key.reset();
        l.row_key.clear();
    }

    erase_report end() {
        if (auto const& why = sender_.ended_by()) stop(*why);
        bool const all_ended = totals_.stored + totals_.failed + totals_.in_doubt + totals_.kept == found_;
        if (!all_ended && given_up_) stop(*given_up_);
        report_.totals = progress();
        report_.cursor = cursor();
        return std::move(report_);
    }

    table_state const& table_;
    query_description const& query_;
    std::vector<std::string_view> only_{partition_key_name};
    bool (*are_keys_)(std::string_view, std::string_view);
    index_set const* indexes_;
    bulk_options const& options_;
    environment const& env_;

    bool stopped_ = false, pages_read_ = false;
    std::optional<error> given_up_{};  ///< because of a stop or the deadline
    std::vector<key_bounds> partitions_{};
    std::vector<cursor_range> ranges_{};  ///< the position in each of them where the query began
    std::size_t at_ = 0;                  ///< the partition whose next page is read, and where that begins
    std::optional<continuation> from_{};
    std::optional<std::size_t> left_{};
    query_page asked_{};
    page_progress progress_of_pages_{};  ///< in the partition
    std::deque<page_place> pages_{};     ///< that have not ended

    std::size_t found_ = 0;
    std::unordered_map<std::size_t, int> tries_{};
    std::multimap<time_point, row_read> to_read_{};  ///< by the times before which they are not to be read
    time_point reached_{time_point::min()};          ///< the time has come for these
    bool waits_ = false;                             ///< a task waits for the others
    task_signal earlier_{};                          ///< for that task: there is another first one, or none
    std::size_t readers_ = 0;                        ///< tasks
    bulk_progress totals_{};
    progress_reporter news_{};
    erase_report report_{};
    bulk_sender sender_;
    task_group tasks_{};
};

}  // namespace

task<result<erase_report>> erase_rows(table_state const& table, std::shared_ptr<query_description const> query,
                                      bool (*are_keys)(std::string_view, std::string_view), index_set const* indexes,
                                      std::unique_ptr<bulk_options const> options) {
    auto const call = co_await this_call();
    row_erasure erasure{table, *query, are_keys, indexes, *options, call.env};
    auto report = co_await erasure.run();
    co_return report;
}

}  // namespace tablemap::detail
