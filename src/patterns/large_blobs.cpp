// SPDX-License-Identifier: Apache-2.0
#include "patterns/large_blobs.hpp"

#include "base/text_bytes.hpp"
#include "crypto/sealed_value.hpp"
#include "store/ask.hpp"
#include "store/retry.hpp"
#include "tablemap/detail/crypto/hmac.hpp"
#include "tablemap/store/service_response.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr std::uint8_t text_type = 1, binary_type = 8;
constexpr std::size_t first_room = 64 * 1024;

std::string property_of(large_place const& where, std::size_t number, bool is_last) {
    auto const last = is_last ? ":last" : ":more";
    return std::string{where.property}.append(1, ':').append(where.name) + ':' + std::to_string(number) + last;
}

std::uint8_t type_of(large_place const& where) noexcept { return where.is_text ? text_type : binary_type; }

error not_as_written(std::string_view member_of) {
    return error{library_errc::malformed_response,
                 {.reason = "the blob of a large member has another " + std::string{member_of} +
                            " than its entity says, so something else than a large_table wrote it; restore it, or "
                            "store the value anew"}};
}

// ---- storing --------------------------------------------------------------------------------------------------------

/// The id of a block: all have eight digits.
std::string block_id(std::size_t number) {
    auto const digits = std::to_string(number);
    return std::string(8 - std::min<std::size_t>(digits.size(), 8), '0') + digits;
}

/// Reads pieces, and says of each whether it is the last one.
class piece_reader {
public:
    explicit piece_reader(large_source& from) : from_(from) {}

    bool ended() const noexcept { return ended_; }

    struct piece {
        std::string bytes;
        bool is_last;
    };
    piece next() {
        auto bytes = std::exchange(ahead_, {});
        if (!std::exchange(begun_, true)) bytes = read();
        ahead_ = bytes.size() < piece_bytes ? std::string{} : read();
        ended_ = ahead_.empty();
        return {std::move(bytes), ended_};
    }

private:
    std::string read() {
        std::string bytes;
        std::size_t size = 0;
        while (size < piece_bytes) {
            if (size == bytes.size()) bytes.resize(std::clamp<std::size_t>(2 * size, first_room, piece_bytes));
            auto const more = from_.read({bytes.data() + size, bytes.size() - size});
            if (more == 0) break;
            size += std::min(more, bytes.size() - size);
        }
        bytes.resize(size);
        return bytes;
    }

    large_source& from_;
    std::string ahead_{};
    bool begun_ = false, ended_ = false;
};

error too_many_pieces() {
    return error{service_errc::block_count_exceeds_limit,
                 {.reason = "a value has at most 50,000 pieces of 4 MiB, which are 195 GiB"}};
}

/// A blob that is written piece by piece.
class blob_writing {
public:
    blob_writing(large_place const& where, std::optional<encryption_key> const& key, std::size_t most_pieces)
        : where_(where), key_(key), most_pieces_(most_pieces), blob_(where.blob()), type_(type_of(where)) {}

    /// The type of the value, if the place does not tell it.
    void set_type(std::uint8_t type) noexcept { type_ = type; }

    /// The next piece as it is stored.
    result<std::string> as_stored(std::string bytes, bool is_last) {
        auto const property = property_of(where_, number_++, is_last);
        size_ += bytes.size();
        if (key_) {
            sealed_place const place{where_.table, where_.entity.partition_key, where_.entity.row_key, property};
            auto const sealed = seal(*key_, place, type_, as_bytes(bytes));
            if (!sealed) return failure{sealed.error()};
            bytes.assign(reinterpret_cast<char const*>(sealed->data()), sealed->size());
        }
        stored_ += bytes.size();
        hash_.add(as_bytes(bytes));
        return bytes;
    }

    large_reference reference() { return {{}, size_, hex_of(hash_.finish()), key_ ? key_->id() : std::string{}}; }

    task<result<void>> put_whole(std::string const& bytes) {
        request const what = blob_request{
            put_blob{.container = where_.container, .blob = blob_, .body = bytes, .when = {.if_absent = true}}};
        auto const done = co_await put(what);
        co_return done;
    }

    /// Makes the blob of the pieces that were staged.
    task<result<void>> commit() {
        std::vector<std::string_view> const ids{blocks_.begin(), blocks_.end()};
        request const what = blob_request{
            commit_blocks{.container = where_.container, .blob = blob_, .blocks = ids, .when = {.if_absent = true}}};
        auto const done = co_await put(what);
        co_return done;
    }

