// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/write/single_request.hpp"

#include "store/ask.hpp"
#include "tablemap/detail/store/task_run.hpp"
#include "tablemap/detail/write/index_keeping.hpp"
#include "tablemap/detail/write/table_call.hpp"
#include "tablemap/edm/names.hpp"

#include <algorithm>
#include <utility>

namespace tablemap::inline v0_1::detail {

namespace {

/// The cipher of a table, null without keys of any kind. Errors (thrown): `library_errc::no_encryption_key` for a
/// resolver without keys.
std::shared_ptr<property_cipher const> make_cipher(store const& s, std::string const& table, table_options const& o) {
    auto const& keys = s.context().keys;
    if (o.encrypt && !keys) throw no_keys({}).in({}, table);
    if (!keys && !o.legacy_keys) return nullptr;
    return std::make_shared<property_cipher const>(table, keys, o.encrypt, o.legacy_keys);
}

}  // namespace

std::shared_ptr<table_state const> make_table_state(store_ptr s, std::string name, table_options const& o,
                                                    static_list<row_type const*> types) {
    value_or_throw(check_table_name(name));
    auto cipher = make_cipher(*s, name, o);
    bool const sealed = std::any_of(types.begin(), types.end(), [](auto* t) { return t->sealed; });
    if (sealed && !s->context().keys) throw no_keys({}).in({}, name);
    return std::make_shared<table_state const>(
        table_state{std::move(s), std::move(name), o.operation_ids, std::move(cipher)});
}

table_options options_used_by(table_state const& t) {
    table_options o{.operation_ids = t.operation_ids};
    if (t.cipher) {
        o.encrypt = t.cipher->resolver();
        o.legacy_keys = t.cipher->legacy();
    }
    return o;
}

request single_request::make_request() const {
    if (access_ == row_access::read)
        return get_entity{.table = table_->name,
                          .partition_key = row_.entity.partition_key,
                          .row_key = row_.entity.row_key,
                          .packed = true};
    return write_entity{table_->name, row_.operation()};
}

single_request::single_request(std::shared_ptr<table_state const> table, std::string_view action, row_access access,
                               encoded_write&& row)
    : table_(std::move(table)), action_(action), access_(access), row_(std::move(row)) {}

error single_request::explain(error const& e) const { return e.in(action_, table_->name); }

void single_request::send(call_context& call) {
    if (is_needed()) answer_ = ask_now(*store(), make_request(), call);
}

task<> const& single_request::first() { return first_ = ask_for_response(); }

task<> single_request::ask_for_response() {
    if (!is_needed()) co_return;
    request const sent = make_request();
    answer_ = co_await ask(sent);
}

result<bool> finish_unless::operator()(response& answer) const {
    if (!answer.failure) return true;
    auto& why = *answer.failure;
    if (why.code() != expected) return failure{std::move(why)};
    if (why.outcome() != outcome::in_doubt) return false;
    return failure{error{library_errc::response_lost, why.details()}};
}

result<etag> finish_etag::operator()(response& answer) const {
    if (answer.failure) return failure{std::move(*answer.failure)};
    return std::move(answer.etag);
}

error explain_absence(error const& e) {
    if (e.code() != service_errc::resource_not_found || !e.details().reason.empty()) return e;
    auto d = e.details();
    d.reason = "it was erased since it was read, or a member of its key was changed, which makes it another entity";
    return error{e.code(), std::move(d)};
}

result<void> finish_erase::operator()(response& answer) const {
    if (answer.failure) return failure{explain_absence(*answer.failure)};
    return {};
}

result<void> finish_refresh::operator()(response& answer) const {
    if (answer.failure) return failure{explain_absence(*answer.failure)};
    *etag = std::move(answer.etag);
    *outdated = false;
    return {};
}

result<bool> finish_refresh_if::operator()(response& answer) const {
    if (!sent) return false;
    if (auto r = refresh(answer); !r) return failure{std::move(r).error()};
    return true;
}

namespace {

result<etag> write_whole(std::shared_ptr<table_state const> const& table, encoded_write&& w, call_options const& o) {
    auto& s = *table->store;
    auto const action = name_of(w);
    if (w.indexes) {
        table_call<etag> call{table, action, write_indexed(*table, std::move(w))};
        return run(s, call, o);
    }
    prepared<finish_etag> op{table, action, row_access::write, std::move(w), {}};
    return run(s, op, o);
}

template <class Decode> struct finish_decoded {
    Decode decode;

    result<void> operator()(response& answer) const {
        auto there = finish_unless{service_errc::resource_not_found}(answer);
        if (!there) return failure{std::move(there).error()};
        return *there ? decode(answer.body) : result<void>{};
    }
};

template <class Decode>
result<void> find_and(std::shared_ptr<table_state const> const& table, encoded_write&& keys, Decode decode,
                      call_options const& o) {
    prepared<finish_decoded<Decode>> op{table, "find", row_access::read, std::move(keys), {std::move(decode)}};
    return run(*table->store, op, o);
}

}  // namespace

clock& clock_of(call_options const& o) noexcept { return o.clock ? *o.clock : clock::system(); }

result<void> write_now(std::shared_ptr<table_state const> const& table, encoded_write&& w, etag& made,
                       call_options const& o) {
    auto stored = write_whole(table, std::move(w), o);
    if (!stored) return failure{std::move(stored).error()};
    made = *std::move(stored);
    return {};
}

result<void> write_now(std::shared_ptr<table_state const> const& table, write_kind kind, whole_value const& value,
                       std::string_view if_match, etag& made, call_options const& o) {
    write_encoder_base const encoder{table->operation_ids, clock_of(o), table->cipher.get()};
    return write_now(table, encoder.whole(kind, value, if_match), made, o);
}

void insert_or_throw(std::shared_ptr<table_state const> const& table, whole_value const& value, etag& made,
                     call_options const& o) {
    value_or_throw(write_now(table, write_kind::insert, value, {}, made, o));
}

result<void> find_now(std::shared_ptr<table_state const> const& table, encoded_write&& keys, found_place const& to,
                      call_options const& o) {
    auto const decode = [&](std::string& json) {
        auto const row = to.make(to.optional);
        return read_row(json, row, to.types, {.cipher = needed_for(json, table->cipher.get())});
    };
    return find_and(table, std::move(keys), decode, o);
}

result<void> find_now(std::shared_ptr<table_state const> const& table, encoded_write&& keys,
                      std::optional<entity<dynamic_entity>>& found, call_options const& o) {
    auto const decode = [&](std::string& json) { return decode_into(json, found.emplace(), table->cipher.get()); };
    return find_and(table, std::move(keys), decode, o);
}

void find_or_throw(std::shared_ptr<table_state const> const& table, found_type const& type, void* optional,
                   void const* const* values, call_options const& o) {
    encoded_write row;
    row.fault = fault_of(make_both_keys(type.keys, values, row.entity.partition_key, row.entity.row_key));
    value_or_throw(find_now(table, std::move(row), {type.make, optional, type.types}, o));
}

}  // namespace tablemap::detail
