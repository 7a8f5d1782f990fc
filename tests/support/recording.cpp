// SPDX-License-Identifier: Apache-2.0
#include "support/recording.hpp"

#include "tablemap/store/log_observer.hpp"

#include <cstdlib>
#include <fstream>
#include <mutex>
#include <string>
#include <utility>

#include <unistd.h>

namespace tablemap::test {
namespace {

/// The record of this process.
class record {
public:
    explicit record(std::string const& folder) : file_(folder + "/log-" + std::to_string(getpid()) + ".txt") {}

    void add(std::string_view line) {
        std::scoped_lock const lock{mutex_};
        file_ << line << '\n' << std::flush;
    }

private:
    std::mutex mutex_;
    std::ofstream file_;
};

std::string text_of(error const& e) {
    auto const& d = e.details();
    auto text = std::string{"error: "} + e.what() + "\n  server_text: " + d.server_text;
    text +=
        "\n  reason: " + d.reason + "\n  member: " + d.member + "\n  ids: " + d.request_id + " " + d.client_request_id;
    for (auto const& f : d.faults) text += "\n  fault: " + f.property + " " + f.reason;
    return text;
}

/// Records the errors that a store answers.
class recording_store final : public store {
public:
    recording_store(store_ptr inner, std::shared_ptr<record> to) : inner_(std::move(inner)), record_(std::move(to)) {}

    tablemap::capabilities const& capabilities() const noexcept override { return inner_->capabilities(); }
    store_context const& context() const noexcept override { return inner_->context(); }
    response execute(request const& r, call_options const& o) override {
        auto answer = inner_->execute(r, o);
        add(answer);
        return answer;
    }
    void async_execute(request const& r, call_options const& o, receiver& to) override {
        auto next = std::make_unique<passing>(*this, to);
        inner_->async_execute(r, o, *next);
        static_cast<void>(next.release());  // it ends itself with the response
    }

private:
    struct passing final : receiver {
        passing(recording_store& s, receiver& t) : where(s), to(t) {}
        void complete(response&& answer) noexcept override {
            where.add(answer);
            auto& asker = to;
            delete this;
            asker.complete(std::move(answer));
        }

        recording_store& where;
        receiver& to;
    };

    void add(response const& answer) {
        if (answer.failure) record_->add(text_of(*answer.failure));
    }

    store_ptr inner_;
    std::shared_ptr<record> record_;
};

}  // namespace

store_ptr recorded(store_ptr s) {
    static auto const to = [] {
        auto const* const folder = std::getenv("TABLEMAP_RECORD_FOLDER");
        return folder && *folder ? std::make_shared<record>(folder) : nullptr;
    }();
    if (!s || !to) return s;
    auto log = make_log_observer([](log_level, std::string_view line) { to->add(line); });
    return std::make_shared<recording_store>(with_observer(std::move(s), std::move(log)), to);
}

}  // namespace tablemap::test
