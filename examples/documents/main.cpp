// SPDX-License-Identifier: Apache-2.0

// Documents with their files, encrypted verdicts and long reviews. README.md shows the program in use.

#include <tablemap/patterns.hpp>
#include <tablemap/tablemap.hpp>

#include <CLI/CLI.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>

namespace tmap = tablemap;

namespace {

struct document {
    std::string folder{};
    std::int32_t id{};
    std::string title{};
    tmap::large<tmap::bytes> file{};                      // of any size
    tmap::large<tmap::encrypted<std::string>> verdict{};  // for those with the key
};

/// 500 marks, which take three rows: a row has 252 properties.
struct review {
    std::string folder{};
    std::int32_t id{};
    std::string reviewer{};
    std::array<std::int32_t, 200> technical{};
    std::array<std::int32_t, 200> legal{};
    std::array<std::int32_t, 100> formal{};
};

}  // namespace

template <> struct tmap::mapping<document> {
    static constexpr auto partition_key = tmap::key(tmap::part<&document::folder>);
    static constexpr auto row_key = tmap::key("doc_", tmap::part<&document::id>.width(6));
};

template <> struct tmap::mapping<review> {
    static constexpr auto partition_key = tmap::key(tmap::part<&review::folder>);
    static constexpr auto row_key = tmap::key("review_", tmap::part<&review::id>.width(6));
    static constexpr auto members =
        tmap::members(tmap::member<&review::technical>.numbered(), tmap::member<&review::legal>.numbered(),
                      tmap::member<&review::formal>.numbered());
    static constexpr auto wide = tmap::next_row_at<&review::legal, &review::formal>;
};

