// SPDX-License-Identifier: Apache-2.0
#include <tablemap/table/bulk_writer.hpp>

#include <array>
#include <cstdint>
#include <iterator>
#include <list>
#include <span>
#include <sstream>
#include <string>
#include <vector>

struct order {
    std::string customer{};
    std::int32_t number{};
    double price{};

    friend std::istream& operator>>(std::istream& in, order& o) { return in >> o.customer >> o.number >> o.price; }
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&order::customer>);
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::number>.width(6));
};

/// An input range and no more. clang 14 knows no std::ranges::istream_view.
struct orders_of_stream {
    std::istream& in;
    std::istream_iterator<order> begin() const { return std::istream_iterator<order>{in}; }
    std::istream_iterator<order> end() const { return {}; }
};

struct next_order {
    int left = 10;
    std::optional<order> operator()() { return left-- > 0 ? std::optional{order{"c", left, 1.0}} : std::nullopt; }
};

void use(tablemap::table<order> const& orders, std::istream& in) {
    std::vector<order> const list{{"a", 1, 2.0}};
    std::array<order, 2> const some{};
    tablemap::bulk_report r = orders.insert_many(list);
    r = orders.insert_many(some);
    r = orders.insert_many(std::span{list}.first(1));
    r = orders.insert_many(std::list<order>{});
    r = orders.upsert_many(orders_of_stream{in});
    r = orders.upsert_many(next_order{}, {.parallel = 2}, {.deadline = tablemap::within(std::chrono::minutes{1})});

    tablemap::bulk_writer writer{orders};
    auto other = std::move(writer);
    writer = std::move(other);
}

int main() {}
