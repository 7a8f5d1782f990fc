// SPDX-License-Identifier: Apache-2.0
#include "check.hpp"

#include <algorithm>
#include <array>

namespace tablemap::codegen {
namespace {

constexpr std::array<std::string_view, 97> keywords{
    "alignas",     "alignof",   "and",        "and_eq",    "asm",      "auto",         "bitand",
    "bitor",       "bool",      "break",      "case",      "catch",    "char",         "char8_t",
    "char16_t",    "char32_t",  "class",      "compl",     "concept",  "const",        "consteval",
    "constexpr",   "constinit", "const_cast", "continue",  "co_await", "co_return",    "co_yield",
    "decltype",    "default",   "delete",     "do",        "double",   "dynamic_cast", "else",
    "enum",        "explicit",  "export",     "extern",    "false",    "float",        "for",
    "friend",      "goto",      "if",         "inline",    "int",      "long",         "mutable",
    "namespace",   "new",       "noexcept",   "not",       "not_eq",   "nullptr",      "operator",
    "or",          "or_eq",     "private",    "protected", "public",   "register",     "reinterpret_cast",
    "requires",    "return",    "short",      "signed",    "sizeof",   "static",       "static_assert",
    "static_cast", "struct",    "switch",     "template",  "this",     "thread_local", "throw",
    "true",        "try",       "typedef",    "typeid",    "typename", "union",        "unsigned",
    "using",       "virtual",   "void",       "volatile",  "wchar_t",  "while",        "xor",
    "xor_eq",      "std",       "tablemap",   "main",      "NULL",     "errno"};

/// Macros of the system's headers. Each word stands between spaces.
constexpr std::string_view macros =
    " "
    "ARG_MAX BIG_ENDIAN BUFSIZ BYTE_ORDER CHAR_BIT CHAR_MAX CHAR_MIN CLOCKS_PER_SEC E2BIG EACCES EADDRINUSE "
    "EADDRNOTAVAIL EADV EAFNOSUPPORT EAGAIN EALREADY EBADE EBADF EBADFD EBADMSG EBADR EBADRQC EBADSLT EBFONT "
    "EBUSY ECANCELED ECHILD ECHRNG ECOMM ECONNABORTED ECONNREFUSED ECONNRESET EDEADLK EDEADLOCK EDESTADDRREQ EDOM "
    "EDOTDOT EDQUOT EEXIST EFAULT EFBIG EHOSTDOWN EHOSTUNREACH EHWPOISON EIDRM EILSEQ EINPROGRESS EINTR EINVAL "
    "EIO EISCONN EISDIR EISNAM EKEYEXPIRED EKEYREJECTED EKEYREVOKED EL2HLT EL2NSYNC EL3HLT EL3RST ELIBACC ELIBBAD "
    "ELIBEXEC ELIBMAX ELIBSCN ELNRNG ELOOP EMEDIUMTYPE EMFILE EMLINK EMSGSIZE EMULTIHOP ENAMETOOLONG ENAVAIL "
    "ENETDOWN ENETRESET ENETUNREACH ENFILE ENOANO ENOBUFS ENOCSI ENODATA ENODEV ENOENT ENOEXEC ENOKEY ENOLCK "
    "ENOLINK ENOMEDIUM ENOMEM ENOMSG ENONET ENOPKG ENOPROTOOPT ENOSPC ENOSR ENOSTR ENOSYS ENOTBLK ENOTCONN "
    "ENOTDIR ENOTEMPTY ENOTNAM ENOTRECOVERABLE ENOTSOCK ENOTSUP ENOTTY ENOTUNIQ ENXIO EOF EOPNOTSUPP EOVERFLOW "
    "EOWNERDEAD EPERM EPFNOSUPPORT EPIPE EPROTO EPROTONOSUPPORT EPROTOTYPE ERANGE EREMCHG EREMOTE EREMOTEIO "
    "ERESTART ERFKILL EROFS ESHUTDOWN ESOCKTNOSUPPORT ESPIPE ESRCH ESRMNT ESTALE ESTRPIPE ETIME ETIMEDOUT "
    "ETOOMANYREFS ETXTBSY EUCLEAN EUNATCH EUSERS EWOULDBLOCK EXDEV EXFULL EXIT_FAILURE EXIT_SUCCESS FILENAME_MAX "
    "FOPEN_MAX F_OK HOST_NAME_MAX HUGE_VAL INFINITY INT16_MAX INT16_MIN INT32_MAX INT32_MIN INT64_MAX INT64_MIN "
    "INT8_MAX INT8_MIN INT_MAX INT_MIN IOV_MAX LC_ADDRESS LC_ALL LC_COLLATE LC_CTYPE LC_MESSAGES LC_MONETARY "
    "LC_NAME LC_NUMERIC LC_PAPER LC_TELEPHONE LC_TIME LINE_MAX LITTLE_ENDIAN LLONG_MAX LLONG_MIN LOGIN_NAME_MAX "
    "LONG_MAX LONG_MIN NAME_MAX NAN NZERO PATH_MAX PIPE_BUF PTRDIFF_MAX PTRDIFF_MIN RAND_MAX R_OK SCHAR_MAX "
    "SCHAR_MIN SEEK_CUR SEEK_END SEEK_SET SHRT_MAX SHRT_MIN SIGABRT SIGFPE SIGILL SIGINT SIGSEGV SIGTERM SIZE_MAX "
    "SSIZE_MAX TIMER_ABSTIME TIME_UTC TMP_MAX UCHAR_MAX UINT16_MAX UINT32_MAX UINT64_MAX UINT8_MAX UINT_MAX "
    "ULLONG_MAX ULONG_MAX USHRT_MAX WEOF W_OK X_OK alloca assert linux offsetof stderr stdin stdout unix ";

/// Names that the system's headers and the libraries below tablemap declare in the global namespace.
constexpr std::string_view global_names =
    " "
    "abort abs access acct alarm atexit bind calloc clearenv clock clone close confstr connect crypt daemon div "
    "dup exit exp fork free getdate gets index ioctl isatty kill link listen log malloc mktime nice open pause "
    "perror pipe poll pow printf profil puts raise rand random read recv remove rename revoke rewind rindex scanf "
    "select send setenv signal sleep socket stat swab symlink sync syscall sysconf system time times timezone "
    "tolower toupper truncate tzset umask uname unlink utimes wait write y0 y1 yn j0 j1 jn ";

bool is_listed(std::string_view word, std::string_view in) {
    return in.find(" " + std::string{word} + " ") != std::string_view::npos;
}

/// The reason why a word cannot be a name in C++; empty if it can.
std::string_view find_name_fault(std::string_view word) {
    auto const is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    auto const is_digit = [](char c) { return c >= '0' && c <= '9'; };
    if (word.empty())
        return "a name is missing; write letters, digits and underscores, and '::' between two names alone";
    if (!std::all_of(word.begin(), word.end(), [&](char c) { return is_letter(c) || is_digit(c); }))
        return "a name in C++ has letters of ASCII, digits and underscores alone; leave out the rest";
    if (is_digit(word.front())) return "a name in C++ begins with a letter; put one in front";
    if (word.front() == '_' || word.find("__") != std::string_view::npos)
        return "C++ keeps such names for itself; leave out an underscore";
    if (std::find(keywords.begin(), keywords.end(), word) != keywords.end())
        return "this name is taken in C++ or by tablemap; choose another";
    if (is_listed(word, macros)) return "it is a macro of the system's headers; choose another";
    return {};
}

}  // namespace

void check_identifier(name const& n, std::string_view what, fault_list& faults) {
    if (auto const why = find_name_fault(n.text); !why.empty())
        faults.add(n.at, in_quotes(n.text) + " cannot be the name of " + std::string{what} + ": " + std::string{why});
}

void check_global(name const& n, fault_list& faults) {
    auto const word = n.text.substr(0, n.text.find("::"));
    if (is_listed(word, global_names))
        faults.add(n.at, in_quotes(word) +
                             " stands in the global namespace, where the system or a library has this name already; "
                             "choose another, or put a namespace of your own around it");
}

void check_qualified(name const& n, std::string_view what, fault_list& faults) {
    std::size_t at = 0;
    for (bool last = false; !last;) {
        auto const end = n.text.find("::", at);
        last = end == std::string::npos;
        auto const word = n.text.substr(at, last ? end : end - at);
        auto const why = find_name_fault(word);
        bool const own = word == "std" || word == "tablemap";
        if (!why.empty() && !(own && at == 0 && what == "a type")) {
            faults.add(n.at,
                       in_quotes(n.text) + " cannot be the name of " + std::string{what} + ": " + std::string{why});
            return;
        }
        at = end + 2;
    }
}

}  // namespace tablemap::codegen
