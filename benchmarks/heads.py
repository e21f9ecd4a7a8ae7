"""Processor seconds per epoch of a method's net in Python's torch: heads.py METHOD EPOCHS.

The nets, batches and data sizes are those of benchmarks/learning/heads.cc; the inputs are random,
which changes no time. Prints the median of the epochs after the first.
"""
import sys
import time

import torch
from torch import nn

CASES, VALIDATION, CLASSES, EXPERTS, FEATURES = 11953, 1707, 8, 4, 128
BATCH, CONTEXT, POOL, WIDTH, HEADS = 128, 35, 120, 128, 8


def mlp(widths):
    layers = []
    for a, b in zip(widths, widths[1:]):
        layers += [nn.Linear(a, b), nn.ReLU(inplace=True)]
    return nn.Sequential(*layers[:-1])


class Attention(nn.Module):
    def __init__(self, query, key, value):
        super().__init__()
        self.query = nn.Linear(query, WIDTH, bias=False)
        self.key = nn.Linear(key, WIDTH, bias=False)
        self.value = nn.Linear(value, WIDTH, bias=False)
        self.mix = nn.Linear(WIDTH, WIDTH)
        self.norm1, self.norm2 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)

    def forward(self, queries, keys, values):
        def split(x):
            return x.view(x.shape[0], x.shape[1], HEADS, WIDTH // HEADS).transpose(1, 2)

        q = self.query(queries)
        scores = split(q) @ split(self.key(keys)).transpose(2, 3) / WIDTH**0.5
        attended = scores.softmax(3) @ split(self.value(values))
        joined = attended.transpose(1, 2).reshape(attended.shape[0], attended.shape[2], WIDTH)
        o = self.norm1(q + joined)
        return self.norm2(o + self.mix(o).relu())


class Population(nn.Module):
    def __init__(self, conditioned):
        super().__init__()
        self.conditioned = conditioned
        self.embedding = nn.Embedding(CLASSES + 1, WIDTH)
        layers = 4 if conditioned else 6
        self.encoder = mlp([FEATURES + 2 * WIDTH] + [WIDTH] * layers)
        self.rejector = mlp([FEATURES + WIDTH, 256, 256, 256, 1])
        if conditioned:
            self.self_attention = Attention(WIDTH, WIDTH, WIDTH)
            self.cross_attention = Attention(FEATURES, FEATURES, WIDTH)

    def forward(self, phi, features, truths, answers):
        experts, points = answers.shape
        tokens = torch.cat(
            [
                features.expand(experts, points, FEATURES),
                self.embedding(truths).expand(experts, points, WIDTH),
                self.embedding(answers),
            ],
            2,
        )
        encoded = self.encoder(tokens)
        if self.conditioned:
            encoded = self.self_attention(encoded, encoded, encoded)
            psi = self.cross_attention(phi[None], features[None], encoded)
        else:
            psi = encoded.mean(1, keepdim=True).expand(experts, len(phi), WIDTH)
        rows = torch.cat([phi.expand(experts, len(phi), FEATURES), psi], 2)
        return self.rejector(rows).squeeze(2).t()


def deferral_loss(logits, perp, labels, weights):
    log_z = torch.logaddexp(logits.logsumexp(1, keepdim=True), perp)
    at_label = logits.gather(1, labels[:, None])
    return ((1 + weights) * log_z - at_label - weights * perp).mean()


def main():
    method, epochs = sys.argv[1], int(sys.argv[2])
    torch.set_num_threads(1)
    torch.manual_seed(0)
    phi = torch.randn(CASES, FEATURES)
    logits = torch.randn(CASES, CLASSES).log_softmax(1)
    labels = torch.randint(CLASSES, (CASES,))
    correct = (torch.rand(CASES, EXPERTS) < 0.6).float()
    states = torch.rand(CASES, EXPERTS, 6)
    validation_phi = torch.randn(VALIDATION, FEATURES)
    validation_states = torch.rand(VALIDATION, EXPERTS, 6)
    truths, answers = torch.randint(CLASSES, (POOL,)), torch.randint(CLASSES, (EXPERTS, POOL))

    if method == "ifd":
        net = mlp([6] + [256] * 5 + [1])
    elif method == "multi-expert":
        net = nn.Linear(FEATURES, CLASSES + EXPERTS)
    else:
        net = Population("qc" in method)
    adam = torch.optim.Adam(net.parameters(), lr=1e-3)

    def loss(rows):
        if method == "ifd":
            perp = net(states[rows]).squeeze(2)
        elif method == "multi-expert":
            log_p = net(phi[rows]).log_softmax(1)
            right = (correct[rows] * log_p[:, CLASSES:]).sum(1)
            return -(log_p.gather(1, labels[rows][:, None]).squeeze(1) + right).mean()
        else:
            chosen = torch.randperm(POOL)[:CONTEXT]
            y, m = truths[chosen], answers[:, chosen]
            if method.endswith("perm"):
                naming = torch.randperm(CLASSES)
                y, m = naming[y], naming[m]
            perp = net(phi[rows], phi[chosen], y, m)
        return deferral_loss(logits[rows], perp, labels[rows], correct[rows])

    def validate():
        with torch.no_grad():
            if method == "ifd":
                net(validation_states)
            elif method == "multi-expert":
                net(validation_phi)
            else:
                for part in validation_phi.split(512):
                    net(part, phi[:POOL], truths, answers)

    took = []
    for _ in range(epochs + 1):
        begin = time.process_time()
        for rows in torch.randperm(CASES).split(BATCH):
            value = loss(rows)
            value.item()
            adam.zero_grad()
            value.backward()
            adam.step()
        validate()
        took.append(time.process_time() - begin)
    took = sorted(took[1:])
    print(took[len(took) // 2])


main()
