// SPDX-License-Identifier: Apache-2.0
// Members of types with a converter in keys, and every form in which their values can be given.
#include <tablemap/mapping/converters/date.hpp>
#include <tablemap/mapping/converters/path.hpp>
#include <tablemap/table/table.hpp>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace shop {

// Neither has an operator ==.
struct customer_id {
    std::string text{};
};

class order_number {
public:
    order_number() = default;
    explicit order_number(std::int64_t value) : value_(value) {}

    std::int64_t value() const { return value_; }

private:
    std::int64_t value_{};
};

struct batch_id {
    tablemap::guid id{};
};

struct weight {
    double kilograms{};
};

struct order {
    customer_id customer{};
    order_number number{};
    std::chrono::year_month_day day{};
    batch_id batch{};
    weight load{};
    std::filesystem::path file{};
    std::optional<customer_id> payer{};
};

}  // namespace shop

template <> struct tablemap::converter<shop::customer_id> {
    using stored = std::string;
    static constexpr bool keeps_order = true;
    static stored to_property(shop::customer_id const& c) { return c.text; }
    static shop::customer_id from_property(stored const& text) { return {text}; }
};

template <> struct tablemap::converter<shop::order_number> {
    using stored = std::int64_t;
    static stored to_property(shop::order_number const& n) { return n.value(); }
    static shop::order_number from_property(stored const& value) { return shop::order_number{value}; }
};

template <> struct tablemap::converter<shop::batch_id> {
    using stored = guid;
    static stored to_property(shop::batch_id const& b) { return b.id; }
    static shop::batch_id from_property(stored const& id) { return {id}; }
};

template <> struct tablemap::converter<shop::weight> {
    using stored = double;
    static stored to_property(shop::weight const& w) { return w.kilograms; }
    static shop::weight from_property(stored const& kilograms) { return {kilograms}; }
};

template <> struct tablemap::mapping<shop::order> {
    static constexpr auto partition_key =
        key(part<&shop::order::customer>.may_be_empty(), "_", spread<16>(part<&shop::order::number>));
    static constexpr auto row_key =
        key("o_", part<&shop::order::day>.descending(), part<&shop::order::number>.range(0, 999'999),
            part<&shop::order::batch>, part<&shop::order::load>.ordered(), part<&shop::order::file>.escaped(),
            part<&shop::order::customer>.hashed());
    static constexpr auto indexes =
        tablemap::indexes(index<"by_payer">(key("payer_", part<&shop::order::payer>.escaped())),
                          unique_index<"by_number">(key("number_", part<&shop::order::number>.width(6))));
};

void use(tablemap::table<shop::order>& orders, shop::order const& one) {
    using namespace std::chrono_literals;
    shop::customer_id const don{"Don"};
    auto const day = 2024y / 2 / 28;
    orders.find(don, day, shop::order_number{7}, shop::batch_id{}, shop::weight{1.5}, "a/b");
    orders.find({shop::customer_id{"Don"}, day, 7, shop::batch_id{}, shop::weight{1.5}, one.file});
    orders.find(tablemap::key_of<shop::order>::of(one));
    orders.query(tablemap::partition(don), tablemap::leading(day).between(shop::order_number{1}, 9));
    orders.query(tablemap::partition(don), tablemap::row_range(day, 2024y / 3 / 1));
    orders.find_by<"by_number">(don, shop::order_number{7});
    orders.query_by<"by_payer">(tablemap::partition(don), tablemap::row_between(don, shop::customer_id{"E"}));
    orders.query_by<"by_payer">(tablemap::partition(don), tablemap::starting_with("D"));
}

int main() {}
