// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/wire/row_codec.hpp"

#include "tablemap/detail/base/utf.hpp"
#include "tablemap/detail/wire/name_index.hpp"
#include "tablemap/detail/wire/reader.hpp"
#include "tablemap/detail/wire/writer.hpp"
#include "tablemap/edm/dynamic_entity.hpp"
#include "tablemap/edm/limits.hpp"
#include "tablemap/edm/names.hpp"
#include "wire/packed_rows.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1::detail {
namespace {

[[noreturn]] void refuse(service_errc code, std::string reason, std::string_view member = {}) {
    throw error{code, {.reason = std::move(reason), .member = std::string{member}}};
}

struct declaration {
    std::string name;
    edm_type type;
};

/// Collects the declared types of an entity, for the second pass over one in which an annotation is not right before
/// its property.
class declarations final : public entity_sink {
public:
    declarations() { wants_annotations = true; }

    bool begin() override { return true; }
    bool property(std::string_view, json_token const&) override { return true; }
    bool annotation(std::string_view name, std::string_view type) override {
        if (find(name))
            return stop(error{service_errc::duplicate_properties_specified,
                              {.reason = "its type is declared twice", .member = std::string{name}}});
        // Those of the system properties may be among them.
        if (all_.size() > limits::properties + 3)
            return stop(error{service_errc::too_many_properties,
                              {.reason = "entities have at most 252 properties", .member = std::string{name}}});
        if (auto const t = edm_type_from_name(type)) all_.push_back({std::string{name}, *t});
        return true;
    }
    bool end() override { return true; }

    std::optional<edm_type> find(std::string_view name) const noexcept {
        auto const at = std::find_if(all_.begin(), all_.end(), [&](auto& d) { return d.name == name; });
        return at == all_.end() ? std::nullopt : std::optional{at->type};
    }

private:
    std::vector<declaration> all_;
};

/// Checks and appends one entity's properties in the order in which they come.
class canonical_sink final : public entity_sink {
public:
    canonical_sink(std::string& out, keys_of_write const& keys, name_index& names, declarations const* declared)
        : out_(out), keys_(keys), names_(names), declared_(declared) {
        wants_annotations = true;
        names_.clear();
        size_ = 4 + 2 * keys.units;
    }

    bool begin() override { return true; }

    bool annotation(std::string_view name, std::string_view type) override {
        if (name == timestamp_name) return true;
        auto const t = edm_type_from_name(type);
        if (!t || (is_system_name(name) && *t != edm_type::string))
            return refuse_at(service_errc::invalid_input, "the declared type is not one that it can have", name);
        if (is_system_name(name) || declared_) return true;
        if (pending_) return begin_again();
        pending_ = true;
        pending_name_ = name;
        pending_type_ = *t;
        return true;
    }

    bool property(std::string_view name, json_token const& t) override {
        if (name == partition_key_name) return take_key(name, t, keys_.partition_key, saw_partition_key_);
        if (name == row_key_name) return take_key(name, t, keys_.row_key, saw_row_key_);
        if (name == timestamp_name || name == "odata.etag") return true;  // the store's own: ignored, as by the service
        std::optional<edm_type> type;
        if (declared_) {
            type = declared_->find(name);
        } else if (pending_) {
            if (pending_name_ != name) return begin_again();
            pending_ = false;
            type = pending_type_;
        }
        return take_name(name) && take_value(name, t, type);
    }

    bool end() override { return pending_ ? begin_again() : true; }

    /// True if an annotation does not stand right before its property: the types must be collected first.
    bool needs_declarations() const noexcept { return needs_declarations_; }

    void finish(bool keys_required) const {
        if (keys_required && !(saw_partition_key_ && saw_row_key_))
            refuse(service_errc::properties_need_value, "the encoded entity must hold both keys",
                   saw_partition_key_ ? row_key_name : partition_key_name);
        check_entity_limits(size_, names_.size());
    }

private:
    bool refuse_at(service_errc code, char const* reason, std::string_view name) {
        return stop(error{code, {.reason = reason, .member = std::string{name}}});
    }

    bool begin_again() {
        needs_declarations_ = true;
        return stop(error{service_errc::invalid_input});
    }

    bool take_key(std::string_view name, json_token const& t, std::string_view expected, bool& seen) {
        if (std::exchange(seen, true))
            return refuse_at(service_errc::duplicate_properties_specified, "it comes twice", name);
        if (t.kind != json_token_kind::text || t.text != expected)
            return refuse_at(service_errc::invalid_input, "the body's key is not the one that the request names", name);
        return true;
    }

    bool take_name(std::string_view name) {
        if (!is_identifier(name))
            return refuse_at(service_errc::property_name_invalid, "use letters, digits and underscores, no digit first",
                             name);
        name_units_ = name.size();
        for (char const c : name)
            if (static_cast<unsigned char>(c) >= 0x80) {
                name_units_ = utf16_length(name).value_or(name.size());
                break;
            }
        if (name_units_ > limits::property_name_units)
            return refuse_at(service_errc::property_name_too_long, "names have at most 255 characters", name);
        return true;
    }

    bool take_value(std::string_view name, json_token const& t, std::optional<edm_type> declared) {
        auto const type = declared.value_or(guess_type(t));
        if (type == edm_type::string)
            return t.kind == json_token_kind::text ? take_string(name, t.text) : mismatch(name);
        if (type == edm_type::binary)
            return t.kind == json_token_kind::text ? take_binary(name, t.text) : mismatch(name);
        if (type == edm_type::datetime)
            return t.kind == json_token_kind::text ? take_time(name, t.text) : mismatch(name);
        // The service takes an Int64 only as text, and only declared.
        if (type == edm_type::int64 && t.kind != json_token_kind::text) return mismatch(name);
        auto const v = value_of(with_number(t, type), type);
        if (!v) return mismatch(name);
        return take_fixed(name, *v);
    }

