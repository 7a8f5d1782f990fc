// SPDX-License-Identifier: Apache-2.0
#include "tablemap/mapping/converters/url.hpp"

#include "support/answers.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace {

using namespace tablemap;
using test::failed_with;

using namespace std::string_view_literals;

TEST(url, takes_absolute_urls_as_they_are) {
    for (std::string_view const text :
         {"https://example.com", "HTTP://Example.COM:8080/a/b;c=1/?q=a/b?c&d=%20#top", "ftp://user:pa%3Ass@host/",
          "file:///etc/hosts", "FILE:///etc", "file://server/share", "ws+unix.1://h", "http://[::1]:80/",
          "http://[2001:db8::192.0.2.1]", "http://[v1.a:b]/", "http://192.0.2.1:/", "http://h?q", "http://h#",
          "http://h/~a!$&'()*+,;=:@", "http://a_b.c%C3%A9/"}) {
        auto const r = url::parse(text);
        ASSERT_TRUE(r) << text << ": " << r.error().what();
        EXPECT_EQ(r->text(), text);
    }
}

TEST(url, refuses_other_text) {
    std::string_view const texts[] = {"",
                                      "example.com",
                                      "/a/b",
                                      "//host/a",
                                      "mailto:a@b.c",
                                      "http:/host",
                                      "http:host",
                                      "://host",
                                      "1http://h",
                                      "ht tp://h",
                                      "ht_tp://h",
                                      "http://",
                                      "http:///path",
                                      "http://:80/",
                                      "file://:80/",
                                      "http://user@/",
                                      "http://h:8o/",
                                      "http://h:80:90/",
                                      "http://[::1/",
                                      "http://[::1]x/",
                                      "http://[::1%25eth0]/",
                                      "http://[1.2.3.4]/",
                                      "http://[]/",
                                      "http://[v.a]/",
                                      "http://[v1.]/",
                                      "http://[::1\0]/"sv,
                                      "http://a@b@c/",
                                      "http://h/a b",
                                      "http://h/<>",
                                      "http://h/\"",
                                      "http://h/\\",
                                      "http://h/^",
                                      "http://h/`",
                                      "http://h/{}",
                                      "http://h/|",
                                      "http://h/[a]",
                                      "http://h/?[",
                                      "http://h/#a#b",
                                      "http://h/%",
                                      "http://h/%2",
                                      "http://h/%2g",
                                      "http://h%zz/",
                                      "http://h\xC3\xA9/",
                                      "http://h/\n",
                                      "http://h/\0"sv,
                                      "http://h/\x7F",
                                      " http://h",
                                      "http://h "};
    for (auto const text : texts) EXPECT_TRUE(failed_with(url::parse(text), library_errc::type_mismatch)) << text;
}

TEST(url, names_no_value_in_its_errors) {
    for (std::string_view const text : {"secret", "http://secret@h x/", "http://h/secret x"})
        EXPECT_EQ(std::string{url::parse(text).error().what()}.find("secret"), std::string::npos) << text;
}

TEST(url, compares_by_text) {
    EXPECT_EQ(*url::parse("http://h/a"), *url::parse("http://h/a"));
    EXPECT_NE(*url::parse("http://h/a"), *url::parse("http://H/a"));
}

TEST(url, is_stored_as_its_text) {
    EXPECT_EQ(*detail::convert_to(*url::parse("http://h/%7e")), "http://h/%7e");
    EXPECT_EQ(detail::convert_from<url>("http://h/%7e")->text(), "http://h/%7e");
    EXPECT_TRUE(failed_with(detail::convert_from<url>("h/a"), library_errc::type_mismatch));
}

TEST(url, cannot_be_stored_empty) {
    EXPECT_TRUE(url{}.empty());
    EXPECT_TRUE(failed_with(detail::convert_to(url{}), library_errc::value_out_of_range));
}

}  // namespace
