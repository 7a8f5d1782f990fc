// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

/// The least that SQLite needs to keep entities: a rowid table with a unique index over the keys, a write-ahead log,
/// pages as the embedded store has them, and prepared statements. sqlite3.h stays in its source.
namespace bench {

class bare_sqlite {
public:
    enum class durability { full, normal };

    bare_sqlite(std::filesystem::path const& file, durability d);
    ~bare_sqlite();
    bare_sqlite(bare_sqlite const&) = delete;
    bare_sqlite& operator=(bare_sqlite const&) = delete;

    void begin();
    /// Looks first whether the file and its log are still in place, as the embedded store does.
    void commit();
    void insert(std::string_view partition_key, std::string_view row_key, std::int64_t stamp, std::string_view body);

    /// Copies the body of one row. False if there is none.
    bool read(std::string_view partition_key, std::string_view row_key, std::string& body);

    /// Appends the bodies of the first rows of a partition, in key order and apart by commas. Returns their number.
    std::size_t read_page(std::string_view partition_key, std::size_t limit, std::string& bodies);

private:
    struct handles;
    std::unique_ptr<handles> handles_;
};

}  // namespace bench
