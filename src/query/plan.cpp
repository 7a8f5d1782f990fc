// SPDX-License-Identifier: Apache-2.0
#include "tablemap/query/plan.hpp"

#include "tablemap/detail/base/utf.hpp"
#include "tablemap/edm/names.hpp"
#include "store/page_filter.hpp"

#include <algorithm>
#include <compare>

namespace tablemap::inline v0_1 {
namespace detail {
namespace {

/// The service's limit of comparisons in one filter. Source: "Querying tables and entities".
constexpr std::size_t most_comparisons = 15;

using filter::comparison;
using filter::comparison_operator;
using filter::conjunction;
using filter::disjunction;
using filter::expression;
using filter::negation;

// ---- contradictions ------------------------------------------------------------------------------------------------

/// True if `x op v` holds for an x in this place relative to v: below, at, or above it.
bool holds(comparison_operator op, int place) {
    switch (op) {
    case comparison_operator::eq: return place == 0;
    case comparison_operator::ne: return place != 0;
    case comparison_operator::lt: return place < 0;
    case comparison_operator::le: return place <= 0;
    case comparison_operator::gt: return place > 0;
    case comparison_operator::ge: return place >= 0;
    }
    return true;
}

std::partial_ordering order_of(property_value const& a, property_value const& b) {
    return std::visit(
        [&](auto const& v) -> std::partial_ordering {
            using value = std::remove_cvref_t<decltype(v)>;
            auto const& w = std::get<value>(b);
            if constexpr (std::same_as<value, std::string>)
                return compare_utf16(v, w);
            else
                return v <=> w;
        },
        a);
}

bool exclude_each_other(comparison const& a, comparison const& b) {
    if (a.property != b.property) return false;
    if (a.value.index() != b.value.index()) return true;
    // The possible places of a value relative to both.
    struct place {
        int to_a, to_b;
    };
    static constexpr place same[]{{-1, -1}, {0, 0}, {1, 1}};
    static constexpr place rising[]{{-1, -1}, {0, -1}, {1, -1}, {1, 0}, {1, 1}};
    static constexpr place falling[]{{-1, -1}, {-1, 0}, {-1, 1}, {0, 1}, {1, 1}};
    auto const order = order_of(a.value, b.value);
    if (order == std::partial_ordering::unordered) return false;
    auto const places = order == 0  ? std::span<place const>{same}
                        : order < 0 ? std::span<place const>{rising}
                                    : std::span<place const>{falling};
    return std::none_of(places.begin(), places.end(),
                        [&](place p) { return holds(a.op, p.to_a) && holds(b.op, p.to_b); });
}

/// Conditions joined by `and`: comparisons, and the rest.
struct conjuncts {
    std::vector<comparison const*> comparisons{};
    bool one_matches_nothing = false;

    void add(expression const& e) {
        e.visit([&](auto const& node) {
            using type = std::remove_cvref_t<decltype(node)>;
            if constexpr (std::same_as<type, comparison>)
                comparisons.push_back(&node);
            else if constexpr (std::same_as<type, conjunction>)
                add(node.left), add(node.right);
            else if constexpr (std::same_as<type, disjunction>)
                one_matches_nothing =
                    one_matches_nothing || (matches_nothing(node.left) && matches_nothing(node.right));
        });
    }
};

// ---- hidden costs --------------------------------------------------------------------------------------------------

struct filter_facts {
    std::size_t comparisons = 0;
    bool partition_key = false;
    bool row_keys_by_or = false;

