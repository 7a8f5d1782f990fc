// SPDX-License-Identifier: Apache-2.0
#include "support/azurite.hpp"
#include "support/hasty_clock.hpp"
#include "support/mortal_store.hpp"
#include "support/recording.hpp"
#include "support/wide_samples.hpp"
#include "support/without_value.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/mapping/dynamic.hpp"
#include "tablemap/table/table.hpp"
#include "tablemap/testing/faulty_store.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

/// Writers of wide entities whose process ends before or after any request, or whose responses are lost. Readers find
/// the entity as it was or as it was to be, with all of its rows and no others.
namespace tablemap::test {
namespace {

using tablemap::testing::fault;
using tablemap::testing::faulty_store;

using survey_table = wide_table<survey>;

survey old_survey(std::int32_t person) { return sample_survey(person, 0); }
survey new_survey(std::int32_t person) { return sample_survey(person, 5); }

survey merged_survey(std::int32_t person) {
    auto s = old_survey(person);
    s.name = "merged";
    s.last = "merged";
    return s;
}

struct scenario {
    char const* name;
    bool is_there;
    std::function<result<void>(survey_table const& t, std::int32_t person, call_options const& o)> act;
    std::function<std::optional<survey>(std::int32_t person)> wanted;
};

/// Reads the entity for a write under its etag.
result<entity<survey>> read(survey_table const& t, std::int32_t person, call_options const& o) {
    auto e = t.try_find(key_of<survey>{"north", person}, o);
    if (!e) return failure{e.error()};
    return std::move(**e);
}

std::vector<scenario> const scenarios{
    {"insert", false, [](auto& t, auto person, auto& o) { return without_value(t.try_insert(new_survey(person), o)); },
     &new_survey},
    {"upsert of a new one", false,
     [](auto& t, auto person, auto& o) { return without_value(t.try_upsert(new_survey(person), o)); }, &new_survey},
    {"upsert of one that is there", true,
     [](auto& t, auto person, auto& o) { return without_value(t.try_upsert(new_survey(person), o)); }, &new_survey},
    {"replace", true,
     [](survey_table const& t, std::int32_t person, call_options const& o) -> result<void> {
         auto e = read(t, person, o);
         if (!e) return failure{e.error()};
         e->value = new_survey(person);
         return t.try_replace(*e, o);
     },
     &new_survey},
    {"merge", true,
     [](survey_table const& t, std::int32_t person, call_options const& o) -> result<void> {
         auto e = read(t, person, o);
         if (!e) return failure{e.error()};
         e->value = merged_survey(person);
         return t.try_merge(*e, only<&survey::name, &survey::last>, o);
     },
     &merged_survey},
    {"modify", true,
     [](survey_table const& t, std::int32_t person, call_options const& o) {
         return without_value(t.try_modify(
             key_of<survey>{"north", person}, [&](survey& s) { s = merged_survey(person); }, o));
     },
     &merged_survey},
    {"erase", true,
     [](survey_table const& t, std::int32_t person, call_options const& o) -> result<void> {
         auto const e = read(t, person, o);
         if (!e) return failure{e.error()};
         return t.try_erase(*e, o);
     },
     [](auto) { return std::optional<survey>{}; }},
    {"erase_any", true,
     [](auto& t, auto person, auto& o) {
         return without_value(t.try_erase_any(key_of<survey>{"north", person}, o));
     },
     [](auto) { return std::optional<survey>{}; }},
};

class wide_entities_after_faults : public ::testing::TestWithParam<std::string> {
protected:
    void SetUp() override {
        if (GetParam() == "azurite" && !azurite::program())
            GTEST_SKIP() << "needs the storage emulator: scripts/setup test installs it";
        clean_ = GetParam() == "azurite" ? open_recorded(azurite::shared().connection_string())
                                         : value_or_throw(open_embedded({.path = ":memory:"}));
        clean().delete_if_exists();
        clean().create_if_not_exists();
    }

    survey_table clean() const { return {clean_, "WideFaults"}; }

