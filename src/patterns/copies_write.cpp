// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/patterns/copies_write.hpp"

#include "store/ask.hpp"
#include "store/refusals.hpp"
#include "tablemap/detail/store/page_progress.hpp"
#include "tablemap/detail/wire/reader.hpp"
#include "tablemap/detail/wire/writer.hpp"
#include "tablemap/detail/write/commit.hpp"
#include "tablemap/detail/write/value_editor.hpp"
#include "tablemap/mapping/dynamic.hpp"

#include <algorithm>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

/// Advice on writing in several groups.
constexpr std::string_view remedy_of(copies_writes const& what) {
    return what.unlinks ? "; let modify link those rows elsewhere or nowhere, each by itself, and then call "
                          "erase_unless_copied()"
                        : "; write it through a tablemap::table and then call refresh_copies(), which works in several "
                          "groups and not at once";
}

std::optional<error> find_copies_excess(capabilities const& can, copies_writes const& what) {
    auto const count = what.others.size() + what.unchanged.size() + (what.own ? 1 : 0);
    if (count > can.transaction_operations)
        return error{service_errc::invalid_input,
                     {.reason = std::to_string(count) + " rows would have to be written together, " +
                                std::to_string(what.others.size()) +
                                " of them for the copies in them, and a group transaction has at most " +
                                std::to_string(can.transaction_operations) + std::string{remedy_of(what)}}};
    std::size_t bytes = what.own ? what.own->entity.body.size() : 0;
    for (auto const& w : what.others) bytes += w.entity.body.size();
    if (bytes <= can.transaction_bytes) return std::nullopt;
    return error{service_errc::request_body_too_large,
                 {.reason = "the rows that hold copies of this one have " + std::to_string(bytes) +
                            " bytes to be written together, and the store takes at most " +
                            std::to_string(can.transaction_bytes) + std::string{remedy_of(what)}}};
}

error explained(error const& e, std::string_view where) {
    auto details = e.details();
    details.reason.insert(0, where);
    return error{e.code(), std::move(details)};
}

/// A query of rows that hold copies, which is read page by page.
struct holder_pages {
    std::size_t number;
    std::optional<continuation> next{};
    page_progress progress{};
};

/// One run of `write_with_copies`.
class copies_writing {
public:
    copies_writing(std::shared_ptr<table_state const> const& table, entity_key const& own, own_row how,
                   copies_editor& edit, environment const& env)
        : table_(table), own_(own), how_(how), edit_(edit), env_(env) {}

    task<result<std::optional<etag>>> run(modify_options options) {
        for (int tries = 1;; ++tries) {
            auto const began = env_.now();
            auto const gathered = co_await gather();
            if (!gathered) co_return failure{gathered.error()};
            auto stored = co_await write();
            if (stored || !may_be_repeated(stored.error())) co_return stored;
            auto const until = next_try(options, tries, env_.now() - began, stored.error(), env_, remedy());
            if (!until) co_return failure{until.error()};
            co_await pause_until(*until);
        }
    }

private:
    /// Reads all that the write depends on.
    task<result<void>> gather() {
        response own;
        bool const is_read = how_ == own_row::read;
        if (is_read) {
            auto const what = read_for_write(table_->name, own_.partition_key, own_.row_key);
            own = co_await ask(what);
            if (!own.ok()) co_return failure{*std::move(own.failure)};
        }
        auto const wanted = edit_.begin(is_read ? &own : nullptr, env_);
        if (!wanted) co_return failure{wanted.error()};
        auto read = co_await read_others(*wanted);
        co_return read;
    }

    /// Reads the sources, and of each query of holders a page at a time, all beside each other.
    task<result<void>> read_others(copies_reads const& wanted) {
        std::vector<request> reads;
        for (auto const& key : wanted.sources) reads.push_back(read_for_write(table_->name, own_.partition_key, key));
        std::vector<holder_pages> open;
        for (std::size_t i = 0; i < wanted.holders.size(); ++i) open.push_back({i});
        add_pages(open, wanted, reads);
        auto answers = co_await ask_all(reads);
        std::span<response> pages{answers};
        for (std::size_t i = 0; i < wanted.sources.size(); ++i)
            if (auto r = edit_.take_source(i, pages[i]); !r) co_return r;
        pages = pages.subspan(wanted.sources.size());
        for (;;) {
            if (auto r = take_pages(open, pages); !r) co_return r;
            if (open.empty()) co_return result<void>{};
            reads.clear();
            add_pages(open, wanted, reads);
            answers = co_await ask_all(reads);
            pages = answers;
        }
    }

    void add_pages(std::vector<holder_pages> const& open, copies_reads const& wanted, std::vector<request>& to) const {
        for (auto const& p : open)
            to.emplace_back(query_for_write(table_->name, own_.partition_key, wanted.holders[p.number], p.next));
    }

    /// Leaves the queries that have more pages.
    result<void> take_pages(std::vector<holder_pages>& open, std::span<response> pages) {
        std::vector<holder_pages> more;
        for (std::size_t i = 0; i < open.size(); ++i) {
            auto& p = open[i];
            auto& page = pages[i];
            if (!page.ok()) return failure{*std::move(page.failure)};
            auto const rows = edit_.take_holders(p.number, page, env_);
            if (!rows) return failure{rows.error()};
            if (auto stuck = p.progress.stuck_at(page.next, *rows == 0, env_.options()))
                return failure{*std::move(stuck)};
            p.next = std::move(page.next);
            if (p.next) more.push_back(std::move(p));
        }
        open = std::move(more);
        return {};
    }

