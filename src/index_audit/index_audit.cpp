// SPDX-License-Identifier: Apache-2.0
#include "tablemap/index_audit/index_audit.hpp"

#include "index_rounds.hpp"
#include "tablemap/detail/query/cursor.hpp"
#include "tablemap/detail/store/page_progress.hpp"
#include "tablemap/detail/wire/reader.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace tablemap::inline v0_1 {

std::string_view index_fault_name(index_fault f) noexcept {
    constexpr std::array<std::string_view, 5> names{"missing", "differing", "orphaned", "held_twice", "unreadable"};
    return names[static_cast<std::size_t>(f)];
}

namespace detail {

class index_audit_operation::state {
public:
    state(audit_scope scope, audited_type const& type, bool repairs, index_audit_options options)
        : all_(std::move(scope), type, repairs, std::move(options)) {}

    step start();
    step resume(environment const& env, std::span<response> answers);
    result<index_report> take();

private:
    /// The passes: read everything and add it up; then, if the sums differ, read the entities, and the rows of indexes.
    enum class pass : std::uint8_t { sums, entities, rows };

    /// The rows of a query that are not taken yet.
    struct rows_read {
        std::vector<stored_entity> rows{};
        std::size_t at = 0;
        std::optional<continuation> next{};
        page_progress progress{};
    };

    bool by_partition() const {
        return !all_.scope.partitions.empty() || all_.scope.store.capabilities().ordered_results;
    }
    bool begin_where_it_ended();
    void begin_within(std::string const& mark, std::string row);
    std::string resume_point(char mark, std::string_view row) const;
    void notify(std::string resume);
    void notify_progress();

    step ask_page();
    key_bounds partition_asked() const;
    step after_page(environment const& env, response& answer);
    step go_on();
    step add_up();
    step end_query();
    void add(stored_entity& row);
    bool is_entity(stored_entity const& row) const;
    bool is_index_row(stored_entity const& row) const;

    step look_closer();
    step begin_pass(pass p, std::string after = {});
    step end_pass();
    void make_checks();
    step ask_round();

    step fail_with(error const& e) {
        all_.fault = e;
        return step::done();
    }

