// SPDX-License-Identifier: Apache-2.0
#include "support/answers.hpp"

#include "tablemap/async.hpp"
#include "tablemap/crypto/key_ring.hpp"
#include "tablemap/embedded/store.hpp"
#include "tablemap/store/with_keys.hpp"
#include "tablemap/table/join.hpp"
#include "tablemap/table/table.hpp"

#include <gmock/gmock.h>

#include <atomic>
#include <future>
#include <optional>
#include <string>

/// A store, or a proxy before it, that answers with other rows than were asked for.
namespace tablemap {
namespace {

struct file {
    std::string department{};
    std::int32_t id{};
    std::string email{};
    encrypted<std::int64_t> salary{};
};

struct link {
    std::string department{};
    std::int32_t id{};
};

}  // namespace

template <> struct mapping<file> {
    static constexpr auto partition_key = key(part<&file::department>);
    static constexpr auto row_key = key("id_", part<&file::id>.width(6));
    static constexpr auto indexes =
        tablemap::indexes(unique_index<"by_email">(key("email_", part<&file::email>)).include<>());
};

template <> struct mapping<link> {
    static constexpr auto partition_key = key(part<&link::department>);
    static constexpr auto row_key = key("link_", part<&link::id>.width(6));
};

namespace test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// Counts what is asked of it.
class counted_keys final : public key_provider {
public:
    counted_keys() { ring_.add_current("k", bytes(32, std::byte{1})); }
    result<encryption_key> current() const override { return ring_.current(); }
    result<encryption_key> find(std::string_view id) const override {
        ++asked;
        return ring_.find(id);
    }

    mutable std::atomic<int> asked{0};

private:
    key_ring ring_;
};

/// Answers a point read of one row with another row, and pages without their bounds.
class mixed_up_store final : public store {
public:
    explicit mixed_up_store(store_ptr inner) : inner_(std::move(inner)) {}

    tablemap::capabilities const& capabilities() const noexcept override { return inner_->capabilities(); }
    store_context const& context() const noexcept override { return inner_->context(); }
    response execute(request const& r, call_options const& o) override {
        if (is_write(r)) ++writes;
        if (auto const* g = std::get_if<get_entity>(&r); g && g->row_key == asked) {
            auto other = *g;
            other.row_key = answered;
            return inner_->execute(other, o);
        }
        auto const* q = std::get_if<query_page>(&r);
        if (!q || !drops_partitions) return inner_->execute(r, o);
        auto all = *q;
        (drops_partitions == 1 ? all.partition : all.row) = {};
        return inner_->execute(all, o);
    }

    std::string asked{}, answered{};
    int drops_partitions = 0;  ///< 1: answers with rows of every partition; 2: with every row of the partition
    int writes = 0;

private:
    store_ptr inner_;
};

class other_rows : public ::testing::Test {
protected:
    other_rows() {
        clean.create();
        clean.insert({"Sales", 212, "don@contoso.com", 4200});
        clean.insert({"Sales", 305, "jun@contoso.com", 9900});
        clean.insert({"Audit", 250, "eve@contoso.com", 100});
        table<link>{memory, "Files"}.insert({"Sales", 212});
        keys->asked = 0;
    }

    void mix_up(std::string const& asked, std::string const& answered) {
        mixed->asked = asked;
        mixed->answered = answered;
        mixed->writes = 0;
    }
    /// Refused, with no key in the message, before anything was decrypted or written.
    template <class R> void expect_refused(R const& r) {
        ASSERT_TRUE(failed_with(r, library_errc::malformed_response));
        EXPECT_THAT(r.error().what(), HasSubstr("another one than was asked for"));
        EXPECT_THAT(r.error().what(), Not(HasSubstr("305")));
        expect_untouched();
    }
    void expect_untouched() {
        EXPECT_EQ(keys->asked, 0) << "something was decrypted";
        EXPECT_EQ(mixed->writes, 0);
    }
    template <class Call> void expect_thrown(Call call) {
        try {
            call();
            ADD_FAILURE() << "was believed";
        } catch (error const& e) {
            EXPECT_EQ(e.code(), library_errc::malformed_response) << e.what();
        }
        expect_untouched();
    }

