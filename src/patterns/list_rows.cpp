// SPDX-License-Identifier: Apache-2.0
#include "patterns/list_rows.hpp"

#include "base/ascii.hpp"
#include "patterns/encoded_row.hpp"
#include "patterns/option_check.hpp"
#include "tablemap/detail/wire/reader.hpp"
#include "tablemap/edm/limits.hpp"
#include "tablemap/edm/names.hpp"
#include "tablemap/mapping/dynamic.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr std::size_t longest_row = std::size_t{448} * 1024;
constexpr std::size_t longest_list = std::size_t{60} * 1024 * 1024;

/// Of UTF-8: no more than an Edm.String has UTF-16 code units.
constexpr std::size_t part_bytes = limits::string_units;

error damage(list_state const& table, std::size_t index, std::string_view what) {
    return error{library_errc::malformed_response,
                 {.reason = "a list of index entities is damaged: " + std::string{what} +
                            "; repair() makes it anew from the entities",
                  .member = std::string{table.type.names[index]}}};
}

// ---- texts of several properties ------------------------------------------------------------------------------------

std::string name_of_part(std::string_view name, std::size_t number) {
    return std::string{name} + (number == 0 ? std::string{} : std::to_string(number));
}

void put_text(dynamic_entity& row, std::string_view name, std::string_view text) {
    for (std::size_t number = 0; number == 0 || !text.empty(); ++number) {
        auto size = std::min(text.size(), part_bytes);
        while (size < text.size() && (static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80U) --size;
        row.set(name_of_part(name, number), std::string{text.substr(0, size)});
        text.remove_prefix(size);
    }
}

std::optional<std::string> get_text(stored_entity const& row, std::string_view name) {
    std::optional<std::string> text;
    for (std::size_t number = 0;; ++number) {
        auto const* const part = row.try_get<std::string>(name_of_part(name, number));
        if (!part) return text;
        if (!text) text.emplace();
        *text += *part;
    }
}

template <class V> V get_or(stored_entity const& row, std::string_view name, V absent) {
    auto const* const v = row.try_get<V>(name);
    return v ? *v : absent;
}

// ---- lines ----------------------------------------------------------------------------------------------------------

/// Nothing for text that is not made of lines in their order.
std::optional<list_lines> lines_of(std::string_view text) {
    list_lines lines;
    while (!text.empty()) {
        auto const end = text.find('\n');
        if (end == std::string_view::npos) return std::nullopt;
        auto const line = text.substr(0, end);
        if (!lines.empty() && !(*lines.rbegin() < line)) return std::nullopt;
        lines.emplace_hint(lines.end(), line);
        text.remove_prefix(end + 1);
    }
    return lines;
}

bool is_line(list_state const& table, list_address const& at, std::string_view line) {
    bool const has_tab = line.find('\t') != std::string_view::npos;
    if (has_tab == is_local(table, at.index)) return false;
    auto const key = key_of_line(table, at.index, at.partition_key, line);
    return key.row_key.starts_with(table.row_beginning) && check_key(key.row_key) && check_key(key.partition_key);
}

/// Takes the text of all lines. Sets `damage` unless it is the text of a list.
void take_text(stored_list& list, list_state const& table, list_address const& at, std::string_view text) {
    auto lines = lines_of(text);
    bool const good = lines && std::all_of(lines->begin(), lines->end(),
                                           [&](std::string const& line) { return is_line(table, at, line); });
    if (good)
        list.lines = *std::move(lines);
    else
        list.damage = damage(table, at.index, "it names what is no entity of the table");
}

/// True if these are the bytes that the row describes.
bool are_described(stored_list const& list, std::string_view bytes) {
    return static_cast<std::int64_t>(bytes.size()) == list.bytes && check_of(bytes) == list.check;
}

}  // namespace

