// SPDX-License-Identifier: Apache-2.0
#include "interop/official_client.hpp"

#include "tablemap/queue/queue.hpp"

#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace tablemap::test {
namespace {

using namespace std::chrono_literals;

class interop_of_queues : public official_client {
protected:
    interop_of_queues() : official_client("queues.js") {}

    queue named(std::string name) const { return queue{store, std::move(name)}; }

    /// No line breaks: this client drops line feeds when it sends, and does not decode a carriage return that it reads.
    static inline std::vector<std::string> const texts{"plain", " leading and trailing ", "\ttab",
                                                       "<a b='c'>&amp;</a>]]>", "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80"};
};

TEST_F(interop_of_queues, the_official_client_reads_messages_of_tablemap) {
    auto const tasks = named("from-tablemap");
    tasks.create();
    std::multiset<std::string> expected;
    auto sent = texts;
    sent.push_back("two\nlines");
    for (auto const& text : sent) {
        tasks.put(text);
        expected.insert("text " + hex(bytes_of(text)));
    }
    auto const read = peer({"get", tasks.name(), "32"});
    EXPECT_EQ((std::multiset<std::string>{read.begin(), read.end()}), expected);
}

TEST_F(interop_of_queues, tablemap_reads_messages_of_the_official_client) {
    auto const tasks = named("from-the-client");
    std::vector<std::string> arguments{"put", tasks.name()};
    for (auto const& text : texts) arguments.push_back(hex(bytes_of(text)));
    peer(arguments);
    std::multiset<std::string> read;
    for (auto const& m : tasks.get(32)) read.insert(m.text);
    EXPECT_EQ(read, (std::multiset<std::string>{texts.begin(), texts.end()}));
}

TEST_F(interop_of_queues, a_receipt_of_one_is_valid_for_the_other) {
    auto const tasks = named("receipts");
    tasks.create();
    tasks.put("a");
    std::string word, id, receipt;
    std::istringstream{peer({"take", tasks.name()}).at(0)} >> word >> id >> receipt;
    auto const renewed = tasks.update({id, receipt}, 1min);
    peer({"erase", tasks.name(), renewed.id, renewed.receipt});
    EXPECT_EQ(tasks.approximate_count(), 0u);
}

}  // namespace
}  // namespace tablemap::test
