// SPDX-License-Identifier: Apache-2.0
#include "arguments.hpp"
#include "check.hpp"
#include "types.hpp"
#include "vocabulary.hpp"

#include <algorithm>
#include <set>

namespace tablemap::codegen {
namespace {

/// The parameters of a function must differ from each other and from the names in its body.
void check_argument_names(std::vector<argument> const& arguments, std::string const& function, fault_list& faults) {
    auto const& used = names_within_functions();
    std::set<std::string> taken;
    for (auto const& a : arguments)
        if (used.contains(a.name) || a.name == "try_" + function)
            faults.add(a.at, "the function " + in_quotes(function) + " cannot have an argument " + in_quotes(a.name) +
                                 ", a name that is used within it; rename the property or the parameter");
        else if (!taken.insert(a.name).second)
            faults.add(a.at, "the function has two arguments " + in_quotes(a.name) + "; rename one of them");
}

/// The checks of one access pattern.
class access_check {
public:
    access_check(schema const& s, entity const& e, access const& a, fault_list& faults)
        : schema_(s), entity_(e), access_(a), faults_(faults) {}

    void run() {
        check_identifier(access_.id, "an access pattern", faults_);
        if (!find_rows()) return;
        if (access_.kind == access_kind::query) check_rows();
        for (auto const& c : access_.where) check_condition(c);
        check_select();
        check_response();
        if (rows_fit_) check_arguments();
    }

private:
    /// Finds the index, if one is named. False if there is none of that name.
    bool find_rows() {
        if (access_.index.empty()) return access_.kind != access_kind::find_by;
        by_ = find_index(entity_, access_.index.text);
        if (by_ == nullptr) {
            word_list known;
            for (auto const& i : entity_.indexes) known.push_back(i.id.text);
            faults_.add(access_.index.at, in_quotes(entity_.id.text) + " has no index " +
                                              in_quotes(access_.index.text) + suggestion(access_.index.text, known));
        } else if (access_.kind == access_kind::find_by && !by_->unique) {
            faults_.add(access_.index.at, "'find_by' finds one entity, and several may have one value in " +
                                              in_quotes(access_.index.text) +
                                              ", which is not unique; say \"query\": {\"index\": \"" +
                                              access_.index.text + "\"}");
        }
        return by_ != nullptr;
    }

    /// The parts of the keys of the rows that are read.
    std::vector<key_part> parts() const {
        if (by_ == nullptr) return entity_.row_key.parts;
        auto all = by_->key.parts;
        if (by_->unique) return all;
        all.push_back({.literal = "_"});
        all.insert(all.end(), entity_.row_key.parts.begin(), entity_.row_key.parts.end());
        return all;
    }

    void check_rows() {
        auto const members = row_members(entity_, by_);
        auto const most = static_cast<std::int64_t>(members.size());
        // Numbers that are far too large are not counted further.
        auto const named = std::min(access_.leading, most + 1) + (access_.rows == row_choice::all ? 0 : 1);
        if (access_.leading < 0 || named > most) {
            rows_fit_ = false;
            faults_.add(access_.rows_at, "this names " + std::to_string(named) + " members of the " +
                                             (by_ == nullptr ? "row key" : "index's key") + ", which has " +
                                             std::to_string(most) + "; name fewer");
        } else if (is_scattered(members, static_cast<std::size_t>(named))) {
            faults_.add(access_.rows_at, "the rows are spread over buckets before " +
                                             in_quotes(members[static_cast<std::size_t>(named) - 1]) +
                                             " in the key, so no one range holds them; put \"spread\" into the "
                                             "partition key, or its member before it");
        } else if (access_.rows != row_choice::all) {
            check_bound(members[static_cast<std::size_t>(access_.leading)]);
        }
    }

    /// True if a bucket that the leading members do not determine stands before the last of `count` members.
    bool is_scattered(std::vector<std::string> const& members, std::size_t count) const {
        std::size_t met = 0;
        for (auto const& p : parts()) {
            if (met == count) return false;
            if (p.is_literal()) continue;
            auto const it = std::find(members.begin(), members.end(), p.member.text);
            auto const at = static_cast<std::size_t>(it - members.begin());
            if (p.form != part_form::spread)
                met = std::max(met, at + 1);
            else if (at >= static_cast<std::size_t>(access_.leading))
                return true;
        }
        return false;
    }

