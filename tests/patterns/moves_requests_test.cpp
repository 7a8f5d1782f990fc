// SPDX-License-Identifier: Apache-2.0
#include "patterns/requests.hpp"
#include "support/move_samples.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/testing/faulty_store.hpp"

#include <memory>
#include <string>

namespace tablemap::test {
namespace {

class moves_page : public ::testing::Test {
protected:
    void SetUp() override {
        officers.create();
        pensioners.create();
    }

    void commit(std::string const& office, std::int32_t id) {
        auto officer_now = officers.insert({office, id, "Don"});
        auto t = officers.transaction();
        t.replace(officer_now);
        officer_outbox{officers}.commit(t, retire{id});
    }
    void work(store_ptr s, std::string const& office) {
        relay const r{officer_outbox{table<officer>{s, "Officers"}},
                      on_move(table<pensioner>{s, "Pensioners"}, pensioner_of),
                      on<greet_officer>([](greet_officer const&) {})};
        static_cast<void>(r.try_run_once(partition(office)));
    }
    /// A relay that ends when it has sent so many requests.
    void leave_after(std::size_t requests, std::string const& office) {
        auto const faulty = std::make_shared<testing::faulty_store>(store);
        for (std::size_t i = requests; i < requests + 20; ++i) faulty->fail_next(testing::fault::lost_before, i);
        work(faulty, office);
    }
    void find(std::string const& office, std::int32_t id, bool source, bool target) {
        moves const both{table<officer>{observed, "Officers"}, table<pensioner>{observed, "Pensioners"}};
        auto const found = both.find({office, id}, {id});
        EXPECT_EQ(found.source.has_value(), source);
        EXPECT_EQ(found.target.has_value(), target);
    }

    std::shared_ptr<keeping_observer> seen = std::make_shared<keeping_observer>();
    store_ptr store = value_or_throw(open_embedded({.path = ":memory:"}));
    store_ptr observed = with_observer(store, seen);
    table<officer> officers{store, "Officers"};
    table<pensioner> pensioners{store, "Pensioners"};
};

TEST_F(moves_page, says_how_many_requests_operations_take) {
    commit("one", 1);
    for (std::int32_t id = 10; id < 20; ++id) commit("ten", id);
    commit("erased", 20);
    officers.erase_any({"erased", 20});
    officers.insert({"stays", 30, "Eve"});
    commit("under way", 40);
    leave_after(7, "under way");
    expect_requests(
        "patterns/moves.md", *seen,
        {{"pass over 1 move", [&] { work(observed, "one"); }},
         {"pass over 10 moves", [&] { work(observed, "ten"); }},
         {"pass over 1 move of an entity that was erased", [&] { work(observed, "erased"); }},
         {"`find` of an entity that was not moved", [&] { find("stays", 30, true, false); }},
         {"`find` of an entity that was moved", [&] { find("one", 1, false, true); }},
         {"`find` after the commit of the move, before it is done", [&] { find("under way", 40, false, true); }},
         {"`find` of an entity that is nowhere", [&] { find("nobody", 50, false, false); }}});
}

}  // namespace
}  // namespace tablemap::test
