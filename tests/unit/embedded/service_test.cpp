// SPDX-License-Identifier: Apache-2.0
#include "unit/embedded/fixture.hpp"

#include "tablemap/embedded/maintenance.hpp"
#include "tablemap/store/service_response.hpp"

#include <cstdlib>

namespace tablemap::test {
namespace {

class service_file : public embedded_file {
protected:
    static response set(store& s, std::vector<access_policy> const& policies) {
        return s.execute(set_access_policies{"People", policies}, {});
    }
    static std::vector<access_policy> policies(store& s) {
        return s.execute(get_access_policies{"People"}, {}).service->policies;
    }

    /// A store as the first version of the format has it, with one table and one entity.
    void make_first_format() {
        make_store(1);
        run_sql("DROP TABLE policies; DROP TABLE settings; PRAGMA user_version=1");
    }
    void run_sql(std::string const& sql) {
        if (std::system("command -v sqlite3 > /dev/null") != 0) GTEST_SKIP() << "needs the sqlite3 command";
        ASSERT_EQ(std::system(("sqlite3 '" + path() + "' \"" + sql + "\" > /dev/null").c_str()), 0);
    }
    char format() const { return contents(path()).at(63); }

    access_policy const readers{.id = "readers", .expiry = *ticks::parse("2027-01-01T00:00:00Z")};
};

TEST_F(service_file, first_format_is_upgraded_to_the_latest) {
    make_first_format();
    auto const formats = upgrade_embedded(options());
    ASSERT_TRUE(formats) << formats.error().what();
    EXPECT_EQ(formats->before, 1);
    EXPECT_EQ(formats->after, 3);
    auto s = open();
    EXPECT_EQ(table_client(*s, "People").all().size(), 1U);
}

TEST_F(service_file, keeps_policies_and_properties) {
    service_properties const properties{.logging = {{.reads = true, .retention_days = 7}},
                                        .hour_metrics = metrics_settings{},
                                        .minute_metrics = metrics_settings{},
                                        .cors = {{{.allowed_origins = {"*"}, .allowed_methods = {"GET"}}}}};
    make_store(0);
    {
        auto s = open();
        ASSERT_TRUE(carried_out(set(*s, {readers})));
        ASSERT_TRUE(carried_out(s->execute(set_service_properties{&properties}, {})));
    }
    auto s = open();
    EXPECT_EQ(policies(*s), std::vector{readers});
    EXPECT_EQ(s->execute(get_service_properties{}, {}).service->properties, properties);
}

TEST_F(service_file, of_the_first_format_is_read_and_stays_as_it_is) {
    make_first_format();
    if (IsSkipped()) return;
    {
        auto s = open();
        table_client t{*s, "People"};
        EXPECT_TRUE(carried_out(t.get("p", "0")));
        EXPECT_TRUE(carried_out(t.insert(entity("p", "1"))));
        EXPECT_TRUE(policies(*s).empty());
        EXPECT_EQ(s->execute(get_service_properties{}, {}).service->properties.logging, logging_settings{});
        EXPECT_TRUE(carried_out(t.drop()));
        EXPECT_TRUE(carried_out(t.create()));
    }
    EXPECT_EQ(format(), 1);
}

TEST_F(service_file, of_the_first_format_becomes_one_of_the_second_when_policies_are_set) {
    make_first_format();
    if (IsSkipped()) return;
    {
        auto s = open();
        ASSERT_TRUE(carried_out(set(*s, {readers})));
        EXPECT_EQ(policies(*s), std::vector{readers});
    }
    EXPECT_EQ(format(), 2);
    auto s = open();
    EXPECT_EQ(policies(*s), std::vector{readers});
    EXPECT_TRUE(carried_out(table_client{*s, "People"}.get("p", "0")));
}

TEST_F(service_file, becomes_one_of_the_second_format_under_stores_that_have_it_open) {
    make_first_format();
    if (IsSkipped()) return;
    auto a = open(), b = open();
    ASSERT_TRUE(policies(*a).empty());
    ASSERT_TRUE(carried_out(set(*b, {readers})));
    EXPECT_EQ(policies(*a), std::vector{readers});
    ASSERT_TRUE(carried_out(set(*a, {})));
    EXPECT_TRUE(policies(*b).empty());
}

TEST_F(service_file, of_the_first_format_stays_one_when_a_setting_is_refused) {
    make_first_format();
    if (IsSkipped()) return;
    {
        auto s = open();
        EXPECT_TRUE(refused(s->execute(set_access_policies{"Missing", {}}, {}), service_errc::table_not_found));
    }
    EXPECT_EQ(format(), 1);
}

TEST_F(service_file, with_a_damaged_policy_says_so) {
    make_store(0);
    {
        auto s = open();
        ASSERT_TRUE(carried_out(set(*s, {readers})));
    }
    run_sql("UPDATE policies SET permissions = 'x'");
    if (IsSkipped()) return;
    EXPECT_TRUE(refused(open()->execute(get_access_policies{"People"}, {}), store_errc::corrupt));
}

TEST_F(service_file, has_no_statistics_and_says_why) {
    auto const r = open()->execute(get_service_statistics{}, {});
    ASSERT_TRUE(refused(r, library_errc::unsupported));
    EXPECT_NE(std::string{r.failure->what()}.find("one file"), std::string::npos);
}

}  // namespace
}  // namespace tablemap::test
