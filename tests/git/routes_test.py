#!/usr/bin/env python3
"""codexmem routes, and the routes of an overview, on a small web program.

  tests/git/routes_test.py --program build/dev/bin/codexmem
"""

import argparse
import json
import tempfile

from git_repository import Repository

FILES = {
    "app.js": "const express = require('express');\nconst app = express();\napp.use('/api', require('./users'));\n"
              "app.get('/', home);\napp.get(`/${base}/x`, home);\n",
    "users.js": "const { Router } = require('express');\nconst router = Router();\n"
                "router.get('/users', list);\nrouter.get('/users/:id', one);\nrouter.get('/users-old', old);\nmodule.exports = router;\n",
    "lonely.js": "const { Router } = require('express');\nconst lonely = Router();\nlonely.get('/lonely', list);\n",
    "config/routes.rb": "Rails.application.routes.draw do\n  devise_for :users\nend\n",
}


def answer_of(repository, *words):
    done = repository.codexmem("routes", "--json", *words)
    assert done.returncode in (0, 1), (done.returncode, done.stderr, done.stdout)
    return json.loads(done.stdout), done.returncode


def check_all(program, folder):
    repository = Repository(program, folder)
    repository.commit(FILES)
    answer, code = answer_of(repository)
    assert code == 0 and answer["total"] == 6, answer
    routes = {each["path"]: each for each in answer["routes"]}
    assert list(routes) == sorted(routes), answer
    assert routes["/api/users/:id"] == {"method": "GET", "path": "/api/users/:id", "handler": "one", "framework": "Express",
                                        "file": {"path": "users.js"}, "line": 4}, routes
    assert routes["/lonely"]["doubt"] == "prefix not known" and routes["/{base}/x"]["doubt"] == "computed", routes
    for part in ("1 path computed", "1 route of a router", "1 place with devise_for"):
        assert part in answer["note"], answer["note"]
    # Below a path, not next to it.
    below, _ = answer_of(repository, "--path", "/api/users/")
    assert [each["path"] for each in below["routes"]] == ["/api/users", "/api/users/:id"], below
    page, _ = answer_of(repository, "--limit", "2", "--offset", "1")
    assert page["routes"] == answer["routes"][1:3] and page["nextOffset"] == 3, page
    nothing, code = answer_of(repository, "--path", "/nothing")
    assert code == 1 and nothing["total"] == 0, nothing
    text = repository.codexmem("routes").stdout
    assert "GET     /api/users/:id  one  users.js:4  Express\n" in text, text


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    program = parser.parse_args().program
    with tempfile.TemporaryDirectory() as folder:
        check_all(program, folder)
    print("ok")


if __name__ == "__main__":
    main()
