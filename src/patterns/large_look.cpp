// SPDX-License-Identifier: Apache-2.0
#include "patterns/large_look.hpp"

#include "blob/blob_answers.hpp"
#include "patterns/large_names.hpp"
#include "store/ask.hpp"
#include "store/refusals.hpp"
#include "tablemap/detail/mapping/read_row.hpp"
#include "tablemap/detail/wire/reader.hpp"
#include "tablemap/mapping/property_cipher.hpp"

#include <algorithm>
#include <utility>
#include <variant>

namespace tablemap::inline v0_1::detail {
namespace {

large_finding failed(error const& why) { return {looked::changed, 0, why}; }

error no_etag() {
    return error{library_errc::malformed_response,
                 {.reason = "a row or a blob came without an etag of its own, so it is not deleted"}};
}

/// A permit that is there.
struct found_permit {
    ticks written{};
    tablemap::etag version{};
};

/// One run of `look_at_blob`.
class blob_look {
public:
    blob_look(large_collection const& c, blob_properties const& blob, ticks old_before)
        : c_(c), blob_(blob), old_before_(old_before) {}

    task<large_finding> run() {
        auto owner = owner_of(folder_of(c_.rows->name), blob_.name);
        if (!owner) co_return large_finding{looked::stranger};
        owner_ = *std::move(owner);
        permit_key_ = {owner_.key.partition_key, permit_key(owner_.name.substr(0, random_digits))};
        auto found = co_await look();
        // Another collector, or this one for another blob of the write, has erased the permit.
        if (found.what == looked::changed && !found.fault) found = co_await look();
        co_return found;
    }

private:
    task<large_finding> look() {
        auto const permit = co_await find_permit();
        if (!permit) co_return failed(permit.error());
        auto const named = co_await is_named();
        if (!named) co_return failed(named.error());
        if (*named) co_return large_finding{looked::in_use};
        if (!*permit) {
            auto const deleted = co_await erase_blob();
            co_return deleted;
        }
        if ((**permit).written > old_before_) co_return large_finding{looked::young};
        auto const& version = (**permit).version;
        auto ended = co_await end_writer(version);
        co_return ended;
    }

    task<result<std::optional<found_permit>>> find_permit() {
        request const what = get_entity{c_.rows->name, permit_key_.partition_key, permit_key_.row_key, {}, true};
        auto row = co_await ask(what);
        if (is_absent(row)) co_return std::nullopt;
        if (!row.ok()) co_return failure{*row.failure};
        auto read = read_dynamic(row.body);
        if (!read) co_return failure{read.error()};
        co_return found_permit{time_of_permit(c_, *read), std::move(read->etag)};
    }

    task<result<bool>> is_named() {
        request const what = get_entity{c_.rows->name, owner_.key.partition_key, owner_.key.row_key, {}, true};
        auto row = co_await ask(what);
        if (is_absent(row)) co_return false;
        if (!row.ok()) co_return failure{*row.failure};
        if (names(row.body, owner_.name)) co_return true;
        co_return is_named_in_secret(row.body);
    }

    /// The same of a row with encrypted properties. One that cannot be read may name the blob.
    result<bool> is_named_in_secret(std::string& body) const {
        auto row = read_dynamic(body);
        if (!row) return failure{row.error()};
        auto const opened = open_whole(*row, c_.rows->cipher.get());
        if (opened.unavailable) return failure{*opened.unavailable};
        if (!opened.faults.empty()) return failure{row_error(opened.faults)};
        auto const all = row->properties();
        return std::any_of(all.begin(), all.end(), [&](property const& p) {
            auto const* const text = std::get_if<std::string>(&p.value);
            return text && names(*text, owner_.name);
        });
    }

    /// Erases the permit, so that its writer cannot commit, and then the blob.
    task<large_finding> end_writer(etag const& version) {
        auto const erased = co_await erase_permit(c_, permit_key_, version);
        if (erased.what != looked::deleted) co_return erased;
        auto const named = co_await is_named();
        if (!named) co_return large_finding{looked::changed, 1, named.error()};
        if (*named) co_return large_finding{looked::in_use, 1};
        auto deleted = co_await erase_blob();
        deleted.permits = 1;
        co_return deleted;
    }

    task<large_finding> erase_blob() {
        if (blob_.etag.empty() || blob_.etag.text() == any_etag) co_return failed(no_etag());
        request const what = blob_request{
            delete_blob{.container = c_.container, .blob = blob_.name, .when = {.if_match = blob_.etag.text()}}};
        auto const answer = co_await ask(what);
        if (answer.ok()) co_return large_finding{looked::deleted};
        if (is_gone(*answer.failure)) co_return large_finding{looked::gone};
        if (answer.failure->kind() == error_kind::precondition_failed) co_return large_finding{looked::changed};
        co_return failed(*answer.failure);
    }

    large_collection const& c_;
    blob_properties const& blob_;
    ticks old_before_;
    large_owner owner_{};
    entity_key permit_key_{};
};

}  // namespace

task<large_finding> look_at_blob(large_collection const& c, blob_properties const& blob, ticks old_before) {
    blob_look look{c, blob, old_before};
    auto found = co_await look.run();
    co_return found;
}

ticks time_of_permit(large_collection const& c, stored_entity const& permit) {
    auto const* const begun = permit.try_get<ticks>(permit_begun);
    if (!begun || permit.timestamp <= c.options.now()) return permit.timestamp;
    return std::min(permit.timestamp, *begun);
}

task<large_finding> erase_permit(large_collection const& c, entity_key const& key, etag const& version) {
    if (version.empty() || version.text() == any_etag) co_return failed(no_etag());
    request const what = write_entity{c.rows->name,
                                      {.kind = write_kind::erase,
                                       .partition_key = key.partition_key,
                                       .row_key = key.row_key,
                                       .if_match = version.text()}};
    auto const answer = co_await ask(what);
    if (answer.ok()) co_return large_finding{looked::deleted};
    if (is_outdated(*answer.failure)) co_return large_finding{looked::changed};
    co_return failed(*answer.failure);
}

}  // namespace tablemap::detail
