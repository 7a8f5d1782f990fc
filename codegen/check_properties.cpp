// SPDX-License-Identifier: Apache-2.0
#include "check.hpp"
#include "types.hpp"
#include "vocabulary.hpp"

#include <tablemap/edm/limits.hpp>
#include <tablemap/edm/names.hpp>

#include <algorithm>
#include <map>

namespace tablemap::codegen {
namespace {

/// The checks of one property.
class property_check {
public:
    property_check(schema const& s, entity const& e, property const& p, fault_list& faults)
        : entity_(e), property_(p), type_(find_type(s, p.type.text)), schema_(s), faults_(faults) {}

    void run() {
        check_identifier(property_.id, "a property", faults_);
        if (property_.id.text == entity_.id.text)
            refuse("a member cannot have the name of its struct; choose another name and give this one as \"name\"");
        check_type();
        check_flags();
        check_series();
        check_key_use();
        check_default();
    }

private:
    void refuse(std::string const& why) { faults_.add(property_.id.at, in_quotes(property_.id.text) + ": " + why); }

    void check_type() {
        if (property_.type.empty()) return;
        if (type_.kind == type_kind::unknown || is_optional_type(property_.type.text)) {
            auto known = words().types;
            for (auto const& e : schema_.enums) known.push_back(e.id.text);
            faults_.add(property_.type.at, "there is no type " + in_quotes(property_.type.text) +
                                               suggested_type(property_.type.text, known));
        } else if (type_.kind == type_kind::cpp) {
            check_qualified(property_.type, "a type", faults_);
            check_own_type();
        }
        auto const& p = property_;
        bool const plain = !p.nullable && !p.required && !p.encrypted && !p.series && !p.ignored && p.stored_as.empty();
        if (type_.kind == type_kind::extras && !plain)
            refuse("extras keep all unknown columns as they are, so nothing else can be said of them; leave it out");
    }

    /// A type of the program must not be one that the schema language or the schema has a word for.
    void check_own_type() {
        auto const& type = property_.type;
        if (auto const word = find_word(type.text); !word.empty())
            faults_.add(type.at, in_quotes(type.text) + " is the type \"" + std::string{word} +
                                     "\" of the schema language; write that");
        auto const space = schema_.space.empty() ? std::string{} : schema_.space.text + "::";
        for (auto const& e : schema_.entities)
            if (space + e.id.text == type.text)
                faults_.add(type.at, in_quotes(type.text) +
                                         " is an entity, and no property holds one; list its properties here, or refer "
                                         "to it by its key");
        for (auto const& e : schema_.enums)
            if (space + e.id.text == type.text)
                faults_.add(type.at, in_quotes(type.text) + " is an enum of this schema; write \"" + e.id.text + "\"");
    }

    void check_flags() {
        auto const& p = property_;
        if (p.required && p.nullable)
            refuse("a nullable property may be absent, so it cannot be required; leave out one of the two");
        if (p.blind_index && !p.encrypted)
            refuse(
                "only an encrypted property has a blind index; add \"encrypted\": true, or leave out \"blind_index\"");
        if (p.ignored && (p.required || p.encrypted || p.blind_index || !p.stored_as.empty()))
            refuse("an ignored property is not stored, so nothing else can be said of how; leave out the rest");
        if (p.stored_as.empty()) return;
        auto const& n = p.stored_as.text;
        if (!tablemap::detail::is_identifier(n))
            faults_.add(p.stored_as.at, in_quotes(n) +
                                            " cannot be stored as a name: it has letters, digits and underscores, no "
                                            "digit first; change it");
    }

    void check_series() {
        auto const& p = property_;
        if (!p.series) return;
        if (*p.series < 1 || *p.series > static_cast<std::int64_t>(limits::properties))
            refuse("a series has 1 to " + std::to_string(limits::properties) +
                   " elements, since each is one property; spread a longer one over several entities");
        if (p.nullable || p.required)
            refuse("the elements of a series may be absent as they are; leave out \"nullable\" and \"required\"");
        if (p.blind_index) refuse("a series has no blind index, which is of one property; leave out \"blind_index\"");
        if (p.initial) refuse("a series begins empty; leave out \"default\"");
    }

