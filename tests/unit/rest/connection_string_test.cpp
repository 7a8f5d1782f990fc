// SPDX-License-Identifier: Apache-2.0
#include "tablemap/rest/connection_string.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace {

using namespace tablemap;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr auto with_key = "AccountName=hr;AccountKey=c2VjcmV0IGtleQ==";

storage_account account(std::string const& text) {
    auto a = parse_storage_account(text);
    EXPECT_TRUE(a) << text << ": " << (a ? "" : a.error().what());
    return a ? *std::move(a) : storage_account{};
}

/// The reason of the error, without the code's message.
std::string complaint(std::string const& text, std::error_code code = library_errc::invalid_connection_string) {
    auto const a = parse_storage_account(text);
    if (a) return "accepted";
    EXPECT_EQ(a.error().code(), code) << text;
    return a.error().details().reason;
}

/// True if it signs as this key does.
bool has_key(storage_account const& a, std::string const& key) {
    auto const* c = std::get_if<shared_key_credential>(&*a.credential);
    return c && c->key.sign("text") == account_key{std::as_bytes(std::span{key})}.sign("text");
}

TEST(connection_string, of_an_account_leads_to_its_public_endpoint) {
    auto const a = account("DefaultEndpointsProtocol=https;AccountName=hrdata;AccountKey=AQID;"
                           "EndpointSuffix=core.windows.net");
    EXPECT_EQ(a.name, "hrdata");
    EXPECT_TRUE(has_key(a, "\1\2\3"));
    EXPECT_EQ(a.endpoint, (service_endpoint{{"https", "hrdata.table.core.windows.net", "443"}, ""}));
    EXPECT_EQ(a.secondary->origin.host, "hrdata-secondary.table.core.windows.net");
}

TEST(connection_string, without_protocol_and_suffix_means_https_and_the_public_cloud) {
    EXPECT_EQ(account("AccountName=hrdata;AccountKey=AQID").endpoint.url(), "https://hrdata.table.core.windows.net");
    EXPECT_EQ(account("DefaultEndpointsProtocol=http;AccountName=hrdata;AccountKey=AQID").endpoint.origin.port, "80");
    EXPECT_EQ(account("AccountName=hrdata;AccountKey=AQID;EndpointSuffix=core.chinacloudapi.cn").endpoint.url(),
              "https://hrdata.table.core.chinacloudapi.cn");
}

TEST(connection_string, for_development_is_the_emulator_with_its_well_known_account) {
    auto const a = account("UseDevelopmentStorage=true");
    EXPECT_EQ(a.name, "devstoreaccount1");
    EXPECT_TRUE(std::get<shared_key_credential>(*a.credential).key.valid());
    EXPECT_EQ(a.endpoint.url(), "http://127.0.0.1:10002/devstoreaccount1");
    EXPECT_EQ(a.secondary->url(), "http://127.0.0.1:10002/devstoreaccount1-secondary");
}

TEST(connection_string, for_development_takes_scheme_and_host_of_a_proxy) {
    auto const a = account("UseDevelopmentStorage=true;DevelopmentStorageProxyUri=http://build-host");
    EXPECT_EQ(a.endpoint.url(), "http://build-host:10002/devstoreaccount1");
}

TEST(connection_string, for_development_takes_the_port_of_a_proxy_or_the_emulators) {
    auto const origin = [](std::string const& proxy) {
        auto const a = account("UseDevelopmentStorage=true;DevelopmentStorageProxyUri=" + proxy);
        EXPECT_EQ(a.secondary->origin, a.endpoint.origin);
        return a.endpoint.url();
    };
    EXPECT_EQ(origin("http://build-host:20002"), "http://build-host:20002/devstoreaccount1");
    EXPECT_EQ(origin("http://[::1]:20002/"), "http://[::1]:20002/devstoreaccount1");
    EXPECT_EQ(origin("http://build-host:80"), "http://build-host/devstoreaccount1");
    EXPECT_EQ(origin("https://build-host"), "https://build-host:10002/devstoreaccount1");
    EXPECT_THAT(complaint("UseDevelopmentStorage=true;DevelopmentStorageProxyUri=http://x:0"), HasSubstr("its port"));
}

