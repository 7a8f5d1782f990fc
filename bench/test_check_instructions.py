# SPDX-License-Identifier: Apache-2.0
import unittest

import check_instructions as check


def numbers(instructions, allocations=3, **functions):
    return {"instructions": instructions, "allocations": allocations, "functions": functions}


class problems(unittest.TestCase):
    def found(self, before, now):
        return list(check.problems("find", before, now))

    def test_equal_numbers_pass(self):
        self.assertEqual(self.found(numbers(1000), numbers(1000)), [])

    def test_a_rise_of_over_three_percent_fails_and_names_the_function(self):
        (problem,) = self.found(numbers(1000, read=600, key=400), numbers(1040, read=600, key=440))
        self.assertIn("key +40", problem)
        self.assertNotIn("read", problem)

    def test_a_function_that_is_new_is_named(self):
        self.assertIn("copy +100", self.found(numbers(1000, read=1000), numbers(1100, read=1000, copy=100))[0])

    def test_numbers_that_fell_must_be_lowered(self):
        self.assertIn("lower", self.found(numbers(1000), numbers(880))[0])

    def test_an_allocation_more_fails(self):
        self.assertIn("4 allocations", self.found(numbers(1000), numbers(1000, allocations=4))[0])

    def test_code_by_hand_may_change_a_little_either_way(self):
        for count, wrong in ((950, 0), (1090, 0), (880, 1), (1110, 1)):
            found = list(check.problems("find_by_hand", numbers(1000), numbers(count, allocations=9)))
            self.assertEqual(len(found), wrong)

    def test_code_by_hand_is_compared_with(self):
        found = {"find": numbers(1250), "find_by_hand": numbers(1000), "modify": numbers(2000)}
        self.assertEqual(check.described("find", found), "find: 1250 instructions, 1.25 times those by hand, 3 allocations")
        self.assertEqual(check.described("modify", found), "modify: 2000 instructions, 3 allocations")


class names(unittest.TestCase):
    def test_are_without_file_object_and_arguments(self):
        self.assertEqual(check.name_of("./src/a.cpp:tablemap::read(int) [/lib/x.so]"), "tablemap::read")
        self.assertEqual(check.name_of("???:0x0000000000012345 [/lib/x.so]"), "0x0000000000012345")
        self.assertEqual(check.name_of("./a.cpp:tablemap::v0_1::(anonymous namespace)::f()"), "tablemap::f")


if __name__ == "__main__":
    unittest.main()
