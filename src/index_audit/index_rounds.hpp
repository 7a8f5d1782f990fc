// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "index_checks.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

/// The requests of many checks at once.
namespace tablemap::inline v0_1::detail {

class index_rounds {
public:
    /// Borrowed.
    explicit index_rounds(audit& all) : all_(all) {}

    void add(std::unique_ptr<index_check> c) { checks_.push_back(std::move(c)); }
    void clear() noexcept { checks_.clear(); }

    /// The next requests, each of one or more checks; none if nothing is left to do. First all reads, then what is to
    /// be written, as much of it as fits into each group.
    std::span<request const> ask();

    /// Takes the responses to them.
    void answered(std::span<response> answers);

private:
    void ask_reads(std::size_t most);
    void ask_writes(std::size_t most);
    std::size_t bytes_of(std::span<write_operation const> operations) const;
    bool joins_group(std::vector<write_operation>& group, std::size_t& bytes);
    void answered_group(std::size_t group, response const& answer);

    audit& all_;
    std::vector<std::unique_ptr<index_check>> checks_{};
    std::vector<std::vector<std::size_t>> asked_{};  ///< the checks of each request
    std::vector<std::vector<write_operation>> groups_{};
    std::vector<write_operation> own_{};  ///< of one check
    std::vector<request> requests_{};
};

}  // namespace tablemap::detail
