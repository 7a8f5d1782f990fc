// SPDX-License-Identifier: Apache-2.0
#include "inspect/schema_check.hpp"

#include "base/ascii.hpp"
#include "inspect/schema_type.hpp"
#include "inspect/sealed_form.hpp"
#include "inspect/stored_types.hpp"
#include "patterns/companion_kinds.hpp"
#include "tablemap/detail/mapping/legacy_encryption.hpp"
#include "tablemap/edm/names.hpp"

#include "codegen/front_end.hpp"
#include "codegen/types.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <set>
#include <utility>

namespace tablemap::inline v0_1::inspect {
namespace {

namespace gen = codegen;

constexpr std::size_t longest_tag_shown = 60;
constexpr std::size_t most_types_named = 20;

gen::schema read_whole(std::string_view json, std::string_view file) {
    gen::fault_list faults;
    auto s = gen::read_schema(json, faults);
    if (faults.empty()) return s;
    auto text = gen::describe(faults.sorted(), file);
    if (!text.empty()) text.pop_back();
    throw schema_fault{"the schema has errors:\n" + text};
}

bool is_named(std::vector<std::string> const& names, gen::entity const& e) {
    return std::ranges::find(names, e.id.text) != names.end();
}

void require_names(gen::schema const& s, std::vector<std::string> const& names) {
    std::vector<std::string_view> known;
    for (auto const& e : s.entities) known.push_back(e.id.text);
    for (auto const& n : names)
        if (std::ranges::find(known, n) == known.end())
            throw schema_fault{"the schema has no entity " + gen::in_quotes(n) + gen::suggestion(n, known)};
}

std::vector<gen::entity const*> entities_for(gen::schema const& s, std::string const& table,
                                             std::vector<std::string> const& names) {
    require_names(s, names);
    std::vector<gen::entity const*> of_table, without_table;
    for (auto const& e : s.entities) {
        if (is_named(names, e) || detail::equal_ignoring_case(e.table.text, table)) of_table.push_back(&e);
        if (e.table.empty()) without_table.push_back(&e);
    }
    if (!of_table.empty()) return of_table;
    if (!without_table.empty()) return without_table;
    throw schema_fault{"no entity of the schema is in the table " + table + "; name one with --entity"};
}

/// Splits a reason into what is wrong and what to do.
void set_reason(drift& d, std::string const& reason) {
    auto const at = reason.find("; ");
    d.what = reason.substr(0, at);
    if (at != std::string::npos) d.remedy = reason.substr(at + 2);
}

std::string_view rule_of(std::error_code code) {
    if (code == library_errc::type_mismatch) return "types";
    if (code == library_errc::missing_property) return "missing";
    if (code == library_errc::unknown_property) return "unknown_property";
    if (code == library_errc::unreadable_key) return "keys";
    return "values";
}

std::string cut(std::string const& text) {
    return text.size() > longest_tag_shown ? gen::in_quotes(text) : "'" + text + "'";
}

drift note(std::string_view rule, std::string entity, std::string member, std::string what) {
    return {.level = drift_level::note,
            .rule = rule,
            .entity = std::move(entity),
            .member = std::move(member),
            .what = std::move(what)};
}

drift fault(std::string_view rule, std::string entity, std::string member, std::string what, std::string remedy = {}) {
    auto d = note(rule, std::move(entity), std::move(member), std::move(what));
    d.level = drift_level::error;
    d.remedy = std::move(remedy);
    return d;
}

std::string holds_other_type(std::string const& what, property_value const& stored, edm_type expected) {
    return what + " holds " + std::string{edm_name(type_of(stored))} + " where " + std::string{edm_name(expected)} +
           " is expected";
}

/// The rows that have a property, by its type.
class type_count {
public:
    void add(edm_type t) { ++rows_[static_cast<std::size_t>(t)]; }

    std::uint64_t total() const { return std::accumulate(rows_.begin(), rows_.end(), std::uint64_t{}); }

    /// True if no converter reads all of the values. One that stores an Edm.Int64 or Edm.Double reads an Edm.Int32 as
    /// well.
    bool has_several() const {
        auto const types = std::ranges::count_if(rows_, [](auto n) { return n > 0; });
        bool const widened = of(edm_type::int32) > 0 && of(edm_type::int64) + of(edm_type::real) > 0;
        return types - (widened ? 1 : 0) > 1;
    }

    std::string text() const { return text_of(rows_); }

private:
    std::uint64_t of(edm_type t) const { return rows_[static_cast<std::size_t>(t)]; }

