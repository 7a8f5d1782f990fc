// SPDX-License-Identifier: Apache-2.0
#include "inspect/infer_entity.hpp"

#include "base/ascii.hpp"
#include "codegen/check.hpp"
#include "inspect/member_names.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <string_view>

namespace tablemap::inline v0_1::inspect {
namespace {

constexpr std::size_t most_members = 100;
constexpr std::size_t most_enumerators = 12;
constexpr std::uint64_t rows_of_enums = 20;
constexpr std::uint64_t rows_of_enumerators = 5;  ///< for each

constexpr std::array<std::string_view, 8> words_of_types{"string", "boolean",  "int32", "int64",
                                                         "double", "datetime", "guid",  "binary"};

std::string_view word_of(edm_type t) { return words_of_types[static_cast<std::size_t>(t)]; }

std::string_view word_of(value_kind k) {
    switch (k) {
    case value_kind::literal: break;
    case value_kind::text: return "string";
    case value_kind::flag: return "boolean";
    case value_kind::int32: return "int32";
    case value_kind::int64: return "int64";
    case value_kind::uint64: return "uint64";
    case value_kind::real: return "double";
    case value_kind::time: return "datetime";
    case value_kind::id: return "guid";
    }
    return {};
}

std::uint64_t rows_with(property_values const& p, edm_type t) { return p.rows[static_cast<std::size_t>(t)]; }

/// The type that reads all values: Edm.Int64 and Edm.Double read Edm.Int32, too. Nothing if none does.
std::optional<edm_type> common_type(property_values const& p) {
    auto const rest = p.total() - rows_with(p, edm_type::int32);
    if (rest == 0) return edm_type::int32;
    for (auto const wide : {edm_type::int64, edm_type::real})
        if (rows_with(p, wide) == rest) return wide;
    auto const most = std::ranges::max_element(p.rows);
    if (p.types() > 1) return std::nullopt;
    return static_cast<edm_type>(most - p.rows.begin());
}

std::string in_rows(std::uint64_t rows) { return std::to_string(rows) + (rows == 1 ? " row" : " rows"); }

/// Makes the entity of one kind of rows.
class entity_inference {
public:
    entity_inference(table_survey const& survey, row_kind const& kind, std::string const& name,
                     std::vector<index_shape> const& indexes, std::vector<std::string>& warnings)
        : survey_(survey), kind_(kind), indexes_(indexes), warnings_(warnings) {
        made_.id.text = name;
        names_.take(name);
        for (auto const& used : codegen::names_within_functions()) names_.take(used);
        names_.take("try_find");
    }

    codegen::entity run() {
        made_.table.text = survey_.table;
        describe();
        choose_names();
        add_keys();
        add_properties();
        add_extras();
        for (auto const& i : indexes_) add_index(i);
        if (made_.properties.empty()) add_nothing();
        if (!kind_.type.empty()) made_.discriminator = codegen::discriminator{{survey_.type_property}, {kind_.type}};
        return std::move(made_);
    }

private:
    void describe() {
        made_.description = "Inferred from " + in_rows(kind_.rows) + " of the table " + survey_.table + ".";
        if (!survey_.complete)
            made_.description += " The table has more rows, which may have other properties, types and keys.";
    }

    /// The generator takes a text of a key that is the name of a member for a mistake, unless the member is in the key.
    void take_texts_of(key_shape const& shape) {
        for (auto const& part : shape)
            if (part.kind == value_kind::literal && !is_in_key(part.literal)) names_.take(part.literal);
    }

    /// Members have the names of their properties if they can; then come those that are in keys alone.
    void choose_names() {
        take_texts_of(kind_.keys.partition);
        take_texts_of(kind_.keys.row);
        for (auto const& i : indexes_) take_texts_of(i.key);
        for (auto const& p : kind_.properties)
            if (names_.is_free(p.name)) member_of_[p.name] = names_.choose(p.name);
        for (auto const& p : kind_.properties)
            if (!member_of_.contains(p.name)) member_of_[p.name] = names_.choose(p.name);
        if (indexes_.empty()) return;
        for (auto const& part : indexes_.front().row_key)
            if (part.kind != value_kind::literal && !member_of_.contains(part.property))
                member_of_[part.property] = names_.choose(part.property);
    }

    // ---- keys -------------------------------------------------------------------------------------------------------

    void add_keys() {
        made_.partition_key = key_of(kind_.keys.partition, 0);
        made_.row_key = key_of(kind_.keys.row, kind_.keys.partition.size());
        if (kind_.empty_partition) allow_empty(made_.partition_key);
        if (kind_.empty_row) allow_empty(made_.row_key);
    }

