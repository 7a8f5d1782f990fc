// SPDX-License-Identifier: Apache-2.0
#include "tablemap/testing/scripted_store.hpp"

#include "store/service_answer.hpp"

#include <utility>

namespace tablemap::inline v0_1::testing {
namespace {

void put(std::string& out, std::string_view partition_key, std::string_view row_key) {
    out.append(" [").append(partition_key).append("] [").append(row_key).append("]");
}

void put(std::string& out, key_bounds const& b) {
    if (!b.from && !b.to) {
        out += " [*]";
        return;
    }
    out += b.from_inclusive ? " [" : " (";
    out.append(b.from.value_or("")).append(", ").append(b.to.value_or("*"));
    out += b.to_inclusive ? ']' : ')';
}

void put_select(std::string& out, std::span<std::string_view const> select) {
    char const* before = " select ";
    for (auto const name : select) {
        out.append(before).append(name);
        before = ",";
    }
}

void put_top(std::string& out, std::optional<std::size_t> top) {
    if (top) out.append(" top ").append(std::to_string(*top));
}

void put(std::string& out, write_operation const& w) {
    put(out, w.partition_key, w.row_key);
    if (!w.if_match.empty()) out.append(" if \"").append(w.if_match).append("\"");
    if (!w.body.empty()) out.append(" ").append(w.body);
}

void put_hidden(std::string& out, std::chrono::seconds time) {
    if (time.count() > 0) out.append(" hidden for ").append(std::to_string(time.count())).append(" s");
}

void put_blob_name(std::string& out, std::string_view blob, blob_condition const& when = {}) {
    out.append(" [").append(blob).append("]");
    if (!when.if_match.empty()) out.append(" if \"").append(when.if_match).append("\"");
    if (when.if_absent) out += " if absent";
}

struct describer {
    std::string& out;

    void operator()(create_table const& r) const { out.append(" ").append(r.table); }
    void operator()(delete_table const& r) const { out.append(" ").append(r.table); }
    void operator()(list_tables const& r) const {
        if (!r.prefix.empty()) out.append(" prefix ").append(r.prefix);
        if (!r.from.empty()) out.append(" from ").append(r.from);
        put_top(out, r.top);
    }
    void operator()(get_entity const& r) const {
        out.append(" ").append(r.table);
        put(out, r.partition_key, r.row_key);
        put_select(out, r.select);
        if (r.current) out += " current";
    }
    void operator()(query_page const& r) const {
        out.append(" ").append(r.table);
        put(out, r.partition);
        put(out, r.row);
        if (r.where) out += " where …";
        put_select(out, r.select);
        put_top(out, r.top);
        if (r.from) {
            out += " from";
            put(out, r.from->partition_key, r.from->row_key.value_or(""));
        }
        if (r.current) out += " current";
    }
    void operator()(write_entity const& r) const {
        out.append(" ").append(r.table);
        put(out, r.operation);
    }
    void operator()(transact const& r) const {
        out.append(" ").append(r.table);
        char const* before = ": ";
        for (auto const& w : r.operations) {
            out.append(std::exchange(before, "; ")).append(action_of(w.kind));
            put(out, w);
        }
    }
    void operator()(get_access_policies const& r) const { out.append(" ").append(r.table); }
    void operator()(set_access_policies const& r) const {
        out.append(" ").append(r.table);
        for (auto const& p : r.policies) out.append(" [").append(p.id).append("] ").append(p.permissions.text());
    }
    void operator()(get_service_properties const&) const {}
    void operator()(set_service_properties const&) const {}
    void operator()(get_service_statistics const&) const {}
    void operator()(queue_request const& r) const {
        out.append(" ").append(queue_of(r));
        std::visit(*this, r);
    }
    void operator()(create_queue const&) const {}
    void operator()(delete_queue const&) const {}
    void operator()(put_message const& r) const {
        out.append(" [").append(r.text).append("]");
        put_hidden(out, r.hidden_for);
        if (r.time_to_live) out.append(" for ").append(std::to_string(r.time_to_live->count())).append(" s");
    }
    void operator()(get_messages const& r) const {
        put_top(out, r.most);
        put_hidden(out, r.hidden_for);
    }
    void operator()(peek_messages const& r) const { put_top(out, r.most); }
    void operator()(update_message const& r) const {
        put(out, r.id, r.receipt);
        put_hidden(out, r.hidden_for);
        if (r.text) out.append(" to [").append(*r.text).append("]");
    }
    void operator()(delete_message const& r) const { put(out, r.id, r.receipt); }
    void operator()(clear_messages const&) const {}
    void operator()(count_messages const&) const {}