namespace {

constexpr auto table_name = "Documents";
constexpr auto container_name = "document-values";

struct arguments {
    std::string store = "embedded:documents.db";
    std::string key = "documents.key";
    std::string folder{};
    std::int32_t id{};
    std::string title{};
    std::string file{};
    std::string verdict{};
    std::string section{};
    std::size_t question{};
    std::int32_t mark{};
    std::int64_t grace = 24 * 60 * 60;
};

tmap::store_ptr open_store(arguments const& a) {
    auto const keys = std::make_shared<tmap::key_ring>();
    keys->add(tmap::encryption_key::from_file("documents", a.key));
    keys->use("documents");
    return tmap::open(a.store, {.keys = keys});
}

tmap::large_table<document> open_documents(arguments const& a) { return {open_store(a), table_name, container_name}; }

std::runtime_error no_such_document() { return std::runtime_error{"there is no such document"}; }

/// The bytes of a file, a piece at a time.
auto source_of(std::string const& name) {
    auto const file = std::make_shared<std::ifstream>(name, std::ios::binary);
    if (!*file) throw std::runtime_error{"the file '" + name + "' cannot be read"};
    return [file, name](std::span<std::byte> to) {
        file->read(reinterpret_cast<char*>(to.data()), static_cast<std::streamsize>(to.size()));
        if (file->bad()) throw std::runtime_error{"the file '" + name + "' cannot be read"};
        return static_cast<std::size_t>(file->gcount());
    };
}

void new_key(arguments const& a) {
    tmap::make_key_file("documents", a.key);
    std::cout << a.key << " is the key of all verdicts\n";
}

void add(arguments const& a) {
    auto const documents = open_documents(a);
    documents.rows().create_if_not_exists();
    documents.blobs().create_if_not_exists();
    auto const e = documents.insert({.folder = a.folder,
                                     .id = a.id,
                                     .title = a.title,
                                     .file = tmap::large<tmap::bytes>::from(source_of(a.file)),
                                     .verdict = a.verdict});
    std::cout << a.folder << ' ' << a.id << " added, " << e.value.file.size() << " bytes\n";
}

/// Replaces the file; the title and the verdict stay as they are.
void update(arguments const& a) {
    auto const documents = open_documents(a);
    auto e = documents.rows().find(a.folder, a.id);  // without the values
    if (!e) throw no_such_document();
    e->value.file = tmap::large<tmap::bytes>::from(source_of(a.file));
    documents.merge(*e, tmap::only<&document::file>);
    std::cout << a.folder << ' ' << a.id << " has " << e->value.file.size() << " bytes now\n";
}

void judge(arguments const& a) {
    auto const documents = open_documents(a);
    documents.modify({a.folder, a.id}, [&](document& d) { d.verdict = a.verdict; });
    std::cout << "the verdict is written\n";
}

void list(arguments const& a) {
    auto const documents = open_documents(a);
    for (auto rows = documents.rows().query(tmap::partition(a.folder)); auto const& e : rows)
        std::cout << e.value.id << "  " << e.value.title << "  " << e.value.file.size() << " bytes\n";
}

void show(arguments const& a) {
    auto const documents = open_documents(a);
    auto const e = documents.find(a.folder, a.id);
    if (!e) throw no_such_document();
    std::cout << e->value.title << ": " << e->value.verdict.value() << '\n';
}

void get(arguments const& a) {
    auto const documents = open_documents(a);
    auto const e = documents.rows().find(a.folder, a.id);
    if (!e) throw no_such_document();
    std::ofstream to{a.file, std::ios::binary};
    auto const write = [&](std::span<std::byte const> piece) {
        to.write(reinterpret_cast<char const*>(piece.data()), static_cast<std::streamsize>(piece.size()));
    };
    if (!documents.read<&document::file>(*e, write)) throw std::runtime_error{"the file was just replaced: try again"};
    if (!to.flush()) throw std::runtime_error{"the file '" + a.file + "' cannot be written"};
}

std::int32_t& mark_of(review& r, arguments const& a) {
    if (a.section == "technical") return r.technical.at(a.question);
    if (a.section == "legal") return r.legal.at(a.question);
    return r.formal.at(a.question);
}

/// Writes the first row of the review and the one that the mark is in.
void mark(arguments const& a) {
    tmap::wide_table<review> const reviews{open_store(a), table_name};
    if (!reviews.find(a.folder, a.id)) reviews.upsert({.folder = a.folder, .id = a.id, .reviewer = "clerk"});
    reviews.modify({a.folder, a.id}, [&](review& r) { mark_of(r, a) = a.mark; });
    std::cout << a.section << ' ' << a.question << " has the mark " << a.mark << '\n';
}

void marks(arguments const& a) {
    tmap::wide_table<review> const reviews{open_store(a), table_name};
    auto const e = reviews.find(a.folder, a.id);
    if (!e) throw std::runtime_error{"there is no review yet"};
    std::int32_t sum = 0;
    for (auto const m : e->value.technical) sum += m;
    for (auto const m : e->value.legal) sum += m;
    for (auto const m : e->value.formal) sum += m;
    std::cout << "the sum of all marks is " << sum << '\n';
}

void remove(arguments const& a) {
    if (!open_documents(a).erase_any({a.folder, a.id})) throw no_such_document();
    std::cout << a.folder << ' ' << a.id << " removed\n";
}

void collect(arguments const& a) {
    tmap::large_collector const collector{
        open_store(a), table_name, container_name, {.grace = std::chrono::seconds{a.grace}}};
    auto const done = collector.sweep();
    if (done.ended_by) throw *done.ended_by;
    std::cout << done.deleted << " of " << done.blobs << " blobs deleted, " << done.in_use << " in use\n";
}

/// One line for the user: a message of the program for common errors, otherwise that of the library with a remedy.
std::string explain(tmap::error const& e) {
    auto const code = e.code();
    if (e.outcome() != tmap::outcome::in_doubt) {
        if (code == tmap::service_errc::entity_already_exists) return "that number is taken in the folder";
        if (code == tmap::service_errc::resource_not_found) return no_such_document().what();
        if (code == tmap::service_errc::table_not_found) return "there are no documents yet: add the first";
    }
    return e.what();
}

void add_commands(CLI::App& app, arguments& a) {
    auto const command = [&](char const* name, char const* does, void (*run)(arguments const&)) {
        auto* const c = app.add_subcommand(name, does);
        c->callback([&a, run] { run(a); });
        return c;
    };
    auto const of_folder = [&](CLI::App* c) {
        c->add_option("FOLDER", a.folder)->required();
        return c;
    };
    auto const of_document = [&](CLI::App* c) {
        of_folder(c)->add_option("ID", a.id, "Number in the folder")->required()->check(CLI::Range(0, 999'999));
        return c;
    };
    auto const file = [&](CLI::App* c) { c->add_option("FILE", a.file)->required(); };

    command("new-key", "Make the key of the verdicts", new_key);
    auto* const adding = of_document(command("add", "Add a document with its file", add));
    adding->add_option("TITLE", a.title)->required();
    file(adding);
    adding->add_option("--verdict", a.verdict);
    file(of_document(command("update", "Replace the file of a document", update)));
    of_document(command("judge", "Write a verdict", judge))->add_option("VERDICT", a.verdict)->required();
    of_folder(command("list", "List the documents of a folder", list));
    of_document(command("show", "Show a document with its verdict", show));
    file(of_document(command("get", "Write the file of a document to FILE", get)));
    auto* const marking = of_document(command("mark", "Write a mark of the review", mark));
    marking->add_option("SECTION", a.section)->required()->check(CLI::IsMember({"technical", "legal", "formal"}));
    marking->add_option("QUESTION", a.question)->required()->check(CLI::Range(0, 99));
    marking->add_option("MARK", a.mark)->required()->check(CLI::Range(0, 5));
    of_document(command("marks", "Show the sum of all marks of the review", marks));
    of_document(command("remove", "Remove a document", remove));
    command("collect", "Delete the blobs that no document names", collect)
        ->add_option("--grace", a.grace, "Seconds that a writer has")
        ->check(CLI::Range(0, 100'000'000));
}

}  // namespace

int main(int argc, char** argv) try {
    arguments a;
    CLI::App app{"Keeps documents with their files, verdicts and reviews.", "documents"};
    app.require_subcommand(1);
    app.fallthrough();
    app.add_option("--store", a.store, "Connection string: a file, an emulator, an account")->capture_default_str();
    app.add_option("--key", a.key, "File of the key")->capture_default_str();
    add_commands(app, a);
    CLI11_PARSE(app, argc, argv);
} catch (tmap::error const& e) {
    std::cerr << "documents: " << explain(e) << '\n';
    return 1;
} catch (std::exception const& e) {
    std::cerr << "documents: " << e.what() << '\n';
    return 1;
}
