// SPDX-License-Identifier: Apache-2.0
#include "mapping/row_reader.hpp"
#include "tablemap/detail/wire/writer.hpp"
#include "tablemap/edm/names.hpp"
#include "wire/dynamic_sink.hpp"

#include <algorithm>
#include <utility>

/// Rows that are buffered until their type is known, or until they have ended. The latter are rows with encrypted
/// values and rows of older versions.
namespace tablemap::inline v0_1::detail {

// ---- the type of a row ---------------------------------------------------------------------------------------------

void row_reader::choose_by_property(std::string_view text) {
    for (std::size_t i = 0; i < types_.size(); ++i) {
        auto const version = version_in(text, types_[i]->discriminator.type);
        if (version == 0 || (version > 1 && types_[i]->version == 1)) continue;
        if (version == types_[i]->version) return replay(i);
        if (version < types_[i]->version) return choose_old({i, version});
        return report(library_errc::unknown_version, tag_,
                      "the row has version " + std::to_string(version) + " and this program knows version " +
                          std::to_string(types_[i]->version) + "; update the program");
    }
    report(library_errc::another_type, tag_,
           "it names none of the types that are read here; read the row as its own type, or skip it");
}

void row_reader::choose_old(old_row const& old) {
    switch (types_[old.alternative]->old) {
    case old_rows::upgraded: old_ = old; return;
    case old_rows::as_stored: return replay(old.alternative);
    case old_rows::refused:
        report(
            library_errc::outdated_entity, tag_,
            "the row of the index has an older version of its type and holds too little to be upgraded; run migrate(), "
            "which writes it anew with its entity");
    }
}

void row_reader::choose_by_row_key(std::string_view text) {
    for (std::size_t i = 0; i < types_.size(); ++i)
        if (text.starts_with(types_[i]->row_prefix)) return replay(i);
    report(library_errc::another_type, row_key_name,
           "it begins like that of none of the types that are read here; read the row as its own type, or skip it");
}

void row_reader::replay(std::size_t alternative) {
    use(alternative);
    if (buffers_) mark_sealed();
    for (auto const& e : events_) {
        if (e.how != cover::none)
            take_covered(e);
        else if (e.is_annotation)
            take_annotation(e.name, e.type);
        else
            take(e.name, e.value);
    }
    events_.clear();
}

// ---- encrypted values -----------------------------------------------------------------------------------------------

/// Chooses the type of a row that has ended, and reads it.
void row_reader::read_buffered() {
    for (auto const& e : events_) {
        if (e.is_annotation || e.value.kind != json_token_kind::text) continue;
        if (e.name == partition_key_name) partition_key_ = e.value.text;
        if (e.name == row_key_name) row_key_ = e.value.text;
    }
    if (!is_asked_for(partition_key_, row_key_)) return;  // before any value is decrypted
    index_events();
    keys_ = {std::exchange(partition_key_, {}).value_or(std::string_view{}),
             std::exchange(row_key_, {}).value_or(std::string_view{})};
    if (how_.cipher->legacy() && !open_legacy()) return;
    if (!decides_) return replay(0);
    auto const tells = tag_.empty() ? row_key_name : tag_;
    auto const* const tag = value_event(tells);
    if (!tag) return;
    undecided_ = false;
    tag_.empty() ? choose_by_row_key(tag->value.text) : choose_by_property(tag->value.text);
}

/// Collects all events of a name in one pass: rows may hold hundreds of encrypted values.
void row_reader::index_events() {
    event_names_.clear(), kept_.clear();
    for (std::size_t i = 0; i < events_.size(); ++i) {
        auto const& e = events_[i];
        auto const number = event_names_.insert(e.name);
        if (number == kept_.size()) kept_.emplace_back();
        auto& k = kept_[number];
        if (e.is_annotation)
            k.is_binary = k.is_binary || e.type == edm_name(edm_type::binary);
        else if (e.value.kind == json_token_kind::text && !k.text)
            k.text = i;
    }
}

/// Null for a name that the row does not have.
row_reader::kept_name* row_reader::kept(std::string_view name) noexcept {
    auto const number = event_names_.find(name);
    return number ? &kept_[*number] : nullptr;
}

/// Marks the values to decrypt: those that the type reads. The others stay encrypted.
void row_reader::mark_sealed() {
    for (auto& a : events_) {
        if (!a.is_annotation || a.type != edm_name(edm_type::binary) || !is_read(a.name)) continue;
        auto* const value = value_event(a.name);
        if (!value || value->how != cover::none || !is_sealed_text(value->value.text)) continue;
        a.how = value->how = cover::sealed;
    }
}

/// The text of a name, null if there is none.
row_reader::event* row_reader::value_event(std::string_view name) noexcept {
    auto const* const k = kept(name);
    return k && k->text ? &events_[*k->text] : nullptr;
}

/// A binary that tablemap has not encrypted: a merge may have written an encrypted one into a row of an older client.
std::optional<bytes> row_reader::binary_of(std::string_view name) {
    auto const* const k = kept(name);
    auto const* const value = k && k->is_binary ? value_event(name) : nullptr;
    bytes b;
    bool const binary = value && !is_sealed_text(value->value.text) && parse_base64(value->value.text, b);
    return binary ? std::optional{std::move(b)} : std::nullopt;
}

/// Decrypts a row that an older client encrypted. False if it is such a row and cannot be decrypted.
bool row_reader::open_legacy() {
    legacy_.clear();
    auto const* const first = value_event(legacy_metadata1);
    auto const second = binary_of(legacy_metadata2);
    if (!first || !second) return true;
    auto values = how_.cipher->open_legacy({keys_.partition_key, keys_.row_key, first->value.text, *second,
                                            [this](std::string_view name) { return binary_of(name); }});
    if (!values) {
        undecided_ = false;
        faults_.push_back(fault_of(values.error(), legacy_metadata1));
        return false;
    }
    legacy_ = std::move(*values);
    for (auto const& v : legacy_)
        if (auto* const k = kept(v.property); k && !k->legacy) k->legacy = &v;
    for (auto& e : events_) {
        if (e.name == legacy_metadata1 || e.name == legacy_metadata2) e.how = cover::dropped;
        if (kept(e.name)->legacy) e.how = cover::legacy;
    }
    *to_.outdated = true;
    return true;
}

void row_reader::take_covered(event const& e) {
    if (e.is_annotation) return;
    if (e.how == cover::sealed) take_sealed(e);
    if (e.how != cover::legacy) return;
    opened_ = true;
    take(e.name, {.kind = json_token_kind::text, .text = kept(e.name)->legacy->text});
    opened_ = false;
}

void row_reader::take_sealed(event const& e) {
    bytes sealed;
    auto value = parse_base64(e.value.text, sealed) ? how_.cipher->open(keys_, e.name, sealed)
                                                    : result<property_value>{fail(library_errc::malformed_ciphertext)};
    if (!value) return refuse_sealed(e.name, fault_of(value.error(), e.name));
    if (how_.cipher->checks_index_of(e.name)) check_index(e.name, *value);
    opened_ = true;
    take_value({std::string{e.name}, std::move(*value)});
    opened_ = false;
}

void row_reader::check_index(std::string_view name, property_value const& v) {
    auto const index = blind_index_name(name);
    auto const at = find(index);
    bool const is_column = at >= system_columns && at < places_.size() - 1;
    if (!is_column || type_->columns[at - system_columns].ops->how != sealing::hashed) return;
    auto const stored = binary_of(index);
    if (!stored) return;
    if (auto r = how_.cipher->check_index(name, v, *stored); !r) faults_.push_back(fault_of(r.error(), name));
}

/// Gathers the properties of a row of an older version, upgrades them, and reads the upgraded ones.
void row_reader::read_upgraded() {
    std::vector<stored_entity> rows;
    dynamic_sink sink{rows};
    sink.begin();
    for (auto const& e : events_)
        if (!(e.is_annotation ? sink.annotation(e.name, e.type) : sink.property(e.name, e.value)))
            return report_again(*sink.failure);
    auto& row = rows.front();
    // An upgrade function would misread a value that cannot be decrypted.
    auto opened = open_whole(row, how_.cipher);
    std::erase_if(opened.faults, [&](auto& f) { return is_opened(f.property); });
    if (!opened.faults.empty()) {
        faults_ = std::move(opened.faults);
        return;
    }
    auto const& type = *types_[old_.alternative];
    if (auto r = upgrade_row(type, old_.version, row); !r) return report_again(r.error());
    use(old_.alternative);
    for (auto const& e : events_)
        if (!e.is_annotation && (is_system_name(e.name) || e.name == "odata.etag")) take(e.name, e.value);
    for (auto const& p : properties_of(row)) {
        if (p.name == tag_) continue;
        opened_ = p.encrypted;
        take_value(p);
    }
    opened_ = false;
    seen_.set(0);  // the discriminator, which was used already
    *to_.outdated = true;
}

void row_reader::take_value(struct property const& p) {
    json_token t{.kind = json_token_kind::text};
    auto const make = [&](std::string text) { t.text = made_.emplace_back(std::move(text)); };
    std::visit(
        [&]<class V>(V const& v) {
            if constexpr (std::same_as<V, std::string>) {
                make(v);
            } else if constexpr (std::same_as<V, bool>) {
                t = {.kind = json_token_kind::boolean, .boolean = v};
            } else if constexpr (std::same_as<V, std::int32_t>) {
                t = {.kind = json_token_kind::integer, .integer = v};
            } else {
                // The other types are texts in JSON, or numbers that read back: the content of their JSON without its
                // quotes.
                std::string text;
                append_value(text, v);
                if constexpr (std::same_as<V, double>) {
                    t = {.kind = json_token_kind::real, .real = v};
                } else {
                    make(text.substr(1, text.size() - 2));
                }
            }
        },
        p.value);
    auto const& name = made_.emplace_back(p.name);
    // As in a response: where the value determines its type, numbers of a narrower one are taken too.
    if (needs_annotation(type_of(p.value))) take_annotation(name, edm_name(type_of(p.value)));
    take(name, t);
}

// ---- values that are not decrypted ---------------------------------------------------------------------------------

bool row_reader::is_opened(std::string_view name) const noexcept {
    return std::any_of(how_.opened.begin(), how_.opened.end(), [&](auto& p) { return p.encrypted && p.name == name; });
}

/// Gives the faults of a row that an older client encrypted their reason: there are no legacy keys.
void row_reader::explain_legacy() {
    auto const is_mark = [](auto& u) { return u.name == legacy_metadata1; };
    if (std::none_of(unknown_.begin(), unknown_.end(), is_mark)) return;
    for (auto& f : faults_)
        if (f.code == library_errc::type_mismatch || f.code == library_errc::unencrypted_value)
            f.reason = no_legacy_keys;
}

}  // namespace tablemap::detail