    rows_by_type rows_{};
};

/// The checks of one entity.
class entity_check {
public:
    entity_check(gen::schema const& s, gen::entity const& e, drift_list& to)
        : schema_(s), type_(s, e), drifts_(to), present_(type_.columns().size()) {
        count_.name = e.id.text;
    }

    schema_type const& type() const noexcept { return type_; }

    void add(dynamic_entity const& row, int version) {
        ++count_.rows;
        if (version == type_.current_version()) return add_current(row);
        if (version < type_.current_version()) return add_older(row, version);
        ++count_.unreadable;
        drifts_.add(fault("versions", count_.name, {},
                          "the row has version " + std::to_string(version) + " and the schema knows version " +
                              std::to_string(type_.current_version()),
                          "use the newer schema"),
                    row);
    }

    checked_entity finish() {
        for (std::size_t i = 0; i < present_.size(); ++i) note_column(type_.columns()[i], present_[i]);
        return count_;
    }

private:
    std::string const& name() const { return count_.name; }
    static std::string const& member_of(schema_column const& c) { return c.property->id.text; }

    /// Rows that an older client encrypted have two properties more, and binary values.
    void add_current(dynamic_entity const& row) {
        ++current_;
        bool const legacy = row.find(detail::legacy_metadata1) != nullptr;
        auto without = legacy ? row : dynamic_entity{};
        without.erase(detail::legacy_metadata1), without.erase(detail::legacy_metadata2);
        auto const& to_read = legacy ? without : row;
        bool bad = check_sealed(row, legacy);
        if (auto const r = type_.read(to_read); !r)
            add_faults(r.error(), row), bad = true;
        else
            check_copies(to_read), check_keys(to_read);
        count_.unreadable += bad ? 1 : 0;
        count_properties(to_read);
    }

    void add_older(dynamic_entity const& row, int version) {
        ++count_.older;
        drifts_.add(note("versions", name(), {},
                         "only the keys of rows of version " + std::to_string(version) +
                             " were checked, because the program upgrades them"),
                    row);
        auto const r = type_.read_keys(row);
        if (r) return;
        ++count_.unreadable;
        add_key_fault(r.error().member(), r.error().details().reason, row);
    }

    void add_key_fault(std::string const& member, std::string const& reason, dynamic_entity const& row) {
        drifts_.add(fault("keys", name(), member, reason, "erase the rows, or change the key in the schema"), row);
    }

    void add_faults(error const& e, dynamic_entity const& row) {
        for (auto const& f : e.faults()) add_fault(f, row);
        if (e.faults().empty()) add_key_fault(e.member(), e.details().reason, row);
    }

    void add_fault(property_fault const& f, dynamic_entity const& row) {
        if (f.code == library_errc::unreadable_key) return add_key_fault(f.property, f.reason, row);
        auto const* const column = type_.find_column(f.property);
        auto d = fault(rule_of(f.code), name(), column ? member_of(*column) : f.property, {});
        if (f.code == library_errc::missing_property)
            d.what = "the property is missing", d.remedy = f.reason;
        else if (f.code == library_errc::unknown_property)
            d.what = "the schema does not have the property", d.remedy = f.reason;
        else if (!f.found.empty())
            d.what = "it holds " + f.found + " where " + f.expected + " is expected", d.remedy = f.reason;
        else
            set_reason(d, f.reason);
        if (d.what.empty()) d.what = f.code.message();
        if (column && f.code == library_errc::value_out_of_range) set_remedy(d, *column->property);
        drifts_.add(std::move(d), row);
    }

    /// Of a value that the type does not hold. The library's own remedies have the words of C++, not of the schema.
    void set_remedy(drift& d, gen::property const& p) const {
        auto const kind = gen::find_type(schema_, p.type.text).kind;
        if (kind == gen::type_kind::integer)
            d.remedy = "give the member a type that holds the number, or rewrite the rows";
        else if (kind == gen::type_kind::time)
            d.remedy = "give the member the type datetime, or rewrite the rows";
    }

    /// True if a value is not encrypted as its member says.
    bool check_sealed(dynamic_entity const& row, bool legacy) {
        bool bad = false;
        for (auto const& c : type_.columns()) {
            if (!c.property->encrypted) continue;
            auto const* const value = row.find(c.name);
            if (!value || (legacy && is_bytes(*value))) continue;
            auto const wrong = find_fault_of_sealed(*value, c.ops ? std::optional{c.ops->type} : std::nullopt);
            if (wrong.empty()) continue;
            drifts_.add(fault("encryption", name(), member_of(c), wrong, "write the rows anew"), row);
            bad = true;
        }
        return bad;
    }

    static bool is_bytes(property_value const& v) { return std::holds_alternative<bytes>(v); }