    task<result<void>> stage(std::string const& bytes) {
        if (blocks_.size() == most_pieces_) co_return failure{too_many_pieces()};
        blocks_.push_back(block_id(blocks_.size()));
        request const what = blob_request{
            stage_block{.container = where_.container, .blob = blob_, .block = blocks_.back(), .body = bytes}};
        auto const answer = co_await ask(what);
        if (!answer.ok()) co_return failure{*answer.failure};
        co_return result<void>{};
    }

private:
    /// Makes the blob. After a lost response it tells whether it was made, for nobody else knows its name; if it was
    /// not, the request is sent again.
    task<result<void>> put(request const& what) {
        auto const call = co_await this_call();
        for (int tries = 1;; ++tries) {
            auto const answer = co_await ask(what);
            if (answer.ok()) co_return result<void>{};
            bool const made_late = tries > 1 && answer.failure->code() == service_errc::blob_already_exists;
            if (answer.outcome() != outcome::in_doubt && !made_late) co_return failure{*answer.failure};
            auto const made = co_await is_made();
            if (made && *made) co_return result<void>{};
            auto const again = made ? next_repetition(call.policy, tries, call.env) : std::nullopt;
            if (!again) co_return failure{*answer.failure};
            co_await pause_until(*again);
        }
    }

    task<result<bool>> is_made() {
        request const what = blob_request{head_blob{.container = where_.container, .blob = blob_}};
        auto const found = co_await ask(what);
        if (found.ok()) co_return found.service&& found.service->blob.size == stored_;
        if (found.failure->code() == service_errc::blob_not_found) co_return false;
        co_return failure{*found.failure};
    }

    large_place const& where_;
    std::optional<encryption_key> const& key_;
    std::size_t most_pieces_;
    std::string blob_;
    std::uint8_t type_;
    std::size_t number_ = 0;  ///< of pieces
    std::uint64_t size_ = 0, stored_ = 0;
    std::vector<std::string> blocks_{};
    sha256_stream hash_{};
};

/// One run of `store_value`.
class value_storing {
public:
    value_storing(large_place const& where, std::optional<encryption_key> const& key, large_source& from,
                  std::size_t most_pieces)
        : blob_(where, key, most_pieces), pieces_(from) {}

    task<result<large_reference>> run() {
        auto first = next();
        if (!first) co_return failure{first.error()};
        auto const piece = *std::move(first);
        if (pieces_.ended()) {
            auto const put = co_await blob_.put_whole(piece);
            if (!put) co_return failure{put.error()};
        } else {
            auto const stored = co_await put_blocks(piece);
            if (!stored) co_return failure{stored.error()};
        }
        co_return blob_.reference();
    }

private:
    result<std::string> next() {
        auto piece = pieces_.next();
        return blob_.as_stored(std::move(piece.bytes), piece.is_last);
    }

    task<result<void>> put_blocks(std::string const& first) {
        auto staged = co_await blob_.stage(first);
        while (staged && !pieces_.ended()) {
            auto const piece = next();
            if (!piece) co_return failure{piece.error()};
            staged = co_await blob_.stage(*piece);
        }
        if (staged) staged = co_await blob_.commit();
        co_return staged;
    }

    blob_writing blob_;
    piece_reader pieces_;
};

// ---- reading --------------------------------------------------------------------------------------------------------

/// The pieces of a stored value.
struct piece_layout {
    explicit piece_layout(large_reference const& of)
        : count(std::max<std::uint64_t>(1, of.size / piece_bytes + (of.size % piece_bytes != 0))),
          added(of.key_id.empty() ? 0 : sealed_size(0, of.key_id.size())),
          total(of.size + count * added) {}

    std::uint64_t count;
    std::uint64_t added;  ///< by the encryption of each
    std::uint64_t total;  ///< bytes of the blob

    std::uint64_t begin(std::uint64_t number) const { return number * (piece_bytes + added); }
    std::uint64_t size(std::uint64_t number) const {
        return std::min<std::uint64_t>(piece_bytes + added, total - begin(number));
    }
};

bool is_gone(response const& read) noexcept {
    return !read.ok() && (read.failure->code() == service_errc::blob_not_found ||
                          read.failure->code() == service_errc::update_condition_not_satisfied);
}

/// One run of `read_value`.
class value_reading {
public:
    value_reading(large_place const& where, large_reference const& what, key_provider const* keys, large_sink& to)
        : where_(where), what_(what), keys_(keys), to_(to), layout_(what), blob_(where.blob()) {}

    task<result<bool>> run() {
        for (std::uint64_t i = 0; i < count(); ++i) {
            auto const read = co_await read_piece(i);
            if (!read || !*read) co_return read;
        }
        auto const whole = check_whole();
        if (!whole) co_return failure{whole.error()};
        co_return true;
    }

    std::uint64_t count() const noexcept { return layout_.count; }

