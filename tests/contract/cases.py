"""What a case of the tables may say of an answer."""

import json


class Result:
    """The result of a tool's call."""

    def __init__(self, result):
        self.raw = result
        self.is_error = result.get("isError", False)
        self.texts = [block["text"] for block in result.get("content", [])]
        self.text = self.texts[0] if self.texts else ""
        self.data = result.get("structuredContent")

    @property
    def json(self):
        """The first text, which is JSON."""
        return json.loads(self.text)

    def __str__(self):
        return json.dumps(self.raw)[:3000]


def has(value, names):
    """Whether the object has each of the members that `names` lists, with blanks between."""
    return set(names.split()) <= set(value)


def code_failure(kind, *parts):
    """A failure of a code tool, whose message holds each of the parts."""
    return lambda r: (r.is_error and r.data["type"] == kind and
                      r.text == f"Error: {kind} - {r.data['message']}" and
                      all(part in r.data["message"] for part in parts))


def memory_failure(code, *parts):
    """A failure of a memory tool."""
    return lambda r: (r.is_error and set(r.data) == {"code", "message", "details"} and
                      r.data["code"] == code and r.text == f"{code}: {r.data['message']}" and
                      all(part in r.data["message"] for part in parts))


def decision_failure(begin, *parts):
    """A failure of a decision tool, whose message begins so."""
    return lambda r: (r.is_error and r.data["status"] == "error" and r.json == r.data and
                      r.data["message"].startswith(begin) and
                      all(part in r.data["message"] for part in parts))


def is_held(holds, result):
    """Whether a case holds of a result; else why it could not even be asked, if so."""
    try:
        return bool(holds(result)), ""
    except (KeyError, IndexError, TypeError, ValueError) as error:
        return False, repr(error)
