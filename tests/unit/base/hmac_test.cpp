// SPDX-License-Identifier: Apache-2.0
// Test cases 1, 2 and 6 of RFC 4231; the numbers modulo m were computed with another program.
#include "core/base/hmac.h"

#include <gtest/gtest.h>

namespace lacuna::base {
namespace {

TEST(Hmac, KnownVectors) {
  EXPECT_EQ(Hmac(std::string(20, '\x0b')).hex("Hi There"),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  EXPECT_EQ(Hmac("Jefe").hex("what do ya want for nothing?"),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  EXPECT_EQ(Hmac(std::string(131, '\xaa'))
                .hex("Test Using Larger Than Block-Size Key - Hash Key "
                     "First"),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

TEST(Hmac, ReducesAll256Bits) {
  const Hmac hmac("0123456789abcdef");
  EXPECT_EQ(hmac.reduced("person 1", 100'000'000), 66'551'118U);
  EXPECT_EQ(hmac.reduced("person 1", 256), 78U);
  EXPECT_NE(Hmac("0123456789abcdeg").reduced("person 1", 100'000'000), 66'551'118U);
}

}  // namespace
}  // namespace lacuna::base
