// SPDX-License-Identifier: Apache-2.0
#include "json_tree.hpp"

#include "json_syntax.hpp"

#include <simdjson.h>

#include <algorithm>
#include <charconv>
#include <unordered_set>
#include <utility>

namespace tablemap::codegen {
namespace {

namespace ondemand = simdjson::ondemand;

/// Turns offsets into lines and columns.
class line_index {
public:
    explicit line_index(std::string_view text) : text_(text) {
        for (std::size_t i = 0; i < text.size(); ++i)
            if (text[i] == '\n') begins_.push_back(i + 1);
    }

    place find(std::size_t offset) const {
        offset = std::min(offset, text_.size());
        auto const next = std::upper_bound(begins_.begin(), begins_.end(), offset);
        auto const begin = *(next - 1);
        // Most places come in order, and a schema may be one long line.
        if (counted_to_ < begin || counted_to_ > offset) counted_to_ = begin, characters_ = 0;
        characters_ += characters_in(text_.substr(counted_to_, offset - counted_to_));
        counted_to_ = offset;
        return {static_cast<std::size_t>(next - begins_.begin()), characters_ + 1};
    }

private:
    static std::size_t characters_in(std::string_view text) {
        return static_cast<std::size_t>(std::count_if(
            text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
    }

    std::string_view text_;
    std::vector<std::size_t> begins_{0};
    mutable std::size_t counted_to_ = 0;  ///< the offset up to which `characters_` counts in its line
    mutable std::size_t characters_ = 0;
};

/// Reads text that is known to be JSON: the only fault left is a number beyond all bounds.
class reader {
public:
    reader(simdjson::padded_string const& json, line_index const& lines, fault_list& faults)
        : json_(json), lines_(lines), faults_(faults) {}

    std::optional<json_node> read() {
        ondemand::parser parser;
        ondemand::document document;
        auto e = parser.iterate(json_).get(document);
        // A document is no value of its own: as a value it can be read like any other.
        json_node root;
        bool scalar = false;
        if (e == simdjson::SUCCESS) e = document.is_scalar().get(scalar);
        if (e == simdjson::SUCCESS && scalar) {
            e = read_scalar(document, root);
        } else if (e == simdjson::SUCCESS) {
            ondemand::value value;
            e = document.get_value().get(value);
            if (e == simdjson::SUCCESS) e = read_value(value, root);
        }
        if (e == simdjson::SUCCESS) return root;
        faults_.add(lines_.find(last_),
                    std::string{"this cannot be read ("} + simdjson::error_message(e) + "); change it");
        return std::nullopt;
    }

private:
    std::size_t offset_of(std::string_view token) const {
        return static_cast<std::size_t>(token.data() - json_.data());
    }

    /// `v` is a value or a whole document.
    template <class V> simdjson::error_code read_scalar(V& v, json_node& out) {
        std::string_view token;
        if (auto const e = simdjson::simdjson_result<std::string_view>(v.raw_json_token()).get(token)) return e;
        last_ = offset_of(token);
        out.at = lines_.find(last_);
        ondemand::json_type type{};
        if (auto const e = v.type().get(type)) return e;
        switch (type) {
        case ondemand::json_type::string: {
            std::string_view text;
            if (auto const e = v.get_string().get(text)) return e;
            out.value = std::string{text};
            return simdjson::SUCCESS;
        }
        case ondemand::json_type::boolean: {
            bool flag = false;
            if (auto const e = v.get_bool().get(flag)) return e;
            out.value = flag;
            return simdjson::SUCCESS;
        }
        case ondemand::json_type::number: return read_number(v, token, out);
        default: {
            bool null = false;
            if (auto const e = v.is_null().get(null)) return e;
            return null ? simdjson::SUCCESS : simdjson::N_ATOM_ERROR;
        }
        }
    }

    template <class V> static simdjson::error_code read_number(V& v, std::string_view token, json_node& out) {
        while (!token.empty() && std::string_view{" \t\r\n"}.find(token.back()) != std::string_view::npos)
            token.remove_suffix(1);
        out.text = token;
        std::int64_t number = 0;
        if (auto const [end, e] = std::from_chars(token.data(), token.data() + token.size(), number);
            e == std::errc{} && end == token.data() + token.size() && v.get_int64().error() == simdjson::SUCCESS) {
            out.value = number;
            return simdjson::SUCCESS;
        }
        double real = 0;
        auto const e = v.get_double().get(real);
        out.value = real;
        return e;
    }

    simdjson::error_code read_value(ondemand::value v, json_node& out) {
        ondemand::json_type type{};
        if (auto const e = v.type().get(type)) return e;
        if (type == ondemand::json_type::array) return read_array(v, out);
        if (type == ondemand::json_type::object) return read_object(v, out);
        return read_scalar(v, out);
    }

    void begin(ondemand::value& v, json_node& out) {
        char const* where = nullptr;
        if (v.current_location().get(where) == simdjson::SUCCESS)
            last_ = static_cast<std::size_t>(where - json_.data());
        out.at = lines_.find(last_);
    }

    simdjson::error_code read_array(ondemand::value& v, json_node& out) {
        begin(v, out);
        ondemand::array elements;
        if (auto const e = v.get_array().get(elements)) return e;
        json_node::array all;
        for (auto element : elements) {
            ondemand::value each;
            if (auto const e = element.get(each)) return e;
            if (auto const e = read_value(each, all.emplace_back())) return e;
        }
        out.value = std::move(all);
        return simdjson::SUCCESS;
    }

    simdjson::error_code read_object(ondemand::value& v, json_node& out) {
        begin(v, out);
        ondemand::object members;
        if (auto const e = v.get_object().get(members)) return e;
        json_node::object all;
        std::unordered_set<std::string> known;
        for (auto member : members) {
            ondemand::field field;
            if (auto const e = std::move(member).get(field)) return e;
            json_member m;
            last_ = static_cast<std::size_t>(field.key().raw() - json_.data()) - 1;
            m.at = lines_.find(last_);
            std::string_view key;
            if (auto const e = field.unescaped_key().get(key)) return e;
            m.key = key;
            if (auto const e = read_value(field.value(), m.value)) return e;
            if (known.insert(m.key).second)
                all.push_back(std::move(m));
            else
                faults_.add(m.at, in_quotes(m.key) + " stands twice in this object; remove one of them");
        }
        out.value = std::move(all);
        return simdjson::SUCCESS;
    }

    simdjson::padded_string const& json_;
    line_index const& lines_;
    fault_list& faults_;
    std::size_t last_ = 0;  ///< the start of the last token
};

}  // namespace

json_node::json_node() = default;
json_node::json_node(json_node const&) = default;
json_node::json_node(json_node&&) noexcept = default;
json_node& json_node::operator=(json_node const&) = default;
json_node& json_node::operator=(json_node&&) noexcept = default;
json_node::~json_node() = default;

bool json_node::is_beyond_int64() const noexcept {
    return as<double>() != nullptr && text.find_first_not_of("-0123456789") == std::string::npos;
}

std::string json_node::describe() const {
    if (auto const* s = as<std::string>()) return "the text " + in_quotes(*s);
    if (auto const* b = as<bool>()) return *b ? "true" : "false";
    if (as<std::int64_t>() != nullptr || as<double>() != nullptr) return "the number " + text.substr(0, 40);
    if (as<array>() != nullptr) return "an array";
    if (as<object>() != nullptr) return "an object";
    return "null";
}

std::optional<json_node> read_json(std::string_view text, fault_list& faults) {
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
    line_index const lines{text};
    if (auto fault = find_syntax_fault(text)) {
        faults.add(lines.find(fault->offset), std::move(fault->text));
        return std::nullopt;
    }
    simdjson::padded_string const json{text};
    return reader{json, lines, faults}.read();
}

}  // namespace tablemap::codegen
