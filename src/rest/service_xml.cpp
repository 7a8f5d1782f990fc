// SPDX-License-Identifier: Apache-2.0
#include "rest/service_xml.hpp"

#include "base/ascii.hpp"
#include "rest/http_date.hpp"

#include <pugixml.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

[[noreturn]] void refuse(std::string reason) {
    throw error{library_errc::malformed_response, {.reason = std::move(reason)}};
}

// --- writing ---------------------------------------------------------------------------------------------------------

class string_writer final : public pugi::xml_writer {
public:
    void write(void const* data, std::size_t size) override { text.append(static_cast<char const*>(data), size); }

    std::string text{};
};

/// A document as the service's examples have it: one line, with its declaration.
class document_writer {
public:
    explicit document_writer(char const* root) : root_(document_.append_child(root)) {
        auto declaration = document_.prepend_child(pugi::node_declaration);
        declaration.append_attribute("version") = "1.0";
        declaration.append_attribute("encoding") = "utf-8";
    }

    pugi::xml_node root() const { return root_; }

    std::string text() const {
        string_writer out;
        document_.save(out, "", pugi::format_raw, pugi::encoding_utf8);
        return std::move(out.text);
    }

private:
    pugi::xml_document document_;
    pugi::xml_node root_;
};

void add(pugi::xml_node parent, char const* name, std::string const& text) {
    parent.append_child(name).append_child(pugi::node_pcdata).set_value(text.c_str());
}
void add(pugi::xml_node parent, char const* name, bool value) {
    add(parent, name, std::string{value ? "true" : "false"});
}

void add_list(pugi::xml_node parent, char const* name, std::vector<std::string> const& list) {
    std::string joined;
    for (auto const& element : list) joined.append(joined.empty() ? "" : ",").append(element);
    add(parent, name, joined);
}

void add_retention(pugi::xml_node parent, std::optional<std::int32_t> days) {
    auto policy = parent.append_child("RetentionPolicy");
    add(policy, "Enabled", days.has_value());
    if (days) add(policy, "Days", std::to_string(*days));
}

void add_metrics(pugi::xml_node parent, char const* name, metrics_settings const& m) {
    auto node = parent.append_child(name);
    add(node, "Version", m.version);
    add(node, "Enabled", m.enabled);
    if (m.enabled) add(node, "IncludeAPIs", m.include_apis);
    add_retention(node, m.retention_days);
}

// --- reading ---------------------------------------------------------------------------------------------------------

/// The root of a document, whose name tells what it is.
pugi::xml_node parse(pugi::xml_document& document, std::string_view xml, char const* root) {
    auto const parsed = document.load_buffer(xml.data(), xml.size(), pugi::parse_default | pugi::parse_ws_pcdata_single,
                                             pugi::encoding_utf8);
    auto const node = document.child(root);
    if (!parsed || !node)
        refuse("the body is cut off or no XML of the table service: it should hold a <" + std::string{root} + ">");
    return node;
}

std::string_view child_text(pugi::xml_node parent, char const* name) { return trimmed(parent.child_value(name)); }

bool flag_of(pugi::xml_node parent, char const* name) {
    auto const text = lower_case(child_text(parent, name));
    if (text == "true" || text == "1") return true;
    if (text.empty() || text == "false" || text == "0") return false;
    refuse(std::string{name} + " is neither true nor false");
}

std::optional<std::int32_t> child_number(pugi::xml_node parent, char const* name) {
    auto const text = child_text(parent, name);
    if (text.empty()) return std::nullopt;
    std::int32_t n = 0;
    auto const* const last = text.data() + text.size();
    auto const [end, e] = std::from_chars(text.data(), last, n);
    if (e != std::errc{} || end != last) refuse(std::string{name} + " is no number");
    return n;
}

std::optional<ticks> child_time(pugi::xml_node parent, char const* name) {
    auto const text = child_text(parent, name);
    if (text.empty()) return std::nullopt;
    auto const t = read_service_time(text);
    if (!t) refuse(std::string{name} + " is no time in UTC");
    return t;
}