std::shared_ptr<list_state const> make_list_state(valued_table of, std::span<std::string_view const> tables,
                                                  std::string_view row_beginning, index_entity_options options) {
    if (options.row_bytes > longest_row) throw out_of_range("row_bytes", "a row has room for lists of 448 KiB at most");
    if (options.list_bytes > longest_list || options.list_bytes < options.row_bytes)
        throw out_of_range("list_bytes", "a list has at most 60 MiB, and not less than its row may hold");
    if (options.keep_unnamed_blobs < std::chrono::seconds{0} ||
        options.keep_unnamed_blobs > std::chrono::hours{24 * 365})
        throw out_of_range("keep_unnamed_blobs", "blobs are kept for 0 seconds to a year");
    if (options.deliveries < 1) throw out_of_range("deliveries", "a message is delivered at least once");
    if (auto r = check_relay_queue(options.queue); !r) throw r.error();
    auto const name = lower_case(of.entities->name);
    if (options.container.empty()) options.container = name + "-lists";
    if (options.blobs)
        if (auto r = check_resource_name(options.container); !r) throw r.error();
    return std::make_shared<list_state const>(
        list_state{std::move(of), tables, row_beginning, std::move(options), "list_" + name});
}

relay_queue queue_of(list_state const& table) noexcept {
    return {.name = table.options.queue,
            .table = table.entities->name,
            .what = "list",
            .deliveries = table.options.deliveries};
}

// ---- addresses ------------------------------------------------------------------------------------------------------

bool is_local(list_state const& table, std::size_t index) noexcept { return table.tables[index].empty(); }

std::string_view table_of(list_state const& table, std::size_t index) noexcept {
    return is_local(table, index) ? std::string_view{table.entities->name} : table.tables[index];
}

list_address address_of(list_state const& table, std::size_t index, std::string_view partition,
                        std::string_view value) {
    if (is_local(table, index)) return {index, std::string{partition}, std::string{value}};
    return {index, std::string{value}, table.list_row};
}

std::string beginning_of_values(list_state const& table, std::size_t index) {
    auto const name = std::string{table.type.names[index]} + "=";
    return is_local(table, index) ? "~list_" + name : name;
}

std::string_view value_of(list_state const& table, list_address const& at) noexcept {
    return is_local(table, at.index) ? at.row_key : at.partition_key;
}

std::string line_of(list_state const& table, std::size_t index, entity_key const& own) {
    return is_local(table, index) ? own.row_key : own.partition_key + "\t" + own.row_key;
}

entity_key key_of_line(list_state const& table, std::size_t index, std::string_view partition, std::string_view line) {
    if (is_local(table, index)) return {std::string{partition}, std::string{line}};
    auto const tab = std::min(line.find('\t'), line.size());
    return {std::string{line.substr(0, tab)}, std::string{line.substr(std::min(tab + 1, line.size()))}};
}

// ---- lists ----------------------------------------------------------------------------------------------------------

std::string text_of(list_lines const& lines) {
    std::string text;
    for (auto const& line : lines) text.append(line) += '\n';
    return text;
}

std::string blob_head(list_address const& at) { return at.partition_key + "\t" + at.row_key + "\n"; }

std::string blob_prefix(list_state const& table, std::size_t index) {
    auto const name = lower_case(table.entities->name) + "/" + std::string{table.type.names[index]};
    return is_local(table, index) ? name + "/" : name + "/in/" + lower_case(table_of(table, index)) + "/";
}

