// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/mapping/encode.hpp"
#include "tablemap/mapping/decode.hpp"

#include "unit/mapping/samples.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

// This executable counts every allocation of the thread that runs the tests.
namespace {
thread_local std::size_t allocations = 0;

void* counted(std::size_t size) noexcept {
    ++allocations;
    return std::malloc(size == 0 ? 1 : size);
}

void* counted_or_throw(std::size_t size) {
    if (void* p = counted(size)) return p;
    throw std::bad_alloc{};
}
}  // namespace

void* operator new(std::size_t size) { return counted_or_throw(size); }
void* operator new[](std::size_t size) { return counted_or_throw(size); }
void* operator new(std::size_t size, std::nothrow_t const&) noexcept { return counted(size); }
void* operator new[](std::size_t size, std::nothrow_t const&) noexcept { return counted(size); }
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }

namespace {

using namespace tablemap;
using test::employee;

template <class F> std::size_t allocations_of(F f) {
    auto const before = allocations;
    f();
    return allocations - before;
}

employee long_texts(int id) {
    return {.department = "a department that no small string holds",
            .id = id,
            .name = "a name that no small string holds either",
            .photo = bytes(100)};
}

constexpr std::size_t own_allocations = 3;  // department, name and photo

std::string page_of(int rows) {
    std::string page = R"({"value":[)";
    for (int i = 0; i < rows; ++i) {
        detail::encoded_entity e;
        if (!detail::encode(long_texts(i), e)) return {};
        e.body.insert(1, R"("odata.etag":"W/\"datetime'2021-09-21T00%3A54%3A13.4428552Z'\"",)");
        page += (i == 0 ? "" : ",") + e.body;
    }
    return page + "]}";
}

TEST(decoding_a_page, allocates_once_per_entity_beside_its_own_texts) {
    constexpr std::size_t rows = 500;
    constexpr std::size_t of_the_page = 8;
    auto page = page_of(rows);
    auto warm = page;
    std::vector<entity<employee>> out;
    std::vector<detail::bad_row_at> bad;
    ASSERT_TRUE(detail::decode_page(warm, out, bad)) << "the reader's own buffers are kept from page to page";
    out.clear();
    out.reserve(rows);
    auto const count = allocations_of([&] { ASSERT_TRUE(detail::decode_page(page, out, bad)); });
    ASSERT_EQ(out.size(), rows);
    ASSERT_EQ(out.back().value, long_texts(rows - 1));
    EXPECT_LE(count, rows * (own_allocations + 1) + of_the_page) << "one more than its own: the etag";
    EXPECT_GE(count, rows * own_allocations) << "the counter counts";
}

TEST(encoding, allocates_nothing_in_buffers_that_are_large_enough) {
    auto const value = long_texts(1);
    detail::encoded_entity e;
    ASSERT_TRUE(detail::encode(value, e));
    EXPECT_EQ(allocations_of([&] { ASSERT_TRUE(detail::encode(value, e)); }), 0u);
}

}  // namespace
