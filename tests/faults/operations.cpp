// SPDX-License-Identifier: Apache-2.0
#include "faults/told.hpp"

#include <utility>

namespace tablemap::test {

write_operation encoded_write::view() const {
    return {.kind = kind,
            .partition_key = entity.partition_key,
            .row_key = entity.row_key,
            .body = kind == write_kind::erase ? std::string_view{} : entity.body,
            .if_match = if_match,
            .token = entity.token};
}

encoded_write encoded(stage const& s, write_kind kind, worker const& w, std::string if_match) {
    detail::encoded_entity e;
    if (s.operation_tokens) e.token = random_guid(clock::system());
    value_or_throw(detail::encode(w, e));
    return {kind, std::move(e), std::move(if_match)};
}

std::vector<write_operation> views_of(std::vector<encoded_write> const& group) {
    std::vector<write_operation> views;
    for (auto const& w : group) views.push_back(w.view());
    return views;
}

stage::stage(store_ptr clean_way, store_ptr faulty_way, std::string table_name, bool tokens)
    : clean(std::move(clean_way)),
      faulty(std::move(faulty_way)),
      name(std::move(table_name)),
      operation_tokens(tokens),
      table(faulty, name, {.operation_tokens = tokens}),
      async(faulty, name, {.operation_tokens = tokens}),
      clean_table(clean, name, {.operation_tokens = tokens}) {}

void set_up_workers(stage& s) {
    s.clean_table.create();
    std::vector<encoded_write> rows;
    for (std::int32_t id = 1; id <= 5; ++id) {
        auto w = numbered(id, "Old");
        w.age = 60;
        w.email = "old@contoso.com";
        rows.push_back(encoded(s, write_kind::insert, w));
    }
    auto const views = views_of(rows);
    if (auto const r = s.clean->execute(transact{s.name, views}, {}); r.failure) throw *r.failure;
    s.clean_table.insert({.department = "Audit", .id = 1, .name = "Eve"});
    s.known = s.clean_table.find("Sales", 1).value();
}

operation_list const& operations() {
    static operation_list const all = [] {
        operation_list l;
        for (auto const part : {table_operations, reads, conditional_writes, unconditional_writes, groups, bulk_writes})
            for (auto& o : part()) l.push_back(std::move(o));
        return l;
    }();
    return all;
}

}  // namespace tablemap::test
