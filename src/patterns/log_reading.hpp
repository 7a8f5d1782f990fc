// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "patterns/log_names.hpp"
#include "tablemap/detail/store/page_progress.hpp"
#include "tablemap/detail/store/task.hpp"
#include "tablemap/store/options.hpp"
#include "tablemap/store/store.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

/// Finding the files of a log, and reading their lines.
namespace tablemap::inline v0_1::detail {

/// The place of a log.
struct log_source {
    store_ptr store;
    std::string container;
    log_names names;
    line_breaks breaks;
};

/// The files of a span, in order, one page of a list after the other. The source is borrowed.
class log_listing {
public:
    log_listing(log_source const& source, rolling_span const& span)
        : source_(source), span_(span), prefixes_(source.names.prefixes(span)) {}

    bool ended() const noexcept { return !next_ && at_ == prefixes_.size(); }

    /// The files of the next page, which may have none.
    task<result<std::vector<log_file>>> page();

private:
    task<result<void>> go_on(std::optional<std::string> const& next, bool is_empty);

    log_source const& source_;
    rolling_span span_;
    std::vector<std::string> prefixes_;
    std::size_t at_ = 0;                 ///< the prefix that is listed next
    std::optional<std::string> next_{};  ///< the next page of the prefix before
    page_progress progress_{};
};

/// All files of a span.
task<result<std::vector<log_file>>> log_files_of(log_source const& source, rolling_span span);

/// The lines of a span; see `log_lines`.
class log_lines_reading {
public:
    /// Precondition: the options were checked.
    log_lines_reading(std::shared_ptr<log_source const> source, rolling_span const& span, line_options&& how,
                      call_options const& o);

    /// The next line if no request is needed for it; else nothing.
    result<std::optional<logged_line>> take_line();

    /// The next line, or nothing at the end.
    task<result<std::optional<logged_line>>> read_line();

    log_source const& source() const noexcept { return *source_; }
    call_options const& options() const noexcept { return options_; }
    std::optional<log_position> const& position() const noexcept { return position_; }

private:
    /// The file that is read.
    struct open_file {
        std::string name{};
        std::uint64_t size = 0;  ///< as far as it is known
        std::uint64_t read = 0;  ///< the end of `text_`
    };

    task<result<void>> fetch();
    task<result<void>> list();
    task<result<void>> read_part();
    result<void> open_next();
    void drop_file();
    result<std::optional<logged_line>> take(std::size_t length, std::size_t break_length);
    result<void> check_length(std::size_t length) const;

    std::shared_ptr<log_source const> source_;
    line_options how_;
    call_options options_;
    log_listing listing_;
    std::deque<log_file> files_{};
    std::optional<open_file> file_{};
    std::string text_{};        ///< of the file, up to `file_->read`
    std::size_t at_ = 0;        ///< the lines of the text before it were taken
    std::size_t searched_ = 0;  ///< there is no line break between `at_` and it
    std::optional<log_position> position_{};
};

}  // namespace tablemap::detail
