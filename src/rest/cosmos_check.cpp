// SPDX-License-Identifier: Apache-2.0
#include "rest/cosmos_check.hpp"

#include "tablemap/detail/wire/reader.hpp"
#include "tablemap/edm/names.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

using checked = result<void>;

constexpr std::size_t row_key_bytes = 255;
constexpr std::size_t entity_bytes = 2 * 1024 * 1024;
constexpr std::array<std::string_view, 6> own_names{"\"id\"",   "\"ID\"",   "\"rid\"",
                                                    "\"etag\"", "\"Etag\"", "\"ResourceId\""};

class own_name_sink final : public entity_sink {
public:
    bool begin() override { return true; }
    bool property(std::string_view name, json_token const&) override {
        auto const is_own = [&](std::string_view quoted) { return quoted.substr(1, quoted.size() - 2) == name; };
        if (std::none_of(own_names.begin(), own_names.end(), is_own)) return true;
        return stop(
            error{service_errc::property_name_invalid,
                  {.reason = "Cosmos DB keeps this name for itself: give the property another one in the mapping",
                   .member = std::string{name}}});
    }
    bool end() override { return true; }
};

/// Most bodies hold none of the names even as a value, and are not read.
checked check_names(std::string_view body) {
    auto const occurs = [&](std::string_view name) { return body.find(name) != std::string_view::npos; };
    if (std::none_of(own_names.begin(), own_names.end(), occurs)) return {};
    std::string copy{body};
    own_name_sink sink;
    return read_entity(copy, sink);
}

checked check_row_key(std::string_view key) {
    if (key.size() <= row_key_bytes) return {};
    return fail(service_errc::key_value_too_large, {.reason = "row keys have at most 255 bytes of UTF-8 at Cosmos DB",
                                                    .member = std::string{row_key_name}});
}

checked check_write(write_operation const& o) {
    if (auto r = check_row_key(o.row_key); !r) return r;
    if (o.body.size() > entity_bytes)
        return fail(service_errc::entity_too_large, {.reason = "an entity has at most 2 MiB at Cosmos DB"});
    return check_names(o.body);
}

checked no_such_service() {
    return fail(library_errc::unsupported, {.reason = "a Cosmos DB account has neither queues nor blobs"});
}

struct cosmos_checker {
    checked operator()(get_entity const& q) const { return check_row_key(q.row_key); }
    checked operator()(write_entity const& w) const { return check_write(w.operation); }
    checked operator()(transact const& t) const {
        for (std::size_t i = 0; i < t.operations.size(); ++i)
            if (auto const r = check_write(t.operations[i]); !r) {
                auto details = r.error().details();
                details.failed_index = i;
                return fail(r.error().code(), std::move(details));
            }
        return {};
    }
    checked operator()(create_table const&) const { return {}; }
    checked operator()(delete_table const&) const { return {}; }
    checked operator()(list_tables const&) const { return {}; }
    checked operator()(query_page const&) const { return {}; }
    checked operator()(queue_request const&) const { return no_such_service(); }
    checked operator()(blob_request const&) const { return no_such_service(); }
    template <class AboutService> checked operator()(AboutService const&) const {
        return fail(library_errc::unsupported,
                    {.reason = "the Cosmos DB Table API has no access policies, service properties and statistics"});
    }
};

}  // namespace

result<void> check_for_cosmos(request const& r) { return std::visit(cosmos_checker{}, r); }

}  // namespace tablemap::detail
