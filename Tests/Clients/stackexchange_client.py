"""Tests Rollcall's /2.3 with StackAPI: python stackexchange_client.py URL SITE NUMBER_OF_PEOPLE"""

import sys

from stackapi import StackAPI, StackAPIError

url, site, total = sys.argv[1], sys.argv[2], int(sys.argv[3])

api = StackAPI(site, base_url=url, max_pages=1000)
people = api.fetch("users", sort="creation", order="asc")["items"]
ids = [person["user_id"] for person in people]
assert len(ids) == total and ids == sorted(set(ids)), f"{len(ids)} of {total}"

api.max_pages = 1
best = api.fetch("users")
scores = [person["reputation"] for person in best["items"]]
assert len(scores) == 100 and scores == sorted(scores, reverse=True) and best["has_more"]
# Pages far down the list work like the first one.
last = api.fetch("users", page=total // 100, sort="creation", order="asc")["items"]
assert [person["user_id"] for person in last] == ids[(total // 100 - 1) * 100 :][:100]
some = api.fetch("users/{ids}", ids=ids[5:8], sort="creation", order="asc")["items"]
assert [person["user_id"] for person in some] == ids[5:8]
assert api.fetch("users", filter="total")["total"] == total
found = api.fetch("users", inname=people[0]["display_name"])["items"]
assert people[0] in found
try:
    api.fetch("answers")
    raise AssertionError("expected no_method")
except StackAPIError as error:
    assert error.error == 404 and error.code == "no_method", error.message
try:
    StackAPI("nowhere", base_url=url)
    raise AssertionError("expected an unknown site to be rejected")
except ValueError:
    pass
