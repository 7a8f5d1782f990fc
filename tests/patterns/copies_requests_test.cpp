// SPDX-License-Identifier: Apache-2.0
#include "docs/page_table.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/patterns/table_with_copies.hpp"
#include "tablemap/store/observer.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <set>

namespace tablemap {
namespace {

struct employee {
    std::string department{};
    std::int32_t id{};
    std::string name{};
    std::int32_t age{};
};

struct department {
    std::string name{};
    std::optional<std::int32_t> manager{};
    std::string manager_name{};
};

}  // namespace

template <> struct mapping<employee> {
    static constexpr auto partition_key = key(part<&employee::department>);
    static constexpr auto row_key = key("empid_", part<&employee::id>.width(6));
};

template <> struct mapping<department> {
    static constexpr auto partition_key = key(part<&department::name>);
    static constexpr auto row_key = key("department");
    static constexpr auto copies = tablemap::copies(copies_of<employee>(
        linked<&department::manager, &employee::id>, copied<&department::manager_name, &employee::name>));
};

namespace test {
namespace {

class counting_requests final : public observer {
public:
    void request_done(request_event const&) noexcept override { ++count; }
    std::size_t count = 0;
};

/// A company of one department, Don who leads it, and Eve who does not.
class company {
public:
    company() {
        plain.create();
        rows.insert(employee{.department = "Sales", .id = 1, .name = "Don"});
        rows.insert(employee{.department = "Sales", .id = 2, .name = "Eve"});
        rows.insert(department{.name = "Sales", .manager = 1});
    }

    entity<employee> worker(std::int32_t id) const { return plain.find("Sales", id).value(); }
    entity<department> sales() const { return rows.of<department>().find("Sales").value(); }

    store_ptr plain_store = value_or_throw(open_embedded({.path = ":memory:"}));
    std::shared_ptr<counting_requests> requests = std::make_shared<counting_requests>();
    table<employee> plain{plain_store, "Company"};
    table_with_copies<employee, department> rows{with_observer(plain_store, requests), "Company"};
};

using company_rows = table_with_copies<employee, department>;

/// The operation of each line of the page's table; the rows that it needs are read before.
std::map<std::string, std::function<std::function<void(company_rows const&)>(company&)>> const operations{
    {"insert of a source",
     [](company&) { return [](auto& r) { r.insert(employee{.department = "Sales", .id = 3}); }; }},
    {"insert of a source that rows link to already",
     [](company& c) {
         c.rows.of<department>().modify({"Sales"}, [](department& d) { d.manager = 3; });
         return [](auto& r) { r.insert(employee{.department = "Sales", .id = 3, .name = "Jun"}); };
     }},
    {"insert of a row that holds copies",
     [](company& c) {
         c.rows.of<department>().erase_any({"Sales"});
         return [](auto& r) { r.insert(department{.name = "Sales", .manager = 2}); };
     }},
    {"insert of a row whose link is empty",
     [](company&) { return [](auto& r) { r.insert(department{.name = "Audit"}); }; }},
    {"modify of members that are not copied",
     [](company&) { return [](auto& r) {
                        r.template modify<employee>({"Sales", 1}, [](employee& e) { ++e.age; });
                    }; }},
    {"modify of a copied member",
     [](company&) {
         return [](auto& r) { r.template modify<employee>({"Sales", 1}, [](employee& e) { e.name = "D"; }); };
     }},
    {"modify of a link",
     [](company&) {
         return [](auto& r) { r.template modify<department>({"Sales"}, [](department& d) { d.manager = 2; }); };
     }},
    {"modify that changes nothing",
     [](company&) { return [](auto& r) {
                        r.template modify<employee>({"Sales", 1}, [](employee&) {});
                    }; }},
    {"replace of a source", [](company& c) { return [e = c.worker(1)](auto& r) mutable { r.replace(e); }; }},
    {"replace of a row that holds copies",
     [](company& c) { return [d = c.sales()](auto& r) mutable { r.replace(d); }; }},
    {"erase_unless_copied of a source that is copied",
     [](company& c) { return [e = c.worker(1)](auto& r) { EXPECT_FALSE(r.erase_unless_copied(e)); }; }},
    {"erase_unless_copied of a source that is not copied",
     [](company& c) { return [e = c.worker(2)](auto& r) { EXPECT_TRUE(r.erase_unless_copied(e)); }; }},
    {"erase_and_clear_copies of a source",
     [](company& c) { return [e = c.worker(1)](auto& r) { EXPECT_EQ(r.erase_and_clear_copies(e), 1U); }; }},
    {"verify_copies",
     [](company&) { return [](auto& r) { EXPECT_TRUE(r.verify_copies(partition("Sales")).clean()); }; }},
    {"refresh_copies of a stale row",
     [](company& c) {
         c.plain.modify({"Sales", 1}, [](employee& e) { e.name = "D"; });
         return [](auto& r) { EXPECT_EQ(r.refresh_copies(partition("Sales")).stale.size(), 1U); };
     }},
};

TEST(page_of_copies, counts_the_requests_of_each_operation) {
    std::set<std::string> named;
    for (auto const& row : page_table("patterns/denormalised-copies.md", "requests")) {
        auto const& name = named.insert(row.at(0)).first;
        ASSERT_TRUE(operations.contains(*name)) << *name;
        company c;
        auto const operate = operations.at(*name)(c);
        c.requests->count = 0;
        operate(c.rows);
        EXPECT_EQ(std::to_string(c.requests->count), row.at(1)) << *name;
    }
    EXPECT_EQ(named.size(), operations.size());
}

}  // namespace
}  // namespace test
}  // namespace tablemap
