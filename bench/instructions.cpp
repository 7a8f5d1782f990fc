// SPDX-License-Identifier: Apache-2.0
#include "bare_sqlite.hpp"
#include "decode_by_hand.hpp"
#include "sample.hpp"
#include "support/temp_folder.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/rest/store.hpp"
#include "tablemap/table/table.hpp"

#include <chrono>
#include <functional>
#include <iostream>
#include <map>
#include <new>

// usage: instructions OPERATION COUNT
//
// Carries an operation out some times to warm up, then COUNT times within `measured`, for callgrind, which counts the
// instructions of that function. Prints how often memory was allocated there. scripts/bench-instructions compares both
// with checked-in numbers. OPERATION_by_hand does the same without the library, as the baselines of bench/embedded.cpp
// and bench/decode.cpp do, on a file with the same rows.

namespace {
std::size_t allocations = 0;
}

void* operator new(std::size_t size) {
    ++allocations;
    if (void* p = std::malloc(size == 0 ? 1 : size)) return p;
    throw std::bad_alloc{};
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }

namespace {

using namespace bench;
using namespace tablemap;

using operation = std::function<void()>;

constexpr std::int32_t stored_rows = 2'000;
constexpr std::int32_t rows_at_once = 100;

/// Rows that no table has yet.
template <class T> class new_rows {
public:
    T next() {
        sample<T>::renumber(value_, id_++);
        return value_;
    }

private:
    std::int32_t id_ = stored_rows;
    T value_ = sample<T>::make(id_);
};

/// A store writes its clock into the file after some time, so the pace of the machine would decide how often.
std::function<ticks()> clock_of_steps() {
    return [now = ticks::now()]() mutable { return now = now + std::chrono::microseconds{50}; };
}

// A file has so many rows that its tree has inner pages. Once filled it is opened anew, so that its log is empty, and
// read once, so that pages are cached.

template <class T> struct filled_table {
    filled_table() {
        for ([[maybe_unused]] auto const& e : rows.scan()) {
        }
    }

    store_ptr open() const {
        return open_embedded(
                   {.path = folder.file("rows.db"), .synchronous = durability::normal, .now = clock_of_steps()})
            .value();
    }
    void fill() const {
        table<T> const to_fill{open(), "Rows"};
        to_fill.create();
        for (std::int32_t id = 0; id < stored_rows; ++id) to_fill.insert(sample<T>::make(id));
    }

    test::temp_folder folder;
    store_ptr store = (fill(), open());
    table<T> rows{store, "Rows"};
    new_rows<T> to_insert{};
};

/// `body` makes what is stored of a row.
template <class T, std::string (*body)(T const&)> struct filled_sqlite {
    filled_sqlite() {
        std::string all;
        require(db.read_page(sample<T>::partition(), stored_rows, all) == stored_rows, "the file is not filled");
    }

    std::filesystem::path filled() const {
        auto const file = folder.file("rows.db");
        bare_sqlite to_fill{file, bare_sqlite::durability::normal};
        detail::encoded_entity e;
        for (std::int32_t id = 0; id < stored_rows; ++id) {
            auto const value = sample<T>::make(id);
            require(detail::encode_keys(value, e.partition_key, e.row_key).has_value(), "encode");
            to_fill.begin();
            to_fill.insert(e.partition_key, e.row_key, 0, body(value));
            to_fill.commit();
        }
        return file;
    }

    /// A row to insert, within a transaction.
    void insert() {
        require(detail::encode(to_insert.next(), encoded_row).has_value(), "encode");
        db.insert(encoded_row.partition_key, encoded_row.row_key, ++stamp, encoded_row.body);
    }

    test::temp_folder folder;
    bare_sqlite db{filled(), bare_sqlite::durability::normal};
    new_rows<T> to_insert{};
    detail::encoded_entity encoded_row{};
    std::int64_t stamp = 0;
};

template <class T> operation encoding() {
    return [value = sample<T>::make(7), out = std::make_shared<detail::encoded_entity>()] {
        require(detail::encode(value, *out).has_value(), "encode");
    };
}

template <class T> std::string stored_page() {
    filled_table<T> t;
    auto const only = sample<T>::partition();
    auto answer = t.store->execute(
        query_page{.table = "Rows", .partition = key_bounds::exactly(only), .top = std::size_t{rows_at_once}}, {});
    require(!answer.failure, "read");
    return std::move(answer.body);
}

template <class T> operation decoding() {
    return [page = stored_page<T>()] {
        auto text = page;
        std::vector<entity<T>> out;
        std::vector<detail::bad_row_at> bad;
        require(detail::decode_page(text, out, bad).has_value() && out.size() == rows_at_once, "decode");
    };
}

template <class T> operation inserting() {
    return [t = std::make_shared<filled_table<T>>()] { t->rows.insert(t->to_insert.next()); };
}

template <class T> operation finding() {
    return [t = std::make_shared<filled_table<T>>(), id = std::int32_t{0}]() mutable {
        id = (id + 617) % stored_rows;
        require(t->rows.find(sample<T>::key(id)).has_value(), "find");
    };
}

template <class T> operation paging() {
    return [t = std::make_shared<filled_table<T>>()] {
        std::int32_t count = 0;
        for (auto const& e : t->rows.query(partition(sample<T>::partition())).top(rows_at_once))
            count += e.timestamp.count() != 0;
        require(count == rows_at_once, "page");
    };
}

template <class T> operation grouping() {
    return [t = std::make_shared<filled_table<T>>()] {
        auto group = t->rows.transaction();
        for (std::int32_t i = 0; i < rows_at_once; ++i) group.insert(t->to_insert.next());
        group.commit();
    };
}

template <class T> operation modifying() {
    return [t = std::make_shared<filled_table<T>>(), id = std::int32_t{0}]() mutable {
        id = (id + 617) % stored_rows;
        t->rows.modify(sample<T>::key(id), sample<T>::change);
    };
}

/// Answers every insert with success, without a network.
class canned_service final : public transport {
public:
    void send(http_request const& r, call_options const&, http_receiver& to) override {
        to.complete({.response = r.target.ends_with("$batch") ? group_ : single_});
    }

private:
    http_response const single_{.status = 204,
                                .headers = {{"ETag", "W/\"datetime'2026-11-20T08%3A30%3A00.1234567Z'\""}}};
    http_response const group_{.status = 202,
                               .headers = {{"Content-Type", "multipart/mixed; boundary=batchresponse_1"}},
                               .body = make_group_answer(rows_at_once)};
};

template <class T> table<T> remote_table() {
    storage_account account{.name = "account",
                            .credential = shared_key_credential{account_key{bytes(64, std::byte{7})}},
                            .endpoint = {.origin = {"http", "127.0.0.1", "80"}}};
    auto service = std::make_shared<canned_service>();
    return {open_rest({.account = std::move(account), .transport = std::move(service)}).value(), "Rows"};
}

template <class T> operation sending() {
    return [rows = remote_table<T>(), to_insert = new_rows<T>{}]() mutable { rows.insert(to_insert.next()); };
}

template <class T> operation sending_group() {
    return [rows = remote_table<T>(), to_insert = new_rows<T>{}]() mutable {
        auto group = rows.transaction();
        for (std::int32_t i = 0; i < rows_at_once; ++i) group.insert(to_insert.next());
        group.commit();
    };
}

// ---- by hand --------------------------------------------------------------------------------------------------------

template <class T> operation decoding_by_hand() {
    return [page = stored_page<T>()] {
        auto text = page;
        std::vector<entity<T>> out;
        out.reserve(rows_at_once);
        require(decode_page_inline(text, out) && out.size() == rows_at_once, "decode");
    };
}

template <class T> operation inserting_by_hand() {
    return [t = std::make_shared<filled_sqlite<T, encoded<T>>>()] {
        t->db.begin();
        t->insert();
        t->db.commit();
    };
}

template <class T> operation finding_by_hand() {
    return [t = std::make_shared<filled_sqlite<T, answered<T>>>(), value = sample<T>::make(0), id = std::int32_t{0},
            partition_key = std::string{}, row_key = std::string{}]() mutable {
        id = (id + 617) % stored_rows;
        sample<T>::renumber(value, id);
        std::string body;
        entity<T> e;
        require(detail::encode_keys(value, partition_key, row_key).has_value(), "encode");
        require(t->db.read(partition_key, row_key, body) && decode_entity_inline(body, e), "find");
    };
}

template <class T> operation paging_by_hand() {
    return [t = std::make_shared<filled_sqlite<T, answered<T>>>()] {
        std::string page = "{\"value\":[";
        std::vector<entity<T>> rows;
        rows.reserve(rows_at_once);
        t->db.read_page(sample<T>::partition(), rows_at_once, page);
        page += "]}";
        require(decode_page_inline(page, rows) && rows.size() == rows_at_once, "page");
    };
}

template <class T> operation grouping_by_hand() {
    return [t = std::make_shared<filled_sqlite<T, encoded<T>>>()] {
        t->db.begin();
        for (std::int32_t i = 0; i < rows_at_once; ++i) t->insert();
        t->db.commit();
    };
}

template <class T> void add(std::map<std::string, std::function<operation()>>& all, std::string const& type) {
    all["encode_" + type] = encoding<T>;
    all["decode_100_" + type + "s"] = decoding<T>;
    all["insert_" + type] = inserting<T>;
    all["find_" + type] = finding<T>;
    all["modify_" + type] = modifying<T>;
    all["query_100_" + type + "s"] = paging<T>;
    all["commit_100_" + type + "s"] = grouping<T>;
    all["remote_insert_" + type] = sending<T>;
    all["remote_commit_100_" + type + "s"] = sending_group<T>;
    all["decode_100_" + type + "s_by_hand"] = decoding_by_hand<T>;
    all["insert_" + type + "_by_hand"] = inserting_by_hand<T>;
    all["find_" + type + "_by_hand"] = finding_by_hand<T>;
    all["query_100_" + type + "s_by_hand"] = paging_by_hand<T>;
    all["commit_100_" + type + "s_by_hand"] = grouping_by_hand<T>;
}

}  // namespace

/// Callgrind counts the instructions of this function and of all that it calls.
extern "C" [[gnu::noinline]] void measured(operation const& once, int count) {
    for (int i = 0; i < count; ++i) once();
}

int main(int argc, char** argv) {
    std::map<std::string, std::function<operation()>> all;
    add<employee>(all, "employee");
    add<contact>(all, "contact");
    if (argc == 2 && std::string_view{argv[1]} == "--list") {
        for (auto const& [name, make_it] : all) std::cout << name << "\n";
        return 0;
    }
    auto const chosen = argc == 3 ? all.find(argv[1]) : all.end();
    require(chosen != all.end(), "usage: instructions OPERATION COUNT, or --list");
    auto const once = chosen->second();
    for (int i = 0; i < 5; ++i) once();
    auto const before = allocations;
    measured(once, std::stoi(argv[2]));
    std::cout << allocations - before << "\n";
}
