// SPDX-License-Identifier: Apache-2.0
#include "mapping/row_reader.hpp"

#include "base/short_text.hpp"
#include "edm/etag_at.hpp"
#include "mapping/known_columns.hpp"
#include "tablemap/detail/wire/writer.hpp"
#include "tablemap/edm/names.hpp"
#include "wire/dynamic_sink.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr std::array<std::string_view, 4> system_names{"odata.etag", partition_key_name, row_key_name, timestamp_name};

/// The service's name of a stored type; other names come from no store and are not repeated.
std::string_view known_type(std::string_view name) {
    auto const t = edm_type_from_name(name);
    return t ? edm_name(*t) : std::string_view{"a type unknown to the service"};
}

constexpr char const* unencrypted =
    "the member is encrypted<...>, and what is stored is not; open the store with keys if the value is encrypted, else "
    "write the rows anew, or upgrade them by a version whose upgrade function calls encrypt(\"...\") on the row";

std::string_view type_of_token(json_token const& t) { return edm_name(guess_type(t)); }

/// The columns of the type that a reader has read last. The thread keeps them for its next reader, so that a single row
/// costs no preparation either.
template <class Place> struct known_columns {
    row_type const* type = nullptr;
    std::uint64_t age = 0;
    bool partial = false;
    std::vector<Place> places{};
    column_set required{}, typed{};
};

std::atomic<std::uint64_t> current_age{0};

/// A destructor of a static object may read rows when those of the thread have run. Nothing destroys this.
thread_local constinit bool are_columns_destroyed = false;

template <class Place> struct kept_columns {
    known_columns<Place> known{};
    kept_columns() = default;
    kept_columns(kept_columns const&) = delete;
    kept_columns& operator=(kept_columns const&) = delete;
    ~kept_columns() { are_columns_destroyed = true; }
};

/// Null at the end of the thread.
template <class Place> known_columns<Place>* known_to_thread() noexcept {
    if (are_columns_destroyed) return nullptr;
    thread_local kept_columns<Place> kept;
    return &kept.known;
}

}  // namespace

void forget_columns() noexcept { ++current_age; }

row_reader::row_reader(static_list<row_type const*> types, reading const& how)
    : types_(types),
      tag_(types.front()->discriminator.property),
      decides_(types.size() > 1 || (!tag_.empty() && types.front()->version > 1)),
      buffers_(how.cipher != nullptr),
      how_(how) {
    wants_annotations = true;
    auto* const known = known_to_thread<place>();
    if (!known) return;
    if (known->partial == how_.partial && known->age == current_age.load()) follows_ = known->type;
    places_ = std::move(known->places);
    required_ = known->required, typed_ = known->typed;
    known->type = nullptr;
}

row_reader::~row_reader() {
    if (auto* const known = known_to_thread<place>())
        *known = {follows_, current_age.load(), how_.partial, std::move(places_), required_, typed_};
}

// ---- the type of a row ---------------------------------------------------------------------------------------------

bool row_reader::begin() {
    seen_.reset(), annotated_.reset(), texts_.reset();
    partition_key_.reset(), row_key_.reset();
    unknown_.clear(), unknown_names_.clear(), faults_.clear(), events_.clear(), made_.clear();
    old_ = {};
    undecided_ = decides_;
    type_ = nullptr;
    if (!decides_ && !buffers_) use(0);
    return true;
}

/// Takes note of the column that came last.
[[gnu::always_inline]] inline void row_reader::move_to(std::size_t at) noexcept {
    last_ = at;
    probable_name = places_[places_[at].follower].name;
}

void row_reader::use(std::size_t alternative) {
    type_ = types_[alternative];
    type_->fill(to_.emplace(to_.holder, alternative), slots_, true);
    if (!type_->maps.empty()) filled_.reset();
    if (follows_ != type_) learn();
    move_to(places_.size() - 1);
}

/// Prepares for rows of another type than the last one.
void row_reader::learn() {
    follows_ = nullptr;  // until all is there, should memory run out
    places_.clear();
    required_.reset(), typed_.reset();
    for (auto const name : system_names) places_.push_back({.name = name});
    for (std::size_t i = 0; i < type_->columns.size(); ++i) {
        auto const& c = type_->columns[i];
        required_.set(i, (c.required && !how_.partial) || type_->needs(c));
        typed_.set(i, needs_annotation(c.ops->type));
        places_.push_back({.name = type_->name_of(c), .type = c.read ? edm_name(c.ops->type) : std::string_view{}});
    }
    // Before the first row: declaration order, which the service's responses have for rows that tablemap wrote.
    for (std::size_t i = 0; i < places_.size(); ++i) places_[i].follower = static_cast<std::uint16_t>(i + 1);
    places_.back().follower = 0;
    places_.push_back({});
    follows_ = type_;
}

