// SPDX-License-Identifier: Apache-2.0
#include "patterns/outbox_rows.hpp"

#include "patterns/encoded_row.hpp"
#include "tablemap/detail/mapping/json.hpp"
#include "tablemap/detail/wire/reader.hpp"
#include "tablemap/mapping/dynamic.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <limits>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr std::string_view pending_prefix = "~outbox_pending_";
constexpr std::string_view parked_prefix = "~outbox_parked_";
constexpr std::string_view pending_end = "~outbox_pending`";  // '`' comes after '_'
constexpr std::string_view parked_end = "~outbox_parked`";
constexpr std::size_t sequence_digits = 19;
constexpr std::size_t longest_type = 1024;
constexpr std::string_view parked_kind = "tablemap.outbox.parked";

std::string_view prefix_of(effect_state s) noexcept {
    return s == effect_state::pending ? pending_prefix : parked_prefix;
}

error bad_row(library_errc code, std::string_view property, std::string_view reason) {
    return error{code, {.reason = std::string{reason}, .member = std::string{property}}};
}

/// Reads the properties of a row, and keeps the first fault.
class row_values {
public:
    explicit row_values(stored_entity const& row) noexcept : row_(row) {}

    template <class V> V get(std::string_view name) {
        auto const* const v = row_.find(name);
        if (!v) return fail<V>(library_errc::missing_property, name, "the row of the outbox lacks this property");
        return of_type<V>(*v, name);
    }
    template <class V> V get_or(std::string_view name, V absent) {
        auto const* const v = row_.find(name);
        return v ? of_type<V>(*v, name) : std::move(absent);
    }

    std::optional<error> const& fault() const noexcept { return fault_; }

private:
    template <class V> V of_type(property_value const& v, std::string_view name) {
        if (auto const* const value = std::get_if<V>(&v)) return *value;
        return fail<V>(library_errc::type_mismatch, name, "this property of a row of the outbox has another type");
    }
    template <class V> V fail(library_errc code, std::string_view name, std::string_view reason) {
        if (!fault_) fault_ = bad_row(code, name, reason);
        return V{};
    }

    stored_entity const& row_;
    std::optional<error> fault_{};
};

std::optional<std::int64_t> sequence_in(std::string_view row_key, effect_state s) noexcept {
    auto const prefix = prefix_of(s);
    if (!row_key.starts_with(prefix) || row_key.size() != prefix.size() + sequence_digits) return std::nullopt;
    std::int64_t number = 0;
    auto const* const end = row_key.data() + row_key.size();
    auto const [last, fault] = std::from_chars(row_key.data() + prefix.size(), end, number);
    return fault == std::errc{} && last == end && number > 0 ? std::optional{number} : std::nullopt;
}

/// The values of a head that no outbox writes would overflow, or never end.
bool is_sensible(outbox_head const& h) noexcept {
    constexpr auto most = std::numeric_limits<std::int64_t>::max() / 2;
    return h.next > 0 && h.next < most && h.pending >= 0 && h.pending < most && h.parked >= 0 && h.parked < most;
}

}  // namespace

result<outbox_head> read_head(response& found) {
    if (!found.ok()) {
        if (found.failure->code() == service_errc::resource_not_found) return outbox_head{};
        return failure{*found.failure};
    }
    auto const row = read_dynamic(found.body);
    if (!row) return failure{row.error()};
    auto head = read_head(*row);
    if (head) head->etag = std::move(found.etag);
    return head;
}

result<outbox_head> read_head(stored_entity const& row) {
    row_values values{row};
    outbox_head h{.next = values.get<std::int64_t>("Next"),
                  .pending = values.get<std::int64_t>("Pending"),
                  .parked = values.get<std::int64_t>("Parked"),
                  .last_commit = values.get_or("LastCommit", guid{}),
                  .owner = values.get_or("Owner", guid{}),
                  .until = values.get_or("Until", ticks{})};
    if (values.fault()) return failure{*values.fault()};
    if (!is_sensible(h))
        return failure{bad_row(library_errc::value_out_of_range, "Next", "the head of the outbox is damaged")};
    return h;
}

encoded_write write_of(outbox_head const& head, std::string_view partition_key) {
    dynamic_entity row{std::string{partition_key}, std::string{outbox_head_key}};
    row.set("Next", head.next);
    row.set("Pending", head.pending);
    row.set("Parked", head.parked);
    row.set("LastCommit", head.last_commit);
    if (head.is_leased()) {
        row.set("Owner", head.owner);
        row.set("Until", head.until);
    }
    auto const kind = head.etag.empty() ? write_kind::insert : write_kind::replace;
    return encode_row(kind, row, head.etag.text());
}

std::string effect_key(effect_state s, std::int64_t sequence) {
    auto const digits = std::to_string(sequence);
    std::string key{prefix_of(s)};
    key.append(sequence_digits - std::min(digits.size(), sequence_digits), '0');
    return key + digits;
}

