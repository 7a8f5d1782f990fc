// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/index_audit/migration.hpp"

#include "index_audit/row_rewrite.hpp"
#include "tablemap/detail/mapping/entity_type.hpp"
#include "tablemap/detail/wire/writer.hpp"
#include "tablemap/detail/write/index_keeping.hpp"
#include "tablemap/edm/names.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

std::string current_tag(row_type const& type) {
    std::string quoted;
    append_type_tag(quoted, type.discriminator.type, type.version);
    return quoted.substr(1, quoted.size() - 2);
}

filter::expression older_versions(row_type const& type) {
    using filter::comparison;
    using filter::comparison_operator;
    return *type_filter(type) && filter::expression{comparison{std::string{type.discriminator.property},
                                                               comparison_operator::ne, current_tag(type)}};
}

class version_rewriter final : public row_rewriter {
public:
    version_rewriter(row_type const& type, result<void> (*check)(dynamic_entity const&), index_set const* indexes,
                     property_cipher const* cipher)
        : type_(type), check_(check), indexes_(indexes), cipher_(cipher), where_(older_versions(type)) {}

    filter::expression const* condition() const noexcept override { return &where_; }
    result<row_verdict> rewrite(stored_entity e) const override;

private:
    result<row_verdict> upgraded(stored_entity e, int version) const;
    result<void> check_keys(dynamic_entity const& e) const;

    row_type const& type_;
    result<void> (*check_)(dynamic_entity const&);
    index_set const* indexes_;
    property_cipher const* cipher_;
    filter::expression where_;
};

result<row_verdict> version_rewriter::rewrite(stored_entity e) const {
    auto const* tag = e.try_get<std::string>(type_.discriminator.property);
    auto const version = tag ? version_in(*tag, type_.discriminator.type) : 0;
    if (version == type_.version) return row_verdict{};
    if (version != 0 && version < type_.version) return upgraded(std::move(e), version);
    return row_verdict{.refused = error{version == 0 ? library_errc::another_type : library_errc::unknown_version,
                                        {.reason = "only older versions of the type are rewritten"}}};
}

/// Upgrade functions are for whole rows: what cannot be decrypted they would take for something else, and drop.
result<row_verdict> version_rewriter::upgraded(stored_entity e, int version) const {
    std::string stored;
    if (indexes_) append_entity(stored, e);
    auto opened = open_whole(e, cipher_);
    if (opened.unavailable) return failure{std::move(*opened.unavailable)};
    if (!opened.faults.empty()) return row_verdict{.refused = row_error(std::move(opened.faults))};
    if (auto r = upgrade_row(type_, version, e); !r) return row_verdict{.refused = std::move(r).error()};
    e.erase(operation_id_property);
    e.set(type_.discriminator.property, current_tag(type_));
    if (cipher_) cipher_->mark_wanted(e, type_.discriminator.property);
    if (auto r = check_(e); !r) return row_verdict{.refused = std::move(r).error()};
    if (auto r = check_keys(e); !r) return failure{std::move(r).error()};
    if (auto r = set_blind_indexes(type_, e, cipher_); !r) return failure{std::move(r).error()};
    encoded_entity out;
    if (auto r = encode_kept(e, out, cipher_); !r) return row_verdict{.refused = std::move(r).error()};
    row_verdict verdict{.edit = edited_entity{write_kind::replace, std::move(out.body), {}}};
    if (indexes_)
        if (auto r = keep_indexes(*verdict.edit, &stored, *indexes_, cipher_); !r)
            return row_verdict{.refused = std::move(r).error()};
    return verdict;
}

/// Errors: why nothing can be encrypted, if the row has to be.
result<void> version_rewriter::check_keys(dynamic_entity const& e) const {
    auto const all = properties_of(e);
    auto const p = std::find_if(all.begin(), all.end(), [](auto& x) { return x.encrypted; });
    if (p == all.end()) return {};
    if (!cipher_) return failure{no_keys(p->name)};
    auto const key = cipher_->current_key();
    return key ? result<void>{} : failure{key.error()};
}

}  // namespace

task<result<rewrite_report>> migrate_rows(std::string_view table, row_type const& type,
                                          result<void> (*check)(dynamic_entity const&), index_set const* indexes,
                                          property_cipher const* cipher, migration_options options) {
    return rewrite_rows(table, std::make_unique<version_rewriter const>(type, check, indexes, cipher),
                        std::move(options));
}

}  // namespace tablemap::detail
