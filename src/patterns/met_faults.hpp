// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/error.hpp"

#include <optional>

namespace tablemap::inline v0_1::detail {

/// So many partitions or entities in a row that fail by the store end a sweep: the next one would fail as well.
inline constexpr int most_faults_in_a_row = 5;

/// True for a refusal of rights, which stays until somebody grants them. It says nothing about one partition or entity:
/// that an encryption key is not known, or that a blob is leased to another client, does.
inline bool is_refusal_of_rights(error const& e) noexcept {
    return e.kind() == error_kind::denied && e.code() != library_errc::unknown_encryption_key &&
           e.code() != service_errc::lease_id_missing;
}

/// The faults that the partitions or entities of a sweep met.
class met_faults {
public:
    /// Takes the result of one of them. False if the next ones need not be tried.
    bool go_on_after(std::optional<error> const& fault) {
        if (fault && !first_) first_ = fault;
        in_a_row_ = fault && is_of_store(*fault) ? in_a_row_ + 1 : 0;
        return !fault || (!ends_call(*fault) && in_a_row_ < most_faults_in_a_row);
    }

    std::optional<error> const& first() const noexcept { return first_; }

private:
    static bool is_of_store(error const& e) noexcept {
        if (is_refusal_of_rights(e)) return true;
        return e.source() != error_source::library && !is_about_the_request(e.kind());
    }

    /// Such a refusal says nothing about the next partition or entity.
    static bool is_about_the_request(error_kind k) noexcept {
        return k == error_kind::invalid_argument || k == error_kind::too_large;
    }

    static bool ends_call(error const& e) noexcept {
        return e.code() == library_errc::cancelled || e.code() == library_errc::deadline_exceeded ||
               e.code() == service_errc::table_not_found;
    }

    std::optional<error> first_{};
    int in_a_row_ = 0;
};

}  // namespace tablemap::detail
