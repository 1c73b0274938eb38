# SPDX-License-Identifier: Apache-2.0
"""Runs clang-tidy on every source file of a build folder, unless that file passed before.

    tidy.py BUILD [--slow] [--recent] [PART...]
        PART      only the files whose path contains one of these
        --slow    with the checks that seldom find something
        --recent  only what the last commits changed, or its header; the rest passed with them

Files of one target are checked as one, many at a time: most of the time goes into the headers that
they share. Where something is found, or the files do not go together, the halves are checked, so that
what is reported is always of a file alone. A standard header that a file forgets and a neighbor includes
is not found here, but by a build with clang.

What passed is kept in BUILD/lint: a file named by the hash of the source, of every header of ours it
includes (as ninja noted when it compiled), of its compile command and of the settings.
"""

import concurrent.futures
import functools
import hashlib
import itertools
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TIDY = "clang-tidy-14"
TOGETHER = 40  # files
RECENT = 30  # commits, more than between two runs over what had changed
# What these find, the warnings of g++ mostly find, too; they take a third of the time.
SLOW = ["bugprone-argument-comment", "bugprone-forward-declaration-namespace",
        "bugprone-implicit-widening-of-multiplication-result", "bugprone-incorrect-roundings",
        "bugprone-infinite-loop", "bugprone-misplaced-widening-cast",
        "bugprone-undelegated-constructor", "bugprone-unused-raii", "bugprone-unused-return-value",
        "bugprone-virtual-near-miss", "performance-no-int-to-ptr"]
checks = ["clang-diagnostic-*"]
# What a file defines at the left margin: a name of one file's own must not meet another's.
DEFINED = re.compile(r"^(?:(?:using|namespace) (\w+) =|(?![\s#/}]|namespace|using|TEST_CASE|return)"
                     r"[^\n({=;]*?(?<!::)\b(\w+)\s*[({=;])", re.M)


def each_alone(entries, build):
    """Compile commands of our files; of those compiled as one, the command of that one for each."""
    for entry in entries:
        source = pathlib.Path(entry["file"])
        if build not in source.parents:
            yield entry
        elif source.parent.name == "Unity" and source.exists():
            for own in re.findall(r'^#include "(.*)"', source.read_text(), re.M):
                yield {**entry, "file": own,
                       "command": entry["command"].replace(f"-c {source}", f"-c {own}")}


def included(build):
    """Object file -> the headers of ours it was compiled with."""
    listing = subprocess.run(["ninja", "-C", build, "-t", "deps"], check=True, capture_output=True,
                             text=True).stdout
    deps, current = {}, None
    for line in listing.splitlines():
        if line.startswith("    "):
            path = pathlib.Path(build, line.strip()).resolve()
            if ROOT in path.parents and path.suffix == ".h":
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


def alone_in(words):
    """A compile command without what differs between the files of a target."""
    return tuple(word for at, word in enumerate(words)
                 if word not in ("-c", "-o") and words[at - 1] not in ("-c", "-o"))


@functools.cache
def defined_in(path):
    return {alias or name for alias, name in DEFINED.findall(path.read_text())}


def batches_of(todo, deps):
    """Files to check together, the longest batches first: of one target and one top folder, none
    defining for itself a name that another, or a header of another, knows."""
    targets = {}
    for entry, mark in todo:
        words = shlex.split(entry["command"])
        source = pathlib.Path(entry["file"])
        headers = set(deps.get(words[words.index("-o") + 1], []))
        declared = set().union(*map(defined_in, headers))
        own = defined_in(source) - declared
        target = targets.setdefault((alone_in(words), source.relative_to(ROOT).parts[0]), [])
        for batch in target:
            if len(batch["jobs"]) < TOGETHER and not own & (batch["own"] | batch["declared"]) and \
                    not declared & batch["own"]:
                break
        else:
            batch = {"jobs": [], "own": set(), "declared": set()}
            target.append(batch)
        batch["jobs"].append((entry, mark))
        batch["own"] |= own
        batch["declared"] |= declared
    batches = [batch["jobs"] for target in targets.values() for batch in target]
    return sorted(batches, key=len, reverse=True)


def tidy(database, *arguments):
    # The compile command is g++'s, which knows warnings that clang does not. Clang's own warnings
    # come at no cost here and keep the tree clean under both compilers.
    return subprocess.run([TIDY, "--quiet", "-p", database, f"--checks={','.join(checks)}",
                           "--extra-arg=-Wno-unknown-warning-option",
                           "--extra-arg=-Wreserved-identifier", *arguments],
                          capture_output=True, text=True)


