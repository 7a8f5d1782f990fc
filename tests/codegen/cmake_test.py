#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the CMake function tablemap_generate.

usage: cmake_test.py CMAKE GENERATOR TABLEMAP-GEN CMAKE-FOLDER SCHEMA

In the generators that a user is most likely to have, among them GENERATOR.
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

CMAKE, GENERATOR, PROGRAM, MODULES, SCHEMA = sys.argv[1:6]
GENERATORS = sorted({GENERATOR} | ({"Unix Makefiles"} if shutil.which("make") else set()))

PROJECT = """
cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES NONE)
add_executable(tablemap::gen IMPORTED GLOBAL)
set_target_properties(tablemap::gen PROPERTIES IMPORTED_LOCATION "{program}")
list(APPEND CMAKE_MODULE_PATH "{modules}")
include(TablemapGenerate)
foreach(name IN ITEMS one two)
    add_library(${{name}} INTERFACE)
    add_custom_target(build_${{name}} ALL)
    add_dependencies(build_${{name}} ${{name}})
endforeach()
{calls}
"""


class Generate(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.source = pathlib.Path(folder.name, "source")
        self.build = pathlib.Path(folder.name, "build")
        self.source.mkdir()

    def schema(self, name):
        path = self.source / name
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(SCHEMA, path)
        return path

    def configure(self, calls, generator=GENERATOR):
        text = PROJECT.format(program=PROGRAM, modules=MODULES, calls=calls)
        (self.source / "CMakeLists.txt").write_text(text, encoding="utf-8")
        return subprocess.run([CMAKE, "-G", generator, "-S", self.source, "-B", self.build], capture_output=True, text=True)

    def make(self):
        done = subprocess.run([CMAKE, "--build", self.build, "--parallel", "4"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def assert_refused(self, calls, text):
        done = self.configure(calls)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(text, " ".join(done.stderr.split()))

    def each_generator(self):
        for generator in GENERATORS:
            with self.subTest(generator):
                shutil.rmtree(self.build, ignore_errors=True)
                yield generator

    def test_targets_share_a_header(self):
        self.schema("notes.json")
        for generator in self.each_generator():
            calls = "tablemap_generate(TARGET one SCHEMA notes.json)\ntablemap_generate(TARGET two SCHEMA notes.json)"
            self.assertEqual(self.configure(calls, generator).stderr, "")
            self.assertEqual(self.make().count("Generating notes.hpp"), 1)
            self.assertTrue((self.build / "generated" / "notes.hpp").is_file())

    def test_a_target_of_another_folder_shares_a_header(self):
        self.schema("notes.json")
        (self.source / "sub").mkdir()
        call = 'tablemap_generate(TARGET {} SCHEMA "{}/notes.json" OUTPUT_DIRECTORY "{}/made")'
        call = call.format("{}", self.source, self.build)
        (self.source / "sub" / "CMakeLists.txt").write_text(call.format("two"), encoding="utf-8")
        for generator in self.each_generator():
            self.assertEqual(self.configure(call.format("one") + "\nadd_subdirectory(sub)", generator).stderr, "")
            self.assertEqual(self.make().count("Generating notes.hpp"), 1)

    def test_two_schemas_of_one_header_are_refused(self):
        self.schema("a/notes.json"), self.schema("b/notes.json")
        first = "tablemap_generate(TARGET one SCHEMA a/notes.json)\n"
        second = "tablemap_generate(TARGET one SCHEMA b/notes.json"
        self.assert_refused(first + second + ")", "give one of them a HEADER or OUTPUT_DIRECTORY of its own")
        self.assertEqual(self.configure(first + second + " HEADER b/notes.hpp)").stderr, "")

    def test_any_name_of_a_schema_is_built_once(self):
        for generator in self.each_generator():
            for name in ("my notes.json", "it's.json", "c#.json", "US$.json", "a b/(c)/d.json"):
                with self.subTest(name):
                    shutil.rmtree(self.build, ignore_errors=True)
                    schema = self.schema(name)
                    call = f"tablemap_generate(TARGET one SCHEMA [==[{name}]==] HEADER n.hpp)"
                    self.assertEqual(self.configure(call, generator).stderr, "")
                    self.assertIn("Generating n.hpp", self.make())
                    self.assertNotIn("Generating", self.make())
                    schema.write_text(schema.read_text(encoding="utf-8") + "\n", encoding="utf-8")
                    self.assertIn("Generating n.hpp", self.make())

    def test_an_alias_and_a_stem_with_a_space_are_right(self):
        self.schema("my notes.json")
        done = self.configure('add_library(my::app ALIAS one)\ntablemap_generate(TARGET my::app SCHEMA "my notes.json")')
        self.assertEqual(done.stderr, "")
        self.make()
        self.assertTrue((self.build / "generated" / "my notes.hpp").is_file())

    def test_a_schema_may_be_made_by_the_build(self):
        self.schema("notes.in")
        made = 'COMMAND "${CMAKE_COMMAND}" -E copy "${CMAKE_SOURCE_DIR}/notes.in" notes.json'
        calls = f"add_custom_command(OUTPUT notes.json {made} DEPENDS notes.in)\n"
        calls += 'tablemap_generate(TARGET one SCHEMA "${CMAKE_BINARY_DIR}/notes.json")'
        self.assertEqual(self.configure(calls).stderr, "")
        self.assertIn("Generating notes.hpp", self.make())

    def test_wrong_calls_are_refused(self):
        self.schema("notes.json")
        self.assert_refused("tablemap_generate(TARGET one SCHEMA none.json)", "there is no schema")
        self.assert_refused("tablemap_generate(TARGET none SCHEMA notes.json)", "there is no target 'none'")
        self.assert_refused("tablemap_generate(TARGET one SCHEMA notes.json HEADER /tmp/n.hpp)", "is absolute")
        self.assert_refused("tablemap_generate(TARGET one)", "needs TARGET and SCHEMA")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
