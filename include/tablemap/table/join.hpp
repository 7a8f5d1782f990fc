// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/read/find_many.hpp"
#include "tablemap/read/query_range.hpp"
#include "tablemap/table/table.hpp"

#include <cstddef>
#include <deque>
#include <iterator>
#include <memory>
#include <optional>
#include <ranges>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1 {

/// An entity and the one of another table that belongs to it, if there is one.
template <class T, class U> struct joined {
    entity<T> left{};
    std::optional<entity<U>> right{};
};

namespace detail {

/// The number of entities that are joined at once: a group of point reads.
inline constexpr std::size_t join_group = 100;

/// The entities and pairs that a join has read. Shared with an operation that is under way.
template <class T, class U, class KeyOf> struct join_state {
    std::shared_ptr<query_state> left;
    table<U> right;
    KeyOf key_of_right;
    std::size_t at_once;
    std::vector<entity<T>> group{};  ///< read, and not joined yet
    std::deque<joined<T, U>> ready{};
    bool begun = false;
    bool failed = false;  ///< the next loop goes on

    void begin_again() {
        if (begun && !failed) {
            left = left->again();
            group.clear();
            ready.clear();
        }
    }
};

/// Reads on until there is a pair, or the end: pages of the one table, then the entities of the other that belong to a
/// group of its entities.
template <class T, class U, class KeyOf> class join_operation {
public:
    using value_type = bool;

    explicit join_operation(std::shared_ptr<join_state<T, U, KeyOf>> s) : s_(std::move(s)) {}

    step start(environment const& env) {
        s_->begun = s_->failed = true;
        if (!s_->ready.empty()) return step::done();
        if (s_->left->shared_store() != table_internals::state(s_->right).store)
            return fail_with(
                error{library_errc::unsupported, {.reason = "both tables of a join must be in one store"}});
        if (auto r = s_->left->open(); !r) return fail_with(std::move(r).error());
        return s_->group.empty() ? gather(env) : read_right(env);  // again, if the last run failed
    }

    step resume(environment const& env, std::span<response> answers) {
        if (reads_) {
            auto const next = reads_->resume(env, answers);
            return next.what() == step::kind::done ? pair_up() : next;
        }
        auto const next = s_->left->pages().resume(env, answers);
        return next.what() == step::kind::done ? after_page(env) : next;
    }

    result<bool> take() {
        if (fault_) return failure{std::move(*fault_)};
        s_->failed = false;
        return !s_->ready.empty();
    }

private:
    step gather(environment const& env) {
        auto& left = *s_->left;
        while (s_->group.size() < join_group) {
            auto const there = left.take();
            if (!there) return fail_with(there.error());
            if (!*there) {
                if (!s_->group.empty()) break;
                auto const next = left.pages().start(env);
                return next.what() == step::kind::done ? after_page(env) : next;
            }
            auto* const e = current_of<T>(left);
            if (!e) break;
            s_->group.push_back(std::move(*e));
        }
        return s_->group.empty() ? step::done() : read_right(env);
    }

    step after_page(environment const& env) {
        auto const more = s_->left->pages().take();
        return more ? gather(env) : fail_with(s_->left->explain_error(more.error()));
    }

    step read_right(environment const& env) {
        std::vector<point_reads_operation::key> keys;
        for (auto const& e : s_->group) {
            std::optional<key_of<U>> const key = s_->key_of_right(e);
            wanted_.push_back(key.has_value());
            if (!key) continue;
            auto& k = keys.emplace_back();
            if (auto r = encode_keys(*key, k.partition_key, k.row_key); !r)
                return fail_with(r.error().in("join", s_->right.name()));
        }
        places_ = make_unique_keys(keys);
        reads_.emplace(s_->right.name(), std::move(keys), s_->at_once);
        auto const next = reads_->start(env);
        return next.what() == step::kind::done ? pair_up() : next;
    }

    step pair_up() {
        if (reads_->fault()) return fail_with(reads_->fault()->in("join", s_->right.name()));
        std::vector<std::optional<entity<U>>> found(s_->group.size());
        for (std::size_t i = 0, key = 0; i < found.size(); ++i) {
            if (!wanted_[i]) continue;
            auto const& answer = reads_->answer(places_[key++]);
            if (!answer.ok()) continue;
            auto body = answer.body;  // a copy: several may belong to one
            if (auto r = decode_into(body, found[i].emplace(), table_internals::state(s_->right).cipher.get()); !r) {
                s_->group.erase(s_->group.begin() + static_cast<std::ptrdiff_t>(i));  // the next run goes on without it
                return fail_with(r.error().in("join", s_->right.name()));
            }
        }
        for (std::size_t i = 0; i < found.size(); ++i)
            s_->ready.push_back({std::move(s_->group[i]), std::move(found[i])});
        s_->group.clear();
        return step::done();
    }

    step fail_with(error e) {
        fault_ = std::move(e);
        return step::done();
    }

    std::shared_ptr<join_state<T, U, KeyOf>> s_;
    std::vector<bool> wanted_{};
    std::vector<std::size_t> places_{};
    std::optional<point_reads_operation> reads_{};
    std::optional<error> fault_{};
};

}  // namespace detail