    /// False if there is no such blob.
    task<result<bool>> read_piece(std::uint64_t number) {
        auto const range = range_of(number);
        request const what = blob_request{
            get_blob{.container = where_.container, .blob = blob_, .range = range, .when = {.if_match = version_}}};
        auto const answer = co_await ask(what);
        if (is_gone(answer)) co_return false;
        if (!answer.ok() && answer.failure->code() == service_errc::invalid_range)
            co_return failure{not_as_written("length")};
        if (!answer.ok()) co_return failure{*answer.failure};
        if (auto r = take(answer, number); !r) co_return failure{r.error()};
        co_return true;
    }

    /// After the last piece.
    result<void> check_whole() {
        if (hex_of(hash_.finish()) != what_.checksum) return failure{not_as_written("checksum")};
        return {};
    }

    /// That of the last piece, if it was encrypted.
    std::uint8_t type() const noexcept { return type_; }

private:
    /// An empty blob has no range.
    std::optional<blob_range> range_of(std::uint64_t number) const {
        if (layout_.total == 0) return std::nullopt;
        return blob_range{layout_.begin(number), layout_.size(number)};
    }

    result<void> take(response const& answer, std::uint64_t number) {
        if (!answer.service || answer.service->blob.size != layout_.total || answer.body.size() != layout_.size(number))
            return failure{not_as_written("length")};
        version_ = answer.service->blob.etag.text();
        hash_.add(as_bytes(answer.body));
        if (what_.key_id.empty()) {
            to_.write(answer.body);
            return {};
        }
        return open(answer.body, number);
    }

    result<void> open(std::string_view sealed, std::uint64_t number) {
        if (!keys_)
            return fail(library_errc::no_encryption_key,
                        {.reason = "the value is encrypted; open the store with keys"});
        auto const property = property_of(where_, number, number + 1 == layout_.count);
        sealed_place const place{where_.table, where_.entity.partition_key, where_.entity.row_key, property};
        auto const opened = open_sealed(*keys_, place, as_bytes(sealed));
        if (!opened) return failure{opened.error()};
        type_ = opened->type;
        to_.write({reinterpret_cast<char const*>(opened->plain.data()), opened->plain.size()});
        return {};
    }

    large_place const& where_;
    large_reference const& what_;
    key_provider const* keys_;
    large_sink& to_;
    piece_layout layout_;
    std::string blob_;
    std::string version_{};  ///< the blob's etag, from its first piece on
    sha256_stream hash_{};
    std::uint8_t type_ = 0;
};

// ---- storing anew ---------------------------------------------------------------------------------------------------

class piece_sink final : public large_sink {
public:
    void write(std::string_view piece) override { bytes += piece; }

    std::string bytes{};
};

/// One run of `store_anew`.
class value_copying {
public:
    value_copying(large_place const& from, large_reference const& what, key_provider const* keys, large_place const& to,
                  std::optional<encryption_key> const& key)
        : reading_(from, what, keys, piece_), writing_(to, key, limits::blocks) {}

    task<result<std::optional<large_reference>>> run() {
        for (std::uint64_t i = 0; i < reading_.count(); ++i) {
            auto const read = co_await reading_.read_piece(i);
            if (!read) co_return failure{read.error()};
            if (!*read) co_return std::nullopt;
            auto const written = co_await write(i + 1 == reading_.count());
            if (!written) co_return failure{written.error()};
        }
        co_return writing_.reference();
    }

private:
    task<result<void>> write(bool is_last) {
        writing_.set_type(reading_.type());
        auto const bytes = writing_.as_stored(std::exchange(piece_.bytes, {}), is_last);
        if (!bytes) co_return failure{bytes.error()};
        if (is_last)
            if (auto r = reading_.check_whole(); !r) co_return r;
        if (reading_.count() == 1) {
            auto const put = co_await writing_.put_whole(*bytes);
            co_return put;
        }
        auto stored = co_await writing_.stage(*bytes);
        if (stored && is_last) stored = co_await writing_.commit();
        co_return stored;
    }

    piece_sink piece_{};
    value_reading reading_;
    blob_writing writing_;
};

}  // namespace

task<result<large_reference>> store_value(large_place where, std::optional<encryption_key> key, large_source& from,
                                          std::size_t most_pieces) {
    value_storing storing{where, key, from, most_pieces};
    auto stored = co_await storing.run();
    co_return stored;
}

task<result<std::optional<large_reference>>> store_anew(large_place from, large_reference const& what,
                                                        key_provider const* keys, large_place to,
                                                        std::optional<encryption_key> key) {
    value_copying copying{from, what, keys, to, key};
    auto stored = co_await copying.run();
    co_return stored;
}

task<result<bool>> read_value(large_place where, large_reference const& what, key_provider const* keys,
                              large_sink& to) {
    value_reading reading{where, what, keys, to};
    auto read = co_await reading.run();
    co_return read;
}

}  // namespace tablemap::detail
