// SPDX-License-Identifier: Apache-2.0
//
// usage: hostile_client TRANSPORT PORT METHOD REQUESTS MILLISECONDS [longest]
//
// Sends requests to a local server, one after another, each with a deadline, or bounded by `longest_request` alone.
// Prints a line for each: the name of the error or of the response, and how long it took; and how much the process grew
// at its peak.

#include "support/http_call.hpp"
#include "support/ways_to_send.hpp"

#include "base/error_name.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <string>
#include <string_view>

namespace {

using namespace tablemap;
using namespace tablemap::test;
using std::chrono::milliseconds;

/// A line of the system's figures for this process, in KiB.
long figure(std::string_view name) {
    std::ifstream status{"/proc/self/status"};
    for (std::string line; std::getline(status, line);)
        if (line.starts_with(name)) return std::strtol(line.c_str() + name.size(), nullptr, 10);
    throw std::runtime_error{"/proc/self/status has no " + std::string{name}};
}

way_to_send way_of(std::string_view name) {
    for (auto const& way : ways_to_send())
        if (way.name() == name) return way;
    throw std::runtime_error{"no such transport"};
}

std::string name_of(http_result const& r) {
    if (r.failure) return std::string{detail::error_name(r.failure->code())};
    return "answered_" + std::to_string(r.response.status) + "_with_" + std::to_string(r.response.body.size());
}

void run(char** argument) {
    bool const is_bounded_alone = argument[6] != nullptr;
    milliseconds const limit{std::stoi(argument[5])};
    transport_options options;
    if (is_bounded_alone) options.longest_request = limit;
    auto const t = way_of(argument[1]).connect({"http", "127.0.0.1", argument[2]}, options);
    auto const message = http_message(argument[3], "/T", argument[3] == std::string_view{"PUT"} ? "{}" : "");

    std::ofstream{"/proc/self/clear_refs"} << "5";  // the peak begins anew
    auto const before = figure("VmRSS:");
    for (int i = std::stoi(argument[4]); i > 0; --i) {
        auto const begin = std::chrono::steady_clock::now();
        auto const result =
            call(*t, message, is_bounded_alone ? call_options{} : call_options{.deadline = within(limit)});
        auto const took = std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - begin);
        std::printf("became %s after %ld ms\n", name_of(result).c_str(), static_cast<long>(took.count()));
    }
    std::printf("grew by %ld KiB\n", figure("VmHWM:") - before);
}

}  // namespace

int main(int argc, char** argv) try {
    if (argc < 6) return 2;
    run(argv);
    return 0;
} catch (std::exception const& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
}