    void check_key_use() {
        auto const& p = property_;
        if (!is_in_key_alone(entity_, p.id.text)) return;
        if (!p.stored_as.empty() || p.required || p.ignored)
            refuse(
                "it is stored in the key alone, so \"name\", \"required\" and \"ignored\" say nothing; leave them out, "
                "or add \"also_stored\": true to its part of the key");
    }

    void check_default() {
        auto const& p = property_;
        if (!p.initial || p.series) return;
        if (p.nullable) {
            faults_.add(p.initial->at, in_quotes(p.id.text) + ": an absent property would be read as the default of a "
                                                              "nullable one; leave out one of the two");
            return;
        }
        bool const is_known = type_.kind != type_kind::unknown && (!type_.declared || !type_.declared->values.empty());
        std::string expected;
        if (!is_known || !cpp_literal(type_, p.initial->what, expected).empty()) return;
        if (expected.empty())
            faults_.add(p.initial->at,
                        in_quotes(p.id.text) + ": there are no literals of its type; leave out \"default\"");
        else
            faults_.add(p.initial->at, "found " + describe(p.initial->what) + " where the default of " +
                                           in_quotes(p.id.text) + ", " + expected + " is expected");
    }

    entity const& entity_;
    property const& property_;
    type_info type_;
    schema const& schema_;
    fault_list& faults_;
};

/// Checks that no two columns have one name, and that the store takes each.
class column_check {
public:
    explicit column_check(fault_list& faults) : faults_(faults) {}

    /// Adds a column. `of` is its content.
    void add(std::string const& column, place at, std::string const& of) {
        if (tablemap::detail::is_system_name(column) || column == operation_id_property)
            faults_.add(at, in_quotes(column) +
                                " belongs to the service or to tablemap; rename the property, or store it under "
                                "another \"name\"");
        else if (column.size() > limits::property_name_units)
            faults_.add(at,
                        of + " is stored as " + in_quotes(column) + ", a name of " + std::to_string(column.size()) +
                            " characters, and a name has at most 255; shorten it, or give a \"name\" that is shorter");
        else if (auto const [it, added] = columns_.emplace(column, of); !added)
            faults_.add(at, of + " is stored as " + in_quotes(column) + ", which is the column of " + it->second +
                                " already; rename one of them, or give it another \"name\"");
    }

