// SPDX-License-Identifier: Apache-2.0
#include "check.hpp"
#include "types.hpp"

#include <tablemap/detail/base/utf.hpp>
#include <tablemap/edm/limits.hpp>
#include <tablemap/edm/names.hpp>

#include <algorithm>

namespace tablemap::codegen {
namespace {

/// The checks of one part that is a member.
class part_check {
public:
    part_check(schema const& s, entity const& e, key_part const& p, index const* of, fault_list& faults)
        : part_(p), index_(of), faults_(faults), property_(require_property(e, p.member, faults)) {
        if (property_ != nullptr) type_ = find_type(s, property_->type.text);
    }

    void run() {
        if (property_ == nullptr || type_.kind == type_kind::unknown) return;
        if (!check_member()) return;
        check_form();
        check_order();
        if (part_.may_be_empty && type_.kind != type_kind::text)
            refuse("only text makes a key empty; leave out \"may_be_empty\"");
        if (part_.generated && type_.kind != type_kind::guid)
            refuse("only a guid can be generated; leave out \"generated\", or add a property of type guid");
        if (index_ != nullptr) check_in_index();
    }

private:
    void refuse(std::string const& why) {
        faults_.add(part_.at, "the part " + in_quotes(part_.member.text) + ": " + why);
    }

    bool check_member() {
        bool const optional = property_->nullable && index_ == nullptr;
        if (optional)
            refuse(
                "a part of a key always has a value; take \"nullable\" from the property, or leave it out of the key");
        else if (property_->encrypted)
            refuse("keys are stored in the open, and an encrypted property must not be; leave it out of the key");
        else if (property_->series)
            refuse("a series is many values, and a part of a key is one; leave it out of the key");
        else if (!type_.fits_key())
            refuse("a key holds a string, a number, a boolean, an enum, a guid, a datetime or a date, and no " +
                   property_->type.text + "; use another property");
        else
            return true;
        return false;
    }

    bool is_number() const {
        return type_.kind == type_kind::integer || (type_.kind == type_kind::enumeration && !type_.by_name());
    }

    void check_form() {
        switch (part_.form) {
        case part_form::width:
            if (!is_number()) return refuse("\"width\" pads numbers, and this is none; leave it out");
            if (part_.low < 1 || part_.low > 20) refuse("\"width\" is 1 to 20 digits; change it");
            if (type_.kind == type_kind::enumeration) check_enum_width();
            return;
        case part_form::range: return check_range();
        case part_form::ordered:
            if (type_.by_name()) refuse_names();
            if (part_.descending) refuse("\"descending\" is an order by itself; leave out \"ordered\"");
            return;
        case part_form::escaped:
            if (type_.kind != type_kind::text) refuse("\"escaped\" is for text; leave it out");
            if (part_.descending) refuse("\"descending\" takes any text as it is; leave out \"escaped\"");
            return;
        case part_form::hashed:
            if (part_.descending) refuse("hashes have no order; leave out \"descending\"");
            return;
        case part_form::spread:
            if (part_.low < 2 || part_.low > 1000) refuse("\"spread\" takes 2 to 1000 buckets; change it");
            if (part_.descending) refuse("buckets have no order; leave out \"descending\"");
            return;
        case part_form::plain:
            if (type_.kind == type_kind::real && !part_.descending)
                refuse("a double has no plain form in a key; add \"ordered\": true or \"descending\": true");
            return;
        }
    }

    void check_enum_width() {
        for (auto const n : enum_numbers(*type_.declared)) {
            if (n < 0) return refuse("\"width\" takes no negative values, and the enum has some; say \"ordered\"");
            if (std::to_string(n).size() > static_cast<std::size_t>(std::max<std::int64_t>(part_.low, 0)))
                return refuse("\"width\" has too few digits for the enum's greatest value; make it wider");
        }
    }

    void check_range() {
        if (type_.kind != type_kind::integer)
            return refuse("\"range\" is for whole numbers, and this is none; leave it out");
        if (part_.low > part_.high) return refuse("\"range\" goes from the lowest value to the highest; swap them");
        if (part_.low < 0) return refuse("\"range\" is for values that are not negative; say \"ordered\" for all");
        if (static_cast<std::uint64_t>(part_.high) > type_.high)
            refuse("its type does not hold the whole of \"range\"; say what it holds");
    }

    void refuse_names() {
        refuse("an enum by name sorts by its names and not by its values; store it by_number, or leave out the order");
    }

    void check_order() {
        if (part_.descending && part_.form == part_form::plain && type_.by_name()) refuse_names();
    }

    void check_in_index() {
        bool const open = type_.kind == type_kind::text && part_.form == part_form::plain && !part_.descending;
        if (!index_->unique && open)
            refuse(
                "text in an index that is not unique is followed by the row key; add \"escaped\": true, so that every "
                "value fits");
        if (!index_->unique && is_number() && part_.form == part_form::plain && !part_.descending)
            refuse(
                "an index that is not unique gives entities in the order of its values, in which this number does not "
                "sort, 10 before 9; add a \"width\", or \"ordered\": true");
        if (part_.form == part_form::spread)
            refuse("an index lies in the partition of its entities and has no buckets; leave out \"spread\"");
        if (part_.generated) refuse("an index gets its values from the entity; leave out \"generated\"");
        if (part_.also_stored) refuse("what is stored, the entity's own keys say; leave out \"also_stored\"");
        if (property_->ignored)
            refuse("the property is ignored, so the store does not tell which row an entity has; leave it out, or "
                   "store it");
    }

