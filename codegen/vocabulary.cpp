// SPDX-License-Identifier: Apache-2.0
#include "vocabulary.hpp"

namespace tablemap::codegen {

vocabulary const& words() {
    static vocabulary const all{
        {"schema", "a schema", {"$schema", "namespace", "include", "enums", "entities"}},
        {"enum", "an enum", {"description", "stored", "values"}},
        {"entity",
         "an entity",
         {"description", "table", "properties", "partition_key", "row_key", "discriminator", "versions",
          "unknown_columns", "indexes", "access"}},
        {"property",
         "a property",
         {"type", "description", "name", "nullable", "required", "encrypted", "blind_index", "series", "ignored",
          "default"}},
        {"part",
         "a part of a key",
         {"member", "width", "range", "ordered", "descending", "escaped", "hashed", "spread", "also_stored",
          "generated"}},
        {"discriminator", "a discriminator", {"property", "value"}},
        {"versions", "versions", {"current", "upgrades"}},
        {"index", "an index", {"description", "unique", "key", "include", "where"}},
        {"access", "an access pattern", {"description", "find_by", "query", "scan"}},
        {"query", "a query", {"index", "leading", "rows", "where", "select", "returns"}},
        {"scan", "a scan", {"where", "select", "returns"}},
        {"condition", "a condition", {"member", "op", "parameter", "value"}},
        {"string", "boolean", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "double",
         "decimal", "datetime", "date", "guid", "binary", "url", "json", "extras"},
        {"by_name", "by_number"},
        {"all", "range", "between", "prefix"},
        {"rows", "first", "count", "exists", "latest"},
        {"==", "!=", "<", "<=", ">", ">=", "starts_with"},
        {"ignored", "refused"},
    };
    return all;
}

std::vector<object_kind const*> object_kinds() {
    auto const& w = words();
    return {&w.schema,   &w.enumeration, &w.entity, &w.property, &w.part, &w.discriminator,
            &w.versions, &w.index,       &w.access, &w.query,    &w.scan, &w.condition};
}

}  // namespace tablemap::codegen