    void check_copies(dynamic_entity const& row) {
        for (auto const& c : type_.columns())
            if (auto const* const value = c.is_copy ? row.find(c.name) : nullptr)
                if (auto const what = difference(c, *value); !what.empty())
                    drifts_.add(fault("copies", name(), member_of(c), what, "replace the rows"), row);
    }

    /// The difference between the property and its member, which the key gives; empty if there is none.
    static std::string difference(schema_column const& c, property_value const& stored) {
        if (type_of(stored) != c.ops->type) return holds_other_type("the property", stored, c.ops->type);
        return is_equal(c, stored) ? std::string{} : "the property has another value than the key";
    }

    void check_keys(dynamic_entity const& row) {
        if (auto const key = type_.empty_key(row); !key.empty())
            drifts_.add(fault("keys", name(), {},
                              "the " + std::string{key} + " is empty, and the struct cannot write such a row",
                              "make a part of the key may_be_empty in the schema, or erase the rows"),
                        row);
        else if (type_.makes_other_keys(row))
            drifts_.add(fault("keys", name(), {}, "the members make other keys than the row has",
                              "insert the rows anew, and erase those"),
                        row);
    }

    static bool is_equal(schema_column const& c, property_value const& stored) {
        std::string of_key, of_property;
        detail::value_fault none;
        if (!c.ops->write(of_key, c.object, none)) return false;
        detail::append_any_value(of_property, stored);
        return of_key == of_property;
    }

    void count_properties(dynamic_entity const& row) {
        for (auto const& p : detail::properties_of(row)) {
            auto const* const column = type_.find_column(p.name);
            if (column)
                present_[static_cast<std::size_t>(column - type_.columns().data())].add(type_of(p.value));
            else
                note_unknown(p, row);
        }
    }

    bool keeps_unknown() const {
        return type_.entity().refuse_unknown_columns ||
               std::ranges::any_of(type_.entity().properties, [](auto const& p) { return p.type.text == "extras"; });
    }

    bool is_added(std::string_view property) const {
        auto const is_index_of = [&](schema_column const& c) {
            return c.property->blind_index && property == c.name + "_index";
        };
        return property == type_.tag() || property == operation_id_property ||
               std::ranges::any_of(type_.columns(), is_index_of);
    }

    void note_unknown(property const& p, dynamic_entity const& row) {
        if (keeps_unknown() || is_added(p.name)) return;
        drifts_.add(note("unknown_property", name(), p.name, "the schema does not have the property, which is ignored"),
                    row);
    }

    void note_column(schema_column const& c, type_count const& present) {
        if (current_ == 0) return;
        if (!c.ops && !c.property->encrypted) note_converter(*c.property, present);
        if (!c.is_required && !c.property->series) note_absent(*c.property, present.total());
    }

    void note_converter(gen::property const& p, type_count const& present) {
        drifts_.add(note("converters", name(), p.id.text,
                         "values were not checked, because only the program has the converter of " + p.type.text));
        if (present.has_several())
            drifts_.add(fault("types", name(), p.id.text,
                              "it has several types, of which its converter reads one: " + present.text(),
                              "rewrite the rows of the others"));
    }

    void note_absent(gen::property const& p, std::uint64_t present) {
        auto const lacking = current_ - present;
        if (present == 0)
            drifts_.add(note("missing", name(), p.id.text, "no row has the property"));
        else if (lacking > 0 && !p.nullable)
            drifts_.add(note("missing", name(), p.id.text,
                             rows_text(lacking) + (lacking == 1 ? " lacks" : " lack") +
                                 " the property, and the member keeps its default"));
    }

    gen::schema const& schema_;
    schema_type type_;
    drift_list& drifts_;
    checked_entity count_{};
    std::uint64_t current_ = 0;        ///< rows of the current version
    std::vector<type_count> present_;  ///< by column
};

}  // namespace

struct checked_schema::content {
    gen::schema schema;
};

checked_schema::checked_schema(std::string_view json, std::string_view file)
    : content_(std::make_shared<content const>(content{read_whole(json, file)})) {}

bool checked_schema::has_table(std::string_view table) const {
    return std::ranges::any_of(content_->schema.entities,
                               [&](auto const& e) { return detail::equal_ignoring_case(e.table.text, table); });
}

std::vector<std::string> checked_schema::tables() const {
    std::vector<std::string> all;
    for (auto const& e : content_->schema.entities)
        if (!e.table.empty() && !detail::any_equal_ignoring_case(all, e.table.text)) all.push_back(e.table.text);
    return all;
}

bool schema_report::has_error() const noexcept {
    return std::ranges::any_of(drifts, [](auto const& d) { return d.level == drift_level::error; });
}

class schema_check::implementation {
public:
    implementation(checked_schema schema, std::string const& table, std::vector<std::string> const& names)
        : schema_(std::move(schema)) {
        auto const& all = schema_.content_->schema;
        for (auto const* e : entities_for(all, table, names))
            entities_.push_back(std::make_unique<entity_check>(all, *e, drifts_));
    }

