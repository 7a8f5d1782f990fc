# SPDX-License-Identifier: Apache-2.0
"""The comparison is trusted only as far as it is seen to fail."""
import os
import unittest

import run_cases
from run_cases import Mismatch, compare


class Answer(run_cases.Answer):
    def __init__(self, status=200, text="", **headers):
        self.status, self.text = status, text
        self.headers = {name.lower(): value for name, value in headers.items()}


class Comparison(unittest.TestCase):
    def refuses(self, expected, answer):
        with self.assertRaises(Mismatch):
            compare(expected, answer)

    def test_status_and_code(self):
        found = Answer(404, '{"odata.error":{"code":"TableNotFound"}}')
        compare({"status": 404, "code": "TableNotFound"}, found)
        self.refuses({"status": 200}, found)
        self.refuses({"code": "ResourceNotFound"}, found)

    def test_bodies(self):
        found = Answer(text='{"A":1,"value":[{"RowKey":"1"},{"RowKey":"2"}]}')
        compare({"has": {"A": 1}, "lacks": ["B"], "keys": ["1", "2"], "text": '"A":1', "lacks_text": "C"}, found)
        for wrong in ({"has": {"A": 2}}, {"has": {"A": True}}, {"has": {"B": 1}}, {"lacks": ["A"]}, {"keys": ["2", "1"]},
                      {"text": "C"}, {"lacks_text": "A"}):
            self.refuses(wrong, found)
        self.refuses({"has": {}}, Answer(text="no JSON"))

    def test_headers(self):
        found = Answer(ETag='W/"1"')
        compare({"headers": {"etag": "^W/"}, "no_headers": ["Vary"]}, found)
        self.refuses({"headers": {"ETag": "^$"}}, found)
        self.refuses({"no_headers": ["etag"]}, found)

    def test_parts(self):
        found = Answer(text='--b\r\nHTTP/1.1 204 No Content\r\n\r\n\r\n--b\r\n\r\nHTTP/1.1 409 Conflict\r\n\r\n'
                            '{"odata.error":{"code":"EntityAlreadyExists"}}\r\n--b--\r\n')
        compare({"parts": [204, [409, "EntityAlreadyExists"]]}, found)
        for wrong in ([204], [204, 204], [204, [409, "Other"]], [204, 409, 204]):
            self.refuses({"parts": wrong}, found)


class Files(unittest.TestCase):
    def test_every_case_is_well_formed(self):
        self.assertGreater(len(run_cases.read_cases(os.path.dirname(os.path.abspath(__file__)))), 80)

    def test_deviations_need_a_reason_and_known_names(self):
        for step in ({"send": "GET /", "azurite": {"status": 1}}, {"send": "GET /", "served": {"why": "x", "y": 1}},
                     {"send": "GET /", "other": 1}):
            with self.assertRaises(Mismatch):
                run_cases.check_step(step)

    def test_values_may_be_made(self):
        self.assertEqual(run_cases.value_of({"A": {"$repeat": "x", "times": 3}, "B": [{"$bytes": 3}]}),
                         {"A": "xxx", "B": ["AQEB"]})
        self.assertEqual(run_cases.value_of([1, {"$each": ["${i}", "${T}"], "times": 2}]),
                         [1, ["1001", "${T}"], ["1002", "${T}"]])
        self.assertEqual(run_cases.filled({"send": "GET /${T}()?$top=1"}, {"T": "x"}), {"send": "GET /x()?$top=1"})


if __name__ == "__main__":
    unittest.main()
