// SPDX-License-Identifier: Apache-2.0
#include "tablemap/store/request.hpp"

#include <type_traits>

namespace tablemap {

std::string_view table_of(request const& r) noexcept {
    return std::visit(
        [](auto const& x) -> std::string_view {
            if constexpr (std::is_same_v<std::remove_cvref_t<decltype(x)>, list_tables>)
                return {};
            else
                return x.table;
        },
        r);
}

std::string_view action_of(write_kind k) noexcept {
    switch (k) {
    case write_kind::insert: return "insert";
    case write_kind::replace: return "replace";
    case write_kind::merge: return "merge";
    case write_kind::upsert_replace: return "upsert_replace";
    case write_kind::upsert_merge: return "upsert_merge";
    case write_kind::erase: return "erase";
    }
    return "write";
}

std::string_view action_of(request const& r) noexcept {
    struct visitor {
        std::string_view operator()(create_table const&) const { return "create table"; }
        std::string_view operator()(delete_table const&) const { return "delete table"; }
        std::string_view operator()(list_tables const&) const { return "list tables"; }
        std::string_view operator()(get_entity const&) const { return "find"; }
        std::string_view operator()(query_page const&) const { return "query"; }
        std::string_view operator()(write_entity const& w) const { return action_of(w.operation.kind); }
        std::string_view operator()(transact const&) const { return "transaction"; }
    };
    return std::visit(visitor{}, r);
}

bool is_write(request const& r) noexcept {
    return !std::holds_alternative<list_tables>(r) && !std::holds_alternative<get_entity>(r) &&
           !std::holds_alternative<query_page>(r);
}

}  // namespace tablemap
