// SPDX-License-Identifier: Apache-2.0
#include "patterns/wide_rows.hpp"

#include "store/ask.hpp"
#include "store/pager.hpp"
#include "store/refusals.hpp"
#include "tablemap/detail/mapping/encode.hpp"
#include "tablemap/detail/write/commit.hpp"
#include "tablemap/detail/write/modify_row.hpp"
#include "tablemap/detail/write/write_encoder.hpp"
#include "tablemap/edm/names.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr std::string_view fewer_writers{"allow more in modify_options, or let fewer writers change one entity"};

constexpr std::string_view fewer_erasers{"let fewer writers change one entity, or pass a later deadline"};

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
std::optional<error> find_excess(table_state const& table, std::vector<encoded_write> const& writes) {
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

/// Sends a group. Errors name the entity and no operation of the group: the program's is one.
task<result<etag>> send(std::shared_ptr<table_state const> table, std::vector<encoded_write> writes, clock& c) {
    auto const core = std::make_shared<transaction_core>(table, c);
    entity_key const head{writes.front().entity.partition_key, writes.front().entity.row_key};
    for (auto& w : writes) core->add(std::move(w), true, {});
    auto etags = co_await commit(core);
    if (!etags) co_return failure{of_entity(etags.error(), head)};
    co_return etags->empty() ? etag{} : std::move(etags->front());
}

/// The rows of an entity that are there.
struct found_rows {
    bool head = false;
    std::vector<std::size_t> further{};
};

/// Finds the rows of an entity by their keys.
class row_finder final : public entity_sink {
public:
    explicit row_finder(page_bounds const& bounds) : bounds_(bounds) {}

    bool begin() override {
        partition_key_ = row_key_ = {};
        return true;
    }
    bool property(std::string_view name, json_token const& value) override {
        if (value.kind != json_token_kind::text) return true;
        if (name == partition_key_name) partition_key_ = value.text;
        if (name == row_key_name) row_key_ = value.text;
        return true;
    }
    bool end() override {
        if (!bounds_.hold(partition_key_, row_key_)) return stop(rows_not_asked_for());
        auto const number = split_row_key(row_key_).number;
        if (last_ && number <= *last_) return stop(rows_not_asked_for());
        last_ = number;
        if (number == 0)
            found.head = true;
        else
            found.further.push_back(number);
        return true;
    }

    found_rows found{};

private:
    page_bounds bounds_;
    std::string_view partition_key_{}, row_key_{};
    std::optional<std::size_t> last_{};
};

task<result<found_rows>> find_rows(table_state const& table, entity_key const& key) {
    auto const call = co_await this_call();
    auto const end = end_of_rows(key.row_key);
    page_bounds const bounds{key_bounds::exactly(key.partition_key),
                             {.from = key.row_key, .to = std::string_view{end}}};
    std::array<std::string_view, 2> const select{partition_key_name, row_key_name};
    row_finder sink{bounds};
    pager pages{
        query_page{
            .table = table.name, .partition = bounds.partition, .row = bounds.row, .select = select, .current = true},
        [&](response& page) { return read_page(page.body, sink); }};
    while (!pages.ended()) {
        request const what = pages.request();
        auto page = co_await ask(what);
        auto const more = pages.take(page, call.env.options());
        if (!more) co_return failure{more.error()};
    }
    co_return std::move(sink.found);
}

/// The writes that erase rows of an entity.
std::vector<encoded_write> erases_of(entity_key const& key, std::string if_match,
                                     std::vector<std::size_t> const& further) {
    std::vector<encoded_write> writes(1);
    writes.front() = {.kind = write_kind::erase, .if_match = std::move(if_match)};
    writes.front().entity.partition_key = key.partition_key;
    writes.front().entity.row_key = key.row_key;
    for (auto const number : further) writes.push_back(erase_of(key, number));
    return writes;
}

/// The rows of an entity as text, to find those that change. Encrypted values are plain: two encryptions of one value
/// differ.
result<std::vector<encoded_state>> rows_of(table_state const& table, wide_type type, wide_object& object,
                                           entity_key const& key) {
    std::vector<encoded_state> rows;
    for (std::size_t i = 0; i < type.rows.size(); ++i) {
        auto& out = rows.emplace_back();
        out.entity.partition_key = key.partition_key;
        out.entity.row_key = i == 0 ? key.row_key : further_row_key(key.row_key, i);
        auto r = encode_columns_state(*type.rows[i], &object, out, faulty_properties::refused, table.cipher.get());
        if (!r) return failure{of_row(r.error(), i, type.rows.size())};
    }
    return rows;
}

/// Plain bytes of a value may look like the end of one property and the beginning of another.
bool is_same_row(encoded_state const& a, encoded_state const& b) {
    auto const is_same_place = [](property_place const& x, property_place const& y) {
        return x.begin == y.begin && x.value == y.value && x.end == y.end;
    };
    return a.entity.body == b.entity.body &&
           std::equal(a.places.begin(), a.places.end(), b.places.begin(), b.places.end(), is_same_place);
}

error key_was_changed() {
    return error{library_errc::key_changed,
                 {.reason = "modify may not change a member of the key: another key is another entity; insert that one "
                            "and erase this"}};
}

/// One run of `modify_wide`, once the entity was read.
class wide_modification {
public:
    wide_modification(table_state const& table, wide_type type, wide_place place, wide_set const& read)
        : table_(table), type_(type), place_(place), read_(read) {}

    /// The write of the edit; nothing if it changes nothing.
    result<std::optional<wide_writing>> edit(wide_editor& by) {
        auto& object = *place_.object;
        auto const before = rows_of(table_, type_, object, read_.key);
        by.edit(object);
        auto const key = keys_of(type_, object);
        if (!key) return failure{key.error()};
        if (!(*key == read_.key)) return failure{key_was_changed()};
        auto const after = rows_of(table_, type_, object, read_.key);
        if (!after) return failure{after.error()};
        wide_writing how{
            .kind = write_kind::replace, .if_match = place_.etag->text(), .rows = std::vector<bool>(type_.rows.size())};
        // A member that could not be stored may have been repaired: all rows are written then.
        for (std::size_t i = 0; i < after->size(); ++i)
            how.rows[i] = !before || !is_same_row((*before)[i], (*after)[i]) || lacks_row(i);
        how.erased = strangers();
        if (before && std::equal(before->begin(), before->end(), after->begin(), &is_same_row) && how.erased.empty())
            return std::nullopt;
        return how;
    }

private:
    /// True for a row that a mapping with fewer rows did not write.
    bool lacks_row(std::size_t i) const { return i > 0 && !place_.object->stamps->in_head[i]; }

    /// Rows that a mapping with more rows has left.
    std::vector<std::size_t> strangers() const {
        std::vector<std::size_t> found;
        std::copy_if(read_.rows.begin(), read_.rows.end(), std::back_inserter(found),
                     [&](std::size_t number) { return number >= type_.rows.size(); });
        return found;
    }

    table_state const& table_;
    wide_type type_;
    wide_place place_;
    wide_set const& read_;
};

error not_there() {
    return error{service_errc::resource_not_found,
                 {.reason = "there is no entity with this key; insert one, or upsert it"}};
}

}  // namespace

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
    if (auto excess = find_excess(*table, *writes)) co_return failure{*std::move(excess)};
    auto& clock = call.env.clock();
    auto list = std::move(*writes);
    auto sent = co_await send(table, std::move(list), clock);
    co_return sent;
}

