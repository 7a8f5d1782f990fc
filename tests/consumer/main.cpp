// SPDX-License-Identifier: Apache-2.0
#include <consumer/notes.hpp>

#include <tablemap/embedded/store.hpp>

#include <exception>
#include <iostream>

int main() try {
    auto options = tablemap::value_or_throw(tablemap::parse_embedded("embedded::memory:"));
    consumer::note_repository const notes{tablemap::value_or_throw(tablemap::open_embedded(std::move(options)))};
    notes.table().create();
    notes.table().insert({.owner = "Don", .number = 1, .text = "call Jun"});
    for (auto const& note : notes.of("Don")) std::cout << note.value.number << ": " << *note.value.text << "\n";
    return notes.find("Don", 1) ? 0 : 1;
} catch (std::exception const& e) {
    std::cerr << "consumer: " << e.what() << "\n";
    return 1;
}