def pass_together(database, entries):
    """Whether clang-tidy finds nothing in a source that includes all of these."""
    words = shlex.split(entries[0]["command"])
    name = hashlib.sha256("".join(entry["file"] for entry in entries).encode()).hexdigest()[:16]
    folder = database / name
    folder.mkdir(exist_ok=True)
    source = folder / "together.cpp"
    source.write_text("".join(f'#include "{entry["file"]}"  // NOLINT\n' for entry in entries))
    words[words.index("-c") + 1] = str(source)
    (folder / "compile_commands.json").write_text(json.dumps(
        [{"directory": entries[0]["directory"], "command": shlex.join(words), "file": str(source)}]))
    own_settings = ROOT / pathlib.Path(entries[0]["file"]).relative_to(ROOT).parts[0] / ".clang-tidy"
    if own_settings.exists():
        shutil.copy(own_settings, folder)
    # Names of neighbors may hide one another; those of a file alone are g++'s to find.
    run = tidy(folder, "--extra-arg=-Wno-shadow",
               f"--header-filter=^{ROOT}/((sim|reports|calib|ui)/|tests/.*\\.cpp$)", source)
    shutil.rmtree(folder)
    return run.returncode == 0


def check(database, jobs):
    """What clang-tidy says of each file, empty where it passes."""
    if len(jobs) == 1:
        return [check_alone(database, *jobs[0])]
    if pass_together(database, [entry for entry, _ in jobs]):
        for _, mark in jobs:
            mark.touch()
        return [""] * len(jobs)
    middle = len(jobs) // 2
    return check(database, jobs[:middle]) + check(database, jobs[middle:])


def check_alone(database, entry, mark):
    run = tidy(database, entry["file"])
    if run.returncode == 0:
        mark.touch()
        return ""
    return run.stdout or run.stderr  # the latter only counts warnings, unless clang-tidy broke


def recently_changed():
    """Nothing where no history tells."""
    run = subprocess.run(["git", "-C", ROOT, "log", f"-{RECENT}", "--name-only", "--format="],
                         capture_output=True, text=True)
    shallow = (ROOT / ".git" / "shallow").exists()
    return None if run.returncode or shallow else {str(ROOT / name) for name in run.stdout.split("\n")}


def main(build, *parts):
    recent = recently_changed() if "--recent" in parts else None
    parts = [part for part in parts if part != "--recent"]
    if "--slow" in parts:
        parts = [part for part in parts if part != "--slow"]
        checks.extend(SLOW)
    build = pathlib.Path(build).resolve()
    marks = build / "lint"
    marks.mkdir(exist_ok=True)
    entries = json.loads((build / "compile_commands.json").read_text())
    entries = list(each_alone(entries, build))
    for entry in entries:
        entry["command"] = without_precompiled(entry["command"])
    database = build / "tidy"
    database.mkdir(exist_ok=True)
    (database / "compile_commands.json").write_text(json.dumps(entries))
    settings = b"".join(path.read_bytes() for path in sorted([*ROOT.glob(".clang-tidy"),
                                                              *ROOT.glob("*/.clang-tidy")]))
    settings += ",".join(checks).encode()
    settings += subprocess.run([TIDY, "--version"], check=True, capture_output=True).stdout
    deps = included(build)
    todo, kept = [], set()
    for entry in entries:
        if parts and not any(part in entry["file"] for part in parts):
            continue
        header = entry["file"].removesuffix(".cpp") + ".h"
        if recent is not None and not recent & {entry["file"], header}:
            continue
        words = shlex.split(entry["command"])
        compiled_from = deps.get(words[words.index("-o") + 1], [])
        mark = marks / key(entry, compiled_from, settings)
        kept.add(mark)
        if not mark.exists():
            todo.append((entry, mark))
    if not parts and recent is None:
        for old in set(marks.iterdir()) - kept:
            old.unlink()
    failed, shown = 0, set()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        said_of = pool.map(lambda jobs: check(database, jobs), batches_of(todo, deps))
        for said in itertools.chain.from_iterable(said_of):
            failed += said != ""
            for finding in re.split(r"^(?=\S+:\d+:\d+: (?:error|warning):)", said, flags=re.M):
                if finding not in shown:  # a header's are found once for every file including it
                    print(finding, end="", flush=True)
                    shown.add(finding)
    print(f"clang-tidy: {len(kept)} files, {len(todo)} checked now, {failed} failed")
    return 1 if failed else 0


sys.exit(main(*sys.argv[1:]))
