// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/patterns/copies_steps.hpp"
#include "tablemap/repository/value_editor.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// The editors of writes that keep copies: they fill the copies in the row, and in the rows that hold copies of it.
namespace tablemap::detail {

/// What becomes of rows that hold copies of the row.
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

    result<void> take_holders(std::size_t i, response& page, environment const& env) final {
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
            if (**key == own_.row_key || std::find(wanted_.begin(), wanted_.end(), **key) != wanted_.end()) return;
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
            auto query = Rule::holders_of(entity_.value);
            if (!query) {
                good = failure{std::move(query).error()};
                return;
            }
            reads.holders.push_back(std::move(*query));
            takers_.push_back([](copies_editor_base& self, response& page, environment const& env) {
                return self.template take_page<Holder>(page, env);
            });
        });
        return good;
    }

    /// True if the row is its own source, and other than it was.
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
    write_encoder<T> encoder(environment const& env) const { return {table_.operation_tokens, env.clock(), cipher()}; }
    table_state const& table() const noexcept { return table_; }
    entity_key const& own() const noexcept { return own_; }

    entity<T> entity_{};

private:
    /// A row that holds copies of the row.
    struct holder {
        tablemap::etag etag{};
        std::optional<edited_entity> edit{};
    };
    using taker = result<void> (*)(copies_editor_base&, response&, environment const&);

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
        if (auto r = decode_into(answer.body, source, cipher()); !r) return r;
        if (answer.etag.empty()) answer.etag = source.etag;
        Rule::fill(entity_.value, source.value);
        return {};
    }

    template <class Holder> result<void> take_page(response& page, environment const& env) {
        std::vector<entity<Holder>> rows;
        std::vector<bad_row_at> bad;
        if (auto r = decode_page(page.body, rows, bad, false, cipher()); !r) return failure{r.error()};
        if (!bad.empty()) return failure{bad.front().row.error};
        for (auto& row : rows)
            if (auto r = take_row(row, page.body, env); !r) return r;
        return {};
    }

    /// A row may link here by several declarations, and then each query of them finds it.
    template <class Holder> result<void> take_row(entity<Holder>& row, std::string& page, environment const& env) {
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
        if (table_.operation_tokens) after.entity.token = random_guid(env.clock());
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

inline constexpr auto always = [](auto const&) { return true; };

template <class T, class... Types> class inserting_editor final : public copies_editor_base<T, Types...> {
public:
    using value_type = entity<T>;

    inserting_editor(table_state const& table, T value, entity_key own)
        : copies_editor_base<T, Types...>(table, std::move(value), std::move(own), holders::refreshed) {}

    result<copies_reads> begin(response*, environment const&) override {
        auto reads = this->begin_try();
        if (auto r = this->want_sources(reads, always); !r) return failure{std::move(r).error()};
        return reads;
    }

    result<copies_writes> compose(environment const& env) override {
        this->fill_from_itself();
        auto w = this->compose_others();
        if (w) w->own = this->encoder(env).whole(write_kind::insert, this->entity_.value, {});
        return w;
    }

    result<value_type> finish(etag&& stored, bool) {
        this->entity_.etag = std::move(stored);
        return std::move(this->entity_);
    }
};

/// The entity is borrowed; it gets its copies and its etag.
template <class T, class... Types> class replacing_editor final : public copies_editor_base<T, Types...> {
public:
    using value_type = void;

    replacing_editor(table_state const& table, entity<T>& e, entity_key own)
        : copies_editor_base<T, Types...>(table, e.value, std::move(own), holders::refreshed), target_(&e) {}

    result<copies_reads> begin(response*, environment const&) override {
        if (target_->etag.empty()) return failure{no_etag()};
        auto reads = this->begin_try();
        auto r = this->want_sources(reads, always);
        if (r) r = this->want_holders(reads, always);
        if (!r) return failure{std::move(r).error()};
        return reads;
    }

    result<copies_writes> compose(environment const& env) override {
        this->fill_from_itself();
        this->entity_.etag = target_->etag;
        auto w = this->compose_others();
        if (w) w->own = this->encoder(env).replace(this->entity_);
        return w;
    }

    result<void> finish(etag&& stored, bool) {
        target_->value = std::move(this->entity_.value);
        target_->etag = std::move(stored);
        target_->outdated = false;
        return {};
    }

    static error no_etag() {
        return error{library_errc::missing_etag,
                     {.reason = "only an entity that was read can be written under its version; find it first"}};
    }

private:
    entity<T>* target_;
};

template <class T, class Function, class... Types>
class modifying_editor final : public copies_editor_base<T, Types...> {
    static_assert(check_change<T, Function>());

public:
    using value_type = entity<T>;

    modifying_editor(table_state const& table, Function f, entity_key own)
        : copies_editor_base<T, Types...>(table, T{}, std::move(own), holders::refreshed), function_(std::move(f)) {}

    result<copies_reads> begin(response* own, environment const&) override {
        auto reads = this->begin_try();
        auto& e = this->entity_;
        body_ = std::move(own->body);
        e = {};
        if (auto r = decode_into(body_, e, this->cipher()); !r) return failure{std::move(r).error()};
        if (e.etag.empty()) e.etag = std::move(own->etag);
        before_ = {};
        auto r = encode_state(e.value, before_, faulty_properties::left_blank, this->cipher());
        if (!r) return failure{std::move(r).error()};
        auto const old = e.value;
        std::invoke(function_, e.value);
        entity_key now;
        r = encode_keys(e.value, now.partition_key, now.row_key);
        if (r && now == this->own()) {
            r = this->want_sources(reads, [&]<class Rule>(Rule) {
                return Rule::links_differ(old, e.value) || Rule::copies_differ(old, e.value) ||
                       this->template is_own_changed_source<Rule>(old);
            });
            if (r)
                r = this->want_holders(reads, [&]<class Rule>(Rule) { return Rule::originals_differ(old, e.value); });
        }
        if (!r) return failure{std::move(r).error()};
        return reads;
    }

    result<copies_writes> compose(environment const& env) override {
        auto& e = this->entity_;
        this->fill_from_itself();
        encoded_state after;
        if (this->table().operation_tokens) after.entity.token = random_guid(env.clock());
        auto r = encode_state(e.value, after, faulty_properties::refused, this->cipher());
        if (!r) return failure{std::move(r).error()};
        auto edit = compose_edit(body_, e.outdated, row_types_of<T>(), before_, after, this->cipher());
        if (!edit) return failure{std::move(edit).error()};
        auto w = this->compose_others();
        row_version const version{this->own().row_key, e.etag};
        if (w && *edit) w->own = write_of(std::move(**edit), version, this->own().partition_key);
        if (w && !*edit && !w->others.empty()) w->unchanged.push_back(version);
        writes_own_ = edit->has_value();
        return w;
    }

    result<value_type> finish(etag&& stored, bool written) {
        if (!written || !writes_own_) return std::move(this->entity_);
        return entity<T>{std::move(this->entity_.value), std::move(stored)};
    }

private:
    Function function_;
    std::string body_{};
    encoded_state before_{};
    bool writes_own_ = false;
};

/// Erases the row, or leaves it if there are rows that hold copies of it and these are not to be cleared. Counts those.
template <class T, class... Types> class erasing_editor final : public copies_editor_base<T, Types...> {
public:
    using value_type = std::size_t;

    erasing_editor(table_state const& table, entity<T> const& e, entity_key own, holders mode)
        : copies_editor_base<T, Types...>(table, e.value, std::move(own), mode), etag_(e.etag.text()), mode_(mode) {}

    result<copies_reads> begin(response*, environment const&) override {
        if (etag_.empty()) return failure{replacing_editor<T, Types...>::no_etag()};
        auto reads = this->begin_try();
        if (auto r = this->want_holders(reads, always); !r) return failure{std::move(r).error()};
        return reads;
    }

    result<copies_writes> compose(environment const&) override {
        if (mode_ == holders::counted && this->count_holders() > 0) return copies_writes{};
        auto w = this->compose_others();
        if (!w) return w;
        auto& erase = w->own.emplace(encoded_write{.kind = write_kind::erase, .if_match = etag_});
        erase.entity.partition_key = this->own().partition_key;
        erase.entity.row_key = this->own().row_key;
        return w;
    }

    result<std::size_t> finish(etag&&, bool) { return this->count_holders(); }

private:
    std::string etag_;
    holders mode_;
};

/// An editor and its requests.
template <class Editor> class copies_call {
public:
    using value_type = typename Editor::value_type;

    copies_call(std::shared_ptr<table_state const> table, entity_key const& own, own_row how, modify_options const& o,
                Editor edit)
        : op_(std::move(table), own, how, o), edit_(std::move(edit)) {}

    step start(environment const& env) { return op_.start(edit_, env); }
    step resume(environment const& env, std::span<response> answers) { return op_.resume(edit_, env, answers); }

    result<value_type> take() {
        if (op_.fault()) return failure{std::move(*op_.fault())};
        return edit_.finish(std::move(op_.stored()), op_.written());
    }

private:
    copies_operation op_;
    Editor edit_;
};

}  // namespace tablemap::detail
