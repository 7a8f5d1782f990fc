// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/mapping/legacy_encryption.hpp"

#include "crypto/legacy_cipher.hpp"
#include "tablemap/detail/wire/json_value.hpp"

namespace tablemap::inline v0_1::detail {
namespace {

failure unknown_format() {
    return fail(
        library_errc::unreadable_legacy_row,
        {.reason = "what it says of its encryption is not version 1.0 with AES_CBC_256, the one that tables had"});
}

/// A text in an object; empty if there is none.
std::string_view text_at(json_value const* object, std::string_view name) noexcept {
    auto const* const v = object ? object->find(name) : nullptr;
    return v && v->kind == json_kind::text ? std::string_view{v->text} : std::string_view{};
}

/// Java's clients wrote the name of their library, or no library at all; an empty object comes from early .NET clients.
legacy_layout layout_of(json_value const& metadata) noexcept {
    auto const* const wrapping = metadata.find("KeyWrappingMetadata");
    if (!wrapping || wrapping->kind == json_kind::null) return legacy_layout::java;
    bool const java = text_at(wrapping, "EncryptionLibrary").find("Java") != std::string_view::npos;
    return java ? legacy_layout::java : legacy_layout::dotnet;
}

result<legacy_metadata> read_metadata(std::string_view text) {
    constexpr std::size_t iv_size = 16;
    auto const tree = parse_json(text);
    if (!tree) return unknown_format();
    auto const* const key = tree->find("WrappedContentKey");
    auto const* const agent = tree->find("EncryptionAgent");
    if (text_at(agent, "Protocol") != legacy_protocol || text_at(agent, "EncryptionAlgorithm") != legacy_encryption)
        return unknown_format();
    legacy_metadata m{.key_id = std::string{text_at(key, "KeyId")},
                      .algorithm = std::string{text_at(key, "Algorithm")},
                      .layout = layout_of(*tree)};
    if (m.key_id.empty() || !parse_base64(text_at(key, "EncryptedKey"), m.wrapped_key) ||
        !parse_base64(text_at(&*tree, "ContentEncryptionIV"), m.iv) || m.iv.size() != iv_size)
        return unknown_format();
    return m;
}

/// Names in a JSON array, as .NET and Python wrote them.
std::optional<std::vector<std::string>> read_json_names(std::string_view text) {
    auto tree = parse_json(text);
    if (!tree || tree->kind != json_kind::array) return std::nullopt;
    std::vector<std::string> names;
    for (auto& item : tree->items) {
        if (item.kind != json_kind::text) return std::nullopt;
        names.push_back(std::move(item.text));
    }
    return names;
}

/// Names as Java prints a list: [one, two].
std::optional<std::vector<std::string>> read_java_names(std::string_view text) {
    constexpr std::string_view between = ", ";
    if (text.size() < 2 || text.front() != '[' || text.back() != ']') return std::nullopt;
    text = text.substr(1, text.size() - 2);
    std::vector<std::string> names;
    while (!text.empty()) {
        auto const end = std::min(text.find(between), text.size());
        names.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + between.size(), text.size()));
    }
    return names;
}

}  // namespace

result<std::vector<legacy_value>> open_legacy_row(legacy_keys const& keys, legacy_row const& row) try {
    auto const metadata = read_metadata(row.metadata1);
    if (!metadata) return failure{metadata.error()};
    auto const cipher = legacy_cipher::make(keys, *metadata, row.partition_key, row.row_key);
    if (!cipher) return failure{cipher.error()};
    auto const list = cipher->decrypt(legacy_metadata2, row.metadata2);
    if (!list) return failure{list.error()};
    auto const names = metadata->layout == legacy_layout::java ? read_java_names(*list) : read_json_names(*list);
    if (!names) return unreadable_legacy_row();

    std::vector<legacy_value> values;
    for (auto const& name : *names) {
        auto const data = row.stored(name);
        if (!data) continue;
        auto text = cipher->decrypt(name, *data);
        if (!text) return failure{text.error()};
        values.push_back({name, *std::move(text)});
    }
    return values;
} catch (error const& e) {
    return failure{e};
}

}  // namespace tablemap::detail
