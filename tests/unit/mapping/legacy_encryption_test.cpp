// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/mapping/legacy_encryption.hpp"

#include "tablemap/crypto/legacy_keys.hpp"

#include "support/answers.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace {

using namespace tablemap;
using detail::legacy_value;
using test::failed_with;

bytes base64(std::string_view text) {
    bytes b;
    if (!detail::parse_base64(text, b)) throw std::invalid_argument{"no base64"};
    return b;
}

legacy_keys key_of_the_vectors() {
    bytes key(32);
    for (std::size_t i = 0; i < key.size(); ++i) key[i] = static_cast<std::byte>(i);
    legacy_keys keys;
    keys.add("local:key1", key);
    return keys;
}

/// A row of an older client: written by Python's, and computed from the sources of .NET's and Java's.
struct client_row {
    std::string wrapping;  ///< the name of its library in the metadata
    std::string metadata2;
    std::map<std::string, std::string, std::less<>> stored;

    std::string protocol = "1.0";
    std::string agent = "AES_CBC_256";
    std::string key_id = "local:key1";
    std::string algorithm = "A256KW";
    std::string wrapped = "C39XATKWENRbLHDRNt4RmCeYYf3TMsv2GfZQ77k1h591eL1YPFOU2g==";
    std::string iv = "EBESExQVFhcYGRobHB0eHw==";
    std::string partition_key = "part-1";
    std::string row_key = "row-1";

    std::string metadata1() const {
        return R"({"WrappedContentKey":{"KeyId":")" + key_id + R"(","EncryptedKey":")" + wrapped +
               R"(","Algorithm":")" + algorithm + R"("},"EncryptionAgent":{"Protocol":")" + protocol +
               R"(","EncryptionAlgorithm":")" + agent + R"("},"ContentEncryptionIV":")" + iv + "\"" + wrapping + "}";
    }

    result<std::vector<legacy_value>> open(legacy_keys const& keys = key_of_the_vectors()) const {
        auto const of_list = base64(metadata2);
        return detail::open_legacy_row(
            keys, {partition_key, row_key, metadata1(), of_list, [&](std::string_view name) -> std::optional<bytes> {
                       auto const at = stored.find(name);
                       if (at == stored.end()) return std::nullopt;
                       return base64(at->second);
                   }});
    }
};

client_row const dotnet{R"(,"KeyWrappingMetadata":{"EncryptionLibrary":".NET 9.3.2"})",
                        "jy7Lv759E/dDhVKmLYP1U+StUoewab+stDosotnH6JU=",
                        {{"Secret", "ZSUwmVFa1A+C18oWx2s+9w=="}, {"Empty", "Tqg7P1r8+zdBsa36jH2HRg=="}}};

client_row const python{R"(,"KeyWrappingMetadata":{"EncryptionLibrary":"Python 0.36.0"})",
                        "MF3Tlqghfv9j6nZdRDkPaQ0VGjV52IV//dEqH1LdxsM=", dotnet.stored};

client_row const java{R"(,"KeyWrappingMetadata":{"EncryptionLibrary":"Java 8.6.6"})",
                      "mSF9KPl9fq9WtF1nrkSZXA==",
                      {{"Secret", "zvRfu48ZqFtg91gqvnxgiA=="}, {"Empty", "i8H2hTFaLtsUldbgek1ZTA=="}}};

std::vector<legacy_value> const plain{{"Secret", "Hello, 世界"}, {"Empty", ""}};

TEST(legacy_row, of_each_client_opens) {
    EXPECT_EQ(*dotnet.open(), plain);
    EXPECT_EQ(*python.open(), plain);
    EXPECT_EQ(*java.open(), plain);
}

TEST(legacy_row, of_early_clients_is_told_by_what_it_lacks) {
    auto early_dotnet = dotnet;
    early_dotnet.wrapping = R"(,"KeyWrappingMetadata":{})";
    EXPECT_EQ(*early_dotnet.open(), plain);
    for (auto const* wrapping : {"", R"(,"KeyWrappingMetadata":null)"}) {
        auto early_java = java;
        early_java.wrapping = wrapping;
        EXPECT_EQ(*early_java.open(), plain);
    }
}

TEST(legacy_row, skips_listed_properties_that_it_lacks) {
    auto row = dotnet;
    row.stored.erase("Secret");
    EXPECT_EQ(*row.open(), (std::vector<legacy_value>{{"Empty", ""}}));
}

TEST(legacy_row, says_the_same_of_all_that_the_cipher_refuses) {
    bytes const other_key(32, std::byte{7});
    legacy_keys other;
    other.add("local:key1", other_key);
    auto const first = dotnet.open(other);
    ASSERT_TRUE(failed_with(first, library_errc::unreadable_legacy_row));

    std::vector<client_row> rows(7, dotnet);
    rows[0].stored["Secret"] = "ZSUwmVFa1A+C18oWx2s+9g==";
    rows[1].stored["Secret"] = "ZSUwmVFa1A+C18oWx2s+";
    rows[2].metadata2 = "jy7Lv759E/dDhVKmLYP1U+StUoewab+stDosotnH6JQ=";
    rows[3].row_key = "row-2";
    rows[4].wrapped = "D39XATKWENRbLHDRNt4RmCeYYf3TMsv2GfZQ77k1h591eL1YPFOU2g==";
    rows[5].algorithm = "ROT13";
    rows[6].wrapping = "";  // as Java's
    for (auto const& row : rows) {
        auto const refused = row.open();
        ASSERT_FALSE(refused);
        EXPECT_TRUE(refused.error() == first.error()) << refused.error().what();
    }
}

TEST(legacy_row, of_an_unknown_key_says_so) {
    EXPECT_TRUE(failed_with(dotnet.open(legacy_keys{}), library_errc::unknown_encryption_key));
}

TEST(legacy_row, of_another_format_says_so) {
    std::vector<client_row> rows(6, dotnet);
    rows[0].protocol = "2.0";
    rows[1].agent = "AES_GCM_256";
    rows[2].key_id = "";
    rows[3].wrapped = "no base64";
    rows[4].iv = "EBESExQVFhcYGRobHB0e";
    rows[5].wrapping = ",";  // no JSON
    for (auto const& row : rows) {
        auto const refused = row.open();
        ASSERT_TRUE(failed_with(refused, library_errc::unreadable_legacy_row));
        EXPECT_NE(std::string{refused.error().what()}.find("version 1.0"), std::string::npos);
    }
}

TEST(legacy_row, errors_hold_nothing_of_the_row) {
    auto row = dotnet;
    row.row_key = "row-2";
    EXPECT_EQ(std::string{row.open().error().what()}.find("row-2"), std::string::npos);
}

}  // namespace