/// As docs/remote-stores.md prints it.
TEST(connection_string, of_the_emulator_can_be_written_out) {
    auto const written = account("DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;AccountKey="
                                 "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/"
                                 "KBHBeksoGMGw==;TableEndpoint=http://127.0.0.1:10002/devstoreaccount1");
    auto const known = account("UseDevelopmentStorage=true");
    EXPECT_EQ(written.name, known.name);
    EXPECT_EQ(written.endpoint, known.endpoint);
    auto const signature = [](storage_account const& a) {
        return std::get<shared_key_credential>(*a.credential).key.sign("x");
    };
    EXPECT_EQ(signature(written), signature(known));
}

TEST(connection_string, for_development_stands_alone) {
    EXPECT_THAT(complaint("UseDevelopmentStorage=true;AccountName=abc"), HasSubstr("AccountName cannot stand beside"));
    EXPECT_THAT(complaint("UseDevelopmentStorage=yes"), HasSubstr("can only be 'true'"));
    EXPECT_THAT(complaint("DevelopmentStorageProxyUri=http://x"), HasSubstr("needs UseDevelopmentStorage=true"));
    EXPECT_THAT(complaint("UseDevelopmentStorage=true;DevelopmentStorageProxyUri=x"), HasSubstr("must be a URL"));
    EXPECT_THAT(complaint("UseDevelopmentStorage=true;DevelopmentStorageProxyUri=http://x/y"), HasSubstr("no path"));
}

TEST(connection_string, may_name_endpoints) {
    auto const a = account("AccountName=devstoreaccount1;AccountKey=AQID;TableEndpoint=http://localhost:3000/"
                           "devstoreaccount1/;TableSecondaryEndpoint=http://[::1]:3001/x;FileEndpoint=anything");
    EXPECT_EQ(a.endpoint, (service_endpoint{{"http", "localhost", "3000"}, "/devstoreaccount1"}));
    EXPECT_EQ(a.secondary, (service_endpoint{{"http", "::1", "3001"}, "/x"}));
    EXPECT_EQ(a.secondary->url(), "http://[::1]:3001/x");
    EXPECT_FALSE(account("AccountName=abc;AccountKey=AQID;TableEndpoint=https://abc.example").secondary);
}

TEST(connection_string, leads_to_queues_and_blobs_as_to_tables) {
    auto const a = account("AccountName=hrdata;AccountKey=AQID;EndpointSuffix=core.chinacloudapi.cn");
    EXPECT_EQ(a.queues->url(), "https://hrdata.queue.core.chinacloudapi.cn");
    EXPECT_EQ(a.blobs->url(), "https://hrdata.blob.core.chinacloudapi.cn");
    auto const emulator = account("UseDevelopmentStorage=true");
    EXPECT_EQ(emulator.queues->url(), "http://127.0.0.1:10001/devstoreaccount1");
    EXPECT_EQ(emulator.blobs->url(), "http://127.0.0.1:10000/devstoreaccount1");
}

TEST(connection_string, may_name_the_endpoints_of_queues_and_blobs) {
    auto const a = account("AccountName=abc;AccountKey=AQID;TableEndpoint=http://localhost:3002/abc;"
                           "QueueEndpoint=http://localhost:3001/abc;BlobEndpoint=http://localhost:3000/abc/");
    EXPECT_EQ(a.queues->url(), "http://localhost:3001/abc");
    EXPECT_EQ(a.blobs->url(), "http://localhost:3000/abc");
    EXPECT_THAT(complaint("AccountName=abc;AccountKey=AQID;QueueEndpoint=x"),
                HasSubstr("QueueEndpoint must be a URL such as https://account.queue.core.windows.net"));
    EXPECT_THAT(complaint("AccountName=abc;AccountKey=AQID;BlobEndpoint=x"), HasSubstr("account.blob.core"));
}

TEST(connection_string, may_name_the_endpoints_of_queues_and_blobs_of_the_emulator) {
    auto const a = account("UseDevelopmentStorage=true;DevelopmentStorageProxyUri=http://build-host:20002;"
                           "QueueEndpoint=http://build-host:20001/devstoreaccount1");
    EXPECT_EQ(a.queues->url(), "http://build-host:20001/devstoreaccount1");
    EXPECT_FALSE(a.blobs);
    auto const usual = account("UseDevelopmentStorage=true;BlobEndpoint=http://build-host:20000/devstoreaccount1");
    EXPECT_EQ(usual.queues->url(), "http://127.0.0.1:10001/devstoreaccount1");
    EXPECT_EQ(usual.blobs->url(), "http://build-host:20000/devstoreaccount1");
}

