// SPDX-License-Identifier: Apache-2.0
#include "tablemap/repository/migration.hpp"

#include "tablemap/edm/names.hpp"
#include "tablemap/mapping/entity_type.hpp"
#include "tablemap/wire/reader.hpp"

#include <algorithm>
#include <utility>

namespace tablemap::detail {
namespace {

constexpr std::size_t most_at_once = 8;
constexpr int most_tries = 20;

std::string current_tag(row_type const& type) {
    std::string quoted;
    append_type_tag(quoted, type.discriminator.type, type.version);
    return quoted.substr(1, quoted.size() - 2);
}

filter::expression older_versions(row_type const& type) {
    using filter::comparison;
    using filter::comparison_operator;
    return *type_filter(type) && filter::expression{comparison{std::string{type.discriminator.property},
                                                               comparison_operator::ne, current_tag(type)}};
}

}  // namespace

migration_operation::migration_operation(std::string_view table, row_type const& type,
                                         result<void> (*check)(dynamic_entity const&), migration_options options)
    : table_(table), type_(type), check_(check), options_(std::move(options)), where_(older_versions(type)) {}

step migration_operation::start(environment const&) { return ask_page(); }

step migration_operation::resume(environment const&, std::span<response> answers) {
    if (reads_page_) return after_page(answers.front());
    for (std::size_t i = 0; i < answers.size(); ++i) {
        auto& r = rows_[asked_[i]];
        r.to_read ? after_read(r, answers[i]) : after_write(r, answers[i]);
    }
    if (fault_) return step::done();
    return ask_rows();
}

result<migration_report> migration_operation::take() {
    if (fault_) return failure{changed_something_ ? fault_->with(outcome::in_doubt) : *fault_};
    return std::move(report_);
}

step migration_operation::ask_page() {
    reads_page_ = true;
    requests_.assign(1,
                     query_page{.table = table_, .where = &where_, .from = next_ ? &*next_ : nullptr, .current = true});
    return step::send(requests_.front());
}

step migration_operation::after_page(response& answer) {
    if (!answer.ok()) return fail_with(std::move(*answer.failure));
    auto page = read_dynamic_page(answer.body);
    if (!page) return fail_with(std::move(page).error());
    next_ = std::move(answer.next);
    rows_.clear();
    for (auto& e : *page) {
        auto& r = rows_.emplace_back(row{e.partition_key, e.row_key});
        upgrade(r, std::move(e));
    }
    return ask_rows();
}

step migration_operation::ask_rows() {
    reads_page_ = false;
    asked_.clear();
    requests_.clear();
    for (std::size_t i = 0; i < rows_.size() && asked_.size() < most_at_once; ++i) {
        auto const& r = rows_[i];
        if (r.tries < 0) continue;
        asked_.push_back(i);
        if (r.to_read)
            requests_.emplace_back(get_entity{table_, r.partition_key, r.row_key, {}, true});
        else
            requests_.emplace_back(write_entity{table_,
                                                {.kind = write_kind::replace,
                                                 .partition_key = r.partition_key,
                                                 .row_key = r.row_key,
                                                 .body = r.body,
                                                 .if_match = r.etag.text()}});
    }
    if (!requests_.empty()) return step::send(requests_);
    if (options_.progress) options_.progress(report_);
    return next_ ? ask_page() : step::done();
}

void migration_operation::after_write(row& r, response& answer) {
    changed_something_ = changed_something_ || answer.outcome() != outcome::not_applied;
    if (answer.outcome() == outcome::applied) {
        ++report_.rewritten;
        return finish(r);
    }
    auto const& code = answer.failure->code();
    bool const lost = answer.outcome() == outcome::in_doubt;
    if (lost || code == service_errc::update_condition_not_satisfied) {
        // Either way the row itself tells: it has the current version, or it has to be upgraded again.
        r.to_read = true;
        if (++r.tries >= most_tries) refuse(r, std::move(*answer.failure));
    } else if (code == service_errc::resource_not_found) {
        ++report_.done_by_others;
        finish(r);
    } else {
        fault_ = std::move(*answer.failure);
    }
}

void migration_operation::after_read(row& r, response& answer) {
    if (!answer.ok()) {
        if (answer.failure->code() != service_errc::resource_not_found) {
            fault_ = std::move(*answer.failure);
            return;
        }
        ++report_.done_by_others;
        return finish(r);
    }
    auto e = read_dynamic(answer.body);
    if (!e) {
        fault_ = std::move(e).error();
        return;
    }
    auto const* tag = e->try_get<std::string>(type_.discriminator.property);
    if (tag && *tag == current_tag(type_)) {
        ++report_.done_by_others;
        return finish(r);
    }
    if (e->etag.empty()) e->etag = std::move(answer.etag);
    upgrade(r, std::move(*e));
}

void migration_operation::upgrade(row& r, stored_entity e) {
    r.to_read = false;
    auto const* tag = e.try_get<std::string>(type_.discriminator.property);
    auto const version = tag ? version_in(*tag, type_.discriminator.type) : 0;
    if (version == 0 || version > type_.version)
        return refuse(r, error{version == 0 ? library_errc::another_type : library_errc::unknown_version,
                               {.reason = "only older versions of the type are rewritten"}});
    if (auto upgraded = upgrade_row(type_, version, e); !upgraded) return refuse(r, std::move(upgraded).error());
    e.partition_key = r.partition_key;
    e.row_key = r.row_key;
    e.erase(token_property);
    e.set(type_.discriminator.property, current_tag(type_));
    encoded_entity out;
    auto good = check_(e);
    if (good) good = encode(static_cast<dynamic_entity const&>(e), out);
    if (!good) return refuse(r, std::move(good).error());
    r.body = std::move(out.body);
    r.etag = std::move(e.etag);
}

void migration_operation::refuse(row& r, error e) {
    report_.refused.push_back({r.partition_key, r.row_key, std::move(e)});
    finish(r);
}

step migration_operation::fail_with(error e) {
    fault_ = std::move(e);
    return step::done();
}

}  // namespace tablemap::detail