task<result<void>> erase_wide(std::shared_ptr<table_state const> table, entity_key key, std::string if_match) {
    auto const call = co_await this_call();
    if (auto r = check_head(key); !r) co_return r;
    auto const found = co_await find_rows(*table, key);
    if (!found) co_return failure{found.error()};
    auto writes = erases_of(key, std::move(if_match), found->further);
    auto& clock = call.env.clock();
    auto const sent = co_await send(table, std::move(writes), clock);
    if (!sent) co_return failure{sent.error()};
    co_return result<void>{};
}

task<result<bool>> erase_any_wide(std::shared_ptr<table_state const> table, entity_key key) {
    auto const call = co_await this_call();
    if (auto r = check_head(key); !r) co_return failure{std::move(r).error()};
    for (int tries = 1;; ++tries) {
        auto const began = call.env.now();
        auto const found = co_await find_rows(*table, key);
        if (!found) co_return failure{found.error()};
        if (!found->head) co_return false;
        auto writes = erases_of(key, std::string{any_etag}, found->further);
        auto& clock = call.env.clock();
        auto const sent = co_await send(table, std::move(writes), clock);
        if (sent) co_return true;
        // One of the rows has gone since they were found.
        if (!is_outdated(sent.error())) co_return failure{sent.error()};
        auto const until = next_try({}, tries, call.env.now() - began, sent.error(), call.env, fewer_erasers);
        if (!until) co_return failure{until.error()};
        co_await pause_until(*until);
    }
}

task<result<void>> modify_wide(std::shared_ptr<table_state const> table, wide_type type, entity_key key,
                               wide_entities& to, wide_editor& editor, modify_options options) {
    auto const call = co_await this_call();
    for (int tries = 1;; ++tries) {
        auto const began = call.env.now();
        auto const read = co_await read_wide(*table, type, key, true, to);
        if (!read) co_return failure{read.error()};
        if (!*read) co_return failure{not_there()};
        if (auto const& fault = (**read).fault) co_return failure{*fault};
        auto const place = to.at(0);
        auto how = wide_modification{*table, type, place, **read}.edit(editor);
        if (!how) co_return failure{how.error()};
        if (!*how) co_return result<void>{};
        auto writing = std::move(**how);
        auto const stored = co_await write_wide(table, type, *place.object, std::move(writing));
        if (stored) {
            *place.etag = *stored;
            co_return result<void>{};
        }
        if (!is_conflict(stored.error())) co_return failure{stored.error()};
        auto const until = next_try(options, tries, call.env.now() - began, stored.error(), call.env, fewer_writers);
        if (!until) co_return failure{until.error()};
        co_await pause_until(*until);
    }
}

}  // namespace tablemap::detail
