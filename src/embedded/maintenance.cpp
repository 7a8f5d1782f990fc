// SPDX-License-Identifier: Apache-2.0
#include "tablemap/embedded/maintenance.hpp"

#include "base/durable_file.hpp"
#include "embedded/file_check.hpp"
#include "embedded/refusal.hpp"
#include "embedded/schema.hpp"
#include "embedded/sqlite.hpp"

#include "tablemap/base/guid.hpp"

#include <filesystem>
#include <new>
#include <optional>
#include <random>
#include <system_error>

namespace tablemap::inline v0_1 {
namespace {

namespace fs = std::filesystem;
using namespace detail::embedded;

/// Calls what throws.
template <class T, class Call> result<T> attempt(char const* action, Call call) {
    try {
        return call();
    } catch (error const& e) {
        return failure{e.in(action, {})};
    } catch (std::bad_alloc const&) {
        return fail(store_errc::failed, {.reason = "memory ran out", .action = action});
    } catch (std::system_error const& e) {
        return fail(store_errc::io_failed, {.reason = e.what(), .action = action});
    }
}

/// A file of the embedded store that is there.
class existing_file {
public:
    explicit existing_file(embedded_options const& store) : database_(checked(store.path), store.busy_timeout, false) {
        if (is_empty(database_))
            refuse(store_errc::cannot_open,
                   file_reason(store.path, "it is an empty database: name the file of a store"));
        prepare_schema(database_, store);
    }

    database& db() noexcept { return database_; }
    std::int64_t format() const { return database_.integer("PRAGMA user_version"); }
    std::uint64_t size() const {
        return static_cast<std::uint64_t>(database_.integer("PRAGMA page_count") *
                                          database_.integer("PRAGMA page_size"));
    }

    void check_pages() const {
        if (auto const found = database_.text("PRAGMA quick_check(1)"); found != "ok")
            refuse(store_errc::corrupt, file_reason(database_.path(), "it is damaged, restore a backup: " + found));
    }

private:
    static std::string const& checked(std::string const& path) {
        if (path == ":memory:")
            refuse(library_errc::unsupported, "a store in memory has no file; copy its tables to another store");
        check_file(path);
        std::error_code e;
        if (!fs::exists(path, e) || fs::file_size(path, e) == 0)
            refuse(store_errc::cannot_open, file_reason(path, "it is missing or empty: name the file of a store"));
        return path;
    }

    database database_;
};

/// A file with a name of its own beside the one that it is to become. Removed unless it became that.
class unfinished_file {
public:
    explicit unfinished_file(std::string const& to) : to_(detail::behind_links(to)) {
        std::random_device random;
        auto const word = [&] { return std::uint64_t{random()} << 32 | random(); };
        auto const high = word();
        path_ = to_ + "." + guid::from_random(high, word()).text() + ".part";
    }
    ~unfinished_file() {
        std::error_code ignored;  // what is left behind does no harm
        for (auto const* const end : {"", "-wal", "-shm", "-journal"}) fs::remove(path_ + end, ignored);
    }
    unfinished_file(unfinished_file const&) = delete;
    unfinished_file& operator=(unfinished_file const&) = delete;

    std::string const& path() const noexcept { return path_; }

    void take_place(bool overwrite) const {
        if (overwrite) return detail::rename_durably(path_, to_);
        detail::name_durably(path_, to_);
    }

private:
    std::string to_, path_;
};

void refuse_existing(std::string const& path, file_copy_options const& how) {
    std::error_code e;
    if (detail::is_no_file(path))
        refuse(store_errc::cannot_open, file_reason(path, "it is no file: choose another path"));
    if (fs::exists(path, e) && !how.overwrite)
        refuse(store_errc::cannot_open, file_reason(path, "it is there already: choose another path, or overwrite it"));
}

void refuse_same(std::string const& a, std::string const& b) {
    std::error_code e;
    if (fs::equivalent(a, b, e))
        refuse(store_errc::cannot_open, file_reason(a, "it would be copied over itself: choose another path"));
}

/// The whole copy of a file, checked.
std::uint64_t copy(existing_file& from, std::string const& to, embedded_options const& store,
                   file_copy_options const& how) {
    {
        database target{to, store.busy_timeout, true};
        from.db().copy_to(target, [&](std::int64_t copied, std::int64_t of) {
            if (how.progress) how.progress(static_cast<std::uint64_t>(copied), static_cast<std::uint64_t>(of));
        });
    }
    existing_file const copied{{.path = to, .busy_timeout = store.busy_timeout}};
    copied.check_pages();
    return copied.size();
}

std::uint64_t back_up(embedded_options const& store, std::string const& to, file_copy_options const& how) {
    existing_file from{store};
    refuse_same(store.path, to);
    refuse_existing(to, how);
    unfinished_file const part{to};
    auto const size = copy(from, part.path(), store, how);
    part.take_place(how.overwrite);
    return size;
}

/// Has nobody open the store while this lives, and leaves no log beside it, which would be taken for one of the new
/// file.
class replaced_file {
public:
    explicit replaced_file(embedded_options const& store) {
        std::error_code e;
        if (fs::exists(store.path, e))
            open(store);
        else
            check_file(store.path);  // refuses a log without its file, which would be taken for one of the new file
        if (!file_) return;
        if (auto const mode = file_->db().text("PRAGMA journal_mode=DELETE"); mode != "delete")
            refuse(store_errc::busy, file_reason(store.path, "it is open in another process: close it there"));
        file_->db().run("BEGIN EXCLUSIVE");
    }

private:
    void open(embedded_options const& store) {
        try {
            file_.emplace(store);
        } catch (error const& e) {
            if (e.code() != store_errc::corrupt) throw;
            refuse(store_errc::corrupt,
                   file_reason(store.path,
                               "it is damaged, so that it cannot be locked: close the programs that use it, "
                               "move it and its log '-wal' away, and restore again"));
        }
    }

    std::optional<existing_file> file_{};
};

std::uint64_t restore(std::string const& backup, embedded_options const& store, file_copy_options const& how) {
    existing_file from{{.path = backup, .busy_timeout = store.busy_timeout}};
    refuse_same(backup, store.path);
    refuse_existing(store.path, how);
    from.check_pages();
    unfinished_file const part{store.path};
    auto const size = copy(from, part.path(), store, how);
    replaced_file const old{store};
    part.take_place(how.overwrite);
    return size;
}

}  // namespace

result<std::uint64_t> back_up_embedded(embedded_options const& store, std::string const& to,
                                       file_copy_options const& how) {
    return attempt<std::uint64_t>("backup", [&] { return back_up(store, to, how); });
}

result<std::uint64_t> restore_embedded(std::string const& backup, embedded_options const& store,
                                       file_copy_options const& how) {
    return attempt<std::uint64_t>("restore", [&] { return restore(backup, store, how); });
}

result<file_sizes> compact_embedded(embedded_options const& store) {
    return attempt<file_sizes>("compact", [&] {
        existing_file file{store};
        auto const before = file.size();
        file.db().run("VACUUM");
        return file_sizes{before, file.size()};
    });
}

result<file_formats> upgrade_embedded(embedded_options const& store) {
    return attempt<file_formats>("upgrade", [&] {
        existing_file file{store};
        write_transaction t{file.db()};
        auto const before = file.format();
        add_queue_tables(file.db());
        auto const after = file.format();
        t.commit();
        return file_formats{before, after};
    });
}

result<void> check_embedded(embedded_options const& store) {
    return attempt<void>("check", [&]() -> result<void> {
        existing_file{store}.check_pages();
        return {};
    });
}

}  // namespace tablemap
