// SPDX-License-Identifier: Apache-2.0
#include "base/ascii.hpp"
#include "patterns/large_blobs.hpp"
#include "patterns/large_values.hpp"
#include "store/ask.hpp"
#include "store/refusals.hpp"
#include "store/task_group.hpp"
#include "tablemap/detail/write/modify_row.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <span>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

error replaced_each_time() {
    return error{library_errc::too_many_conflicts,
                 {.reason = "others replaced the values of the entity each time before they were read"}};
}

class text_sink final : public large_sink {
public:
    void write(std::string_view piece) override { text += piece; }

    std::string text{};
};

class function_sink final : public large_sink {
public:
    explicit function_sink(std::function<void(std::span<std::byte const>)> f) : function_(std::move(f)) {}
    void write(std::string_view piece) override {
        if (!piece.empty()) function_(std::as_bytes(std::span{piece}));
    }

private:
    std::function<void(std::span<std::byte const>)> function_;
};

error only_a_source() {
    return error{library_errc::unsupported,
                 {.reason = "the member has no value but a source, which a write reads; write the entity, or read it "
                            "again by find()"}};
}

/// The reading of several values at once.
class value_loading {
public:
    value_loading(large_state const& table, entity_key const& key, std::string folder)
        : table_(table), key_(key), folder_(std::move(folder)) {}

    task<result<bool>> run(std::vector<large_part> const& parts) {
        for (std::size_t at = 0; at < parts.size(); at += table_.options.parallel) {
            task_group group;
            auto const end = std::min(parts.size(), at + table_.options.parallel);
            for (auto i = at; i < end; ++i) group.add(load(parts[i]));
            co_await group.all();
            if (fault_) co_return failure{*fault_};
        }
        co_return !gone_;
    }

private:
    task<> load(large_part part) {
        text_sink to;
        auto const& reference = *part.cell->in_blob;
        large_place const where{table_.container, table_.rows->name,   key_, folder_, reference.name,
                                part.property,    part.cell->is_text()};
        auto const* const keys = table_.rows->store->context().keys.get();
        auto const read = co_await read_value(where, reference, keys, to);
        if (!read)
            fault_ = read.error().at(part.member);
        else if (!*read)
            gone_ = true;
        else
            part.cell->take(std::move(to.text));
    }

    large_state const& table_;
    entity_key const& key_;
    std::string folder_;
    std::optional<error> fault_{};
    bool gone_ = false;
};

/// True if the entity names the blob now.
task<result<bool>> is_named(large_state const& table, entity_key const& key, std::string_view name) {
    request const what = get_entity{table.rows->name, key.partition_key, key.row_key, {}, true};
    auto const row = co_await ask(what);
    if (is_absent(row)) co_return false;
    if (!row.ok()) co_return failure{*row.failure};
    co_return names(row.body, name);
}

}  // namespace

error blob_is_gone() {
    return error{library_errc::malformed_response,
                 {.reason = "a blob that the entity names is gone; something else than a large_collector deleted it, "
                            "or the entity was copied from elsewhere; store the value anew"}};
}

std::string origin_of(large_state const& table, entity_key const& key, etag const& version, std::string_view property) {
    if (version.empty()) return {};
    std::string origin{version.text()};
    auto const folded = lower_case(table.rows->name);
    for (std::string_view const part : {std::string_view{table.container}, std::string_view{folded}, property,
                                        std::string_view{key.partition_key}, std::string_view{key.row_key}})
        origin.append(1, '\n').append(part);
    return origin;
}

task<result<bool>> load_values(large_state const& table, entity_key const& key, std::vector<large_part> const& parts) {
    std::vector<large_part> lacking;
    for (auto const& p : parts)
        if (!p.cell->loaded && !p.cell->in_blob) co_return failure{only_a_source().at(p.member)};
    for (auto const& p : parts)
        if (!p.cell->loaded) lacking.push_back(p);
    if (lacking.empty()) co_return true;
    auto folder = folder_of(table.rows->name, key);
    if (!folder) co_return failure{folder.error()};
    value_loading loading{table, key, *std::move(folder)};
    auto const loaded = co_await loading.run(lacking);
    co_return loaded;
}

task<result<bool>> read_large(large_state_ptr table, entity_key key, bool current, large_entity& to) {
    etag last;
    for (int tries = 1; tries <= modify_options{}.attempts; ++tries) {
        bool const is_current = current || tries > 1;
        request const what = get_entity{table->rows->name, key.partition_key, key.row_key, {}, is_current};
        auto row = co_await ask(what);
        if (is_absent(row)) co_return false;
        if (!row.ok()) co_return failure{*row.failure};
        if (auto r = to.decode(row.body, table->rows->cipher.get()); !r) co_return failure{r.error()};
        auto const parts = to.parts();
        for (auto const& p : parts) p.cell->origin = origin_of(*table, key, to.etag(), p.property);
        auto const loaded = co_await load_values(*table, key, parts);
        if (!loaded) co_return failure{loaded.error()};
        if (*loaded) co_return true;
        // The entity named the blob while it was looked for, if it has not changed until now.
        if (tries > 1 && last == to.etag()) co_return failure{blob_is_gone()};
        last = to.etag();
    }
    co_return failure{replaced_each_time()};
}

task<result<bool>> load_large(large_state_ptr table, large_entity& e) {
    auto const key = e.key();
    if (!key) co_return failure{key.error()};
    auto const parts = e.parts();
    auto const loaded = co_await load_values(*table, *key, parts);
    if (!loaded) co_return failure{loaded.error()};
    if (*loaded) co_return true;
    auto const read = co_await read_large(table, *key, true, e);
    co_return read;
}

task<result<bool>> stream_large(large_state_ptr table, result<entity_key> key, large_source_part from,
                                std::function<void(std::span<std::byte const>)> to) {
    if (!key) co_return failure{key.error()};
    auto const& cell = from.cell;
    function_sink sink{std::move(to)};
    if (cell.loaded) {
        sink.write(cell.content());
        co_return true;
    }
    if (!cell.in_blob) co_return failure{only_a_source().at(from.member)};
    auto const folder = folder_of(table->rows->name, *key);
    if (!folder) co_return failure{folder.error()};
    auto const& reference = *cell.in_blob;
    large_place const where{table->container, table->rows->name, *key,          *folder,
                            reference.name,   from.property,     cell.is_text()};
    auto const* const keys = table->rows->store->context().keys.get();
    auto const read = co_await read_value(where, reference, keys, sink);
    if (!read) co_return failure{read.error().at(from.member)};
    if (*read) co_return true;
    auto const still_named = co_await is_named(*table, *key, reference.name);
    if (!still_named) co_return failure{still_named.error()};
    if (*still_named) co_return failure{blob_is_gone().at(from.member)};
    co_return false;
}

}  // namespace tablemap::detail
