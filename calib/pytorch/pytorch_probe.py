#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What PyTorch's DataLoader takes of this machine's cores, for `gpufeed calibrate --pytorch`.

    gpufeed-pytorch-probe PLAN.json RAW.json     writes raw measurements

PLAN.json: {"each_s": SECONDS, "kinds": [{"codec": "jpeg", "width": ..., "height": ..., "detail": ...,
"files": [...]}, ...]}. Samples come out as bytes in RGB, without further transforms; "bytes" are handed
on as stored. Everything is counted inside the workers and the process that a user's job has as well:
decoding by Pillow, collating into shared memory, sending, and taking over.
"""

import io
import json
import mmap
import os
import sys
import threading
import time

import numpy
import PIL
import PIL.Image
import torch
import torch.utils.data

BATCH = 16
PAGE = 4096
ROUNDS = 3  # of the same kinds, for a machine's pace drifts
LARGE = 31 << 20  # glibc's malloc learns from pieces of up to 32 MiB


class Counters:
    """What each worker has done so far, in memory that the processes share."""

    SAMPLES, CORE, READ = range(3)

    def __init__(self, workers):
        self.of_worker = numpy.frombuffer(mmap.mmap(-1, 24 * workers)).reshape(workers, 3)

    def count(self, read):
        row = self.of_worker[torch.utils.data.get_worker_info().id]
        row[self.SAMPLES] += 1
        row[self.READ] += read
        row[self.CORE] = time.process_time()

    def now(self):
        return self.of_worker.sum(axis=0)


class Files(torch.utils.data.Dataset):
    """Files as tensors of bytes: decoded by Pillow, or as stored."""

    def __init__(self, files, codec, length=None, direct=False, counters=None):
        self.files = files
        self.codec = codec
        self.length = length or len(files)
        self.flags = os.O_RDONLY | (os.O_DIRECT if direct else 0)
        self.direct = direct
        self.counters = counters

    def __len__(self):
        return self.length

    def stored(self, file):
        handle = os.open(file, self.flags)
        try:
            size = os.fstat(handle).st_size
            if not self.direct:
                memory = numpy.empty(size, numpy.uint8)
            else:  # whole pages, beginning with one
                whole = (size + PAGE - 1) // PAGE * PAGE
                memory = numpy.empty(whole + PAGE, numpy.uint8)
                memory = memory[-memory.__array_interface__["data"][0] % PAGE:][:whole]
            os.preadv(handle, [memory], 0)
            return memory[:size]
        finally:
            os.close(handle)

    def __getitem__(self, number):
        start = time.thread_time()
        stored = self.stored(self.files[number % len(self.files)])
        read = time.thread_time() - start
        if self.codec == "bytes":
            sample = stored
        else:
            sample = numpy.array(PIL.Image.open(io.BytesIO(stored)).convert("RGB"))
        if self.counters:
            self.counters.count(read)
        return torch.from_numpy(sample)


class Numbers(torch.utils.data.Dataset):
    def __init__(self, length):
        self.length = length

    def __len__(self):
        return self.length

    def __getitem__(self, number):
        return number


def loader_of(dataset, batch, workers):
    return torch.utils.data.DataLoader(dataset, batch_size=batch, num_workers=workers, drop_last=True)


def free_large():
    """As a process has that moved a network to a GPU: glibc's malloc, and that of workers forked from now on, has
    seen a large piece freed. Until then it gives the memory of each batch back to the system, which then
    faults it in anew, page by page."""
    numpy.empty(LARGE, numpy.uint8)


class TimedQueue:
    """The queue of a loader's batches, with what the process that takes them waits for."""

    def __init__(self, queue):
        self.queue = queue
        self.reset()

    def reset(self):
        self.waited = 0.0
        self.start = {"delay": run_delay(), "core": time.thread_time()}

    def get(self, timeout):
        """From when a worker has said that a batch is there, until its memory is there as well."""
        self.queue._reader.poll(timeout)
        start, core, delay = time.monotonic(), time.thread_time(), run_delay()
        batch = self.queue.get(timeout=timeout)
        # without waiting for a core, which `totals` counts, outside of here as well
        self.waited += time.monotonic() - start - (time.thread_time() - core) - (run_delay() - delay)
        return batch

    def totals(self):
        """Waited for workers and for cores, and worked, by this thread."""
        return (self.waited + run_delay() - self.start["delay"], time.thread_time() - self.start["core"])


def run_delay():
    """What this thread has waited for a core that it could have used; 0 where Linux does not tell."""
    try:
        with open(f"/proc/self/task/{threading.get_native_id()}/schedstat", encoding="ascii") as file:
            return 1e-9 * int(file.read().split()[1])
    except OSError:
        return 0.0