// ---- the path of every property ------------------------------------------------------------------------------------

// Inlined by force, since calls would cost as much as the work.

/// The column of a name, the number of columns if it has none. Tries the one first that came after the last column
/// before.
[[gnu::always_inline]] inline std::size_t row_reader::find_next(std::string_view name) const noexcept {
    std::size_t const at = places_[last_].follower;
    return same_short_text(places_[at].name, name) ? at : find(name);
}

[[gnu::always_inline]] inline void row_reader::take_inline(std::string_view name, json_token const& value) {
    auto const at = find_next(name);
    if (at == places_.size() - 1) {
        auto& u = unknown(name);
        if (u.has_value) return report(library_errc::malformed_response, name, "it comes twice");
        u.has_value = true;
        u.value = value;
        u.opened = opened_ || is_opened(name);
        return;
    }
    places_[last_].follower = static_cast<std::uint16_t>(at);
    move_to(at);
    if (at < system_columns) return take_system(at, value);
    auto const i = at - system_columns;
    auto const& c = type_->columns[i];
    if (seen_[i]) return report(library_errc::malformed_response, name, "it comes twice");
    seen_[i] = true;
    if (!c.direct && !may_take(c, value)) return;
    if (value.kind == json_token_kind::text) texts_[i] = true;
    if (!c.ops->read(slots_[c.slot], value, fault_)) [[unlikely]]
        mismatch(c, type_of_token(value), std::exchange(fault_, {}));
}

void row_reader::take(std::string_view name, json_token const& value) { take_inline(name, value); }

bool row_reader::take_heading(row_heading const& heading) {
    if (!type_) return false;
    *to_.etag = etag_at(ticks_text{heading.stamp});
    *to_.timestamp = heading.stamp;
    partition_key_ = heading.partition_key;
    row_key_ = heading.row_key;
    move_to(timestamp_column);
    return true;
}

bool row_reader::property(std::string_view name, json_token const& value) {
    if (type_) [[likely]] {
        take_inline(name, value);
        return true;
    }
    events_.push_back({.name = name, .value = value});
    if (buffers_ || !undecided_ || value.kind != json_token_kind::text || name != (tag_.empty() ? row_key_name : tag_))
        return true;
    undecided_ = false;
    if (tag_.empty())
        choose_by_row_key(value.text);
    else
        choose_by_property(value.text);
    return true;
}

bool row_reader::annotation(std::string_view name, std::string_view type) {
    if (type_)
        take_annotation(name, type);
    else
        events_.push_back({.name = name, .type = type, .is_annotation = true});
    return true;
}

// ---- columns --------------------------------------------------------------------------------------------------------

std::size_t row_reader::find(std::string_view name) const noexcept {
    auto const columns = places_.size() - 1;
    for (std::size_t i = 0; i < columns; ++i)
        if (same_short_text(places_[i].name, name)) return i;
    return columns;
}

bool row_reader::is_read(std::string_view name) const noexcept {
    auto const at = find(name);
    if (at < system_columns) return false;
    auto const i = at - system_columns;
    return i < type_->columns.size() ? type_->columns[i].read : type_->map_of(name) != nullptr;
}

/// Marks a value that cannot be decrypted as present, and reports the fault.
void row_reader::refuse_sealed(std::string_view name, property_fault fault) {
    if (auto const at = find(name); at < places_.size() - 1) seen_.set(at - system_columns);
    faults_.push_back(std::move(fault));
}

/// True if the value of a column is read that cannot be read directly.
bool row_reader::may_take(column const& c, json_token const& value) {
    auto const name = type_->name_of(c);
    if (!c.read) {
        check_written_only(c, value);
        return false;
    }
    if (opened_ || is_opened(name)) return true;
    report(library_errc::unencrypted_value, name, unencrypted);
    return false;
}

/// The discriminator must be that of the type; other columns that are only written are skipped.
void row_reader::check_written_only(column const& c, json_token const& value) {
    if (decides_ || tag_.empty() || &c != &type_->columns.front()) return;
    if (value.kind != json_token_kind::text || value.text != type_->discriminator.type)
        report(library_errc::another_type, tag_, "it names another type; read the row as that, or skip it");
}

