// SPDX-License-Identifier: Apache-2.0
#include "inspect/infer_schema.hpp"

#include "codegen/check.hpp"
#include "codegen/front_end.hpp"
#include "codegen/write_schema.hpp"
#include "inspect/index_shapes.hpp"
#include "inspect/infer_entity.hpp"
#include "inspect/member_names.hpp"
#include "inspect/part_finding.hpp"
#include "tablemap/detail/patterns/wide_core.hpp"

#include <algorithm>
#include <set>
#include <string_view>

namespace tablemap::inline v0_1::inspect {
namespace {

std::string left_out(std::uint64_t rows, std::string const& which) {
    return rows_text(rows) + which + (rows == 1 ? " is" : " are") + " left out";
}

/// The word of a kind: its type, or the beginning of its row keys without what separates it from the rest.
std::string kind_word_of(row_kind const& k) {
    auto word = k.type.empty() ? k.beginning : k.type;
    while (!word.empty() && is_separator(word.back())) word.pop_back();
    return word;
}

bool begin_alike(codegen::entity const& a, codegen::entity const& b) {
    return codegen::begin_alike(codegen::leading_text(a.partition_key), codegen::leading_text(b.partition_key)) &&
           codegen::begin_alike(codegen::leading_text(a.row_key), codegen::leading_text(b.row_key));
}

/// True if readers cannot tell rows of one from rows of the other.
bool are_alike(codegen::entity const& a, codegen::entity const& b) {
    return (!a.discriminator || !b.discriminator) && begin_alike(a, b);
}

class schema_inference {
public:
    schema_inference(table_survey const& survey, inference_options const& how) : survey_(survey), how_(how) {}

    inference run() {
        made_.schema.space.text = how_.space;
        for (auto const& [name, rows] : survey_.companions)
            warn(left_out(rows, " of the kind '" + std::string{name} + "'") + "; the library keeps such rows itself");
        if (survey_.unassigned > 0) warn(left_out(survey_.unassigned, " of kinds beyond the first hundred"));
        // Those of most rows first: where rows of two kinds cannot be told apart, the larger kind is kept.
        for (auto const* const k : kinds_by_rows())
            if (k->indexed.empty()) add(*k);
        for (auto const& k : survey_.kinds)
            if (!k.indexed.empty() && !described_.contains(&k)) leave_out_index(k);
        return std::move(made_);
    }

private:
    void warn(std::string text) { made_.warnings.push_back(survey_.table + ": " + std::move(text)); }

    std::vector<row_kind const*> kinds_by_rows() const {
        std::vector<row_kind const*> all;
        for (auto const& k : survey_.kinds) all.push_back(&k);
        std::ranges::stable_sort(all, [](auto const* a, auto const* b) {
            return a->type.empty() != b->type.empty() ? b->type.empty() : a->rows > b->rows;
        });
        return all;
    }

    void add(row_kind const& k) {
        if (k.type.find('\0') != std::string::npos)
            return warn(left_out(k.rows, " whose type holds the character U+0000") + ", because no schema can name it");
        auto names = names_;
        auto const name = choose_name(names, k);
        auto entity = infer(k, name);
        if (auto const why = refusal_of(entity); !why.empty()) entity = infer_with_plain_keys(k, name, why);
        if (auto const why = refusal_of(entity); !why.empty())
            return warn(left_out(k.rows, " of " + name) + ", because the generator refuses the entity: " + why);
        for (auto const& other : made_.schema.entities)
            if (are_alike(entity, other))
                return warn(left_out(k.rows, " like that of the keys '" + k.examples.front().partition_key + "', '" +
                                                 k.examples.front().row_key + "'") +
                            ", because nothing tells such rows from those of " + other.id.text +
                            "; if a property does, give it as --type-property");
        if (is_wide(k))
            warn("the rows of " + name +
                 " are parts of wide entities, which a schema cannot declare; a wide_table reads " +
                 "each entity as one value");
        names_ = std::move(names);
        if (how_.enums) add_enums(entity, k);
        made_.schema.entities.push_back(std::move(entity));
    }

    std::string choose_name(member_names& names, row_kind const& k) const {
        auto const is_entity = [](auto const& each) { return each.indexed.empty(); };
        bool const one = std::ranges::count_if(survey_.kinds, is_entity) == 1;
        auto const word = kind_word_of(k);
        auto const wanted = one && !how_.name.empty()                 ? how_.name
                            : word.empty() || (one && k.type.empty()) ? name_of_rows(survey_.table)
                            : how_.name.empty()                       ? word
                                                                      : how_.name + "_" + word;
        auto name = names.choose(wanted);
        while (names.is_taken(name + "_repository")) name = names.choose(wanted);
        names.take(name + "_repository");
        return name;
    }

