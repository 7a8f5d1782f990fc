// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/patterns/copies_check.hpp"

#include "patterns/most_at_once.hpp"
#include "store/ask.hpp"
#include "tablemap/detail/store/page_progress.hpp"
#include "tablemap/detail/write/commit.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

template <class V> void append(std::vector<V>& to, std::vector<V>& from) {
    std::move(from.begin(), from.end(), std::back_inserter(to));
}

/// A page of rows that hold copies, and what was found in it.
struct checked_page {
    std::vector<row_version> sources{};
    copies_findings found{};
    std::size_t written = 0;  ///< of the stale rows
    std::optional<continuation> next{};
};

/// A group that writes some of the stale rows.
struct refresh_group {
    std::shared_ptr<transaction_core> core;
    std::vector<std::string> rows{};  ///< their keys, then those of sources whose versions are checked
    std::size_t end = 0;              ///< of the stale rows
};

/// One run of `check_copies`.
class copies_check {
public:
    copies_check(std::shared_ptr<table_state const> const& table, std::string const& partition_key, bool repairs,
                 environment const& env)
        : table_(table), partition_key_(partition_key), repairs_(repairs), env_(env) {}

    task<result<copies_report>> run(std::vector<std::unique_ptr<copies_checker>> const& checkers) {
        for (auto const& type : checkers) {
            auto const checked = co_await check_type(*type);
            if (checked) continue;
            auto const& e = checked.error();
            co_return failure{changed_something_ ? e.with(outcome::in_doubt) : e};
        }
        co_return std::move(report_);
    }

private:
    task<result<void>> check_type(copies_checker& type) {
        auto const rows = type.rows();
        if (!rows) co_return failure{rows.error()};
        std::optional<continuation> from;
        page_progress progress;
        do {
            auto page = co_await check_page(type, *rows, from);
            if (!page) co_return failure{std::move(page).error()};
            auto& r = page->found.report;
            bool const was_empty = r.checked == 0 && r.unreadable.empty();
            add_to_report(r);
            if (auto stuck = progress.stuck_at(page->next, was_empty, env_.options()))
                co_return failure{*std::move(stuck)};
            from = std::move(page->next);
        } while (from);
        co_return result<void>{};
    }

    /// Reads a page until all that is stale in it is refreshed.
    task<result<checked_page>> check_page(copies_checker& type, copies_query const& rows,
                                          std::optional<continuation> const& from) {
        tries_ = 0;
        began_ = env_.now();
        for (;;) {
            checked_page page;
            auto const compared = co_await compare_page(type, rows, from, page);
            if (!compared) co_return failure{compared.error()};
            if (!repairs_) {
                for (auto const& s : page.found.stale) report_.stale.push_back({partition_key_, s.version.row_key});
                co_return page;
            }
            auto const done = co_await refresh(page);
            if (!done) co_return failure{done.error()};
            if (*done) co_return page;
        }
    }

    task<result<void>> compare_page(copies_checker& type, copies_query const& rows,
                                    std::optional<continuation> const& from, checked_page& page) {
        request const what = query_for_write(table_->name, partition_key_, rows, from);
        auto answer = co_await ask(what);
        if (!answer.ok()) co_return failure{*std::move(answer.failure)};
        page.next = std::move(answer.next);
        auto wanted = type.take_page(answer);
        if (!wanted) co_return failure{std::move(wanted).error()};
        for (auto& key : *wanted) page.sources.push_back({std::move(key)});
        auto const read = co_await read_sources(type, page.sources);
        if (!read) co_return failure{read.error()};
        auto found = type.compare(env_);
        if (!found) co_return failure{std::move(found).error()};
        page.found = *std::move(found);
        co_return result<void>{};
    }

    task<result<void>> read_sources(copies_checker& type, std::vector<row_version>& sources) {
        for (std::size_t begin = 0; begin < sources.size(); begin += most_at_once) {
            auto const end = std::min(begin + most_at_once, sources.size());
            std::vector<request> reads;
            for (auto i = begin; i < end; ++i)
                reads.push_back(read_for_write(table_->name, partition_key_, sources[i].row_key));
            auto answers = co_await ask_all(reads);
            for (auto i = begin; i < end; ++i) {
                auto& answer = answers[i - begin];
                sources[i].etag = answer.etag;
                if (auto r = type.take_source(i, sources[i].row_key, answer); !r) co_return r;
            }
        }
        co_return result<void>{};
    }

