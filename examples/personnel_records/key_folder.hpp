// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tablemap/tablemap.hpp>

#include <filesystem>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

/// Keys as files in a folder: NAME.key holds the 32 bytes of the key whose id is NAME. The last of them by name is the
/// current one, which new values are encrypted with; the others are for reading.
class key_folder {
public:
    explicit key_folder(std::filesystem::path folder) : folder_(std::move(folder)) {}

    /// All keys. Throws if there is none: a program that made one here would write what no other can read.
    std::shared_ptr<tablemap::key_ring> read() const {
        auto const found = names();
        if (found.empty())
            throw std::runtime_error{"there is no key in the folder '" + folder_.string() +
                                     "': name the right one with --keys, or make the first with new-key"};
        auto keys = std::make_shared<tablemap::key_ring>();
        for (auto const& name : found) keys->add(tablemap::encryption_key::from_file(name, file_of(name).string()));
        keys->use(*found.rbegin());
        return keys;
    }

    /// Makes a key that is the current one from now on. Returns its file.
    std::filesystem::path make(std::string const& name) const {
        if (name.find('/') != std::string::npos) throw std::runtime_error{"the name of a key may not hold a '/'"};
        if (auto const found = names(); !found.empty() && name < *found.rbegin())
            throw std::runtime_error{"'" + name + "' would not be the current key: take a name that comes after '" +
                                     *found.rbegin() + "'"};
        if (create_directories(folder_)) permissions(folder_, std::filesystem::perms::owner_all);
        tablemap::make_key_file(name, file_of(name).string());
        return file_of(name);
    }

    std::filesystem::path file_of(std::string const& name) const { return folder_ / (name + ".key"); }

private:
    std::set<std::string> names() const {
        std::set<std::string> found;
        if (!exists(folder_)) return found;
        for (auto const& file : std::filesystem::directory_iterator{folder_})
            if (file.path().extension() == ".key") found.insert(file.path().stem().string());
        return found;
    }

    std::filesystem::path folder_;
};
