#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the parts of a transformer and steps of a small Llama take, for `gpufeed calibrate --training`.

    gpufeed-transformer-probe RAW.json [--max-time SECONDS] [--only PART...]

Matrix products in bf16 and FP8, fused attention by sequence, norms and activations eager and
compiled, copies, AdamW, the host's time for a layer, and whole steps: one GPU, weights and states in
bf16, numbers drawn once, nothing loaded. Each is repeated until the GPU is as warm, and as slow, as
it gets. What a library or a GPU does not have is left out and said.
"""

import argparse
import json
import sys
import time

import torch
from torch import nn
from torch.nn import functional

WARM_S = 0.5
ROUND_S = 0.3
ROUNDS = 3

PRODUCTS = [(4096, 4096, 4096), (8192, 4096, 4096), (8192, 14336, 4096), (8192, 4096, 14336),
            (8192, 6144, 4096), (16384, 8192, 8192), (8192, 28672, 8192), (2048, 8192, 2048)]
SEQUENCES = [512, 1024, 2048, 4096, 8192, 16384, 32768]
HEAD_DIM, HEADS, KV_HEADS = 128, 32, 8
PASSES = [(8192, 4096, 14336), (16384, 2048, 5632), (4096, 8192, 28672)]
STEPS = [  # layers, hidden, heads, KV heads, ffn, vocabulary, sequence, batch
    (8, 2048, 16, 8, 5632, 32000, 4096, 2), (8, 2048, 16, 8, 5632, 32000, 4096, 8),
    (4, 4096, 32, 8, 14336, 128256, 8192, 1), (4, 4096, 32, 8, 14336, 32000, 2048, 8),
    (16, 1024, 16, 16, 2816, 32000, 512, 1)]
KERNELS = {"flash_2": "FLASH_ATTENTION", "flash_3": "CUDNN_ATTENTION"}


def seconds_of(call, device):
    """The middle of rounds of a call repeated, which the host does not wait for, and their spread."""
    def wait():
        if device == "cuda":
            torch.cuda.synchronize()

    def run(least_s):
        start, calls = time.monotonic(), 0
        while calls < 3 or time.monotonic() - start < least_s:
            call()
            calls += 1
            if calls % 8 == 0:
                wait()
        wait()
        return (time.monotonic() - start) / calls

    run(WARM_S)
    rounds = sorted(run(ROUND_S) for _ in range(ROUNDS))
    return rounds[ROUNDS // 2], (rounds[-1] - rounds[0]) / rounds[ROUNDS // 2]


def product(given, size, precision):
    rows, columns, depth = size
    left = torch.randn(rows, depth, device=given.device, dtype=torch.bfloat16)
    right = torch.randn(columns, depth, device=given.device, dtype=torch.bfloat16)
    if precision == "fp8":
        left, right = left.to(torch.float8_e4m3fn), right.to(torch.float8_e4m3fn)
        one = torch.ones((), device=given.device)
        return lambda: torch._scaled_mm(left, right.t(), one, one, out_dtype=torch.bfloat16,
                                        use_fast_accum=True)
    return lambda: left @ right.t()


def attend(query, key, value, kernel):
    from torch.nn.attention import SDPBackend, sdpa_kernel

    with sdpa_kernel(getattr(SDPBackend, KERNELS[kernel])):
        return functional.scaled_dot_product_attention(query, key, value, is_causal=True,
                                                       enable_gqa=True)


def attention(given, sequence, kernel):
    """Forward, and forward with backward, of 32,768 tokens at most."""
    batch = max(1, 8192 // sequence)
    like = {"device": given.device, "dtype": torch.bfloat16, "requires_grad": True}
    query = torch.randn(batch, HEADS, sequence, HEAD_DIM, **like)
    key = torch.randn(batch, KV_HEADS, sequence, HEAD_DIM, **like)
    value = torch.randn(batch, KV_HEADS, sequence, HEAD_DIM, **like)
    upward = torch.randn_like(query)

    def both():
        attend(query, key, value, kernel).backward(upward)

    with torch.no_grad():
        forward = seconds_of(lambda: attend(query, key, value, kernel), given.device)[0]
    together = seconds_of(both, given.device)[0]
    return {"kernel": kernel, "heads": HEADS, "kv_heads": KV_HEADS, "head_dim": HEAD_DIM,
            "batch": batch, "sequence": sequence, "forward_s": forward,
            "backward_s": together - forward}


def rotate(x, angles):
    half = x.shape[-1] // 2
    return torch.cat([x[..., :half] * angles[0] - x[..., half:] * angles[1],
                      x[..., half:] * angles[0] + x[..., :half] * angles[1]], -1)


def passes(given, size, compiled):
    """All that a layer does beside products and attention, forward."""
    tokens, hidden, ffn = size
    keys = hidden // (HEADS // KV_HEADS)
    like = {"device": given.device, "dtype": torch.bfloat16}
    stream, summed = torch.randn(tokens, hidden, **like), torch.randn(tokens, hidden, **like)
    gate, up = torch.randn(tokens, ffn, **like), torch.randn(tokens, ffn, **like)
    query, key = torch.randn(tokens, hidden, **like), torch.randn(tokens, keys, **like)
    weight = torch.ones(hidden, **like)
    angles = torch.rand(2, 1, HEAD_DIM // 2, **like)

    def call():
        first = functional.rms_norm(stream, (hidden,), weight)
        turned = [rotate(x.view(tokens, -1, HEAD_DIM), angles) for x in (query, key)]
        middle = stream + summed
        second = functional.rms_norm(middle, (hidden,), weight)
        return first, turned, second, functional.silu(gate) * up, middle + summed

    run = torch.compile(call) if compiled else call
    with torch.no_grad():
        taken = seconds_of(run, given.device)[0]
    return {"compiled": compiled, "tokens": tokens, "hidden": hidden, "heads": hidden // HEAD_DIM,
            "kv_heads": keys // HEAD_DIM, "ffn": ffn, "s": taken}


class Layer(nn.Module):
    def __init__(self, hidden, heads, kv_heads, ffn, kernel):
        super().__init__()
        self.heads, self.kv_heads, self.kernel = heads, kv_heads, kernel
        self.size = hidden // heads
        linear = lambda inputs, outputs: nn.Linear(inputs, outputs, bias=False)
        self.query, self.key = linear(hidden, hidden), linear(hidden, kv_heads * self.size)
        self.value, self.out = linear(hidden, kv_heads * self.size), linear(hidden, hidden)
        self.gate, self.up, self.down = linear(hidden, ffn), linear(hidden, ffn), linear(ffn, hidden)
        self.before, self.after = nn.RMSNorm(hidden), nn.RMSNorm(hidden)

    def forward(self, x, angles):
        batch, sequence, _ = x.shape
        normed = self.before(x)
        by_head = lambda y, heads: y.view(batch, sequence, heads, self.size).transpose(1, 2)
        query = rotate(by_head(self.query(normed), self.heads), angles)
        key = rotate(by_head(self.key(normed), self.kv_heads), angles)
        mixed = attend(query, key, by_head(self.value(normed), self.kv_heads), self.kernel)
        x = x + self.out(mixed.transpose(1, 2).reshape(batch, sequence, -1))
        normed = self.after(x)
        return x + self.down(functional.silu(self.gate(normed)) * self.up(normed))


class Llama(nn.Module):
    def __init__(self, size, kernel):
        super().__init__()
        layers, hidden, heads, kv_heads, ffn, words, sequence, _ = size
        self.table = nn.Embedding(words, hidden)
        self.layers = nn.ModuleList(Layer(hidden, heads, kv_heads, ffn, kernel)
                                    for _ in range(layers))
        self.norm, self.output = nn.RMSNorm(hidden), nn.Linear(hidden, words, bias=False)
        self.register_buffer("angles", torch.rand(2, sequence, hidden // heads // 2))

    def forward(self, words):
        x = self.table(words)
        for layer in self.layers:
            x = layer(x, self.angles)
        return self.output(self.norm(x))


def step(given, size, compiled, kernel):
    with torch.device(given.device):
        model = Llama(size, kernel).to(torch.bfloat16)
        words = torch.randint(size[5], (size[7], size[6]))
        following = torch.randint(size[5], (size[7] * size[6],))
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5, fused=given.device == "cuda")
    run = torch.compile(model) if compiled else model

    def call():
        optimizer.zero_grad(set_to_none=True)
        functional.cross_entropy(run(words).flatten(0, 1).float(), following).backward()
        optimizer.step()

    taken, spread = seconds_of(call, given.device)
    names = ("layers", "hidden", "heads", "kv_heads", "ffn", "vocabulary", "sequence", "batch")
    return dict(zip(names, size), compiled=compiled, attention=kernel, s=taken,
                spread=round(spread, 4))


def copy(given, size):
    source = torch.randn(size // 4, device=given.device)
    target = torch.empty_like(source)
    return {"bytes": 2 * size, "s": seconds_of(lambda: target.copy_(source), given.device)[0]}


def optimizing(given, parameters):
    """AdamW of weights, gradients and states in bf16: 14 B of a parameter."""
    weight = nn.Parameter(torch.randn(parameters, device=given.device, dtype=torch.bfloat16))
    weight.grad = torch.randn_like(weight)
    adam = torch.optim.AdamW([weight], lr=1e-5, fused=given.device == "cuda")
    return {"parameters": parameters, "bytes": 14 * parameters,
            "s": seconds_of(adam.step, given.device)[0]}


def launching(given):
    """A layer's forward pass of so few tokens that the host is what takes so long."""
    layer = Layer(512, 8, 8, 1024, "flash_2").to(given.device, torch.bfloat16)
    x = torch.randn(1, 128, 512, device=given.device, dtype=torch.bfloat16)
    angles = torch.rand(2, 128, 32, device=given.device, dtype=torch.bfloat16)
    with torch.no_grad():
        return {"s": seconds_of(lambda: layer(x, angles), given.device)[0]}


