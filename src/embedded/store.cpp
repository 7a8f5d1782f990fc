// SPDX-License-Identifier: Apache-2.0
#include "tablemap/embedded/store.hpp"

#include "embedded/blobs.hpp"
#include "embedded/call_limits.hpp"
#include "embedded/connection_pool.hpp"
#include "embedded/operations.hpp"
#include "embedded/refusal.hpp"
#include "embedded/resident_files.hpp"
#include "embedded/worker_pool.hpp"
#include "embedded/write_queue.hpp"
#include "store/answering_thread.hpp"
#include "store/blob_check.hpp"
#include "store/queue_check.hpp"

#include <array>
#include <cstddef>
#include <exception>
#include <filesystem>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace tablemap::inline v0_1 {
namespace {

using namespace detail::embedded;

/// One member function for each kind of request, each on the connection that it needs.
class embedded_store final : public store {
public:
    explicit embedded_store(embedded_options options) : options_(std::move(options)), pool_(options_) {}

    tablemap::capabilities const& capabilities() const noexcept override { return capabilities_; }

    response execute(request const& r, call_options const& options) override {
        return answer_of(r, [&] { return try_execute(r, options); });
    }

    void async_execute(request const& r, call_options const& options, receiver& to) override {
        if (auto answer = try_at_once(r, options)) {
            detail::answering_thread const here;
            return to.complete(*std::move(answer));
        }
        workers_.submit(r, options, to);
    }

private:
    /// The response to a request whose call returns it or throws.
    template <class Call> response answer_of(request const& r, Call call) noexcept {
        try {
            return report(r, call);
        } catch (...) {
            // Not even the error could be made. Whether it was one of the commit is lost with it.
            return is_write(r) ? no_memory_for_write_ : no_memory_for_read_;
        }
    }

    template <class Call> static response report(request const& r, Call call) {
        try {
            return call();
        } catch (error const& e) {
            return response::failed(e.in(action_of(r), table_of(r)));
        } catch (std::bad_alloc const&) {
            return failed(r, "memory ran out");
        } catch (std::exception const& e) {
            return failed(r, "an unexpected exception: " + std::string{e.what()});
        } catch (...) {
            return failed(r, "an unexpected exception");
        }
    }

    response try_execute(request const& r, call_options const& options) {
        call_limits const limits{options};
        limits.check();
        return std::visit([&](auto const& q) { return serve(q, limits); }, r);
    }

    /// The response to the read of an entity, if it need not wait for the disk or another call: a thread of the store
    /// would cost several times as much. None within a receiver, which would otherwise call itself until the stack is
    /// full.
    std::optional<response> try_at_once(request const& r, call_options const& options) noexcept {
        auto const* const q = std::get_if<get_entity>(&r);
        if (!q || detail::answering_thread::is_this()) return std::nullopt;
        no_waiting const here;
        bool is_free = true;
        auto answer = answer_of(r, [&] {
            call_limits const limits{options};
            limits.check();
            auto const c = pool_.try_reader(limits);
            is_free = static_cast<bool>(c);
            return is_free ? read_entity(*c, *q) : response{};
        });
        if (!is_free || here.has_refused()) return std::nullopt;
        return answer;
    }

    response serve(get_entity const& q, call_limits const& limits) { return read_entity(*pool_.reader(limits), q); }
    response serve(query_page const& q, call_limits const& limits) {
        return read_page(*pool_.reader(limits), q, limits);
    }
    response serve(list_tables const& q, call_limits const& limits) { return read_tables(*pool_.reader(limits), q); }
    response serve(create_table const& q, call_limits const& limits) { return add_table(*pool_.writer(limits), q); }
    response serve(delete_table const& q, call_limits const& limits) { return remove_table(*pool_.writer(limits), q); }

    response serve(get_access_policies const& q, call_limits const& limits) {
        return read_policies(*pool_.reader(limits), q);
    }
    response serve(set_access_policies const& q, call_limits const& limits) {
        return store_policies(*pool_.writer(limits), q);
    }
    response serve(get_service_properties const&, call_limits const& limits) {
        return read_properties(*pool_.reader(limits));
    }
    response serve(set_service_properties const& q, call_limits const& limits) {
        return store_properties(*pool_.writer(limits), q);
    }
    response serve(get_service_statistics const&, call_limits const&) {
        refuse(library_errc::unsupported,
               "statistics tell how an account's copy in another region stands, and an embedded store is one file");
    }

    response serve(queue_request const& q, call_limits const& limits) {
        check(detail::check_queue_request(q));
        return reads_queue(q) ? carry_out(*pool_.reader(limits), q, options_.now, limits)
                              : carry_out(*pool_.writer(limits), q, options_.now, limits);
    }
    response serve(blob_request const& r, call_limits const& limits) {
        check(detail::check_blob_request(r));
        if (is_write(r)) return change_blobs(*pool_.writer(limits), r, {options_.now, limits});
        return read_blobs(*pool_.reader(limits), r, limits);
    }

