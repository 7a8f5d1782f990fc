// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "patterns/log_buffer.hpp"
#include "patterns/log_names.hpp"
#include "tablemap/detail/store/task.hpp"
#include "tablemap/store/response.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace tablemap::inline v0_1::detail {

/// Writes the blocks of one `log_writer`, in order, each exactly once.
///
/// Only this object appends to its file, so the size of the file tells what became of an append whose response was
/// lost: it has grown by the bytes of the block, or it has not. In the second case the append may still be under way.
/// The same bytes are sent again under the same condition, so that only one of both can be carried out.
class log_sender {
public:
    struct settings {
        std::string container;
        log_names names;
        std::uint64_t file_bytes = 0;
        std::size_t file_appends = 0;
        std::string content_type{};
    };

    struct open_file {
        std::string name{};
        ticks period{};
        std::uint64_t size = 0;
        std::size_t appends = 0;
    };

    explicit log_sender(settings s) : settings_(std::move(s)) {}

    /// Removes what is stored from the buffer, which is borrowed. After an error, the rest is left.
    task<result<void>> flush(log_buffer& waiting);

    /// The file that was written last; nothing before the first.
    std::optional<open_file> const& last_file() const noexcept { return last_; }
    std::uint64_t written_lines() const noexcept { return written_; }

    /// The reason why nothing can be written any more.
    std::optional<error> const& broken() const noexcept { return broken_; }

private:
    task<result<void>> send(log_block& block);
    task<response> append(log_block& block);
    task<result<bool>> is_stored(log_block& block);
    task<result<bool>> is_in_its_place(log_block& block);
    failure refused(error const& e);
    bool takes(log_block const& block) const noexcept;
    void grown_by(log_block const& block);

    task<result<void>> open(ticks period);
    task<result<bool>> create(ticks period);
    task<result<void>> create_container();
    task<result<void>> pass_taken_numbers(ticks period);

    /// The numbers of files in a period.
    struct numbering {
        ticks period{};
        std::uint32_t next = 1;
        std::uint32_t free_to = 1;  ///< the numbers from `next` to this one were free when they were listed
        bool made_container = false;
        int in_doubt = 0;  ///< creations in a row
    };

    settings settings_;
    std::optional<open_file> file_{};  ///< to which the next block is appended, if it fits
    std::optional<open_file> last_{};
    std::optional<error> broken_{};
    numbering numbers_{};
    std::uint64_t written_ = 0;
};

}  // namespace tablemap::detail
