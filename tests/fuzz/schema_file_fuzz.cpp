// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fuzz_target.hpp"

#include "back_end.hpp"
#include "front_end.hpp"

/// Input: a schema of the generator. It has faults, each of which can be told, or a header comes of it.
namespace tablemap::fuzz {

TABLEMAP_FUZZ_TARGET(schema_file) {
    codegen::fault_list faults;
    auto const schema = codegen::read_schema(input, faults);
    if (faults.empty()) {
        auto const header = codegen::write_header(schema, "schema.json");
        require(header == codegen::write_header(schema, "schema.json"), "a schema has one header");
        return;
    }
    auto const all = faults.sorted();
    require(!all.empty() && all.size() <= faults.size(), "faults are told");
    require(codegen::describe(all, "schema.json").size() <= 100'000 + 20 * input.size() * all.size(),
            "faults are told shortly");
}

}  // namespace tablemap::fuzz
