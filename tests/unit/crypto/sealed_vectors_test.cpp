// SPDX-License-Identifier: Apache-2.0
#include "support/vectors.hpp"
#include "vectors/sealed_vector.hpp"

#include "tablemap/crypto/key_ring.hpp"

#include <gtest/gtest.h>

// Values that another implementation of the format made: tests/vectors/make_sealed_vectors.py.
namespace {

using namespace tablemap;
using test::hex;

TEST(sealed_vectors, open_as_they_were_made) {
    auto const vectors = test::parse_sealed_vectors(test::read_vectors("sealed_v1.txt"));
    ASSERT_GE(vectors.size(), 20U);
    for (auto const& v : vectors) {
        key_ring ring;
        ring.add(v.key());
        auto const opened = detail::open_sealed(ring, v.place(), v["sealed"]);
        ASSERT_TRUE(opened) << opened.error().what() << ": " << v.text("plain");
        EXPECT_EQ(opened->type, v.type());
        EXPECT_EQ(hex(opened->plain), hex(v["plain"]));
        EXPECT_EQ(v["sealed"].size(), detail::sealed_size(v["plain"].size(), v["id"].size()));
        auto const hash = detail::blind_hash(v.key(), v.text("table"), v.text("property"), v.type(), v["plain"]);
        EXPECT_EQ(hex(*hash), hex(v["hash"]));
    }
}

}  // namespace
