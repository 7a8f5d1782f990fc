// SPDX-License-Identifier: Apache-2.0
//
// usage: large_members [VALUES]
//
// Writes large members, 10,000 unless it is told otherwise, in processes that are killed again and again, while another
// process collects what they leave, without any grace, and this one reads. Fails if a reader meets a missing blob or a
// value that nobody wrote, if a value that a writer was told is stored is not there, or if blobs are left at the end
// that no row names.

#include "support/large_samples.hpp"
#include "support/temp_folder.hpp"

#include "tablemap/mapping/dynamic.hpp"
#include "tablemap/open.hpp"
#include "tablemap/patterns/large_collector.hpp"

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <exception>
#include <new>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>

namespace tmap = tablemap;
using namespace std::chrono_literals;
using tmap::test::document;
using document_table = tmap::large_table<document>;

namespace {

constexpr std::int32_t documents = 50;
constexpr std::size_t value_bytes = 20'000;

/// The news that the processes share.
struct progress {
    std::atomic<int> written{0};
    std::atomic<int> refused{0};                             ///< writes whose permits were taken each time
    std::array<std::atomic<int>, documents> acknowledged{};  ///< the last state of each document
    std::atomic<std::size_t> deleted{0}, permits{0};
};

progress& shared_progress() {
    auto* const room = mmap(nullptr, sizeof(progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED) throw std::runtime_error{"no memory can be shared"};
    return *new (room) progress;
}

document_table open_table(std::string const& file) { return {tmap::open("embedded:" + file), "Documents", "values"}; }

void write(document_table const& all, progress& p) {
    for (;;) {
        auto const state = ++p.written;
        auto const id = state % documents;
        document const d{.folder = "plans", .id = id, .text = tmap::test::sample_text(state, value_bytes)};
        auto const stored = all.try_upsert(d);
        if (stored)
            p.acknowledged[static_cast<std::size_t>(id)] = state;
        else if (stored.error().code() == tmap::library_errc::too_many_conflicts)
            ++p.refused;
        else
            throw stored.error();
    }
}

void collect(std::string const& file, progress& p) {
    auto const store = tmap::open("embedded:" + file);
    for (int i = 0;; ++i) {
        tmap::large_collector_options const o{.grace = i % 4 == 0 ? 0s : 1s};
        auto const done = tmap::large_collector{store, "Documents", "values", o}.sweep();
        if (!done.complete()) throw *done.last_failure;
        p.deleted += done.deleted;
        p.permits += done.permits;
    }
}

template <class Act> pid_t begin(Act act) {
    auto const child = fork();
    if (child < 0) throw std::runtime_error{"no process can be started"};
    if (child > 0) return child;
    try {
        act();
    } catch (std::exception const& e) {
        std::fprintf(stderr, "large_members: %s\n", e.what());
    }
    _exit(1);
}

/// Throws if the process has ended by itself, which it does after an error only.
void kill_child(pid_t child) {
    kill(child, SIGKILL);
    int status = 0;
    if (waitpid(child, &status, 0) != child || !WIFSIGNALED(status)) throw std::runtime_error{"a process failed"};
}

/// Reads a document, whose value is that of its state or a later one.
void check(document_table const& all, std::int32_t id, int at_least) {
    auto const found = all.find("plans", id);
    if (!found && at_least > 0) throw std::runtime_error{"a value that was stored is gone"};
    if (!found) return;
    auto const& text = found->value.text.value();
    auto const state = std::stoi(text);
    if (text != tmap::test::sample_text(state, value_bytes)) throw std::runtime_error{"nobody wrote this value"};
    if (state < at_least) throw std::runtime_error{"an older value came back"};
}

std::size_t read_until(document_table const& all, progress const& p, std::chrono::steady_clock::time_point end) {
    std::size_t reads = 0;
    for (; std::chrono::steady_clock::now() < end; ++reads) {
        auto const id = static_cast<std::int32_t>(reads % documents);
        check(all, id, p.acknowledged[static_cast<std::size_t>(id)]);
    }
    return reads;
}

void check_end(document_table const& all, std::string const& file) {
    auto const later = [] { return tmap::ticks::now() + 1min; };
    tmap::large_collector const last{
        tmap::open("embedded:" + file), "Documents", "values", {.grace = 0s, .now = later}};
    if (!last.sweep().complete()) throw std::runtime_error{"the last sweep is not complete"};
    std::size_t rows = 0;
    for (auto q = tmap::table<tmap::dynamic_entity>{tmap::open("embedded:" + file), "Documents"}.scan(); auto& e : q)
        rows += e.value.row_key.empty() ? 0U : 1U;
    auto const blobs = all.blobs().list().size();
    std::printf("%zu rows and %zu blobs are left\n", rows, blobs);
    if (rows != blobs) throw std::runtime_error{"rows and blobs do not match"};
}

void run(int values) {
    tmap::test::temp_folder const folder;
    auto const file = folder.file("large.db");
    auto& p = shared_progress();
    std::size_t reads = 0, kills = 0;
    {
        auto const all = open_table(file);
        all.rows().create();
        all.blobs().create();
    }
    auto const collector = begin([&] { collect(file, p); });
    std::mt19937 random{1};
    while (p.written < values) {
        auto const writer = begin([&] { write(open_table(file), p); });
        std::chrono::milliseconds const life{50 + random() % 250};
        auto const all = open_table(file);  // no process inherits an open file
        reads += read_until(all, p, std::chrono::steady_clock::now() + life);
        kill_child(writer);
        ++kills;
    }
    kill_child(collector);
    auto const all = open_table(file);
    for (std::int32_t id = 0; id < documents; ++id) check(all, id, p.acknowledged[static_cast<std::size_t>(id)]);
    std::printf("%d writes, %d of them refused, %zu reads, %zu writers killed\n", p.written.load(), p.refused.load(),
                reads, kills);
    std::printf("%zu blobs deleted, %zu permits taken\n", p.deleted.load(), p.permits.load());
    check_end(all, file);
}

}  // namespace

int main(int argc, char** argv) try { run(argc > 1 ? std::stoi(argv[1]) : 10'000); } catch (std::exception const& e) {
    std::fprintf(stderr, "large_members: %s\n", e.what());
    return 1;
}
