// SPDX-License-Identifier: Apache-2.0
#include "patterns/wide_send.hpp"

#include "patterns/wide_rows.hpp"
#include "store/ask.hpp"
#include "tablemap/detail/mapping/encode.hpp"
#include "tablemap/detail/write/commit.hpp"
#include "tablemap/detail/write/modify_row.hpp"
#include "tablemap/detail/write/write_encoder.hpp"

#include <algorithm>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

struct key_filler : write_encoder_base {
    using write_encoder_base::fill_generated;
    using write_encoder_base::write_encoder_base;
};

std::string random_stamp(clock& c) {
    auto const id = random_guid(c).text();
    std::string stamp;
    std::copy_if(id.begin(), id.end(), std::back_inserter(stamp), [](char ch) { return ch != '-'; });
    return stamp;
}

bool is_new(write_kind k) noexcept { return k == write_kind::insert || k == write_kind::upsert_replace; }

/// The further rows of a write are written whatever was there: the head's condition holds for all.
write_kind kind_of_further(write_kind head) noexcept {
    return head == write_kind::merge ? write_kind::upsert_merge : write_kind::upsert_replace;
}

/// The writes of an entity's rows.
class wide_encoder {
public:
    wide_encoder(table_state const& table, wide_type type, wide_object& object, wide_writing const& how, clock& c)
        : table_(table), type_(type), object_(object), how_(how), clock_(c) {}

    result<std::vector<encoded_write>> encode() {
        key_filler const filler{table_.operation_ids, clock_, table_.cipher.get()};
        bool const made = is_new(how_.kind) && filler.fill_generated(*type_.rows.front(), &object_);
        auto key = keys_of(type_, object_);
        if (!key) return failure{std::move(key).error()};
        stamp_rows();
        std::vector<encoded_write> writes;
        for (std::size_t i = 0; i < type_.rows.size(); ++i) {
            if (!is_written(i)) continue;
            if (auto r = add(writes, *key, i); !r) return failure{of_row(r.error(), i, type_.rows.size())};
        }
        writes.front().key_is_new = made;
        for (auto const number : how_.erased) writes.push_back(erase_of(*key, number));
        return writes;
    }

private:
    bool is_written(std::size_t i) const { return i == 0 || how_.rows.empty() || how_.rows[i]; }

    /// Rows that are not written keep their stamps, which a merge of the head leaves alone.
    void stamp_rows() {
        auto& stamps = *object_.stamps;
        for (std::size_t i = 1; i < type_.rows.size(); ++i) {
            if (is_written(i))
                stamps.in_head[i] = stamps.in_rows[i] = random_stamp(clock_);
            else if (how_.kind == write_kind::merge)
                stamps.in_head[i].reset();
        }
    }

    result<void> add(std::vector<encoded_write>& to, entity_key const& key, std::size_t i) {
        auto& w = to.emplace_back();
        w.kind = i == 0 ? how_.kind : kind_of_further(how_.kind);
        if (i == 0) w.if_match = how_.if_match;
        w.entity.partition_key = key.partition_key;
        w.entity.row_key = i == 0 ? key.row_key : further_row_key(key.row_key, i);
        if (!check_key(w.entity.row_key))
            return fail(library_errc::key_too_large,
                        {.reason = "the row key of a wide entity has at most 508 UTF-16 code units, since those of its "
                                   "further rows have four more"});
        if (table_.operation_ids) w.entity.operation_id = random_guid(clock_);
        auto const empty = how_.chosen ? empty_members::refused : empty_members::left_out;
        return encode_columns(*type_.rows[i], &object_, w.entity, empty, how_.chosen, table_.cipher.get());
    }

    table_state const& table_;
    wide_type type_;
    wide_object& object_;
    wide_writing const& how_;
    clock& clock_;
};

error too_much(std::string reason, entity_key key) {
    error_details d;
    d.reason = std::move(reason);
    d.failed_key = std::move(key);
    return error{service_errc::request_body_too_large, std::move(d)};
}

