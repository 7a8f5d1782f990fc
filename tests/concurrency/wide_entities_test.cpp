// SPDX-License-Identifier: Apache-2.0
#include "concurrency/fixture.hpp"
#include "support/hasty_clock.hpp"
#include "support/wide_samples.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <iostream>
#include <thread>
#include <variant>

/// Wide entities that are read while they are written: in 10,000 reads, fewer of the emulator, no value is of two
/// writes.
namespace tablemap::test {
namespace {

/// A store whose pages are so small that the rows of an entity come in several: each page is as another time made it.
class store_of_small_pages final : public store {
public:
    store_of_small_pages(store_ptr inner, std::size_t rows) : inner_(std::move(inner)), rows_(rows) {}

    tablemap::capabilities const& capabilities() const noexcept override { return inner_->capabilities(); }
    store_context const& context() const noexcept override { return inner_->context(); }
    response execute(request const& r, call_options const& o) override {
        auto const* const query = std::get_if<query_page>(&r);
        if (!query) return inner_->execute(r, o);
        ++pages;
        auto small = *query;
        small.top = rows_;
        return inner_->execute(small, o);
    }

    std::atomic<std::size_t> pages{0};

private:
    store_ptr inner_;
    std::size_t rows_;
};

class wide_entities : public ::testing::TestWithParam<std::string> {
protected:
    void SetUp() override {
        if (is_azurite() && !azurite::program())
            GTEST_SKIP() << "needs the storage emulator: scripts/setup test installs it";
        store_ = is_azurite() ? open_recorded(azurite::shared().connection_string())
                              : value_or_throw(open_embedded({.path = ":memory:"}));
        small_ = std::make_shared<store_of_small_pages>(store_, 3);
        wide_table<survey> const t{store_, "WideRaces"};
        t.delete_if_exists();
        t.create();
    }

    bool is_azurite() const { return GetParam() == "azurite"; }
    int count(int embedded) const { return is_azurite() ? embedded / 50 : embedded; }
    int count_of_large(int embedded) const {
        auto const* const wanted = std::getenv("TABLEMAP_WIDE_READS");
        return wanted ? std::atoi(wanted) : count(embedded);
    }

    /// Reads this often, beside a thread that writes.
    template <class Write, class Read> void race(int reads, Write write, Read read) {
        read();
        auto const undisturbed = small_->pages.exchange(0);
        std::atomic<bool> ended{false};
        std::atomic<int> writes{0}, ends{0};
        std::thread writer{[&] {
            for (std::int32_t state = 1; !ended; ++state) {
                write(state);
                ++writes;
                // Without a pause no read ends if writes are faster, as they are under a sanitizer.
                auto const seen = ends.load();
                if (state % 4 == 0 && !ended) ends.wait(seen);
            }
        }};
        auto const let_write = [&] {
            ++ends;
            ends.notify_one();
        };
        for (int i = 0; i < reads; ++i) {
            read();
            let_write();
        }
        ended = true;
        let_write();
        writer.join();
        std::cout << GetParam() << ": " << reads << " reads beside " << writes << " writes, " << small_->pages
                  << " pages\n";
        EXPECT_GT(writes, 1);
        // More pages than reads alone take: rows of two states were met, and read again.
        if (!is_azurite() && reads >= 1000) {
            EXPECT_GT(small_->pages, undisturbed * static_cast<std::size_t>(reads));
        }
    }

