// SPDX-License-Identifier: Apache-2.0
#include "patterns/modify_errors.hpp"
#include "patterns/option_check.hpp"
#include "store/ask.hpp"
#include "tablemap/detail/patterns/large_core.hpp"
#include "tablemap/detail/write/modify_row.hpp"
#include "tablemap/edm/names.hpp"

#include <algorithm>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr std::size_t most_inline = 24'000;

}  // namespace

large_state_ptr make_large_state(std::shared_ptr<table_state const> rows, std::string container, large_options o,
                                 bool has_encrypted) {
    value_or_throw(check_resource_name(container));
    if (o.inline_bytes > most_inline) throw out_of_range("inline_bytes", "a row holds values of at most 24,000 bytes");
    if (o.parallel < 1) throw out_of_range("parallel", "at least one value is stored at once");
    if (has_encrypted && !rows->store->context().keys)
        throw error{library_errc::no_encryption_key,
                    {.reason = "the type has encrypted large members; open the store with keys", .table = rows->name}};
    return std::make_shared<large_state const>(large_state{std::move(rows), std::move(container), o});
}

std::vector<planned_part> as_stored(std::vector<large_part> const& parts) {
    std::vector<planned_part> all;
    for (auto const& p : parts) {
        auto const& cell = *p.cell;
        all.push_back({p, cell.in_blob ? cell.in_blob->text() : inline_property(cell.content(), cell.is_text())});
    }
    return all;
}

task<result<void>> modify_large(large_state_ptr table, entity_key key, large_entity& e, large_writer& writer,
                                large_editor& editor, modify_options options) {
    auto const call = co_await this_call();
    for (int tries = 1;; ++tries) {
        auto const began = call.env.now();
        auto const read = co_await read_large(table, key, true, e);
        if (!read) co_return failure{read.error()};
        if (!*read) co_return failure{not_there()};
        if (auto const edited = editor.edit(); !edited) co_return edited;
        auto const now = e.key();
        if (!now) co_return failure{now.error()};
        if (!(*now == key)) co_return failure{key_was_changed()};
        auto const parts = writer.written();
        // The function cannot give what it has read from a source once more.
        bool const once = std::any_of(parts.begin(), parts.end(), [](auto& p) { return p.cell->source != nullptr; });
        auto const written = co_await write_large(table, e, writer);
        if (written) co_return written;
        if (once || !is_conflict(written.error())) co_return written;
        auto const until = next_try(options, tries, call.env.now() - began, written.error(), call.env, fewer_writers);
        if (!until) co_return failure{until.error()};
        co_await pause_until(*until);
    }
}

}  // namespace tablemap::detail
