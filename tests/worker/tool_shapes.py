"""Hook reports of coding tools about their tools, in the tools' own shapes, with private lines in them.

The shapes are those of Claude Code 2, Codex and Cursor as src/hook/host_input.h reads them. A private
element opens in one string and closes in another wherever the shape has lines, edits or blocks.
"""

import json


def lines(canary, prefix=""):
    """A text's lines: the element opens in one, closes in another, and is not in those between."""
    return [f"{prefix}kept above", f"{prefix}<private>", f"{prefix}{canary()}", f"{prefix}{canary()} more",
            f"{prefix}</private>", f"{prefix}kept below"]


def text(canary, prefix=""):
    return "\n".join(lines(canary, prefix))


def numbered(canary):
    return "\n".join(f"{number:6}\t{line}" for number, line in enumerate(lines(canary), 1))


def blocks(canary, kind="text"):
    return [{"type": kind, "text": each} for each in lines(canary)]


def patch(canary):
    return [{"oldStart": 1, "oldLines": 6, "newStart": 1, "newLines": 6, "lines": lines(canary, "+")},
            {"oldStart": 9, "oldLines": 6, "newStart": 9, "newLines": 6, "lines": lines(canary, "-")},
            {"oldStart": 20, "oldLines": 6, "newStart": 20, "newLines": 6, "lines": lines(canary, " ")}]


def claude_code(canary):
    edit = {"file_path": "/w/notes.md", "old_string": text(canary), "new_string": text(canary)}
    edited = {"filePath": "/w/notes.md", "oldString": text(canary), "newString": text(canary),
              "originalFile": text(canary), "structuredPatch": patch(canary), "userModified": False,
              "replaceAll": False}
    yield "Edit", edit, edited
    yield "Edit", {"file_path": "/w/a.md", "old_string": "kept", "new_string": "kept 2"}, {
        "filePath": "/w/a.md", "structuredPatch": patch(canary)}
    yield "MultiEdit", {"file_path": "/w/notes.md", "edits": [
        {"old_string": "kept <private>", "new_string": canary()}, {"old_string": canary(), "new_string": "</private>"}]}, edited
    yield "Write", {"file_path": "/w/new.md", "content": text(canary)}, {
        "type": "update", "filePath": "/w/new.md", "content": text(canary), "structuredPatch": patch(canary)}
    yield "Read", {"file_path": "/w/notes.md"}, {
        "type": "text", "file": {"filePath": "/w/notes.md", "content": numbered(canary), "numLines": 6, "startLine": 1}}
    yield "Read", {"file_path": "/w/notes.md"}, [{"type": "text", "text": numbered(canary)}]
    yield "Bash", {"command": f"cat <<EOF\n{text(canary)}\nEOF", "description": "kept"}, {
        "stdout": text(canary), "stderr": text(canary), "interrupted": False, "isImage": False}
    yield "Grep", {"pattern": "kept", "output_mode": "content"}, {
        "mode": "content", "filenames": lines(canary), "content": text(canary, "notes.md:7:"), "numLines": 6}
    yield "Task", {"description": "kept", "prompt": text(canary), "subagent_type": "general"}, {
        "content": blocks(canary), "totalDurationMs": 9, "totalTokens": 8}
    yield "NotebookEdit", {"notebook_path": "/w/n.ipynb", "new_source": text(canary)}, {
        "new_source": text(canary), "cell_type": "code", "source": lines(canary)}
    yield "TodoRead", {}, {"newTodos": [{"content": each, "status": "pending"} for each in lines(canary)]}
    yield "WebFetch", {"url": "https://example.com", "prompt": "kept"}, {"result": text(canary), "code": 200}
    yield "mcp__notes__read", {"ids": lines(canary)}, blocks(canary)
    yield "mcp__notes__read", {"id": 1}, {"content": blocks(canary), "structuredContent": {"rows": lines(canary)}}
    yield "mcp__notes__read", {"id": 2}, [{"type": "text", "text": json.dumps({"rows": lines(canary)})}]
    escaped = json.dumps({"rows": lines(canary)}).replace("<", "\\u003c").replace(">", "\\u003e")
    yield "Bash", {"command": "curl x"}, {"stdout": f"{escaped}\n{escaped}\n", "stderr": ""}
    yield "Bash", {"command": "curl y"}, {"stdout": text(canary).replace("<", "&lt;").replace(">", "&gt;")}
    yield "Bash", {"command": "printf"}, {"stdout": ["kept <pri", "vate>", canary(), "</priv", "ate> kept"]}
    yield "Bash", {"command": "tail"}, {"stdout": "kept <private>", "lines": [canary(), {"text": canary()}], "rest": canary()}


def codex(canary):
    change = "*** Begin Patch\n*** Update File: notes.md\n@@\n" + text(canary, "+") + "\n*** End Patch"
    yield "apply_patch", {"command": change}, "Success. Updated the following files:\nM notes.md\n"
    yield "apply_patch", {"command": ["apply_patch", change]}, json.dumps({"output": text(canary), "metadata": {"exit_code": 0}})
    yield "Bash", {"command": ["bash", "-lc", *lines(canary)]}, text(canary)
    yield "Bash", {"command": "cat notes.md"}, json.dumps({"output": lines(canary), "metadata": {"exit_code": 0}})
    yield "mcp__notes__read", {"arguments": lines(canary)}, {"content": blocks(canary), "isError": False}
    yield "mcp__notes__read", {"arguments": {}}, {"content": blocks(canary, "output_text")}


def cursor(canary):
    """Events as they are, since each kind has members of its own."""
    edits = [{"old_string": old, "new_string": new} for old, new in zip(lines(canary), lines(canary))]
    yield "file-edit", {"file_path": "/w/notes.md", "edits": edits}
    yield "observation", {"command": text(canary), "output": text(canary)}
    yield "observation", {"tool_name": "read", "tool_input": json.dumps({"ids": lines(canary)}),
                          "result_json": json.dumps({"content": blocks(canary)})}
    yield "observation", {"tool_name": "Shell", "tool_input": {"command": text(canary)},
                          "tool_output": json.dumps({"stdout": text(canary), "lines": lines(canary)})}


def events(canary):
    """(platform, hook's event, its JSON without the session)."""
    for platform, tools in (("claude-code", claude_code), ("codex", codex)):
        for number, (name, given, answer) in enumerate(tools(canary)):
            yield platform, "observation", {"tool_name": name, "tool_use_id": f"{platform}-{number}",
                                            "tool_input": given, "tool_response": answer}
    for event, body in cursor(canary):
        yield "cursor", event, body
