// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fuzz_target.hpp"

#include "support/random.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <vector>

/// The corpora of the fuzz targets as ordinary tests: every seed, cut short and changed a little.
namespace tablemap::fuzz {
namespace {

namespace fs = std::filesystem;

fs::path const corpus{TABLEMAP_FUZZ_CORPUS};

std::set<std::string> names() {
    std::set<std::string> all;
    for (auto const& [name, run] : targets()) all.insert(name);
    return all;
}

std::vector<std::string> seeds_of(std::string const& target) {
    std::vector<std::string> all;
    for (auto const& entry : fs::directory_iterator{corpus / target}) {
        std::ifstream file{entry.path(), std::ios::binary};
        all.emplace_back(std::istreambuf_iterator<char>{file}, std::istreambuf_iterator<char>{});
    }
    return all;
}

struct replayed : ::testing::TestWithParam<std::string> {
    std::vector<std::string> const seeds = seeds_of(GetParam());

    void run(std::string const& input) const {
        EXPECT_NO_THROW(targets().at(GetParam())(input)) << ::testing::PrintToString(input);
    }
};

TEST_P(replayed, seeds_keep_the_properties) {
    ASSERT_FALSE(seeds.empty());
    for (auto const& seed : seeds) run(seed);
}

TEST_P(replayed, seeds_cut_short_keep_the_properties) {
    for (auto const& seed : seeds)
        for (std::size_t n = 0; n < seed.size(); n += 1 + seed.size() / 40) run(seed.substr(0, n));
}

TEST_P(replayed, seeds_with_changed_bytes_keep_the_properties) {
    test::random_source random;
    for (auto const& seed : seeds)
        for (int i = 0; i < 40 && !seed.empty(); ++i) {
            auto changed = seed;
            for (auto n = 1 + random.below(3); n > 0; --n)
                changed[random.below(changed.size())] = static_cast<char>(random.below(256));
            run(changed);
        }
}

INSTANTIATE_TEST_SUITE_P(fuzz, replayed, ::testing::ValuesIn(names()), [](auto const& i) { return i.param; });

TEST(corpora, have_a_target_each) {
    std::set<std::string> folders;
    for (auto const& entry : fs::directory_iterator{corpus}) folders.insert(entry.path().filename());
    EXPECT_EQ(folders, names());
}

}  // namespace
}  // namespace tablemap::fuzz
