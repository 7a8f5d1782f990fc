// SPDX-License-Identifier: Apache-2.0
#include "tablemap/async.hpp"
#include "tablemap/embedded/store.hpp"
#include "tablemap/store/with_keys.hpp"
#include "tablemap/table/async_join.hpp"
#include "tablemap/tablemap.hpp"
#include "tablemap/testing/faulty_store.hpp"

#include <boost/asio/use_future.hpp>
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

/// Every place where code of the user is called throws once, in a blocking and in an asynchronous call. The exception
/// is the fault of what it was called for, or reaches the caller as it was thrown.
namespace {

namespace tmap = tablemap;
namespace asio = boost::asio;

struct thrown_by_user {
    std::string_view place;
};

std::atomic<char const*> armed{nullptr};

/// Code of the user, which throws where the test says so, once.
void at(std::string_view place) {
    auto const* const now = armed.load();
    if (!now || place != now) return;
    armed = nullptr;
    throw thrown_by_user{now};
}

struct price {
    int cents = 0;

    price() = default;
    price(int c) : cents(c) {}
    price(price const&) = default;
    price(price&&) = default;
    price& operator=(price const& p) {
        cents = p.cents;
        return *this;
    }
    price& operator=(price&& p) {
        at("assignment");
        cents = p.cents;
        return *this;
    }
};

struct gadget {
    std::string shelf{};
    std::int32_t number{};
    std::string label{};
    price cost{};
};

struct sealed {
    std::string id{};
    tmap::encrypted<std::string> text{};
};

struct aged {
    std::string id{};
    std::int32_t count{};
};

struct shelf {
    std::string name{};
};

}  // namespace

template <> struct tablemap::converter<price> {
    using stored = std::int32_t;
    static stored to_property(price const& p) {
        at("converter that writes");
        return p.cents;
    }
    static price from_property(stored const& s) {
        at("converter that reads");
        return price{s};
    }
};

template <> struct tablemap::mapping<gadget> {
    static constexpr auto partition_key = tmap::key(tmap::part<&gadget::shelf>);
    static constexpr auto row_key = tmap::key("g_", tmap::part<&gadget::number>.width(4));
    static constexpr auto members = tmap::members(tmap::computed("Twice", [](gadget const& g) {
        at("computed property");
        return g.number * 2;
    }));
    static constexpr auto indexes = tmap::indexes(
        tmap::index<"by_label">(tmap::key("label_", tmap::part<&gadget::label>.escaped())).where([](gadget const&) {
            at("condition of an index");
            return true;
        }));
};

template <> struct tablemap::mapping<sealed> {
    static constexpr auto partition_key = tmap::key("sealed");
    static constexpr auto row_key = tmap::key(tmap::part<&sealed::id>);
};

template <> struct tablemap::mapping<aged> {
    static constexpr auto partition_key = tmap::key("aged");
    static constexpr auto row_key = tmap::key(tmap::part<&aged::id>);
    static constexpr auto discriminator = tmap::discriminator("Type", "aged");
    static constexpr auto versions =
        tmap::versions<2>(tmap::upgrade_from<1>([](tmap::dynamic_entity&) { at("upgrade function"); }));
};

template <> struct tablemap::mapping<shelf> {
    static constexpr auto partition_key = tmap::key("shelves");
    static constexpr auto row_key = tmap::key(tmap::part<&shelf::name>);
};

