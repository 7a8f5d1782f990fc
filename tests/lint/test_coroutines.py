# SPDX-License-Identifier: Apache-2.0
"""Shows that coroutines.py finds the forms that it is there for."""

import pathlib
import tempfile
import unittest

import coroutines


class Coroutines(unittest.TestCase):
    def faults(self, statements):
        return [what for _, what in coroutines.faults_in(f"task<> t() {{\n    {statements}\n}}\n")]

    def test_statements_of_their_own_are_right(self):
        for statement in (
            "co_await pause_until(*until);",
            "auto answer = co_await ask(what);",
            "answer = co_await ask(what);",
            "while (is_full()) co_await changed.wait();",
            "if (!ok) co_await pause_until(t); else co_await group.all();",
            "if (auto const found = co_await read(row)) use(*found);",
            "co_return co_await ask(what);",
            "x = a ? b : c; co_await group.all();",
        ):
            self.assertEqual(self.faults(statement), [], statement)

    def test_what_comes_beside_it_is_found(self):
        for statement in (
            "auto r = b ? co_await ask(x) : y;",
            "auto r = co_await ask(get_entity{table});",
            "auto r = co_await ask(b ? x : y);",
            "auto r = use(co_await ask(x));",
            "auto r = co_await ask(x) + co_await ask(y);",
            "if (b && co_await is_there(x)) use(x);",
            "auto r = co_await call([](int i) { return i; });",
        ):
            self.assertNotEqual(self.faults(statement), [], statement)

    def test_capturing_lambda_is_found(self):
        self.assertNotEqual(self.faults("auto f = [x](int i) -> task<int> { co_return i; };"), [])
        self.assertNotEqual(self.faults("auto f = [&]() mutable -> detail::task<> { co_return; };"), [])

    def test_lambda_without_captures_is_right(self):
        self.assertEqual(self.faults("auto f = [](int i) -> task<int> { co_return i; };"), [])

    def test_comments_and_texts_are_no_code(self):
        self.assertEqual(self.faults('// co_await f({})\n    auto s = "co_await f({})";'), [])

    def test_place_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "src/a.cpp"
            source.parent.mkdir()
            source.write_text("\nauto r = co_await ask(x{});\n", encoding="utf-8")
            (problem,) = coroutines.check(folder)
        self.assertTrue(problem.startswith("src/a.cpp:2: "), problem)


if __name__ == "__main__":
    unittest.main()
