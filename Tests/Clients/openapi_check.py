"""Requests everything that a server's /openapi.json describes, and checks the responses against it:
python openapi_check.py URL DIRECTORY characters|people

A directory of characters has a response to every example value of a parameter."""

import itertools
import json
import sys
import urllib.error
import urllib.parse
import urllib.request

from jsonschema import Draft202012Validator
from openapi_spec_validator import validate

url, directory, kind = sys.argv[1:]
answered = 200 if kind == "characters" else None
asked = 0


def ask(target, method="GET", **fields):
    global asked
    asked += 1
    request = urllib.request.Request(url + target, method=method, headers=fields)
    try:
        answer = urllib.request.urlopen(request)
    except urllib.error.HTTPError as error:
        answer = error
    with answer:
        # A stream of events does not end; its first line comes at once.
        is_stream = (answer.headers["Content-Type"] or "").startswith("text/event-stream")
        return answer.status, answer.headers, answer.readline() if is_stream else answer.read()


def resolved(value):
    """Returns `value`, or the object that it refers to."""
    while "$ref" in value:
        value, path = document, value["$ref"].split("/")[1:]
        for name in path:
            value = value[name]
    return value


def check(target, operation, expected=None):
    """Checks that the response is one of those described, and matches its description."""
    status, headers, body = ask(target)
    assert status == expected or expected is None, f"{target}: expected {expected}, found {status}"
    assert str(status) in operation["responses"], f"{target}: {status} is not described"
    response = resolved(operation["responses"][str(status)])
    for name, header in response.get("headers", {}).items():
        assert name in headers or not resolved(header).get("required"), f"{target}: no {name}"
    media = headers["Content-Type"].split(";")[0]
    assert media in response["content"], f"{target}: {media} is not described"
    # Every byte is a character of Latin-1, also those of a workbook.
    text = body.decode("latin-1" if media.startswith("application/vnd.") else "utf-8")
    schema = {**response["content"][media]["schema"], "components": document["components"]}
    errors = list(Draft202012Validator(schema).iter_errors(json.loads(text) if media == "application/json" else text))
    assert not errors, f"{target}: {errors[0].message} at {list(errors[0].absolute_path)}: {text[:500]}"
    head = ask(target, "HEAD")
    # Lengths are not compared: that of a stream is unknown before it is produced.
    assert head[0] == status and head[1]["Content-Type"] == headers["Content-Type"], f"HEAD {target}: {head[0]}"
    if status == 200 and "304" in operation["responses"]:
        again = ask(target, **{"If-None-Match": headers["ETag"]})
        assert again[0] == 304 and again[1]["ETag"] == headers["ETag"], f"{target}: {again[0]} for its own ETag"
    return json.loads(text) if media == "application/json" else text


def values(parameter):
    """Returns valid values of the parameter: the server's own users and directories, or the description's examples."""
    name = parameter["name"]
    if name == "login":
        return [people[0]["login"], people[1]["login"]]
    if name == "id":
        # In a query, the id belongs to the login that is used last.
        return [str(people[1]["id"])]
    if name == "ids":
        first, second = (str(person["id"]) for person in people[:2])
        separator = ";" if ";" in parameter["schema"]["pattern"] else ","
        return [first, first + separator + second]
    if name in ("directory", "site"):
        return [directory]
    if name == "key":
        return ["status" if kind == "characters" else "type"]
    example = parameter["example"]
    return example if isinstance(example, list) else [example]


def wrong(parameter):
    """Returns invalid values of the parameter, or unlikely ones if it accepts any text."""
    if parameter["in"] == "path":
        return ["nobody-of-that-name"]
    if "enum" in parameter["schema"] or parameter["schema"].get("type") == "integer":
        return ["nonsense", "0" * 30, "-1"]
    return ["nowhere"] if parameter["name"] in ("directory", "site") else ["\0", "x" * 257]


document = json.loads(ask("/openapi.json")[2])
validate(document)
people = json.loads(ask("/api/v3/users?per_page=2")[2])
for path, item in document["paths"].items():
    assert list(item) == ["get"], path
    operation = item["get"]
    parameters = [resolved(parameter) for parameter in operation.get("parameters", [])]
    in_path = [parameter for parameter in parameters if parameter["in"] == "path"]
    in_query = [parameter for parameter in parameters if parameter["in"] == "query"]
    for given in itertools.product(*(values(parameter) for parameter in in_path)):
        target = path
        for parameter, value in zip(in_path, given):
            target = target.replace("{" + parameter["name"] + "}", urllib.parse.quote(value))
        check(target, operation, 200)
    for parameter in in_query:
        for value in values(parameter):
            check(target + "?" + urllib.parse.urlencode({parameter["name"]: value}), operation, answered)
        for value in wrong(parameter):
            check(target + "?" + urllib.parse.urlencode({parameter["name"]: value}), operation)
        twice = [(parameter["name"], values(parameter)[0])] * 2
        is_list = parameter["schema"].get("type") == "array"
        check(target + "?" + urllib.parse.urlencode(twice), operation, answered if is_list else 400)
    for parameter in in_path:
        for value in wrong(parameter):
            check(path.replace("{" + parameter["name"] + "}", value), operation)
if kind == "characters":
    # A parameter that is ignored would also give a 200, so these check its effect.
    for name in ("status", "species", "gender"):
        value = document["components"]["parameters"][name]["example"][0]
        chosen = json.loads(ask(f"/api/v3/users?per_page=3&{name}={value}")[2])
        assert chosen, f"nobody has {name} {value}"
        for person in chosen:
            one = json.loads(ask(f"/api/v3/user/{person['id']}")[2])
            assert one[name] == value, f"{name} {value} chose {one}"
print(f"{len(document['paths'])} paths, {asked} requests")