    codegen::key key_of(key_shape const& shape, std::size_t first) {
        codegen::key k;
        for (std::size_t i = 0; i < shape.size(); ++i) {
            if (shape[i].kind == value_kind::literal)
                k.parts.emplace_back().literal = shape[i].literal;
            else
                k.parts.push_back(part_of(shape[i], first + i));
        }
        return k;
    }

    codegen::key_part part_of(key_shape_part const& part, std::size_t at) {
        codegen::key_part p;
        p.form = form_of(part.form);
        p.low = static_cast<std::int64_t>(part.number);
        p.descending = part.descending;
        p.also_stored = !part.property.empty();
        p.member.text = p.also_stored ? member_of_[part.property] : member_of_part(part.same_as.value_or(at));
        return p;
    }

    static codegen::part_form form_of(text_form f) {
        switch (f) {
        case text_form::plain: return codegen::part_form::plain;
        case text_form::width: return codegen::part_form::width;
        case text_form::ordered: return codegen::part_form::ordered;
        case text_form::escaped: return codegen::part_form::escaped;
        case text_form::hashed: return codegen::part_form::hashed;
        case text_form::spread: return codegen::part_form::spread;
        }
        return codegen::part_form::plain;
    }

    /// The member of a part that is in keys alone, counted from the first of the partition key.
    std::string member_of_part(std::size_t at) {
        auto const found = key_members_.find(at);
        if (found != key_members_.end()) return found->second;
        auto const count = kind_.keys.partition.size();
        bool const in_row = at >= count;
        auto const& shape = in_row ? kind_.keys.row : kind_.keys.partition;
        auto const place = in_row ? at - count : at;
        auto const before = place > 0 ? std::string_view{shape[place - 1].literal} : std::string_view{};
        bool const named = in_row && !indexes_.empty();
        auto const& part = named ? indexes_.front().row_key[place] : shape[place];
        codegen::property p;
        auto const which = in_row ? "row" : "partition";
        p.id.text = named ? member_of_[part.property] : names_.choose(name_for(part.kind, before, which));
        p.type.text = word_of(part.kind);
        made_.properties.push_back(p);
        return key_members_[at] = p.id.text;
    }

    /// The word before the part names it, if there is one.
    std::string name_for(value_kind kind, std::string_view before, std::string const& which) const {
        std::string word{before.begin(), std::ranges::find_if_not(before, detail::is_letter)};
        if (word.size() > 1 && names_.is_free(word)) return word;
        switch (kind) {
        case value_kind::time: return "time";
        case value_kind::id: return "id";
        case value_kind::text:
        case value_kind::literal: return which;
        default: return "number";
        }
    }

    /// A key of text alone may be empty, if one is.
    void allow_empty(codegen::key& k) const {
        if (k.parts.size() != 1 || k.parts.front().is_literal()) return;
        auto& part = k.parts.front();
        auto const* const member = codegen::find_property(made_, part.member.text);
        part.may_be_empty = member != nullptr && member->type.text == "string";
    }

    // ---- properties -------------------------------------------------------------------------------------------------

    bool is_in_key(std::string const& name) const {
        auto const has = [&](auto const& part) { return part.property == name; };
        return std::ranges::any_of(kind_.keys.partition, has) || std::ranges::any_of(kind_.keys.row, has);
    }

    void add_properties() {
        auto const in_keys = [&](auto const& p) { return is_in_key(p.name); };
        auto left = most_members - made_.properties.size() - 1 -
                    static_cast<std::size_t>(std::ranges::count_if(kind_.properties, in_keys));
        std::vector<std::string> beyond;
        for (auto const& p : kind_.properties) {
            auto const type = common_type(p);
            if (!type) {
                leave_out(p, "has several types: " + text_of(p.rows));
                continue;
            }
            bool const in_key = is_in_key(p.name);
            if (!in_key && left == 0) {
                beyond.push_back(p.name);
                continue;
            }
            if (!in_key) --left;
            add_property(p, *type);
        }
        if (!beyond.empty()) leave_out_rest(beyond);
    }

    void add_property(property_values const& values, edm_type type) {
        codegen::property p;
        p.id.text = member_of_[values.name];
        p.type.text = word_of(type);
        if (p.id.text != values.name) p.stored_as.text = values.name;
        p.nullable = values.total() < kind_.rows;
        p.description = description_of(values);
        made_.properties.push_back(std::move(p));
    }

