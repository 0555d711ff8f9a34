"""Tests Rollcall's /api/v3 with GitHub's client libraries: python github_clients.py URL NUMBER_OF_PEOPLE"""

import json
import sys
import time
import urllib.request

import github
import github3

url, total = sys.argv[1], int(sys.argv[2])


def pygithub():
    # Sends a token that the server does not need with every request, as many programs do.
    api = github.Github(base_url=url + "/api/v3", auth=github.Auth.Token("secret"), per_page=100)
    people = list(api.get_users())
    ids = [person.id for person in people]
    assert len(ids) == total and ids == sorted(set(ids)), f"{len(ids)} of {total}"
    assert [person.id for person in api.get_users(since=ids[-3])] == ids[-2:]
    # The client requests the members that a list omits from `url`.
    assert "bio" in people[7].raw_data and not people[7].site_admin
    assert api.get_user(people[7].login.upper()).id == people[7].id
    one = api.get_user(people[7].login)
    assert one.id == people[7].id and one.html_url == people[7].html_url
    assert not one.update(), "304 Not Modified"
    assert api.get_user_by_id(people[9].id).login == people[9].login
    # Some programs check the rate limit before they begin, others after each response.
    assert api.get_rate_limit().resources.core.remaining > total
    assert api.rate_limiting[0] == api.rate_limiting[1] and api.rate_limiting_resettime > time.time()
    try:
        api.get_user_by_id(10**15).login
        raise AssertionError("expected 404")
    except github.UnknownObjectException as error:
        assert error.data["message"] == "Not Found", error.data
    try:
        api.get_user("nobody-of-that-name")
        raise AssertionError("expected 404")
    except github.UnknownObjectException as error:
        assert error.data["message"] == "Not Found", error.data


def github3_enterprise():
    api = github3.GitHubEnterprise(url, token="secret")
    people = list(api.all_users(per_page=100))
    assert len(people) == total and len({person.id for person in people}) == total
    assert api.user(people[3].login).id == people[3].id
    assert api.user_with_id(people[3].id).login == people[3].login
    assert api.rate_limit()["resources"]["search"]["limit"] > 0 and api.ratelimit_remaining > total
    assert people[3].refresh(conditional=True).login == people[3].login
    try:
        api.user("nobody-of-that-name")
        raise AssertionError("expected 404")
    except github3.exceptions.NotFoundError as error:
        assert error.message == "Not Found", error


def app():
    """Sends the request of an app that shows GitHub's users, thirty at a time, and checks the members it decodes."""
    request = urllib.request.Request(
        url + "/api/v3/users?per_page=30&since=",
        headers={"Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28"},
    )
    with urllib.request.urlopen(request) as answer:
        people = json.load(answer)
        link = answer.headers["Link"]
    assert len(people) == 30 and f'since={people[-1]["id"]}' in link and 'rel="next"' in link, link
    for person in people:
        assert isinstance(person["id"], int) and isinstance(person["login"], str) and "avatar_url" in person


pygithub()
github3_enterprise()
app()