    /// Each run has an entity of its own.
    std::int32_t prepare(scenario const& s) {
        auto const person = ++runs_;
        if (s.is_there) clean().insert(old_survey(person));
        return person;
    }

    std::size_t count_requests(scenario const& s) {
        auto const counting = std::make_shared<faulty_store>(clean_);
        auto const person = prepare(s);
        EXPECT_TRUE(s.act({counting, "WideFaults"}, person, {}));
        EXPECT_EQ(stored(person), s.wanted(person));
        return counting->requests();
    }

    /// The process ends before or after this request.
    void crash(scenario const& s, std::size_t request, bool carried_out) {
        auto const person = prepare(s);
        auto const mortal = std::make_shared<mortal_store>(clean_, request, carried_out);
        EXPECT_THROW(static_cast<void>(s.act({mortal, "WideFaults"}, person, {})), killed);
        auto const found = stored(person);
        if (!carried_out) {
            EXPECT_EQ(found, before(s, person)) << s.name << " before request " << request;
        } else {
            EXPECT_TRUE(found == before(s, person) || found == s.wanted(person)) << s.name;
        }
        expect_rows(person, found.has_value());
        ++points_;
    }

    /// The program goes on without the response.
    void lose(scenario const& s, std::size_t request, fault met, bool operation_ids) {
        auto const person = prepare(s);
        auto const faulty = std::make_shared<faulty_store>(clean_);
        faulty->fail_next(met, request);
        hasty_clock clock;
        auto const told = s.act({faulty, "WideFaults", {.operation_ids = operation_ids}}, person, {.clock = &clock});
        auto const found = stored(person);
        auto const said = told ? outcome::applied : told.error().outcome();
        if (said != outcome::in_doubt) {
            EXPECT_EQ(found, said == outcome::applied ? s.wanted(person) : before(s, person))
                << s.name << ", request " << request << ": " << (told ? "stored" : told.error().what());
        }
        EXPECT_TRUE(found == before(s, person) || found == s.wanted(person)) << s.name;
        expect_rows(person, found.has_value());
        ++points_;
    }

    std::optional<survey> before(scenario const& s, std::int32_t person) const {
        return s.is_there ? std::optional{old_survey(person)} : std::nullopt;
    }

    std::optional<survey> stored(std::int32_t person) const {
        auto found = clean().find("north", person);
        return found ? std::optional{std::move(found->value)} : std::nullopt;
    }

    void expect_rows(std::int32_t person, bool is_there) const {
        auto const head = key_of<survey>{"north", person}.encode().row_key;
        std::size_t rows = 0;
        for (auto& e : table<dynamic_entity>{clean_, "WideFaults"}.query(partition("north"), starting_with(head)))
            rows += e.value.row_key.starts_with(head) ? 1U : 0U;
        EXPECT_EQ(rows, is_there ? 4u : 0u);
    }

    store_ptr clean_;
    std::int32_t runs_ = 0;
    int points_ = 0;
};
INSTANTIATE_TEST_SUITE_P(, wide_entities_after_faults, ::testing::Values("embedded", "azurite"),
                         [](auto const& i) { return i.param; });

TEST_P(wide_entities_after_faults, are_as_before_or_as_written_whatever_request_was_the_last) {
    for (auto const& s : scenarios) {
        auto const requests = count_requests(s);
        for (std::size_t i = 0; i < requests; ++i)
            for (bool const carried_out : {false, true}) crash(s, i, carried_out);
        std::cout << GetParam() << ": " << s.name << ": " << requests << " requests, " << 2 * requests
                  << " crash points\n";
    }
    std::cout << GetParam() << ": " << points_ << " crash points\n";
}

TEST_P(wide_entities_after_faults, are_as_the_outcome_says_whatever_response_is_lost) {
    for (auto const& s : scenarios) {
        auto const requests = count_requests(s);
        for (std::size_t i = 0; i < requests; ++i)
            for (bool const ids : {false, true})
                for (auto const met : {fault::lost_before, fault::lost_after}) lose(s, i, met, ids);
    }
    std::cout << GetParam() << ": " << points_ << " lost responses\n";
}

}  // namespace
}  // namespace tablemap::test