    void check_bound(std::string const& member) {
        auto const all = parts();
        auto const at = std::find_if(all.begin(), all.end(), [&](auto const& p) { return p.member.text == member; });
        auto const* const property = find_property(entity_, member);
        if (at == all.end() || property == nullptr) return;
        auto const type = find_type(schema_, property->type.text);
        bool const text = type.kind == type_kind::text;
        bool const plain = at->form == part_form::plain;
        if (access_.rows == row_choice::prefix) {
            if (!text || at->descending || (!plain && at->form != part_form::escaped))
                faults_.add(access_.rows_at,
                            "only text begins with text, and " + in_quotes(member) +
                                " does not stand as text in the key; say \"range\", or \"leading\" for a whole value");
            return;
        }
        bool const last = at + 1 == all.end();
        bool const fixed = type.kind == type_kind::guid || type.kind == type_kind::time || type.kind == type_kind::flag;
        bool const sorts = at->form != part_form::hashed && at->form != part_form::spread &&
                           (!plain || at->descending || fixed || (text && last));
        if (!sorts)
            faults_.add(access_.rows_at,
                        in_quotes(member) +
                            " does not sort in the key as its values do, so a range of it means nothing; give its part "
                            "a \"width\", \"ordered\" or, for text, \"escaped\"");
    }

    bool is_held(std::string const& member) const {
        if (by_ == nullptr || !by_->include) return true;
        for (auto const& n : *by_->include)
            if (n.text == member) return true;
        auto const own = given_members(by_->key);
        auto const keys = key_members(entity_);
        return std::find(own.begin(), own.end(), member) != own.end() ||
               std::find(keys.begin(), keys.end(), member) != keys.end();
    }

    void check_held(name const& n) {
        if (!is_held(n.text))
            faults_.add(n.at, "the rows of the index do not hold " + in_quotes(n.text) +
                                  "; add it to \"include\" of the index");
    }

    void check_condition(condition const& c) {
        auto const* const p = require_property(entity_, c.member, faults_);
        if (p == nullptr) return;
        auto const type = find_type(schema_, p->type.text);
        if (type.kind == type_kind::unknown) return;
        auto const refuse = [&](std::string const& why) {
            faults_.add(c.member.at, "a condition on " + in_quotes(c.member.text) + ": " + why);
        };
        if (is_in_key_alone(entity_, p->id.text))
            return refuse("it is stored in the key alone; choose rows by \"rows\" and \"leading\", or add "
                          "\"also_stored\": true to its part of the key");
        if (p->ignored) return refuse("it is ignored, so there is no property to compare; store it, or leave it out");
        if (p->series || !type.fits_filter())
            return refuse("the service does not compare it as one value; compare another property");
        if (p->encrypted && !p->blind_index)
            return refuse(
                "the service cannot compare what is encrypted; give it a \"blind_index\" and ask with \"==\"");
        check_held(c.member);
        check_comparison(c, type, p->encrypted);
        check_value(c, type);
    }

    void check_comparison(condition const& c, type_info const& type, bool is_encrypted) {
        auto const& op = c.comparison;
        if (is_encrypted && !op.text.empty() && op.text != "==")
            return faults_.add(op.at, "a blind index finds equal values alone; compare " + in_quotes(c.member.text) +
                                          " by ==");
        if (op.text == "starts_with" && type.kind != type_kind::text)
            faults_.add(op.at,
                        "only text starts with text, and " + in_quotes(c.member.text) + " is none; compare it by ==");
        bool const order = op.text.starts_with('<') || op.text.starts_with('>');
        if (order && !type.has_order)
            faults_.add(op.at, "what is stored of " + in_quotes(c.member.text) +
                                   " has no order that the service knows; compare it by == or !=");
    }

    void check_value(condition const& c, type_info const& type) {
        if (!c.parameter.empty()) check_identifier(c.parameter, "an argument", faults_);
        if (!c.value) return;
        std::string expected;
        if (!cpp_literal(type, c.value->what, expected).empty()) return;
        if (expected.empty())
            faults_.add(c.value->at, "there are no literals of the type of " + in_quotes(c.member.text) +
                                         "; compare it with a \"parameter\"");
        else
            faults_.add(c.value->at, "found " + describe(c.value->what) + " where a value of " +
                                         in_quotes(c.member.text) + ", " + expected + " is expected");
    }

