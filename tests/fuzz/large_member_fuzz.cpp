// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fuzz_target.hpp"

#include "patterns/large_names.hpp"
#include "tablemap/mapping/large.hpp"

/// Input: the property of a large member, or the name of a blob. One that is accepted is written as the same text.
namespace tablemap::fuzz {
namespace {

template <class V> void read_property(std::string const& text) {
    auto const read = converter<large<V>>::from_property(text);
    if (!read || !read->is_loaded()) return;
    require(converter<large<V>>::to_property(*read) == text, "a value that is read is written as it was");
}

void read_name(std::string_view name) {
    auto const owner = detail::owner_of("documents/", name);
    if (!owner) return;
    auto const folder = detail::folder_of("Documents", owner->key);
    require(!folder || *folder + owner->name == name, "the name of a blob that is accepted is made as it was");
}

}  // namespace

TABLEMAP_FUZZ_TARGET(large_member) {
    std::string const text{input};
    read_property<std::string>(text);
    read_property<bytes>(text);
    read_property<encrypted<std::string>>(text);
    read_name(input);
    auto const reference = detail::read_reference(input);
    if (!reference) return;
    auto const again = detail::read_reference(reference->text());
    require(again && *again == *reference, "a reference that is written reads as the same");
}

}  // namespace tablemap::fuzz
