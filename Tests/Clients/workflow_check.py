"""Reads the workflow in a document, and prints its commands of rollcall: python workflow_check.py DOCUMENT"""

import re
import shlex
import sys

import yaml

text = open(sys.argv[1], encoding="utf-8").read()
workflow = yaml.safe_load(re.search(r"^```yaml\n(.*?)^```", text, re.S | re.M)[1])
# YAML 1.1 reads the key `on` as true.
triggers = workflow[True]
minute, hour, day, month, weekday = triggers["schedule"][0]["cron"].split()
assert (day, month) == ("*", "*") and weekday.isdigit(), "once a week"
assert workflow["permissions"] == {"contents": "write"}
(job,) = workflow["jobs"].values()
steps = job["steps"]
assert [step for step in steps if step.get("uses", "").startswith("actions/checkout@")][0]["with"]["fetch-depth"] == 0
for step in steps:
    for line in step.get("run", "").splitlines():
        words = shlex.split(line)
        if words[0] == "rollcall":
            print(" ".join(words[1:]))
assert "git add contributors.svg" in steps[-1]["run"] and "git push" in steps[-1]["run"]