void row_reader::take_annotation(std::string_view name, std::string_view type) {
    auto const at = find_next(name);
    if (at < system_columns) return;
    auto const i = at - system_columns;
    if (i == type_->columns.size()) {
        unknown(name).type = type;
        return;
    }
    annotated_[i] = true;
    auto const expected = places_[at].type;
    if (!expected.empty() && !same_short_text(expected, type) && (type_->columns[i].direct || opened_)) [[unlikely]]
        mismatch(type_->columns[i], known_type(type), {library_errc::type_mismatch, {}});
}

void row_reader::take_system(std::size_t at, json_token const& value) {
    if (value.kind != json_token_kind::text)
        return report(library_errc::malformed_response, system_names[at], "it is no text");
    auto const once = [&](std::optional<std::string_view>& key) {
        if (key) report(library_errc::malformed_response, system_names[at], "it comes twice");
        key = value.text;
    };
    if (at == etag_column) {
        *to_.etag = etag{std::string{value.text}};
    } else if (at == partition_key_column) {
        once(partition_key_);
    } else if (at == row_key_column) {
        once(row_key_);
    } else if (!assign(*to_.timestamp, value)) {
        report(library_errc::malformed_response, timestamp_name, "it is no time");
    }
}

row_reader::unknown_column& row_reader::unknown(std::string_view name) {
    auto const number = unknown_names_.insert(name);
    return number < unknown_.size() ? unknown_[number] : unknown_.emplace_back(unknown_column{name});
}

// ---- faults ---------------------------------------------------------------------------------------------------------

void row_reader::report(library_errc code, std::string_view property, std::string reason) {
    faults_.push_back({code, std::string{property}, {}, {}, std::move(reason)});
}

void row_reader::report_again(error const& e) { faults_.push_back({e.code(), e.member(), {}, {}, e.details().reason}); }

/// A value that does not fit its column. The declared type, which may come before or after it, is the better
/// explanation.
void row_reader::mismatch(column const& c, std::string_view found, value_fault fault) {
    auto const name = type_->name_of(c);
    auto const known = std::find_if(faults_.begin(), faults_.end(), [&](auto& f) { return f.property == name; });
    if (known != faults_.end()) {
        if (!known->found.empty() && annotated_[static_cast<std::size_t>(&c - type_->columns.data())] &&
            fault.reason.empty() && known->found != found && known->found == edm_name(edm_type::string))
            known->found = found;
        return;
    }
    property_fault f{fault.code, std::string{name}, {}, {}, std::move(fault.reason)};
    if (f.code == library_errc::type_mismatch && f.reason.empty()) {
        f.expected = edm_name(c.ops->type);
        f.found = found;
        f.reason = "give the member the stored type, or rewrite the rows";
    }
    faults_.push_back(std::move(f));
}

// ---- the end of a row -----------------------------------------------------------------------------------------------

bool row_reader::end() {
    auto fault = finish_row();
    if (!is_asked_for(partition_key_, row_key_)) return stop(rows_not_asked_for());
    if (!fault) return true;
    return is_of_others(*fault) ? pass_row(*fault) : refuse_row(*fault);
}

/// True if a row that cannot be read belongs to another type.
bool row_reader::is_of_others(error const& fault) const {
    if ((!type_ || types_.size() == 1) && is_key_of_index(types_, row_key())) return true;
    if (!partition_key_ || !row_key_) return false;
    return fault.code() == library_errc::another_type ||
           (tag_.empty() && !is_row_of(types_, *partition_key_, *row_key_, {}));
}

/// Nothing if the row was read, else the error with all its faults.
std::optional<error> row_reader::finish_row() {
    if (buffers_) read_buffered();
    if (old_.version != 0 && faults_.empty()) read_upgraded();
    if (undecided_)
        report(library_errc::another_type, tag_.empty() ? row_key_name : tag_,
               "the row lacks it, so its type is not known");
    if (type_) {
        take_unknown_columns();
        check_columns(empty_optional_groups());
        read_keys();
    } else {
        for (auto const& e : events_) {
            if (e.value.kind != json_token_kind::text || e.is_annotation) continue;
            if (e.name == partition_key_name) partition_key_ = e.value.text;
            if (e.name == row_key_name) row_key_ = e.value.text;
        }
    }
    if (faults_.empty()) return std::nullopt;
    explain_legacy();
    // In a row of another type most of the other faults follow from that.
    auto const other =
        std::find_if(faults_.begin(), faults_.end(), [](auto& f) { return f.code == library_errc::another_type; });
    if (other != faults_.end()) std::rotate(faults_.begin(), other, other + 1);
    return row_error(std::move(faults_));
}

