// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/mapping/encode.hpp"

#include "tablemap/detail/wire/reader.hpp"
#include "tablemap/edm/names.hpp"
#include "tablemap/mapping/property_cipher.hpp"
#include "mapping/plain_value.hpp"

#include <algorithm>

namespace tablemap::inline v0_1::detail {
namespace {

/// An encoded entity this small cannot reach the service's limit, which counts two bytes per character and for the
/// smallest values a little more than their JSON.
constexpr std::size_t surely_small_enough = limits::entity_bytes / 2 - 4 * limits::properties;

std::string reason_of(library_errc code) {
    if (code == library_errc::invalid_text) return "convert the text to UTF-8 before it is stored";
    if (code == library_errc::value_out_of_range)
        return "a time lies between ticks::min() (1601) and ticks::max() (9999); use std::optional<ticks> for one that "
               "may be missing";
    if (code == library_errc::value_too_large)
        return "a string holds at most 32,768 UTF-16 code units and a binary 65,536 bytes; split the value";
    if (code == library_errc::merge_cannot_remove)
        return "the member is empty; replace the entity instead, or merge only<...> the members that hold a value";
    return {};
}

/// Encodes the columns of one object.
class column_encoder {
public:
    column_encoder(row_type const& type, encoded_entity& out, empty_members empty, chosen_columns const* chosen,
                   property_cipher const* cipher)
        : type_(type), out_(out), empty_(empty), chosen_(chosen), cipher_(cipher) {}
    column_encoder(row_type const& type, encoded_state& out, faulty_properties faulty, property_cipher const* cipher)
        : type_(type), out_(out.entity), places_(&out.places), faulty_(faulty), cipher_(cipher) {}

    std::size_t count() const noexcept { return count_; }

    /// The place at which the properties begin, or 0 if a store has to check them: names that are known only at run
    /// time may be there twice.
    std::size_t checked_properties_at() const noexcept { return careful_ || !type_.maps.empty() ? 0 : properties_at_; }

    /// Writes the columns behind the keys, which the entity has. `slots`: the object's.
    result<void> encode(void const* const* slots) {
        slots_ = slots;
        out_.body.clear();
        out_.body.reserve(usual_size());
        begin_entity(out_.body, out_.partition_key, out_.row_key);
        properties_at_ = out_.body.size();
        for (auto const& c : type_.columns)
            if ((!chosen_ || chosen_->has(index_of(c), c)) && !append(c)) return failure{std::move(*error_)};
        for (auto const& m : type_.maps)
            if (is_chosen(m.field) && !append_map(m)) return failure{std::move(*error_)};
        if (type_.extras_slot != 0 && is_chosen(type_.extras_field) &&
            !append_extras(*static_cast<property_bag const*>(static_cast<extras const*>(slots_[type_.extras_slot]))))
            return failure{std::move(*error_)};
        return {};
    }

private:
    /// The kind of a property, beside its name and value.
    struct kind {
        edm_type type{};
        sealing how{};
        bool added = false;  ///< the mapping adds it
        bool mark = false;   ///< never encrypted by a resolver: a discriminator, or a value that keys contain anyway
        bool extra = false;
    };

    /// A body of this size need not grow while it is written if no value is longer than usual.
    std::size_t usual_size() const noexcept {
        constexpr std::size_t head = 64, usual_value = 24;
        auto const keys = head + out_.partition_key.size() + out_.row_key.size();
        if (type_.columns.empty() || chosen_) return keys;
        auto const& last = *(type_.columns.end() - 1);
        return keys + last.text_at + last.text_size + usual_value * type_.columns.size();
    }

    bool is_chosen(std::uint16_t field) const { return !chosen_ || chosen_->fields.test(field); }

    std::size_t index_of(column const& c) const noexcept { return static_cast<std::size_t>(&c - type_.columns.data()); }

    /// Computed properties are no members that a merge was asked to store, and of a series only existing elements are
    /// stored.
    bool may_be_empty(column const& c) const {
        if (chosen_ && chosen_->must_hold.test(index_of(c))) return false;
        return empty_ == empty_members::left_out || c.field == no_field || c.sparse;
    }

    bool refuse(value_fault const& fault, std::string_view property) {
        error_ = property_error(fault, property);
        return false;
    }

    /// Ends a property whose value stands behind its name, in plain bytes if `k.how` says so, unless `fault` says why
    /// it cannot.
    bool end_property(std::size_t begin, std::size_t value_at, bool good, value_fault const& fault,
                      std::string_view name, kind const& k) {
        ++count_;
        if (!good) {
            if (faulty_ == faulty_properties::refused) return refuse(fault, name);
            // Without its colon the property differs from those with any value, also with no plain bytes.
            value_at -= 1;
            out_.body.resize(value_at);
        }
        if (!careful_ && !places_) [[likely]]
            return true;
        auto const how = careful_ ? find_sealing(value_at, name, k) : sealing::none;
        if (good && k.how == sealing::none && how != sealing::none && !make_plain(value_at, name, k.type)) return false;
        if (places_) {
            places_->push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(value_at),
                                static_cast<std::uint32_t>(out_.body.size()), k.type, how, k.added});
            return true;
        }
        return how == sealing::none || seal_last(begin, value_at, name, k.type, how);
    }