    task<result<std::optional<etag>>> write() {
        auto what = edit_.compose(env_);
        if (!what) co_return failure{std::move(what).error()};
        bool const writes_own = what->own.has_value();
        if (!writes_own && what->others.empty()) co_return std::nullopt;
        if (writes_own && what->own->fault) co_return failure{*what->own->fault};
        if (auto const excess = find_copies_excess(table_->store->capabilities(), *what)) co_return failure{*excess};
        auto etags = co_await send(*what);
        if (!etags) co_return failure{std::move(etags).error()};
        if (!writes_own) co_return std::nullopt;
        co_return etags->empty() ? etag{} : std::move(etags->front());
    }

    task<result<std::vector<etag>>> send(copies_writes& what) {
        if (what.own && what.others.empty() && what.unchanged.empty()) {
            request const single = write_entity{table_->name, what.own->operation()};
            auto answer = co_await ask(single);
            if (answer.failure) co_return failure{*std::move(answer.failure)};
            std::vector<etag> one;
            one.push_back(std::move(answer.etag));
            co_return one;
        }
        auto const group = std::make_shared<transaction_core>(table_, env_.clock());
        if (what.own) group->add(*std::move(what.own), true, {});
        for (auto& w : what.others) group->add(std::move(w), true, {});
        for (auto const& v : what.unchanged) group->add(check_version(own_.partition_key, v), true, {});
        auto etags = co_await commit(group);
        co_return etags;
    }

    /// A row that is gone has another version too.
    bool may_be_repeated(error const& e) const noexcept {
        return is_outdated(e) && (how_ == own_row::read || e.failed_index().value_or(0) > 0);
    }

    std::string_view remedy() const noexcept { return how_ == own_row::read ? more_tries_remedy : call_again_remedy; }

    std::shared_ptr<table_state const> const& table_;
    entity_key const& own_;
    own_row how_;
    copies_editor& edit_;
    environment const& env_;
};

}  // namespace

task<result<std::optional<etag>>> write_with_copies(std::shared_ptr<table_state const> const& table,
                                                    entity_key const& own, own_row how, modify_options options,
                                                    copies_editor& edit) {
    auto const call = co_await this_call();
    copies_writing writing{table, own, how, edit, call.env};
    auto stored = co_await writing.run(options);
    co_return stored;
}

request read_for_write(std::string_view table, std::string_view partition_key, std::string_view row_key) {
    return get_entity{table, partition_key, row_key, {}, true};
}

query_page query_for_write(std::string_view table, std::string_view partition_key, copies_query const& what,
                           std::optional<continuation> const& next) {
    return {.table = table,
            .partition = key_bounds::exactly(partition_key),
            .row = what.keys.row_bounds(),
            .where = what.where ? &*what.where : nullptr,
            .from = next ? &*next : nullptr,
            .current = true};
}

encoded_write check_version(std::string_view partition_key, row_version const& version) {
    encoded_write w{.kind = write_kind::merge, .if_match = version.etag.text()};
    w.entity.partition_key = partition_key;
    w.entity.row_key = version.row_key;
    begin_entity(w.entity.body, w.entity.partition_key, w.entity.row_key);
    w.fault = fault_of(finish_entity(w.entity, 0));
    return w;
}

error changed_meanwhile() {
    return error{service_errc::update_condition_not_satisfied,
                 {.reason = "a row was changed between two reads of it", .failed_index = 1}};
}

result<std::string> rows_in_page::body(std::string const& row_key) {
    if (!rows_) {
        auto read = read_dynamic_page(page_);
        if (!read) return failure{std::move(read).error()};
        rows_.emplace();
        for (auto& row : *read) {
            auto key = row.row_key;
            rows_->emplace(std::move(key), std::move(row));
        }
    }
    auto const found = rows_->find(row_key);
    if (found == rows_->end()) return failure{changed_meanwhile()};
    return body_of(found->second);
}

result<std::optional<edited_entity>> compose_in_page(rows_in_page& page, bool outdated,
                                                     static_list<row_type const*> types, encoded_state const& before,
                                                     encoded_state const& after, property_cipher const* cipher) {
    auto const difference = compare(before, after);
    if (!difference.changed && difference.removed.empty()) return std::nullopt;
    std::string row;
    if (outdated || !difference.removed.empty()) {
        // The whole row is written, with what the type does not know of it.
        auto whole = page.body(before.entity.row_key);
        if (!whole) return failure{std::move(whole).error()};
        row = std::move(*whole);
    }
    edited_entity edit;
    auto const changed = compose_edit(row, outdated, types, before, after, cipher, edit);
    if (!changed) return failure{changed.error()};
    return *changed ? std::optional{std::move(edit)} : std::nullopt;
}

error of_source(error const& e, std::string_view link) {
    return explained(e, "the row that member '" + std::string{link} + "' links to is not good: ");
}

error of_holder(error const& e, std::string_view link) {
    return explained(e, "a row that may hold copies of this one, by its member '" + std::string{link} +
                            "', is not good, and verify_copies() tells which: ");
}

encoded_write write_of(edited_entity&& e, row_version const& version, std::string_view partition_key) {
    encoded_write w{.kind = e.kind, .if_match = version.etag.text()};
    w.entity.partition_key = partition_key;
    w.entity.row_key = version.row_key;
    w.entity.body = std::move(e.body);
    w.entity.operation_id = e.operation_id;
    return w;
}

}  // namespace tablemap::detail
