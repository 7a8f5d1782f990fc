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
    std::istringstream{peer({"take", tasks.name(), "30"}).at(0)} >> word >> id >> receipt;
    auto const renewed = tasks.update({id, receipt}, 1min);
    peer({"erase", tasks.name(), renewed.id, renewed.receipt});
    EXPECT_EQ(tasks.approximate_count(), 0u);
}

TEST_F(interop_of_queues, a_message_that_tablemap_hides_is_hidden_from_the_official_client) {
    auto const tasks = named("hidden-by-tablemap");
    tasks.create();
    tasks.put("a");
    tasks.put("later", {.hidden_for = 1h});
    auto const taken = tasks.get(1, 1h).at(0);
    EXPECT_TRUE(peer({"counts", tasks.name()}).empty());
    tasks.update(taken, 0s, "b");
    EXPECT_EQ(peer({"counts", tasks.name()}), std::vector<std::string>{"2 " + hex(bytes_of("b"))});
}

TEST_F(interop_of_queues, a_message_that_the_official_client_hides_is_hidden_from_tablemap) {
    auto const tasks = named("hidden-by-the-client");
    tasks.create();
    tasks.put("a");
    std::string word, id, receipt;
    std::istringstream{peer({"take", tasks.name(), "3600"}).at(0)} >> word >> id >> receipt;
    EXPECT_TRUE(tasks.get(32).empty());
    peer({"show", tasks.name(), id, receipt, hex(bytes_of("b"))});
    auto const shown = tasks.get(32);
    ASSERT_EQ(shown.size(), 1U);
    EXPECT_EQ(shown[0].dequeue_count, 2U);
    EXPECT_EQ(shown[0].text, "b");
}

}  // namespace
}  // namespace tablemap::test