    static std::string description_of(property_values const& p) {
        if (p.encrypted() > 0) {
            auto const type = std::ranges::max_element(p.sealed) - p.sealed.begin();
            return "Encrypted. A program with the key declares the type " +
                   std::string{word_of(static_cast<edm_type>(type))} + " and \"encrypted\".";
        }
        if (!find_enum_of(p, "e")) return {};
        std::string text = "Perhaps an enum; the texts are";
        for (auto const& [value, rows] : p.texts.all()) text += (text.ends_with("are") ? " " : ", ") + value;
        return text + ".";
    }

    void leave_out(property_values const& p, std::string const& why) {
        warnings_.push_back(made_.id.text + ": the property " + p.name + " " + why +
                            "; it is no member, and is kept among the extras");
        left_out_ += (left_out_.empty() ? "" : "; ") + p.name + " " + why;
    }

    /// Of many properties the first ones are named.
    void leave_out_rest(std::vector<std::string> const& names) {
        constexpr std::size_t most_named = 3;
        std::string list;
        for (auto const& n : std::span{names}.first(std::min(names.size(), most_named)))
            list += (list.empty() ? "" : ", ") + n;
        if (names.size() > most_named) list += " and " + std::to_string(names.size() - most_named) + " more";
        bool const one = names.size() == 1;
        std::string const why =
            one ? " is beyond the members that a struct may have" : " are beyond the members that a struct may have";
        warnings_.push_back(made_.id.text + ": " + std::to_string(names.size()) +
                            (one ? " property (" : " properties (") + list + ")" + why + "; kept among the extras");
        left_out_ += (left_out_.empty() ? "" : "; ") + list + why;
    }

    void add_extras() {
        if (kind_.more_properties) left_out_ += left_out_.empty() ? "more names than were counted" : "; and others";
        if (left_out_.empty()) return;
        codegen::property p;
        p.id.text = names_.choose("extras");
        p.type.text = "extras";
        p.description = "Properties that are no members: " + left_out_ + ".";
        made_.properties.push_back(std::move(p));
    }

    void add_index(index_shape const& shape) {
        codegen::index i;
        i.unique = shape.unique;
        std::string name = "by";
        for (auto const& part : shape.key) {
            auto& p = i.key.parts.emplace_back();
            p.literal = part.literal;
            if (part.kind == value_kind::literal) continue;
            p.member.text = member_of_[part.property];
            p.form = form_of(part.form);
            p.low = static_cast<std::int64_t>(part.number);
            p.descending = part.descending;
            name += "_" + p.member.text;
        }
        i.id.text = index_names_.choose(name);
        if (shape.include) {
            i.include.emplace();
            for (auto const& n : *shape.include) i.include->push_back({member_of_[n]});
        }
        made_.indexes.push_back(std::move(i));
    }

    /// A struct has a member, also if its keys are constant and there are no properties.
    void add_nothing() {
        codegen::property p;
        p.id.text = names_.choose("extras");
        p.type.text = "extras";
        p.description = "The rows have no properties, and the same keys.";
        made_.properties.push_back(std::move(p));
    }

    table_survey const& survey_;
    row_kind const& kind_;
    std::vector<index_shape> const& indexes_;
    std::vector<std::string>& warnings_;
    member_names names_{};
    member_names index_names_{};
    std::map<std::string, std::string> member_of_{};    ///< by the names of properties
    std::map<std::size_t, std::string> key_members_{};  ///< by the places of parts
    std::string left_out_{};
    codegen::entity made_{};
};

}  // namespace

codegen::entity infer_entity(table_survey const& survey, row_kind const& kind, std::string const& name,
                             std::vector<index_shape> const& indexes, std::vector<std::string>& warnings) {
    return entity_inference{survey, kind, name, indexes, warnings}.run();
}

std::optional<codegen::enumeration> find_enum_of(property_values const& p, std::string const& name) {
    auto const& texts = p.texts.all();
    bool const few = texts.size() >= 2 && texts.size() <= most_enumerators && p.total() >= rows_of_enums &&
                     p.total() >= texts.size() * rows_of_enumerators && p.types() == 1;
    if (!few) return std::nullopt;
    codegen::enumeration e;
    e.id.text = name;
    member_names names;
    names.take("names_");  // the name of a table of names in what is generated
    for (auto const& [text, rows] : texts) {
        if (!names.is_free(text)) return std::nullopt;
        names.take(text);
        e.values.push_back({{text}});
    }
    return e;
}

}  // namespace tablemap::inspect