def parts(given):
    """Each part's name and what measures it, in the order in which they are while there is time."""
    for size in PRODUCTS:
        for precision in ("bf16", "fp8"):
            def timed(size=size, precision=precision):
                taken, _ = seconds_of(product(given, size, precision), given.device)
                return dict(zip("mnk", size), precision=precision, s=taken)
            yield "products", timed
    for bytes_ in (1 << 28, 1 << 30, 1 << 31):
        yield "copies", lambda bytes_=bytes_: copy(given, bytes_)
    for sequence in SEQUENCES:
        for kernel in KERNELS:
            yield "attention", lambda s=sequence, kernel=kernel: attention(given, s, kernel)
    for _ in range(3):
        yield "launches", lambda: launching(given)
    yield "optimizer", lambda: optimizing(given, 1 << 28)
    yield "optimizer", lambda: optimizing(given, 1 << 30)
    for compiled in (False, True):
        for size in PASSES:
            yield "passes", lambda size=size, c=compiled: passes(given, size, c)
        for size in STEPS:
            for kernel in KERNELS:
                yield "steps", lambda size=size, c=compiled, k=kernel: step(given, size, c, k)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("raw")
    parser.add_argument("--max-time", type=float, default=120)
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--device", default="cuda")
    given = parser.parse_args()
    if given.device == "cuda" and not torch.cuda.is_available():
        sys.exit("PyTorch sees no GPU")
    start = time.monotonic()
    out = {"tools": f"torch {torch.__version__}", "products": [], "copies": [], "attention": [],
           "launches": [], "optimizer": [], "passes": [], "steps": [], "left_out": []}
    if given.device == "cuda":
        out["gpu"] = torch.cuda.get_device_name()
        out["tools"] += f", CUDA {torch.version.cuda}"
    for part, measured in parts(given):
        if given.only and part not in given.only:
            continue
        if time.monotonic() - start > given.max_time:
            break
        try:
            out[part].append(measured())
            print(part, out[part][-1], file=sys.stderr, flush=True)
        except Exception as error:  # of a kernel that is not there, or memory
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
            if {"part": part, "why": reason} not in out["left_out"]:
                out["left_out"].append({"part": part, "why": reason})
        if given.device == "cuda":
            torch.cuda.empty_cache()
        with open(given.raw, "w", encoding="utf-8") as file:
            json.dump(out, file, indent=1)


if __name__ == "__main__":
    main()
