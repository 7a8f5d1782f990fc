// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fuzz_target.hpp"

#include "tablemap/detail/mapping/encode.hpp"
#include "tablemap/detail/wire/writer.hpp"
#include "tablemap/mapping/decode.hpp"

/// Input: a partition key, a line break, a row key. Keys that are read into members are written again as the same
/// texts.
namespace tablemap::fuzz {
namespace {

struct plain {
    std::string name{};
    std::int32_t number{};
};
struct escaped {
    std::string name{};
    std::string other{};
    std::string last{};
};
struct ordered {
    std::int64_t amount{};
    double ratio{};
    ticks at = ticks::min();
    guid id{};
    bool flag{};
    std::string text{};
};

}  // namespace
}  // namespace tablemap::fuzz

template <> struct tablemap::mapping<tablemap::fuzz::plain> {
    static constexpr auto partition_key = tablemap::key("P_", tablemap::part<&fuzz::plain::name>);
    static constexpr auto row_key = tablemap::key("r", tablemap::part<&fuzz::plain::number>.width(6), "x");
};
template <> struct tablemap::mapping<tablemap::fuzz::escaped> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&fuzz::escaped::name>.escaped());
    static constexpr auto row_key = tablemap::key(tablemap::part<&fuzz::escaped::other>.escaped(),
                                                  tablemap::part<&fuzz::escaped::last>.descending());
};
template <> struct tablemap::mapping<tablemap::fuzz::ordered> {
    static constexpr auto partition_key =
        tablemap::key(tablemap::part<&fuzz::ordered::amount>.ordered(), "_", tablemap::part<&fuzz::ordered::id>);
    static constexpr auto row_key = tablemap::key(
        tablemap::part<&fuzz::ordered::ratio>.ordered(), "_", tablemap::part<&fuzz::ordered::at>.descending(), "_",
        tablemap::part<&fuzz::ordered::flag>, "_", tablemap::part<&fuzz::ordered::text>.escaped());
};

namespace tablemap::fuzz {
namespace {

template <class T> void read_as(std::string_view partition_key, std::string_view row_key) {
    std::string json;
    detail::begin_entity(json, partition_key, row_key);
    json += '}';
    entity<T> e;
    std::vector<entity<T>> rows;
    std::vector<detail::bad_row_at> bad;
    auto page = "{\"value\":[" + json + "]}";
    if (!detail::decode_page(page, rows, bad, true) || rows.empty())
        return;  // a partial row: the keys are all there is
    detail::encoded_entity written;
    if (!encode(rows.front().value, written)) return;
    require(written.partition_key == partition_key, "a partition key that is read is the one that is written");
    require(written.row_key == row_key, "a row key that is read is the one that is written");
}

}  // namespace

TABLEMAP_FUZZ_TARGET(keys_read) {
    auto const partition_key = take_line(input);
    read_as<plain>(partition_key, input);
    read_as<escaped>(partition_key, input);
    read_as<ordered>(partition_key, input);
}

}  // namespace tablemap::fuzz