    /// The entity with its indexes, as far as they are understood.
    codegen::entity infer(row_kind const& k, std::string const& name) {
        std::vector<index_shape> shapes;
        std::set<row_kind const*> described;
        for (auto const& index : survey_.kinds) {
            if (!survey_.complete || index.indexed.empty() || index.indexed != owner_name(k)) continue;
            auto shape = find_index_shape(index, k);
            if (!shape) continue;
            shapes.push_back(*std::move(shape));
            described.insert(&index);
        }
        std::vector<std::string> warnings;
        auto entity = infer_entity(survey_, k, name, shapes, warnings);
        if (!shapes.empty() && !(is_accepted(entity) && has_names(entity, shapes)))
            entity = infer_entity(survey_, k, name, {}, warnings = {});
        if (!entity.indexes.empty()) described_.merge(described);
        made_.warnings.insert(made_.warnings.end(), warnings.begin(), warnings.end());
        return entity;
    }

    static std::string const& owner_name(row_kind const& k) { return k.type.empty() ? k.beginning : k.type; }

    /// True if the generator takes the entity by itself.
    static bool is_accepted(codegen::entity const& e, std::vector<codegen::enumeration> const& enums = {}) {
        return refusal_of(e, enums).empty();
    }

    /// Why the generator does not take the entity by itself; empty if it does.
    static std::string refusal_of(codegen::entity const& e, std::vector<codegen::enumeration> const& enums = {}) {
        codegen::schema alone;
        alone.space.text = "alone";
        alone.entities.push_back(e);
        alone.enums = enums;
        codegen::fault_list faults;
        static_cast<void>(codegen::read_schema(codegen::write_schema(alone), faults));
        return faults.empty() ? std::string{} : faults.sorted().front().text;
    }

    /// The entity with keys of text, for keys whose parts the generator refuses.
    codegen::entity infer_with_plain_keys(row_kind const& k, std::string const& name, std::string const& why) {
        warn("the keys of " + name + " are read as text, because the generator refuses their parts: " + why);
        row_kind plain{k.type, k.beginning, k.indexed, k.rows, k.empty_partition, k.empty_row, k.properties};
        plain.more_properties = k.more_properties;
        plain.keys = plain_key_shapes(k.beginning);
        std::vector<std::string> repeated;
        return infer_entity(survey_, plain, name, {}, repeated);
    }

    /// True if the members of the row key have the names of properties in rows of indexes.
    static bool has_names(codegen::entity const& e, std::vector<index_shape> const& shapes) {
        for (auto const& s : shapes)
            for (std::size_t i = 0; i < s.row_key.size(); ++i) {
                auto const* const p = codegen::find_property(e, e.row_key.parts[i].member.text);
                if (p != nullptr && stored_name(*p) != s.row_key[i].property) return false;
            }
        return true;
    }

    static bool is_wide(row_kind const& k) {
        return std::ranges::find(k.properties, detail::stamp_names[1].view(), &property_values::name) !=
               k.properties.end();
    }

    static std::string const& stored_name(codegen::property const& p) {
        return p.stored_as.empty() ? p.id.text : p.stored_as.text;
    }

    void leave_out_index(row_kind const& k) {
        warn(left_out(k.rows, " of the index '" + k.beginning + "' of " + k.indexed) +
             "; declare the index, or what programs write with this schema is not in it");
    }

    void add_enums(codegen::entity& e, row_kind const& k) {
        for (auto const& values : k.properties) {
            auto const p =
                std::ranges::find_if(e.properties, [&](auto const& each) { return stored_name(each) == values.name; });
            if (p == e.properties.end() || p->type.text != "string" || !is_plain_in_keys(e, p->id.text)) continue;
            if (auto found = find_enum_of(values, {})) add_enum(e, *p, *std::move(found));
        }
    }

    /// A text that the generator does not take as an enum, such as one in the key of an index, stays a text.
    void add_enum(codegen::entity& e, codegen::property& p, codegen::enumeration found) {
        auto const as_text = p;
        found.id.text = names_.choose(p.id.text == e.id.text ? e.id.text + "_value" : e.id.text + "_" + p.id.text);
        p.type.text = found.id.text;
        p.description.clear();
        made_.schema.enums.push_back(std::move(found));
        if (is_accepted(e, made_.schema.enums)) return;
        made_.schema.enums.pop_back();
        p = as_text;
    }

    /// True if each key holds the member's text as it is, or not at all.
    static bool is_plain_in_keys(codegen::entity const& e, std::string const& member) {
        auto const is_plain = [&](codegen::key_part const& p) {
            return p.member.text != member || (p.form == codegen::part_form::plain && !p.descending);
        };
        return std::ranges::all_of(e.partition_key.parts, is_plain) && std::ranges::all_of(e.row_key.parts, is_plain) &&
               std::ranges::all_of(e.indexes,
                                   [&](auto const& i) { return std::ranges::all_of(i.key.parts, is_plain); });
    }

    table_survey const& survey_;
    inference_options const& how_;
    member_names names_{true};
    std::set<row_kind const*> described_{};  ///< the indexes that entities have
    inference made_{};
};

}  // namespace

inference infer_schema(table_survey const& survey, inference_options const& how) {
    return schema_inference{survey, how}.run();
}

}  // namespace tablemap::inspect
