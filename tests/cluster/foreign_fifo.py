"""First come, first served: a scheduler that gpufeed simulate --scheduler asks."""
import collections
import json
import sys

waiting = collections.deque()
gpus = {}
free = 0
for line in sys.stdin:
    event = json.loads(line)
    kind = event["event"]
    if kind == "arrive":
        waiting.append(event["job"])
        gpus[event["job"]] = event["gpus"]
    elif kind == "schedule":
        free = event["free_gpus"]
        start = []
        while waiting and gpus[waiting[0]] <= free:
            free -= gpus[waiting[0]]
            start.append(waiting.popleft())
        print(json.dumps({"start": start}), flush=True)