    void add(expression const& e, bool alternative = false) {
        e.visit([&](auto const& node) {
            using type = std::remove_cvref_t<decltype(node)>;
            if constexpr (std::same_as<type, comparison>) {
                ++comparisons;
                partition_key = partition_key || node.property == partition_key_name;
                row_keys_by_or = row_keys_by_or || (alternative && node.property == row_key_name);
            } else if constexpr (std::same_as<type, negation>) {
                add(node.operand, true);
            } else {
                bool const below = alternative || std::same_as<type, disjunction>;
                add(node.left, below), add(node.right, below);
            }
        });
    }
};

std::size_t count_comparisons(key_bounds const& b) { return b.is_exact() ? 1 : (b.from ? 1U : 0U) + (b.to ? 1U : 0U); }

bool is_empty(key_bounds const& b) {
    if (!b.from || !b.to) return false;
    auto const order = compare_utf16(*b.from, *b.to);
    return order > 0 || (order == 0 && !(b.from_inclusive && b.to_inclusive));
}

query_plan::kind kind_of(planned_query const& q) {
    if (q.partitions.empty()) return query_plan::kind::scan;
    if (q.rows.is_exact() && q.partitions.size() == 1) return query_plan::kind::point;
    return q.rows.from || q.rows.to ? query_plan::kind::row_range : query_plan::kind::partition;
}

void add_warnings(std::vector<std::string>& out, planned_query const& q, capabilities const& can) {
    filter_facts facts;
    if (q.where) facts.add(*q.where);
    auto const comparisons = facts.comparisons + count_comparisons(q.rows) + (q.partitions.empty() ? 0 : 1);

    if (q.partitions.empty()) out.emplace_back("every row of the table is read, since no partition is given");
    if (q.spread && q.partitions.size() > 1)
        out.push_back(std::to_string(q.partitions.size()) +
                      " partitions are read, one for each bucket that rows are spread over");
    if (facts.partition_key)
        out.emplace_back("the filter compares PartitionKey, which need not narrow what is read; give the "
                         "partition itself, beside the filter");
    if (facts.row_keys_by_or)
        out.emplace_back("the filter compares RowKey below or or not, so all rows are read to find those; ask for each "
                         "key or range of rows by itself");
    if (is_empty(q.rows)) out.emplace_back("no row matches: the range of row keys is empty");
    if (q.where && matches_nothing(*q.where))
        out.emplace_back("no row matches: comparisons of one property exclude each other");
    if (comparisons > most_comparisons)
        out.push_back("the filter has " + std::to_string(comparisons) +
                      " comparisons, those of the keys among them; the service takes 15");
    if (!can.ordered_results && kind_of(q) != query_plan::kind::point)
        out.emplace_back("this store answers in no order of keys");
}

std::string count_of(std::size_t partitions) {
    return partitions == 1 ? "one partition" : std::to_string(partitions) + " partitions";
}

}  // namespace

bool matches_nothing(expression const& e) {
    conjuncts all;
    all.add(e);
    if (all.one_matches_nothing) return true;
    auto const& c = all.comparisons;
    for (std::size_t i = 0; i < c.size(); ++i)
        for (std::size_t k = i + 1; k < c.size(); ++k)
            if (exclude_each_other(*c[i], *c[k])) return true;
    return false;
}

result<query_plan> make_plan(planned_query const& q, capabilities const& can) {
    query_page page{.row = q.rows, .where = q.where};
    if (!q.partitions.empty()) page.partition = key_bounds::exactly(q.partitions.front());
    auto filter = odata_filter_of(page);
    if (!filter) return failure{std::move(filter).error()};

    query_plan plan{.reads = kind_of(q), .partitions = q.partitions.size(), .odata = std::move(*filter)};
    plan.select.assign(q.select.begin(), q.select.end());
    add_warnings(plan.warnings, q, can);
    return plan;
}

}  // namespace detail

std::string query_plan::text() const {
    std::string out;
    switch (reads) {
    case kind::point: out = "point read of one row"; break;
    case kind::row_range: out = "row range in " + detail::count_of(partitions); break;
    case kind::partition: out = "all of " + detail::count_of(partitions); break;
    case kind::scan: out = "scan of the whole table"; break;
    }
    out += "\nfilter: ";
    out += odata.empty() ? "none" : odata;
    if (partitions > 1) out += " (of the first partition)";
    out += "\nselect: ";
    if (select.empty()) out += "all properties";
    for (std::size_t i = 0; i < select.size(); ++i) out.append(i == 0 ? "" : ", ").append(select[i]);
    for (auto const& w : warnings) out.append("\nwarning: ").append(w);
    return out += '\n';
}

}  // namespace tablemap
