# SPDX-License-Identifier: Apache-2.0
"""Shows on small trees that layers.py fails when it should."""

import pathlib
import tempfile
import unittest

import layers


def header(folder, name="a.hpp"):
    return f"include/tablemap/{folder}/{name}"


def includes(*headers):
    return "".join(f"#include <{name}>\n" for name in headers)


class Layers(unittest.TestCase):
    def problems(self, files):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                path = pathlib.Path(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            return layers.check(folder)

    def assert_good(self, files):
        self.assertEqual(self.problems(files), [])

    def assert_bad(self, files, phrase):
        found = self.problems(files)
        self.assertEqual(len(found), 1, found)
        self.assertIn(phrase, found[0])


class Ranks(Layers):
    def test_lower_rank_is_allowed(self):
        self.assert_good({header("wire"): includes("tablemap/base/a.hpp", "tablemap/detail/edm/a.hpp", "vector", "stdint.h")})

    def test_own_layer_is_allowed(self):
        self.assert_good({header("wire"): includes("tablemap/wire/b.hpp", "tablemap/detail/wire/c.hpp")})

    def test_higher_rank_is_refused(self):
        self.assert_bad({header("wire"): "\n" + includes("tablemap/store/a.hpp")}, "include/tablemap/wire/a.hpp:2: wire")

    def test_equal_rank_is_refused(self):
        self.assert_bad({header("wire"): includes("tablemap/keys/a.hpp")}, "must not include keys")

    def test_sources_obey_the_ranks(self):
        self.assert_bad({"src/base/a.cpp": includes("tablemap/edm/a.hpp")}, "must not include edm")

    def test_private_header_named_by_a_relative_path_is_resolved(self):
        files = {"src/base/a.cpp": '#include "../wire/b.hpp"\n', "src/wire/b.hpp": ""}
        self.assert_bad(files, "base (rank 0) must not include wire (rank 2)")

    def test_private_header_of_the_own_layer_is_allowed(self):
        self.assert_good({"src/wire/a.cpp": '#include "b.hpp"\n', "src/wire/b.hpp": ""})

    def test_private_header_of_a_lower_layer_is_allowed_to_sources_only(self):
        files = {"src/wire/a.cpp": '#include "base/b.hpp"\n', "src/base/b.hpp": ""}
        self.assert_good(files)
        files = {header("wire"): '#include "../../../src/base/b.hpp"\n', "src/base/b.hpp": ""}
        self.assert_bad(files, "src/base/b.hpp is not installed")

    def test_details_obey_the_ranks(self):
        self.assert_bad({header("wire"): includes("tablemap/detail/store/a.hpp")}, "must not include store")
        self.assert_bad({header("detail/wire"): includes("tablemap/store/a.hpp")}, "must not include store")

    def test_details_are_refused_to_what_users_read(self):
        for name in ("README.md", "docs/keys.md", "examples/first.cpp"):
            self.assert_bad({name: includes("tablemap/detail/base/a.hpp")}, f"{name}:1: users include public headers")

    def test_folder_without_a_rank_is_refused(self):
        self.assert_bad({header("misc"): ""}, "misc: a folder without a rank")

    def test_top_may_include_everything(self):
        names = [f"tablemap/{layer}/a.hpp" for layer in layers.RANKS]
        self.assert_good({"include/tablemap/tablemap.hpp": includes(*names), "src/open.cpp": includes(*names)})

    def test_layers_must_not_include_the_top(self):
        self.assert_bad({header("patterns"): includes("tablemap/open.hpp")}, "lies above all layers")

    def test_command_may_open_stores(self):
        self.assert_good({"src/command/a.cpp": includes("tablemap/open.hpp")})

    def test_comments_are_not_includes(self):
        text = "// #include <tablemap/store/a.hpp>\n/*\n#include <tablemap/store/a.hpp>\n*/\n"
        self.assert_good({header("base"): text})

    def test_spaces_in_a_directive_do_not_hide_it(self):
        self.assert_bad({header("base"): "  #  include <tablemap/store/a.hpp>\n"}, "must not include store")


class Strangers(Layers):
    def assert_refused(self, layer, other):
        self.assert_bad({header(layer): includes(f"tablemap/{other}/a.hpp")}, f"{layer} must not know {other}")

    def test_stores_know_no_user_type(self):
        for store in ("rest", "embedded"):
            for other in ("mapping", "reflect", "query", "table"):
                with self.subTest(store=store, other=other):
                    self.assert_refused(store, other)

    def test_stores_do_not_know_each_other(self):
        self.assert_refused("rest", "embedded")
        self.assert_refused("embedded", "rest")

    def test_repository_and_patterns_name_no_store(self):
        for layer in ("table", "patterns"):
            for store in ("rest", "embedded"):
                with self.subTest(layer=layer, store=store):
                    self.assert_refused(layer, store)

    def test_testing_sees_the_seam_and_below(self):
        self.assert_good({header("testing"): includes(*(f"tablemap/{layer}/a.hpp" for layer in ("base", "edm", "store")))})
        self.assert_refused("testing", "mapping")
        self.assert_refused("testing", "embedded")

    def test_nobody_includes_testing(self):
        self.assert_bad({header("patterns"): includes("tablemap/testing/a.hpp")}, "must not include testing")


class ThirdParty(Layers):
    def test_each_library_is_allowed_at_its_place(self):
        self.assert_good(
            {
                "src/embedded/database.cpp": includes("sqlite3.h"),
                "src/wire/reader.cpp": includes("simdjson.h"),
                "src/crypto/openssl.cpp": includes("openssl/evp.h"),
                "src/rest/cpprest_core.cpp": includes("cpprest/http_client.h", "boost/asio/ssl.hpp"),
                "src/rest/cpprest_core.hpp": includes("pplx/pplxtasks.h"),
                "src/rest/beast_loop.cpp": includes("boost/beast/core.hpp", "boost/asio/ip/tcp.hpp"),
                "src/rest/beast_loop.hpp": includes("boost/asio/io_context.hpp"),
                "src/rest/beast_tls.cpp": includes("openssl/ssl.h"),
                "src/rest/queue_xml.cpp": includes("pugixml.hpp"),
                header("base", "result.hpp"): includes("tl/expected.hpp"),
                header("store", "async.hpp"): includes("boost/asio/async_result.hpp"),
                header("reflect"): includes("boost/pfr.hpp", "boost/pfr/core.hpp"),
                header("reflect", "hana.hpp"): includes("boost/hana/accessors.hpp"),
            }
        )

    def test_each_library_is_refused_elsewhere(self):
        libraries = {
            "sqlite3.h": "SQLite",
            "simdjson.h": "simdjson",
            "boost/pfr.hpp": "Boost.PFR",
            "boost/hana/core.hpp": "Boost.Hana",
            "boost/asio.hpp": "Boost.Asio",
            "boost/beast.hpp": "Boost.Beast",
            "tl/expected.hpp": "tl::expected",
            "cpprest/json.h": "cpprestsdk",
            "openssl/evp.h": "OpenSSL",
            "pugixml.hpp": "pugixml",
            "gtest/gtest.h": "GoogleTest",
        }
        for name, library in libraries.items():
            for place in (header("mapping"), "src/wire/writer.cpp", "src/open.cpp"):
                with self.subTest(name=name, place=place):
                    self.assert_bad({place: includes(name)}, f"of {library} belongs to")

    def test_headers_never_show_a_private_library(self):
        self.assert_bad({header("embedded"): includes("sqlite3.h")}, "of SQLite belongs to")
        self.assert_bad({header("wire", "reader.hpp"): includes("simdjson.h")}, "of simdjson belongs to")

    def test_third_file_that_includes_sqlite_is_refused(self):
        files = {f"src/embedded/{name}.cpp": includes("sqlite3.h") for name in "abc"}
        self.assert_bad(files, "SQLite is included by 3 files")

    def test_second_asynchronous_header_is_refused(self):
        files = {header("store", f"{name}.hpp"): includes("boost/asio/post.hpp") for name in ("handler_side", "more")}
        self.assert_bad(files, "Boost.Asio is included by 2 files")

    def test_unknown_library_is_refused(self):
        self.assert_bad({header("base"): includes("fmt/format.h")}, "<fmt/format.h> is in no row")
        self.assert_bad({header("base"): includes("boost/optional.hpp")}, "<boost/optional.hpp> is in no row")

    def test_umbrella_must_not_reach_asio(self):
        files = {
            "include/tablemap/tablemap.hpp": includes("tablemap/detail/store/handler_side.hpp"),
            header("detail/store", "handler_side.hpp"): includes("boost/asio/post.hpp"),
        }
        self.assert_bad(files, "<tablemap/tablemap.hpp> must not pull in <boost/asio/post.hpp>")

    def test_unit_tests_may_use_the_library_of_their_layer_only(self):
        self.assert_good({"tests/unit/store/a.cpp": includes("gtest/gtest.h", "boost/asio/io_context.hpp")})
        self.assert_good({"tests/unit/embedded/a.cpp": includes("sqlite3.h", "tablemap/table/table.hpp")})
        self.assert_bad({"tests/unit/store/a.cpp": includes("sqlite3.h")}, "of SQLite belongs to")

    def test_unit_tests_may_use_the_shared_support(self):
        self.assert_good({"tests/unit/base/a.cpp": includes("support/random.hpp"), "tests/support/random.hpp": ""})
        self.assert_bad({"src/base/a.cpp": includes("support/random.hpp"), "tests/support/random.hpp": ""}, "is in no row")


if __name__ == "__main__":
    unittest.main()
