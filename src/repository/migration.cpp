// SPDX-License-Identifier: Apache-2.0
#include "tablemap/repository/migration.hpp"

#include "tablemap/edm/names.hpp"
#include "tablemap/mapping/entity_type.hpp"

#include <utility>

namespace tablemap::detail {
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

}  // namespace

version_rewriter::version_rewriter(row_type const& type, result<void> (*check)(dynamic_entity const&),
                                   property_cipher const* cipher)
    : type_(type), check_(check), cipher_(cipher), where_(older_versions(type)) {}

result<std::optional<edited_entity>> version_rewriter::rewrite(stored_entity e) const {
    auto const* tag = e.try_get<std::string>(type_.discriminator.property);
    auto const version = tag ? version_in(*tag, type_.discriminator.type) : 0;
    if (version == type_.version) return std::nullopt;
    if (version == 0 || version > type_.version)
        return fail(version == 0 ? library_errc::another_type : library_errc::unknown_version,
                    {.reason = "only older versions of the type are rewritten"});
    auto unopened = cipher_ ? cipher_->open_all(e).faults : std::vector<property_fault>{};
    if (auto upgraded = upgrade_row(type_, version, e); !upgraded) return failure{std::move(upgraded).error()};
    e.erase(token_property);
    e.set(type_.discriminator.property, current_tag(type_));
    encoded_entity out;
    auto good = check_(e);
    if (!good && !unopened.empty()) return failure{row_error(std::move(unopened))};
    if (good) good = set_blind_indexes(type_, e, cipher_);
    if (good) good = encode_kept(e, out, cipher_);
    if (!good) return failure{std::move(good).error()};
    return edited_entity{write_kind::replace, std::move(out.body)};
}

}  // namespace tablemap::detail