    void check_select() {
        std::set<std::string> named;
        for (auto const& n : access_.select) {
            auto const* const p = require_property(entity_, n, faults_);
            if (p != nullptr && p->ignored)
                faults_.add(n.at, in_quotes(n.text) + " is ignored, so there is nothing of it to read; leave it out");
            if (p != nullptr && p->type.text == "extras")
                faults_.add(n.at,
                            "the columns of extras are not known beforehand; leave it out, or read whole entities");
            if (p != nullptr) check_held(n);
            if (!named.insert(n.text).second)
                faults_.add(n.at, in_quotes(n.text) + " is selected twice; remove one of them");
        }
    }

    void check_response() {
        auto const refuse = [&](std::string const& why) { faults_.add(access_.answer_at, why); };
        auto const answer = access_.answer;
        if (!access_.select.empty() && answer != response_form::rows && answer != response_form::first)
            return refuse("only rows are made of selected properties; leave out \"select\" or \"returns\"");
        bool const whole = access_.select.empty() && (answer == response_form::rows || answer == response_form::first);
        if (whole && access_.kind == access_kind::query && by_ != nullptr && by_->include)
            return refuse("the rows of the index hold some properties only, so no whole entity comes out of them; add "
                          "\"select\", or take \"include\" from the index");
        if (answer == response_form::latest) check_latest();
    }

    void check_latest() {
        auto const& a = access_;
        bool const plain = a.kind == access_kind::query && by_ == nullptr && a.where.empty() &&
                           a.rows == row_choice::all && a.leading == 0;
        if (!plain) {
            faults_.add(a.answer_at, "\"latest\" returns the newest entities of a partition, of all rows; leave out "
                                     "the rest of the query, or return \"rows\"");
            return;
        }
        auto const& parts = entity_.row_key.parts;
        auto const first = std::find_if(parts.begin(), parts.end(), [](auto const& p) { return !p.is_literal(); });
        auto const* const p = first == parts.end() ? nullptr : find_property(entity_, first->member.text);
        bool const time = p != nullptr && find_type(schema_, p->type.text).kind == type_kind::time &&
                          first->descending && first->form == part_form::plain;
        if (!time) {
            faults_.add(a.answer_at, "the newest rows come first only if the row key begins with a datetime that is "
                                     "\"descending\"; begin it so, or return \"rows\"");
            return;
        }
        auto const partition = given_members(entity_.partition_key);
        auto const rows = given_members(entity_.row_key);
        bool const tells = std::any_of(rows.begin() + 1, rows.end(), [&](auto const& m) {
            return std::find(partition.begin(), partition.end(), m) == partition.end();
        });
        if (!tells)
            faults_.add(a.answer_at, "two entities of one time would have one row key; add a part that tells them "
                                     "apart, such as a guid that is \"generated\"");
    }

    void check_arguments() { check_argument_names(list_arguments(entity_, access_).all(), access_.id.text, faults_); }

    schema const& schema_;
    entity const& entity_;
    access const& access_;
    fault_list& faults_;
    index const* by_ = nullptr;
    bool rows_fit_ = true;
};

}  // namespace

std::set<std::string> const& names_within_functions() {
    static std::set<std::string> const used{"o",          "value_type", "table_", "rows_",  "selection_",
                                            "partition_", "select_",    "range_", "answer_"};
    return used;
}

void check_access(schema const& s, entity const& e, fault_list& faults) {
    std::set<std::string> taken{"find", "try_find", "table", "table_", "value_type", e.id.text + "_repository"};
    std::vector<argument> found_by;
    for (auto const& m : key_members(e))
        if (auto const* const p = find_property(e, m)) found_by.push_back({m, m, p->id.at});
    check_argument_names(found_by, "find", faults);
    for (auto const& a : e.access) {
        for (auto const& id : {a.id.text, "try_" + a.id.text})
            if (!taken.insert(id).second) {
                faults.add(a.id.at, "the repository has a member " + in_quotes(id) + " already; choose another name");
                break;
            }
        access_check{s, e, a, faults}.run();
    }
}

}  // namespace tablemap::codegen