    std::size_t size() const { return columns_.size(); }

private:
    std::map<std::string, std::string> columns_;
    fault_list& faults_;
};

/// The name does not depend on the number of elements, and has at least two digits.
std::string element_column(std::string const& name, std::int64_t at) {
    return name + (at < 10 ? "_0" : "_") + std::to_string(at);
}

void add_columns(column_check& columns, property const& p) {
    auto const& name = p.stored_as.empty() ? p.id : p.stored_as;
    auto const of = in_quotes(p.id.text);
    if (!p.series) columns.add(name.text, name.at, of);
    for (std::int64_t i = 0; p.series && i < *p.series && i < static_cast<std::int64_t>(limits::properties); ++i)
        columns.add(element_column(name.text, i), name.at, of);
    if (p.blind_index) columns.add(name.text + "_index", name.at, "the blind index of " + of);
}

/// The rows of indexes have another row key, so members of the entity's row key are columns there.
bool is_column_of_indexes(entity const& e, property const& p) {
    if (e.indexes.empty()) return false;
    auto const& parts = e.partition_key.parts;
    return std::none_of(parts.begin(), parts.end(), [&](auto const& part) { return part.member.text == p.id.text; });
}

void check_columns(schema const& s, entity const& e, fault_list& faults) {
    column_check columns{faults};
    std::size_t extras = 0;
    for (auto const& p : e.properties) {
        bool const is_extras = find_type(s, p.type.text).kind == type_kind::extras;
        if (is_extras && ++extras > 1)
            faults.add(p.id.at,
                       "one property of type extras keeps all unknown columns; remove " + in_quotes(p.id.text));
        if (p.ignored || is_extras) continue;
        if (!is_in_key_alone(e, p.id.text))
            add_columns(columns, p);
        else if (is_column_of_indexes(e, p))
            columns.add(p.id.text, p.id.at, in_quotes(p.id.text) + " in the rows of indexes");
    }
    if (e.discriminator && !e.discriminator->property.empty())
        columns.add(e.discriminator->property.text, e.discriminator->property.at, "the discriminator");
    if (columns.size() > limits::properties)
        faults.add(e.id.at, in_quotes(e.id.text) + " has " + std::to_string(columns.size()) + " columns" +
                                (e.indexes.empty() ? "" : ", with the members of the row key in the rows of indexes") +
                                ", and an entity has at most " + std::to_string(limits::properties) + "; split it");
}

void check_versions(entity const& e, version_chain const& v, fault_list& faults) {
    if (!e.discriminator || e.discriminator->property.empty())
        faults.add(v.at,
                   "the version stands in the property of the discriminator; add \"discriminator\": {\"property\": "
                   "\"EntityType\", \"value\": \"" +
                       e.id.text + "\"}");
    if (v.current < 1 || v.current > 1000) {
        faults.add(v.at, "versions are numbered from 1 to 1000; correct \"current\"");
        return;
    }
    for (auto const& u : v.upgrades) {
        check_qualified(u.function, "a function", faults);
        if (u.function.text.find("::") == std::string::npos)
            faults.add(u.function.at, in_quotes(u.function.text) +
                                          " has no namespace; write it as in \"contoso::upgrade\", and name the header "
                                          "that declares it in \"include\" of the schema");
        if (u.from < 1 || u.from >= v.current)
            faults.add(u.function.at, "there is an upgrade from version " + std::to_string(u.from) +
                                          ", which is not older than the current one, " + std::to_string(v.current) +
                                          "; remove it");
    }
    for (std::int64_t from = 1; from < v.current; ++from) {
        bool found = false;
        for (auto const& u : v.upgrades) found = found || u.from == from;
        if (!found)
            faults.add(v.at, "rows of version " + std::to_string(from) + " could not be read; add \"" +
                                 std::to_string(from) + "\": the function that makes them rows of the next version");
    }
}

}  // namespace

void check_properties(schema const& s, entity const& e, fault_list& faults) {
    constexpr std::size_t most = 100;  // the most that Boost.PFR can take apart
    if (e.properties.size() > most)
        faults.add(e.id.at, in_quotes(e.id.text) + " has " + std::to_string(e.properties.size()) +
                                " properties, and a struct has at most " + std::to_string(most) + " members; split it");
    for (auto const& p : e.properties) property_check{s, e, p, faults}.run();
    check_columns(s, e, faults);
}

void check_kind(entity const& e, fault_list& faults) {
    if (!e.table.empty() && !check_table_name(e.table.text))
        faults.add(e.table.at, in_quotes(e.table.text) +
                                   " cannot be the name of a table: it has 3 to 63 letters and digits, a letter first; "
                                   "change it");
    auto const* const d = e.discriminator ? &*e.discriminator : nullptr;
    if (d != nullptr && !d->property.empty() && !tablemap::detail::is_identifier(d->property.text))
        faults.add(d->property.at, in_quotes(d->property.text) +
                                       " cannot be the name of a property: it has letters, digits "
                                       "and underscores, no digit first; change it");
    if (d != nullptr && d->property.empty() && !leading_text(e.row_key).starts_with(d->value.text))
        faults.add(d->value.at,
                   "a discriminator without a property stands at the beginning of the row key; begin it with "
                   "\"" +
                       d->value.text + "\", or add \"property\"");
    if (d != nullptr && d->value.text.find('\0') != std::string::npos)
        faults.add(d->value.at, "the value of a discriminator may not hold the character U+0000; change it");
    if (e.versions) check_versions(e, *e.versions, faults);
}

}  // namespace tablemap::codegen
