// SPDX-License-Identifier: Apache-2.0
#include "contract/fixture.hpp"
#include "property/filters_random.hpp"

#include "tablemap/filter/odata.hpp"
#include "tablemap/filter/parse.hpp"

#include <algorithm>
#include <array>
#include <compare>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace tablemap::test {
namespace {

using filter::expression;
using op = filter::comparison_operator;

// ---- the model: what a filter means, said once more in another way --------------------------------------------------

/// UTF-16, from valid UTF-8.
std::u16string code_units(std::string_view text) {
    std::u16string out;
    for (std::size_t i = 0; i < text.size();) {
        auto const lead = static_cast<unsigned char>(text[i]);
        unsigned const length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
        char32_t c = length == 1 ? lead : lead & (0xFFu >> (length + 1));
        for (unsigned k = 1; k < length; ++k) c = c << 6 | (static_cast<unsigned char>(text[i + k]) & 0x3F);
        i += length;
        if (c < 0x10000)
            out += static_cast<char16_t>(c);
        else {
            out += static_cast<char16_t>(0xD800 + ((c - 0x10000) >> 10));
            out += static_cast<char16_t>(0xDC00 + (c & 0x3FF));
        }
    }
    return out;
}

/// The operators that hold between a stored value and the one it is compared with.
template <class T> std::vector<op> holding_between(T const& stored, T const& wanted) {
    if (stored < wanted) return {op::ne, op::lt, op::le};
    if (wanted < stored) return {op::ne, op::gt, op::ge};
    if (stored == wanted) return {op::eq, op::le, op::ge};
    return {op::ne};
}

/// Holds every Edm.Int64 and every Edm.Double.
using exact = long double;
static_assert(std::numeric_limits<exact>::digits >= 63);

template <class T>
constexpr bool is_number = std::is_arithmetic_v<std::remove_cvref_t<T>> && !std::is_same_v<T, bool const&>;

std::vector<op> holding(property_value const& stored, property_value const& wanted) {
    return std::visit(
        [](auto const& s, auto const& w) -> std::vector<op> {
            if constexpr (is_number<decltype(s)> && is_number<decltype(w)>)
                return holding_between(static_cast<exact>(s), static_cast<exact>(w));
            else if constexpr (!std::is_same_v<decltype(s), decltype(w)>)
                return {};
            else if constexpr (std::is_same_v<decltype(s), std::string const&>)
                return holding_between(code_units(s), code_units(w));
            else if constexpr (std::is_same_v<decltype(s), guid const&>)
                return holding_between(s.text(), w.text());
            else
                return holding_between(s, w);
        },
        stored, wanted);
}

std::optional<property_value> value_of(dynamic_entity const& row, std::string const& name) {
    if (name == "PartitionKey") return row.partition_key;
    if (name == "RowKey") return row.row_key;
    auto const* v = row.find(name);
    return v ? std::optional{*v} : std::nullopt;
}

bool model_matches(expression const& e, dynamic_entity const& row) {
    struct visitor {
        dynamic_entity const& row;
        bool operator()(filter::comparison const& c) const {
            auto const stored = value_of(row, c.property);
            if (!stored) return false;
            auto const ops = holding(*stored, c.value);
            return std::find(ops.begin(), ops.end(), c.op) != ops.end();
        }
        bool operator()(filter::conjunction const& c) const {
            return static_cast<int>(model_matches(c.left, row)) + static_cast<int>(model_matches(c.right, row)) == 2;
        }
        bool operator()(filter::disjunction const& d) const {
            return static_cast<int>(model_matches(d.left, row)) + static_cast<int>(model_matches(d.right, row)) > 0;
        }
        bool operator()(filter::negation const& n) const { return model_matches(n.operand, row) == false; }
    };
    return e.visit(visitor{row});
}

// ---- rows and filters over them -------------------------------------------------------------------------------------

/// One property for each type, and one that holds any.
constexpr std::array<char const*, 8> names{"S", "B", "I", "L", "D", "T", "G", "X"};
constexpr auto name_of_any = "Any";

constexpr std::array<char const*, 6> keys{"a", "a!", "b", "it's", "\xEF\xBF\xBF", "\xF0\x9F\x98\x80"};

class filtered_stores : public seam {
protected:
    edm_type any_type() { return static_cast<edm_type>(random.below(8)); }
    property_value value(edm_type t) { return common_value(random, t, deviates(deviation::compares_milliseconds)); }
    std::string key() { return keys[random.below(keys.size())]; }

    void put_random_rows() {
        for (auto const* p : keys) {
            std::vector<owned_operation> group;
            for (auto const* r : keys) {
                dynamic_entity e{p, r};
                for (std::size_t i = 0; i < names.size(); ++i)
                    if (random.below(4) > 0) e.set_value(names[i], value(static_cast<edm_type>(i)));
                if (random.below(4) > 0) e.set_value(name_of_any, value(any_type()));
                group.push_back(operation(write_kind::insert, e));
                rows.push_back(std::move(e));
            }
            ASSERT_TRUE(carried_out(table().transact(group)));
        }
    }

    filter::comparison random_comparison() {
        if (random.below(6) == 0) return {random.coin() ? "PartitionKey" : "RowKey", random_operator(random), key()};
        auto const type = any_type();
        auto v = value(type);
        bool const any = !deviates(deviation::compares_within_integer_type) && random.below(3) == 0;
        auto o = random_operator(random);
        bool const by_text = type == edm_type::guid || type == edm_type::binary;
        if (by_text && deviates(deviation::compares_text_of_values)) o = random.coin() ? op::eq : op::ne;
        return {any ? name_of_any : names[static_cast<std::size_t>(type)], o, std::move(v)};
    }

    expression random_filter() {
        return random_expression(random, 4, [this] { return random_comparison(); });
    }

    template <class Matches> std::vector<std::string> keys_where(Matches matches) const {
        std::vector<std::string> found;
        for (auto const& e : rows)
            if (matches(e)) found.push_back(e.partition_key + "/" + e.row_key);
        std::sort(found.begin(), found.end());
        return found;
    }

    std::vector<std::string> found_in_store(expression const& where) {
        auto found = keys_of(table().all({.where = &where}));
        std::sort(found.begin(), found.end());
        return found;
    }

    bool is_remote() const { return deviates(deviation::omits_property_of_error); }

    random_source random;
    std::vector<dynamic_entity> rows;
};
TABLEMAP_ON_EVERY_STORE(filtered_stores);

TEST_P(filtered_stores, find_what_the_filter_means) {
    put_random_rows();
    int const count = is_remote() ? 150 : 1000;
    for (int i = 0; i < count; ++i) {
        auto const e = random_filter();
        std::string text;
        ASSERT_TRUE(filter::append_odata(text, e));
        auto const expected = keys_where([&](auto const& row) { return model_matches(e, row); });
        ASSERT_EQ(keys_where([&](auto const& row) { return filter::matches(e, row); }), expected) << text;
        ASSERT_EQ(found_in_store(e), expected) << text;
        ASSERT_EQ(found_in_store(value_or_throw(filter::parse(text))), expected) << text;
    }
}

}  // namespace
}  // namespace tablemap::test
