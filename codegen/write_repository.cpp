// SPDX-License-Identifier: Apache-2.0
#include "arguments.hpp"
#include "back_end.hpp"
#include "types.hpp"

#include <limits>

namespace tablemap::codegen {
namespace {

constexpr std::string_view class_comment =
    "The ways in which entities of type `{entity}` are read. Every function blocks and comes in two forms: the plain "
    "one throws `tablemap::error`, the one named `try_...` returns a `tablemap::result`. What writes is in `table()`. "
    "Thread safety: all members may be called from any number of threads. Copies are cheap and share the store.";

constexpr std::string_view class_top = R"(class {entity}_repository {
public:
    using value_type = {type};

)";

constexpr std::string_view table_top = R"(
/// The table itself, for writes and other queries.
tablemap::table<value_type> const& table() const noexcept { return table_; }
)";

/// The column at which the statements of member functions begin.
constexpr std::size_t body_column = 8;

/// A function whose two forms differ only in the handling of errors.
struct forms {
    std::string name{};
    std::string returned{};  ///< the return type of the plain form; empty: deduced
    std::vector<std::string> declared{};
    std::vector<std::string> passed{};
    bool by_value = false;          ///< the options must live longer than the call
    code_writer body{body_column};  ///< of the `try_` form

    std::string options() const { return by_value ? "std::move(o)" : "o"; }
};

void write_forms(code_writer& out, forms& f) {
    auto declared = f.declared;
    declared.emplace_back(f.by_value ? "tablemap::call_options o = {}" : "tablemap::call_options const& o = {}");
    auto passed = f.passed;
    passed.push_back(f.options());
    auto const plain = f.returned.empty() ? "auto" : f.returned;
    auto const result = f.returned.empty() ? "auto" : "tablemap::result<" + f.returned + ">";
    code_writer call_other{body_column};
    call_other.statement("return tablemap::value_or_throw(", {"try_" + f.name + "(", passed, "));"});
    auto const write_plain = [&] { out.function(plain, {f.name + "(", declared, ") const"}, call_other.take()); };
    // A function that returns auto must be defined before it is called.
    if (!f.returned.empty()) write_plain();
    out.function(result, {"try_" + f.name + "(", declared, ") const"}, f.body.take());
    if (f.returned.empty()) write_plain();
}

/// Writes the functions of one entity.
class repository_writer {
public:
    repository_writer(code_writer& out, schema const& s, entity const& e)
        : out_(out), schema_(s), entity_(e), type_(qualified(s, e.id.text)) {}

    void write() {
        out_.comment(filled(class_comment, {{"entity", entity_.id.text}}));
        out_.fill(class_top, {{"entity", entity_.id.text}, {"type", type_}});
        out_.indent_more();
        write_constructor(entity_.id.text + "_repository");
        out_.fill(table_top, {});
        out_.line();
        write_find();
        for (auto const& a : entity_.access) {
            out_.line();
            if (a.kind == access_kind::find_by)
                write_find_by(a);
            else
                write_query(a);
        }
        out_.close("");
        out_.line("private:");
        out_.line("    tablemap::table<value_type> table_;");
        out_.line("};");
    }

private:
    void write_constructor(std::string const& name) {
        bool const named = !entity_.table.empty();
        out_.comment("Names the table in a store; nothing is sent. Precondition: `store` is not null. Errors: as the "
                     "constructor of `tablemap::table`.");
        call const signature{(named ? "explicit " : "") + name + "(",
                             {"tablemap::store_ptr store",
                              "std::string name" + (named ? " = " + cpp_text(entity_.table.text) : std::string{}),
                              "tablemap::table_options options = {}"},
                             ")"};
        out_.constructor(signature, ": table_(std::move(store), std::move(name), options) {}");
    }

    std::string declare(argument const& a) const {
        if (a.member.empty()) return "std::size_t " + a.name;
        auto const t = find_type(schema_, find_property(entity_, a.member)->type.text);
        auto const type = t.kind == type_kind::enumeration ? qualified(schema_, t.argument) : t.argument;
        return type + " " + a.name;
    }

    void take(forms& f, std::vector<argument> const& arguments) const {
        for (auto const& a : arguments) {
            f.declared.push_back(declare(a));
            f.passed.push_back(a.name);
        }
    }

    static std::string list(std::vector<argument> const& arguments) {
        std::string text;
        for (auto const& a : arguments) text += (text.empty() ? "" : ", ") + a.name;
        return text;
    }

    static std::string found() { return "std::optional<tablemap::entity<value_type>>"; }

    void describe(access const& a, std::string const& otherwise, std::string const& cost) {
        auto text = a.description.empty() ? otherwise : a.description;
        if (std::string_view{".!?"}.find(text.back()) == std::string_view::npos) text += '.';
        out_.comment(text + " " + cost);
    }

