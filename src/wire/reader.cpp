// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/wire/reader.hpp"

#include "base/ascii.hpp"
#include "base/short_text.hpp"
#include "edm/etag_at.hpp"
#include "tablemap/detail/wire/json_value.hpp"
#include "tablemap/edm/limits.hpp"
#include "tablemap/edm/names.hpp"
#include "wire/json_scanner.hpp"
#include "wire/packed_rows.hpp"
#include "wire/service_error.hpp"

// Without its exceptions a conversion that could throw does not compile: all errors here are values.
#define SIMDJSON_EXCEPTIONS 0
#include <simdjson.h>

#include <algorithm>

namespace tablemap::inline v0_1::detail {
namespace {

namespace ondemand = simdjson::ondemand;

constexpr std::string_view annotation_suffix = "@odata.type";
constexpr std::string_view metadata_prefix = "odata.";
constexpr std::string_view etag_name = "odata.etag";
constexpr char const* bad_row = "a row in the response of the store is cut off or damaged";

error malformed(std::string reason) { return error{library_errc::malformed_response, {.reason = std::move(reason)}}; }

std::string message_of(simdjson::error_code e) {
    std::string text = simdjson::error_message(e);
    while (text.ends_with('.')) text.pop_back();
    return text;
}

ondemand::parser& thread_parser() {
    thread_local ondemand::parser parser;
    return parser;
}

/// An integer if it is written as one and 64 bits hold it, otherwise a double. It is not left to simdjson, whose
/// version 3.0.1 reads numbers of more than 19 digits wrongly, and without an error.
[[gnu::always_inline]] inline simdjson::error_code read_number(ondemand::value& v, json_token& t) {
    if (!v.get_int64().get(t.integer)) {
        t.kind = json_token_kind::integer;
        return simdjson::SUCCESS;
    }
    std::string_view const text = trimmed(v.raw_json_token());
    t.kind = json_token_kind::real;
    return read_json_real(text, t.real) ? simdjson::SUCCESS : simdjson::NUMBER_ERROR;
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

[[gnu::always_inline]] inline bool is_annotation(std::string_view name) noexcept {
    auto const suffix = annotation_suffix.size();
    return name.size() > suffix && same_short_text({name.data() + name.size() - suffix, suffix}, annotation_suffix);
}

/// Reads entities into a sink. What returns false has set the fault of the text, or the failure of the sink.
class entity_reader {
public:
    entity_reader(std::string const& json, entity_sink& sink) noexcept : in_(json), sink_(sink) {}

    bool read_entity() {
        in_.forget_texts();
        properties_ = annotations_ = 0;
        if (!in_.expect('{') || !sink_.begin()) return false;
        return (in_.take('}') || (read_members() && in_.expect('}'))) && sink_.end();
    }

    /// Counts the entities of a page.
    bool read_page(std::optional<std::size_t>& count) {
        std::string_view name;
        if (!in_.expect('{')) return false;
        if (in_.take('}')) return true;
        do {
            if (!in_.read_text(name) || !in_.expect(':')) return false;
            if (!(name == "value" ? read_list(count) : in_.skip_value())) return false;
            in_.forget_texts();
        } while (in_.take(','));
        return in_.expect('}');
    }

    /// Counts the rows of a packed page.
    bool read_packed_page(packed_reader& rows, std::size_t& count) {
        auto const bytes = rows.bytes_left();
        while (rows.bytes_left() > 0) {
            if (!read_packed_row(rows)) return false;
            if (++count == 1) expect_more(rows.bytes_left(), bytes - rows.bytes_left());
        }
        return true;
    }

    bool read_packed_row(packed_reader& rows) {
        in_.forget_texts();
        properties_ = annotations_ = 0;
        auto const row = rows.next();
        if (!row) return fail(bad_row);
        if (!sink_.begin() || !read_heading(row->heading)) return false;
        in_.go_to(row->properties);
        if (in_.take(',') && !read_members()) return false;
        return in_.is_at_end() ? sink_.end() : fail(bad_row);
    }

    bool is_at_end() noexcept { return in_.is_at_end(); }

    failure why() const { return failure{sink_.failure ? *sink_.failure : malformed(fault_ ? fault_ : in_.fault())}; }

private:
    bool read_list(std::optional<std::size_t>& count) {
        if (count) return refuse("the page has two lists of entities");
        count = 0;
        if (!in_.expect('[')) return false;
        if (in_.take(']')) return true;
        auto const bytes = in_.bytes_left();
        do {
            if (!read_entity()) return false;
            if (++*count == 1) expect_more(in_.bytes_left(), bytes - in_.bytes_left());
        } while (in_.take(','));
        return in_.expect(']');
    }

    /// With an eighth to spare: a sink with room for one entity too few would move all of them.
    void expect_more(std::size_t bytes_left, std::size_t bytes_of_first) {
        auto const more = bytes_left / bytes_of_first;
        sink_.expect(std::min(more + more / 8, limits::page_entities));
    }

    bool read_heading(row_heading const& h) {
        if (sink_.take_heading(h)) return true;
        ticks_text const time{h.stamp};
        time_ = time.view();
        etag_ = etag_at(time).text();
        auto const text = [&](std::string_view name, std::string_view value) {
            return sink_.property(name, {.kind = json_token_kind::text, .text = value});
        };
        return text(etag_name, etag_) && text(partition_key_name, h.partition_key) && text(row_key_name, h.row_key) &&
               text(timestamp_name, time_);
    }

    bool read_members() {
        std::string_view name;
        do {
            if (!in_.read_text(name, sink_.probable_name) || !in_.expect(':') || !read_member(name)) return false;
        } while (in_.take(','));
        return true;
    }

    bool read_member(std::string_view name) {
        if (is_annotation(name)) return read_annotation(name);
        if (name.starts_with(metadata_prefix) && name != etag_name) return in_.skip_value();
        json_token value;
        bool is_null = false;
        if (!in_.read_scalar(value, is_null)) return refuse_value_of(name);
        if (is_null) return true;
        return ++properties_ > most_properties_read ? refuse_many() : sink_.property(name, value);
    }

    bool read_annotation(std::string_view name) {
        if (!sink_.wants_annotations) return in_.skip_value();
        std::string_view type;
        if (!in_.read_text(type)) return refuse_value_of(name);
        name.remove_suffix(annotation_suffix.size());
        return ++annotations_ > most_properties_read ? refuse_many() : sink_.annotation(name, type);
    }

    /// Fails by a fault of the text, as the scanner does.
    bool fail(char const* reason) noexcept {
        fault_ = reason;
        return false;
    }
    bool refuse(std::string reason) {
        sink_.failure = malformed(std::move(reason));
        return false;
    }
    bool refuse_value_of(std::string_view name) {
        sink_.failure = malformed(in_.fault()).at(name);
        return false;
    }
    bool refuse_many() { return refuse("a row has more than " + std::to_string(most_properties_read) + " properties"); }

    json_scanner in_;
    entity_sink& sink_;
    std::size_t properties_ = 0, annotations_ = 0;
    std::string etag_, time_;  ///< of a packed row whose sink takes them as properties
    char const* fault_ = nullptr;
};

/// Reads the keys of an entity, and nothing after the second one.
class key_finder {
public:
    explicit key_finder(std::string const& json) noexcept : in_(json) {}

    keys_in_row found{};

    /// False for text that is no JSON.
    bool find() {
        if (!in_.expect('{')) return false;
        if (in_.take('}')) return true;
        do {
            if (!read_member()) return false;
            if (found.partition_key && found.row_key) return true;
        } while (in_.take(','));
        return in_.expect('}');
    }

private:
    bool read_member() {
        thread_local std::string partition_key, row_key;
        std::string_view name;
        if (!in_.read_text(name) || !in_.expect(':')) return false;
        if (name == partition_key_name) return read_key(found.partition_key, partition_key);
        if (name == row_key_name) return read_key(found.row_key, row_key);
        return in_.is_next('"') ? in_.pass_text() : in_.skip_value();
    }

    bool read_key(std::optional<std::string_view>& to, std::string& kept) {
        if (to || !in_.is_next('"')) return in_.skip_value();
        std::string_view text;
        if (!in_.read_text(text)) return false;
        to = kept = text;
        return true;
    }

    json_scanner in_;
};

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
        to.source = trimmed(v.raw_json_token());
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
        to.source = trimmed({first, static_cast<std::size_t>(next - first)});
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
    if (are_packed(json)) {
        auto const row = packed_reader{json}.next();
        return row ? std::optional{keys_in_row{row->heading.partition_key, row->heading.row_key}} : std::nullopt;
    }
    key_finder finder{json};
    return finder.find() ? std::optional{finder.found} : std::nullopt;
}

error rows_not_asked_for() {
    return malformed(
        "the page has rows that were not asked for, so none of it was used; look for a proxy, a cache or a "
        "store that mixes up its responses");
}

entity_sink::entity_sink() = default;
entity_sink::~entity_sink() = default;

bool entity_sink::take_heading(row_heading const&) { return false; }

bool entity_sink::annotation(std::string_view, std::string_view) { return true; }

void entity_sink::expect(std::size_t) {}

bool entity_sink::stop(error const& e) {
    failure = e;
    return false;
}

namespace {

result<void> read_packed_entity(packed_reader row, entity_reader& reader) {
    if (!reader.read_packed_row(row)) return reader.why();
    if (row.bytes_left() > 0) return failure{malformed("there is another row behind the entity")};
    return {};
}

result<std::size_t> read_packed_page(packed_reader rows, entity_reader& reader) {
    std::size_t count = 0;
    if (!reader.read_packed_page(rows, count)) return reader.why();
    return count;
}

}  // namespace

result<void> read_entity(std::string& json, entity_sink& sink) {
    entity_reader reader{json, sink};
    if (are_packed(json)) return read_packed_entity(packed_reader{json}, reader);
    if (!reader.read_entity()) return reader.why();
    if (!reader.is_at_end()) return failure{malformed("there is text after the entity")};
    return {};
}

result<std::size_t> read_page(std::string& json, entity_sink& sink) {
    entity_reader reader{json, sink};
    if (are_packed(json)) return read_packed_page(packed_reader{json}, reader);
    std::optional<std::size_t> count;
    if (!reader.read_page(count)) return reader.why();
    if (!count) return failure{malformed("the page has no list of entities")};
    if (!reader.is_at_end()) return failure{malformed("there is text after the page")};
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
