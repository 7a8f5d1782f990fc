// SPDX-License-Identifier: Apache-2.0
#include "tablemap/mapping/decode.hpp"

#include "mapping/row_reader.hpp"

namespace tablemap::inline v0_1::detail {
namespace {

/// Appends the entities of a page to a vector, and the rows that cannot be read to another.
class page_sink final : public row_reader {
public:
    page_sink(page_target const& to, std::vector<bad_row_at>& bad, static_list<row_type const*> types,
              reading const& how)
        : row_reader(types, how), page_(to), size_(to.size), bad_(bad) {}

    bool begin() override {
        page_.add(page_.rows, to_);
        ++size_;
        return row_reader::begin();
    }

    // Only for the first page: room that is made for each of many would move all entities each time.
    void expect(std::size_t entities) override {
        if (size_ <= 1) page_.reserve(page_.rows, size_ + entities);
    }

private:
    bool refuse_row(error const& e) override {
        drop();
        bad_.push_back({size_, {std::string{partition_key()}, std::string{row_key()}, e}});
        return true;
    }
    bool pass_row(error const&) override {
        drop();
        return true;
    }
    void drop() {
        page_.drop(page_.rows);
        --size_;
    }

    page_target const& page_;
    std::size_t size_;
    std::vector<bad_row_at>& bad_;
};

}  // namespace

void* emplace_nothing(void* value, std::size_t) noexcept { return value; }

result<std::size_t> read_rows(std::string& json, page_target const& to, std::vector<bad_row_at>& bad,
                              static_list<row_type const*> types, reading const& how) {
    page_sink sink{to, bad, types, how};
    return read_page(json, sink);
}

}  // namespace tablemap::detail
