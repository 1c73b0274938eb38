# SPDX-License-Identifier: Apache-2.0
"""A link of known rate, servers behind it and clients that read from them, all of which servers_test measures.

All of it lives in the namespaces of the process that makes it, and ends with it.
"""

import base64
import ctypes
import email.utils
import hashlib
import hmac
import http.client
import os
import pathlib
import select
import shutil
import socket
import subprocess
import time

SERVER, CLIENT, PORT = "10.77.0.1", "10.77.0.2", 8080
KEY, SECRET = "test:tester", "testing"
MIB = 1 << 20

SWIFT = """[DEFAULT]
bind_ip = {ip}
bind_port = {port}
user = root
devices = {disk}
mount_check = false
workers = 2
[pipeline:main]
pipeline = {pipeline}
[app:{kind}-server]
use = egg:swift#{kind}
account_autocreate = true
[filter:s3api]
use = egg:swift#s3api
auth_pipeline_check = false
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:11211
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:gatekeeper]
use = egg:swift#gatekeeper
"""
GANESHA = """NFS_CORE_PARAM {{ Protocols = 4; Enable_NLM = false; Enable_RQUOTA = false; Enable_UDP = false; }}
NFSv4 {{ Graceless = true; RecoveryRoot = "{folder}/recovery"; }}
EXPORT {{ Export_Id = 1; Path = "{folder}/files"; Pseudo = "/probe"; Access_Type = RO; Squash = none;
  SecType = sys, none; FSAL {{ Name = VFS; }} }}
"""


class Failure(Exception):
    """Why something cannot be measured."""


def run(*command, **options):
    done = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    if done.returncode:
        said = (done.stderr.strip() or done.stdout.strip()).splitlines()[-1:]
        raise Failure(f"{' '.join(command)}: exit status {done.returncode}: {' '.join(said)}")
    return done.stdout


def until(what, seconds, reason, daemon=None):
    """Waits until what() is true, without an error of the system."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            if what():
                return
        except OSError:
            pass
        if daemon and daemon.poll() is not None:
            raise Failure(f"{reason}: it ended with status {daemon.returncode}")
        time.sleep(0.02)
    raise Failure(f"{reason} within {seconds} s")


class Link:
    """A second network namespace, joined to this one by a veth pair."""

    def __init__(self):
        self.holder = subprocess.Popen(["unshare", "--net", "sleep", "infinity"])
        self.there = f"/proc/{self.holder.pid}/ns/net"
        until(lambda: os.readlink(self.there) != os.readlink("/proc/self/ns/net"), 10, "there is no second namespace")
        self.inside = ["nsenter", f"--net={self.there}"]
        self.ends = (([], "probe0", CLIENT), (self.inside, "probe1", SERVER))
        run("ip", "link", "add", "probe0", "type", "veth", "peer", "name", "probe1", "netns", str(self.holder.pid))
        for inside, device, address in self.ends:
            run(*inside, "ip", "addr", "add", f"{address}/24", "dev", device)
            run(*inside, "ip", "link", "set", "lo", "up")
            # Less than a bucket, so that the kernel does not cut packets in software.
            run(*inside, "ip", "link", "set", "dev", device, "gso_max_size", "32768", "up")

    def shape(self, mbit):
        for inside, device, _ in self.ends:
            run(*inside, "tc", "qdisc", "replace", "dev", device, "root", "tbf", "rate", f"{mbit}mbit",
                "burst", "36kb", "latency", "50ms")

    def start(self, log, *command):
        with open(log, "ab") as out:
            return subprocess.Popen([*self.inside, *command], stdout=out, stderr=out)

    def received(self):
        """Bytes that came over the link to the clients, headers too."""
        lines = pathlib.Path("/proc/self/net/dev").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if "probe0:" in line)

    def core_s(self):
        """Core time of all that runs in the server's namespace."""
        home, total = os.readlink(self.there), 0
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if os.readlink(process / "ns/net") == home:
                    total += core_s_of(process.name)
            except OSError:
                pass
        return total


