# SPDX-License-Identifier: Apache-2.0
"""Runs clang-tidy on every source file of a build folder, unless that file passed before.

    tidy.py BUILD [PART...]     PART: only the files whose path contains one of these

What passed is kept in BUILD/lint: a file named by the hash of the source, of every header of ours it
includes (as ninja noted when it compiled), of its compile command and of the settings.
"""

import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TIDY = "clang-tidy-14"


def included(build):
    """Object file -> the files of ours it was compiled from."""
    listing = subprocess.run(["ninja", "-C", build, "-t", "deps"], check=True, capture_output=True,
                             text=True).stdout
    deps, current = {}, None
    for line in listing.splitlines():
        if line.startswith("    "):
            path = pathlib.Path(build, line.strip()).resolve()
            if ROOT in path.parents:
                current.append(path)
        elif line:
            current = deps.setdefault(line.split(":")[0], [])
    return deps


def key(entry, files, settings):
    digest = hashlib.sha256(settings + entry["command"].encode())
    for path in sorted({pathlib.Path(entry["file"]), *files}):
        digest.update(str(path).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def without_precompiled(command):
    """clang cannot read g++'s precompiled headers, and without one a missing include is found."""
    words = shlex.split(command)
    while "-include" in words:
        at = words.index("-include")
        del words[at:at + 2]
    return shlex.join(words)


def check(database, entry, mark):
    """What clang-tidy says, empty if the file passes."""
    # The compile command is g++'s, which knows warnings that clang does not. Clang's own warnings
    # come at no cost here and keep the tree clean under both compilers.
    run = subprocess.run([TIDY, "--quiet", "-p", database, "--checks=clang-diagnostic-*",
                          "--extra-arg=-Wno-unknown-warning-option",
                          "--extra-arg=-Wreserved-identifier", entry["file"]],
                         capture_output=True, text=True)
    if run.returncode == 0:
        mark.touch()
        return ""
    return run.stdout or run.stderr  # the latter only counts warnings, unless clang-tidy broke


def main(build, *parts):
    build = pathlib.Path(build).resolve()
    marks = build / "lint"
    marks.mkdir(exist_ok=True)
    entries = json.loads((build / "compile_commands.json").read_text())
    entries = [entry for entry in entries if build not in pathlib.Path(entry["file"]).parents]
    for entry in entries:
        entry["command"] = without_precompiled(entry["command"])
    database = build / "tidy"
    database.mkdir(exist_ok=True)
    (database / "compile_commands.json").write_text(json.dumps(entries))
    settings = b"".join(path.read_bytes() for path in sorted([*ROOT.glob(".clang-tidy"),
                                                              *ROOT.glob("*/.clang-tidy")]))
    settings += subprocess.run([TIDY, "--version"], check=True, capture_output=True).stdout
    deps = included(build)
    todo, kept = [], set()
    for entry in entries:
        if parts and not any(part in entry["file"] for part in parts):
            continue
        words = shlex.split(entry["command"])
        compiled_from = deps.get(words[words.index("-o") + 1], [])
        mark = marks / key(entry, compiled_from, settings)
        kept.add(mark)
        if not mark.exists():
            todo.append((database, entry, mark))
    if not parts:
        for old in set(marks.iterdir()) - kept:
            old.unlink()
    failed, shown = 0, set()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for said in pool.map(lambda job: check(*job), todo):
            failed += said != ""
            for finding in re.split(r"^(?=\S+:\d+:\d+: (?:error|warning):)", said, flags=re.M):
                if finding not in shown:  # a header's are found once for every file including it
                    print(finding, end="", flush=True)
                    shown.add(finding)
    print(f"clang-tidy: {len(kept)} files, {len(todo)} checked now, {failed} failed")
    return 1 if failed else 0


sys.exit(main(*sys.argv[1:]))