/// `needless`: the columns of optional structs that are not there.
void row_reader::check_columns(column_set const& needless) {
    if (!decides_ && !tag_.empty() && !seen_[0])
        report(library_errc::another_type, tag_, "the row lacks it, so its type is not known");
    if (auto const missing = required_ & ~seen_ & ~needless; missing.any())
        for (std::size_t i = 0; i < type_->columns.size(); ++i)
            if (missing[i])
                report(library_errc::missing_property, type_->name_of(type_->columns[i]),
                       "give it to the rows that lack it, or do not require it");
    // Text without an annotation is an Edm.String, however well it would read as a number or a time.
    if (auto const untyped = texts_ & typed_ & ~annotated_; untyped.any())
        for (std::size_t i = 0; i < type_->columns.size(); ++i)
            if (untyped[i]) mismatch(type_->columns[i], edm_name(edm_type::string), {library_errc::type_mismatch, {}});
}

/// Empties optional structs without values and returns their columns. A group within another comes before it.
column_set row_reader::empty_optional_groups() {
    column_set emptied;
    for (auto const& g : type_->groups) {
        bool there = false;
        for (auto i = g.first; i < g.last; ++i) there = there || seen_[i];
        for (auto i = g.first_map; i < g.last_map; ++i) there = there || filled_[type_->maps[i].slot];
        if (there) continue;
        g.reset(slots_[g.slot]);
        for (auto i = g.first; i < g.last; ++i) emptied.set(i);
    }
    return emptied;
}

void row_reader::take_unknown_columns() {
    if (unknown_.empty()) return;
    std::vector<stored_entity> kept;
    dynamic_sink sink{kept};
    sink.begin();
    for (auto const& u : unknown_) {
        if (!u.has_value || u.name == operation_id_property) continue;
        if (auto const* const map = type_->map_of(u.name)) {
            take_map_entry(*map, u);
        } else if (type_->extras_slot != 0) {
            if ((!u.type.empty() && !sink.annotation(u.name, u.type)) || !sink.property(u.name, u.value))
                report_again(*sink.failure);
            else if (u.opened)
                kept.front().encrypt(u.name);
        } else if (type_->unknown == unknown_columns::refused) {
            report(library_errc::unknown_property, u.name,
                   "add a member for it, keep it in a member of type extras, or let unknown columns be ignored");
        }
    }
    if (type_->extras_slot != 0)
        *static_cast<property_bag*>(static_cast<extras*>(slots_[type_->extras_slot])) = std::move(kept.front());
}

void row_reader::take_map_entry(map_column const& m, unknown_column const& u) {
    auto const& element = *m.ops->element;
    auto const stored = !u.type.empty() ? known_type(u.type) : type_of_token(u.value);
    bool const typed = u.type.empty() ? !needs_annotation(element.type) || u.value.kind != json_token_kind::text
                                      : u.type == edm_name(element.type);
    value_fault fault{library_errc::type_mismatch, {}};
    filled_.set(m.slot);
    if (element.how == sealing::sealed && !u.opened)
        return report(library_errc::unencrypted_value, u.name, unencrypted);
    auto* const to = m.ops->insert(slots_[m.slot], u.name.substr(m.text_size));
    if (typed && element.read(to, u.value, fault)) return;
    faults_.push_back({fault.code, std::string{u.name}, {}, {}, fault.reason});
    if (fault.reason.empty()) {
        faults_.back().expected = edm_name(element.type);
        faults_.back().found = stored;
    }
}

/// True for a row without keys: it has another fault.
bool row_reader::is_asked_for(std::optional<std::string_view> partition_key,
                              std::optional<std::string_view> row_key) const noexcept {
    return !partition_key || !row_key || how_.bounds.hold(*partition_key, *row_key);
}

void row_reader::read_keys() {
    if (!partition_key_ || !row_key_) return report(library_errc::malformed_response, {}, "the row lacks a key");
    if (auto r = detail::read_keys(*type_, slots_, *partition_key_, *row_key_); !r) report_again(r.error());
}

result<void> read_row(std::string& json, row_target const& to, static_list<row_type const*> types, reading const& how) {
    one_row_reader sink{to, types, how};
    return read_entity(json, sink);
}

}  // namespace tablemap::detail
