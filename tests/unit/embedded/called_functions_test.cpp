// SPDX-License-Identifier: Apache-2.0
#include "unit/embedded/fixture.hpp"

#include "support/bulk_rows.hpp"
#include "support/calling_receiver.hpp"

#include <future>
#include <latch>
#include <list>
#include <optional>
#include <string>

namespace tablemap::test {
namespace {

/// Functions that a durable store calls with its responses.
class called_functions : public embedded_file {
protected:
    void SetUp() override { items_.create(); }

    /// Twelve groups.
    bool write_bulk() const {
        bulk_writer<bulk_item> w{items_, {}, {}};
        for (int p = 0; p < 12; ++p)
            for (int i = 0; i < 100; ++i) w.upsert_replace({std::to_string(p), std::to_string(i), i});
        return w.finish().complete();
    }

    /// Sends a request, whose function writes a bulk as soon as that of the other one has been called.
    std::future<bool> send(request const& r) {
        auto& called = calls_.emplace_back();
        auto const f = [&](auto&) {
            both_.arrive_and_wait();
            called.complete.set_value(write_bulk());
        };
        store_->async_execute(r, none_, called.to.emplace(f));
        return called.complete.get_future();
    }

private:
    struct call {
        std::promise<bool> complete{};
        std::optional<calling_receiver> to{};
    };

    call_options const none_{};
    std::latch both_{2};
    std::list<call> calls_{};
    store_ptr store_ = value_or_throw(open_embedded({.path = path()}));
    table<bulk_item> items_{store_, "Items"};
};

TEST_F(called_functions, write_bulks_on_all_threads_of_the_store) {
    request const read = get_entity{"Items", "p", "i_r"};
    request const write = write_entity{"Items", {}};
    auto after_read = send(read);
    auto after_write = send(write);
    EXPECT_TRUE(after_read.get());
    EXPECT_TRUE(after_write.get());
}

}  // namespace
}  // namespace tablemap::test