    static void look_up(forms& f, std::string const& open) {
        std::string values;
        for (auto const& v : f.passed) values += (values.empty() ? "" : ", ") + v;
        f.body.statement({open, {"{" + values + "}", "o"}, ");"});
    }

    void write_find() {
        out_.comment("The entity of a key, or nothing. Round trips: one.");
        std::vector<argument> arguments;
        for (auto const& m : key_members(entity_)) arguments.push_back({m, m, {}});
        forms f{"find", found()};
        take(f, arguments);
        look_up(f, "return table_.try_find(");
        write_forms(out_, f);
    }

    void write_find_by(access const& a) {
        auto const* const by = find_index(entity_, a.index.text);
        describe(a, "The entity of a value of the index `" + a.index.text + "`, or nothing.",
                 by->include ? "Round trips: two, and up to six while the entity is being changed."
                             : "Round trips: one.");
        forms f{a.id.text, found()};
        take(f, list_arguments(entity_, a).all());
        look_up(f, "return table_.try_find_by<\"" + a.index.text + "\">(");
        write_forms(out_, f);
    }

    static std::string describe_bounds(access const& a, argument_lists const& l) {
        if (l.bounds.empty()) return {};
        auto const& b = l.bounds;
        auto const subject = " whose `" + b.front().member + "` ";
        if (a.rows == row_choice::prefix) return subject + "begins with `" + b.front().name + "`";
        return subject + "is at least `" + b[0].name + "` and " +
               (a.rows == row_choice::range ? "less than `" : "at most `") + b[1].name + "`";
    }

    /// A selection of rows: its beginning, and the calls on that.
    struct selection {
        call first{};
        std::vector<call> calls{};

        bool is_all() const { return first.open.empty(); }
        std::string text() const { return joined(first) + (calls.empty() ? "" : joined(calls.front())); }
    };

    static selection select_rows(access const& a, argument_lists const& l) {
        auto const whole = names(l.leading);
        auto const bounds = names(l.bounds);
        if (a.rows == row_choice::prefix) {
            auto all = whole;
            all.insert(all.end(), bounds.begin(), bounds.end());
            return {{"tablemap::starting_with(", all, ")"}, {}};
        }
        if (a.rows == row_choice::all)
            return whole.empty() ? selection{} : selection{{"tablemap::leading(", whole, ")"}, {}};
        std::string const word = a.rows == row_choice::range ? "range" : "between";
        if (whole.empty()) return {{"tablemap::row_" + word + "(", bounds, ")"}, {}};
        return {{"tablemap::leading(", whole, ")"}, {{"." + word + "(", bounds, ")"}}};
    }

    static void write_selection(selection const& rows, code_writer& body) {
        std::string const left = "auto const selection_";
        if (!rows.calls.empty()) return body.chain(left, joined(rows.first), rows.calls);
        body.constant(left, {rows.first.open, rows.first.arguments, ");"});
    }

    static std::vector<std::string> names(std::vector<argument> const& arguments) {
        std::vector<std::string> all;
        for (auto const& a : arguments) all.push_back(a.name);
        return all;
    }

    /// A fixed value in the form that the library compares: for a number that is no `int` with its type.
    std::string fixed_value(condition const& c, type_info const& t) const {
        std::string why;
        auto const text = cpp_literal(t, c.value->what, why);
        if (t.kind == type_kind::enumeration) return qualified(schema_, text);
        if (t.kind != type_kind::integer) return text;
        auto const number = std::get<std::int64_t>(c.value->what);
        constexpr std::int64_t greatest = std::numeric_limits<std::int32_t>::max();
        bool const typed = text.starts_with("std::");
        return typed || (number >= -greatest && number <= greatest) ? text : t.cpp + "{" + text + "}";
    }

    /// Narrows the rows by a condition.
    void narrow(condition const& c, code_writer& body) const {
        auto const* const p = find_property(entity_, c.member.text);
        auto const operand =
            (p->encrypted ? "tablemap::blind<&value_type::" : "tablemap::field<&value_type::") + c.member.text + ">";
        std::string right = c.parameter.text;
        if (c.value) right = fixed_value(c, find_type(schema_, p->type.text));
        std::string const head = "rows_ = std::move(*rows_).where(";
        if (c.comparison.text == "starts_with")
            return body.statement(head, {"tablemap::starts_with(", {operand, right}, "));"});
        body.comparison(head, operand + " " + c.comparison.text, right + ");");
    }

    /// A function that makes rows of chosen members.
    static void write_chooser(access const& a, code_writer& body) {
        call c{"select<", {}, ">();"};
        for (auto const& n : a.select) c.arguments.push_back("&value_type::" + n.text);
        std::string const head = "auto const select_ = [](auto range_) {";
        std::string const statement = "return std::move(range_)";
        auto const short_one = head + " " + statement + ".template " + joined(c) + " };";
        if (body_column + short_one.size() <= line_width) return body.line(short_one);
        body.open(head);
        if (body_column + 4 + statement.size() + 10 + joined(c).size() <= line_width) {
            body.line(statement + ".template " + joined(c));
        } else {
            body.line(statement);
            c.open = "    .template " + c.open;
            body.line(pack(body_column + 4, c).text);
        }
        body.close("};");
    }