    audit all_;
    pass pass_ = pass::sums;
    rows_read sums_{}, suspects_{};
    std::size_t scope_at_ = 0;                     ///< of the partitions that are asked for
    std::optional<std::string> part_{};            ///< the partition that is added up
    std::string after_row_{};                      ///< of the pass: the last row that was checked
    std::optional<std::string> from_partition_{};  ///< the first partition to read
    bool from_inclusive_ = true;
    std::optional<std::pair<pass, std::string>> resumed_at_{};  ///< in that partition, behind this row
    std::optional<std::string> resumed_after_{};                ///< the row behind which the pass begins
    bool skips_partition_ = false;                              ///< the first one was done before
    bool reads_page_ = false;
    index_rounds rounds_{all_};
    request page_{};
};

// ---- beginning, and the resume point --------------------------------------------------------------------------------

namespace {

std::uint64_t hash_of(audit const& all) {
    query_hash h;
    h.add("indexes").add(all.scope.table);
    for (auto const& i : all.type.indexes.list) h.add(i.name).add(i.row_prefix);
    return h.value();
}

// The marks that a resume point has for the partition that it names, before the row if there is one.
constexpr char no_mark = 0, entities_mark = 'e', rows_mark = 'r', done_mark = 'd';

}  // namespace

step index_audit_operation::state::start() {
    if (!all_.options.resume.empty() && !begin_where_it_ended()) return step::done();
    return skips_partition_ && !all_.scope.partitions.empty() ? end_query() : ask_page();
}

/// False if the text does not tell; `fault` says why then.
bool index_audit_operation::state::begin_where_it_ended() {
    auto ranges = read_cursor(all_.options.resume, hash_of(all_), 1);
    if (!ranges || !ranges->front().page || !by_partition()) {
        all_.fault =
            ranges ? error{library_errc::invalid_cursor, {.reason = "it is none of this operation"}} : ranges.error();
        return false;
    }
    auto& page = *ranges->front().page;
    auto const& list = all_.scope.partitions;
    auto const found = std::find(list.begin(), list.end(), page.partition_key);
    if (!list.empty() && found == list.end()) {
        all_.fault = error{library_errc::invalid_cursor, {.reason = "it is of a partition that is not asked for"}};
        return false;
    }
    scope_at_ = static_cast<std::size_t>(found - list.begin());
    from_partition_ = page.partition_key;
    if (page.row_key) begin_within(page.row_key->substr(0, 1), page.row_key->substr(1));
    return true;
}

void index_audit_operation::state::begin_within(std::string const& mark, std::string row) {
    skips_partition_ = mark[0] == done_mark;
    from_inclusive_ = !skips_partition_;
    if (!skips_partition_) resumed_at_ = {mark[0] == rows_mark ? pass::rows : pass::entities, std::move(row)};
}

/// Without a mark: the partition is to be added up.
std::string index_audit_operation::state::resume_point(char mark, std::string_view row) const {
    if (!by_partition() || !part_) return {};
    continuation at{*part_, std::nullopt};
    if (mark) at.row_key = std::string{mark}.append(row);
    return write_cursor(hash_of(all_), {cursor_range{.page = std::move(at)}});
}

void index_audit_operation::state::notify(std::string resume) {
    if (all_.options.progress) all_.options.progress({all_.so_far, std::move(resume)});
}

void index_audit_operation::state::notify_progress() {
    char const mark = pass_ == pass::sums ? no_mark : pass_ == pass::rows ? rows_mark : entities_mark;
    notify(resume_point(mark, after_row_));
}

step index_audit_operation::state::resume(environment const& env, std::span<response> answers) {
    if (reads_page_) return after_page(env, answers.front());
    rounds_.answered(answers);
    return all_.fault ? step::done() : ask_round();
}

result<index_report> index_audit_operation::state::take() {
    if (all_.fault) return failure{all_.changed ? all_.fault->with(outcome::in_doubt) : *all_.fault};
    return std::move(all_.so_far);
}

// ---- pages ----------------------------------------------------------------------------------------------------------

key_bounds index_audit_operation::state::partition_asked() const {
    if (!all_.scope.partitions.empty()) return key_bounds::exactly(all_.scope.partitions[scope_at_]);
    if (pass_ != pass::sums && part_) return key_bounds::exactly(*part_);
    return from_partition_ ? key_bounds{.from = *from_partition_, .from_inclusive = from_inclusive_} : key_bounds{};
}

step index_audit_operation::state::ask_page() {
    reads_page_ = true;
    auto const& from = (pass_ == pass::sums ? sums_ : suspects_).next;
    key_bounds const rows{.from = resumed_after_, .from_inclusive = !resumed_after_};
    page_ = query_page{.table = all_.scope.table,
                       .partition = partition_asked(),
                       .row = rows,
                       .top = std::clamp<std::size_t>(all_.options.page_rows, 1, limits::page_entities),
                       .from = from ? &*from : nullptr,
                       .current = true};
    return step::send(page_);
}

step index_audit_operation::state::after_page(environment const& env, response& answer) {
    if (!answer.ok()) return fail_with(*answer.failure);
    auto page = read_dynamic_page(answer.body);
    if (!page) return fail_with(std::move(page).error());
    auto& read = pass_ == pass::sums ? sums_ : suspects_;
    if (auto stuck = read.progress.stuck_at(answer.next, page->empty(), env.options()))
        return fail_with(*std::move(stuck));
    read.rows = std::move(*page);
    read.at = 0;
    read.next = std::move(answer.next);
    return go_on();
}

step index_audit_operation::state::go_on() {
    if (pass_ == pass::sums) return add_up();
    make_checks();
    return all_.fault ? step::done() : ask_round();
}

// ---- adding up ------------------------------------------------------------------------------------------------------

step index_audit_operation::state::add_up() {
    for (; sums_.at < sums_.rows.size(); ++sums_.at) {
        auto& row = sums_.rows[sums_.at];
        if (by_partition()) {
            if (part_ && *part_ != row.partition_key) {
                if (!all_.tally.in_step()) return look_closer();
                all_.tally.clear();
            }
            part_ = row.partition_key;
        }
        add(row);
        if (all_.fault) return step::done();
    }
    if (sums_.next) {
        notify_progress();
        return ask_page();
    }
    return all_.tally.in_step() ? end_query() : look_closer();
}

step index_audit_operation::state::end_query() {
    part_.reset();
    all_.tally.clear();
    if (scope_at_ + 1 >= all_.scope.partitions.size()) {
        notify({});
        return step::done();
    }
    part_ = all_.scope.partitions[++scope_at_];
    notify_progress();
    sums_ = {};
    return ask_page();
}

bool index_audit_operation::state::is_entity(stored_entity const& row) const {
    auto const& types = all_.type.entities;
    return std::any_of(types.begin(), types.end(), [&](auto* t) {
        return has_literals(t->partition_parts, row.partition_key) && has_literals(t->row_parts, row.row_key);
    });
}

bool index_audit_operation::state::is_index_row(stored_entity const& row) const {
    return all_.tally.index_at(row.row_key) < all_.type.indexes.list.size();
}

void index_audit_operation::state::add(stored_entity& row) {
    if (is_index_row(row)) {
        ++all_.so_far.index_rows;
        return all_.tally.held({row.partition_key, row.row_key}, digest_of(row, all_.scope.cipher));
    }
    if (!is_entity(row)) return;
    auto implied = all_.rows_of(row);
    if (!implied) {
        if (implied.error().code() != library_errc::another_type)
            all_.report({index_fault::unreadable, {row.partition_key, row.row_key}, {}, {}, false, implied.error()});
        return;
    }
    ++all_.so_far.entities;
    for (auto& r : *implied) {
        auto const content = read_dynamic(r.entity.body);
        if (!content) {
            all_.fault = content.error();
            return;
        }
        all_.tally.implied({r.entity.partition_key, r.entity.row_key}, digest_of(*content, all_.scope.cipher));
    }
}

// ---- looking for what did not add up --------------------------------------------------------------------------------

/// Reads the rest of the partition in which an earlier run ended.
step index_audit_operation::state::look_closer() {
    auto at = std::exchange(resumed_at_, std::nullopt);
    if (!at || part_ != from_partition_) return begin_pass(pass::entities);
    return begin_pass(at->first, std::move(at->second));
}

step index_audit_operation::state::begin_pass(pass p, std::string after) {
    pass_ = p;
    after_row_ = std::move(after);
    resumed_after_.reset();
    if (!after_row_.empty()) resumed_after_ = after_row_;
    suspects_ = {};
    return ask_page();
}

/// A difference of the sums that no entity explains comes from rows that no entity implies.
step index_audit_operation::state::end_pass() {
    bool const done = pass_ == pass::rows || all_.tally.in_step();
    if (!done) {
        auto const next = begin_pass(pass::rows);
        notify_progress();
        return next;
    }
    notify(resume_point(done_mark, {}));
    all_.tally.clear();
    all_.known.clear();
    pass_ = pass::sums;
    resumed_after_.reset();
    part_.reset();
    return add_up();
}

void index_audit_operation::state::make_checks() {
    rounds_.clear();
    for (auto& row : suspects_.rows) {
        if (all_.fault) return;
        entity_key key{row.partition_key, row.row_key};
        bool const of_index = is_index_row(row);
        if (pass_ == pass::rows && of_index && all_.tally.suspects(key))
            rounds_.add(std::make_unique<orphan_check>(all_, row));
        else if (pass_ == pass::entities && !of_index && is_entity(row))
            rounds_.add(std::make_unique<entity_check>(all_, row));
        after_row_ = std::move(key.row_key);
    }
}

step index_audit_operation::state::ask_round() {
    reads_page_ = false;
    if (auto const requests = rounds_.ask(); !requests.empty()) return step::send(requests);
    if (!suspects_.next) return end_pass();
    notify_progress();
    return ask_page();
}

// ---- the operation --------------------------------------------------------------------------------------------------

index_audit_operation::index_audit_operation(audit_scope scope, audited_type const& type, bool repairs,
                                             index_audit_options options)
    : state_(std::make_unique<state>(std::move(scope), type, repairs, std::move(options))) {}
index_audit_operation::index_audit_operation(index_audit_operation&&) noexcept = default;
index_audit_operation& index_audit_operation::operator=(index_audit_operation&&) noexcept = default;
index_audit_operation::~index_audit_operation() = default;

step index_audit_operation::start(environment const&) { return state_->start(); }
step index_audit_operation::resume(environment const& env, std::span<response> answers) {
    return state_->resume(env, answers);
}
result<index_report> index_audit_operation::take() { return state_->take(); }

}  // namespace detail
}  // namespace tablemap
