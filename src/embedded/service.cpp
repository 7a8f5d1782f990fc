// SPDX-License-Identifier: Apache-2.0
#include "embedded/operations.hpp"
#include "embedded/refusal.hpp"
#include "embedded/schema.hpp"
#include "store/service_answer.hpp"

#include "tablemap/edm/service_properties.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

/// Access policies and service properties. They are kept so that a program that sets them runs unchanged; nothing is
/// enforced, since an embedded store has no remote users.
namespace tablemap::inline v0_1::detail::embedded {
namespace {

[[noreturn]] void refuse_damaged() {
    refuse(store_errc::corrupt, "a stored policy or setting cannot be read: restore a backup of the file");
}

// --- policies --------------------------------------------------------------------------------------------------------

std::optional<ticks> time_in(std::int64_t count) {
    if (count == 0) return std::nullopt;
    ticks const t{count};
    if (!t.storable()) refuse_damaged();
    return t;
}

access_policy policy_in(statement const& row) {
    auto const permissions = table_permissions::parse(row.blob(3));
    if (!permissions) refuse_damaged();
    return {.id = std::string{row.blob(0)},
            .start = time_in(row.integer(1)),
            .expiry = time_in(row.integer(2)),
            .permissions = *permissions};
}

void add_policy(connection& c, std::int64_t table, std::size_t place, access_policy const& p) {
    auto const permissions = p.permissions.text();
    statement_use s{c.prepared(query::add_policy)};
    s->bind(1, table);
    s->bind(2, static_cast<std::int64_t>(place));
    s->bind_text(3, p.id);
    s->bind(4, p.start ? p.start->count() : 0);
    s->bind(5, p.expiry ? p.expiry->count() : 0);
    s->bind_text(6, permissions);
    s->run();
}

// --- settings --------------------------------------------------------------------------------------------------------

// Every value of the properties has a row, its name the path to it: "logging.reads", "cors.0.allowed_origins". These
// names are part of the file format and never change.

using settings = std::map<std::string, std::string>;

constexpr char const *logging = "logging", *hour_metrics = "hour_metrics", *minute_metrics = "minute_metrics",
                     *cors = "cors";

/// Visits the values of a group of settings with their names, to store or to read them.
template <class Logging, class Visit> void visit_logging(Logging& l, Visit visit) {
    visit("version", l.version);
    visit("deletes", l.deletes);
    visit("reads", l.reads);
    visit("writes", l.writes);
    visit("retention_days", l.retention_days);
}
template <class Metrics, class Visit> void visit_metrics(Metrics& m, Visit visit) {
    visit("version", m.version);
    visit("enabled", m.enabled);
    visit("include_apis", m.include_apis);
    visit("retention_days", m.retention_days);
}
template <class Rule, class Visit> void visit_rule(Rule& r, Visit visit) {
    visit("allowed_origins", r.allowed_origins);
    visit("allowed_methods", r.allowed_methods);
    visit("allowed_headers", r.allowed_headers);
    visit("exposed_headers", r.exposed_headers);
    visit("max_age", r.max_age);
}

std::string rule_name(std::size_t i) { return std::string{cors} + "." + std::to_string(i); }

/// Writes values as text.
class settings_writer {
public:
    settings_writer(connection& c, std::string group) : connection_(c), group_(std::move(group)) {}

    void operator()(char const* name, std::string const& text) {
        auto const path = group_ + "." + name;
        statement_use s{connection_.prepared(query::add_setting)};
        s->bind_text(1, path);
        s->bind_text(2, text);
        s->run();
    }
    void operator()(char const* name, bool value) { (*this)(name, std::string{value ? "1" : "0"}); }
    void operator()(char const* name, std::chrono::seconds s) { (*this)(name, std::to_string(s.count())); }
    void operator()(char const* name, std::optional<std::int32_t> const& n) {
        if (n) (*this)(name, std::to_string(*n));
    }
    void operator()(char const* name, std::vector<std::string> const& list) {
        std::string joined;
        for (auto const& element : list) joined.append(joined.empty() ? "" : ",").append(element);
        (*this)(name, joined);
    }

private:
    connection& connection_;
    std::string group_;
};

/// Reads them back. What has no row keeps its value.
class settings_reader {
public:
    settings_reader(settings const& all, std::string group) : all_(all), group_(std::move(group)) {}

