// SPDX-License-Identifier: Apache-2.0
#include "tablemap/patterns/log_reader.hpp"

#include "patterns/log_reading.hpp"
#include "tablemap/detail/store/service_call.hpp"

#include <utility>

namespace tablemap::inline v0_1 {
namespace {

result<void> check_options(detail::log_source const& source, line_options const& how) {
    if (how.from && !source.names.parse(how.from->file))
        return fail(library_errc::invalid_cursor,
                    {.reason = "the position is in a blob that is no file of this log", .member = "from"});
    if (how.part_bytes >= 1 && how.part_bytes <= limits::block_bytes) return {};
    return fail(library_errc::value_out_of_range,
                {.reason = "a file is read in parts of 1 byte to 64 MiB", .member = "part_bytes"});
}

}  // namespace

log_lines::log_lines(std::unique_ptr<detail::log_lines_reading> impl) : impl_(std::move(impl)) {}
log_lines::log_lines(log_lines&&) noexcept = default;
log_lines& log_lines::operator=(log_lines&&) noexcept = default;
log_lines::~log_lines() = default;

result<std::optional<logged_line>> log_lines::try_next() { return impl_->next(); }
std::optional<log_position> log_lines::position() const { return impl_->position(); }

log_reader::log_reader(store_ptr s, std::string container, log_format f) {
    detail::log_names names{container, std::move(f.name), f.per};
    source_ = std::make_shared<detail::log_source const>(
        detail::log_source{std::move(s), std::move(container), std::move(names), f.breaks});
}

result<std::vector<log_file>> log_reader::list(detail::rolling_span const& span, call_options const& o) const {
    auto const& s = *source_;
    return detail::run(*s.store,
                       detail::service_call<std::vector<log_file>>{s.store, "list log files", s.container,
                                                                   detail::log_files_of(s, span)},
                       o);
}

log_lines log_reader::read(detail::rolling_span const& span, line_options&& how, call_options&& o) const {
    if (auto const good = check_options(*source_, how); !good) throw good.error().in("read log", source_->container);
    return log_lines{std::make_unique<detail::log_lines_reading>(source_, span, std::move(how), std::move(o))};
}

}  // namespace tablemap
