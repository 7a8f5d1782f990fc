// SPDX-License-Identifier: Apache-2.0
#include "decode_by_hand.hpp"

#include <simdjson.h>

#include <charconv>
#include <cstring>
#include <limits>

namespace bench {
namespace {

namespace ondemand = simdjson::ondemand;

ondemand::parser& parser() {
    thread_local ondemand::parser p;
    return p;
}

simdjson::simdjson_result<ondemand::document> open(std::string& json) {
    json.reserve(json.size() + simdjson::SIMDJSON_PADDING);
    return parser().iterate(json.data(), json.size(), json.capacity());
}

// ---- values ---------------------------------------------------------------------------------------------------------

template <class Integer> bool read_digits(std::string_view text, Integer& to) {
    auto const* const last = text.data() + text.size();
    auto const [end, e] = std::from_chars(text.data(), last, to);
    return e == std::errc{} && end == last;
}

bool read_row_key(std::string_view text, std::int32_t& id) {
    constexpr std::string_view prefix = "empid_";
    if (!text.starts_with(prefix)) return false;
    text.remove_prefix(prefix.size());
    return text.size() == 6 && text[0] != '-' && read_digits(text, id);
}

/// `YYYY-MM-DDThh:mm:ss[.f{1,7}]Z`
bool read_time(std::string_view s, tablemap::ticks& to) {
    if (s.size() < 20 || s.size() > 28 || s.size() == 21) return false;
    if (s[4] != '-' || s[7] != '-' || s[10] != 'T' || s[13] != ':' || s[16] != ':' || s.back() != 'Z') return false;
    bool good = true;
    auto number = [&](std::size_t from, std::size_t count) {
        int n = 0;
        for (std::size_t i = from; i < from + count; ++i) {
            good = good && s[i] >= '0' && s[i] <= '9';
            n = n * 10 + (s[i] - '0');
        }
        return n;
    };
    using namespace std::chrono;
    year_month_day const date{year{number(0, 4)}, month{static_cast<unsigned>(number(5, 2))},
                              day{static_cast<unsigned>(number(8, 2))}};
    int const hour = number(11, 2), minute = number(14, 2), second = number(17, 2);
    std::int64_t fraction = 0;
    if (s.size() > 20) {
        auto const digits = s.size() - 21;
        fraction = number(20, digits);
        for (std::size_t i = digits; i < 7; ++i) fraction *= 10;
        good = good && s[19] == '.';
    }
    if (!good || !date.ok() || hour > 23 || minute > 59 || second > 59) return false;
    to = tablemap::ticks{sys_days{date}} +
         tablemap::tick_duration{((hour * 60 + minute) * 60 + second) * std::int64_t{10'000'000} + fraction};
    return true;
}

bool take(ondemand::value& v, std::string& to) {
    std::string_view text;
    if (v.get_string().get(text)) return false;
    to = text;
    return true;
}

bool take(ondemand::value& v, std::int32_t& to) {
    std::int64_t n = 0;
    if (v.get_int64().get(n)) return false;
    using limits = std::numeric_limits<std::int32_t>;
    to = static_cast<std::int32_t>(n);
    return n >= limits::min() && n <= limits::max();
}

bool take(ondemand::value& v, std::int64_t& to) {
    std::string_view text;
    return !v.get_string().get(text) && read_digits(text, to);
}

bool take(ondemand::value& v, double& to) { return !v.get_double().get(to); }
bool take(ondemand::value& v, bool& to) { return !v.get_bool().get(to); }

bool take(ondemand::value& v, tablemap::ticks& to) {
    std::string_view text;
    return !v.get_string().get(text) && read_time(text, to);
}

bool take(ondemand::value& v, tablemap::etag& to) {
    std::string_view text;
    if (v.get_string().get(text)) return false;
    to = tablemap::etag{std::string{text}};
    return true;
}

/// Null is absent.
template <class T> bool take(ondemand::value& v, std::optional<T>& to) {
    bool null = false;
    if (v.is_null().get(null)) return false;
    if (!null) return take(v, to.emplace());
    to.reset();
    return true;
}

bool take_row_key(ondemand::value& v, std::int32_t& to) {
    std::string_view text;
    return !v.get_string().get(text) && read_row_key(text, to);
}

// ---- inline ---------------------------------------------------------------------------------------------------------

bool take_property(ondemand::value& v, std::string_view name, stored_employee& e) {
    auto& to = e.value;
    auto const is = [&](char const* other) { return std::memcmp(name.data(), other, name.size()) == 0; };
    switch (name.size()) {
    case 3: return is("age") ? take(v, to.age) : true;
    case 4: return is("last") ? take(v, to.last) : is("city") ? take(v, to.city) : true;
    case 5:
        switch (name[0]) {
        case 'f': return is("first") ? take(v, to.first) : true;
        case 'e': return is("email") ? take(v, to.email) : true;
        case 'p': return is("phone") ? take(v, to.phone) : true;
        case 'n': return is("notes") ? take(v, to.notes) : true;
        case 'l': return is("level") ? take(v, to.level) : true;
        case 't': return is("total") ? take(v, to.total) : true;
        case 's': return is("score") ? take(v, to.score) : true;
        case 'h': return is("hired") ? take(v, to.hired) : true;
        default: return true;
        }
    case 6: return is("RowKey") ? take_row_key(v, to.id) : is("active") ? take(v, to.active) : true;
    case 7: return is("balance") ? take(v, to.balance) : true;
    case 9: return is("Timestamp") ? take(v, e.timestamp) : true;
    case 10: return is("odata.etag") ? take(v, e.etag) : true;
    case 12: return is("PartitionKey") ? take(v, to.department) : true;
    default: return true;
    }
}

bool take_property(ondemand::value& v, std::string_view name, stored_contact& c) {
    auto& to = c.value;
    auto const is = [&](char const* other) { return std::memcmp(name.data(), other, name.size()) == 0; };
    switch (name.size()) {
    case 3: return is("met") ? take(v, to.met) : is("fax") ? take(v, to.fax) : true;
    case 4: return is("name") ? take(v, to.name) : is("town") ? take(v, to.town) : true;
    case 6: return is("RowKey") ? take(v, to.mail) : is("street") ? take(v, to.street) : true;
    case 7: return is("company") ? take(v, to.company) : true;
    case 9: return is("Timestamp") ? take(v, c.timestamp) : true;
    case 10: return is("odata.etag") ? take(v, c.etag) : true;
    case 12: return is("PartitionKey") ? take(v, to.country) : true;
    default: return true;
    }
}

// ---- by a table -----------------------------------------------------------------------------------------------------

template <class T> struct column {
    std::string_view name;
    bool (*take)(ondemand::value&, tablemap::entity<T>&);
};

template <class T> bool take_etag(ondemand::value& v, tablemap::entity<T>& e) { return take(v, e.etag); }
template <class T> bool take_timestamp(ondemand::value& v, tablemap::entity<T>& e) { return take(v, e.timestamp); }
template <auto Member, class T> bool take_member(ondemand::value& v, tablemap::entity<T>& e) {
    return take(v, e.value.*Member);
}

template <class T> struct columns;

template <> struct columns<employee> {
    static constexpr column<employee> list[] = {
        {"odata.etag", take_etag},
        {"PartitionKey", take_member<&employee::department>},
        {"RowKey", [](ondemand::value& v, stored_employee& e) { return take_row_key(v, e.value.id); }},
        {"Timestamp", take_timestamp},
        {"first", take_member<&employee::first>},
        {"last", take_member<&employee::last>},
        {"email", take_member<&employee::email>},
        {"phone", take_member<&employee::phone>},
        {"city", take_member<&employee::city>},
        {"notes", take_member<&employee::notes>},
        {"age", take_member<&employee::age>},
        {"level", take_member<&employee::level>},
        {"balance", take_member<&employee::balance>},
        {"total", take_member<&employee::total>},
        {"score", take_member<&employee::score>},
        {"active", take_member<&employee::active>},
        {"hired", take_member<&employee::hired>},
    };
};

template <> struct columns<contact> {
    static constexpr column<contact> list[] = {
        {"odata.etag", take_etag},
        {"PartitionKey", take_member<&contact::country>},
        {"RowKey", take_member<&contact::mail>},
        {"Timestamp", take_timestamp},
        {"name", take_member<&contact::name>},
        {"company", take_member<&contact::company>},
        {"street", take_member<&contact::street>},
        {"town", take_member<&contact::town>},
        {"fax", take_member<&contact::fax>},
        {"met", take_member<&contact::met>},
    };
};

/// Columns mostly come in the table's order: the search begins behind the last one found.
template <class T> class column_finder {
public:
    column<T> const* find(std::string_view name) {
        constexpr auto count = std::size(columns<T>::list);
        for (std::size_t tried = 0; tried < count; ++tried) {
            auto const& c = columns<T>::list[next_];
            next_ = next_ + 1 == count ? 0 : next_ + 1;
            if (c.name == name) return &c;
        }
        return nullptr;
    }

private:
    std::size_t next_ = 0;
};

constexpr bool is_annotation(std::string_view name) { return name.size() > 11 && name.ends_with("@odata.type"); }

// ---- the loops ------------------------------------------------------------------------------------------------------

/// `take_one(value, name)` takes one property.
template <class TakeOne> bool read_object(ondemand::object& object, TakeOne take_one) {
    for (auto member : object) {
        ondemand::field f;
        std::string_view name;
        if (std::move(member).get(f) || f.unescaped_key().get(name)) return false;
        if (!take_one(f.value(), name)) return false;
    }
    return true;
}

template <class T, class ReadOne> bool read_page(std::string& json, std::vector<T>& out, ReadOne read_one) {
    ondemand::document document;
    ondemand::array entities;
    if (open(json).get(document) || document["value"].get_array().get(entities)) return false;
    for (auto element : entities) {
        ondemand::object object;
        if (element.get_object().get(object) || !read_one(object, out.emplace_back())) return false;
    }
    return true;
}

template <class T> bool read_inline(ondemand::object& object, tablemap::entity<T>& e) {
    return read_object(object, [&](ondemand::value& v, std::string_view name) { return take_property(v, name, e); });
}

template <class T> bool read_entity_inline(std::string& json, tablemap::entity<T>& out) {
    ondemand::document document;
    ondemand::object object;
    return !open(json).get(document) && !document.get_object().get(object) && read_inline(object, out);
}

template <class T> bool read_by_table(ondemand::object& object, tablemap::entity<T>& e) {
    column_finder<T> columns_of_row;
    return read_object(object, [&](ondemand::value& v, std::string_view name) {
        if (is_annotation(name)) return true;
        auto const* const c = columns_of_row.find(name);
        return !c || c->take(v, e);
    });
}

}  // namespace

bool decode_page_inline(std::string& json, std::vector<stored_employee>& out) {
    return read_page(json, out, read_inline<employee>);
}
bool decode_page_inline(std::string& json, std::vector<stored_contact>& out) {
    return read_page(json, out, read_inline<contact>);
}

bool decode_entity_inline(std::string& json, stored_employee& out) { return read_entity_inline(json, out); }
bool decode_entity_inline(std::string& json, stored_contact& out) { return read_entity_inline(json, out); }

bool decode_page_by_table(std::string& json, std::vector<stored_employee>& out) {
    return read_page(json, out, read_by_table<employee>);
}
bool decode_page_by_table(std::string& json, std::vector<stored_contact>& out) {
    return read_page(json, out, read_by_table<contact>);
}

}  // namespace bench
