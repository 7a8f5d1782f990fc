// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/wire/reader.hpp"

#include "tablemap/detail/wire/json_value.hpp"
#include "tablemap/edm/names.hpp"
#include "wire/service_error.hpp"

// Without its exceptions a conversion that could throw does not compile: all errors here are values.
#define SIMDJSON_EXCEPTIONS 0
#include <simdjson.h>

#include <algorithm>
#include <charconv>

namespace tablemap::inline v0_1::detail {
namespace {

namespace ondemand = simdjson::ondemand;

constexpr std::string_view annotation_suffix = "@odata.type";
constexpr std::string_view metadata_prefix = "odata.";
constexpr std::string_view etag_name = "odata.etag";

error malformed(std::string reason) { return error{library_errc::malformed_response, {.reason = std::move(reason)}}; }

std::string message_of(simdjson::error_code e) {
    std::string text = simdjson::error_message(e);
    while (text.ends_with('.')) text.pop_back();
    return text;
}

error malformed(simdjson::error_code e) { return malformed(message_of(e)); }

ondemand::parser& thread_parser() {
    thread_local ondemand::parser parser;
    return parser;
}

constexpr bool is_space(char c) noexcept { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/// True for a number by the grammar of JSON (RFC 8259, section 6); from_chars accepts more.
bool is_json_number(std::string_view text) noexcept {
    auto const take_digits = [&] {
        std::size_t n = 0;
        while (n < text.size() && text[n] >= '0' && text[n] <= '9') ++n;
        text.remove_prefix(n);
        return n;
    };
    if (text.starts_with('-')) text.remove_prefix(1);
    bool const zero = text.starts_with('0');
    if (auto const n = take_digits(); n == 0 || (zero && n > 1)) return false;
    if (text.starts_with('.')) {
        text.remove_prefix(1);
        if (take_digits() == 0) return false;
    }
    if (text.starts_with('e') || text.starts_with('E')) {
        text.remove_prefix(1);
        if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
        if (take_digits() == 0) return false;
    }
    return text.empty();
}

std::string_view without_trailing_space(std::string_view text) noexcept {
    while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
    return text;
}

/// An integer if it is written as one and 64 bits hold it, otherwise a double. It is not left to simdjson, whose
/// version 3.0.1 reads numbers of more than 19 digits wrongly, and without an error.
[[gnu::always_inline]] inline simdjson::error_code read_number(ondemand::value& v, json_token& t) {
    if (!v.get_int64().get(t.integer)) {
        t.kind = json_token_kind::integer;
        return simdjson::SUCCESS;
    }
    std::string_view const text = without_trailing_space(v.raw_json_token());
    t.kind = json_token_kind::real;
    auto const* const last = text.data() + text.size();
    if (!is_json_number(text)) return simdjson::NUMBER_ERROR;
    auto const [end, e] = std::from_chars(text.data(), last, t.real);
    return e == std::errc{} && end == last ? simdjson::SUCCESS : simdjson::NUMBER_ERROR;
}

simdjson::error_code read_null(ondemand::value& v) {
    bool is_null = false;
    if (auto const e = v.is_null().get(is_null)) return e;
    return is_null ? simdjson::SUCCESS : simdjson::N_ATOM_ERROR;
}

// Inlined by force: a call for each property of an entity costs a third of reading it.
[[gnu::always_inline]] inline simdjson::error_code read_token(ondemand::value& v, json_token& t, bool& is_null) {
    ondemand::json_type type;
    if (auto const e = v.type().get(type)) return e;
    switch (type) {
    case ondemand::json_type::string: t.kind = json_token_kind::text; return v.get_string().get(t.text);
    case ondemand::json_type::number: return read_number(v, t);
    case ondemand::json_type::boolean: t.kind = json_token_kind::boolean; return v.get_bool().get(t.boolean);
    case ondemand::json_type::null: is_null = true; return read_null(v);
    default: return simdjson::INCORRECT_TYPE;
    }
}

/// False with `sink.failure` set if the object cannot be read.
bool read_object(ondemand::object& object, entity_sink& sink) {
    auto bad = [&](simdjson::error_code e) {
        sink.failure = malformed(e);
        return false;
    };
    auto const too_many = [&] {
        sink.failure = malformed("a row has more than " + std::to_string(most_properties_read) + " properties");
        return false;
    };
    if (!sink.begin()) return false;
    std::size_t properties = 0, annotations = 0;
    for (auto member : object) {
        ondemand::field field;
        if (auto const e = std::move(member).get(field)) return bad(e);
        std::string_view name;
        if (auto const e = field.unescaped_key().get(name)) return bad(e);
        ondemand::value value = field.value();
        if (name.size() > annotation_suffix.size() && name.ends_with(annotation_suffix)) {
            if (!sink.wants_annotations) continue;
            std::string_view type;
            if (auto const e = value.get_string().get(type)) return bad(e);
            if (++annotations > most_properties_read) return too_many();
            name.remove_suffix(annotation_suffix.size());
            if (!sink.annotation(name, type)) return false;
            continue;
        }
        if (name.starts_with(metadata_prefix) && name != etag_name) continue;
        json_token t;
        bool is_null = false;
        if (auto const e = read_token(value, t, is_null)) return bad(e);
        if (is_null) continue;
        if (++properties > most_properties_read) return too_many();
        if (!sink.property(name, t)) return false;
    }
    return sink.end();
}

simdjson::error_code open(std::string& json, ondemand::document& document) {
    json.reserve(json.size() + simdjson::SIMDJSON_PADDING);
    return thread_parser().iterate(json.data(), json.size(), json.capacity()).get(document);
}

bool at_end(ondemand::document& document) { return document.current_location().error() == simdjson::OUT_OF_BOUNDS; }

/// Reads values of any shape that lie within an array.
class tree_reader {
public:
    explicit tree_reader(ondemand::document& document) noexcept : document_(document) {}

    simdjson::error_code read(ondemand::value v, json_value& to, std::size_t depth) {
        ondemand::json_type type;
        if (auto const e = v.type().get(type)) return e;
        to.source = without_trailing_space(v.raw_json_token());
        switch (type) {
        case ondemand::json_type::array: return depth < deepest_json ? read_array(v, to, depth) : simdjson::DEPTH_ERROR;
        case ondemand::json_type::object:
            return depth < deepest_json ? read_object(v, to, depth) : simdjson::DEPTH_ERROR;
        default: return read_scalar(v, to);
        }
    }

    /// True if an object had two members of one name.
    bool has_duplicate() const noexcept { return has_duplicate_; }

private:
    static simdjson::error_code read_scalar(ondemand::value& v, json_value& to) {
        json_token t;
        bool is_null = false;
        if (auto const e = read_token(v, t, is_null)) return e;
        if (is_null) return simdjson::SUCCESS;
        to.boolean = t.boolean, to.integer = t.integer, to.real = t.real;
        switch (t.kind) {
        case json_token_kind::text: to.kind = json_kind::text, to.text = t.text; break;
        case json_token_kind::integer: to.kind = json_kind::integer; break;
        case json_token_kind::boolean: to.kind = json_kind::boolean; break;
        case json_token_kind::real:
            to.kind = json_kind::real;
            if (to.source.find_first_of(".eE") == std::string_view::npos) to.text = to.source;
        }
        return simdjson::SUCCESS;
    }

    simdjson::error_code read_array(ondemand::value& v, json_value& to, std::size_t depth) {
        to.kind = json_kind::array;
        ondemand::array array;
        if (auto const e = v.get_array().get(array)) return e;
        for (auto element : array) {
            if (auto const e = element.error()) return e;
            auto& value = element.value_unsafe();
            if (auto const e = read(value, to.items.emplace_back(), depth + 1)) return e;
        }
        return read_end(to);
    }

    simdjson::error_code read_object(ondemand::value& v, json_value& to, std::size_t depth) {
        to.kind = json_kind::object;
        ondemand::object object;
        if (auto const e = v.get_object().get(object)) return e;
        for (auto member : object) {
            ondemand::field field;
            if (auto const e = std::move(member).get(field)) return e;
            std::string_view name;
            if (auto const e = field.unescaped_key().get(name)) return e;
            to.names.emplace_back(name);
            if (auto const e = read(field.value(), to.items.emplace_back(), depth + 1)) return e;
        }
        std::vector<std::string_view> sorted(to.names.begin(), to.names.end());
        std::sort(sorted.begin(), sorted.end());
        has_duplicate_ |= std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end();
        return read_end(to);
    }

    /// Sets the source of an array or object, from its first token to the token after it.
    simdjson::error_code read_end(json_value& to) {
        char const* next = nullptr;
        if (auto const e = document_.current_location().get(next)) return e;
        char const* const first = to.source.data();
        to.source = without_trailing_space({first, static_cast<std::size_t>(next - first)});
        return simdjson::SUCCESS;
    }

    ondemand::document& document_;
    bool has_duplicate_ = false;
};

/// Makes the views of a tree refer to the original text, not to its copy.
void rebase(json_value& v, char const* copy, char const* original) noexcept {
    v.source = {original + (v.source.data() - copy), v.source.size()};
    for (auto& item : v.items) rebase(item, copy, original);
}

failure no_json(std::string reason) { return fail(library_errc::type_mismatch, {.reason = std::move(reason)}); }

failure no_json(simdjson::error_code e) {
    if (e == simdjson::DEPTH_ERROR) return no_json("JSON of more than 64 levels");
    return no_json("the text is not JSON: " + message_of(e));
}

failure give_up(entity_sink& sink) { return failure{std::move(*sink.failure)}; }

}  // namespace

std::optional<service_message> read_json_error(std::string& json) {
    ondemand::document document;
    ondemand::object object;
    std::string_view text;
    service_message said;
    if (open(json, document)) return std::nullopt;
    if (document["odata.error"].get_object().get(object)) return std::nullopt;
    if (object["code"].get_string().get(text)) return std::nullopt;
    said.code = text;
    ondemand::value message;
    if (object["message"].get(message)) return said;
    if (!message.get_string().get(text) || !message["value"].get_string().get(text)) said.text = text;
    return said;
}

std::optional<keys_in_row> read_keys(std::string& json) {
    ondemand::document document;
    ondemand::object object;
    if (open(json, document) || document.get_object().get(object)) return std::nullopt;
    // False for text that is no JSON: the object must not be asked again then.
    auto const read = [&](std::string_view name, std::optional<std::string_view>& to) {
        ondemand::value value;
        std::string_view text;
        auto e = object.find_field_unordered(name).get(value);
        if (!e) e = value.get_string().get(text);
        if (!e) to = text;
        return !e || e == simdjson::NO_SUCH_FIELD || e == simdjson::INCORRECT_TYPE;
    };
    keys_in_row keys;
    if (!read(partition_key_name, keys.partition_key) || !read(row_key_name, keys.row_key)) return std::nullopt;
    return keys;
}

error rows_not_asked_for() {
    return malformed(
        "the page has rows that were not asked for, so none of it was used; look for a proxy, a cache or a "
        "store that mixes up its responses");
}

entity_sink::entity_sink() = default;
entity_sink::~entity_sink() = default;

bool entity_sink::annotation(std::string_view, std::string_view) { return true; }

bool entity_sink::stop(error const& e) {
    failure = e;
    return false;
}

result<void> read_entity(std::string& json, entity_sink& sink) {
    ondemand::document document;
    ondemand::object object;
    if (auto const e = open(json, document)) return failure{malformed(e)};
    if (auto const e = document.get_object().get(object)) return failure{malformed(e)};
    if (!read_object(object, sink)) return give_up(sink);
    if (!at_end(document)) return failure{malformed("there is text after the entity")};
    return {};
}

result<std::size_t> read_page(std::string& json, entity_sink& sink) {
    ondemand::document document;
    ondemand::object top;
    if (auto const e = open(json, document)) return failure{malformed(e)};
    if (auto const e = document.get_object().get(top)) return failure{malformed(e)};
    std::optional<std::size_t> count;
    for (auto member : top) {
        ondemand::field field;
        if (auto const e = std::move(member).get(field)) return failure{malformed(e)};
        std::string_view name;
        if (auto const e = field.unescaped_key().get(name)) return failure{malformed(e)};
        if (name != "value") continue;
        if (count) return failure{malformed("the page has two lists of entities")};
        ondemand::array entities;
        if (auto const e = field.value().get_array().get(entities)) return failure{malformed(e)};
        count = 0;
        for (auto element : entities) {
            ondemand::object object;
            if (auto const e = element.get_object().get(object)) return failure{malformed(e)};
            if (!read_object(object, sink)) return give_up(sink);
            ++*count;
        }
    }
    if (!count) return failure{malformed("the page has no list of entities")};
    if (!at_end(document)) return failure{malformed("there is text after the page")};
    return *count;
}

result<json_value> parse_json(std::string_view text) {
    // Another parser than the entities': they may be half read. An array around the value spares the special paths that
    // simdjson has for a document which is a single number or text.
    thread_local ondemand::parser parser;
    std::string copy;
    copy.reserve(text.size() + 2 + simdjson::SIMDJSON_PADDING);
    copy.append("[").append(text).append("]");
    ondemand::document document;
    ondemand::array array;
    if (auto const e = parser.iterate(copy.data(), copy.size(), copy.capacity()).get(document)) return no_json(e);
    if (auto const e = document.get_array().get(array)) return no_json(e);
    json_value root;
    tree_reader reader{document};
    std::size_t count = 0;
    for (auto element : array) {
        if (auto const e = element.error()) return no_json(e);
        if (++count > 1) break;
        if (auto const e = reader.read(element.value_unsafe(), root, 0)) return no_json(e);
    }
    if (count == 0) return no_json("the text is empty, which is not JSON");
    if (count > 1 || !at_end(document)) return no_json("there is text after the JSON value");
    if (reader.has_duplicate()) return no_json("an object of the JSON has two members of one name");
    rebase(root, copy.data() + 1, text.data());
    return root;
}

}  // namespace tablemap::detail