def core_s_of(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def busy_core_s():
    """Core time of everything on this machine since it started."""
    ticks = [int(word) for word in pathlib.Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:8]]
    return (sum(ticks) - ticks[3] - ticks[4]) / os.sysconf("SC_CLK_TCK")


def answers(port):
    socket.create_connection((SERVER, port), timeout=2).close()
    return True


def serve_nfs(link, folder, files):
    if not shutil.which("ganesha.nfsd"):
        raise Failure("nfs-ganesha is not installed")
    for name in ("recovery", "files"):
        (folder / name).mkdir()
    for name, data in files.items():
        (folder / "files" / name).write_bytes(data)
    (folder / "ganesha.conf").write_text(GANESHA.format(folder=folder))
    pathlib.Path("/run/ganesha").mkdir()
    daemon = link.start(folder / "ganesha.out", "ganesha.nfsd", "-F", "-f", str(folder / "ganesha.conf"), "-L",
                        str(folder / "ganesha.log"), "-p", str(folder / "ganesha.pid"))
    until(lambda: answers(2049), 30, "nfs-ganesha does not answer", daemon)


def serve_s3(link, folder, files):
    if not all(shutil.which(f"swift-{kind}-server") for kind in ("proxy", "account", "container", "object")):
        raise Failure("swift-proxy, swift-account, swift-container or swift-object is not installed")
    if not shutil.which("memcached"):
        raise Failure("memcached is not installed")
    etc, disk = folder / "swift", folder / "disk"
    etc.mkdir()
    (disk / "sda").mkdir(parents=True)
    try:
        os.setxattr(disk, "user.probe", b"1")
    except OSError:
        raise Failure("tmpfs of this kernel has no attributes of users, which Swift needs") from None
    (etc / "swift.conf").write_text("[swift-hash]\nswift_hash_path_suffix = probe\n[storage-policy:0]\nname = all\n"
                                    "default = yes\n")
    run("mount", "--bind", str(etc), "/etc/swift")
    link.start(folder / "memcached.log", "memcached", "-u", "root", "-l", "127.0.0.1")
    pipeline = "catch_errors gatekeeper cache s3api tempauth proxy-server"
    for kind, ip, port in (("account", "127.0.0.1", 6202), ("container", "127.0.0.1", 6201),
                           ("object", "127.0.0.1", 6200), ("proxy", "0.0.0.0", PORT)):
        if kind != "proxy":
            for step in (["create", "4", "1", "1"], ["add", f"r1z1-{ip}:{port}/sda", "1"], ["rebalance"]):
                run("swift-ring-builder", str(etc / f"{kind}.builder"), *step)
        (etc / f"{kind}.conf").write_text(SWIFT.format(
            ip=ip, port=port, disk=disk, kind=kind, pipeline=pipeline if kind == "proxy" else f"{kind}-server"))
        link.start(folder / "swift.log", f"swift-{kind}-server", str(etc / f"{kind}.conf"))

    def stored(path, data):
        return S3().ask("PUT", path, data).status == 200
    until(lambda: stored("/probe", None), 40, "Swift does not answer")
    for name, data in files.items():
        until(lambda: stored(f"/probe/{name}", data), 10, f"Swift does not store {name}")


class S3:
    """Plain ranged GETs."""

    def __init__(self):
        self.connection = http.client.HTTPConnection(SERVER, PORT, timeout=60)

    def ask(self, method, path, body=None, part=None):
        date = email.utils.formatdate(usegmt=True)
        signed = hmac.new(SECRET.encode(), f"{method}\n\n\n{date}\n{path}".encode(), hashlib.sha1).digest()
        headers = {"Date": date, "Authorization": f"AWS {KEY}:{base64.b64encode(signed).decode()}"}
        if part:
            headers["Range"] = f"bytes={part[0]}-{part[0] + part[1] - 1}"
        self.connection.request(method, path, body, headers)
        return self.connection.getresponse()

    def get(self, name, part=None):
        answer = self.ask("GET", f"/probe/{name}", None, part)
        size, buffer = 0, bytearray(MIB)
        while got := answer.readinto(buffer):
            size += got
        if answer.status not in (200, 206):
            raise Failure(f"GET {name}: {answer.status}")
        return size

    def whole(self, name, _):
        return self.get(name)

    def blocks(self, name, offsets, block, _):
        return sum(self.get(name, (offset, block)) for offset in offsets)