std::vector<std::string> list_of(pugi::xml_node parent, char const* name) {
    std::vector<std::string> list;
    auto text = child_text(parent, name);
    while (!text.empty()) {
        auto const end = std::min(text.find(','), text.size());
        if (auto const element = trimmed(text.substr(0, end)); !element.empty()) list.emplace_back(element);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return list;
}

std::optional<std::int32_t> retention_of(pugi::xml_node parent) {
    auto const policy = parent.child("RetentionPolicy");
    return flag_of(policy, "Enabled") ? child_number(policy, "Days") : std::nullopt;
}

std::string version_of(pugi::xml_node parent) {
    std::string version{child_text(parent, "Version")};
    return version.empty() ? "1.0" : version;
}

access_policy policy_of(pugi::xml_node node) {
    auto const terms = node.child("AccessPolicy");
    auto const permissions = table_permissions::parse(child_text(terms, "Permission"));
    if (!permissions) refuse("a policy has permissions that tables do not know");
    return {.id = node.child_value("Id"),
            .start = child_time(terms, "Start"),
            .expiry = child_time(terms, "Expiry"),
            .permissions = *permissions};
}

std::optional<logging_settings> logging_of(pugi::xml_node node) {
    if (!node) return std::nullopt;
    return logging_settings{.version = version_of(node),
                            .deletes = flag_of(node, "Delete"),
                            .reads = flag_of(node, "Read"),
                            .writes = flag_of(node, "Write"),
                            .retention_days = retention_of(node)};
}

std::optional<metrics_settings> metrics_of(pugi::xml_node node) {
    if (!node) return std::nullopt;
    bool const enabled = flag_of(node, "Enabled");
    return metrics_settings{.version = version_of(node),
                            .enabled = enabled,
                            .include_apis = enabled && flag_of(node, "IncludeAPIs"),
                            .retention_days = retention_of(node)};
}

cors_rule rule_of(pugi::xml_node node) {
    return {.allowed_origins = list_of(node, "AllowedOrigins"),
            .allowed_methods = list_of(node, "AllowedMethods"),
            .allowed_headers = list_of(node, "AllowedHeaders"),
            .exposed_headers = list_of(node, "ExposedHeaders"),
            .max_age = std::chrono::seconds{child_number(node, "MaxAgeInSeconds").value_or(0)}};
}

constexpr std::array<std::pair<replication_status, std::string_view>, 3> status_names{
    {{replication_status::live, "live"},
     {replication_status::bootstrap, "bootstrap"},
     {replication_status::unavailable, "unavailable"}}};

std::string_view name_of(replication_status s) {
    return std::find_if(status_names.begin(), status_names.end(), [&](auto& n) { return n.first == s; })->second;
}

replication_status status_of(std::string_view text) {
    for (auto const& [status, name] : status_names)
        if (name == text) return status;
    refuse("the replication has a status that is not known");
}

template <class Read> auto caught(Read read) -> result<decltype(read())> {
    try {
        return read();
    } catch (error const& e) {
        return failure{e};
    }
}

}  // namespace

std::optional<ticks> read_service_time(std::string_view given) {
    constexpr std::size_t date = 10, date_and_minute = 17;  // YYYY-MM-DD, YYYY-MM-DDThh:mmZ
    std::string text{given};
    if (text.size() == date) text += "T00:00:00Z";
    if (text.size() == date_and_minute) text.insert(date_and_minute - 1, ":00");
    ticks t;
    return parse_ticks(text, t) ? std::optional{t} : std::nullopt;
}

std::string write_service_statistics(service_statistics const& s) {
    document_writer out{"StorageServiceStats"};
    auto node = out.root().append_child("GeoReplication");
    add(node, "Status", std::string{name_of(s.status)});
    std::string last_sync;
    if (s.last_sync) append_http_date(last_sync, *s.last_sync);
    add(node, "LastSyncTime", last_sync);
    return out.text();
}

std::string write_access_policies(std::span<access_policy const> policies) {
    document_writer out{"SignedIdentifiers"};
    for (auto const& p : policies) {
        auto node = out.root().append_child("SignedIdentifier");
        add(node, "Id", p.id);
        auto terms = node.append_child("AccessPolicy");
        if (p.start) add(terms, "Start", p.start->text());
        if (p.expiry) add(terms, "Expiry", p.expiry->text());
        if (!p.permissions.empty()) add(terms, "Permission", p.permissions.text());
    }
    return out.text();
}

result<std::vector<access_policy>> read_access_policies(std::string_view xml) {
    return caught([&] {
        pugi::xml_document document;
        std::vector<access_policy> policies;
        for (auto const node : parse(document, xml, "SignedIdentifiers").children("SignedIdentifier"))
            policies.push_back(policy_of(node));
        return policies;
    });
}

std::string write_service_properties(service_properties const& p) {
    document_writer out{"StorageServiceProperties"};
    if (p.logging) {
        auto node = out.root().append_child("Logging");
        add(node, "Version", p.logging->version);
        add(node, "Delete", p.logging->deletes);
        add(node, "Read", p.logging->reads);
        add(node, "Write", p.logging->writes);
        add_retention(node, p.logging->retention_days);
    }
    if (p.hour_metrics) add_metrics(out.root(), "HourMetrics", *p.hour_metrics);
    if (p.minute_metrics) add_metrics(out.root(), "MinuteMetrics", *p.minute_metrics);
    if (!p.cors) return out.text();
    auto rules = out.root().append_child("Cors");
    for (auto const& r : *p.cors) {
        auto node = rules.append_child("CorsRule");
        add_list(node, "AllowedOrigins", r.allowed_origins);
        add_list(node, "AllowedMethods", r.allowed_methods);
        add_list(node, "AllowedHeaders", r.allowed_headers);
        add_list(node, "ExposedHeaders", r.exposed_headers);
        add(node, "MaxAgeInSeconds", std::to_string(r.max_age.count()));
    }
    return out.text();
}

result<service_properties> read_service_properties(std::string_view xml) {
    return caught([&] {
        pugi::xml_document document;
        auto const root = parse(document, xml, "StorageServiceProperties");
        service_properties p{.logging = logging_of(root.child("Logging")),
                             .hour_metrics = metrics_of(root.child("HourMetrics")),
                             .minute_metrics = metrics_of(root.child("MinuteMetrics"))};
        if (auto const rules = root.child("Cors")) {
            p.cors.emplace();
            for (auto const node : rules.children("CorsRule")) p.cors->push_back(rule_of(node));
        }
        return p;
    });
}

result<service_statistics> read_service_statistics(std::string_view xml) {
    return caught([&] {
        pugi::xml_document document;
        auto const replication = parse(document, xml, "StorageServiceStats").child("GeoReplication");
        return service_statistics{.status = status_of(child_text(replication, "Status")),
                                  .last_sync = parse_http_date(child_text(replication, "LastSyncTime"))};
    });
}

}  // namespace tablemap::detail