def measure_taking(kind, batch, workers, pause, each):
    """What the taking process waits for, and works, for a batch; pausing so long before each."""
    dataset = Files(kind["files"], kind["codec"], length=1 << 40)
    batches = iter(torch.utils.data.DataLoader(dataset, batch_sampler=Endless(batch), num_workers=workers))
    for _ in range(2 * workers + 1):
        first = next(batches)
    queue = batches._data_queue = TimedQueue(batches._data_queue)
    started, taken = time.monotonic(), 0
    while taken < 3 or time.monotonic() - started < each:
        time.sleep(pause)
        current = next(batches)
        taken += 1
    waited, core = queue.totals()
    return {
        "codec": kind["codec"], "workers": workers, "cores": cores(), "batch": batch, "pause_s": pause,
        "decoded_batch_B": first.numel(), "batch_waited_s": waited / taken, "batch_taken_s": core / taken,
        "batches": taken,
    }


def measure_takings(kinds, each):
    """Where cores are free, and where there is a worker for each."""
    return [measure_taking(kind, batch_of(kind), workers, pause, each / 2)
            for kind in kinds for workers, pause in ((1, 0.02), (cores(), 0))]


def cores():
    return len(os.sched_getaffinity(0))


def measure_kind(kind, batch, workers, each):
    """Of one kind of samples: in a worker for a sample, in the taking process for a batch."""
    counters = Counters(workers)
    dataset = Files(kind["files"], kind["codec"], length=1 << 40, counters=counters)
    batches = iter(torch.utils.data.DataLoader(dataset, batch_sampler=Endless(batch), num_workers=workers))
    for _ in range(2 * workers + 1):
        first = next(batches)
    before, started, taken = counters.now(), time.monotonic(), 0
    core = time.thread_time()
    while taken < 3 or time.monotonic() - started < each:
        current = next(batches)
        taken += 1
    core = time.thread_time() - core
    passed = counters.now() - before
    samples = float(passed[Counters.SAMPLES])
    return {
        "codec": kind["codec"], "width": kind["width"], "height": kind["height"], "detail": kind["detail"],
        "workers": workers, "batch": batch,
        "stored_B": sum(os.path.getsize(file) for file in kind["files"]) / len(kind["files"]),
        "decoded_batch_B": first.numel(),
        "sample_s": float(passed[Counters.CORE]) / samples,
        "sample_read_s": float(passed[Counters.READ]) / samples,
        "batch_taken_s": core / taken,
        "samples": int(samples),
    }


def measure_kinds(kinds, batches, each):
    """Each by one worker, in rounds. \return the middle one of each"""
    pairs = list(zip(kinds, batches))
    rounds = [[measure_kind(kind, batch, 1, each / ROUNDS) for kind, batch in pairs]
              for _ in range(ROUNDS)]
    return [sorted(of_kind, key=lambda row: row["sample_s"])[ROUNDS // 2] for of_kind in zip(*rounds)]


def batch_of(kind):
    """So small that what free_large does holds for the batch as well."""
    return max(1, min(BATCH, LARGE // 2 // (3 * kind["width"] * kind["height"])))


class Endless(torch.utils.data.Sampler):
    def __init__(self, batch):
        self.batch = batch

    def __iter__(self):
        number = 0
        while True:
            yield list(range(number, number + self.batch))
            number += self.batch


def worker_start(workers):
    """Of each worker: an epoch of as many batches of nothing, started and ended."""
    start = time.monotonic()
    for _ in loader_of(Numbers(workers), 1, workers):
        pass
    return (time.monotonic() - start) / workers


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        plan = json.load(file)
    torch.set_num_threads(1)
    workers = min(2, os.cpu_count())
    worker_start(workers)
    kinds = plan["kinds"]
    stored = [kind for kind in kinds if kind["codec"] == "bytes"]
    middle = [of_codec[len(of_codec) // 2] for of_codec in
              ([kind for kind in kinds if kind["codec"] == codec] for codec in ("jpeg", "png", "bytes"))]
    # before free_large, which cannot be undone
    memory_returned = measure_kinds(middle, map(batch_of, middle), plan["each_s"])
    free_large()
    sizes = (1, 4, 16, 64)
    decode = measure_kinds(kinds, map(batch_of, kinds), plan["each_s"])
    out = {
        "tools": f"Python {sys.version.split()[0]}, torch {torch.__version__}, Pillow {PIL.__version__}",
        "worker_start_s": [worker_start(workers) for _ in range(5)],
        "decode": decode,
        "batches": measure_kinds([min(stored, key=lambda kind: kind["width"])] * len(sizes), sizes, plan["each_s"]),
        "memory_returned": memory_returned,
        "taking": measure_takings([kind for kind in kinds if kind["width"] in (320, 500) and kind["codec"] != "png"], plan["each_s"]),
    }
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        json.dump(out, file, indent=1)


if __name__ == "__main__":
    main()
