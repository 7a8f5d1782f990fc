// SPDX-License-Identifier: Apache-2.0
#include "faults/told.hpp"

#include <utility>

namespace tablemap::test {

stage::stage(store_ptr clean_way, store_ptr faulty_way, std::string table_name, bool tokens)
    : clean(std::move(clean_way)),
      faulty(std::move(faulty_way)),
      name(std::move(table_name)),
      operation_ids(tokens),
      table(faulty, name, {.operation_ids = tokens}),
      async(faulty, name, {.operation_ids = tokens}),
      clean_table(clean, name, {.operation_ids = tokens}) {}

void set_up_workers(stage& s) {
    s.clean_table.create();
    auto rows = s.clean_table.transaction();
    for (std::int32_t id = 1; id <= 5; ++id) {
        auto w = numbered(id, "Old");
        w.age = 60;
        w.email = "old@contoso.com";
        rows.insert(w);
    }
    rows.commit();
    s.clean_table.insert({.department = "Audit", .id = 1, .name = "Eve"});
    s.known = s.clean_table.find("Sales", 1).value();
}

operation_list const& operations() {
    static operation_list const all = [] {
        operation_list l;
        for (auto const part :
             {table_operations, reads, conditional_writes, unconditional_writes, groups, bulk_writes, indexed_writes})
            for (auto& o : part()) l.push_back(std::move(o));
        return l;
    }();
    return all;
}

}  // namespace tablemap::test
