#!/usr/bin/env python3
"""Scores trials: `score.py TASKS.json TRIAL...`; each TRIAL is a folder with answers.json ({task: [texts] or text}) and
log.jsonl (see look). Prints accuracy, bytes read and calls per task."""
import json
import re
import sys


def f1(truth, given):
    right = len(truth & given)
    return 2 * right / (len(truth) + len(given)) if right else 0.0


def accuracy(task, answer):
    truth = task["truth"]
    texts = [answer] if isinstance(answer, str) else [str(each) for each in answer or []]
    if task["kind"] == "text":  # every fact is named
        return float(all(re.search(fact, " ".join(texts), re.I) for fact in truth))
    last = lambda name: re.split(r"[.:#]+", re.sub(r"\(.*", "", name.strip("`()* ")))[-1]
    if task["kind"] == "function":  # one of the first three
        return float(any(last(text) in map(last, truth) for text in texts[:3]))
    if task["kind"] == "names":
        return f1({last(each) for each in truth}, {last(text) for text in texts})
    places = lambda list_of: {re.sub(r"^\./", "", each.strip()) for each in list_of}
    return f1(places(truth), places(texts))


def main():
    with open(sys.argv[1]) as file:
        tasks = {task["id"]: task for task in json.load(file)}
    total = []
    print(f"{'task':18}{'trial':28}{'accuracy':>9}{'bytes':>9}{'calls':>7}")
    for trial in sys.argv[2:]:
        with open(f"{trial}/answers.json") as file:
            answers = json.load(file)
        with open(f"{trial}/log.jsonl") as file:
            log = [json.loads(line) for line in file]
        for name, answer in answers.items():
            own = [row for row in log if row["task"] == name]
            row = (accuracy(tasks[name], answer), sum(each["bytes"] for each in own), len(own))
            total.append((trial, tasks[name]["kind"], *row))
            print(f"{name:18}{trial[-27:]:28}{row[0]:9.2f}{row[1]:9}{row[2]:7}")
        extra = sum(row["bytes"] for row in log if row["task"] not in answers)
        print(f"{'':18}{trial[-27:]:28}{'':9}{extra:9}  read beside tasks")


main()