    /// The encryption of the value that ends the body. A value that begins like an encrypted one would be taken for
    /// that when it is read, so it is encrypted, too; values of extras stay unchanged.
    sealing find_sealing(std::size_t value_at, std::string_view name, kind const& k) const {
        if (k.how != sealing::none || k.mark || !cipher_) return k.how;
        auto const value = std::string_view{out_.body}.substr(value_at);
        bool const seems_sealed =
            k.type == edm_type::binary && is_sealed_text(value.substr(std::min<std::size_t>(value.size(), 1)));
        if (k.extra && seems_sealed) return sealing::none;
        bool const wanted = seems_sealed || cipher_->wants({out_.partition_key, out_.row_key}, name);
        return wanted ? sealing::sealed : sealing::none;
    }

    /// Puts plain bytes in the place of the JSON that ends the body.
    bool make_plain(std::size_t value_at, std::string_view name, edm_type type) {
        auto const plain = plain_of_json(type, std::string_view{out_.body}.substr(value_at));
        if (!plain) {
            error_ = plain.error().at(name);
            return false;
        }
        out_.body.replace(value_at, std::string::npos, *plain);
        return true;
    }

    bool seal_last(std::size_t begin, std::size_t value_at, std::string_view name, edm_type type, sealing how) {
        std::string const value = out_.body.substr(value_at);
        out_.body.resize(begin);
        auto const r = append_sealed(out_.body, {out_.partition_key, out_.row_key}, name, {type, value}, how, cipher_);
        if (!r) error_ = r.error();
        return r.has_value();
    }

    bool append(column const& c) {
        auto const* const from = slots_[c.slot];
        if (!from || (c.ops->is_empty && c.ops->is_empty(from))) {
            return may_be_empty(c) || refuse({library_errc::merge_cannot_remove, {}}, type_.name_of(c));
        }
        auto const begin = out_.body.size();
        out_.body += type_.text_of(c);
        auto const value_at = out_.body.size();
        value_fault fault;
        bool const good = c.ops->write(out_.body, from, fault);
        if (good && !careful_ && !places_) [[likely]] {
            ++count_;
            return true;
        }
        auto const name = type_.name_of(c);
        bool const added = c.field == no_field;
        return end_property(begin, value_at, good, fault, name,
                            {.type = c.ops->type,
                             .how = c.ops->how,
                             .added = added,
                             .mark = (added && name == type_.discriminator.property) || type_.needs(c)});
    }

    bool append_map(map_column const& m) {
        if (!slots_[m.slot]) return true;  // the member of an optional struct that is empty
        struct context {
            column_encoder& self;
            map_column const& map;
        } here{*this, m};
        return m.ops->each(slots_[m.slot], &here, [](void* context_, std::string const& key, void const* value) {
            auto& c = *static_cast<context*>(context_);
            return c.self.append_entry(c.map, key, value);
        });
    }

    bool append_entry(map_column const& m, std::string const& key, void const* value) {
        std::string name{type_.prefix_of(m)};
        name += key;
        bool const legal = check_property_name(name) && !key.empty();
        if (!legal && faulty_ == faulty_properties::refused)
            return refuse(
                {library_errc::invalid_property_name,
                 "a key of this map makes no property name: letters, digits and underscores, at most 255 with "
                 "what stands before them"},
                type_.prefix_of(m));
        auto const begin = out_.body.size();
        append_name(out_.body, name, m.ops->element->type);
        auto const value_at = out_.body.size();
        value_fault fault;
        bool const good = m.ops->element->write(out_.body, value, fault);
        return end_property(begin, value_at, good && legal, fault, name,
                            {.type = m.ops->element->type, .how = m.ops->element->how});
    }

    bool append_extras(property_bag const& bag) {
        for (auto const& p : properties_of(bag)) {
            if (is_needed(p.name)) continue;
            bool const legal =
                check_property_name(p.name) && p.name != operation_id_property && !belongs_to_struct(p.name);
            if (!legal && faulty_ == faulty_properties::refused)
                return refuse({library_errc::invalid_property_name,
                               "this property of the extras is no legal name, or one that the mapping has itself"},
                              p.name);
            auto const begin = out_.body.size();
            append_name(out_.body, p.name, type_of(p.value));
            auto const value_at = out_.body.size();
            value_fault fault;
            fault.code = append_as(p.encrypted ? value_form::plain : value_form::json, out_.body, p.value);
            bool const good = legal && fault.code == nothing_wrong;
            kind const k{.type = type_of(p.value), .how = p.encrypted ? sealing::sealed : sealing::none, .extra = true};
            if (!end_property(begin, value_at, good, fault, p.name, k)) return false;
        }
        return true;
    }

