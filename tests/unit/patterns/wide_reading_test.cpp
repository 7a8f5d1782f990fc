// SPDX-License-Identifier: Apache-2.0
#include "support/wide_samples.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/mapping/dynamic.hpp"
#include "tablemap/table/table.hpp"
#include "tablemap/testing/faulty_store.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <variant>
#include <vector>

/// Ranges of wide entities, of which some cannot be read or a page does not come, and rows that come twice.
namespace tablemap::test {
namespace {

/// Gives the rows of each page twice.
class repeating_store final : public store {
public:
    explicit repeating_store(store_ptr inner) : inner_(std::move(inner)) {}

    tablemap::capabilities const& capabilities() const noexcept override { return inner_->capabilities(); }
    store_context const& context() const noexcept override { return inner_->context(); }
    response execute(request const& r, call_options const& o) override {
        auto answer = inner_->execute(r, o);
        if (!std::holds_alternative<query_page>(r)) return answer;
        auto const from = answer.body.find("[{") + 1, to = answer.body.rfind(']');
        if (from != 0) answer.body.insert(to, "," + answer.body.substr(from, to - from));
        return answer;
    }

private:
    store_ptr inner_;
};

class wide_reading : public ::testing::Test {
protected:
    void SetUp() override {
        surveys.create();
        for (std::int32_t person = 1; person <= 3; ++person) surveys.insert(sample_survey(person, person));
    }

    /// The entities that a range gives, "1", and its errors, "e". It ends after 20 of them at the latest.
    static std::string steps_of(wide_range<survey> range) {
        std::string steps;
        while (steps.size() < 20) {
            auto const next = range.try_next();
            if (next && !*next) break;
            steps += next ? std::to_string((**next).value.person) : "e";
        }
        return steps;
    }

    /// Makes a row have another stamp than its head names, or a property of another type.
    void spoil(std::string const& row_key, std::string const& property, std::string const& value) const {
        auto row = *rows.find("north", row_key);
        row.value.set(property, value);
        rows.replace(row);
    }

    store_ptr store = value_or_throw(open_embedded({.path = ":memory:"}));
    std::shared_ptr<tablemap::testing::faulty_store> faulty = std::make_shared<tablemap::testing::faulty_store>(store);
    wide_table<survey> surveys{store, "Surveys"}, adverse{faulty, "Surveys"};
    table<dynamic_entity> rows{store, "Surveys"};
};

TEST_F(wide_reading, goes_on_with_the_entity_in_whose_midst_a_page_did_not_come) {
    auto range = adverse.query(partition("north")).page_size(6);
    faulty->fail_next(tablemap::testing::fault::lost_before, 1);
    auto it = range.begin();
    EXPECT_EQ(it->value, sample_survey(1, 1));
    EXPECT_THROW(++it, error);
    faulty->fail_next(tablemap::testing::fault::lost_before);
    EXPECT_THROW(++it, error);
    ++it;
    EXPECT_EQ(it->value, sample_survey(2, 2));
    ++it;
    EXPECT_EQ(it->value, sample_survey(3, 3));
    ++it;
    EXPECT_EQ(it, range.end());
}

TEST_F(wide_reading, gives_each_entity_to_an_iterator_or_to_try_next) {
    auto range = surveys.query(partition("north"));
    EXPECT_EQ(range.begin()->value.person, 1);
    EXPECT_EQ((**range.try_next()).value.person, 2);
    EXPECT_EQ((**range.try_next()).value.person, 3);
    EXPECT_FALSE(*range.try_next());
}

TEST_F(wide_reading, tells_once_of_an_entity_that_lacks_a_row) {
    rows.erase_any({"north", "survey_000002  02"});
    EXPECT_EQ(steps_of(surveys.query(partition("north"))), "1e3");
    EXPECT_EQ(steps_of(surveys.query(partition("north")).page_size(3)), "1e3");
}

TEST_F(wide_reading, tells_once_of_an_entity_that_cannot_be_read) {
    spoil("survey_000002  02", "total", "many");
    EXPECT_EQ(steps_of(surveys.query(partition("north"))), "1e3");
    EXPECT_EQ(steps_of(surveys.query(partition("north")).page_size(3)), "1e3");
    EXPECT_EQ(surveys.try_find("north", 2).error().code(), library_errc::type_mismatch);
}

TEST_F(wide_reading, tells_once_of_a_last_entity_that_cannot_be_read) {
    spoil("survey_000003", "visits", "many");
    EXPECT_EQ(steps_of(surveys.query(partition("north"))), "12e");
}

TEST_F(wide_reading, reads_an_entity_again_that_was_erased_or_replaced_between_pages) {
    auto const replaced = [](tablemap::store& s) {
        wide_table<survey> const others{store_ptr{&s, [](auto*) {}}, "Surveys"};
        others.erase(*others.find("north", 2));
        others.insert(sample_survey(2, 7));
    };
    faulty->act_before(replaced, 1);
    std::vector<survey> found;
    for (auto& e : adverse.query(partition("north")).page_size(6)) found.push_back(e.value);
    EXPECT_EQ(found, (std::vector{sample_survey(1, 1), sample_survey(2, 7), sample_survey(3, 3)}));
    auto const erased = [](tablemap::store& s) {
        wide_table<survey> const others{store_ptr{&s, [](auto*) {}}, "Surveys"};
        others.erase(*others.find("north", 2));
    };
    faulty->act_before(erased, 1);
    EXPECT_EQ(steps_of(adverse.query(partition("north")).page_size(6)), "13");
}

TEST_F(wide_reading, refuses_rows_that_come_twice) {
    auto const repeating = std::make_shared<repeating_store>(store);
    wide_table<survey> const repeated{repeating, "Surveys"};
    auto const found = repeated.try_find("north", 1);
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().code(), library_errc::malformed_response);
    EXPECT_EQ(repeated.try_erase(*surveys.find("north", 1)).error().code(), library_errc::malformed_response);
    EXPECT_EQ(steps_of(repeated.query(partition("north"))), "12e");
}

}  // namespace
}  // namespace tablemap::test