namespace {

class throwing_keys final : public tmap::key_provider {
public:
    tmap::result<tmap::encryption_key> current() const override {
        at("key provider, current");
        return key_;
    }
    tmap::result<tmap::encryption_key> find(std::string_view) const override {
        at("key provider, find");
        return key_;
    }

private:
    tmap::encryption_key key_ = tmap::encryption_key::make("k", tmap::bytes(32, std::byte{7}));
};

class throwing_observer final : public tmap::observer {
public:
    void request_done(tmap::request_event const&) override { at("observer, request"); }
    void operation_done(tmap::operation_event const&) override { at("observer, operation"); }
};

class throwing_clock final : public tmap::clock {
public:
    tmap::time_point now() override {
        at("clock, now");
        return system().now();
    }
    std::uint64_t random() override {
        at("clock, random");
        return system().random();
    }
    void sleep_until(tmap::time_point, std::stop_token const&) override { at("clock, sleep"); }
};

class throwing_store final : public tmap::store {
public:
    explicit throwing_store(tmap::store_ptr inner) : inner_(std::move(inner)) {}
    tmap::capabilities const& capabilities() const noexcept override { return inner_->capabilities(); }
    tmap::store_context const& context() const noexcept override { return inner_->context(); }
    tmap::response execute(tmap::request const& r, tmap::call_options const& o) override {
        at("store");
        return inner_->execute(r, o);
    }
    void async_execute(tmap::request const& r, tmap::call_options const& o, tmap::receiver& to) override {
        at("store");
        inner_->async_execute(r, o, to);
    }

private:
    tmap::store_ptr inner_;
};

/// Tables over one embedded store in memory, seen through everything of the user that can throw.
struct world {
    std::shared_ptr<tmap::testing::faulty_store> const faulty = std::make_shared<tmap::testing::faulty_store>(
        tmap::value_or_throw(tmap::open_embedded({.path = ":memory:", .now = [] {
                                                      at("clock of the embedded store");
                                                      return tmap::ticks::now();
                                                  }})));
    tmap::store_ptr const store = tmap::with_keys(
        tmap::with_observer(std::make_shared<throwing_store>(faulty), std::make_shared<throwing_observer>()),
        std::make_shared<throwing_keys>());
    tmap::table_options const options{.operation_ids = true, .encrypt = [](auto, auto, auto) {
                                          at("encryption chooser");
                                          return true;
                                      }};
    throwing_clock clock{};
    tmap::call_options const timed{
        .deadline = tmap::within(std::chrono::hours{1}), .retry = tmap::retry_policy{.attempts = 2}, .clock = &clock};

    tmap::table<gadget> gadgets{store, "Rows"};
    tmap::table<tmap::dynamic_entity> raw{store, "Rows"};
    tmap::table<tmap::dynamic_entity> chosen{store, "Rows", options};
    tmap::table<gadget> tokens{store, "Rows", {.operation_ids = true}};
    tmap::table<sealed> secrets{store, "Rows"};
    tmap::table<aged> olds{store, "Rows"};
    tmap::table<shelf> shelves{store, "Rows"};
    tmap::async_table<gadget> async_gadgets{store, "Rows"};
    tmap::async_table<tmap::dynamic_entity> async_chosen{store, "Rows", options};
    tmap::async_table<gadget> async_tokens{store, "Rows", {.operation_ids = true}};
    tmap::async_table<sealed> async_secrets{store, "Rows"};
    tmap::async_table<aged> async_olds{store, "Rows"};

    gadget const first{.shelf = "a", .number = 1, .label = "one", .cost = 10};
    gadget const second{.shelf = "a", .number = 2, .label = "two", .cost = 20};
    sealed const secret{.id = "s", .text = std::string{"text"}};

