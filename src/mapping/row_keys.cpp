// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/mapping/row_type.hpp"

#include "keys/one_value.hpp"
#include "keys/part_array.hpp"

#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr auto in_partition = "in the partition key: ";
constexpr auto in_row = "in the row key: ";

error keys_disagree(std::string_view member) {
    return error{library_errc::unreadable_key,
                 {.reason = "partition key and row key hold different values of it", .member = std::string{member}}};
}

/// The error with the key that it is about.
failure in_key(char const* which, error const& e) {
    return fail(e.code(), {.reason = std::string{which} + e.details().reason, .member = e.member()});
}

enum class part_use : bool { written, read };

/// For each part of a key the address of its member, null for a literal; of a key that is read also for a part that
/// does not give its member, or not as the first.
class part_members {
public:
    part_members(static_list<part_layout> parts, std::span<std::uint16_t const> fields, void* const* slots,
                 part_use use)
        : parts_(parts), fields_(fields), members_(parts.size()) {
        for (std::size_t i = 0; i < parts.size(); ++i)
            if (fields[i] != no_field && (use == part_use::written || gives_member(parts[i])))
                members_[i] = slots[fields[i] + 1];
    }

    void const* const* to_write() const noexcept { return members_.data(); }
    void* const* to_read() const noexcept { return members_.data(); }

    bool reads(std::uint16_t field) const noexcept {
        for (std::size_t i = 0; i < parts_.size(); ++i)
            if (fields_[i] == field && is_readable(parts_[i])) return true;
        return false;
    }

    bool shares_any(part_members const& other) const noexcept {
        for (std::size_t i = 0; i < members_.size(); ++i)
            if (members_[i] && other.reads(fields_[i])) return true;
        return false;
    }

    /// Takes out the members that the other key gives, and puts them into `shared`, in the places of their parts.
    void take_shared(part_members const& other, part_array<void const*>& shared) {
        for (std::size_t i = 0; i < members_.size(); ++i)
            if (members_[i] && other.reads(fields_[i])) shared[i] = std::exchange(members_[i], nullptr);
    }

private:
    static bool gives_member(part_layout const& p) noexcept { return is_readable(p) && p.same_as == no_earlier_part; }

    static_list<part_layout> parts_;
    std::span<std::uint16_t const> fields_;
    part_array<void*> members_;
};

/// Reads keys that hold one value each, of two members. False if they are others, or cannot be read.
bool read_two_values(row_type const& type, void* const* slots, std::string_view partition_key,
                     std::string_view row_key) {
    std::span<std::uint16_t const> const fields = type.key_fields;
    if (!is_one_value(type.partition_parts) || !is_one_value(type.row_parts)) return false;
    auto const partition = fields[type.partition_parts.size() - 1], row = fields.back();
    return partition != no_field && row != no_field && partition != row &&
           read_one_value(partition_key, type.partition_parts, slots[partition + 1]) &&
           read_one_value(row_key, type.row_parts, slots[row + 1]);
}

}  // namespace

result<void> read_keys(row_type const& type, void* const* slots, std::string_view partition_key,
                       std::string_view row_key) {
    if (type.partition_parts.empty()) return {};
    if (read_two_values(type, slots, partition_key, row_key)) return {};
    std::span<std::uint16_t const> const fields = type.key_fields;
    auto const partition_fields = fields.first(type.partition_parts.size());
    part_members const partition{type.partition_parts, partition_fields, slots, part_use::read};
    if (auto r = read_key_text(partition_key, type.partition_parts, partition.to_read()); !r)
        return in_key(in_partition, r.error());
    if (type.row_parts.empty()) return {};
    part_members row{type.row_parts, fields.subspan(partition_fields.size()), slots, part_use::read};
    if (!row.shares_any(partition)) {
        auto r = read_key_text(row_key, type.row_parts, row.to_read());
        return r ? r : in_key(in_row, r.error());
    }
    part_array<void const*> shared(type.row_parts.size());
    row.take_shared(partition, shared);
    std::size_t differs = type.row_parts.size();
    auto r = read_key_text(row_key, type.row_parts, row.to_read(), shared.data(), &differs);
    if (!r) return in_key(in_row, r.error());
    if (differs < type.row_parts.size()) return failure{keys_disagree(type.row_parts[differs].name)};
    return r;
}

result<void> read_keys_into(row_type const& type, void* object, std::string_view partition_key,
                            std::string_view row_key) {
    void* slots[most_slots];
    type.fill(object, slots, true);
    return read_keys(type, slots, partition_key, row_key);
}

result<void> encode_keys(row_type const& type, void const* object, std::string& partition_key, std::string& row_key) {
    void* slots[most_slots];
    // Nothing is written through them.
    type.fill(const_cast<void*>(object), slots, false);
    return encode_keys(type, slots, partition_key, row_key);
}

result<void> encode_keys(row_type const& type, void* const* slots, std::string& partition_key, std::string& row_key) {
    std::span<std::uint16_t const> const fields = type.key_fields;
    auto const partition_fields = fields.first(type.partition_parts.size());
    part_members const partition{type.partition_parts, partition_fields, slots, part_use::written};
    if (auto r = make_key_text(partition_key, type.partition_parts, partition.to_write()); !r) return r;
    part_members const row{type.row_parts, fields.subspan(partition_fields.size()), slots, part_use::written};
    return make_key_text(row_key, type.row_parts, row.to_write());
}

}  // namespace tablemap::detail
