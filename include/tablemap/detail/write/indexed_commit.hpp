// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/store/operation.hpp"
#include "tablemap/detail/write/indexed_group.hpp"

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace tablemap::inline v0_1::detail {

/// A transaction of which some entities have rows in indexes: their entities are read at once, then those rows of
/// unique indexes that are to change or to go, then everything goes in one group under the etags that were read. Where
/// a write of any version met another one, or a row of an index was changed meanwhile, all is repeated; so it is, once,
/// after a lost response if all writes are of any version.
class indexed_commit {
public:
    /// A write of the transaction, borrowed; its body may grow in capacity.
    struct part {
        encoded_write* write;
        std::vector<companion> const* implied;  ///< the rows of an insert
    };

    /// All is borrowed; the cipher may be null.
    indexed_commit(std::string_view table, capabilities const& can, property_cipher const* cipher,
                   std::vector<part> parts);

    step start(environment const& env) { return read(env); }
    step resume(environment const& env, std::span<response> answers);

    /// Etags by position. Errors: with the position of the write at fault as `failed_index()`.
    response take();

private:
    enum class state { reading, looking, writing, waiting };

    step read(environment const& env);
    step plan(std::span<response> reads);
    std::optional<error> plan_all(std::span<response> reads);
    std::optional<error> make_group();
    std::optional<error> check_limits() const;
    step look();
    step after_looks(std::span<response> answers);
    step send();
    step after_write(environment const& env, response& answer);
    step after_loss(environment const& env, error const& loss);
    bool any_holds_our_id(std::span<response> reads) const;
    step succeed_with(std::vector<etag> etags);
    step wait_until(time_point t);
    step fail_with(error const& e);

    std::string_view table_;
    capabilities const& can_;
    property_cipher const* cipher_;
    std::vector<part> parts_;
    state at_ = state::reading;
    time_point began_{};
    int tries_ = 0;
    bool lost_ = false;  ///< a response to the group
    std::vector<request> reads_{};
    std::vector<write_plan> plans_{};  ///< of each part
    indexed_group group_{};
    request sent_{};
    response answer_{};
};

}  // namespace tablemap::detail