    store_ptr store_;
    std::shared_ptr<store_of_small_pages> small_;
    hasty_clock clock_;
    call_options const patient_{.clock = &clock_};
};
INSTANTIATE_TEST_SUITE_P(, wide_entities, ::testing::Values("embedded", "azurite"),
                         [](auto const& i) { return i.param; });

/// Reads while writers are faster every time.
template <class T> entity<T> find_in_the_end(wide_table<T> const& t, call_options const& o) {
    for (;;) {
        auto found = t.try_find(key_of<T>{"north", 1}, o);
        if (found) return std::move(**found);
        if (found.error().code() != library_errc::too_many_conflicts) throw found.error();
    }
}

TEST_P(wide_entities, of_four_rows_are_of_one_write_in_10000_reads) {
    wide_table<survey> const writing{store_, "WideRaces"}, reading{small_, "WideRaces"};
    writing.upsert(sample_survey(1, 0));
    int mixed = 0;
    race(
        count(10'000), [&](std::int32_t state) { writing.upsert(sample_survey(1, state)); },
        [&] {
            auto const e = find_in_the_end(reading, patient_);
            mixed += e.value == sample_survey(1, e.value.visits) ? 0 : 1;
        });
    EXPECT_EQ(mixed, 0);
}

TEST_P(wide_entities, whose_rows_are_merged_are_of_one_write_in_10000_reads) {
    wide_table<survey> const writing{store_, "WideRaces"}, reading{small_, "WideRaces"};
    auto e = writing.upsert(sample_survey(1, 0));
    int mixed = 0;
    race(
        count(10'000),
        [&](std::int32_t state) {
            e.value.address = e.value.last = std::to_string(state);
            writing.merge(e, only<&survey::address, &survey::last>);
        },
        [&] {
            auto const found = find_in_the_end(reading, patient_);
            mixed +=
                found.value.last == found.value.address || (found.value.last == "l0" && found.value.address == "a0")
                    ? 0
                    : 1;
        });
    EXPECT_EQ(mixed, 0);
}

TEST_P(wide_entities, of_a_range_are_of_one_write) {
    wide_table<survey> const writing{store_, "WideRaces"}, reading{small_, "WideRaces"};
    for (std::int32_t person = 1; person <= 5; ++person) writing.upsert(sample_survey(person, 0));
    int mixed = 0, conflicts = 0;
    race(
        count(1'000), [&](std::int32_t state) { writing.upsert(sample_survey(1 + state % 5, state)); },
        [&] {
            auto range = reading.query(partition("north"), patient_);
            int found = 0;
            for (auto next = range.try_next(); !next || *next; next = range.try_next()) {
                if (!next) {
                    EXPECT_EQ(next.error().code(), library_errc::too_many_conflicts) << next.error().what();
                    ++conflicts;
                    continue;
                }
                mixed += (**next).value == sample_survey((**next).value.person, (**next).value.visits) ? 0 : 1;
                ++found;
            }
            EXPECT_EQ(found, 5);
        });
    EXPECT_EQ(mixed, 0);
}

TEST_P(wide_entities, of_a_large_number_of_properties_are_of_one_write) {
    wide_table<millennium> const writing{store_, "WideRaces"}, reading{small_, "WideRaces"};
    writing.upsert(sample_millennium(1, 0));
    int mixed = 0;
    race(
        count_of_large(1'000), [&](std::int32_t state) { writing.upsert(sample_millennium(1, state % 1000)); },
        [&] {
            auto const e = find_in_the_end(reading, patient_);
            mixed += e.value == sample_millennium(1, e.value.c0.m00 / 10'000) ? 0 : 1;
        });
    EXPECT_EQ(mixed, 0);
}

TEST_P(wide_entities, of_large_members_are_of_one_write) {
    wide_table<archive> const writing{store_, "WideRaces"}, reading{small_, "WideRaces"};
    constexpr std::size_t size = 30 * 1024;
    writing.upsert(sample_archive(1, size, 0));
    int mixed = 0;
    race(
        count_of_large(500), [&](std::int32_t state) { writing.upsert(sample_archive(1, size, state % 26)); },
        [&] {
            auto const e = find_in_the_end(reading, patient_);
            mixed += e.value == sample_archive(1, size, e.value.d0.t0.front() - 'a') ? 0 : 1;
        });
    EXPECT_EQ(mixed, 0);
}

}  // namespace
}  // namespace tablemap::test