TEST(connection_string, knows_no_queues_and_blobs_beside_an_endpoint_of_tables_alone) {
    for (auto const* text : {"AccountName=abc;AccountKey=AQID;TableEndpoint=http://localhost:3002/abc",
                             "AccountName=abc;AccountKey=AQID;TableEndpoint=https://abc.table.cosmos.azure.com",
                             "AccountName=abc;AccountKey=AQID;EndpointSuffix=cosmos.azure.com",
                             "UseDevelopmentStorage=true;DevelopmentStorageProxyUri=http://build-host:20002"}) {
        auto const a = account(text);
        EXPECT_FALSE(a.queues || a.blobs) << text;
    }
}

TEST(connection_string, of_cosmos_is_told_by_its_host) {
    auto const a = account("DefaultEndpointsProtocol=https;AccountName=abc;AccountKey=AQID;"
                           "TableEndpoint=https://abc.table.cosmos.azure.com:443/;");
    EXPECT_TRUE(a.endpoint.is_cosmos());
    EXPECT_EQ(a.endpoint.url(), "https://abc.table.cosmos.azure.com");
    EXPECT_TRUE((service_endpoint{{"https", "abc.table.cosmosdb.azure.com", "443"}, ""}.is_cosmos()));
    EXPECT_FALSE(account("UseDevelopmentStorage=true").endpoint.is_cosmos());
}

TEST(connection_string, has_names_in_any_case_blanks_and_empty_pieces) {
    auto const a = account(" accountname = abc ;; ACCOUNTKEY=AQ== ;\n tableendpoint=https://h.example ; ");
    EXPECT_EQ(a.name, "abc");
    EXPECT_TRUE(has_key(a, "\1"));
    EXPECT_EQ(a.endpoint.origin.host, "h.example");
}

TEST(connection_string, names_a_pair_only_once) {
    EXPECT_THAT(complaint("AccountName=abc;AccountKey=AQID;accountname=abc"), HasSubstr("AccountName is given twice"));
}

TEST(connection_string, must_have_name_and_key) {
    EXPECT_EQ(complaint(""), "it is empty");
    EXPECT_EQ(complaint(" ; ;"), "it is empty");
    EXPECT_EQ(complaint("AccountKey=AQID"), "AccountName is missing");
    EXPECT_THAT(complaint("AccountName=abc"), HasSubstr("a credential is missing: give AccountKey"));
    EXPECT_EQ(complaint("DefaultEndpointsProtocol=https"), "AccountName or TableEndpoint is missing");
    EXPECT_EQ(complaint("AccountName=;AccountKey=AQID"), "AccountName has no value");
}

TEST(connection_string, has_an_account_name_by_the_rules) {
    for (auto const* name : {"ab", "Abc", "a-b", "aaaaaaaaaaaaaaaaaaaaaaaaa", "abc-secondary"})
        EXPECT_THAT(complaint("AccountKey=AQID;AccountName=" + std::string{name}), HasSubstr("lower-case letters"));
    EXPECT_EQ(account("AccountKey=AQID;AccountName=aaaaaaaaaaaaaaaaaaaaaaa9").name.size(), 24u);
}

TEST(connection_string, has_endpoints_that_are_urls) {
    auto const stem = std::string{"AccountName=abc;AccountKey=AQID;TableEndpoint="};
    for (auto const* url :
         {"abc.table.core.windows.net", "ftp://abc", "https://", "https://a b", "https://a:0", "https://a:65536",
          "https://a:x", "https://a?sig=1", "https://a/b?c", "https://u@a", "https://[::1", "https://[x]/"})
        EXPECT_THAT(complaint(stem + url), HasSubstr("TableEndpoint must be a URL")) << url;
    EXPECT_THAT(complaint("AccountName=abc;AccountKey=AQID;TableSecondaryEndpoint=https://a"),
                HasSubstr("needs TableEndpoint"));
    EXPECT_THAT(complaint("AccountName=abc;AccountKey=AQID;EndpointSuffix=a/b"), HasSubstr("EndpointSuffix"));
    EXPECT_THAT(complaint("AccountName=abc;AccountKey=AQID;DefaultEndpointsProtocol=ftp"), HasSubstr("'https'"));
}

