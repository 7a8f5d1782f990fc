// SPDX-License-Identifier: Apache-2.0
#include "inspect/key_shapes.hpp"

#include "inspect/part_finding.hpp"
#include "inspect/part_sources.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace tablemap::inline v0_1::inspect {
namespace {

constexpr std::size_t distinct_keys = 10;  ///< that show the form of the keys that were not read

using string_member = std::string dynamic_entity::*;

std::vector<std::string_view> texts_of(std::vector<dynamic_entity> const& rows, string_member key) {
    std::vector<std::string_view> all;
    all.reserve(rows.size());
    for (auto const& row : rows) all.push_back(row.*key);
    return all;
}

bool has_distinct(std::vector<std::string_view> const& texts, std::size_t count) {
    std::set<std::string_view> distinct;
    return std::ranges::any_of(texts, [&](auto t) { return distinct.insert(t).second && distinct.size() >= count; });
}

/// True if a part's value can be read from the key.
bool is_readable(key_shape_part const& p) {
    return p.kind != value_kind::literal && p.form != text_form::hashed && p.form != text_form::spread;
}

/// Finds properties and other parts that have the values of parts.
class source_finder {
public:
    source_finder(std::vector<dynamic_entity> const& rows, key_shapes& shapes) : rows_(rows) {
        add_parts(shapes.partition, &dynamic_entity::partition_key);
        add_parts(shapes.row, &dynamic_entity::row_key);
    }

    void run() {
        for (auto const& p : detail::properties_of(rows_.front())) match_property(p);
        for (std::size_t i = 0; i < parts_.size(); ++i)
            if (parts_[i].part->property.empty()) match_parts(i);
    }

private:
    struct column {
        key_shape_part* part{};
        bool ends_key = false;
        part_texts texts{};
    };

    void add_parts(key_shape& shape, string_member key) {
        auto const layouts = layouts_of(shape);
        auto const first = parts_.size();
        for (auto& part : shape) parts_.push_back({&part, &part == &shape.back(), {}});
        for (auto const& row : rows_) {
            auto const texts = split_key(row.*key, layouts);
            for (std::size_t i = 0; texts && i < shape.size(); ++i) parts_[first + i].texts.push_back((*texts)[i]);
        }
    }

    /// The values of a property that all rows have with one type.
    std::optional<value_source> source_of(property const& p) const {
        value_source source{kind_of(type_of(p.value)), {}};
        if (source.kind == value_kind::literal) return std::nullopt;
        for (auto const& row : rows_) {
            auto const* const value = row.find(p.name);
            if (!value || value->index() != p.value.index()) return std::nullopt;
            source.values.push_back(*value_of(*value));
        }
        return source;
    }

    void match_property(property const& p) {
        auto const first = value_of(p.value);
        if (!first || !is_like_a_part(kind_of(type_of(p.value)), *first)) return;
        auto const source = source_of(p);
        if (!source) return;
        for (auto& c : parts_)
            if (c.part->kind != value_kind::literal && c.part->property.empty()) match(c, *source, p.name, {});
    }

    /// Most properties are in no key: the first row tells.
    bool is_like_a_part(value_kind kind, key_value const& value) const {
        return std::ranges::any_of(parts_, [&](auto const& c) {
            return c.part->kind != value_kind::literal && may_be_of(c.texts.front(), kind, value);
        });
    }

    bool match(column& c, value_source const& source, std::string const& property, std::optional<std::size_t> same_as) {
        auto form = find_form(c.texts, source, *c.part, c.ends_key);
        if (!form) form = find_spread(c.texts, source);
        if (!form) return false;
        *c.part = std::move(*form);
        c.part->property = property;
        c.part->same_as = same_as;
        return true;
    }

    /// A part of the row key may have the value of one of the partition key. A hash may be of any part.
    void match_parts(std::size_t at) {
        auto& c = parts_[at];
        if (c.part->kind == value_kind::literal) return;
        for (std::size_t i = 0; i < parts_.size(); ++i) {
            auto const& other = *parts_[i].part;
            if (i == at || !is_readable(other) || other.same_as) continue;
            auto const before = *c.part;
            if (!match(c, values_of_part(i), other.property, i)) continue;
            // Equal values are those of the first of both parts.
            if (is_readable(*c.part) && (i > at || count_distinct(c.texts, 3) < 3))
                *c.part = before;
            else
                return;
        }
    }

