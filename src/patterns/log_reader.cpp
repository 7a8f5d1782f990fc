// SPDX-License-Identifier: Apache-2.0
#include "tablemap/patterns/log_reader.hpp"

#include "patterns/log_reading.hpp"
#include "tablemap/detail/patterns/log_calls.hpp"

#include <utility>

namespace tablemap::inline v0_1 {

log_lines::log_lines(std::shared_ptr<detail::log_lines_reading> impl) : impl_(std::move(impl)) {}
log_lines::log_lines(log_lines&&) noexcept = default;
log_lines& log_lines::operator=(log_lines&&) noexcept = default;
log_lines::~log_lines() = default;

result<std::optional<logged_line>> log_lines::try_next() {
    if (auto line = impl_->take_line(); line && *line) return line;
    return detail::run(*impl_->source().store, detail::next_line_call(impl_), impl_->options());
}

std::optional<log_position> log_lines::position() const { return impl_->position(); }

log_reader::log_reader(store_ptr s, std::string container, log_format f) {
    detail::log_names names{container, std::move(f.name), f.per};
    source_ = std::make_shared<detail::log_source const>(
        detail::log_source{std::move(s), std::move(container), std::move(names), f.breaks});
}

result<std::vector<log_file>> log_reader::list(detail::rolling_span const& span, call_options const& o) const {
    return detail::run(*source_->store, detail::files_call(source_, span), o);
}

log_lines log_reader::read(detail::rolling_span const& span, line_options&& how, call_options const& o) const {
    return log_lines{detail::read_lines(source_, span, std::move(how), o)};
}

}  // namespace tablemap