    /// The entity may have an extra with the name of a member that is a property only in rows of its indexes.
    bool is_needed(std::string_view name) const {
        return std::any_of(type_.columns.begin(), type_.columns.end(),
                           [&](auto const& c) { return type_.needs(c) && type_.name_of(c) == name; });
    }

    bool belongs_to_struct(std::string_view name) const {
        for (auto const& c : type_.columns)
            if (type_.name_of(c) == name) return true;
        return type_.map_of(name) != nullptr;
    }

    row_type const& type_;
    encoded_entity& out_;
    empty_members empty_ = empty_members::left_out;
    chosen_columns const* chosen_ = nullptr;
    std::vector<property_place>* places_ = nullptr;
    faulty_properties faulty_ = faulty_properties::refused;
    property_cipher const* cipher_ = nullptr;
    bool careful_ = type_.sealed || cipher_ || type_.extras_slot != 0;  ///< some property may have to be encrypted
    std::size_t count_ = 0;
    std::size_t properties_at_ = 0;
    std::optional<error> error_{};
    void const* const* slots_ = nullptr;
};

/// The addresses of an object's values.
class object_slots {
public:
    object_slots(row_type const& type, void const* object) noexcept {
        // Nothing is written through them: the columns' functions read them as const.
        type.fill(const_cast<void*>(object), slots_, false);
    }
    void* const* get() const noexcept { return slots_; }

private:
    void* slots_[most_slots];
};

result<void> encode_columns(row_type const& type, object_slots const& slots, encoded_entity& out, empty_members empty,
                            chosen_columns const* chosen, property_cipher const* cipher) {
    column_encoder encoder{type, out, empty, chosen, cipher};
    if (auto r = encoder.encode(slots.get()); !r) return r;
    if (auto r = finish_entity(out, encoder.count()); !r) return r;
    out.properties_at = encoder.checked_properties_at();
    return {};
}

}  // namespace

error property_error(value_fault const& fault, std::string_view property) {
    return error{
        fault.code,
        {.reason = fault.reason.empty() ? reason_of(fault.code) : fault.reason, .member = std::string{property}}};
}

result<void> finish_entity(encoded_entity& e, std::size_t properties) {
    if (properties + (e.operation_id ? 1 : 0) > limits::properties)
        return fail(library_errc::too_many_properties,
                    {.reason = "with the entries of its maps and extras it has " + std::to_string(properties) +
                               (e.operation_id ? ", and an operation id" : "") + "; the service takes 252"});
    if (e.operation_id) {
        append_name(e.body, operation_id_property, edm_type::guid);
        append_value(e.body, *e.operation_id);
    }
    e.body += '}';
    e.properties_at = 0;
    if (e.body.size() <= surely_small_enough) return {};
    auto const row = read_dynamic(e.body);
    if (!row) return failure{row.error()};
    auto const size = entity_size(*row);
    if (size <= limits::entity_bytes) return {};
    return fail(library_errc::entity_too_large,
                {.reason = "it takes " + std::to_string(size) + " bytes; store the largest values apart"});
}

result<void> append_sealed(std::string& out, row_keys const& row, std::string_view property, plain_value const& value,
                           sealing how, property_cipher const* cipher) {
    if (!cipher) return failure{no_keys(property)};
    return cipher->append(out, row, property, value, how);
}

result<void> encode_columns(row_type const& type, void const* object, encoded_entity& out, empty_members empty,
                            chosen_columns const* chosen, property_cipher const* cipher) {
    return encode_columns(type, object_slots{type, object}, out, empty, chosen, cipher);
}

result<void> encode_entity(row_type const& type, void const* object, encoded_entity& out, empty_members empty,
                           chosen_columns const* chosen, property_cipher const* cipher) {
    object_slots const slots{type, object};
    if (auto r = encode_keys(type, slots.get(), out.partition_key, out.row_key); !r) return r;
    return encode_columns(type, slots, out, empty, chosen, cipher);
}

result<void> encode_entity_state(row_type const& type, void const* object, encoded_state& out, faulty_properties faulty,
                                 property_cipher const* cipher) {
    object_slots const slots{type, object};
    if (auto r = encode_keys(type, slots.get(), out.entity.partition_key, out.entity.row_key); !r) return r;
    out.places.clear();
    return column_encoder{type, out, faulty, cipher}.encode(slots.get());
}

result<void> encode_columns_state(row_type const& type, void const* object, encoded_state& out,
                                  faulty_properties faulty, property_cipher const* cipher) {
    object_slots const slots{type, object};
    out.places.clear();
    return column_encoder{type, out, faulty, cipher}.encode(slots.get());
}

}  // namespace tablemap::detail