TEST(connection_string, says_which_part_of_an_endpoint_is_wrong) {
    auto const fault = [](std::string const& url) {
        return complaint("AccountName=abc;AccountKey=AQID;TableEndpoint=" + url);
    };
    EXPECT_THAT(fault("abc.table.core.windows.net"), EndsWith(": it has no scheme"));
    EXPECT_THAT(fault("ftp://abc"), EndsWith(": its scheme is neither http nor https"));
    EXPECT_THAT(fault("https://a:65536"), EndsWith(": its port is no number from 1 to 65535"));
    EXPECT_THAT(fault("https://u:p@a"), EndsWith(": it names a user"));
    EXPECT_THAT(fault("https://a b"), EndsWith(": its host is neither a name nor an address"));
    EXPECT_THAT(fault("https://[x]/"), EndsWith(": its host is neither a name nor an address"));
    EXPECT_THAT(fault("https://a/b c"), HasSubstr(": its path"));
    EXPECT_THAT(fault("https://a?sv=1&sig=x"), EndsWith("a signature goes into SharedAccessSignature"));
}

// --- other credentials -----------------------------------------------------------------------------------------------

constexpr auto signature = "?sv=2019-02-02&tn=t&sp=r&sig=c2Vj%3D";

std::string const with_signature = std::string{"SharedAccessSignature="} + signature;

TEST(connection_string, may_hold_a_shared_access_signature_and_needs_a_name_or_an_endpoint_then) {
    auto const a = account("TableEndpoint=https://abc.table.core.windows.net;" + with_signature);
    EXPECT_EQ(std::get<sas_credential>(*a.credential).token, signature);
    EXPECT_EQ(account("AccountName=abc;" + with_signature).endpoint.url(), "https://abc.table.core.windows.net");
    EXPECT_EQ(complaint(with_signature), "AccountName or TableEndpoint is missing");
    EXPECT_THAT(complaint("AccountName=abc;AccountKey=AQID;" + with_signature), HasSubstr("not both"));
}

TEST(connection_string, takes_the_account_of_an_endpoint_from_its_host_or_its_path) {
    auto const name = [](std::string const& url) {
        return account("TableEndpoint=" + url + ";" + with_signature).name;
    };
    EXPECT_EQ(name("https://abc.table.core.windows.net/"), "abc");
    EXPECT_EQ(name("http://127.0.0.1:10002/devstoreaccount1"), "devstoreaccount1");
    EXPECT_EQ(name("http://localhost:10002/devstoreaccount1/x"), "devstoreaccount1");
    EXPECT_EQ(name("http://[::1]:10002"), "");
    EXPECT_EQ(name("https://abc.table.core.windows.net;AccountName=def"), "def");
}

TEST(connection_string, refuses_a_signature_that_can_never_work) {
    auto const wrong = [](std::string const& sas, std::string const& scheme = "https") {
        return complaint("TableEndpoint=" + scheme + "://abc.example;SharedAccessSignature=" + sas);
    };
    EXPECT_THAT(wrong("sv=2019-02-02&sp=r"), HasSubstr("no 'sig'"));
    EXPECT_THAT(wrong("sv=2019-02-02&sr=c&sig=x"), HasSubstr("for another service"));
    EXPECT_THAT(wrong("sv=2019-02-02&ss=bq&sig=x"), HasSubstr("for another service"));
    EXPECT_THAT(wrong("sv=2019-02-02&spk=a b&sig=x"), HasSubstr("percent-encoded"));
    EXPECT_THAT(wrong("sv=2019-02-02&tn=t&spr=https&sig=x", "http"), HasSubstr("spr=https"));
    EXPECT_EQ(wrong("sv=2019-02-02&tn=t&spr=https,http&sig=x", "http"), "accepted");
}

TEST(connection_string, may_ask_for_the_lite_form) {
    auto const is_lite = [](storage_account const& a) {
        return std::holds_alternative<shared_key_lite_credential>(*a.credential);
    };
    EXPECT_TRUE(is_lite(account("UseDevelopmentStorage=true;authentication=SharedKeyLite")));
    EXPECT_TRUE(is_lite(account("AccountName=abc;AccountKey=AQID;Authentication=sharedkeylite")));
    EXPECT_FALSE(is_lite(account("AccountName=abc;AccountKey=AQID;authentication=SharedKey")));
    EXPECT_THAT(complaint("AccountName=abc;AccountKey=AQID;authentication=basic"), HasSubstr("SharedKeyLite"));
    EXPECT_THAT(complaint("AccountName=abc;authentication=SharedKey;" + with_signature), HasSubstr("there is none"));
}

