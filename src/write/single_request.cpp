// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/write/single_request.hpp"

#include "store/ask.hpp"
#include "tablemap/detail/store/task_run.hpp"
#include "tablemap/detail/write/index_keeping.hpp"
#include "tablemap/detail/write/table_call.hpp"
#include "tablemap/edm/names.hpp"

#include <algorithm>

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
                                                    std::span<row_type const* const> types) {
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

/// False if nothing is to be sent.
bool single_request::make_request() {
    if (row_.fault || row_.needless) return false;
    if (access_ == row_access::read)
        sent_ = get_entity{table_->name, row_.entity.partition_key, row_.entity.row_key};
    else
        sent_ = write_entity{table_->name, row_.operation()};
    return true;
}

void single_request::send(call_context& call) {
    if (make_request()) answer_ = ask_now(*store(), sent_, call);
}

task<> const& single_request::first() { return first_.emplace(ask_for_response()); }

task<> single_request::ask_for_response() {
    if (make_request()) answer_ = co_await ask(sent_);
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

result<etag> write_now(std::shared_ptr<table_state const> const& table, encoded_write&& w, call_options const& o) {
    auto& s = *table->store;
    auto const action = name_of(w);
    if (w.indexes) {
        table_call<etag> call{table, action, write_indexed(*table, std::move(w))};
        return run(s, call, o);
    }
    prepared<finish_etag> op{table, action, row_access::write, std::move(w), {}};
    return run(s, op, o);
}

namespace {

struct finish_decoded {
    decode_function decode;
    void* found;
    property_cipher const* cipher;

    result<void> operator()(response& answer) const {
        auto there = finish_unless{service_errc::resource_not_found}(answer);
        if (!there) return failure{std::move(there).error()};
        return *there ? decode(answer.body, found, cipher) : result<void>{};
    }
};

}  // namespace

result<void> find_now(std::shared_ptr<table_state const> const& table, encoded_write&& keys, decode_function decode,
                      void* found, call_options const& o) {
    prepared<finish_decoded> op{table, "find", row_access::read, std::move(keys), {decode, found, table->cipher.get()}};
    return run(*table->store, op, o);
}

}  // namespace tablemap::detail