    /// The service takes a declared Double as text, too, and clients send it so: "3", where 3 would be an Int32.
    static json_token with_number(json_token t, edm_type type) noexcept {
        if (t.kind != json_token_kind::text || type != edm_type::real) return t;
        auto const* const last = t.text.data() + t.text.size();
        auto const [end, e] = std::from_chars(t.text.data(), last, t.real);
        if (e == std::errc{} && end == last && std::isfinite(t.real)) t.kind = json_token_kind::real;
        return t;
    }

    bool take_string(std::string_view name, std::string_view text) {
        if (!begin_value(name, edm_type::string, false)) return false;
        auto const units = append_json_string(out_, text) ? text.size() : utf16_length(text).value_or(text.size());
        if (units > limits::string_units)
            return refuse_at(service_errc::property_value_too_large, "strings have at most 32,768 UTF-16 code units",
                             name);
        size_ += value_size(edm_type::string, units);
        return true;
    }

    bool take_binary(std::string_view name, std::string_view text) {
        thread_local bytes decoded;
        if (!parse_base64(text, decoded)) return mismatch(name);
        if (decoded.size() > limits::binary_bytes)
            return refuse_at(service_errc::property_value_too_large, "binaries have at most 65,536 bytes", name);
        if (!begin_value(name, edm_type::binary, true)) return false;
        // Base64 that can be parsed is the only text of its bytes.
        out_.append("\"").append(text).append("\"");
        size_ += value_size(edm_type::binary, decoded.size());
        return true;
    }

    bool take_time(std::string_view name, std::string_view text) {
        ticks time;
        if (!parse_ticks(text, time)) return mismatch(name);
        if (!time.storable())
            return refuse_at(service_errc::out_of_range_input, "times lie in the years 1601 to 9999", name);
        if (!begin_value(name, edm_type::datetime, true)) return false;
        append_value(out_, time);
        size_ += value_size(edm_type::datetime, 0);
        return true;
    }

    bool take_fixed(std::string_view name, property_value const& v) {
        auto const type = type_of(v);
        auto const* real = std::get_if<double>(&v);
        if (!begin_value(name, type, real ? !std::isfinite(*real) : needs_annotation(type))) return false;
        append_any_value(out_, v);
        size_ += value_size(type, 0);
        return true;
    }

    bool begin_value(std::string_view name, edm_type type, bool annotated) {
        if (names_.size() == limits::properties)
            return refuse_at(service_errc::too_many_properties, "entities have at most 252 properties", name);
        append_name(out_, name, annotated ? type : edm_type::string);
        if (auto const before = names_.size(); names_.insert(name) != before)
            return refuse_at(service_errc::duplicate_properties_specified, "it comes twice", name);
        size_ += 8 + 2 * name_units_;
        return true;
    }

    bool mismatch(std::string_view name) {
        return refuse_at(service_errc::invalid_value_type,
                         "the value is not of the declared type; all but String, Boolean, Int32 and fractional Double "
                         "are declared before it",
                         name);
    }

    std::string& out_;
    keys_of_write const& keys_;
    name_index& names_;
    declarations const* declared_;
    std::string pending_name_;
    edm_type pending_type_{};
    bool pending_ = false;
    bool needs_declarations_ = false;
    bool saw_partition_key_ = false;
    bool saw_row_key_ = false;
    std::size_t name_units_ = 0;
    std::size_t size_ = 0;
};

void check_read(result<void> const& r) {
    if (r) return;
    auto const& e = r.error();
    if (e.code() == library_errc::malformed_response)
        refuse(service_errc::invalid_input, "the body is not one flat JSON object: " + e.details().reason);
    throw e;
}

}  // namespace

void check_entity_limits(std::size_t entity_size, std::size_t properties) {
    if (properties > limits::properties)
        refuse(service_errc::too_many_properties, "entities have at most 252 properties");
    if (entity_size > limits::entity_bytes) refuse(service_errc::entity_too_large, "entities have at most 1 MiB");
}

void append_canonical(std::string& fragment, std::string_view body, keys_of_write const& keys, bool keys_required) {
    // Reused by the thread, because the parser wants padding behind the text and names are checked for every entity.
    thread_local std::string json;
    thread_local name_index names;
    json.assign(body);
    if (are_packed(json)) refuse(service_errc::invalid_input, "the body is no JSON");
    auto const start = fragment.size();
    canonical_sink sink{fragment, keys, names, nullptr};
    auto const read = read_entity(json, sink);
    if (!sink.needs_declarations()) {
        check_read(read);
        return sink.finish(keys_required);
    }
    fragment.resize(start);
    declarations declared;
    json.assign(body);
    check_read(read_entity(json, declared));
    canonical_sink again{fragment, keys, names, &declared};
    check_read(read_entity(json, again));
    again.finish(keys_required);
}

// The encoder annotates every double, of which only those that are written as texts need it. Within a value the
// annotation's quotes would be escaped.
void append_encoded(std::string& fragment, std::string_view properties) {
    constexpr std::string_view annotation = "@odata.type\":\"Edm.Double\",";
    std::size_t from = 0;
    for (auto at = properties.find(annotation); at != std::string_view::npos;) {
        auto const value = properties.find(':', at + annotation.size()) + 1;
        if (properties[value] != '"') {
            fragment.append(properties, from, properties.rfind(',', at) + 1 - from);
            from = at + annotation.size();
        }
        at = properties.find(annotation, value);
    }
    fragment.append(properties, from);
}

}  // namespace tablemap::detail