    std::shared_ptr<counted_keys> keys = std::make_shared<counted_keys>();
    store_ptr memory = with_keys(value_or_throw(open_embedded({.path = ":memory:"})), keys);
    std::shared_ptr<mixed_up_store> mixed = std::make_shared<mixed_up_store>(memory);
    table<file> clean{memory, "Files"};
    table<file> files{mixed, "Files"};
    async_table<file> async{mixed, "Files"};
};

TEST_F(other_rows, are_refused_by_reads_of_one) {
    mix_up("id_000212", "id_000305");
    expect_refused(files.try_find({"Sales", 212}));
    expect_refused(files.try_find_many({{"Sales", 305}, {"Sales", 212}}));
    expect_refused(table<dynamic_entity>{mixed, "Files"}.try_find({"Sales", "id_000212"}));
    std::promise<std::optional<entity<file>>> told;
    async.find({"Sales", 212}, [&](std::exception_ptr e, std::optional<entity<file>> found) {
        e ? told.set_exception(e) : told.set_value(std::move(found));
    });
    expect_thrown([&] { told.get_future().get(); });
}

TEST_F(other_rows, of_other_partitions_are_refused_though_their_row_keys_are_the_same) {
    table<dynamic_entity> const t{mixed, "Files"};
    clean.insert({"Audit", 212, "other@contoso.com", 1});
    keys->asked = 0;
    class other_partition final : public store {
    public:
        explicit other_partition(store_ptr s) : inner(std::move(s)) {}
        tablemap::capabilities const& capabilities() const noexcept override { return inner->capabilities(); }
        store_context const& context() const noexcept override { return inner->context(); }
        response execute(request const& r, call_options const& o) override {
            auto g = std::get<get_entity>(r);
            g.partition_key = "Audit";
            return inner->execute(g, o);
        }
        store_ptr inner;
    };
    expect_refused(table<file>{std::make_shared<other_partition>(memory), "Files"}.try_find({"Sales", 212}));
}

TEST_F(other_rows, are_refused_by_reads_of_an_index) {
    mix_up("email_don@contoso.com", "email_jun@contoso.com");
    expect_refused(files.try_find_by<"by_email">({"Sales", "don@contoso.com"}));
    mix_up("id_000212", "id_000305");
    expect_refused(files.try_find_by<"by_email">({"Sales", "don@contoso.com"}));
}

TEST_F(other_rows, are_refused_by_joins) {
    mix_up("id_000212", "id_000305");
    table<link> const links{mixed, "Files"};
    auto const target = [](entity<link> const& l) { return key_of<file>{l.value.department, l.value.id}; };
    expect_thrown([&] {
        for (auto const& [l, f] : join(links.query(partition("Sales")), files, target)) ADD_FAILURE() << f->value.id;
    });
}

TEST_F(other_rows, are_refused_by_what_reads_before_it_writes) {
    mix_up("id_000212", "id_000305");
    int calls = 0;
    auto const raise = [&](file& f) { ++calls, f.salary = 1; };
    expect_refused(files.try_modify({"Sales", 212}, raise));
    expect_refused(files.try_modify_or_insert({"Sales", 212, "don@contoso.com", 1}, raise));
    EXPECT_EQ(calls, 0);
    expect_refused(files.try_upsert_replace({"Sales", 212, "new@contoso.com", 1}));
    expect_refused(files.try_erase_any({"Sales", 212}));
    auto t = files.transaction();
    t.upsert_replace(file{"Sales", 212, "new@contoso.com", 1});
    expect_refused(t.try_commit());
}

TEST_F(other_rows, of_no_key_are_refused) {
    class keyless final : public store {
    public:
        explicit keyless(store_ptr s) : inner(std::move(s)) {}
        tablemap::capabilities const& capabilities() const noexcept override { return inner->capabilities(); }
        store_context const& context() const noexcept override { return inner->context(); }
        response execute(request const&, call_options const&) override {
            response r;
            r.body = R"({"odata.etag":"E","Name":"x"})";
            return r;
        }
        store_ptr inner;
    };
    table<dynamic_entity> const t{std::make_shared<keyless>(memory), "Files"};
    EXPECT_TRUE(failed_with(t.try_find({"a", "b"}), library_errc::malformed_response));
}

TEST_F(other_rows, end_queries) {
    for (int const drops : {1, 2}) {
        mixed->drops_partitions = drops;
        EXPECT_TRUE(failed_with(files.query(partition("Sales"), row_range(200, 300)).try_first(),
                                library_errc::malformed_response));
        EXPECT_TRUE(failed_with(files.query(partition("Sales"), row_range(200, 300)).try_count(),
                                library_errc::malformed_response));
        table<dynamic_entity> const any{mixed, "Files"};
        EXPECT_TRUE(failed_with(any.query(partition("Sales"), row_range("id_0002", "id_0003")).try_first(),
                                library_errc::malformed_response));
        expect_untouched();
    }
}

TEST_F(other_rows, are_not_erased) {
    mixed->drops_partitions = 2;
    auto const report = files.erase_where(files.query(partition("Sales"), row_range(200, 300)));
    ASSERT_TRUE(report.ended_by);
    EXPECT_EQ(report.ended_by->code(), library_errc::malformed_response);
    EXPECT_EQ(report.found(), 0u);
    EXPECT_EQ(mixed->writes, 0);
}

}  // namespace
}  // namespace test
}  // namespace tablemap