/// The error of an entity that does not fit into one transaction.
std::optional<error> find_rows_excess(table_state const& table, std::vector<encoded_write> const& writes) {
    auto const& can = table.store->capabilities();
    entity_key const key{writes.front().entity.partition_key, writes.front().entity.row_key};
    std::size_t bytes = 0;
    for (auto const& w : writes) bytes += transaction_bytes_of(can, table.name, w.operation());
    auto const rows = std::to_string(writes.size());
    if (writes.size() > can.transaction_operations)
        return too_much("this write of a wide entity has " + rows + " rows, and one transaction of the store takes " +
                            std::to_string(can.transaction_operations) + "; begin fewer rows with next_row_at<...>",
                        key);
    if (bytes <= can.transaction_bytes) return std::nullopt;
    return too_much("this write of a wide entity takes " + std::to_string(bytes) + " bytes in " + rows +
                        " rows, and one transaction of the store takes " + std::to_string(can.transaction_bytes) +
                        "; store its largest values apart, such as in blobs, or merge some members at a time",
                    key);
}

error of_entity(error const& e, entity_key const& head) {
    if (!e.failed_index()) return e;
    auto d = without_place(e).details();
    d.failed_key = head;
    return error{e.code(), std::move(d)};
}

}  // namespace

error of_row(error const& e, std::size_t number, std::size_t rows) {
    auto d = e.details();
    bool const is_full = e.code() == library_errc::entity_too_large || e.code() == library_errc::too_many_properties;
    if (is_full)
        d.reason += "; this is row " + std::to_string(number + 1) + " of the " + std::to_string(rows) +
                    " of a wide entity: begin another one with next_row_at<...> in its mapping";
    return error{e.code(), std::move(d)};
}

encoded_write erase_of(entity_key const& key, std::size_t number) {
    encoded_write w{.kind = write_kind::erase, .if_match = std::string{any_etag}};
    w.entity.partition_key = key.partition_key;
    w.entity.row_key = further_row_key(key.row_key, number);
    return w;
}

task<result<etag>> send_wide(std::shared_ptr<table_state const> table, std::vector<encoded_write> writes, clock& c) {
    auto const core = std::make_shared<transaction_core>(table, c);
    entity_key const head{writes.front().entity.partition_key, writes.front().entity.row_key};
    for (auto& w : writes) core->add(std::move(w), true, {});
    auto etags = co_await commit(core);
    if (!etags) co_return failure{of_entity(etags.error(), head)};
    co_return etags->empty() ? etag{} : std::move(etags->front());
}

std::vector<bool> rows_of_choice(wide_type type, chosen_columns const& chosen) {
    std::vector<bool> rows(type.rows.size());
    for (std::size_t i = 1; i < rows.size(); ++i) {
        std::size_t const end = i + 1 < rows.size() ? type.begins[i + 1] : chosen.fields.size();
        for (std::size_t field = type.begins[i]; field < end; ++field)
            if (chosen.fields.test(field)) rows[i] = true;
    }
    return rows;
}

result<entity_key> keys_of(wide_type type, wide_object& object) {
    entity_key key;
    if (auto r = encode_keys(*type.rows.front(), &object, key.partition_key, key.row_key); !r)
        return failure{std::move(r).error()};
    if (auto r = check_head(key); !r) return failure{std::move(r).error()};
    return key;
}

task<result<etag>> write_wide(std::shared_ptr<table_state const> table, wide_type type, wide_object& object,
                              wide_writing how) {
    auto const call = co_await this_call();
    auto writes = wide_encoder{*table, type, object, how, call.env.clock()}.encode();
    if (!writes) co_return failure{std::move(writes).error()};
    if (auto excess = find_rows_excess(*table, *writes)) co_return failure{*std::move(excess)};
    auto& clock = call.env.clock();
    auto list = std::move(*writes);
    auto sent = co_await send_wide(table, std::move(list), clock);
    co_return sent;
}

}  // namespace tablemap::detail
