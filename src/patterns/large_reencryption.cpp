// SPDX-License-Identifier: Apache-2.0
#include "patterns/large_names.hpp"
#include "patterns/met_faults.hpp"
#include "store/ask.hpp"
#include "store/page_reading.hpp"
#include "store/refusals.hpp"
#include "tablemap/detail/patterns/large_core.hpp"
#include "tablemap/detail/wire/reader.hpp"
#include "tablemap/detail/write/modify_row.hpp"
#include "tablemap/mapping/dynamic.hpp"

#include <chrono>
#include <deque>
#include <optional>
#include <utility>
#include <variant>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr modify_options tries_of_a_row{.attempts = 20};

/// A value under another key, which stays in its blob until it is stored anew.
class sealed_cell final : public large_cell {
public:
    explicit sealed_cell(large_reference what) {
        loaded = false;
        in_blob = std::move(what);
    }

    std::string_view content() const override { return {}; }
    void take(std::string&&) override {}
    bool is_text() const noexcept override { return false; }
    bool is_encrypted() const noexcept override { return true; }
};

/// The values of a row under other keys than the current one, and the merge that names their new blobs.
class old_values final : public large_entity, public large_writer {
public:
    old_values(stored_entity const& row, std::string_view current)
        : key_{row.partition_key, row.row_key}, etag_(row.etag) {
        for (auto const& p : row.properties())
            if (auto reference = reference_under_other_key(p.value, current)) {
                names_.push_back(p.name);
                cells_.emplace_back(*std::move(reference));
            }
    }

    bool empty() const noexcept { return cells_.empty(); }

    result<void> decode(std::string&, property_cipher const*) override { return {}; }
    std::vector<large_part> parts() override {
        std::vector<large_part> all;
        for (std::size_t i = 0; i < cells_.size(); ++i) all.push_back({names_[i], names_[i], &cells_[i], true});
        return all;
    }
    void generate_key(clock&) override {}
    result<entity_key> key() const override { return key_; }
    tablemap::etag& etag() noexcept override { return etag_; }

    write_kind kind() const noexcept override { return write_kind::merge; }
    std::vector<large_part> written() override { return parts(); }
    encoded_write encode(table_state const&, clock&) override {
        encoded_write w{.kind = write_kind::merge, .if_match = std::string{etag_.text()}};
        w.fault = fault_of_etag(etag_, "upsert");
        if (!w.fault) w.fault = fault_of(encode_names(w.entity));
        return w;
    }

private:
    result<void> encode_names(encoded_entity& to) {
        dynamic_entity merged{key_.partition_key, key_.row_key};
        for (std::size_t i = 0; i < cells_.size(); ++i) {
            auto text = cells_[i].property();
            if (!text) return failure{text.error()};
            merged.set(names_[i], *std::move(text));
        }
        return detail::encode(merged, to);
    }

    entity_key key_;
    tablemap::etag etag_;
    std::vector<std::string> names_{};
    std::deque<sealed_cell> cells_{};  // they are pointed to
};

/// One run of `reencrypt_large`.
class large_reencryption {
public:
    large_reencryption(large_state_ptr table, rewrite_options const& options, environment const& env)
        : table_(std::move(table)), options_(options), env_(env) {}

    task<result<rewrite_report>> run() {
        query_page const what{.table = table_->rows->name, .current = true};
        page_reading pages{what, env_};
        while (!fault_ && !pages.ended()) {
            auto rows = co_await pages.next_rows();
            if (!rows) co_return failure{ended(rows.error())};
            for (auto& row : *rows)
                if (!fault_ && !is_permit_key(row.row_key)) co_await settle(row);
            if (!fault_ && options_.progress) options_.progress(report_);
        }
        if (fault_) co_return failure{ended(*fault_)};
        co_return std::move(report_);
    }

private:
    error ended(error const& why) const { return changed_something_ ? why.with(outcome::in_doubt) : why; }

    /// Stores the values of a row anew; of the row as it is then, if others write it meanwhile.
    task<> settle(stored_entity& row) {
        is_settled_ = false;
        for (int tries = 1; !fault_ && !is_settled_; ++tries) {
            auto const current = current_key();
            if (!current) co_return;
            old_values values{row, *current};
            if (values.empty()) {
                if (tries > 1) take_done_by_others();
                co_return;
            }
            auto const began = env_.now();
            auto const written = co_await write_large(table_, values, values);
            take(written);
            if (written || fault_) co_return;
            co_await read_again(row, written.error(), tries);
            if (!fault_ && !is_settled_) co_await wait(tries, env_.now() - began, written.error());
        }
    }

    /// Counts a row that was written. Sets `fault_` if the error would meet the next rows as well.
    void take(result<void> const& written) {
        changed_something_ = changed_something_ || written || written.error().outcome() != outcome::not_applied;
        if (written) ++report_.rewritten;
        if (!written && is_conflict(written.error())) return;
        auto const fault = written ? std::nullopt : std::optional{written.error()};
        if (!faults_.go_on_after(fault)) fault_ = fault;
    }

    /// Such an error says nothing about the next rows.
    static bool is_conflict(error const& e) { return is_overtaken(e) || e.code() == library_errc::too_many_conflicts; }

    void take_done_by_others() {
        ++report_.done_by_others;
        static_cast<void>(faults_.go_on_after(std::nullopt));
    }

    /// Leaves the other writers of a row time between two tries.
    task<> wait(int tries, std::chrono::nanoseconds took, error const& why) {
        auto const until = next_try(tries_of_a_row, tries, took, why, env_);
        if (until)
            co_await pause_until(*until);
        else
            fault_ = until.error();
    }

    /// Sets `is_settled_` if the row is gone, or is left as it is.
    task<> read_again(stored_entity& row, error const& why, int tries) {
        is_settled_ = true;
        request const what = get_entity{table_->rows->name, row.partition_key, row.row_key, {}, true};
        auto answer = co_await ask(what);
        if (is_absent(answer)) co_return take_done_by_others();
        auto read = answer.ok() ? read_dynamic(answer.body) : result<stored_entity>{failure{*answer.failure}};
        if (!read) {
            fault_ = read.error();
            co_return;
        }
        if (read->etag.empty()) read->etag = std::move(answer.etag);
        if (read->etag == row.etag || tries >= tries_of_a_row.attempts) {
            report_.refused.push_back({row.partition_key, row.row_key, why});
            co_return;
        }
        row = *std::move(read);
        is_settled_ = false;
    }

    std::optional<std::string> current_key() {
        auto const key = table_->rows->store->context().keys->current();
        if (key) return key->id();
        fault_ = key.error();
        return std::nullopt;
    }

    large_state_ptr table_;
    rewrite_options const& options_;
    environment const& env_;
    met_faults faults_{};
    bool is_settled_ = false;
    bool changed_something_ = false;  ///< or may have
    rewrite_report report_{};
    std::optional<error> fault_{};  ///< ends the whole
};

}  // namespace

task<result<rewrite_report>> reencrypt_large(large_state_ptr table, rewrite_options options) {
    auto const call = co_await this_call();
    large_reencryption all{std::move(table), options, call.env};
    auto report = co_await all.run();
    co_return report;
}

}  // namespace tablemap::detail
