// SPDX-License-Identifier: Apache-2.0
#include "tablemap/crypto/cached_keys.hpp"

#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

namespace tablemap::inline v0_1 {
namespace {

using time_point = std::chrono::steady_clock::time_point;

/// The provider's last response to one question.
template <class T> struct answer {
    std::optional<T> value;
    time_point asked{};  // for the value
    std::optional<error> failed;
    time_point failed_at{};
    bool asking = false;
};

/// True for a response about the key itself, and not a failure to reach the service that has it.
bool is_final(error const& e) noexcept {
    return e.code() == library_errc::unknown_encryption_key || e.code() == library_errc::no_encryption_key;
}

}  // namespace

struct cached_keys::answers {
    std::shared_ptr<key_provider const> provider;
    cached_keys_options options;
    std::mutex mutex;
    std::condition_variable answered;
    answer<encryption_key> current;
    answer<std::vector<encryption_key>> all;
    std::map<std::string, std::shared_ptr<answer<encryption_key>>, std::less<>> by_id;

    answers(std::shared_ptr<key_provider const> p, cached_keys_options o)
        : provider(std::move(p)), options(std::move(o)) {
        if (!options.now) options.now = &std::chrono::steady_clock::now;
    }

    /// The known response, or nothing if the provider has to be asked and no thread is asking.
    template <class T> std::optional<result<T>> known(answer<T> const& a, std::unique_lock<std::mutex>& lock) {
        for (;; answered.wait(lock)) {
            auto const now = options.now();
            auto const age = now - a.asked;
            if (a.value && age < options.fresh_for) return *a.value;
            bool const usable = a.value && age < options.fresh_for + options.stale_for;
            if (a.failed && now - a.failed_at < options.failed_for) {
                if (usable) return *a.value;
                return failure{*a.failed};
            }
            if (!a.asking) return std::nullopt;
            if (usable) return *a.value;
        }
    }

    template <class T> void keep(answer<T>& a, result<T> const& said) {
        auto const now = options.now();
        if (said) {
            a.value = *said;
            a.asked = now;
            a.failed.reset();
        } else {
            if (is_final(said.error())) a.value.reset();
            a.failed.emplace(said.error());
            a.failed_at = now;
        }
    }

    template <class T, class Ask> result<T> get(answer<T>& a, Ask ask) {
        std::unique_lock lock{mutex};
        if (auto k = known(a, lock)) return *std::move(k);
        a.asking = true;
        lock.unlock();
        struct finish {  // also if the provider throws
            answers& all;
            answer<T>& one;
            std::unique_lock<std::mutex>& lock;
            ~finish() {
                if (!lock.owns_lock()) lock.lock();
                one.asking = false;
                all.answered.notify_all();
            }
        } const guard{*this, a, lock};
        auto said = ask();
        lock.lock();
        keep(a, said);
        if (!said && a.value && options.now() - a.asked < options.fresh_for + options.stale_for) return *a.value;
        return said;
    }

    std::shared_ptr<answer<encryption_key>> about(std::string_view id) {
        std::lock_guard const lock{mutex};
        if (auto const at = by_id.find(id); at != by_id.end()) return at->second;
        auto const now = options.now();
        // Ids come from stored values: the authors of those must not be able to fill the memory with failures.
        std::erase_if(by_id, [&](auto const& entry) {
            auto const& a = *entry.second;
            bool const in_use = entry.second.use_count() > 1;  // a thread is asking for it, or about to
            return !a.value && !in_use && now - a.failed_at >= options.failed_for;
        });
        return by_id.emplace(id, std::make_shared<answer<encryption_key>>()).first->second;
    }
};

cached_keys::cached_keys(std::shared_ptr<key_provider const> provider, cached_keys_options options)
    : answers_(std::make_unique<answers>(std::move(provider), std::move(options))) {}

cached_keys::~cached_keys() = default;

result<encryption_key> cached_keys::current() const {
    return answers_->get(answers_->current, [&] { return answers_->provider->current(); });
}

result<encryption_key> cached_keys::find(std::string_view id) const {
    auto const about = answers_->about(id);
    return answers_->get(*about, [&] { return answers_->provider->find(id); });
}

result<std::vector<encryption_key>> cached_keys::all() const {
    return answers_->get(answers_->all, [&] { return answers_->provider->all(); });
}

}  // namespace tablemap
