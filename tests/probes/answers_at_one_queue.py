#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What two nodes that send to each other over TCP get of a queue that takes so many packets a second.

Each node's packets arrive at one queue: of the other's data, and of its answers to what is sent there. Two network
namespaces are joined by a relay between TUN devices, which passes a fixed number of packets a second each way.
Prints what one direction alone gets, what each of two gets at once, and their ratio, beside the 2/3 of one answer
to every second segment (RFC 1122, 4.2.3.2). Skips (77) where TUN or namespaces are missing.
"""
import collections
import fcntl
import os
import pathlib
import select
import signal
import socket
import statistics
import struct
import subprocess
import sys
import time

PACKETS_PER_S, QUEUE, WARM_UP_S, COUNTED_S, RUNS = 3000, 1024, 6, 12, 3
NODES = ("gpufeed-one", "gpufeed-two")
PORT = 5201


def run(*words):
    subprocess.run(words, check=True, capture_output=True)


def tun(name):
    device = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(device, 0x400454CA, struct.pack("16sH", name.encode(), 0x0001 | 0x1000))  # TUNSETIFF: no header
    return device


def relay(devices):
    """Passes packets from each device to the other, at a fixed number a second."""
    queues = [collections.deque(), collections.deque()]
    passed = [time.monotonic()] * 2
    while True:
        for device in select.select(devices, [], [], 0.001)[0]:
            side = devices.index(device)
            try:
                while True:
                    packet = os.read(device, 65536)
                    if len(queues[side]) < QUEUE:
                        queues[side].append(packet)
            except BlockingIOError:
                pass
        now = time.monotonic()
        for side, queue in enumerate(queues):
            passed[side] = max(passed[side], now - 0.005)
            while queue and passed[side] < now:
                os.write(devices[1 - side], queue.popleft())
                passed[side] += 1 / PACKETS_PER_S


def receive(address):
    """Prints the bytes a second that come once the warm-up is over."""
    with socket.create_server((address, PORT)) as server:
        print("ready", flush=True)
        connection, _ = server.accept()
        end, count, begin = time.monotonic() + WARM_UP_S + COUNTED_S, 0, None
        while time.monotonic() < end:
            got = len(connection.recv(1 << 18))
            if begin is None and time.monotonic() > end - COUNTED_S:
                begin = time.monotonic()
            count += got if begin else 0
        print(count / (time.monotonic() - begin), flush=True)


def send(address):
    with socket.create_connection((address, PORT)) as connection:
        try:
            while True:
                connection.sendall(bytes(1 << 16))
        except OSError:
            pass


def on(node, verb, address):
    return subprocess.Popen(["ip", "netns", "exec", node, sys.executable, __file__, verb, address],
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)


def rates(directions):
    """Bytes a second of each direction, (from, to), all at once."""
    address = {node: f"10.77.0.{1 + number}" for number, node in enumerate(NODES)}
    receivers = [on(to, "--receive", address[to]) for _, to in directions]
    for receiver in receivers:
        receiver.stdout.readline()
    senders = [on(of, "--send", address[to]) for of, to in directions]
    out = [float(receiver.stdout.readline()) for receiver in receivers]
    for process in senders + receivers:
        process.kill()
        process.wait()
    return out


def main():
    if os.geteuid() or not pathlib.Path("/dev/net/tun").exists():
        print("skipped: it takes root and /dev/net/tun")
        sys.exit(77)
    devices = []
    try:
        for number, node in enumerate(NODES):
            name = f"gft{number}"
            devices.append(tun(name))
            run("ip", "netns", "add", node)
            run("ip", "link", "set", name, "netns", node)
            run("ip", "-n", node, "addr", "add", f"10.77.0.{1 + number}/24", "dev", name)
            run("ip", "-n", node, "link", "set", name, "up")
    except (OSError, subprocess.CalledProcessError) as error:
        print("skipped:", error)
        sys.exit(77)
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        relay(devices)
    try:
        there, back = (NODES[0], NODES[1]), (NODES[1], NODES[0])
        ratios = []
        for _ in range(RUNS):
            alone, both = rates([there])[0], rates([there, back])
            ratios.append(statistics.mean(both) / alone)
            print(f"one way {alone / 1e6:.2f} MB/s, both ways {both[0] / 1e6:.2f} and {both[1] / 1e6:.2f}: "
                  f"{ratios[-1]:.3f}", flush=True)
        print(f"{statistics.median(ratios):.3f} of it in the median; by one answer to two segments 0.667")
    finally:
        os.kill(child, signal.SIGKILL)
        for node in NODES:
            subprocess.run(["ip", "netns", "del", node], check=False, capture_output=True)


if len(sys.argv) > 2:
    {"--receive": receive, "--send": send}[sys.argv[1]](sys.argv[2])
else:
    main()
