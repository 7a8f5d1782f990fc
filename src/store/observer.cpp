// SPDX-License-Identifier: Apache-2.0
#include "tablemap/store/observer.hpp"

#include "tablemap/detail/store/call_context.hpp"
#include "store/local_response.hpp"
#include "tablemap/detail/store/thrown_note.hpp"
#include "base/error_name.hpp"

#include <exception>
#include <utility>

namespace tablemap::inline v0_1 {
namespace {

std::size_t writes_in(request const& r) noexcept {
    if (auto const* t = std::get_if<transact>(&r)) return t->operations.size();
    return std::holds_alternative<write_entity>(r) ? 1 : 0;
}

std::size_t text_bytes(queue_request const& r) noexcept {
    if (auto const* p = std::get_if<put_message>(&r)) return p->text.size();
    auto const* u = std::get_if<update_message>(&r);
    return u && u->text ? u->text->size() : 0;
}

struct stored_bytes {
    template <class Request> std::size_t operator()(Request const& r) const noexcept {
        if constexpr (requires { r.body; })
            return r.body.size();
        else
            return 0;
    }
};

std::size_t body_bytes(request const& r) noexcept {
    if (auto const* w = std::get_if<write_entity>(&r)) return w->operation.body.size();
    if (auto const* q = std::get_if<queue_request>(&r)) return text_bytes(*q);
    if (auto const* b = std::get_if<blob_request>(&r)) return std::visit(stored_bytes{}, *b);
    std::size_t sum = 0;
    if (auto const* t = std::get_if<transact>(&r))
        for (auto const& o : t->operations) sum += o.body.size();
    return sum;
}

/// Two observers as one.
class both final : public observer {
public:
    both(std::shared_ptr<observer> first, std::shared_ptr<observer> second)
        : first_(std::move(first)), second_(std::move(second)) {}

    void operation_done(operation_event const& e) override {
        notify_both([&](observer& to) { to.operation_done(e); });
    }
    void outbox_pass_done(outbox_event const& e) override {
        notify_both([&](observer& to) { to.outbox_pass_done(e); });
    }
    void index_pass_done(index_event const& e) override {
        notify_both([&](observer& to) { to.index_pass_done(e); });
    }

private:
    template <class Notify> void notify_both(Notify notify) const {
        detail::thrown_note thrown;
        for (auto const* const to : {&first_, &second_}) {
            try {
                notify(**to);
            } catch (...) {  // the other receives the event nevertheless
                thrown.keep(std::current_exception());
            }
        }
        thrown.rethrow();
    }

    std::shared_ptr<observer> const first_, second_;
};

class observed_store final : public store {
public:
    observed_store(store_ptr inner, std::shared_ptr<observer> by)
        : inner_(std::move(inner)), observer_(std::move(by)), context_(inner_->context()) {
        auto& all = context_.observer;
        all = all ? std::make_shared<both>(std::move(all), observer_) : observer_;
    }

    tablemap::capabilities const& capabilities() const noexcept override { return inner_->capabilities(); }
    store_context const& context() const noexcept override { return context_; }

    response execute(request const& r, call_options const& o) override {
        auto const began = now(o);
        auto answer = ask(r, o, began);
        if (auto const thrown = notify(r, o, answer, began)) std::rethrow_exception(thrown);
        return answer;
    }

    void async_execute(request const& r, call_options const& o, receiver& to) override {
        auto call = std::make_unique<one_call>(*this, r, o, to);
        try {
            inner_->async_execute(r, o, *call);
        } catch (...) {
            tell_thrown(r, o, call->began);
            throw;
        }
        static_cast<void>(call.release());  // it destroys itself with the response
    }

private:
    static time_point now(call_options const& o) { return detail::environment{o}.now(); }

    response ask(request const& r, call_options const& o, time_point began) {
        try {
            return inner_->execute(r, o);
        } catch (...) {
            tell_thrown(r, o, began);
            throw;
        }
    }

    /// Calls the observer. Returns its exception, unless an operation will throw it.
    std::exception_ptr notify(request const& r, call_options const& o, response const& answer,
                              time_point began) const noexcept {
        try {
            report(r, o, answer, began);
            return nullptr;
        } catch (...) {
            if (!o.origin.thrown) return std::current_exception();
            o.origin.thrown->keep(std::current_exception());
            return nullptr;
        }
    }

    void report(request const& r, call_options const& o, response const& answer, time_point began) const {
        if (!detail::was_sent(inner_->capabilities().remote, answer)) return;
        request_event e{.operation = o.origin.operation,
                        .action = action_of(r),
                        .table = table_of(r),
                        .store = inner_->capabilities().name,
                        .server = context_.server_address,
                        .port = context_.server_port,
                        .attempt = o.origin.attempt,
                        .writes = writes_in(r),
                        .outcome = answer.outcome(),
                        .bytes_sent = body_bytes(r),
                        .bytes_received = answer.body.size(),
                        .took = now(o) - began,
                        .client_request_id = o.request_id};
        if (answer.failure) e.error = answer.failure->code();
        if (answer.trip) {
            e.secondary = answer.trip->secondary;
            e.http_status = answer.trip->status;
            e.bytes_sent = answer.trip->bytes_sent;
            e.bytes_received = answer.trip->bytes_received;
            if (!answer.trip->client_request_id.empty()) e.client_request_id = answer.trip->client_request_id;
            e.server_request_id = answer.trip->request_id;
        }
        observer_->request_done(e);
    }

    void tell_thrown(request const& r, call_options const& o, time_point began) const noexcept {
        static_cast<void>(notify(r, o, detail::response_of_throwing(r), began));
    }

    struct one_call final : receiver {
        one_call(observed_store& s, request const& r, call_options const& o, receiver& t)
            : store(s), asked(r), options(o), to(t), began(now(o)) {}

        void complete(response&& answer) noexcept override {
            bool const lost = store.notify(asked, options, answer, began) != nullptr;
            auto last = lost ? detail::response_of_throwing(asked, "the observer") : std::move(answer);
            auto& asker = to;
            delete this;
            asker.complete(std::move(last));
        }

        observed_store& store;
        request const& asked;
        call_options const& options;
        receiver& to;
        time_point const began;
    };

    store_ptr const inner_;
    std::shared_ptr<observer> const observer_;
    store_context context_;
};

}  // namespace

store_ptr with_observer(store_ptr inner, std::shared_ptr<observer> by) {
    return std::make_shared<observed_store>(std::move(inner), std::move(by));
}

std::string code_name(std::error_code code) {
    auto const name = std::string{detail::error_name(code)};
    std::string const area = code.category().name();
    if (name.empty()) return area + ":" + std::to_string(code.value());
    return code.category() == service_category() && code != service_errc::unknown ? name : area + "." + name;
}

}  // namespace tablemap