    key_part const& part_;
    index const* index_;
    fault_list& faults_;
    property const* property_;
    type_info type_{};
};

/// True if only the text after it shows the end of a part's text.
bool is_open(schema const& s, entity const& e, key_part const& p) {
    auto const* const property = find_property(e, p.member.text);
    if (property == nullptr || p.form != part_form::plain || p.descending) return false;
    auto const kind = find_type(s, property->type.text).kind;
    auto const declared = find_type(s, property->type.text).declared;
    return kind == type_kind::text || kind == type_kind::integer || declared != nullptr;
}

/// A name in a key ends where the text after it begins, so no name may contain that text.
void check_part_names(schema const& s, entity const& e, key const& k, index const* of, fault_list& faults) {
    for (std::size_t i = 0; i < k.parts.size(); ++i) {
        auto const& p = k.parts[i];
        auto const* const property =
            p.is_literal() || p.form != part_form::plain ? nullptr : find_property(e, p.member.text);
        auto const* const named = property == nullptr ? nullptr : find_enum(s, property->type.text);
        if (named == nullptr || !named->by_name) continue;
        // An index's own parts are followed by "_" and the row key.
        bool const last = i + 1 == k.parts.size();
        auto const end = !last ? k.parts[i + 1].literal : of != nullptr && !of->unique ? "_" : "";
        for (auto const& v : named->values) {
            auto const& stored = v.text();
            if (tablemap::detail::find_forbidden_in_key(stored) != std::string_view::npos)
                faults.add(p.at, "the part " + in_quotes(p.member.text) + ": " + in_quotes(v.id.text) +
                                     " is stored as " + in_quotes(stored) +
                                     ", and a key may not hold / \\ # ? or control characters; "
                                     "store another text, or add \"hashed\": true");
            if (!end.empty() && stored.find(end) != std::string::npos)
                faults.add(
                    p.at, "the part " + in_quotes(p.member.text) + ": " + in_quotes(stored) + " holds " +
                              in_quotes(end) +
                              ", the text that follows, so the key could not be read back; let another text follow, or "
                              "store the enum by_number");
        }
    }
}

void check_readable(entity const& e, key const& k, fault_list& faults) {
    for (auto const& p : k.parts) {
        if (p.is_literal() || (p.form != part_form::hashed && p.form != part_form::spread)) continue;
        bool recovered = false;
        for (auto const* each : {&e.partition_key, &e.row_key})
            for (auto const& o : each->parts) {
                bool const readable = o.form != part_form::hashed && o.form != part_form::spread;
                recovered = recovered || (o.member.text == p.member.text && (readable || o.also_stored));
            }
        if (!recovered)
            faults.add(p.at,
                       "the part " + in_quotes(p.member.text) + ": a " +
                           (p.form == part_form::hashed ? "hash" : "bucket") +
                           " cannot be read back, and nothing else holds the property; add \"also_stored\": true, or "
                           "put it into a key in another form too");
    }
}

/// A text that is the name of a property is most likely meant to be its value.
void check_literal(entity const& e, key const& k, key_part const& p, fault_list& faults) {
    if (tablemap::detail::find_forbidden_in_key(p.literal) != std::string_view::npos)
        faults.add(p.at, "a text in a key may not hold / \\ # ? or control characters; change " + in_quotes(p.literal));
    auto const stands = [&](key const& in) {
        return std::any_of(in.parts.begin(), in.parts.end(), [&](auto const& o) { return o.member.text == p.literal; });
    };
    bool const given = stands(k) || stands(e.partition_key) || stands(e.row_key);
    if (!p.literal.empty() && !given && find_property(e, p.literal) != nullptr)
        faults.add(p.at, in_quotes(p.literal) + " stands in every key as this text; write {\"member\": \"" + p.literal +
                             "\"} for the value of the property, or change the text");
}

}  // namespace

bool begin_alike(std::string_view a, std::string_view b) { return a.starts_with(b) || b.starts_with(a); }

std::string leading_text(key const& k) {
    std::string text;
    for (auto const& p : k.parts) {
        if (!p.is_literal()) break;
        text += p.literal;
    }
    return text;
}

void check_key(schema const& s, entity const& e, key const& k, index const* of, fault_list& faults) {
    key_part const* open = nullptr;
    std::size_t units = 0;
    bool too_long = false;
    for (auto const& p : k.parts) {
        if (p.is_literal()) {
            check_literal(e, k, p, faults);
            units += tablemap::detail::utf16_length(p.literal).value_or(0);
            if (units > limits::key_units && !too_long) {
                too_long = true;
                faults.add(p.at, "a key has at most 512 characters, and its texts alone have more; shorten them");
            }
            if (!p.literal.empty()) open = nullptr;
            continue;
        }
        if (open != nullptr)
            faults.add(p.at,
                       "the part " + in_quotes(p.member.text) + " follows " + in_quotes(open->member.text) +
                           ", which varies in length, so the key could not be read back; put a text between them, or "
                           "give the first a \"width\", \"ordered\" or \"escaped\"");
        part_check{s, e, p, of, faults}.run();
        open = is_open(s, e, p) ? &p : nullptr;
    }
    check_part_names(s, e, k, of, faults);
}

void check_keys(schema const& s, entity const& e, fault_list& faults) {
    for (auto const* k : {&e.partition_key, &e.row_key}) {
        if (k->parts.empty() && k->at != place{})
            faults.add(k->at, "a key of no parts; write [\"\"] for the empty key, or name what it is made of");
        check_key(s, e, *k, nullptr, faults);
        check_readable(e, *k, faults);
    }
    std::vector<std::string> spread;
    for (auto const& p : e.partition_key.parts) {
        if (p.is_literal() || p.form != part_form::spread) continue;
        if (!spread.empty())
            faults.add(p.at, "a partition key can be spread by one property only; leave out one \"spread\"");
        spread.push_back(p.member.text);
    }
}

}  // namespace tablemap::codegen