    void operator()(char const* name, std::string& out) const {
        if (auto const* text = find(name)) out = *text;
    }
    void operator()(char const* name, bool& out) const {
        if (auto const* text = find(name)) out = *text == "1";
    }
    void operator()(char const* name, std::chrono::seconds& out) const {
        if (auto const* text = find(name)) out = std::chrono::seconds{number_in(*text)};
    }
    void operator()(char const* name, std::optional<std::int32_t>& out) const {
        if (auto const* text = find(name)) out = number_in(*text);
    }
    void operator()(char const* name, std::vector<std::string>& out) const {
        auto const* text = find(name);
        for (std::string_view rest = text ? *text : std::string_view{}; !rest.empty();) {
            auto const end = std::min(rest.find(','), rest.size());
            out.emplace_back(rest.substr(0, end));
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
    }

private:
    std::string const* find(char const* name) const {
        auto const at = all_.find(group_ + "." + name);
        return at == all_.end() ? nullptr : &at->second;
    }
    static std::int32_t number_in(std::string const& text) {
        std::int32_t n = 0;
        auto const* const last = text.data() + text.size();
        auto const [end, e] = std::from_chars(text.data(), last, n);
        if (e != std::errc{} || end != last) refuse_damaged();
        return n;
    }

    settings const& all_;
    std::string group_;
};

settings read_settings(connection& c) {
    settings all;
    statement_use s{c.prepared(query::read_settings)};
    while (s->step()) all.emplace(s->blob(0), s->blob(1));
    return all;
}

void remove_settings(connection& c, char const* group) {
    statement_use s{c.prepared(query::remove_settings)};
    s->bind_text(1, group);
    s->run();
}

}  // namespace

response read_policies(connection& c, get_access_policies const& q) {
    auto const table = require_table(c, q.table);
    service_response answer;
    if (!has_service_tables(c.db())) return answer_with(std::move(answer));
    statement_use s{c.prepared(query::read_policies)};
    s->bind(1, table);
    while (s->step()) answer.policies.push_back(policy_in(*s.operator->()));
    return answer_with(std::move(answer));
}

response store_policies(connection& c, set_access_policies const& q) {
    check(check_access_policies(q.policies));
    write_transaction t{c.db()};
    auto const table = require_table(c, q.table);
    add_service_tables(c.db());
    remove_policies(c, table);
    for (std::size_t i = 0; i < q.policies.size(); ++i) add_policy(c, table, i, q.policies[i]);
    t.commit();
    return {};
}

void remove_policies(connection& c, std::int64_t table) {
    if (!has_service_tables(c.db())) return;
    statement_use s{c.prepared(query::remove_policies)};
    s->bind(1, table);
    s->run();
}

response read_properties(connection& c) {
    auto const all = has_service_tables(c.db()) ? read_settings(c) : settings{};
    service_response answer;
    auto& p = answer.properties;
    visit_logging(p.logging.emplace(), settings_reader{all, logging});
    visit_metrics(p.hour_metrics.emplace(), settings_reader{all, hour_metrics});
    visit_metrics(p.minute_metrics.emplace(), settings_reader{all, minute_metrics});
    p.cors.emplace();
    for (std::size_t i = 0; all.contains(rule_name(i) + ".allowed_origins"); ++i)
        visit_rule(p.cors->emplace_back(), settings_reader{all, rule_name(i)});
    return answer_with(std::move(answer));
}

response store_properties(connection& c, set_service_properties const& q) {
    auto const& p = *q.properties;
    check(check_service_properties(p));
    write_transaction t{c.db()};
    add_service_tables(c.db());
    if (p.logging) {
        remove_settings(c, logging);
        visit_logging(*p.logging, settings_writer{c, logging});
    }
    if (p.hour_metrics) {
        remove_settings(c, hour_metrics);
        visit_metrics(*p.hour_metrics, settings_writer{c, hour_metrics});
    }
    if (p.minute_metrics) {
        remove_settings(c, minute_metrics);
        visit_metrics(*p.minute_metrics, settings_writer{c, minute_metrics});
    }
    if (p.cors) {
        remove_settings(c, cors);
        for (std::size_t i = 0; i < p.cors->size(); ++i) visit_rule((*p.cors)[i], settings_writer{c, rule_name(i)});
    }
    t.commit();
    return {};
}

}  // namespace tablemap::detail::embedded