TEST(connection_string, yields_to_a_credential_that_is_given) {
    auto const with = [](std::string const& text) { return parse_storage_account(text, sas_credential{signature}); };
    for (auto const* text : {"AccountName=abc", "TableEndpoint=https://abc.example", "UseDevelopmentStorage=true",
                             "AccountName=abc;AccountKey=AQID"}) {
        auto const a = with(text);
        ASSERT_TRUE(a) << text << a.error().what();
        EXPECT_TRUE(std::holds_alternative<sas_credential>(*a->credential));
    }
    EXPECT_FALSE(with("EndpointSuffix=core.windows.net"));
}

TEST(connection_string, refuses_a_token_over_plain_http) {
    token_credential const token{[](auto&) { return access_token{}; }};
    EXPECT_THAT(parse_storage_account("UseDevelopmentStorage=true", token).error().what(), HasSubstr("HTTPS only"));
    EXPECT_TRUE(parse_storage_account("UseDevelopmentStorage=true", token.over_plain_http()));
    EXPECT_TRUE(parse_storage_account("AccountName=abc", token));
    EXPECT_THAT(
        parse_storage_account("AccountName=abc", token_credential{std::shared_ptr<token_source>{}}).error().what(),
        HasSubstr("is missing"));
}

TEST(connection_string, names_its_transport) {
    EXPECT_EQ(account("UseDevelopmentStorage=true;transport=cpprest").transport, "cpprest");
    EXPECT_EQ(account("UseDevelopmentStorage=true").transport, "");
}

TEST(connection_string, never_shows_a_key_in_an_error) {
    std::string const key = "c2VjcmV0IGtleQ==";
    for (auto const& text :
         {key, "AccountName=abc;" + key, "AccountName=abc;AccountKey=!" + key, "AccountName=abc;AcountKey=" + key,
          "AccountKey=" + key + ";AccountKey=" + key, "AccountKey=" + key, "AccountName=" + key + ";AccountKey=" + key,
          with_key + std::string{";TableEndpoint="} + key}) {
        auto const a = parse_storage_account(text);
        ASSERT_FALSE(a) << text;
        EXPECT_THAT(a.error().what(), Not(HasSubstr("c2Vj"))) << text;
        EXPECT_EQ(a.error().server_text(), "");
    }
}

TEST(connection_string, shows_a_word_that_is_no_name) {
    EXPECT_EQ(complaint("AccountName=abc;AcountKey=AQID"), "'AcountKey' is no name of a connection string");
    EXPECT_EQ(complaint("AccountName=abc;nonsense"), "pair 2 has no '=': expected name=value");
}

TEST(connection_string, sends_options_of_the_transport_where_they_belong) {
    for (auto const* option : {"connect_timeout", "connections", "proxy", "ca_file"})
        EXPECT_THAT(complaint("AccountName=abc;AccountKey=AQID;" + std::string{option} + "=3"),
                    EndsWith("set open_options::transport." + std::string{option}));
    EXPECT_THAT(complaint("UseDevelopmentStorage=true;Idle_Limit=3"), EndsWith("transport.idle_limit"));
}

TEST(connection_string, says_where_reads_go) {
    EXPECT_EQ(account("UseDevelopmentStorage=true").read_from, read_from::primary);
    EXPECT_EQ(account("UseDevelopmentStorage=true;read_from=secondary").read_from, read_from::secondary);
    EXPECT_EQ(account(std::string{"AccountName=abc;AccountKey=AQID;Read_From=primary_then_secondary"}).read_from,
              read_from::primary_then_secondary);
    EXPECT_THAT(complaint("UseDevelopmentStorage=true;read_from=both"), HasSubstr("primary_then_secondary"));
    std::string const alone = "AccountName=abc;AccountKey=AQID;TableEndpoint=https://abc.example;read_from=";
    EXPECT_EQ(account(alone + "primary").read_from, read_from::primary);
    EXPECT_THAT(complaint(alone + "secondary"), HasSubstr("TableSecondaryEndpoint"));
}

}  // namespace
