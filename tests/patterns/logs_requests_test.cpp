// SPDX-License-Identifier: Apache-2.0
#include "patterns/requests.hpp"
#include "support/log_samples.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/testing/faulty_store.hpp"

namespace tablemap::test {
namespace {

using std::chrono::days;
using tablemap::testing::fault;
using tablemap::testing::faulty_store;

class logs_page : public ::testing::Test {
protected:
    std::unique_ptr<log_writer> writer(store_ptr s) const {
        return std::make_unique<log_writer>(std::move(s), "logs", requests_log(),
                                            on_july_31(18, {.buffer_bytes = 12U << 20U}));
    }
    void write(log_writer& w, ticks at, std::size_t mebibytes = 0) {
        w.write_at(at, "x");
        for (std::size_t i = 0; i < mebibytes; ++i) w.write_at(at, std::string((1U << 20U) - 1, 'x'));
    }
    void flush(log_writer& w, int hour) {
        write(w, july_31(hour));
        w.flush();
    }
    template <class Span> void list(Span const& when) { static_cast<void>(reader.files(when)); }

    std::shared_ptr<faulty_store> faulty =
        std::make_shared<faulty_store>(value_or_throw(open_embedded({.path = ":memory:"})));
    std::shared_ptr<keeping_observer> seen = std::make_shared<keeping_observer>();
    store_ptr observed = with_observer(faulty, seen);
    log_reader reader{observed, "logs", requests_log()};
};

TEST_F(logs_page, says_how_many_requests_operations_take) {
    auto const first = writer(observed), second = writer(observed), third = writer(observed);
    expect_requests("patterns/logs.md", *seen,
                    {{"write", [&] { write(*first, july_31(17)); }},
                     {"the first `flush` of a container", [&] { first->flush(); }},
                     {"the first `flush` of a period", [&] { flush(*first, 18); }},
                     {"`flush` of a file that is there", [&] { flush(*first, 18); }},
                     {"`flush` of 10 MiB of lines",
                      [&] {
                          write(*first, july_31(18), 10);
                          first->flush();
                      }},
                     {"`flush` without lines", [&] { first->flush(); }},
                     {"the first `flush` of a second writer in the same period", [&] { flush(*second, 18); }},
                     {"the first `flush` of a third writer in the same period", [&] { flush(*third, 18); }},
                     {"`flush` whose response was lost, without a retry policy",
                      [&] {
                          faulty->fail_next(fault::lost_after);
                          flush(*first, 18);
                      }},
                     {"`flush` whose request was lost, without a retry policy",
                      [&] {
                          faulty->fail_next(fault::lost_before);
                          flush(*first, 18);
                      }},
                     {"`files` of an hour", [&] { list(since(july_31(18)).before(july_31(19))); }},
                     {"`files` of a day", [&] { list(since(july_31(0)).before(july_31(24))); }},
                     {"`files` of three days", [&] { list(since(july_31(0)).before(july_31(0) + days{3})); }},
                     {"`files` of two months", [&] { list(since(july_31(0)).before(july_31(0) + days{32})); }},
                     {"`files` of all time", [&] { list(period<>{}); }},
                     {"`lines` of an hour with two files", [&] {
                          for (int i = 0; i < 2; ++i) flush(*writer(faulty), 21);  // nobody counts these
                          EXPECT_EQ(texts_of(reader.lines(since(july_31(21)).before(july_31(22)))).size(), 2U);
                      }}});
}

}  // namespace
}  // namespace tablemap::test
