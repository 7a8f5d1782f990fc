// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/patterns/rolling_span.hpp"
#include "tablemap/detail/store/service_call.hpp"
#include "tablemap/patterns/log_options.hpp"
#include "tablemap/store/options.hpp"
#include "tablemap/store/store.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

/// The calls of asynchronous writers and readers of logs. They own what they borrow from.
namespace tablemap::inline v0_1::detail {

class shared_log;
using shared_log_ptr = std::shared_ptr<shared_log>;

/// A writer for operations that wait for their turns without blocking. When the last owner is gone, lines that wait are
/// lost: `log_options::on_lost` receives them.
///
/// Errors (thrown): as the constructor of `async_log_writer`.
shared_log_ptr open_shared_log(store_ptr s, std::string const& container, log_format const& f, log_options&& o);

service_call<line_outcome> write_call(shared_log_ptr const& log, std::optional<ticks> time, std::string line);
service_call<void> flush_call(shared_log_ptr const& log);
service_call<void> close_call(shared_log_ptr const& log);
service_call<log_status> status_call(shared_log_ptr const& log);

struct log_source;
class log_lines_reading;

service_call<std::vector<log_file>> files_call(std::shared_ptr<log_source const> source, rolling_span const& span);

/// Errors (thrown): as `log_reader::lines`.
std::shared_ptr<log_lines_reading> read_lines(std::shared_ptr<log_source const> source, rolling_span const& span,
                                              line_options&& how, call_options const& o);
service_call<std::optional<logged_line>> next_line_call(std::shared_ptr<log_lines_reading> lines);
call_options const& call_options_of(log_lines_reading const& lines) noexcept;
std::optional<log_position> position_of(log_lines_reading const& lines);

}  // namespace tablemap::detail
