// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/store/observer.hpp"

#include <mutex>
#include <string>
#include <vector>

namespace tablemap::test {

/// An event that outlives its call.
template <class Event> struct kept : Event {
    explicit kept(Event const& e) : Event(e), texts_(std::make_shared<texts>(texts_of(e))) {
        this->action = texts_->action;
        this->table = texts_->table;
        this->store = texts_->store;
        this->server = texts_->server;
        this->client_request_id = texts_->client_request_id;
        this->server_request_id = texts_->server_request_id;
        if constexpr (requires { this->message; }) this->message = texts_->message;
    }

private:
    struct texts {
        std::string action, table, store, server, client_request_id, server_request_id, message{};
    };
    static texts texts_of(Event const& e) {
        texts t{.action = std::string{e.action},
                .table = std::string{e.table},
                .store = std::string{e.store},
                .server = std::string{e.server},
                .client_request_id = std::string{e.client_request_id},
                .server_request_id = std::string{e.server_request_id}};
        if constexpr (requires { e.message; }) t.message = e.message;
        return t;
    }
    std::shared_ptr<texts const> texts_;
};

/// Keeps all events. Read them when nothing is under way.
class keeping_observer final : public observer {
public:
    void request_done(request_event const& e) noexcept override {
        std::scoped_lock const lock{mutex_};
        requests.emplace_back(e);
    }
    void operation_done(operation_event const& e) noexcept override {
        std::scoped_lock const lock{mutex_};
        operations.emplace_back(e);
    }

    std::vector<kept<request_event>> requests{};
    std::vector<kept<operation_event>> operations{};

private:
    std::mutex mutex_;
};

}  // namespace tablemap::test
