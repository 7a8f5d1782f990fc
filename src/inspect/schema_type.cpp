// SPDX-License-Identifier: Apache-2.0
#include "inspect/schema_type.hpp"

#include "tablemap/detail/mapping/read_row.hpp"
#include "tablemap/mapping/dynamic.hpp"
#include "tablemap/mapping/variant.hpp"

#include "codegen/check.hpp"
#include "mapping/known_columns.hpp"

#include <algorithm>
#include <utility>

namespace tablemap::inline v0_1::inspect {
namespace {

namespace gen = codegen;

detail::part_options options_of(gen::key_part const& p) {
    detail::part_options o{.descending = p.descending,
                           .also_stored = p.also_stored,
                           .generated = p.generated,
                           .may_be_empty = p.may_be_empty};
    if (p.form == gen::part_form::width) o.width = static_cast<std::size_t>(p.low);
    o.has_range = p.form == gen::part_form::range;
    if (o.has_range) o.low = static_cast<std::uint64_t>(p.low), o.high = static_cast<std::uint64_t>(p.high);
    o.ordered = p.form == gen::part_form::ordered;
    o.escaped = p.form == gen::part_form::escaped;
    return o;
}

/// The layout that `part<&T::member>` with the modifiers of the schema has.
detail::part_layout layout_of(gen::key_part const& p, schema_value const& v) {
    auto layout = detail::lay_out(v.plain, options_of(p));
    layout.name = p.member.text;
    layout.ops = v.key_ops;
    if (p.form == gen::part_form::hashed) {
        layout.form = detail::part_form::hashed;
        layout.width = detail::hash_key_length;
    } else if (p.form == gen::part_form::spread) {
        layout.form = detail::part_form::bucket;
        layout.buckets = static_cast<std::uint64_t>(p.low);
        layout.width = detail::count_digits(layout.buckets - 1);
    }
    return layout;
}

std::size_t place_of(gen::entity const& e, std::string const& member) {
    auto const found = std::ranges::find(e.properties, member, [](auto const& p) { return p.id.text; });
    return static_cast<std::size_t>(found - e.properties.begin());
}

/// True if no row is written with this key while it is empty.
bool must_have_text(std::vector<detail::part_layout> const& parts) {
    auto const is_literal = [](auto const& p) { return p.kind == detail::part_kind::literal; };
    return !std::ranges::all_of(parts, is_literal) && std::ranges::none_of(parts, &detail::part_layout::may_be_empty);
}

bool is_extras(schema_value const& v) { return !v.ops && v.object; }

discriminator_t discriminator_of(gen::entity const& e) {
    if (!e.discriminator) return {};
    return {e.discriminator->property.text, e.discriminator->value.text};
}

/// The addresses of the members as `fill_all_slots` lists them.
void fill_members(void* object, void** out, bool) {
    out[0] = object;
    std::ranges::copy(*static_cast<std::vector<void*> const*>(object), out + 1);
}

/// Only the reader compares the discriminator's text.
constexpr detail::value_ops tag_ops{edm_type::string};

}  // namespace

schema_type::schema_type(gen::schema const& s, gen::entity const& e) : entity_(e) {
    for (auto const& p : e.properties) values_.push_back(make_value(s, p.type.text));
    for (auto const& v : values_) members_.push_back(v.object.get());
    add_parts(e.partition_key, partition_);
    add_parts(e.row_key, row_);
    mark_members();
    add_columns();
    row_prefix_ = gen::leading_text(e.row_key);
    for (auto const& i : e.indexes) prefixes_.push_back(gen::leading_text(i.key));
    index_prefixes_.assign(prefixes_.begin(), prefixes_.end());
    type_.columns = {table_.data(), table_.size()};
    type_.text = text_.data();
    type_.slots = members_.size() + 1;
    type_.unknown = e.refuse_unknown_columns ? unknown_columns::refused : unknown_columns::ignored;
    type_.discriminator = discriminator_of(e);
    type_.row_prefix = row_prefix_;
    type_.index_prefixes = {index_prefixes_.data(), index_prefixes_.size()};
    type_.partition_parts = {partition_.data(), partition_.size()};
    type_.row_parts = {row_.data(), row_.size()};
    type_.key_fields = {key_fields_.data(), key_fields_.size()};
    type_.version = e.versions ? static_cast<int>(e.versions->current) : 1;
    type_.fill = &fill_members;
    index_tag_ = std::string{type_.discriminator.type} + std::string{detail::index_tag_suffix};
}

schema_type::~schema_type() { detail::forget_columns(); }

void schema_type::add_parts(gen::key const& k, std::vector<detail::part_layout>& to) {
    for (auto const& p : k.parts) {
        auto const field = p.is_literal() ? values_.size() : place_of(entity_, p.member.text);
        to.push_back(p.is_literal() ? detail::literal_layout(p.literal) : layout_of(p, values_[field]));
        key_fields_.push_back(p.is_literal() ? detail::no_field : static_cast<std::uint16_t>(field));
    }
    detail::join_layouts(to.data(), to.size());
}

/// Finds out which members are read from the keys.
void schema_type::mark_members() {
    std::vector<detail::part_layout const*> parts;
    for (auto const* key : {&partition_, &row_})
        for (auto const& p : *key) parts.push_back(&p);
    uses_.resize(values_.size());
    detail::mark_key_uses(parts.data(), parts.size(), key_fields_.data(), uses_.data());
}

void schema_type::add_columns() {
    detail::column_writer counting;
    write_columns(counting);
    columns_.clear();
    table_.resize(counting.count.columns);
    text_.resize(counting.count.text);
    detail::column_writer writing{.columns = table_.data(), .text = text_.data()};
    write_columns(writing);
    type_.extras_slot = writing.extras_slot;
    type_.extras_field = writing.extras_field;
}

void schema_type::write_columns(detail::column_writer& to) {
    if (auto const tag = discriminator_of(entity_).property; !tag.empty())
        to.add({nullptr, tag}, tag_ops, 0, false, false);
    for (std::size_t i = 0; i < values_.size(); ++i) {
        to.field = static_cast<std::uint16_t>(i);
        add_column(i, to);
    }
}

void schema_type::add_column(std::size_t field, detail::column_writer& to) {
    auto const& p = entity_.properties[field];
    auto const& v = values_[field];
    auto const slot = field + 1;
    if (p.ignored || uses_[field] == detail::key_use::alone) return;
    if (is_extras(v)) {
        to.extras_slot = static_cast<std::uint16_t>(slot);
        to.extras_field = to.field;
        return;
    }
    bool const copied = uses_[field] == detail::key_use::copied;
    bool const required = p.required || uses_[field] == detail::key_use::hidden;
    bool const read = v.ops && !p.encrypted && !copied;
    auto const& ops = v.ops && !p.encrypted ? *v.ops : tag_ops;
    detail::name_chain const name{nullptr, p.stored_as.empty() ? p.id.text : p.stored_as.text};
    auto const add = [&](std::string stored, detail::name_chain const& chain) {
        to.add(chain, ops, slot, required, read);
        columns_.push_back({&p, std::move(stored), v.ops, v.object.get(), copied, required});
    };
    if (!p.series) add(std::string{name.name}, name);
    for (std::size_t i = 0; p.series && i < static_cast<std::size_t>(*p.series); ++i) {
        detail::element_digits const digits{i, detail::storage::series};
        add(std::string{name.name} + '_' + std::string{digits.view()}, {&name, digits.view()});
    }
    if (p.blind_index) to.add({&name, detail::blind_index_suffix}, tag_ops, slot, false, false);
}

schema_column const* schema_type::find_column(std::string_view name) const noexcept {
    auto const found = std::ranges::find(columns_, name, [](auto const& c) { return std::string_view{c.name}; });
    return found == columns_.end() ? nullptr : &*found;
}

int schema_type::version_of(dynamic_entity const& row) const {
    if (!tag().empty()) {
        auto const* const text = row.try_get<std::string>(tag());
        auto const version = text ? detail::version_in(*text, type_.discriminator.type) : 0;
        // As readers do: a type that has only one version leaves others to types whose text is that.
        return version > 1 && type_.version == 1 ? 0 : version;
    }
    bool const is_one =
        has_literals(type_.partition_parts, row.partition_key) && has_literals(type_.row_parts, row.row_key);
    return is_one ? 1 : 0;
}

bool schema_type::has_index_row(dynamic_entity const& row) const {
    std::array<detail::row_type const*, 1> const types{&type_};
    return detail::is_key_of_index(types, row.row_key) && (tag().empty() || is_tagged_as_index(row));
}

bool schema_type::is_tagged_as_index(dynamic_entity const& row) const {
    auto const* const text = tag().empty() ? nullptr : row.try_get<std::string>(tag());
    return text && detail::version_in(*text, index_tag_) > 0;
}

result<void> schema_type::read(dynamic_entity const& row) {
    auto body = detail::body_of(row);
    etag no_etag;
    ticks no_time;
    bool outdated = false;
    std::array<detail::row_type const*, 1> const types{&type_};
    return detail::read_row(body, {&members_, &detail::emplace_nothing, &no_etag, &no_time, &outdated}, types, {});
}

result<void> schema_type::read_keys(dynamic_entity const& row) {
    return detail::read_keys_into(type_, &members_, row.partition_key, row.row_key);
}

std::string_view schema_type::empty_key(dynamic_entity const& row) const noexcept {
    if (row.partition_key.empty() && must_have_text(partition_)) return "partition key";
    return row.row_key.empty() && must_have_text(row_) ? "row key" : std::string_view{};
}

bool schema_type::makes_other_keys(dynamic_entity const& row) const {
    std::string partition_key, row_key;
    if (!detail::encode_keys(type_, static_cast<void const*>(&members_), partition_key, row_key)) return true;
    return partition_key != row.partition_key || row_key != row.row_key;
}

}  // namespace tablemap::inspect