    void add(dynamic_entity const& row) {
        ++report_.rows;
        drifts_.begin_row();
        if (!companion_kind(row.row_key).empty())
            ++report_.companions;
        else if (is_index_row(row))
            ++report_.index_rows;
        else if (auto const [entity, version] = find(row); entity)
            entity->add(row, version);
        else
            add_unclaimed(row);
    }

    schema_report finish() {
        for (auto& e : entities_) {
            report_.entities.push_back(e->finish());
            for (auto const& c : e->type().columns()) report_.properties.insert(c.name);
        }
        report_.left_out = drifts_.left_out();
        report_.drifts = std::move(drifts_).take();
        return std::move(report_);
    }

private:
    bool is_index_row(dynamic_entity const& row) const {
        return std::ranges::any_of(entities_, [&](auto const& e) { return e->type().has_index_row(row); });
    }

    /// The entity of a row and the row's version; null for a row of none. Of those with a discriminator, one whose text
    /// the row has comes before one of which the row is another version; of those that the keys tell apart, the one
    /// with the longer beginning.
    std::pair<entity_check*, int> find(dynamic_entity const& row) const {
        std::pair<entity_check*, int> by_tag{}, by_keys{};
        for (auto const& e : entities_) {
            auto const version = e->type().version_of(row);
            if (version == 0) continue;
            bool const tagged = !e->type().tag().empty();
            if (tagged && version == 1) return {e.get(), version};
            if (tagged && !by_tag.first) by_tag = {e.get(), version};
            if (!tagged && (!by_keys.first || begins_longer(*e, *by_keys.first))) by_keys = {e.get(), version};
        }
        return by_tag.first ? by_tag : by_keys;
    }

    static bool begins_longer(entity_check const& a, entity_check const& b) {
        return a.type().beginning().size() > b.type().beginning().size();
    }

    void add_unclaimed(dynamic_entity const& row) {
        ++report_.unclaimed;
        for (auto const& e : entities_)
            if (e->type().is_tagged_as_index(row))
                return drifts_.add(fault("no_entity", e->type().entity().id.text, {},
                                         "the row is of an index that the schema does not declare",
                                         "declare the index of the entity"),
                                   row);
        drifts_.add(unclaimed(row), row);
    }

    drift unclaimed(dynamic_entity const& row) {
        for (auto const& e : entities_) {
            std::string const tag{e->type().tag()};
            if (tag.empty()) continue;
            auto const* const value = row.find(tag);
            return value ? unclaimed(tag, *value)
                         : of_no_entity("the row lacks the property " + tag + ", a text that names its entity");
        }
        return of_no_entity("the keys are those of no entity");
    }

    drift unclaimed(std::string const& tag, property_value const& value) {
        if (auto const* const text = std::get_if<std::string>(&value))
            return of_no_entity("the property " + tag + named_type(*text) + " names no entity");
        return of_no_entity(holds_other_type("the property " + tag, value, edm_type::string) +
                                ", which names the entity",
                            "rewrite the rows, or erase them");
    }

    static drift of_no_entity(std::string what,
                              std::string remedy = "erase the rows, or add their entity to the schema") {
        return fault("no_entity", {}, {}, std::move(what), std::move(remedy));
    }

    /// Of many types the first ones are named, so that they leave room for what else differs.
    std::string named_type(std::string const& type) {
        auto shown = cut(type);
        if (!types_named_.contains(shown) && types_named_.size() == most_types_named) return {};
        types_named_.insert(shown);
        return ", " + shown + ",";
    }

    checked_schema schema_;
    drift_list drifts_{};
    std::vector<std::unique_ptr<entity_check>> entities_{};
    std::set<std::string> types_named_{};
    schema_report report_{};
};

schema_check::schema_check(checked_schema schema, std::string const& table, std::vector<std::string> const& names)
    : impl_(std::make_unique<implementation>(std::move(schema), table, names)) {}
schema_check::schema_check(schema_check&&) noexcept = default;
schema_check& schema_check::operator=(schema_check&&) noexcept = default;
schema_check::~schema_check() = default;

void schema_check::add(dynamic_entity const& row) { impl_->add(row); }
schema_report schema_check::finish() { return impl_->finish(); }

}  // namespace tablemap::inspect
