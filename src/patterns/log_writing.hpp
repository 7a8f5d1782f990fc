// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "patterns/log_sender.hpp"
#include "tablemap/store/store.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tablemap::inline v0_1::detail {

/// Errors: `library_errc::value_out_of_range` for an option that cannot be used by any writer.
result<void> check_options(log_options const& o);

/// The writer of a log, for one operation at a time.
class log_writing {
public:
    /// Precondition: the options were checked. Errors (thrown): `service_errc::invalid_resource_name`.
    log_writing(store_ptr s, std::string container, log_format const& f, log_options&& o);

    store_ptr const& store() const noexcept { return store_; }
    std::string const& container() const noexcept { return container_; }
    log_options const& options() const noexcept { return options_; }
    log_buffer const& waiting() const noexcept { return waiting_; }

    /// The time of a line that is written with this time or without one.
    ticks time_of(std::optional<ticks> given) const { return given ? *given : options_.now(); }

    /// Takes a line, or returns nothing if the buffer has to be flushed before. Errors: those of `log_writer::write`.
    result<std::optional<line_outcome>> take(ticks time, std::string_view line);

    /// Writes the lines that wait. `*this` is borrowed.
    task<result<void>> flush() { return sender_.flush(waiting_); }

    /// Takes no more lines.
    void close() noexcept { closed_ = true; }

    log_status status() const;

    /// Passes the lines that still wait to `log_options::on_lost`. What that throws passes through.
    void lose(error const& why) const;

private:
    result<std::optional<line_outcome>> take_checked(ticks time, std::string_view line);
    result<void> check(ticks time) const;

    store_ptr store_;
    std::string container_;
    line_breaks breaks_;
    log_options options_;
    log_names names_;
    log_buffer waiting_;
    log_sender sender_;
    std::optional<ticks> newest_{};  ///< the period of the newest line
    std::uint64_t refused_ = 0;
    bool closed_ = false;
};

}  // namespace tablemap::detail