key_bounds effects_after(effect_state s, std::string const& after) {
    return {.from = after,
            .to = s == effect_state::pending ? pending_end : parked_end,
            .from_inclusive = false,
            .to_inclusive = false};
}

encoded_write write_of(write_kind kind, effect_row const& row, effect_state s, std::string_view partition_key) {
    dynamic_entity e{std::string{partition_key}, effect_key(s, row.sequence)};
    e.set("Type", row.type);
    e.set("Effect", row.json);
    e.set("Entity", row.entity);
    e.set("Commit", row.commit);
    e.set("Committed", row.committed);
    e.set("Attempts", row.attempts);
    if (!row.reason.empty()) e.set("Reason", row.reason);
    if (s == effect_state::pending && row.next_try != ticks{}) e.set("NextTry", row.next_try);
    return encode_row(kind, e, is_conditional(kind) ? any_etag : std::string_view{});
}

encoded_write erase_of(effect_state s, std::int64_t sequence, std::string_view partition_key) {
    encoded_write w{.kind = write_kind::erase, .if_match = std::string{any_etag}};
    w.entity.partition_key = partition_key;
    w.entity.row_key = effect_key(s, sequence);
    return w;
}

result<effect_row> read_effect(stored_entity const& row, effect_state s) {
    auto const sequence = sequence_in(row.row_key, s);
    if (!sequence)
        return failure{bad_row(library_errc::unreadable_key, "RowKey", "the row of the outbox has no number")};
    row_values values{row};
    effect_row e{.sequence = *sequence,
                 .type = values.get<std::string>("Type"),
                 .json = values.get<std::string>("Effect"),
                 .entity = values.get<std::string>("Entity"),
                 .commit = values.get<guid>("Commit"),
                 .committed = values.get<ticks>("Committed"),
                 .attempts = values.get<std::int32_t>("Attempts"),
                 .reason = values.get_or("Reason", std::string{}),
                 .next_try = values.get_or("NextTry", ticks{})};
    if (values.fault()) return failure{*values.fault()};
    e.attempts = std::clamp(e.attempts, 0, std::numeric_limits<std::int32_t>::max() - 1);
    return e;
}

std::string entity_of_bad_row(stored_entity const& row) {
    auto const* const entity = row.try_get<std::string>("Entity");
    return entity ? *entity : std::string{};
}

std::int64_t number_of_bad_row(stored_entity const& row) {
    return sequence_in(row.row_key, effect_state::pending).value_or(0);
}

encoded_write parked_as_it_is(stored_entity const& row, std::string const& reason) {
    dynamic_entity parked = row;
    parked.row_key =
        std::string{parked_prefix} + row.row_key.substr(std::min(pending_prefix.size(), row.row_key.size()));
    auto const without_reason = parked;
    parked.set("Reason", reason);
    auto w = encode_row(write_kind::insert, parked, {});
    return w.fault ? encode_row(write_kind::insert, without_reason, {}) : w;
}

encoded_write erase_of(stored_entity const& row) {
    encoded_write w{.kind = write_kind::erase, .if_match = std::string{any_etag}};
    w.entity.partition_key = row.partition_key;
    w.entity.row_key = row.row_key;
    return w;
}

std::string cut(std::string_view text, std::size_t most) {
    if (text.size() <= most) return std::string{text};
    while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0U) == 0x80U) --most;
    return std::string{text.substr(0, most)};
}

// ---- messages -------------------------------------------------------------------------------------------------------

namespace {

struct parked_message {
    std::string kind{};
    std::string table{};
    std::string partition{};
    std::int64_t sequence{};
    std::string effect{};
    std::int32_t attempts{};
    std::string reason{};
};

}  // namespace

outbox_place make_outbox_place(std::shared_ptr<table_state const> table, std::string queue) {
    value_or_throw(check_relay_queue(queue));
    return {std::move(table), std::move(queue)};
}

relay_queue queue_of(outbox_place const& place) noexcept {
    return {.name = place.queue, .table = place.table->name, .what = "outbox"};
}

std::optional<std::string> read_parked_partition(std::string_view text, std::string_view table) {
    parked_message m;
    if (!read_json(text, m) || m.kind != parked_kind || m.table != table || m.sequence < 1) return std::nullopt;
    return std::move(m.partition);
}

std::string parked_text(std::string_view table, std::string_view partition_key, effect_row const& row) {
    parked_message const m{.kind = std::string{parked_kind},
                           .table = std::string{table},
                           .partition = std::string{partition_key},
                           .sequence = row.sequence,
                           .effect = cut(row.type, longest_type),
                           .attempts = row.attempts,
                           .reason = row.reason};
    std::string text;
    if (!append_json(text, m)) text.clear();
    return text;
}

}  // namespace tablemap::detail
