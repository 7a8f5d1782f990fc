// SPDX-License-Identifier: Apache-2.0
#include "contract/fixture.hpp"

#include "tablemap/blob/async_blob_container.hpp"
#include "tablemap/queue/async_queue.hpp"
#include "tablemap/store/service_response.hpp"

#include <boost/asio/use_future.hpp>

#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

/// The cases of queues and blobs that are shipped for users' stores, by `async_queue` and `async_blob_container`.
namespace tablemap::test {
namespace {

constexpr auto future = boost::asio::use_future;

response answer_of(service_response s, etag e = {}) {
    response r;
    r.service = std::make_unique<service_response>(std::move(s));
    r.etag = std::move(e);
    return r;
}

// --- queues ----------------------------------------------------------------------------------------------------------

struct by_async_queue {
    store_ptr store;
    call_options const& o;

    async_queue named(std::string_view name) const { return {store, std::string{name}}; }

    response operator()(create_queue const& r) const {
        return answer_of({.created = named(r.queue).create_if_not_exists(o, future).get()});
    }
    response operator()(delete_queue const& r) const {
        return named(r.queue).delete_queue(o, future).get(), response{};
    }
    response operator()(put_message const& r) const {
        message_times const times{r.hidden_for, r.time_to_live};
        return answer_of({.messages = {named(r.queue).put(r.text, times, o, future).get()}});
    }
    response operator()(get_messages const& r) const {
        return answer_of({.messages = named(r.queue).get(r.most, r.hidden_for, o, future).get()});
    }
    response operator()(peek_messages const& r) const {
        return answer_of({.messages = named(r.queue).peek(r.most, o, future).get()});
    }
    response operator()(update_message const& r) const {
        message_receipt const old{std::string{r.id}, std::string{r.receipt}};
        auto const q = named(r.queue);
        auto const changed = r.text ? q.update(old, r.hidden_for, *r.text, o, future).get()
                                    : q.update(old, r.hidden_for, o, future).get();
        return answer_of({.messages = {queue_message{.id = changed.id, .receipt = changed.receipt}}});
    }
    response operator()(delete_message const& r) const {
        named(r.queue).erase(message_receipt{std::string{r.id}, std::string{r.receipt}}, o, future).get();
        return {};
    }
    response operator()(clear_messages const& r) const { return named(r.queue).clear(o, future).get(), response{}; }
    response operator()(count_messages const& r) const {
        return answer_of({.message_count = named(r.queue).approximate_count(o, future).get()});
    }
};

// --- blobs -----------------------------------------------------------------------------------------------------------

blob_state state_of(blob_condition const& c) {
    if (c.if_absent) return blob_state::absent();
    if (c.if_match.empty()) return blob_state::any();
    return etag{std::string{c.if_match}};
}

struct by_async_container {
    store_ptr store;
    call_options const& o;

    async_blob_container named(std::string_view name) const { return {store, std::string{name}}; }

    response operator()(create_container const& r) const {
        return named(r.container).create(o, future).get(), response{};
    }
    response operator()(delete_container const& r) const {
        return named(r.container).delete_container(o, future).get(), response{};
    }
    response operator()(put_blob const& r) const {
        auto const files = named(r.container);
        return answer_of({}, files.put(r.blob, r.body, state_of(r.when), r.content_type, o, future).get());
    }
    response operator()(get_blob const& r) const {
        blob_part const part{.range = r.range, .etag = etag{std::string{r.when.if_match}}};
        auto read = named(r.container).get(r.blob, part, o, future).get();
        auto answer = answer_of({.blob = read.properties}, read.properties.etag);
        answer.body = std::move(read.bytes);
        return answer;
    }
    response operator()(head_blob const& r) const {
        auto const found = named(r.container).properties(r.blob, o, future).get();
        return answer_of({.blob = found}, found.etag);
    }
    response operator()(delete_blob const& r) const {
        auto const files = named(r.container);
        if (!r.when.if_match.empty()) {
            files.erase(r.blob, etag{std::string{r.when.if_match}}, o, future).get();
            return {};
        }
        if (files.erase_any(r.blob, o, future).get()) return {};
        return response::failed(error{service_errc::blob_not_found});
    }
    response operator()(list_blobs const& r) const {
        blob_selection const which{.prefix = std::string{r.prefix}, .from = std::string{r.from}, .top = r.top};
        auto page = named(r.container).page(which, o, future).get();
        return answer_of({.blobs = std::move(page.blobs), .next_blob = std::move(page.next)});
    }
    response operator()(create_append_blob const& r) const {
        auto const files = named(r.container);
        return answer_of({}, files.create_append(r.blob, state_of(r.when), r.content_type, o, future).get());
    }
    response operator()(append_block const& r) const {
        if (!r.if_match.empty()) return store->execute(blob_request{r}, o);  // the class has no such append
        auto const files = named(r.container);
        auto const end = r.position ? files.append(r.blob, r.body, *r.position, o, future).get()
                                    : files.append_anywhere(r.blob, r.body, o, future).get();
        auto after = files.properties(r.blob, o, future).get();
        after.size = end.size;
        return answer_of({.blob = after}, end.etag);
    }
    response operator()(stage_block const& r) const {
        return named(r.container).stage(r.blob, r.block, r.body, o, future).get(), response{};
    }
    response operator()(commit_blocks const& r) const {
        auto const files = named(r.container);
        return answer_of({}, files.commit(r.blob, r.blocks, state_of(r.when), r.content_type, o, future).get());
    }
};

/// Sends the requests of queues and blobs by the asynchronous classes, and others as they are.
class store_of_faces final : public store {
public:
    explicit store_of_faces(store_ptr inner) : inner_(std::move(inner)) {}

    tablemap::capabilities const& capabilities() const noexcept override { return inner_->capabilities(); }
    store_context const& context() const noexcept override { return inner_->context(); }
    response execute(request const& r, call_options const& o) override {
        try {
            if (auto const* const q = std::get_if<queue_request>(&r)) return std::visit(by_async_queue{inner_, o}, *q);
            if (auto const* const b = std::get_if<blob_request>(&r))
                return std::visit(by_async_container{inner_, o}, *b);
        } catch (error const& e) {
            return response::failed(e);
        }
        return inner_->execute(r, o);
    }
    void async_execute(request const& r, call_options const& o, receiver& to) override { to.complete(execute(r, o)); }

private:
    store_ptr inner_;
};

[[maybe_unused]] bool const registered = [] {
    for (auto s : stores_to_register()) {
        s.make = [make = s.make]() -> store_ptr {
            auto inner = make();
            return inner ? std::make_shared<store_of_faces>(std::move(inner)) : store_ptr{};
        };
        testing::register_store_contract(std::move(s));
    }
    return true;
}();

}  // namespace
}  // namespace tablemap::test