/// FNV-1a. It finds damage; it is no protection from somebody who may write the rows.
std::int64_t check_of(std::string_view bytes) noexcept {
    std::uint64_t hash = 14'695'981'039'346'656'037U;
    for (char const c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 1'099'511'628'211U;
    return static_cast<std::int64_t>(hash);
}

stored_list read_list_row(list_state const& table, list_address const& at, std::string& row, etag e) {
    stored_list list{.etag = std::move(e)};
    auto const read = read_dynamic(row);
    if (!read) {
        list.damage = damage(table, at.index, "its row cannot be read");
        return list;
    }
    list.write = get_or(*read, "Write", guid{});
    list.blob = get_or(*read, "Blob", std::string{});
    list.bytes = get_or(*read, "Bytes", std::int64_t{-1});
    list.check = get_or(*read, "Check", std::int64_t{0});
    auto const most = static_cast<std::int64_t>(table.options.list_bytes);
    bool const strange_blob = !list.blob.empty() && !list.blob.starts_with(blob_prefix(table, at.index));
    if (list.bytes <= 0 || list.bytes > most + static_cast<std::int64_t>(blob_head(at).size()) || strange_blob) {
        list.damage = damage(table, at.index, "its size or its blob is none that a program writes with these options");
        list.blob.clear();
        return list;
    }
    if (!list.blob.empty()) return list;
    auto const text = get_text(*read, "Keys").value_or(std::string{});
    if (are_described(list, text))
        take_text(list, table, at, text);
    else
        list.damage = damage(table, at.index, "its text is not the one that was written");
    return list;
}

void take_blob(stored_list& list, list_state const& table, list_address const& at, std::string_view bytes) {
    auto const head = blob_head(at);
    if (are_described(list, bytes) && bytes.starts_with(head))
        take_text(list, table, at, bytes.substr(head.size()));
    else
        list.damage = damage(table, at.index, "its blob is not the one that was written");
}

error blob_is_gone(list_state const& table, list_address const& at) {
    return damage(table, at.index, "its blob is gone");
}

encoded_write write_of(stored_list const& old, list_address const& at, guid write, std::string_view blob,
                       std::string_view bytes) {
    dynamic_entity row{at.partition_key, at.row_key};
    row.set("Write", write);
    row.set("Bytes", static_cast<std::int64_t>(bytes.size()));
    row.set("Check", check_of(bytes));
    if (blob.empty())
        put_text(row, "Keys", bytes);
    else
        row.set("Blob", std::string{blob});
    return encode_row(old.is_there() ? write_kind::replace : write_kind::insert, row, old.etag.text());
}

encoded_write erase_of(stored_list const& old, list_address const& at) {
    encoded_write w{.kind = write_kind::erase, .if_match = old.etag.text()};
    w.entity.partition_key = at.partition_key;
    w.entity.row_key = at.row_key;
    return w;
}

encoded_write renewal_of(stored_list const& list, list_address const& at, guid id) {
    dynamic_entity row{at.partition_key, at.row_key};
    row.set("Renewed", id);
    return encode_row(write_kind::merge, row, list.etag.text());
}

// ---- intents --------------------------------------------------------------------------------------------------------

std::string intent_key(guid id) { return std::string{intent_beginning} + id.text(); }

encoded_write insert_of(list_intent const& intent) {
    dynamic_entity row{intent.entity.partition_key, intent.row_key};
    row.set("Entity", intent.entity.row_key);
    put_text(row, "Values", text_of(intent.values));
    row.set("Written", intent.written);
    return encode_row(write_kind::insert, row, {});
}

namespace {

/// A write names the value that the entity had, and the one that it has.
bool is_of_one_write(list_lines const& values) {
    std::map<std::string_view, int> counts;
    return std::none_of(values.begin(), values.end(),
                        [&](std::string const& v) { return ++counts[std::string_view{v}.substr(0, v.find('='))] > 2; });
}

}  // namespace

result<list_intent> read_list_intent(stored_entity const& row) {
    list_intent intent{.row_key = row.row_key, .entity = {row.partition_key, {}}};
    auto const* const own = row.try_get<std::string>("Entity");
    auto lines = lines_of(get_text(row, "Values").value_or(std::string{}));
    if (!own || !lines || !check_key(*own) || lines->empty() || !is_of_one_write(*lines))
        return fail(library_errc::malformed_response,
                    {.reason = "an intent of index entities is damaged; erase its row, and call repair()"});
    intent.entity.row_key = *own;
    intent.values = *std::move(lines);
    intent.written = get_or(row, "Written", ticks{});
    return intent;
}

}  // namespace tablemap::detail
