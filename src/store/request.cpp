// SPDX-License-Identifier: Apache-2.0
#include "tablemap/store/request.hpp"

namespace tablemap::inline v0_1 {

std::string_view table_of(request const& r) noexcept {
    return std::visit(
        [](auto const& x) -> std::string_view {
            if constexpr (requires { x.table; })
                return x.table;
            else
                return {};
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
        std::string_view operator()(get_access_policies const&) const { return "read policies"; }
        std::string_view operator()(set_access_policies const&) const { return "set policies"; }
        std::string_view operator()(get_service_properties const&) const { return "read properties"; }
        std::string_view operator()(set_service_properties const&) const { return "set properties"; }
        std::string_view operator()(get_service_statistics const&) const { return "read statistics"; }
    };
    return std::visit(visitor{}, r);
}

bool is_write(request const& r) noexcept {
    struct visitor {
        bool operator()(create_table const&) const { return true; }
        bool operator()(delete_table const&) const { return true; }
        bool operator()(list_tables const&) const { return false; }
        bool operator()(get_entity const&) const { return false; }
        bool operator()(query_page const&) const { return false; }
        bool operator()(write_entity const&) const { return true; }
        bool operator()(transact const&) const { return true; }
        bool operator()(get_access_policies const&) const { return false; }
        bool operator()(set_access_policies const&) const { return true; }
        bool operator()(get_service_properties const&) const { return false; }
        bool operator()(set_service_properties const&) const { return true; }
        bool operator()(get_service_statistics const&) const { return false; }
    };
    return std::visit(visitor{}, r);
}

}  // namespace tablemap
