// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <iosfwd>
#include <string>
#include <string_view>

/// The command `tablemap`.
namespace tablemap::inline v0_1::command {

/// The exit codes of all subcommands.
enum exit_code : int {
    done = 0,
    no = 1,      ///< the answer is no: not found, different, drift
    usage = 2,   ///< the command line cannot be carried out
    failed = 3,  ///< the store or a file failed
};

/// The streams of a command. Answers go to `out`; notes, errors and progress go to the standard error.
///
/// \par Thread safety
/// Like a standard container.
class console {
public:
    struct terminals {
        bool out = false;
        bool error = false;
    };

    /// \par Lifetime
    /// The streams outlive the console.
    console(std::ostream& out, std::ostream& error, terminals t) : out_(out), error_(error), terminals_(t) {}
    console(std::ostream& out, std::ostream& error) : console(out, error, {}) {}

    std::ostream& out() noexcept { return out_; }

    /// True if a person reads the answer.
    bool is_terminal() const noexcept { return terminals_.out; }

    /// Writes a line to the standard error.
    void note(std::string_view line);

    /// Writes "tablemap: " and the text, without credentials, to the standard error.
    ///
    /// \return `code`
    int fail(exit_code code, std::string_view text);

    /// Shows the state of the work in one line, which the next one replaces. Shows at most ten a second, and none where
    /// the standard error is no terminal.
    void progress(std::string_view line);

    /// Removes the line of progress.
    void end_progress();

private:
    std::ostream& out_;
    std::ostream& error_;
    terminals terminals_;
    bool shown_ = false;  ///< a line of progress is on the screen
    std::chrono::steady_clock::time_point next_{};
};

/// The console of this process.
console standard_console();

/// A text in which no control character is left that a terminal would obey, nor one that turns the direction of text.
std::string printable(std::string_view text);

/// A number of bytes for people, such as "3.2 MiB".
std::string bytes_for_people(std::size_t n);

}  // namespace tablemap::inline v0_1::command
