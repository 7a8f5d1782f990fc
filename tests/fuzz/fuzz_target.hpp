// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>

/// One reader of outside bytes with the properties that hold for every input. The same source is a libFuzzer target in
/// the preset `fuzz`, and a part of the unit test `fuzz_replay`, which runs it over its corpus.
namespace tablemap::fuzz {

/// A property that an input breaks. libFuzzer takes it for a crash, the replay for a failure.
struct broken_property : std::logic_error {
    using std::logic_error::logic_error;
};

inline void require(bool holds, char const* property) {
    if (!holds) throw broken_property{property};
}

using function = void (*)(std::string_view input);

/// All targets of a program by their names.
inline std::map<std::string, function>& targets() {
    static std::map<std::string, function> all;
    return all;
}

struct registration {
    registration(char const* name, function f) { targets().emplace(name, f); }
};

/// Cuts the first line off a text; what has no line break is its first line.
inline std::string_view take_line(std::string_view& text) {
    auto const end = text.find('\n');
    auto const line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    return line;
}

}  // namespace tablemap::fuzz

#ifdef TABLEMAP_LIBFUZZER
#define TABLEMAP_FUZZ_ENTRY                                                                       \
    extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size);            \
    extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {           \
        ::tablemap::fuzz::targets().begin()->second({reinterpret_cast<char const*>(data), size}); \
        return 0;                                                                                 \
    }
#else
#define TABLEMAP_FUZZ_ENTRY
#endif

/// Defines a target of this name; its body follows.
#define TABLEMAP_FUZZ_TARGET(name)                                            \
    static void run_##name(std::string_view input);                           \
    static ::tablemap::fuzz::registration const at_##name{#name, run_##name}; \
    TABLEMAP_FUZZ_ENTRY                                                       \
    static void run_##name([[maybe_unused]] std::string_view input)
