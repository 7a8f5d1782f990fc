// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/read/query_state.hpp"

#include "store/read_ahead.hpp"
#include "tablemap/detail/query/cursor.hpp"
#include "tablemap/detail/store/task_run.hpp"
#include "tablemap/detail/write/single_request.hpp"
#include "tablemap/edm/names.hpp"
#include "tablemap/filter/odata.hpp"
#include "tablemap/mapping/property_cipher.hpp"
#include "tablemap/query/blind.hpp"

#include <algorithm>

namespace tablemap::inline v0_1 {

bad_row_policy::bad_row_policy(std::function<void(bad_row const&)> report) : report_(std::move(report)) {}

bool bad_row_policy::skips(bad_row const& row) const {
    if (report_) report_(row);
    return static_cast<bool>(report_);
}

bad_row_policy throw_bad_rows() { return {}; }

bad_row_policy skip_bad_rows(std::function<void(bad_row const&)> report) { return bad_row_policy{std::move(report)}; }

}  // namespace tablemap

namespace tablemap::inline v0_1::detail {

query_description::query_description(store_ptr s, std::string table, query_keys keys, call_options o,
                                     row_source const& source)
    : plain_(std::move(s)),
      store_(plain_),
      table_(std::move(table)),
      source_(source),
      keys_(std::move(keys)),
      options_(std::move(o)),
      where_(source.type_filter()),
      order_(keys_.merged_by_row_key && !keys_.partitions.empty() ? row_order::by_row_key : row_order::by_both_keys),
      partial_(source.add_copied != nullptr) {}

query_description::query_description(query_description const& other)
    : std::enable_shared_from_this<query_description>(other),
      plain_(other.plain_),
      store_(plain_),
      table_(other.table_),
      source_(other.source_),
      keys_(other.keys_),
      options_(other.options_),
      where_(other.where_),
      fault_(other.fault_),
      columns_(other.columns_),
      always_(other.always_),
      boundaries_(other.boundaries_),
      limit_(other.limit_),
      page_size_(other.page_size_),
      cursor_(other.cursor_),
      order_(other.order_),
      at_once_(other.at_once_),
      partial_(other.partial_),
      reads_ahead_(other.reads_ahead_),
      policy_(other.policy_) {
    if (!columns_.empty()) borrow_columns();
}

// The store first: it may wait for a page that borrows from the rest.
query_description::~query_description() { store_.reset(); }

void query_description::restrict(error const& fault) { fault_ = fault; }

void query_description::always_select(std::initializer_list<std::string_view> columns) { always_ = columns; }

void query_description::at_once(std::size_t pages) { at_once_ = std::max<std::size_t>(pages, 1); }

void query_description::go_on(std::string cursor) { cursor_ = std::move(cursor); }

void query_description::on_error(bad_row_policy policy) { policy_ = std::move(policy); }

error query_description::explain_error(error const& e) const { return e.in(action(), table_); }

std::string query_description::cursor(std::vector<cursor_range> const& ranges) const {
    return write_cursor(hash(), ranges);
}

bool query_description::is_of(store_ptr const& s, std::string_view table) const noexcept {
    return plain_ == s && table_ == table;
}

void query_description::keys_only() {
    std::vector<std::string> columns{std::string{partition_key_name}};
    if (auto const tag = tag_of(source_.types); !tag.empty()) columns.emplace_back(tag);
    select(std::move(columns));
}

void query_description::refuse_uncopied(std::string_view property) {
    std::string why{"the rows of the index "};
    why.append(source_.index)
        .append(" do not hold this property; name its member in include<...>, or query the entities");
    restrict(error{library_errc::unsupported, {.reason = std::move(why), .member = std::string{property}}});
}

/// Rows that lack a property never match it, so a condition on one that an index does not copy would find nothing.
void query_description::check_copied(filter::expression const& e) {
    e.visit([&](auto const& node) {
        using type = std::remove_cvref_t<decltype(node)>;
        if constexpr (std::is_same_v<type, filter::comparison>) {
            field_set copied;
            source_.add_copied(copied);
            if (!holds_property(*source_.types.front(), copied, node.property)) refuse_uncopied(node.property);
        } else if constexpr (std::is_same_v<type, filter::negation>) {
            check_copied(node.operand);
        } else {
            check_copied(node.left), check_copied(node.right);
        }
    });
}

void query_description::restrict(filter::expression condition) {
    if (source_.add_copied) check_copied(condition);
    where_ = where_ ? *where_ && std::move(condition) : std::move(condition);
}

/// A row of an older version is upgraded from all of its properties, so none is left out then.
void query_description::select_members(chosen_columns chosen) {
    auto const& type = *source_.types.front();
    source_.add_keys(chosen.fields);
    if (!source_.index.empty() && chosen.lists.any())
        restrict(error{
            library_errc::unsupported,
            {.reason = "single elements are selected of entities, not of the rows of an index; select the member"}});
    if (source_.add_copied) {
        field_set copied;
        source_.add_copied(copied);
        auto const missing = chosen.fields & ~copied;
        if (missing.any()) refuse_uncopied(name_of_first(type, missing));
    }
    if (type.version == 1) select(columns_of(type, chosen));
}

void query_description::select(std::vector<std::string> columns) {
    columns_ = std::move(columns);
    borrow_columns();
    partial_ = true;
}

void query_description::borrow_columns() {
    select_.assign(columns_.begin(), columns_.end());
    select_.insert(select_.end(), always_.begin(), always_.end());
}

void query_description::read_ahead() {
    reads_ahead_ = true;
    choose_store();
}

void query_description::choose_store() {
    store_ = reads_ahead_ && partitions().size() == 1 ? std::make_shared<read_ahead_store>(plain_, weak_from_this())
                                                      : plain_;
}

void query_description::split(std::vector<std::string> boundaries) {
    boundaries_ = std::move(boundaries);
    std::sort(boundaries_.begin(), boundaries_.end(),
              [](auto const& a, auto const& b) { return compare_utf16(a, b) < 0; });
    boundaries_.erase(std::unique(boundaries_.begin(), boundaries_.end()), boundaries_.end());
    choose_store();
}

std::vector<key_bounds> query_description::partitions() const {
    std::vector<key_bounds> bounds;
    if (keys_.nothing) return bounds;
    if (!keys_.partitions.empty()) {
        for (std::size_t i = 0; i < keys_.partitions.size(); ++i) bounds.push_back(keys_.partition_bounds(i));
        return bounds;
    }
    key_bounds rest;
    for (auto const& b : boundaries_) {
        auto before = rest;
        before.to = b;
        bounds.push_back(before);
        rest.from = b;
    }
    bounds.push_back(rest);
    return bounds;
}

page_plan query_description::pages() const {
    page_plan p;
    auto size = page_size_;
    if (limit_ && !source_.passes_rows())
        size = std::min(size.value_or(limits::page_entities), std::max<std::size_t>(*limit_, 1));
    p.common = {.table = table_,
                .row = keys_.row_bounds(),
                .where = where_ ? &*where_ : nullptr,
                .select = select_,
                .top = size ? std::optional{std::min(*size, limits::page_entities)} : std::nullopt,
                .packed = true};
    p.order = order_;
    p.at_once = at_once_;
    p.partial = partial_;
    p.most_rows = std::min(page_size_.value_or(limits::page_entities), limits::page_entities);
    return p;
}

result<query_plan> query_description::explain() const {
    if (fault_) return failure{explain_error(*fault_)};
    if (keys_.nothing) {
        query_plan none;
        none.reads = query_plan::kind::partition;
        none.warnings.emplace_back("the list of partitions is empty, so nothing is read");
        return none;
    }
    auto plan = make_plan({.partitions = keys_.partitions,
                           .spread = keys_.merged_by_row_key && keys_.partitions.size() > 1,
                           .rows = keys_.row_bounds(),
                           .where = where_ ? &*where_ : nullptr,
                           .select = select_},
                          store_->capabilities());
    if (!plan) return failure{explain_error(plan.error())};
    if (source_.eventual)
        plan->warnings.emplace_back(
            "the rows of this index are written after their entities, so they may be out of date: eventually "
            "consistent");
    return plan;
}

std::uint64_t query_description::hash() const {
    query_hash h;
    h.add(store_->capabilities().name).add(table_);
    auto const add_bound = [&](std::optional<std::string_view> const& bound, bool inclusive) {
        h.add(bound ? (inclusive ? "[" : "(") : "-").add(bound.value_or(std::string_view{}));
    };
    auto const add_bounds = [&](key_bounds const& b) {
        add_bound(b.from, b.from_inclusive);
        add_bound(b.to, b.to_inclusive);
    };
    for (auto const& p : partitions()) add_bounds(p);
    add_bounds(keys_.row_bounds());
    std::string text;
    // A filter that cannot be rendered is refused when it is sent, and then there is no cursor either.
    if (where_) static_cast<void>(filter::append_odata(text, *where_));
    return h.add(text).value();
}

result<void> query_description::check_cursors() const {
    if (store_->capabilities().ordered_results) return {};
    return fail(library_errc::unsupported,
                {.reason = "a cursor within a page needs rows in key order, which this store does not give"});
}

result<std::vector<cursor_range>> query_description::begin() const {
    if (fault_) return failure{*fault_};
    if (order_ != row_order::any && !store_->capabilities().ordered_results && partitions().size() > 1)
        return fail(library_errc::unsupported,
                    {.reason =
                         "several partitions are merged by their keys, but this store answers in no order; ask for "
                         "them in_any_order()"});
    if (!cursor_) return std::vector<cursor_range>{};
    if (auto r = check_cursors(); !r) return failure{std::move(r).error()};
    return read_cursor(*cursor_, hash(), partitions().size());
}

// ---- reading --------------------------------------------------------------------------------------------------------

query_state::query_state(store_ptr s, std::string table, query_keys keys, call_options o,
                         std::shared_ptr<property_cipher const> c, row_source const& source)
    : query_description(std::move(s), std::move(table), std::move(keys), std::move(o), source), cipher_(std::move(c)) {
    if (cipher_ && cipher_->legacy()) always_select({legacy_metadata1, legacy_metadata2});
}

query_state::query_state(query_state const& other) : query_description(other), cipher_(other.cipher_) {}

query_state::~query_state() = default;

std::shared_ptr<query_state> query_state::again() const {
    auto copy = std::make_shared<query_state>(*this);
    copy->choose_store();
    return copy;
}

void query_state::where(result<filter::expression> condition) {
    auto const found_by = condition ? looked_up(*condition) : std::vector<std::string>{};
    if (condition) condition = resolve_blind(*condition, cipher_.get());
    if (!condition) return restrict(condition.error());
    if (!found_by.empty()) cipher_ = std::make_shared<property_cipher const>(cipher_->checking_indexes(found_by));
    restrict(*std::move(condition));
}

result<void> query_state::open() {
    if (pages_) return {};
    auto const from = begin();
    if (!from) return failure{explain_error(from.error())};
    pages_.emplace(query_description::pages(), partitions(), source(), *from, cipher_.get());
    return {};
}

result<bool> query_state::take() {
    current_ = nullptr;
    if (!wants_more()) return true;
    while (!pages_->needs_page()) {
        auto const row = pages_->pop();
        if (row.bad && policy().skips(*row.bad)) continue;
        if (row.bad) return failure{explain_error(row.bad->error)};
        current_ = row.good;
        if (current_) took_one();
        return true;
    }
    return false;
}

result<void> query_state::advance() {
    if (auto r = open(); !r) return r;
    for (;;) {
        auto const there = take();
        if (!there) return failure{there.error()};
        if (*there) return {};
        auto const more = run(store(), plain_call{pages_->fetch()}, options());
        if (!more) return failure{explain_error(more.error())};
    }
}

result<std::optional<std::string>> query_state::try_cursor() {
    using text = std::optional<std::string>;
    if (auto r = open(); !r) return failure{std::move(r).error()};
    if (auto r = check_cursors(); !r) return failure{explain_error(r.error())};
    auto const ranges = pages_->position();
    if (!ranges) return failure{explain_error(ranges.error())};
    for (auto const& l : *ranges)
        if (!l.ended) return text{cursor(*ranges)};
    return text{};
}

std::shared_ptr<query_state> make_query(table_state const& table, query_keys keys, call_options o,
                                        row_source const& source) {
    return std::make_shared<query_state>(table.store, table.name, std::move(keys), std::move(o), table.cipher, source);
}

}  // namespace tablemap::detail
