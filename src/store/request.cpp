// SPDX-License-Identifier: Apache-2.0
#include "tablemap/store/request.hpp"

namespace tablemap::inline v0_1 {

std::string_view queue_of(queue_request const& r) noexcept {
    return std::visit([](auto const& x) { return x.queue; }, r);
}

std::string_view container_of(blob_request const& r) noexcept {
    return std::visit([](auto const& x) { return x.container; }, r);
}

std::string_view table_of(request const& r) noexcept {
    if (auto const* const q = std::get_if<queue_request>(&r)) return queue_of(*q);
    if (auto const* const b = std::get_if<blob_request>(&r)) return container_of(*b);
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
        std::string_view operator()(queue_request const& q) const { return std::visit(*this, q); }
        std::string_view operator()(create_queue const&) const { return "create queue"; }
        std::string_view operator()(delete_queue const&) const { return "delete queue"; }
        std::string_view operator()(put_message const&) const { return "put message into queue"; }
        std::string_view operator()(get_messages const&) const { return "get messages of queue"; }
        std::string_view operator()(peek_messages const&) const { return "peek at messages of queue"; }
        std::string_view operator()(update_message const&) const { return "update message of queue"; }
        std::string_view operator()(delete_message const&) const { return "delete message of queue"; }
        std::string_view operator()(clear_messages const&) const { return "clear queue"; }
        std::string_view operator()(count_messages const&) const { return "count messages of queue"; }
        std::string_view operator()(blob_request const& b) const { return std::visit(*this, b); }
        std::string_view operator()(create_container const&) const { return "create container"; }
        std::string_view operator()(delete_container const&) const { return "delete container"; }
        std::string_view operator()(put_blob const&) const { return "put blob into container"; }
        std::string_view operator()(get_blob const&) const { return "get blob of container"; }
        std::string_view operator()(head_blob const&) const { return "read properties of blob of container"; }
        std::string_view operator()(delete_blob const&) const { return "delete blob of container"; }
        std::string_view operator()(list_blobs const&) const { return "list blobs of container"; }
        std::string_view operator()(create_append_blob const&) const { return "create append blob in container"; }
        std::string_view operator()(append_block const&) const { return "append to blob of container"; }
        std::string_view operator()(stage_block const&) const { return "stage block of blob of container"; }
        std::string_view operator()(commit_blocks const&) const { return "commit blocks of blob of container"; }
    };
    return std::visit(visitor{}, r);
}

bool writes_rows(request const& r) noexcept {
    return std::holds_alternative<write_entity>(r) || std::holds_alternative<transact>(r);
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
        bool operator()(queue_request const& q) const {
            // To get messages twice hides more of them for a while, and loses none.
            return !std::holds_alternative<get_messages>(q) && !std::holds_alternative<peek_messages>(q) &&
                   !std::holds_alternative<count_messages>(q);
        }
        bool operator()(blob_request const& b) const {
            return !std::holds_alternative<get_blob>(b) && !std::holds_alternative<head_blob>(b) &&
                   !std::holds_alternative<list_blobs>(b);
        }
    };
    return std::visit(visitor{}, r);
}

}  // namespace tablemap