    /// A write_entity or a transact. Its bodies are checked before it waits for the store.
    template <class Write> response serve(Write const& w, call_limits const& limits) {
        queued_write write{prepared_writes{w}, limits};
        queued_write* const alone[] = {&write};
        queue_.carry_out(alone);
        return write.take();
    }

    void execute_jobs(worker_pool::job_list& jobs) noexcept {
        if (jobs.size() == 1)
            jobs.front().answer = execute(*jobs.front().what, *jobs.front().options);
        else
            write_together(jobs);
    }

    struct job_write {
        worker_pool::job* of = nullptr;
        std::optional<queued_write> write{};
    };

    /// Leaves those without an answer that fit in no common transaction, or whose turn did not come.
    void write_together(worker_pool::job_list& jobs) noexcept {
        std::array<job_write, worker_pool::most_jobs> writes;
        std::array<queued_write*, worker_pool::most_jobs> prepared{};
        std::size_t count = 0, bytes = 0;
        for (auto& j : jobs) {
            if (bytes >= write_queue::most_bytes) break;
            if (!prepare(j, writes[count])) continue;
            bytes += writes[count].write->bytes();
            prepared[count] = &*writes[count].write;
            ++count;
        }
        queue_.carry_out({prepared.data(), count});
        for (auto& w : std::span{writes.data(), count})
            if (w.write->has_outcome()) w.of->answer = answer_of(*w.of->what, [&] { return w.write->take(); });
    }

    /// Checks the bodies of a job that writes rows. Answers it if it is refused.
    bool prepare(worker_pool::job& j, job_write& to) noexcept {
        to.of = &j;
        auto refusal = answer_of(*j.what, [&] {
            call_limits const limits{*j.options};
            limits.check();
            if (auto const* const w = std::get_if<write_entity>(j.what))
                to.write.emplace(prepared_writes{*w}, limits);
            else
                to.write.emplace(prepared_writes{std::get<transact>(*j.what)}, limits);
            return response{};
        });
        if (!to.write) j.answer = std::move(refusal);
        return to.write.has_value();
    }

    static response failed(request const& r, std::string reason) {
        return response::failed(error{store_errc::failed, {.reason = std::move(reason)}}.in(action_of(r), table_of(r)));
    }

    static response no_memory(outcome o) {
        return response::failed(error{store_errc::failed, {.reason = "memory ran out", .outcome = o}});
    }

    // Copies of these need no memory.
    response const no_memory_for_read_ = no_memory(outcome::not_applied);
    response const no_memory_for_write_ = no_memory(outcome::in_doubt);
    embedded_options const options_;
    connection_pool pool_;
    bool const in_memory_ = options_.path == ":memory:";
    bool const waits_for_disk_ = options_.synchronous == durability::full && !in_memory_;
    write_queue queue_{pool_, options_.now, waits_for_disk_};
    tablemap::capabilities const capabilities_{
        .name = "embedded", .shared_commits = waits_for_disk_, .immediate = in_memory_};
    worker_pool workers_{[this](auto& jobs) { execute_jobs(jobs); }};  // last: it ends before the rest
};

}  // namespace

result<store_ptr> open_embedded(embedded_options options) {
    if (options.path.empty())
        return fail(library_errc::invalid_connection_string,
                    {.reason = "the path is empty: name a file or ':memory:'"});
    if (options.max_page_count && *options.max_page_count < 1)
        return fail(library_errc::invalid_connection_string, {.reason = "max_page_count must be at least 1"});
    if (options.busy_timeout < std::chrono::milliseconds{0})
        return fail(library_errc::invalid_connection_string, {.reason = "busy_timeout must not be negative"});
    try {
        // Readers open the file later, when the process may have changed its folder. And SQLite may be built to take a
        // name that begins with 'file:' for a URI, which an absolute path never does.
        if (options.path != ":memory:") options.path = std::filesystem::absolute(options.path).string();
        return std::make_shared<embedded_store>(std::move(options));
    } catch (error const& e) {
        return failure{e.in("open", "")};
    } catch (std::filesystem::filesystem_error const&) {
        return fail(
            store_errc::cannot_open,
            {.reason = "the folder that the process works in is gone: give an absolute path", .action = "open"});
    } catch (std::bad_alloc const&) {
        return fail(store_errc::failed, {.reason = "memory ran out", .action = "open"});
    } catch (std::exception const& e) {
        return fail(store_errc::failed,
                    {.reason = "an unexpected exception: " + std::string{e.what()}, .action = "open"});
    }
}

}  // namespace tablemap