    world() {
        gadgets.create();
        gadgets.insert(first);
        gadgets.insert(second);
        secrets.insert(secret);
        shelves.insert({.name = "a"});
        tmap::dynamic_entity old{"aged", "o"};
        old.set("Type", "aged");
        raw.insert(old);
    }
};

std::function<void(gadget&)> const change = [](gadget&) { at("modify function"); };

/// One place, and calls that come by it.
struct place {
    char const* name;
    std::error_code code;  ///< empty: the exception reaches the caller
    std::function<void(world&)> blocking;
    std::function<void(world&)> async;
};

template <class Future> auto done(Future f) { return f.get(); }
constexpr auto in_future = asio::use_future;

std::optional<tmap::key_of<shelf>> shelf_of(tmap::entity<gadget> const& g) {
    at("function of a join");
    return tmap::key_of<shelf>{g.value.shelf};
}

/// A source of one row.
auto source() {
    return [left = 1]() mutable -> std::optional<gadget> {
        at("bulk source");
        if (left-- == 0) return std::nullopt;
        return gadget{.shelf = "b", .number = 1, .label = "new", .cost = 1};
    };
}

tmap::bulk_options telling() {
    return {.progress = [](tmap::bulk_progress const&) { at("progress of a bulk write"); },
            .on_problem = [](tmap::bulk_problem const&) { at("problem of a bulk write"); }};
}

tmap::index_audit_options auditing() {
    return {.progress = [](tmap::index_progress const&) { at("progress of an audit"); },
            .on_finding = [](tmap::index_finding const&) { at("finding of an audit"); }};
}

tmap::migration_options migrating() {
    return {.progress = [](tmap::rewrite_report const&) { at("progress of a migration"); }};
}

auto reporting() {
    return tmap::skip_bad_rows([](tmap::bad_row const&) { at("report of a bad row"); });
}

void spoil_an_index(world& w) {
    tmap::dynamic_entity e = w.raw.find("a", "g_0001")->value;
    e.set("label", "other");
    w.raw.replace_any(e);
}

void spoil_a_row(world& w) {
    tmap::dynamic_entity e = w.raw.find("a", "g_0001")->value;
    e.set("cost", "text");
    w.raw.replace_any(e);
}

place finding(char const* name, std::error_code code = {}) {
    return {name, code, [](world& w) { w.gadgets.find("a", 1); },
            [](world& w) {
                done(w.async_gadgets.find({"a", 1}, in_future));
            }};
}

place inserting(char const* name, std::error_code code = {}) {
    return {name, code, [](world& w) { w.gadgets.insert({.shelf = "c", .number = 3}); },
            [](world& w) {
                gadget const third{.shelf = "c", .number = 3};
                done(w.async_gadgets.insert(third, in_future));
            }};
}

place bulk(char const* name) {
    return {name,
            {},
            [](world& w) { static_cast<void>(w.gadgets.insert_many(source(), telling())); },
            [](world& w) {
                auto rows = source();
                auto const options = telling();
                static_cast<void>(done(w.async_gadgets.insert_many(rows, options, in_future)));
            }};
}

place auditing_place(char const* name) {
    return {name,
            {},
            [](world& w) {
                spoil_an_index(w);
                static_cast<void>(w.gadgets.verify_indexes(auditing()));
            },
            [](world& w) {
                spoil_an_index(w);
                auto const options = auditing();
                static_cast<void>(done(w.async_gadgets.verify_indexes(options, in_future)));
            }};
}

std::vector<place> places() {
    using tmap::library_errc;
    return {
        finding("converter that reads", library_errc::value_out_of_range),
        finding("assignment", library_errc::value_out_of_range),
        finding("observer, request"),
        finding("observer, operation"),
        finding("store"),
        inserting("converter that writes", library_errc::value_out_of_range),
        inserting("computed property"),
        inserting("condition of an index"),
        inserting("clock of the embedded store", tmap::store_errc::failed),
        bulk("bulk source"),
        bulk("progress of a bulk write"),
        auditing_place("progress of an audit"),
        auditing_place("finding of an audit"),
        {"problem of a bulk write",
         {},
         [](world& w) { static_cast<void>(w.gadgets.insert_many(std::vector{w.first}, telling())); },
         [](world& w) {
             std::vector const rows{w.first};
             auto const options = telling();
             static_cast<void>(done(w.async_gadgets.insert_many(rows, options, in_future)));
         }},
        {"upgrade function", library_errc::upgrade_failed, [](world& w) { w.olds.find("o"); },
         [](world& w) { done(w.async_olds.find({"o"}, in_future)); }},
        {"progress of a migration",
         {},
         [](world& w) { static_cast<void>(w.olds.migrate(migrating())); },
         [](world& w) {
             auto const options = migrating();
             static_cast<void>(done(w.async_olds.migrate(options, in_future)));
         }},
        {"key provider, current", library_errc::no_encryption_key,
         [](world& w) { w.secrets.insert({.id = "t", .text = std::string{"text"}}); },
         [](world& w) {
             sealed const other{.id = "t", .text = std::string{"text"}};
             done(w.async_secrets.insert(other, in_future));
         }},
        {"key provider, find", library_errc::no_encryption_key, [](world& w) { w.secrets.find("s"); },
         [](world& w) { done(w.async_secrets.find({"s"}, in_future)); }},
        {"encryption chooser",
         {},
         [](world& w) {
             tmap::dynamic_entity e{"p", "r"};
             e.set("n", 1);
             w.chosen.insert(e);
         },
         [](world& w) {
             tmap::dynamic_entity e{"p", "r"};
             e.set("n", 1);
             done(w.async_chosen.insert(e, in_future));
         }},
        {"clock, now",
         {},
         [](world& w) {
             w.gadgets.find({"a", 1}, w.timed);
         },
         [](world& w) {
             done(w.async_gadgets.find({"a", 1}, w.timed, in_future));
         }},
        {"clock, random",
         {},
         [](world& w) { w.tokens.upsert_replace(w.first, w.timed); },
         [](world& w) { done(w.async_tokens.upsert_replace(w.first, w.timed, in_future)); }},
        {"clock, sleep",
         {},
         [](world& w) {
             w.faulty->fail_next(tmap::testing::fault::busy);
             w.gadgets.find({"a", 1}, w.timed);
         },
         [](world& w) {
             w.faulty->fail_next(tmap::testing::fault::busy);
             done(w.async_gadgets.find({"a", 1}, w.timed, in_future));
         }},
        {"modify function",
         {},
         [](world& w) {
             w.gadgets.modify({"a", 1}, change);
         },
         [](world& w) {
             done(w.async_gadgets.modify({"a", 1}, change, in_future));
         }},
        {"function of a join",
         {},
         [](world& w) {
             for (auto const& pair : join(w.gadgets.query(tmap::partition("a")), w.shelves, shelf_of))
                 static_cast<void>(pair);
         },
         [](world& w) {
             tmap::async_joined_range pairs{join(w.gadgets.query(tmap::partition("a")), w.shelves, shelf_of)};
             while (done(pairs.next(in_future))) {
             }
         }},
        {"report of a bad row",
         {},
         [](world& w) {
             spoil_a_row(w);
             for (auto const& g : w.gadgets.query(tmap::partition("a")).on_error(reporting())) static_cast<void>(g);
         },
         [](world& w) {
             spoil_a_row(w);
             auto rows = w.async_gadgets.query(tmap::partition("a")).on_error(reporting());
             while (done(rows.next(in_future))) {
             }
         }},
    };
}

class user_code : public ::testing::TestWithParam<place> {
protected:
    /// Expects that the exception of a call that passed the place was reported.
    void expect_told(std::function<void(world&)> const& call) {
        world w;
        call(w);  // it comes to its end where nothing is thrown
        world again;
        armed = GetParam().name;
        try {
            call(again);
            ADD_FAILURE() << (armed ? "the place was not met" : "the exception was lost");
        } catch (thrown_by_user const& t) {
            EXPECT_FALSE(GetParam().code);
            EXPECT_EQ(t.place, GetParam().name);
        } catch (tmap::error const& e) {
            EXPECT_EQ(e.code(), GetParam().code) << e.what();
        }
        armed = nullptr;
    }
};

TEST_P(user_code, that_throws_in_a_blocking_call_is_told) { expect_told(GetParam().blocking); }
TEST_P(user_code, that_throws_in_an_asynchronous_call_is_told) { expect_told(GetParam().async); }

std::string name_of(::testing::TestParamInfo<place> const& p) {
    std::string name{p.param.name};
    for (auto& c : name)
        if (c == ' ' || c == ',') c = '_';
    return name;
}
INSTANTIATE_TEST_SUITE_P(at, user_code, ::testing::ValuesIn(places()), name_of);

/// The first row that is read is a bad one.
class scan_of_bad_rows : public ::testing::TestWithParam<char const*> {};

TEST_P(scan_of_bad_rows, passes_over_them) {
    world w;
    armed = GetParam();
    int read = 0, skipped = 0;
    auto const skip = tmap::skip_bad_rows([&](tmap::bad_row const&) { ++skipped; });
    for (auto const& g : w.gadgets.query(tmap::partition("a")).on_error(skip)) read += g.value.number;
    EXPECT_EQ(read, 2);
    EXPECT_EQ(skipped, 1);
}

TEST_P(scan_of_bad_rows, passes_over_them_in_asynchronous_calls) {
    world w;
    armed = GetParam();
    int read = 0, skipped = 0;
    auto rows = w.async_gadgets.query(tmap::partition("a")).on_error(tmap::skip_bad_rows([&](tmap::bad_row const&) {
        ++skipped;
    }));
    while (auto const g = done(rows.next(in_future))) read += g->value.number;
    EXPECT_EQ(read, 2);
    EXPECT_EQ(skipped, 1);
}
INSTANTIATE_TEST_SUITE_P(at, scan_of_bad_rows, ::testing::Values("converter that reads", "assignment"),
                         [](auto const& p) { return p.index == 0 ? "converter" : "assignment"; });

TEST(user_code_of_one_kind, retry_on_conflict_lets_exceptions_of_the_function_out) {
    EXPECT_THROW(tmap::retry_on_conflict([] { throw thrown_by_user{"function"}; }), thrown_by_user);
}

TEST(user_code_of_one_kind, an_operation_that_an_observer_ends_was_carried_out) {
    world w;
    armed = "observer, operation";
    EXPECT_THROW(w.shelves.insert({.name = "b"}), thrown_by_user);
    EXPECT_TRUE(w.shelves.find("b"));
}

}  // namespace
