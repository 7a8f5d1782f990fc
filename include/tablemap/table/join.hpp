// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/read/find_many.hpp"
#include "tablemap/detail/read/read_rows.hpp"
#include "tablemap/detail/store/task_run.hpp"
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
inline constexpr std::size_t join_group_size = 100;

/// The entities and pairs that a join has read. Shared with a call that is under way.
template <class T, class U, class KeyOf> class join_state final : public row_taker {
public:
    join_state(std::shared_ptr<query_state> left, table<U> right, KeyOf key_of_right, std::size_t at_once)
        : left_(std::move(left)), right_(std::move(right)), key_of_right_(std::move(key_of_right)), at_once_(at_once) {}

    query_state const& left() const noexcept { return *left_; }

    /// The pair that comes next. There must be one.
    joined<T, U>& pair() noexcept { return ready_.front(); }
    bool has_pair() const noexcept { return !ready_.empty(); }
    void drop_pair() { ready_.pop_front(); }

    std::optional<joined<T, U>> take_pair() {
        if (ready_.empty()) return std::nullopt;
        std::optional<joined<T, U>> taken{std::move(ready_.front())};
        ready_.pop_front();
        return taken;
    }

    void begin_again() {
        if (begun_ && !failed_) {
            left_ = left_->again();
            group_.clear();
            ready_.clear();
        }
    }

    /// Reads on until there is a pair, or the end: pages of the one table, then the entities of the other that belong
    /// to a group of its entities. Yields whether there is a pair.
    task<result<bool>> read_on() {
        begun_ = failed_ = true;
        if (ready_.empty()) {
            if (auto r = check_stores(); !r) co_return failure{std::move(r).error()};
            if (group_.empty()) {  // else the last run failed, and the same entities are joined again
                auto const read = co_await read_rows(*left_, *this);
                if (!read) co_return failure{read.error()};
            }
            auto const done = co_await join_group();
            if (!done) co_return failure{done.error().in("join", right_.name())};
        }
        failed_ = false;
        co_return !ready_.empty();
    }

private:
    /// The entities of a group that belong to one each, and the keys of those.
    struct partner_keys {
        std::vector<bool> wanted{};
        std::vector<entity_key> keys{};
    };

    result<void> check_stores() const {
        if (left_->shared_store() == table_internals::state(right_).store) return {};
        return fail(library_errc::unsupported, {.reason = "both tables of a join must be in one store"});
    }

    /// Takes the entities at hand into a group; a page is fetched only for the first.
    result<bool> take(query_state& from) override {
        auto enough = take_entities(from, group_, join_group_size);
        if (enough && !*enough) enough = !group_.empty();
        return enough;
    }

    task<result<void>> join_group() {
        auto partners = keys_of_group();
        if (!partners) co_return failure{std::move(partners).error()};
        auto const places = make_unique_keys(partners->keys);
        auto const answers = co_await read_points(right_.name(), partners->keys, at_once_);
        if (!answers) co_return failure{answers.error()};
        co_return pair_up(partners->wanted, places, *answers);
    }

    result<partner_keys> keys_of_group() const {
        partner_keys found;
        for (auto const& e : group_) {
            std::optional<key_of<U>> const key = key_of_right_(e);
            found.wanted.push_back(key.has_value());
            if (!key) continue;
            auto& k = found.keys.emplace_back();
            if (auto r = encode_keys(*key, k.partition_key, k.row_key); !r) return failure{std::move(r).error()};
        }
        return found;
    }

    result<void> pair_up(std::vector<bool> const& wanted, std::vector<std::size_t> const& places,
                         std::vector<response> const& answers) {
        std::vector<std::optional<entity<U>>> found(group_.size());
        for (std::size_t i = 0, key = 0; i < found.size(); ++i) {
            if (!wanted[i]) continue;
            auto const& answer = answers[places[key++]];
            if (!answer.ok()) continue;
            auto body = answer.body;  // a copy: several may belong to one
            if (auto r = decode_into(body, found[i].emplace(), table_internals::state(right_).cipher.get()); !r) {
                group_.erase(group_.begin() + static_cast<std::ptrdiff_t>(i));  // the next run goes on without it
                return r;
            }
        }
        for (std::size_t i = 0; i < found.size(); ++i) ready_.push_back({std::move(group_[i]), std::move(found[i])});
        group_.clear();
        return {};
    }

    std::shared_ptr<query_state> left_;
    table<U> right_;
    KeyOf key_of_right_;
    std::size_t at_once_;
    std::vector<entity<T>> group_{};  ///< read, and not joined yet
    std::deque<joined<T, U>> ready_{};
    bool begun_ = false;
    bool failed_ = false;  ///< the next loop goes on
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
        joined<T, U>& operator*() const { return state_->pair(); }
        joined<T, U>* operator->() const { return &state_->pair(); }
        iterator& operator++() {
            state_->drop_pair();
            value_or_throw(read_on(*state_));
            return *this;
        }
        void operator++(int) { ++*this; }
        friend bool operator==(iterator const& i, std::default_sentinel_t) {
            return !i.state_ || !i.state_->has_pair();
        }

    private:
        friend joined_range;
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
        value_or_throw(read_on(*state_));
        return iterator{state_};
    }
    std::default_sentinel_t end() const noexcept { return {}; }

    /// Reads the next pair.
    ///
    /// \return the pair, nothing at the end, or an error as `begin` throws it
    result<std::optional<joined<T, U>>> try_next() {
        if (auto const more = read_on(*state_); !more) return failure{more.error()};
        return state_->take_pair();
    }

private:
    template <class, class, class> friend class async_joined_range;

    static result<bool> read_on(state& s) {
        if (s.has_pair()) return true;
        return detail::run(s.left().store(), detail::plain_call{s.read_on()}, s.left().options());
    }

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
    return joined_range<T, U, KeyOf>{std::make_shared<state>(detail::table_internals::query(range), std::move(right),
                                                             std::move(key_of_right), at_once)};
}

}  // namespace tablemap

template <class T, class U, class KeyOf>
inline constexpr bool std::ranges::enable_view<tablemap::joined_range<T, U, KeyOf>> = true;
