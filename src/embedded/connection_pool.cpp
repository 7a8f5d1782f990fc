// SPDX-License-Identifier: Apache-2.0
#include "embedded/connection_pool.hpp"

#include "embedded/file_check.hpp"
#include "embedded/schema.hpp"

#include <utility>

namespace tablemap::detail::embedded {
namespace {
constexpr std::size_t most_idle_readers = 16;
}

connection_pool::connection_pool(embedded_options const& options)
    : options_(options), in_memory_(options.path == ":memory:") {
    if (!in_memory_) check_file(options.path);
    writer_ = std::make_unique<connection>(options, true);
    prepare_schema(writer_->db(), options);
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
    writer_->db().limit_waits(&limits);
    return {*this, writer_.get(), true};
}

connection_pool::lease connection_pool::reader(call_limits const& limits) {
    if (in_memory_) return writer(limits);
    std::unique_ptr<connection> c;
    {
        std::lock_guard lock{readers_mutex_};
        if (!idle_readers_.empty()) {
            c = std::move(idle_readers_.back());
            idle_readers_.pop_back();
        }
    }
    if (!c) c = std::make_unique<connection>(options_, false);
    c->db().limit_waits(&limits);
    return {*this, c.release(), false};
}

void connection_pool::give_back(connection* c, bool is_writer) noexcept {
    c->db().limit_waits(nullptr);
    if (is_writer) return write_gate_.leave();
    std::unique_ptr<connection> owned{c};
    std::lock_guard lock{readers_mutex_};
    if (idle_readers_.size() < most_idle_readers) idle_readers_.push_back(std::move(owned));
}

}  // namespace tablemap::detail::embedded
