// SPDX-License-Identifier: Apache-2.0
#include "tablemap/mapping/property_cipher.hpp"

#include "tablemap/detail/mapping/columns.hpp"
#include "tablemap/edm/limits.hpp"
#include "tablemap/edm/names.hpp"
#include "crypto/sealed_value.hpp"
#include "mapping/plain_value.hpp"

#include <algorithm>
#include <cstring>
#include <functional>

namespace tablemap::inline v0_1::detail {
namespace {

error too_large(std::size_t most) {
    return error{library_errc::value_too_large,
                 {.reason = "encrypted, a value takes more than it does in the open, and the service stores 65,536 "
                            "bytes at most; this one may have " +
                            std::to_string(most) + " bytes"}};
}

std::string_view text_of(bytes const& plain) noexcept {
    return {reinterpret_cast<char const*>(plain.data()), plain.size()};
}

void append_binary(std::string& out, std::string_view property, bytes const& value) {
    append_name(out, property, edm_type::binary);
    append_value(out, value);
}

}  // namespace

property_fault fault_of(error const& e, std::string_view property) {
    return {e.code(), std::string{property}, {}, {}, e.details().reason};
}

property_cipher::property_cipher(std::string table, std::shared_ptr<key_provider const> keys,
                                 encryption_resolver encrypt, std::shared_ptr<legacy_keys const> legacy)
    : table_(std::move(table)), keys_(std::move(keys)), encrypt_(std::move(encrypt)), legacy_(std::move(legacy)) {}
property_cipher::property_cipher(property_cipher const&) = default;
property_cipher::property_cipher(property_cipher&&) noexcept = default;
property_cipher& property_cipher::operator=(property_cipher const&) = default;
property_cipher& property_cipher::operator=(property_cipher&&) noexcept = default;
property_cipher::~property_cipher() = default;

result<encryption_key> property_cipher::current_key() const {
    if (!keys_) return failure{no_keys({})};
    return keys_->current();
}

bool property_cipher::wants(row_keys const& row, std::string_view property) const {
    return encrypt_ && encrypt_(row.partition_key, row.row_key, property);
}

// ---- writing --------------------------------------------------------------------------------------------------------

result<void> property_cipher::append(std::string& out, row_keys const& row, std::string_view property,
                                     plain_value const& value, sealing how) const {
    auto const refuse = [&](error const& e) { return failure{e.at(property)}; };
    auto const key = current_key();
    if (!key) return refuse(key.error());
    auto const plain = std::as_bytes(std::span{value.bytes});
    if (how == sealing::hashed) {
        auto const member = property.substr(0, property.size() - blind_index_suffix.size() - 1);
        auto const hash = blind_hash(*key, table_, member, number_of(value.type), plain);
        if (!hash) return refuse(hash.error());
        append_binary(out, property, *hash);
        return {};
    }
    auto const added = sealed_size(0, key->id().size());
    if (plain.size() + added > limits::binary_bytes) return refuse(too_large(limits::binary_bytes - added));
    auto const sealed = seal(*key, {table_, row.partition_key, row.row_key, property}, number_of(value.type), plain);
    if (!sealed) return refuse(sealed.error());
    append_binary(out, property, *sealed);
    return {};
}

result<bytes> property_cipher::hash_of(std::string_view property, property_value const& v) const {
    auto const key = current_key();
    if (!key) return failure{key.error()};
    auto const plain = plain_of(v);
    return blind_hash(*key, table_, property, number_of(type_of(v)), std::as_bytes(std::span{plain}));
}

/// The listed keys may be older than the current one, since caches hold the two separately.
result<std::vector<encryption_key>> property_cipher::keys_of_indexes(std::string_view property) const {
    if (!keys_) return failure{no_keys(property)};
    auto all = keys_->all();
    if (!all) return all;
    auto const current = keys_->current();
    if (!current) {
        if (current.error().code() == library_errc::no_encryption_key) return all;
        return failure{current.error()};
    }
    std::erase_if(*all, [&](auto& key) { return key.id() == current->id(); });
    all->insert(all->begin(), *current);
    return all;
}

property_cipher property_cipher::checking_indexes(std::vector<std::string> const& properties) const {
    auto checking = *this;
    checking.checked_.insert(checking.checked_.end(), properties.begin(), properties.end());
    return checking;
}

bool property_cipher::checks_index_of(std::string_view property) const noexcept {
    return std::find(checked_.begin(), checked_.end(), property) != checked_.end();
}

result<void> property_cipher::check_index(std::string_view property, property_value const& v,
                                          bytes const& index) const {
    auto const hashes = hashes_of(property, v);
    if (!hashes) return failure{hashes.error()};
    if (std::find(hashes->begin(), hashes->end(), index) != hashes->end()) return {};
    return fail(library_errc::altered_ciphertext,
                {.reason =
                     "the row was found by a blind index that is not its value's: someone changed it, or wrote the "
                     "value alone; reencrypt makes it anew",
                 .member = std::string{property}});
}

result<std::vector<bytes>> property_cipher::hashes_of(std::string_view property, property_value const& v) const {
    auto const keys = keys_of_indexes(property);
    if (!keys) return failure{keys.error()};
    auto const plain = plain_of(v);
    std::vector<bytes> hashes;
    for (auto const& key : *keys) {
        auto hash = blind_hash(key, table_, property, number_of(type_of(v)), std::as_bytes(std::span{plain}));
        if (!hash) return failure{hash.error()};
        hashes.push_back(std::move(*hash));
    }
    return hashes;
}

std::string blind_index_name(std::string_view property) {
    return std::string{property} + '_' + std::string{blind_index_suffix};
}

error no_keys(std::string_view property) {
    return error{library_errc::no_encryption_key,
                 {.reason = "open the store with keys for encrypted properties: open(\"...\", {.keys = ring})",
                  .member = std::string{property}}};
}

// ---- reading --------------------------------------------------------------------------------------------------------

result<property_value> property_cipher::open(row_keys const& row, std::string_view property,
                                             bytes const& sealed) const {
    if (!keys_) return failure{no_keys(property)};
    auto const opened = open_sealed(*keys_, {table_, row.partition_key, row.row_key, property}, sealed);
    if (!opened) return failure{opened.error().at(property)};
    if (auto const type = type_of_number(opened->type))
        if (auto v = value_of_plain(*type, text_of(opened->plain))) return std::move(*v);
    return fail(library_errc::malformed_ciphertext,
                {.reason = "what it holds is no value of the type that it names", .member = std::string{property}});
}

namespace {

/// True if the cause of an error is in the row, and not in the keys or their provider.
bool is_of_the_row(error const& e) {
    for (auto const c :
         {library_errc::unknown_encryption_key, library_errc::malformed_ciphertext, library_errc::misplaced_ciphertext,
          library_errc::altered_ciphertext, library_errc::unreadable_legacy_row})
        if (e.code() == c) return true;
    return false;
}

void add_fault(opened_row& to, error const& e, std::string_view property) {
    if (!is_of_the_row(e) && !to.unavailable) to.unavailable = e;
    to.faults.push_back(fault_of(e, property));
}

/// True if an older client encrypted the row.
result<bool> open_legacy_values(property_cipher const& cipher, dynamic_entity& row) {
    auto const* const first = row.try_get<std::string>(legacy_metadata1);
    auto const* const second = row.try_get<bytes>(legacy_metadata2);
    if (!first || !second) return false;
    auto const stored = [&](std::string_view name) -> std::optional<bytes> {
        auto const* const v = row.find(name);
        auto const* const b = v && !is_sealed(*v) ? std::get_if<bytes>(v) : nullptr;
        return b ? std::optional{*b} : std::nullopt;
    };
    auto values = cipher.open_legacy({row.partition_key, row.row_key, *first, *second, stored});
    if (!values) return failure{std::move(values).error()};
    for (auto& v : *values) {
        row.set(v.property, std::move(v.text));
        row.encrypt(v.property);
    }
    row.erase(legacy_metadata1);
    row.erase(legacy_metadata2);
    return true;
}

}  // namespace

result<std::vector<legacy_value>> property_cipher::open_legacy(legacy_row const& row) const {
    return open_legacy_row(*legacy_, row);
}

opened_row property_cipher::open_all(dynamic_entity& row) const {
    opened_row opened;
    auto const legacy = legacy_ ? open_legacy_values(*this, row) : result<bool>{false};
    if (legacy)
        opened.legacy = *legacy;
    else
        add_fault(opened, legacy.error(), legacy_metadata1);
    for (std::size_t i = 0; i < properties_of(row).size(); ++i) {
        auto const& p = properties_of(row)[i];
        if (!is_sealed(p.value)) continue;
        auto v = open({row.partition_key, row.row_key}, p.name, std::get<bytes>(p.value));
        if (!v) {
            add_fault(opened, v.error(), p.name);
            continue;
        }
        row.set_value(p.name, std::move(*v));
        row.encrypt(p.name);
    }
    return opened;
}

opened_row open_whole(dynamic_entity& row, property_cipher const* cipher) {
    auto opened = cipher ? cipher->open_all(row) : opened_row{};
    for (auto const& p : properties_of(row))
        if (!cipher && is_sealed(p.value)) add_fault(opened, no_keys(p.name), p.name);
    if (opened.faults.empty() && row.find(legacy_metadata1))
        add_fault(opened, error{library_errc::unreadable_legacy_row, {.reason = no_legacy_keys}}, legacy_metadata1);
    return opened;
}

void property_cipher::mark_wanted(dynamic_entity& row, std::string_view exempt) const {
    for (std::size_t i = 0; i < properties_of(row).size(); ++i) {
        auto const& p = properties_of(row)[i];
        if (p.encrypted || p.name == exempt || p.name == operation_id_property || is_sealed(p.value)) continue;
        if (wants({row.partition_key, row.row_key}, p.name)) row.encrypt(p.name);
    }
}

bool is_sealed(property_value const& v) noexcept {
    auto const* const b = std::get_if<bytes>(&v);
    return b && b->size() >= sealed_name.size() && std::memcmp(b->data(), sealed_name.data(), sealed_name.size()) == 0;
}

bool is_sealed_text(std::string_view base64) noexcept {
    constexpr std::string_view last = "MNOP";  // the fifth byte's lower bits, and any two of the sixth
    auto const at = sealed_name_base64.size();
    return base64.starts_with(sealed_name_base64) && base64.size() > at &&
           last.find(base64[at]) != std::string_view::npos;
}

property_cipher const* needed_for(std::string_view body, property_cipher const* cipher) noexcept {
    if (!cipher) return nullptr;
    using searcher = std::boyer_moore_horspool_searcher<std::string_view::const_iterator>;
    static searcher const sealed{sealed_name_base64.begin(), sealed_name_base64.end()};
    static searcher const legacy{legacy_metadata1.begin(), legacy_metadata1.end()};
    auto const holds = [&](searcher const& s) { return std::search(body.begin(), body.end(), s) != body.end(); };
    return holds(sealed) || (cipher->legacy() && holds(legacy)) ? cipher : nullptr;
}

}  // namespace tablemap::detail
