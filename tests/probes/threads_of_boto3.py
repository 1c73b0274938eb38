#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What threads of one Python process download together by boto3: an object of 1 GiB in parts of
16 MiB over HTTPS, from a server in a process of its own beside it. Prints MB/s, and seconds of a
core for a GB. Skips where boto3 or openssl is missing.

    threads_of_boto3.py [THREADS...]   default: 1 4 8 16 32
"""
import os
import re
import resource
import ssl
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SIZE, PART, RUNS = 2**30, 16 * 2**20, 3
SOME = memoryview(bytes(2**22))


class Object(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_HEAD(self):
        self.answer(0, SIZE - 1, 200)

    def do_GET(self):
        asked = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        first, last = (int(asked[1]), int(asked[2] or SIZE - 1)) if asked else (0, SIZE - 1)
        self.answer(first, last, 206 if asked else 200)
        left = last - first + 1
        while left > 0:
            self.wfile.write(SOME[: min(left, len(SOME))])
            left -= min(left, len(SOME))

    def answer(self, first, last, code):
        self.send_response(code)
        self.send_header("Content-Length", str(last - first + 1))
        self.send_header("ETag", '"object"')
        self.send_header("Accept-Ranges", "bytes")
        if code == 206:
            self.send_header("Content-Range", f"bytes {first}-{last}/{SIZE}")
        self.end_headers()


def serve(folder):
    """Starts the server. Returns its process and its port."""
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost",
         "-days", "2", "-keyout", f"{folder}/key", "-out", f"{folder}/cert"],
        check=True, capture_output=True)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Object)
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(f"{folder}/cert", f"{folder}/key")
    server.socket = tls.wrap_socket(server.socket, server_side=True)
    child = os.fork()
    if child == 0:
        server.serve_forever()
    port = server.server_port
    server.socket.close()
    return child, port


class Nowhere:
    def write(self, data):
        return len(data)

    def seek(self, *_):
        pass

    def seekable(self):
        return True


def downloads(port, threads):
    """Of each run: MB/s, and the process's seconds of a core for a GB."""
    import boto3
    from boto3.s3.transfer import TransferConfig
    from botocore.config import Config

    client = boto3.client(
        "s3", endpoint_url=f"https://127.0.0.1:{port}", region_name="any", verify=False,
        aws_access_key_id="any", aws_secret_access_key="any",
        config=Config(max_pool_connections=threads, s3={"addressing_style": "path"}))
    how = TransferConfig(max_concurrency=threads, multipart_chunksize=PART)
    for _ in range(RUNS):
        used, begin = resource.getrusage(resource.RUSAGE_SELF), time.monotonic()
        client.download_fileobj("any", "object", Nowhere(), Config=how)
        took, now = time.monotonic() - begin, resource.getrusage(resource.RUSAGE_SELF)
        cores = now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime
        yield SIZE / 1e6 / took, cores / (SIZE / 1e9)


def main():
    try:
        import boto3
    except ImportError:
        print("threads_of_boto3: skipped, there is no boto3")
        return
    warnings.filterwarnings("ignore")
    with tempfile.TemporaryDirectory() as folder:
        child, port = serve(folder)
        try:
            print(f"boto3 {boto3.__version__}, Python {sys.version.split()[0]}")
            for threads in [int(word) for word in sys.argv[1:]] or [1, 4, 8, 16, 32]:
                rates, cores = zip(*downloads(port, threads))
                print(f"{threads:3} threads: {statistics.median(rates):4.0f} MB/s, "
                      f"{statistics.median(cores):.2f} s of a core for a GB")
        finally:
            os.kill(child, 9)


if __name__ == "__main__":
    main()
