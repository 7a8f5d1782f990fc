// SPDX-License-Identifier: Apache-2.0
#include "command/serve.hpp"

#include "command/schema_file.hpp"
#include "page/browsing.hpp"
#include "tablemap/serve/server.hpp"

#include <pthread.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <utility>

namespace tablemap::inline v0_1::command {
namespace {

constexpr std::size_t rows_of_report = 5'000;  // of each table, since the report is made for each request

std::string key_text_in(std::string const& path) {
    std::ifstream file{path};
    std::string line;
    if (!std::getline(file, line))
        throw usage_error{"--key-file cannot be read or is empty; its first line is the account's key in base64"};
    while (line.ends_with('\r') || line.ends_with(' ')) line.pop_back();
    return line;
}

/// The key of the file, or that of the environment; the emulator's account may do without.
account_key key_of(served_store const& o) {
    if (!o.key_file.empty()) return account_key{key_text_in(o.key_file)};
    if (auto const* const text = std::getenv(key_variable)) return account_key{text};
    if (o.account == "devstoreaccount1") return {};
    throw usage_error{"the account " + o.account + " needs a key: give --key-file, or set " + key_variable};
}

/// Takes the signals that end a program off all threads that come later, so that this one can wait for them.
class end_signals {
public:
    end_signals() {
        sigemptyset(&all_);
        sigaddset(&all_, SIGINT);
        sigaddset(&all_, SIGTERM);
        pthread_sigmask(SIG_BLOCK, &all_, nullptr);
    }

    void wait() const {
        int signal = 0;
        while (sigwait(&all_, &signal) != 0) continue;
    }

private:
    sigset_t all_{};
};

serve_options options_of(served_store const& o) {
    serve_options s;
    s.account = o.account;
    s.key = key_of(o);
    s.address = o.address;
    s.port = o.port;
    s.certificate_file = o.certificate_file;
    s.private_key_file = o.private_key_file;
    return s;
}

page::gathering report_of(served_store const& o) {
    page::gathering how;
    how.title = "Tables";
    how.rows = rows_of_report;
    if (!o.schema.empty()) how.schema = read_schema_of_tables(o.schema);
    return how;
}

}  // namespace

int serve(served_store const& o, console& c) {
    end_signals const end;
    // Before the store, which is created where there is none: a fault of the options leaves nothing behind.
    auto options = options_of(o);
    auto const how = report_of(o);
    auto const store = open_store(o.store);
    if (o.page) options.pages = [pages = page::browsing{store, how}](http_request const& r) { return pages.answer(r); };
    server s{store, std::move(options)};
    c.out() << s.url() << '\n' << std::flush;
    if (o.page) c.note("the page is at " + s.url().substr(0, s.url().rfind('/') + 1));
    c.note("serving; end it with Ctrl-C");
    end.wait();
    s.stop();
    c.note("stopped");
    return done;
}

}  // namespace tablemap::inline v0_1::command
