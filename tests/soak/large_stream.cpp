// SPDX-License-Identifier: Apache-2.0
//
// usage: large_stream [MEBIBYTES] [keep]
//
// Stores a large member from a source in an embedded file, 1,024 MiB unless it is told otherwise, reads it to a sink,
// and fails if the peak of resident memory grows by more than 64 MiB. With `keep` it keeps what it read, to show that
// this is noticed.

#include "soak/reading.hpp"
#include "support/large_samples.hpp"
#include "support/temp_folder.hpp"

#include "tablemap/open.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tmap = tablemap;
using tmap::test::document;

namespace {

constexpr std::size_t memory_limit = 64 * 1024;  // KiB, beyond what is used when it begins
constexpr std::size_t mebibyte = 1024 * 1024;

std::byte byte_at(std::size_t i) { return std::byte(i * 7 + i / mebibyte); }

/// Gives bytes until so many were given.
auto source_of(std::size_t size) {
    return [size, given = std::size_t{0}](std::span<std::byte> to) mutable {
        auto const count = std::min(to.size(), size - given);
        for (std::size_t i = 0; i < count; ++i) to[i] = byte_at(given++);
        return count;
    };
}

void check_growth(std::string_view what, std::size_t begin) {
    auto const grown = growth_since(begin);
    std::printf("%.*s: the peak of memory grew by %zu KiB\n", static_cast<int>(what.size()), what.data(), grown);
    if (grown > memory_limit) throw std::runtime_error{"memory grew by more than 64 MiB"};
}

void run(std::size_t size, bool keep) {
    tmap::test::temp_folder const folder;
    tmap::large_table<document> const all{tmap::open("embedded:" + folder.file("large.db")), "Documents", "values"};
    all.rows().create();
    all.blobs().create();
    auto const begin = peak();
    auto const e = all.insert({.folder = "plans", .id = 1, .picture = tmap::large<tmap::bytes>::from(source_of(size))});
    check_growth("stored", begin);
    std::size_t read = 0;
    tmap::bytes kept;
    all.read<&document::picture>(e, [&](std::span<std::byte const> piece) {
        for (auto const b : piece)
            if (b != byte_at(read++)) throw std::runtime_error{"another byte was read than was written"};
        if (keep) kept.insert(kept.end(), piece.begin(), piece.end());
    });
    if (read != size) throw std::runtime_error{"another number of bytes was read than was written"};
    check_growth("read", begin);
}

}  // namespace

int main(int argc, char** argv) try {
    run((argc > 1 ? std::stoul(argv[1]) : 1024) * mebibyte, argc > 2);
} catch (std::exception const& e) {
    std::fprintf(stderr, "large_stream: %s\n", e.what());
    return 1;
}
