// SPDX-License-Identifier: Apache-2.0
#include "embedded/connection_pool.hpp"

#include "embedded/file_check.hpp"
#include "embedded/file_identity.hpp"
#include "embedded/refusal.hpp"
#include "embedded/schema.hpp"

#include <algorithm>
#include <thread>
#include <utility>

namespace tablemap::inline v0_1::detail::embedded {
namespace {
constexpr std::size_t most_idle_readers = 16;

/// A read holds the log for milliseconds, unless its process is stopped or another program reads. The longer the log
/// has grown, the longer a write waits for it.
constexpr std::chrono::milliseconds wait_for_reads{250};

/// A read of an entity ends while another thread yields so often.
constexpr int most_yields = 16;
}  // namespace

connection_pool::connection_pool(embedded_options const& options)
    : options_(options), in_memory_(options.path == ":memory:"), log_bounds_(options), next_fold_(log_bounds_.fold_at) {
    if (!in_memory_) check_file(options.path);
    writer_ = std::make_unique<connection>(options, true);
    prepare_schema(writer_->db(), options);
    if (!in_memory_) writer_->db().count_log();
    // So that giving back never allocates.
    idle_readers_.reserve(most_idle_readers);
}

connection_pool::~connection_pool() {
    // The last connection to close folds the log into the file; let it be the one that may wait for a writer.
    idle_readers_.clear();
    writer_.reset();
}

connection_pool::lease connection_pool::writer(call_limits const& limits) {
    write_gate_.enter(limits);
    writer_->db().limit_calls(&limits);
    try {
        keep_log_short(limits);
    } catch (...) {
        give_back(writer_.get(), true);
        throw;
    }
    return {*this, writer_.get(), true};
}

void connection_pool::keep_log_short(call_limits const& limits) {
    auto const pages = writer_->db().log_pages();
    if (pages < next_fold_) return;
    if (try_fold_log()) {
        next_fold_ = log_bounds_.fold_at;
        return;
    }
    limits.check();
    if (pages >= log_bounds_.most)
        refuse(store_errc::busy,
               file_reason(options_.path, "its log is full and a long read of another program holds it: "
                                          "end that read and try again"));
    next_fold_ = std::min(pages + log_bounds_.fold_at / 4 + 1, log_bounds_.most);
}

bool connection_pool::try_fold_log() {
    auto& db = writer_->db();
    bool const must = db.log_pages() >= log_bounds_.most;
    auto const patience = wait_for_reads * std::max<std::int64_t>(db.log_pages() / log_bounds_.fold_at, 1);
    try {
        return db.fold_log(must ? options_.busy_timeout
                                : std::min<std::chrono::milliseconds>(patience, options_.busy_timeout));
    } catch (error const& e) {
        // The file has no room for what the log holds. An erase may still find room in the log.
        if (must || e.code() != store_errc::full) throw;
        return false;
    }
}

connection_pool::lease connection_pool::reader(call_limits const& limits) {
    if (in_memory_) return writer(limits);
    auto c = idle_reader();
    if (!c) c = open_reader();
    c->db().limit_calls(&limits);
    return {*this, c.release(), false};
}

connection_pool::lease connection_pool::try_reader(call_limits const& limits) noexcept {
    if (in_memory_) return try_writer(limits);
    auto c = idle_reader();
    if (c) c->db().limit_calls(&limits);
    return {*this, c.release(), false};
}

connection_pool::lease connection_pool::try_writer(call_limits const& limits) noexcept {
    for (int yields = 0; yields < most_yields; ++yields) {
        if (write_gate_.try_enter()) {
            writer_->db().limit_calls(&limits);
            return {*this, writer_.get(), true};
        }
        std::this_thread::yield();
    }
    return {*this, nullptr, true};
}

std::unique_ptr<connection> connection_pool::idle_reader() noexcept {
    std::lock_guard lock{readers_mutex_};
    if (idle_readers_.empty()) return nullptr;
    auto c = std::move(idle_readers_.back());
    idle_readers_.pop_back();
    return c;
}

/// It must not read another file that took the place of the store's.
std::unique_ptr<connection> connection_pool::open_reader() const {
    auto const& file = writer_->db().file();
    if (identity_of(options_.path.c_str()) != file) refuse_file_gone(options_.path);
    auto c = std::make_unique<connection>(options_, false, reader_files_.name());
    if (c->db().file() != file) refuse_file_gone(options_.path);
    return c;
}

void connection_pool::give_back(connection* c, bool is_writer) noexcept {
    c->db().limit_calls(nullptr);
    if (is_writer) return write_gate_.leave();
    std::unique_ptr<connection> owned{c};
    std::lock_guard lock{readers_mutex_};
    if (idle_readers_.size() < most_idle_readers) idle_readers_.push_back(std::move(owned));
}

}  // namespace tablemap::detail::embedded