    /// The statements that request rows; the result, if the rows are not narrowed.
    void ask(access const& a, argument_lists const& l, forms& f) const {
        bool const is_response = a.where.empty() && a.select.empty() && a.answer == response_form::rows;
        std::string const head = is_response ? "return " : "auto rows_ = ";
        if (a.kind == access_kind::scan)
            return f.body.line(is_response ? "return table_.scan(std::move(o));"
                                           : "tablemap::result<tablemap::query_range<value_type>> rows_{table_.scan(" +
                                                 f.options() + ")};");
        auto const rows = select_rows(a, l);
        call c{
            head + "table_." + (a.index.empty() ? "try_query(" : "try_query_by<\"" + a.index.text + "\">("), {}, ");"};
        c.arguments.push_back("tablemap::partition(" + list(l.partition) + ")");
        if (!rows.is_all()) c.arguments.push_back(rows.text());
        c.arguments.push_back(f.options());
        auto const is_long = [&] { return body_column + joined(c).size() > line_width; };
        if (is_long() && !rows.is_all()) {
            write_selection(rows, f.body);
            c.arguments[1] = "selection_";
        }
        if (is_long()) {
            f.body.constant("auto const partition_", {"tablemap::partition(", names(l.partition), ");"});
            c.arguments[0] = "partition_";
        }
        f.body.statement(c);
    }

    void write_latest(access const& a, forms f, argument_lists const& l) {
        describe(a, "The newest entities of a partition, at most `count`, the newest first.",
                 "Round trips: one for each 1,000.");
        f.returned = "std::vector<tablemap::entity<value_type>>";
        f.body.statement({"return tablemap::try_latest(",
                          {"table_", "tablemap::partition(" + list(l.partition) + ")", "count", "o"},
                          ");"});
        write_forms(out_, f);
    }

    void write_query(access const& a) {
        auto const lists = list_arguments(entity_, a);
        forms f{a.id.text};
        take(f, lists.all());
        if (a.answer == response_form::latest) return write_latest(a, f, lists);
        bool const scan = a.kind == access_kind::scan;
        describe(a,
                 (scan ? "Entities of the whole table" : "Entities of a partition") + describe_bounds(a, lists) + ".",
                 scan ? "Cost: the store reads the whole table." : "Round trips: one for each 1,000.");
        f.by_value = a.answer == response_form::rows;
        bool const typed = a.select.empty() && a.index.empty();
        std::string end;
        switch (a.answer) {
        case response_form::count:
            f.returned = "std::size_t";
            end = ".try_count()";
            break;
        case response_form::exists:
            f.returned = "bool";
            end = ".try_exists()";
            break;
        case response_form::first:
            f.returned = typed ? found() : "";
            end = ".try_first()";
            break;
        case response_form::rows:
        case response_form::latest: f.returned = typed ? "tablemap::query_range<value_type>" : ""; break;
        }
        ask(a, lists, f);
        if (!a.where.empty() || !a.select.empty() || !end.empty()) narrow_rows(a, f, end);
        write_forms(out_, f);
    }

    /// Adds conditions, chosen members and the end of a query. The result of the request may be an error.
    void narrow_rows(access const& a, forms& f, std::string const& end) const {
        bool const chosen = !a.select.empty();
        if (chosen) write_chooser(a, f.body);
        std::string const rows = chosen ? "select_(*std::move(rows_))" : "(*std::move(rows_))";
        bool const deduced = f.returned.empty() && (chosen || !end.empty());
        if (deduced && end.empty())
            f.body.line("using answer_ = tablemap::result<decltype(" + rows + ")>;");
        else if (deduced)
            f.body.line("using answer_ = decltype(" + rows + end + ");");
        auto const fault = std::string{"tablemap::failure{std::move(rows_).error()}"};
        if (a.kind != access_kind::scan || deduced)
            f.body.line("if (!rows_) return " + (deduced       ? "answer_{" + fault + "};"
                                                 : end.empty() ? "rows_;"
                                                               : fault + ";"));
        for (auto const& c : a.where) narrow(c, f.body);
        if (!end.empty())
            f.body.line("return " + rows + end + ";");
        else
            f.body.line(chosen ? "return answer_{" + rows + "};" : "return rows_;");
    }

    code_writer& out_;
    schema const& schema_;
    entity const& entity_;
    std::string type_;
};

}  // namespace

void write_repository(code_writer& out, schema const& s, entity const& e) { repository_writer{out, s, e}.write(); }

}  // namespace tablemap::codegen
