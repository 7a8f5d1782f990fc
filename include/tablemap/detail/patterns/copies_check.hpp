// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/patterns/copies_write.hpp"
#include "tablemap/detail/write/value_editor.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1 {

/// A row whose source is not there.
struct row_without_source {
    entity_key row{};
    std::string member{};  ///< that links to it
};

/// The findings of `verify_copies` and `refresh_copies` in a partition.
struct copies_report {
    std::size_t checked = 0;  ///< rows that hold copies
    /// Rows whose copies differed; `refresh_copies` has refreshed them. If the response to a refresh was lost, rows
    /// that it did refresh are missing here: read again, they are not stale.
    std::vector<entity_key> stale{};
    std::vector<row_without_source> without_source{};  ///< their copies were left as they are
    std::vector<bad_row> unreadable{};  ///< rows that cannot be read, and were passed over; sources among them

    /// True if every copy was read and equals its source.
    bool clean() const noexcept { return stale.empty() && without_source.empty() && unreadable.empty(); }
};

namespace detail {

/// A row of a page whose copies differ from their sources.
struct stale_row {
    row_version version{};
    edited_entity edit{};
    std::vector<std::size_t> sources{};
};

/// The findings in one page.
struct copies_findings {
    copies_report report{};  ///< without the stale rows
    std::vector<stale_row> stale{};
};

/// The typed part of checking the copies in rows of one type.
class copies_checker {
public:
    virtual ~copies_checker() = default;

    /// All rows of the type in the partition.
    virtual result<copies_query> rows() const = 0;

    /// A page of them. Returns the row keys of their sources.
    virtual result<std::vector<std::string>> take_page(response& page) = 0;

    virtual result<void> take_source(std::size_t i, std::string const& row_key, response& answer) = 0;
    virtual result<copies_findings> compare(environment const& env) = 0;
};

template <class T> class copies_checker_of final : public copies_checker {
public:
    /// The table is borrowed.
    copies_checker_of(table_state const& table, std::string partition_key)
        : table_(table), partition_key_(std::move(partition_key)) {}

    result<copies_query> rows() const override {
        copies_query q;
        q.where = type_filter_of<T>();
        if (auto r = encode_rows<T>(q.keys, leading()); !r) return failure{std::move(r).error()};
        return q;
    }

    result<std::vector<std::string>> take_page(response& page) override {
        rows_.clear();
        findings_ = {};
        std::vector<entity<T>> read;
        std::vector<bad_row_at> bad;
        if (auto r = decode_page(page.body, read, bad, false, cipher()); !r) return failure{r.error()};
        for (auto& b : bad) findings_.report.unreadable.push_back(std::move(b.row));
        std::map<std::string, std::size_t> numbers;
        for (auto& e : read) {
            auto& r = rows_.emplace_back();
            r.e = std::move(e);
            auto const good = link(r, numbers);
            if (good) continue;
            findings_.report.unreadable.push_back({partition_key_, r.before.entity.row_key, good.error()});
            rows_.pop_back();
        }
        findings_.report.checked = rows_.size();
        body_ = std::move(page.body);
        std::vector<std::string> wanted(numbers.size());
        for (auto& [key, number] : numbers) wanted[number] = key;
        each_rule([&]<std::size_t, class Rule>(Rule) { clear_unlinked<Rule>(); });
        return wanted;
    }

    result<void> take_source(std::size_t i, std::string const& row_key, response& answer) override {
        bool const absent = !answer.ok() && answer.failure->code() == service_errc::resource_not_found;
        if (!answer.ok() && !absent) return failure{*answer.failure};
        each_rule([&]<std::size_t K, class Rule>(Rule) {
            bool const wanted = std::any_of(rows_.begin(), rows_.end(), [&](auto& r) { return r.sources[K] == i; });
            if (!wanted) return;
            entity<typename Rule::source> source;
            auto const readable = absent ? result<void>{} : decode_into(answer.body, source, cipher());
            if (!readable) findings_.report.unreadable.push_back({partition_key_, row_key, readable.error()});
            for (auto& r : rows_) {
                if (r.sources[K] != i) continue;
                if (absent)
                    findings_.report.without_source.push_back(
                        {{partition_key_, r.before.entity.row_key}, std::string{Rule::link_name()}});
                else if (readable)
                    Rule::fill(r.e.value, source.value);
            }
        });
        return {};
    }

    result<copies_findings> compare(environment const& env) override {
        rows_in_page page{body_};
        for (auto& r : rows_) {
            encoded_state after;
            if (table_.operation_ids) after.entity.operation_id = random_guid(env.clock());
            auto const good = encode_state(r.e.value, after, faulty_properties::refused, cipher());
            if (!good) {
                findings_.report.unreadable.push_back({partition_key_, r.before.entity.row_key, good.error()});
                continue;
            }
            auto edit = compose_in_page(page, r.e.outdated, row_types_of<T>(), r.before, after, cipher());
            if (!edit) return failure{std::move(edit).error()};
            if (!*edit) continue;
            auto& s = findings_.stale.emplace_back();
            s.version = {r.before.entity.row_key, std::move(r.e.etag)};
            s.edit = std::move(**edit);
            for (auto const& source : r.sources)
                if (source && std::find(s.sources.begin(), s.sources.end(), *source) == s.sources.end())
                    s.sources.push_back(*source);
        }
        return std::move(findings_);
    }

private:
    struct row {
        entity<T> e{};
        encoded_state before{};
        std::array<std::optional<std::size_t>, copy_declarations<T>::size> sources{};
    };

    template <class F> static void each_rule(F const& f) {
        [&]<class... D, std::size_t... K>(type_list<D...>, std::index_sequence<K...>) {
            (..., f.template operator()<K>(copies_rule<T, D>{}));
        }(copy_declarations<T>{}, std::make_index_sequence<copy_declarations<T>::size>{});
    }

    /// Numbers the sources of a row.
    result<void> link(row& r, std::map<std::string, std::size_t>& numbers) const {
        auto good = encode_state(r.e.value, r.before, faulty_properties::left_blank, cipher());
        each_rule([&]<std::size_t K, class Rule>(Rule) {
            if (!good) return;
            auto const key = Rule::source_row_key(r.e.value);
            if (!key)
                good = failure{key.error()};
            else if (*key)
                r.sources[K] = numbers.try_emplace(**key, numbers.size()).first->second;
        });
        return good;
    }

    template <class Rule> void clear_unlinked() {
        for (auto& r : rows_) {
            auto const key = Rule::source_row_key(r.e.value);
            if (key && !*key) Rule::clear(r.e.value);
        }
    }

    property_cipher const* cipher() const noexcept { return table_.cipher.get(); }

    table_state const& table_;
    std::string partition_key_;
    std::string body_{};
    std::vector<row> rows_{};
    copies_findings findings_{};
};

/// Compares all copies in a partition with their sources, page by page, and on request repairs those that differ: in
/// groups, each under the versions that were read. A page that meets a conflict is read again. Holds one page of rows
/// and their sources in memory. An error in place of the partition is the result.
task<result<copies_report>> check_copies(std::shared_ptr<table_state const> table, result<std::string> partition_key,
                                         std::vector<std::unique_ptr<copies_checker>> checkers, bool repairs);

}  // namespace detail
}  // namespace tablemap