class Nfs:
    """libnfs by NFS 4.0, without a cache."""

    CALLBACK = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)

    def __init__(self):
        self.lib = ctypes.CDLL("libnfs.so.13")
        for name in ("nfs_init_context", "nfs_get_error"):
            getattr(self.lib, name).restype = ctypes.c_void_p
        self.context = ctypes.c_void_p(self.lib.nfs_init_context())
        self.lib.nfs_set_version(self.context, 4)
        self.check(self.lib.nfs_mount(self.context, SERVER.encode(), b"/probe"))

    def check(self, code):
        if code < 0:
            raise Failure("libnfs: " + ctypes.string_at(self.lib.nfs_get_error(self.context)).decode())
        return code

    def open(self, name):
        file = ctypes.c_void_p()
        self.check(self.lib.nfs_open(self.context, f"/{name}".encode(), os.O_RDONLY, ctypes.byref(file)))
        return file

    def whole(self, name, size):
        file, buffer = self.open(name), ctypes.create_string_buffer(size)
        got = self.check(self.lib.nfs_pread(self.context, file, ctypes.c_uint64(0), ctypes.c_uint64(size), buffer))
        self.check(self.lib.nfs_close(self.context, file))
        return got

    def blocks(self, name, offsets, block, depth):
        """Keeps so many requests under way on its one connection."""
        file, left, sizes, asked = self.open(name), list(reversed(offsets)), [], 0
        callback = self.CALLBACK(lambda code, *_: sizes.append(code))
        poll = select.poll()
        while len(sizes) < len(offsets):
            while left and asked - len(sizes) < depth:
                self.check(self.lib.nfs_pread_async(self.context, file, ctypes.c_uint64(left.pop()),
                                                    ctypes.c_uint64(block), callback, None))
                asked += 1
            poll.register(self.lib.nfs_get_fd(self.context), self.lib.nfs_which_events(self.context))
            for _, events in poll.poll(30000):
                self.check(self.lib.nfs_service(self.context, events))
        return sum(map(self.check, sizes))


class Mounted:
    """Files under a mount."""

    def __init__(self, at):
        self.at = at

    def whole(self, name, _):
        return len((self.at / name).read_bytes())

    def blocks(self, name, offsets, block, _):
        with open(self.at / name, "rb", buffering=0) as file:
            return sum(len(os.pread(file.fileno(), block, offset)) for offset in offsets)


def mounted(client, folder):
    """The process that serves the mount, which knows no file yet."""
    at = folder / client
    at.mkdir(exist_ok=True)
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("AWS", "RCLONE"))}
    environment |= {"AWS_ACCESS_KEY_ID": KEY, "AWS_SECRET_ACCESS_KEY": SECRET, "AWSACCESSKEYID": KEY,
                    "AWSSECRETACCESSKEY": SECRET, "HOME": str(folder), "RCLONE_CONFIG": str(folder / "rclone.conf")}
    url = f"http://{SERVER}:{PORT}"
    command = {"s3fs": ["s3fs", "probe", str(at), "-f", "-o", f"url={url},use_path_request_style,tmpdir={folder}"],
               "rclone": ["rclone", "mount", ":s3:probe", str(at), "--s3-provider", "Other", "--s3-endpoint", url,
                          "--s3-env-auth", "--read-only"]}[client]
    with open(folder / f"{client}.log", "ab") as out:
        daemon = subprocess.Popen(command, stdout=out, stderr=out, env=environment)
    until(lambda: os.path.ismount(at), 20, f"{client} does not mount", daemon)
    return daemon


def session(client, folder):
    """Reads small files as a whole, and blocks of large ones."""
    return {"libnfs": Nfs, "s3": S3}.get(client, lambda: Mounted(folder / client))()