    value_source values_of_part(std::size_t i) const {
        value_source source{parts_[i].part->kind, {}};
        auto layout = layout_of(*parts_[i].part);
        layout.terminated = parts_[i].part->form == text_form::escaped && !parts_[i].ends_key;
        for (auto const t : parts_[i].texts) source.values.push_back(read_value(layout, t).value_or(key_value{}));
        return source;
    }

    std::vector<dynamic_entity> const& rows_;
    std::vector<column> parts_{};
};

key_shape shape_of_partition(std::vector<std::string_view> const& texts, bool complete) {
    return complete || has_distinct(texts, distinct_keys) ? find_parts(texts, {}) : plain_shape({});
}

/// A row key that is the same in several partitions is one of the type.
bool is_constant_row_key(std::vector<std::string_view> const& texts) {
    return texts.size() > 1 && !texts.front().empty() && !has_distinct(texts, 2) &&
           texts.front().find_first_of("0123456789") == std::string_view::npos;
}

key_shape shape_of_row_key(std::vector<std::string_view> const& texts, key_facts const& facts) {
    if (is_constant_row_key(texts)) return find_parts(texts, texts.front());
    return facts.complete || has_distinct(texts, distinct_keys) ? find_parts(texts, facts.beginning)
                                                                : plain_shape(facts.beginning);
}

/// Literals are not compared: `split_key` does.
bool has_sources(key_shape const& shape, part_texts const& texts, dynamic_entity const& row) {
    auto const layouts = layouts_of(shape);
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (shape[i].property.empty()) continue;
        auto const* const value = row.find(shape[i].property);
        auto const source = value ? value_of(*value) : std::nullopt;
        if (!source || kind_of(type_of(*value)) != shape[i].kind) return false;
        if (text_of(layouts[i], *source) != texts[i]) return false;
    }
    return true;
}

bool has_same_parts(key_shapes const& shapes, part_texts const& texts) {
    auto const count = shapes.partition.size();
    auto const at = [&](std::size_t i) -> auto const& {
        return i < count ? shapes.partition[i] : shapes.row[i - count];
    };
    auto const partition = layouts_of(shapes.partition), row = layouts_of(shapes.row);
    auto const layout_at = [&](std::size_t i) -> auto const& { return i < count ? partition[i] : row[i - count]; };
    for (std::size_t i = 0; i < texts.size(); ++i) {
        if (!at(i).same_as) continue;
        auto const value = read_value(layout_at(*at(i).same_as), texts[*at(i).same_as]);
        if (!value || text_of(layout_at(i), *value) != texts[i]) return false;
    }
    return true;
}

}  // namespace

key_shapes find_key_shapes(std::vector<dynamic_entity> const& rows, key_facts const& facts) {
    key_shapes shapes{shape_of_partition(texts_of(rows, &dynamic_entity::partition_key), facts.complete),
                      shape_of_row_key(texts_of(rows, &dynamic_entity::row_key), facts)};
    source_finder{rows, shapes}.run();
    bool const good = std::ranges::all_of(rows, [&](auto const& row) { return fits(shapes, row); });
    return good ? shapes : plain_key_shapes(facts.beginning);
}

key_shapes plain_key_shapes(std::string const& beginning) { return {plain_shape({}), plain_shape(beginning)}; }

bool fits(key_shapes const& shapes, dynamic_entity const& row) {
    auto partition = split_key(row.partition_key, layouts_of(shapes.partition));
    auto const rest = split_key(row.row_key, layouts_of(shapes.row));
    if (!partition || !rest) return false;
    if (!has_sources(shapes.partition, *partition, row) || !has_sources(shapes.row, *rest, row)) return false;
    partition->insert(partition->end(), rest->begin(), rest->end());
    return has_same_parts(shapes, *partition);
}

std::string leading_literal(key_shape const& shape) {
    std::string text;
    for (auto const& p : shape) {
        if (p.kind != value_kind::literal) break;
        text += p.literal;
    }
    return text;
}

}  // namespace tablemap::inspect