    /// Writes the stale rows of a page. False if the page has to be read again.
    task<result<bool>> refresh(checked_page& page) {
        auto& stale = page.found.stale;
        while (page.written < stale.size()) {
            auto const group = make_group(page);
            auto const etags = co_await commit(group.core);
            if (etags || etags.error().outcome() == outcome::applied) {
                changed_something_ = true;
                for (; page.written < group.end; ++page.written)
                    report_.stale.push_back({partition_key_, stale[page.written].version.row_key});
                if (!etags || !take_versions(group, *etags, page)) co_return false;
                continue;
            }
            auto const until = next_time(etags.error());
            if (!until) co_return failure{until.error()};
            co_await pause_until(*until);
            began_ = env_.now();
            co_return false;
        }
        co_return true;
    }

    /// As many stale rows as fit into a group with a check of each of their sources.
    refresh_group make_group(checked_page const& page) const {
        auto const& stale = page.found.stale;
        refresh_group group{std::make_shared<transaction_core>(table_, env_.clock())};
        auto const most = table_->store->capabilities().transaction_operations;
        std::vector<std::size_t> checked;
        for (group.end = page.written; group.end < stale.size(); ++group.end) {
            auto const& s = stale[group.end];
            auto const is_new = [&](std::size_t i) {
                return !page.sources[i].etag.empty() && std::find(checked.begin(), checked.end(), i) == checked.end();
            };
            auto const more = 1 + static_cast<std::size_t>(std::count_if(s.sources.begin(), s.sources.end(), is_new));
            bool const has_room =
                group.rows.size() + checked.size() + more <= most && group.core->has_room(s.edit.body.size());
            if (group.end > page.written && !has_room) break;
            std::copy_if(s.sources.begin(), s.sources.end(), std::back_inserter(checked), is_new);
            group.rows.push_back(s.version.row_key);
            auto edit = s.edit;
            group.core->add(write_of(std::move(edit), s.version, partition_key_), true, {});
        }
        // A source that is written itself, since it holds copies too, is checked by that.
        std::set<std::string> const written{group.rows.begin(), group.rows.end()};
        for (auto const i : checked) {
            auto const& source = page.sources[i];
            if (written.contains(source.row_key)) continue;
            group.rows.push_back(source.row_key);
            group.core->add(check_version(partition_key_, source), true, {});
        }
        return group;
    }

    /// The next groups of the page go on from the versions that this one made. False if they are not known.
    static bool take_versions(refresh_group const& group, std::vector<etag> const& written, checked_page& page) {
        for (std::size_t k = 0; k < group.rows.size(); ++k) {
            if (written[k].empty()) return false;
            auto const renew = [&](row_version& v) {
                if (v.row_key == group.rows[k]) v.etag = written[k];
            };
            for (auto& source : page.sources) renew(source);
            for (auto s = page.written; s < page.found.stale.size(); ++s) renew(page.found.stale[s].version);
        }
        return true;
    }

    /// The time to read the page again. After a lost response the rows themselves tell, like after a conflict.
    result<time_point> next_time(error const& met) {
        bool const is_lost = met.outcome() == outcome::in_doubt;
        changed_something_ = changed_something_ || is_lost;
        if (!is_lost && !is_conflict(met) && met.code() != service_errc::resource_not_found) return failure{met};
        return next_try({}, ++tries_, env_.now() - began_, met, env_, call_again_remedy);
    }

    void add_to_report(copies_report& of_page) {
        report_.checked += of_page.checked;
        append(report_.without_source, of_page.without_source);
        append(report_.unreadable, of_page.unreadable);
    }

    std::shared_ptr<table_state const> const& table_;
    std::string const& partition_key_;
    bool repairs_;
    environment const& env_;
    int tries_ = 0;  ///< at the page
    time_point began_{};
    copies_report report_{};
    bool changed_something_ = false;  ///< or may have
};

}  // namespace

task<result<copies_report>> check_copies(std::shared_ptr<table_state const> table, result<std::string> partition_key,
                                         std::vector<std::unique_ptr<copies_checker>> checkers, bool repairs) {
    if (!partition_key) co_return failure{std::move(partition_key).error()};
    auto const call = co_await this_call();
    copies_check check{table, *partition_key, repairs, call.env};
    auto report = co_await check.run(checkers);
    co_return report;
}

}  // namespace tablemap::detail