/// The entities of a query, each with the entity of another table that belongs to it: an input range and a view, made
/// by `join`. It is moved, not copied. Every loop begins with the first pair; after an error the next one goes on.
///
/// \par Thread safety
/// One thread at a time.
template <class T, class U, class KeyOf> class joined_range {
    using state = detail::join_state<T, U, KeyOf>;

public:
    using value_type = joined<T, U>;

    class iterator {
    public:
        using value_type = joined<T, U>;
        using difference_type = std::ptrdiff_t;
        using iterator_concept = std::input_iterator_tag;

        iterator() = default;
        joined<T, U>& operator*() const { return state_->ready.front(); }
        joined<T, U>* operator->() const { return &state_->ready.front(); }
        iterator& operator++() {
            state_->ready.pop_front();
            read_on(*this);
            return *this;
        }
        void operator++(int) { ++*this; }
        friend bool operator==(iterator const& i, std::default_sentinel_t) {
            return !i.state_ || i.state_->ready.empty();
        }

    private:
        friend joined_range;
        static void read_on(iterator const& i) {
            detail::join_operation<T, U, KeyOf> op{i.state_};
            value_or_throw(detail::run(i.state_->left->store(), op, i.state_->left->options()));
        }
        explicit iterator(std::shared_ptr<state> s) : state_(std::move(s)) {}
        std::shared_ptr<state> state_{};
    };

    explicit joined_range(std::shared_ptr<state> s) : state_(std::move(s)) {}
    joined_range(joined_range&&) noexcept = default;
    joined_range& operator=(joined_range&&) noexcept = default;

    /// Begins with the first pair, or after an error goes on with the pair that follows the last one.
    ///
    /// \throws error those of the query, and of reading the other table
    iterator begin() {
        state_->begin_again();
        iterator i{state_};
        iterator::read_on(i);
        return i;
    }
    std::default_sentinel_t end() const noexcept { return {}; }

    /// Reads the next pair.
    ///
    /// \return the pair, nothing at the end, or an error as `begin` throws it
    result<std::optional<joined<T, U>>> try_next() {
        detail::join_operation<T, U, KeyOf> op{state_};
        auto const more = detail::run(state_->left->store(), op, state_->left->options());
        if (!more) return failure{more.error()};
        if (!*more) return std::optional<joined<T, U>>{};
        std::optional<joined<T, U>> pair{std::move(state_->ready.front())};
        state_->ready.pop_front();
        return pair;
    }

private:
    template <class, class, class> friend class async_joined_range;

    std::shared_ptr<state> state_;
};

/// Joins in the client: for each entity of a query, reads the entity of another table in the same store whose key
/// `key_of_right` returns, a `key_of<U>` or a `std::optional` of one.
///
///     auto key = [](entity<employee> const& e) { return key_of<department>{e.value.department}; };
///     for (auto& [who, where] : join(employees.query(partition("Sales")), departments, key)) use(who, where);
///
/// After an error of the store the same entities are joined again. An entity whose partner cannot be read is an error
/// once, and passed over after that.
///
/// \par Round trips
/// Those of the query, and one point read for each different key among 100 entities, at most `at_once` of them under
/// way at once.
/// \par Cost
/// Memory for a page and 100 pairs.
template <class T, class U, class KeyOf>
joined_range<T, U, KeyOf> join(query_range<T> range, table<U> right, KeyOf key_of_right, std::size_t at_once = 16) {
    using key = std::remove_cvref_t<std::invoke_result_t<KeyOf const&, entity<T> const&>>;
    static_assert(
        std::is_same_v<key, key_of<U>> || std::is_same_v<key, std::optional<key_of<U>>>,
        "tablemap[Q8]: the function of a join takes the entity of the query and returns the key_of<U> of the other "
        "table, or a std::optional of it");
    using state = detail::join_state<T, U, KeyOf>;
    return joined_range<T, U, KeyOf>{std::make_shared<state>(
        state{detail::table_internals::query(range), std::move(right), std::move(key_of_right), at_once})};
}

}  // namespace tablemap

template <class T, class U, class KeyOf>
inline constexpr bool std::ranges::enable_view<tablemap::joined_range<T, U, KeyOf>> = true;
