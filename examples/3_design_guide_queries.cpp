// SPDX-License-Identifier: Apache-2.0
//
// usage: design_guide_queries [CONNECTION STRING]
//
// The queries of Microsoft's "Azure Table storage table design guide", each with its plan: the request to the
// service, and the part of the table that it reads. Without an argument they run on a store in memory.

#include <tablemap/tablemap.hpp>

#include <iostream>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace tmap = tablemap;

/// The guide's secondary index within a partition: an employee is stored twice, under its number and under its e-mail
/// address.
struct employee {
    std::string department{};
    std::int32_t id{};
    std::string first_name{};
    std::string last_name{};
    std::int32_t age{};
    std::string email{};
};

struct employee_by_email {
    std::string department{};
    std::string email{};
    std::int32_t id{};
    std::string last_name{};
};

/// The guide's compound key: the reviews of an employee are adjacent, by year.
struct review {
    std::string department{};
    std::int32_t employee{};
    std::int32_t year{};
    std::int32_t manager_rating{};
    std::int32_t peer_rating{};
    std::string comments{};
};

/// The guide's log tail: the latest claim comes first.
struct expense_claim {
    std::int32_t employee{};
    tmap::ticks submitted{};
    std::int64_t cents{};
};

template <> struct tmap::mapping<employee> {
    static constexpr auto partition_key = tmap::key(tmap::part<&employee::department>);
    static constexpr auto row_key = tmap::key("empid_", tmap::part<&employee::id>.width(6));
    static constexpr auto members = tmap::members(
        tmap::member<&employee::first_name>.named("FirstName"), tmap::member<&employee::last_name>.named("LastName"),
        tmap::member<&employee::age>.named("Age"), tmap::member<&employee::email>.named("EmailAddress"));
};

template <> struct tmap::mapping<employee_by_email> {
    static constexpr auto partition_key = tmap::key(tmap::part<&employee_by_email::department>);
    static constexpr auto row_key = tmap::key("email_", tmap::part<&employee_by_email::email>);
    static constexpr auto members = tmap::members(tmap::member<&employee_by_email::id>.named("EmployeeID"),
                                                  tmap::member<&employee_by_email::last_name>.named("LastName"));
};

template <> struct tmap::mapping<review> {
    static constexpr auto partition_key = tmap::key(tmap::part<&review::department>);
    static constexpr auto row_key =
        tmap::key("review_", tmap::part<&review::employee>.width(6), "_", tmap::part<&review::year>.width(4));
    static constexpr auto members = tmap::members(tmap::member<&review::manager_rating>.named("ManagerRating"),
                                                  tmap::member<&review::peer_rating>.named("PeerRating"),
                                                  tmap::member<&review::comments>.named("Comments"));
};

template <> struct tmap::mapping<expense_claim> {
    static constexpr auto partition_key = tmap::key("empid_", tmap::part<&expense_claim::employee>.width(6));
    static constexpr auto row_key = tmap::key(tmap::part<&expense_claim::submitted>.descending());
    static constexpr auto members = tmap::members(tmap::member<&expense_claim::cents>.named("Cents"));
};

namespace {

void print(employee const& e) { std::cout << e.id << " " << e.first_name << " " << e.last_name << "\n"; }
void print(employee_by_email const& e) { std::cout << e.email << ": " << e.id << "\n"; }
void print(expense_claim const& c) { std::cout << c.submitted.text() << ": " << c.cents << "\n"; }
template <class T> void print(tmap::entity<T> const& e) { print(e.value); }
void print(std::tuple<std::int32_t, std::int32_t, std::int32_t, std::string> const& r) {
    auto const& [year, by_manager, by_peers, comments] = r;
    std::cout << year << ": " << by_manager << ", " << by_peers << ", " << comments << "\n";
}

void show(std::string_view question, auto range) {
    std::cout << "\n" << question << "\n" << range.explain().text();
    for (auto const& row : range) {
        std::cout << "  ";
        print(row);
    }
}

struct company {
    tmap::table<employee> employees;
    tmap::table<employee_by_email> addresses;  // the same table
    tmap::table<review> reviews;               // the same table
    tmap::table<expense_claim> claims;

    explicit company(tmap::store_ptr const& store)
        : employees(store, "Employees"),
          addresses(store, "Employees"),
          reviews(store, "Employees"),
          claims(store, "EmployeeExpense") {}

    void add(employee const& e) const {
        addresses.upsert_replace({.department = e.department, .email = e.email, .id = e.id, .last_name = e.last_name});
        employees.upsert_replace(e);
    }

    void fill() const {
        employees.create_if_not_exists();
        claims.create_if_not_exists();
        add({"Sales", 99, "Abby", "Reyes", 51, "abbyr@contoso.com"});
        add({"Sales", 121, "Don", "Hall", 34, "donh@contoso.com"});
        add({"Sales", 123, "Jun", "Cao", 47, "junc@contoso.com"});
        add({"Sales", 199, "Alan", "Jones", 29, "alanj@contoso.com"});
        add({"Sales", 322, "Joan", "Jones", 62, "jonesj@contoso.com"});
        add({"Legal", 10, "Ken", "Kwok", 23, "kenk@contoso.com"});
        add({"Legal", 17, "Mary", "Jones", 40, "maryj@contoso.com"});
        for (std::int32_t year = 2010; year < 2014; ++year)
            reviews.upsert_replace({"Sales", 123, year, year % 5, year % 4, "as agreed"});
        reviews.upsert_replace({"Sales", 124, 2012, 3, 3, "another's"});
        for (std::int32_t day = 0; day < 14; ++day)
            claims.upsert_replace(
                {322, tmap::ticks{std::chrono::sys_days{std::chrono::days{16'000 + day}}}, 100 * day});
    }
};

}  // namespace

int main(int argc, char** argv) try {
    using namespace tmap;
    company const all{open(argc > 1 ? argv[1] : "embedded::memory:")};
    all.fill();
    auto const sales = partition("Sales");

    show("Employee 322 of Sales: a point query", all.employees.query(sales, leading(322)));
    show("The employee with this e-mail address: a point query of the index",
         all.addresses.query(sales, leading("jonesj@contoso.com")));
    show("Employees of Sales with numbers from 100 to 199", all.employees.query(sales, row_between(100, 199)));
    show("Employees of Sales whose e-mail address begins with a", all.addresses.query(sales, starting_with("a")));
    show("The reviews of employee 123",
         all.reviews.query(sales, leading(123))
             .select<&review::year, &review::manager_rating, &review::peer_rating, &review::comments>());
    show("The last ten expense claims of employee 322", all.claims.query(partition(322)).top(10));
    show("Employees of Sales named Jones: all employees of the partition are read",
         all.employees.query(sales).where(field<&employee::last_name> == "Jones"));
    // Of the rows of this table only employees have an age, so the others do not match.
    show("Employees older than 45, wherever they are: the whole table is read",
         all.employees.scan(field<&employee::age> > 45));

    // The guide warns of `RowKey eq '…' or RowKey eq '…'`, which reads the partition. Two point queries do not.
    std::cout << "\nEmployees 121 and 322 of Sales: two point queries\n";
    for (auto const& e : all.employees.find_many({{"Sales", 121}, {"Sales", 322}})) {
        std::cout << "  ";
        print(e->value);
    }
} catch (std::exception const& e) {
    std::cerr << "design_guide_queries: " << e.what() << "\n";
    return 1;
}
