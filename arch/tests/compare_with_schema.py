# SPDX-License-Identifier: Apache-2.0
"""Compares the verdicts of a JSON Schema with those of the configuration reader.

Usage: compare_with_schema.py SCHEMA CASES; CASES is a list of {"document": ..., "accepted": bool}.
Prints every disagreement; the exit status is 1 if there is any.
"""

import json
import sys

import jsonschema

with open(sys.argv[1]) as file:
    schema = json.load(file)
with open(sys.argv[2]) as file:
    cases = json.load(file)

jsonschema.Draft7Validator.check_schema(schema)
validator = jsonschema.Draft7Validator(schema)
disagreements = 0
for case in cases:
    errors = [error.message for error in validator.iter_errors(case["document"])]
    if (not errors) != case["accepted"]:
        disagreements += 1
        verdict = "accepts" if case["accepted"] else "refuses"
        print(f"the reader {verdict}, the schema says {errors or 'legal'}: {json.dumps(case['document'])}")
print(f"{len(cases)} documents, {disagreements} disagreements")
sys.exit(1 if disagreements else 0)
