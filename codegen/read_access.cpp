// SPDX-License-Identifier: Apache-2.0
#include "front_end.hpp"

#include <algorithm>
#include <utility>

namespace tablemap::codegen {
namespace {

template <class Enum> using choices = std::vector<std::pair<std::string_view, Enum>>;

/// The choice of a word of the vocabulary; without a word the first. Precondition: there is one.
template <class Enum> Enum pick(std::string const& word, choices<Enum> const& all) {
    auto const it = std::find_if(all.begin(), all.end(), [&](auto const& c) { return c.first == word; });
    return it == all.end() ? all.front().second : it->second;
}

choices<row_choice> const& rows() {
    static choices<row_choice> const all{{"all", row_choice::all},
                                         {"range", row_choice::range},
                                         {"between", row_choice::between},
                                         {"prefix", row_choice::prefix}};
    return all;
}

choices<response_form> const& answers() {
    static choices<response_form> const all{{"rows", response_form::rows},
                                            {"first", response_form::first},
                                            {"count", response_form::count},
                                            {"exists", response_form::exists},
                                            {"latest", response_form::latest}};
    return all;
}

condition read_condition(json_node const& node, fault_list& faults) {
    object_reader const object{node, words().condition, faults};
    condition c;
    c.at = node.at;
    object.require("member", "\"member\", the property that is compared");
    c.member = object.name("member");
    object.require("op", "\"op\", " + listed(words().comparisons, "or"));
    c.comparison = {object.word("op", words().comparisons), object.find("op") ? object.find("op")->at : place{}};
    c.parameter = object.name("parameter");
    if (auto const* const fixed = object.find("value")) c.value = read_literal(*fixed, faults);
    if (object.is_object() && (object.find("parameter") == nullptr) == (object.find("value") == nullptr))
        faults.add(c.at,
                   "a condition compares with one of 'parameter', the name of an argument, and 'value'; give one");
    return c;
}

void read_query(json_node const& node, access& a, fault_list& faults) {
    object_reader const object{node, a.kind == access_kind::scan ? words().scan : words().query, faults};
    if (a.kind == access_kind::query) {
        a.index = object.name("index");
        a.rows = pick(object.word("rows", words().rows), rows());
        a.leading = object.number("leading").value_or(0);
        auto const* const said = object.find("leading") ? object.find("leading") : object.find("rows");
        a.rows_at = said != nullptr ? said->at : node.at;
        if (a.leading < 0) {
            faults.add(a.rows_at, "'leading' is how many members of the row key are arguments, 0 or more; change it");
            a.leading = 0;
        }
    }
    if (auto const* const where = object.find("where"))
        for (auto const& c : read_array(*where, "'where', an array of conditions,", faults))
            a.where.push_back(read_condition(c, faults));
    a.select = object.names("select");
    if (auto const* const select = object.find("select"))
        if (auto const* const list = select->as<json_node::array>(); list != nullptr && list->empty())
            faults.add(select->at, "no property is selected; name some, or leave out \"select\" for whole entities");
    a.answer = pick(object.word("returns", words().returns), answers());
    a.answer_at = object.find("returns") ? object.find("returns")->at : node.at;
    if (a.kind == access_kind::scan && a.answer == response_form::latest) {
        faults.add(a.answer_at,
                   "the newest entities are those of one partition, and a scan reads all; make it a query");
        a.answer = response_form::rows;
    }
}

}  // namespace

access read_access(json_member const& from, fault_list& faults) {
    object_reader const object{from.value, words().access, faults};
    access a;
    a.id = {from.key, from.at};
    a.description = object.text("description");
    std::vector<std::string_view> kinds;
    for (std::string_view const kind : {"find_by", "query", "scan"})
        if (object.find(kind) != nullptr) kinds.push_back(kind);
    if (object.is_object() && kinds.size() != 1) {
        faults.add(object.at(), "an access pattern is one of find_by, query and scan, and this one is " +
                                    (kinds.empty() ? std::string{"none"} : listed(kinds)) + "; give one");
    }
    if (kinds.empty()) return a;
    if (kinds.front() == "find_by") {
        a.kind = access_kind::find_by;
        a.index = object.name("find_by");
    } else {
        a.kind = kinds.front() == "scan" ? access_kind::scan : access_kind::query;
        read_query(*object.find(kinds.front()), a, faults);
    }
    return a;
}

}  // namespace tablemap::codegen
