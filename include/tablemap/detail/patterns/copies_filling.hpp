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

/// The common part of the editors of writes that keep copies: it fills the copies in the row, and in the rows that hold
/// copies of it.
namespace tablemap::inline v0_1::detail {

/// The treatment of rows that hold copies of the row.
enum class holders { refreshed, cleared, counted };

template <class T, class... Types> class copies_editor_base : public copies_editor {
public:
    /// The table is borrowed.
    copies_editor_base(table_state const& table, T value, entity_key own, holders mode)
        : entity_{std::move(value)}, table_(table), own_(std::move(own)), mode_(mode) {}

    result<void> take_source(std::size_t i, response& answer) final {
        result<void> good;
        each_source([&]<std::size_t K, class Rule>(Rule) {
            if (good && links_[K] == wanted_[i]) good = fill_from<Rule>(answer);
        });
        if (good) sources_.push_back({wanted_[i], answer.etag});
        return good;
    }

    result<std::size_t> take_holders(std::size_t i, response& page, environment const& env) final {
        return takers_[i](*this, page, env);
    }

protected:
    copies_reads begin_try() {
        for (auto& l : links_) l.reset();
        wanted_.clear();
        sources_.clear();
        takers_.clear();
        found_.clear();
        return {};
    }

    /// Asks for the sources of the row's copies, those that `is_needed` says; clears the copies that have none.
    template <class IsNeeded> result<void> want_sources(copies_reads& reads, IsNeeded const& is_needed) {
        result<void> good;
        each_source([&]<std::size_t K, class Rule>(Rule) {
            if (!good || !is_needed(Rule{})) return;
            auto key = Rule::source_row_key(entity_.value);
            if (!key) {
                good = failure{std::move(key).error()};
                return;
            }
            if (!*key) return Rule::clear(entity_.value);
            links_[K] = **key;
            constexpr bool may_be_own = std::is_same_v<typename Rule::source, T>;
            if (may_be_own && **key == own_.row_key) return;
            if (std::find(wanted_.begin(), wanted_.end(), **key) != wanted_.end()) return;
            wanted_.push_back(**key);
        });
        reads.sources = wanted_;
        return good;
    }

    /// Asks for the rows that may hold copies of the row, by the declarations that `is_needed` says.
    template <class IsNeeded> result<void> want_holders(copies_reads& reads, IsNeeded const& is_needed) {
        result<void> good;
        each_holder([&]<class Holder, class Rule>(Rule) {
            if (!good || !is_needed(Rule{})) return;
            auto query = Rule::holders_of(entity_.value, cipher());
            if (!query) {
                good = failure{std::move(query).error()};
                return;
            }
            reads.holders.push_back(std::move(*query));
            takers_.push_back([](copies_editor_base& self, response& page, environment const& env) {
                return self.template take_page<Holder>(page, env, Rule::link_name());
            });
        });
        return good;
    }

    /// True if the row is its own source and was changed.
    template <class Rule> bool is_own_changed_source(T const& old) const {
        if constexpr (std::is_same_v<typename Rule::source, T>) {
            auto const key = Rule::source_row_key(entity_.value);
            return key && *key == own_.row_key && Rule::originals_differ(old, entity_.value);
        } else {
            return false;
        }
    }

    /// Fills the copies of a row that is its own source.
    void fill_from_itself() {
        each_source([&]<std::size_t K, class Rule>(Rule) {
            if constexpr (std::is_same_v<typename Rule::source, T>)
                if (links_[K] == own_.row_key) {
                    auto const source = entity_.value;
                    Rule::fill(entity_.value, source);
                }
        });
    }

    /// The writes of the other rows.
    result<copies_writes> compose_others() {
        copies_writes w;
        for (auto& [row_key, h] : found_)
            if (h.edit) w.others.push_back(write_of(std::move(*h.edit), {row_key, h.etag}, own_.partition_key));
        for (auto& s : sources_) {
            auto const h = found_.find(s.row_key);
            bool const is_written = h != found_.end() && h->second.edit;
            if (is_written && h->second.etag != s.etag) return failure{changed_meanwhile()};
            if (!is_written) w.unchanged.push_back(s);
        }
        return w;
    }

    std::size_t count_holders() const noexcept { return found_.size(); }
    property_cipher const* cipher() const noexcept { return table_.cipher.get(); }
    write_encoder<T> encoder(environment const& env) const { return {table_.operation_ids, env.clock(), cipher()}; }
    table_state const& table() const noexcept { return table_; }
    entity_key const& own() const noexcept { return own_; }

    entity<T> entity_{};

private:
    /// A row that holds copies of the row.
    struct holder {
        tablemap::etag etag{};
        std::optional<edited_entity> edit{};
    };
    using taker = result<std::size_t> (*)(copies_editor_base&, response&, environment const&);

    template <class Holder, class F> static void each_rule(F const& f) {
        [&]<class... D, std::size_t... K>(type_list<D...>, std::index_sequence<K...>) {
            (..., f.template operator()<K>(copies_rule<Holder, D>{}));
        }(copy_declarations<Holder>{}, std::make_index_sequence<copy_declarations<Holder>::size>{});
    }

    /// The declarations by which the row holds copies.
    template <class F> static void each_source(F const& f) { each_rule<T>(f); }

    /// The declarations by which rows of `Holder` hold copies of rows of T.
    template <class Holder, class F> static void each_rule_from_here(F const& f) {
        each_rule<Holder>([&]<std::size_t K, class Rule>(Rule rule) {
            if constexpr (std::is_same_v<typename Rule::source, T>) f.template operator()<Holder>(rule);
        });
    }
    template <class F> static void each_holder(F const& f) { (..., each_rule_from_here<Types>(f)); }

    template <class Rule> result<void> fill_from(response& answer) {
        if (!answer.ok()) {
            if (answer.failure->code() != service_errc::resource_not_found) return failure{*answer.failure};
            return fail(service_errc::resource_not_found,
                        {.reason = "the row that this member links to is not there, so nothing can be copied from it; "
                                   "insert it first, or link to another",
                         .member = std::string{Rule::link_name()}});
        }
        entity<typename Rule::source> source;
        if (auto r = decode_into(answer.body, source, cipher()); !r)
            return failure{of_source(r.error(), Rule::link_name())};
        if (answer.etag.empty()) answer.etag = source.etag;
        Rule::fill(entity_.value, source.value);
        return {};
    }

    template <class Holder>
    result<std::size_t> take_page(response& page, environment const& env, std::string_view link) {
        std::vector<entity<Holder>> rows;
        std::vector<bad_row_at> bad;
        if (auto r = decode_page(page.body, rows, bad, false, cipher()); !r) return failure{r.error()};
        if (!bad.empty()) return failure{of_holder(bad.front().row.error, link)};
        rows_in_page whole{page.body};
        for (auto& row : rows)
            if (auto r = take_row(row, whole, env); !r) return failure{of_holder(r.error(), link)};
        return rows.size();
    }

    /// A row that links here by several declarations is found by the query of each.
    template <class Holder> result<void> take_row(entity<Holder>& row, rows_in_page& page, environment const& env) {
        encoded_state before, after;
        auto r = encode_state(row.value, before, faulty_properties::left_blank, cipher());
        if (!r) return r;
        auto const& row_key = before.entity.row_key;
        if (row_key == own_.row_key || found_.contains(row_key)) return {};
        bool links = false;
        each_rule_from_here<Holder>([&]<class, class Rule>(Rule) {
            auto const key = r ? Rule::source_row_key(row.value) : result<std::optional<std::string>>{};
            if (!key) r = failure{key.error()};
            if (!key || *key != own_.row_key) return;
            links = true;
            change<Rule>(row.value);
        });
        if (!r || !links) return r;
        auto& h = found_[row_key];
        h.etag = std::move(row.etag);
        if (mode_ == holders::counted) return {};
        if (table_.operation_ids) after.entity.operation_id = random_guid(env.clock());
        r = encode_state(row.value, after, faulty_properties::refused, cipher());
        if (!r) return r;
        auto edit = compose_in_page(page, row.outdated, row_types_of<Holder>(), before, after, cipher());
        if (!edit) return failure{std::move(edit).error()};
        h.edit = std::move(*edit);
        return {};
    }

    template <class Rule, class Holder> void change(Holder& value) const {
        if (mode_ == holders::refreshed) return Rule::fill(value, entity_.value);
        if constexpr (Rule::can_unlink)
            if (mode_ == holders::cleared) {
                Rule::clear(value);
                Rule::unlink(value);
            }
    }

    table_state const& table_;
    entity_key own_;
    holders mode_;
    std::array<std::optional<std::string>, copy_declarations<T>::size>
        links_{};  ///< row keys of sources that are needed
    std::vector<std::string> wanted_{};
    std::vector<row_version> sources_{};
    std::vector<taker> takers_{};
    std::map<std::string, holder> found_{};
};

}  // namespace tablemap::detail
