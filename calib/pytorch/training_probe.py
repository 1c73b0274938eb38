#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How fast a GPU trains networks with PyTorch, for `gpufeed calibrate --training`.

    gpufeed-training-probe RAW.json [--max-time SECONDS] [--only NAME...]

Whole steps of one GPU as a user's loop has them: forward, backward, gradient scaling in fp16, and
the optimizer; eager, with the algorithms that cuDNN takes; numbers drawn once, on the GPU, so that
nothing is loaded. Networks are called as gpufeed's catalog calls them. What a library or a GPU does
not have is left out and said.
"""

import argparse
import json
import sys
import time

import torch
from torch import nn

WARM_S = 0.25
ROUND_S = 0.25
ROUNDS = 3


class Images:
    """Classifiers of pictures, trained with momentum."""

    def __init__(self, build, side, classes=1000):
        self.build, self.side, self.classes = build, side, classes

    def make(self, batch, device, channels_last):
        model = self.build().to(device)
        pictures = torch.randn(batch, 3, self.side, self.side, device=device)
        if channels_last:
            model = model.to(memory_format=torch.channels_last)
            pictures = pictures.to(memory_format=torch.channels_last)
        labels = torch.randint(self.classes, (batch,), device=device)
        criterion = nn.CrossEntropyLoss()

        def loss():
            out = model(pictures)
            if isinstance(out, torch.Tensor):
                return criterion(out, labels)
            return criterion(out.logits, labels) + 0.4 * criterion(out.aux_logits, labels)

        return model, loss, momentum(model)


class Masked:
    """BERT in pre-training: some of its words are masked and predicted."""

    def __init__(self, hidden, blocks, heads, tokens, masked):
        self.size = {"hidden_size": hidden, "num_hidden_layers": blocks,
                     "num_attention_heads": heads, "intermediate_size": 4 * hidden}
        self.tokens, self.masked = tokens, masked

    def make(self, batch, device, _):
        from transformers import BertConfig, BertForPreTraining

        model = BertForPreTraining(BertConfig(**self.size)).to(device)
        words = torch.randint(30000, (batch, self.tokens), device=device)
        places = torch.stack([torch.randperm(self.tokens)[: self.masked] for _ in range(batch)])
        places = places.to(device)
        labels = torch.randint(30000, (batch * self.masked,), device=device)
        following = torch.randint(2, (batch,), device=device)
        criterion = nn.CrossEntropyLoss()

        def loss():
            out = model.bert(words)
            states = out.last_hidden_state
            chosen = states.gather(1, places[:, :, None].expand(-1, -1, states.shape[2]))
            scores, next_scores = model.cls(chosen, out.pooler_output)
            return criterion(scores.flatten(0, 1), labels) + criterion(next_scores, following)

        return model, loss, adam(model)


class NextWord:
    """GPT-2, which predicts every word from those before."""

    def __init__(self, hidden, blocks, heads, tokens):
        self.size = {"n_embd": hidden, "n_layer": blocks, "n_head": heads, "n_positions": tokens}
        self.tokens = tokens

    def make(self, batch, device, _):
        from transformers import GPT2Config, GPT2LMHeadModel

        model = GPT2LMHeadModel(GPT2Config(**self.size, use_cache=False)).to(device)
        words = torch.randint(50000, (batch, self.tokens), device=device)
        return model, lambda: model(words, labels=words).loss, adam(model)


def u_net(widths, pair, kind, last, shrink):
    """Down over all widths, and up again beside what was kept of the way down, the middle of it
    where pairs take edges off. kind: Conv{kind} and so on.  shrink: before each way down but the
    first."""

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            grow = getattr(nn, f"ConvTranspose{kind}")
            self.down = nn.ModuleList(pair(widths[i - 1] if i else 1, width, i > 0)
                                      for i, width in enumerate(widths))
            self.up = nn.ModuleList(grow(below, width, 2, 2)
                                    for width, below in zip(widths, widths[1:]))
            self.join = nn.ModuleList(pair(2 * width, width, False) for width in widths[:-1])
            self.last = last

        def forward(self, x):
            kept = []
            for i, layer in enumerate(self.down):
                x = layer(shrink(x) if i else x)
                kept.append(x)
            for i in reversed(range(len(self.up))):
                x = self.up[i](x)
                side = x.shape[-1]
                cut = (kept[i].shape[-1] - side) // 2
                middle = kept[i][..., cut:cut + side, cut:cut + side]
                x = self.join[i](torch.cat([middle, x], 1))
            return self.last(x)

    return Net()


class Volumes:
    """The 3D U-Net of MLPerf: 32 to 320 filters and a bottleneck of 320, crops of 128^3."""

    def make(self, batch, device, _):
        def pair(inputs, outputs, halves):
            layers = []
            for index in range(2):
                layers += [nn.Conv3d(outputs if index else inputs, outputs, 3,
                                     2 if halves and index == 0 else 1, 1, bias=False),
                           nn.InstanceNorm3d(outputs, affine=True), nn.ReLU(inplace=True)]
            return nn.Sequential(*layers)

        model = u_net((32, 64, 128, 256, 320, 320), pair, "3d", nn.Conv3d(32, 3, 1), lambda x: x)
        model = model.to(device)
        crops = torch.randn(batch, 1, 128, 128, 128, device=device)
        labels = torch.randint(3, (batch, 128, 128, 128), device=device)
        criterion = nn.CrossEntropyLoss()
        return model, lambda: criterion(model(crops), labels), momentum(model)


class Unpadded:
    """U-Net of Ronneberger et al., 572 x 572, without padding."""

    def make(self, batch, device, channels_last):
        def pair(inputs, outputs, _):
            return nn.Sequential(nn.Conv2d(inputs, outputs, 3), nn.ReLU(inplace=True),
                                 nn.Conv2d(outputs, outputs, 3), nn.ReLU(inplace=True))

        model = u_net((64, 128, 256, 512, 1024), pair, "2d", nn.Conv2d(64, 2, 1),
                      lambda x: nn.functional.max_pool2d(x, 2)).to(device)
        pictures = torch.randn(batch, 1, 572, 572, device=device)
        if channels_last:
            model = model.to(memory_format=torch.channels_last)
            pictures = pictures.to(memory_format=torch.channels_last)
        labels = torch.randint(2, (batch, 388, 388), device=device)
        criterion = nn.CrossEntropyLoss()
        return model, lambda: criterion(model(pictures), labels), adam(model)


class Boxes:
    """SSD300 of VGG-16 without the matching of boxes, which the host does: a loss of all scores."""

    def make(self, batch, device, channels_last):
        import torchvision

        whole = torchvision.models.detection.ssd300_vgg16(weights=None, weights_backbone=None,
                                                          num_classes=81)
        model = nn.ModuleDict({"backbone": whole.backbone, "head": whole.head}).to(device)
        pictures = torch.randn(batch, 3, 300, 300, device=device)
        if channels_last:
            model = model.to(memory_format=torch.channels_last)
            pictures = pictures.to(memory_format=torch.channels_last)
        labels = torch.randint(81, (batch, 8732), device=device)
        criterion = nn.CrossEntropyLoss()

        def loss():
            out = model["head"](list(model["backbone"](pictures).values()))
            boxes = out["bbox_regression"]
            return criterion(out["cls_logits"].flatten(0, 1), labels.flatten()) + boxes.abs().mean()

        return model, loss, momentum(model)


def momentum(model):
    return torch.optim.SGD(model.parameters(), lr=1e-3, momentum=0.9)


def adam(model):
    fused = {"fused": True} if next(model.parameters()).is_cuda else {}
    return torch.optim.AdamW(model.parameters(), lr=1e-5, **fused)


def vision(name, side=224, **settings):
    def build():
        import torchvision

        return getattr(torchvision.models, name)(weights=None, **settings)

    return Images(build, side)


def resnext_101_32x4d():
    from torchvision.models import resnet

    return resnet.ResNet(resnet.Bottleneck, [3, 4, 23, 3], groups=32, width_per_group=4)


NETWORKS = {
    "resnet-50": vision("resnet50"),
    "resnet-101": vision("resnet101"),
    "resnet-152": vision("resnet152"),
    "resnext-101-32x4d": Images(resnext_101_32x4d, 224),
    "densenet-121": vision("densenet121"),
    "inception-v3": vision("inception_v3", 299, init_weights=False),
    "vgg-16": vision("vgg16"),
    "unet-medical": Unpadded(),
    "ssd300-vgg": Boxes(),
    "unet3d": Volumes(),
    "efficientnet-b0": vision("efficientnet_b0"),
    "efficientnet-b4": vision("efficientnet_b4", 380),
    "mobilenet-v3-large": vision("mobilenet_v3_large"),
    "convnext-base": vision("convnext_base"),
    "vit-b-16": vision("vit_b_16"),
    "swin-base": vision("swin_b"),
    "bert-large": Masked(1024, 24, 16, 128, 20),
    "bert-large-512": Masked(1024, 24, 16, 512, 80),
    "gpt-2-medium": NextWord(1024, 24, 16, 1024),
}

# In the order in which they are measured while there is time; of each a batch at which the host is
# slower as well.
SETTINGS = [
    ("resnet-50", "fp16", (2, 64, 256)), ("bert-large-512", "bf16", (1, 8, 32)),
    ("vgg-16", "fp16", (2, 128)), ("bert-large", "fp16", (2, 64, 256)),
    ("resnet-50", "tf32", (2, 128)), ("inception-v3", "fp16", (2, 256)),
    ("efficientnet-b0", "fp16", (2, 128, 512)), ("unet3d", "fp16", (1, 4)),
    ("vit-b-16", "fp16", (2, 256)), ("resnet-152", "fp16", (2, 256)),
    ("unet-medical", "fp16", (1, 8)), ("ssd300-vgg", "fp16", (2, 128)),
    ("efficientnet-b4", "fp16", (2, 128)), ("vgg-16", "tf32", (64,)),
    ("bert-large-512", "tf32", (1, 16)), ("inception-v3", "tf32", (128,)),
    ("efficientnet-b0", "tf32", (2, 256)), ("unet3d", "tf32", (2,)),
    ("resnext-101-32x4d", "fp16", (2, 128)), ("swin-base", "fp16", (2, 128)),
    ("densenet-121", "fp16", (2, 256)), ("gpt-2-medium", "bf16", (1, 16)),
    ("convnext-base", "fp16", (2, 128)), ("mobilenet-v3-large", "fp16", (2, 512)),
    ("unet-medical", "tf32", (8,)), ("resnet-152", "tf32", (64,)), ("vit-b-16", "tf32", (128,)),
    ("ssd300-vgg", "tf32", (64,)), ("efficientnet-b4", "tf32", (64,)), ("resnet-50", "fp32", (64,)),
    ("vgg-16", "fp32", (32,)), ("bert-large-512", "fp32", (8,)), ("inception-v3", "fp32", (64,)),
    ("efficientnet-b0", "fp32", (128,)), ("unet3d", "fp32", (1,)),
    ("resnext-101-32x4d", "tf32", (64,)), ("bert-large", "tf32", (128,)),
    ("resnet-50", "bf16", (256,)), ("densenet-121", "tf32", (128,)), ("swin-base", "tf32", (64,)),
    ("resnet-101", "fp16", (256,)), ("unet-medical", "fp32", (4,)),
]


def measure(name, precision, batch, device, benchmark):
    """\\return seconds of a step, the middle of rounds, and how far these are apart."""
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = precision != "fp32"
    torch.backends.cudnn.benchmark = benchmark
    narrow = {"fp16": torch.float16, "bf16": torch.bfloat16}.get(precision)
    torch.manual_seed(1)
    with torch.device(device):  # where initial numbers are drawn as well
        model, loss, optimizer = NETWORKS[name].make(batch, device, narrow is not None)
    model.train()
    scaler = torch.amp.GradScaler(device, enabled=precision == "fp16" and device == "cuda")

    def step():
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast(device, dtype=narrow, enabled=narrow is not None):
            value = loss()
        scaler.scale(value).backward()
        scaler.step(optimizer)
        scaler.update()

    def wait():
        if device == "cuda":
            torch.cuda.synchronize()

    def run(seconds, least):
        wait()
        start, steps = time.monotonic(), 0
        while steps < least or time.monotonic() - start < seconds:
            step()
            steps += 1
            if steps % least == 0:
                wait()
        wait()
        return (time.monotonic() - start) / steps

    run(0, 3)
    run(WARM_S, 3)
    rounds = sorted(run(ROUND_S, 10 if device == "cuda" else 1) for _ in range(ROUNDS))
    return rounds[ROUNDS // 2], (rounds[-1] - rounds[0]) / rounds[ROUNDS // 2]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("raw")
    parser.add_argument("--max-time", type=float, default=60)
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--benchmark", action="store_true",
                        help="of cuDNN, which tries its algorithms")
    given = parser.parse_args()
    if given.device == "cuda" and not torch.cuda.is_available():
        sys.exit("PyTorch sees no GPU")
    start = time.monotonic()
    out = {"tools": f"torch {torch.__version__}", "steps": [], "left_out": []}
    if given.device == "cuda":
        out["gpu"] = torch.cuda.get_device_name()
        out["tools"] += f", CUDA {torch.version.cuda}, cuDNN {torch.backends.cudnn.version()}"
    settings = [(name, precision, batch)
                for name, precision, batches in SETTINGS for batch in batches]
    for name, precision, batch in settings:
        if given.only and name not in given.only:
            continue
        if time.monotonic() - start > given.max_time:
            break
        try:
            seconds, spread = measure(name, precision, batch, given.device, given.benchmark)
            row = {"network": name, "precision": precision, "batch": batch,
                   "s": round(seconds, 7), "spread": round(spread, 4),
                   "benchmark": given.benchmark}
            out["steps"].append(row)
            print(row, round(time.monotonic() - start, 1), file=sys.stderr, flush=True)
        except Exception as error:  # of a library that is not there, or memory
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
            out["left_out"].append({"network": name, "precision": precision, "batch": batch,
                                    "why": reason})
            print(name, reason, file=sys.stderr, flush=True)
        if given.device == "cuda":
            torch.cuda.empty_cache()
        with open(given.raw, "w", encoding="utf-8") as file:
            json.dump(out, file, indent=1)


if __name__ == "__main__":
    main()