    void operator()(blob_request const& r) const {
        out.append(" ").append(container_of(r));
        std::visit(*this, r);
    }
    void operator()(create_container const&) const {}
    void operator()(delete_container const&) const {}
    void operator()(put_blob const& r) const {
        put_blob_name(out, r.blob, r.when);
        out.append(" ").append(r.body);
    }
    void operator()(get_blob const& r) const {
        put_blob_name(out, r.blob, r.when);
        if (!r.range) return;
        out.append(" from ").append(std::to_string(r.range->first));
        if (r.range->length) out.append(" length ").append(std::to_string(*r.range->length));
    }
    void operator()(head_blob const& r) const { put_blob_name(out, r.blob); }
    void operator()(delete_blob const& r) const { put_blob_name(out, r.blob, r.when); }
    void operator()(list_blobs const& r) const {
        if (!r.prefix.empty()) out.append(" prefix ").append(r.prefix);
        if (!r.from.empty()) out.append(" from ").append(r.from);
        put_top(out, r.top);
    }
    void operator()(create_append_blob const& r) const { put_blob_name(out, r.blob, r.when); }
    void operator()(append_block const& r) const {
        put_blob_name(out, r.blob, {.if_match = r.if_match});
        if (r.position) out.append(" at ").append(std::to_string(*r.position));
        out.append(" ").append(r.body);
    }
    void operator()(stage_block const& r) const {
        put(out, r.blob, r.block);
        out.append(" ").append(r.body);
    }
    void operator()(commit_blocks const& r) const {
        put_blob_name(out, r.blob, r.when);
        for (auto const block : r.blocks) out.append(" ").append(block);
    }
};

}  // namespace

std::string describe(request const& r) {
    std::string out{action_of(r)};
    std::visit(describer{out}, r);
    return out;
}

scripted_store::scripted_store(std::vector<exchange> script, tablemap::capabilities can, store_context with)
    : can_(can), context_(std::move(with)), script_(std::move(script)) {}

response scripted_store::execute(request const& r, call_options const&) {
    auto const asked = describe(r);
    std::scoped_lock lock{mutex_};
    auto const at = asked_++;
    std::string complaint;
    if (at >= script_.size())
        complaint = "request " + std::to_string(at) + " is beyond the script: " + asked;
    else if (!asked.starts_with(script_[at].expected))
        complaint = "request " + std::to_string(at) + " should be: " + script_[at].expected + "\n  but is: " + asked;
    if (complaint.empty()) return script_[at].answer;
    complaints_.push_back(complaint);
    return response::failed(
        error{library_errc::unsupported, {.reason = "the script has another request here: " + complaint}});
}

std::vector<std::string> scripted_store::complaints() const {
    std::scoped_lock lock{mutex_};
    auto all = complaints_;
    for (std::size_t i = asked_; i < script_.size(); ++i) all.push_back("never asked for: " + script_[i].expected);
    return all;
}

std::size_t scripted_store::asked() const {
    std::scoped_lock lock{mutex_};
    return asked_;
}

response answer_ok(std::string etag_text) {
    response r;
    r.etag = etag{std::move(etag_text)};
    return r;
}

response answer_row(std::string body, std::string etag_text) {
    response r = answer_ok(std::move(etag_text));
    r.body = std::move(body);
    return r;
}

response answer_page(std::string body, std::optional<continuation> next) {
    response r;
    r.body = std::move(body);
    r.next = std::move(next);
    return r;
}

response answer_service(service_response what) { return detail::answer_with(std::move(what)); }

response response_failure(std::error_code code, outcome o) { return response::failed(error{code, {.outcome = o}}); }

void for_each_failed_step(std::vector<exchange> const& script, response const& failure,
                          std::function<void(scripted_store&, std::size_t)> const& run) {
    for (std::size_t failed = 0; failed < script.size(); ++failed) {
        std::vector<exchange> cut(script.begin(), script.begin() + static_cast<std::ptrdiff_t>(failed) + 1);
        cut.back().answer = failure;
        scripted_store s{std::move(cut)};
        run(s, failed);
    }
}

}  // namespace tablemap::testing
