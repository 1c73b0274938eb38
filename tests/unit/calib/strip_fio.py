#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""strip_fio.py FILE... >OUT: joins what fio --output-format=json printed of one or more runs into
one document for tests, and leaves out what names a time, a host, a path or a disk, and what takes
most of the room: distributions of latency and depth, and the directions in which a job did nothing.
No job is left out and no number changed. Jobs keep the order of the files and get a group of their
own, as if one run had measured them with stonewall."""
import json
import sys

JOB = ("jobname", "groupid", "error", "job options", "usr_cpu", "sys_cpu")
SIDE = ("io_bytes", "bw_bytes", "iops", "runtime", "total_ios", "bw_min", "bw_max", "bw_dev",
        "lat_ns")
PRIVATE = ("filename", "directory", "output", "name")


def options(found):
    return {key: value for key, value in found.items() if key not in PRIVATE}


def side(found):
    return {key: ({k: v for k, v in found[key].items() if k != "percentile"}
                  if isinstance(found[key], dict) else found[key])
            for key in SIDE if key in found}


def main():
    out = {"fio version": "", "global options": {}, "jobs": []}
    groups = 0
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            run = json.load(file)
        out["fio version"] = run["fio version"]
        for job in run["jobs"]:
            kept = {key: job[key] for key in JOB if key in job}
            kept["groupid"] = groups + job["groupid"]
            kept["job options"] = {**options(run.get("global options", {})),
                                   **options(job.get("job options", {}))}
            for direction in ("read", "write"):
                if job[direction]["total_ios"] > 0:
                    kept[direction] = side(job[direction])
            out["jobs"].append(kept)
        groups += 1 + max(job["groupid"] for job in run["jobs"])
    first = out["jobs"][0]["job options"]
    out["global options"] = {key: value for key, value in first.items()
                             if all(job["job options"].get(key) == value for job in out["jobs"])}
    for job in out["jobs"]:
        job["job options"] = {key: value for key, value in job["job options"].items()
                              if key not in out["global options"]}
    head = {key: value for key, value in out.items() if key != "jobs"}
    print(json.dumps(head)[:-1] + ', "jobs": [')
    print(",\n".join(json.dumps(job) for job in out["jobs"]))
    print("]}")


main()
