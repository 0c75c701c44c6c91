#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trains the quantised digit networks of this folder; needs numpy and nothing else.

  train.py              train every network of this folder and write its network_NAME.json
  train.py --check      train them and compare with the files that are there, byte for byte
  train.py --validate   judge the settings below: cross-validation within the training set
  train.py --name int3 --weights int3 --activations uint3     another number format

Rows 0..1296 of digits.csv are for training; rows 1297..1796 are held out: no setting was chosen
by them, and nothing but the final report reads their labels. Images of one writer lie near each
other, so the folds of the cross-validation are contiguous too.

The network is 64 -> 64 -> 10, quantised while it is trained: the forward pass of each step is
the integer network itself, and the gradient passes through the rounding as if it were not there.

The result has the same bytes on every machine, whatever its BLAS and its vector unit. Each matrix
product is of numbers on a fixed-point grid coarse enough for double precision to hold every sum
exactly, so the order of summation does not matter; all else is elementwise + - * on doubles,
which IEEE 754 defines to the bit; and the squared hinge loss needs no exponential.
"""
import argparse
import json
import pathlib
import re
import sys

try:
    import numpy as np
except ImportError:
    print("train.py: python3-numpy is not installed for " + sys.executable, file=sys.stderr)
    sys.exit(77)  # CTest: skipped

HERE = pathlib.Path(__file__).resolve().parent
SEED = 1998
TRAINING = 1297       # rows of the training set, from the first
FOLDS = 4             # of the cross-validation
HIDDEN = 64
EPOCHS = 400
BATCH = 32
RATE = 0.01           # of the first step; falls linearly to zero
MOMENTUM = 0.9
WEIGHT_DECAY = 0.01
NOISE = 2             # largest change of a pixel, in each epoch anew
GRADIENT_BITS = 16    # fraction bits to which the gradient of the loss is rounded

PIXEL_BITS = 4        # fraction bits of a pixel: 16 means 1.0
ACTIVATION_LOG2 = 2   # hidden activations mean 0 .. 2^2
                      # weights mean -1 .. 1

NETWORKS = {  # name: weights (stationary operand), activations (moving operand)
    "int8": ("int8", "int8"),
    "int4": ("int4", "uint4"),
}
LOGITS = {"bits": 16, "signed": True}


class Format:
    """An integer format by its name, int3 .. int8 or uint3 .. uint8."""

    def __init__(self, name):
        match = re.fullmatch("(u?)int([3-8])", name)
        if not match:
            raise ValueError(f"{name}: not a format, which are int3 .. int8 and uint3 .. uint8")
        self.bits, self.signed = int(match[2]), not match[1]
        self.magnitude_bits = self.bits - self.signed
        self.max = 2**self.magnitude_bits - 1
        self.min = -(self.max + 1) if self.signed else 0

    def json(self):
        return {"bits": self.bits, "signed": self.signed}


class Quantiser:
    """What the integers of a network mean: the formats and fraction bits of its tensors."""

    def __init__(self, weights, activations):
        self.weights, self.activations = Format(weights), Format(activations)
        if not self.weights.signed:
            raise ValueError(f"{weights}: weights have signs")
        self.weight_bits = self.weights.magnitude_bits
        # In four magnitude bits pixels of 16 saturate to 15; fewer need a coarser scale.
        self.pixel_bits = min(PIXEL_BITS, self.activations.magnitude_bits)
        self.hidden_bits = min(self.activations.magnitude_bits - ACTIVATION_LOG2,
                               self.pixel_bits + self.weight_bits)
        self.input_shift = PIXEL_BITS - self.pixel_bits
        self.hidden_shift = self.pixel_bits + self.weight_bits - self.hidden_bits

    def input(self, images):
        return np.minimum(round_half_up(images * 2.0**-self.input_shift), self.activations.max)

    def weight(self, values):
        return np.clip(round_half_up(values * 2.0**self.weight_bits), self.weights.min, self.weights.max)

    def layers(self, w1, b1, w2, b2):
        """The integers nearest to the parameters; biases are on the scale of the accumulators."""
        return (self.weight(w1), round_half_up(b1 * 2.0**(self.pixel_bits + self.weight_bits)),
                self.weight(w2), round_half_up(b2 * 2.0**(self.hidden_bits + self.weight_bits)))


def round_half_up(values):
    return np.floor(values + 0.5)


def train(images, labels, quantiser):
    """Trains on the images (n x 64, 0..16); returns integer weights, bias, weights, bias."""
    q = quantiser
    random = np.random.RandomState(SEED)  # numpy promises that its stream stays as it is
    parameters = [(random.random_sample(shape) * 2 - 1) * scale
                  for shape, scale in (((64, HIDDEN), 0.25), ((1, HIDDEN), 0.0),
                                       ((HIDDEN, 10), 0.25), ((1, 10), 0.0))]
    momenta = [np.zeros_like(p) for p in parameters]
    targets = np.where(labels[:, None] == np.arange(10), 1.0, -1.0)
    steps = EPOCHS * -(-len(images) // BATCH)
    step = 0
    for _ in range(EPOCHS):
        order = random.permutation(len(images))
        inputs = q.input(disturbed(images, random))
        for at in range(0, len(order), BATCH):
            batch = order[at:at + BATCH]
            x, target = inputs[batch], targets[batch]
            w1, b1, w2, b2 = q.layers(*parameters)
            before = round_half_up((x @ w1 + b1) * 2.0**-q.hidden_shift)
            hidden = np.clip(before, 0, q.activations.max)
            logits = (hidden @ w2 + b2) * 2.0**-(q.hidden_bits + q.weight_bits)

            slack = np.maximum(0.0, 1.0 - target * logits)  # the loss is the mean of slack^2
            error = round_half_up(-2.0 * target * slack * 2.0**GRADIENT_BITS) * 2.0**-GRADIENT_BITS
            back = (error @ w2.T) * 2.0**-q.weight_bits * ((before > 0) & (before < q.activations.max))
            gradients = ((x.T @ back) * 2.0**-q.pixel_bits, back.sum(0, keepdims=True),
                         (hidden.T @ error) * 2.0**-q.hidden_bits, error.sum(0, keepdims=True))

            rate = RATE * (steps - step) / steps
            step += 1
            for p, m, gradient in zip(parameters, momenta, gradients):
                m *= MOMENTUM
                m -= rate / len(batch) * gradient
                p *= 1.0 - WEIGHT_DECAY * rate
                p += m
    return q.layers(*parameters)


def disturbed(images, random):
    """The images with noise on each pixel, a quarter of them moved by one pixel along one axis."""
    padded = np.pad(images.reshape(-1, 8, 8), ((0, 0), (1, 1), (1, 1)))
    corners = [(1, 1)] * 12 + [(0, 1), (2, 1), (1, 0), (1, 2)]
    windows = np.stack([padded[:, y:y + 8, x:x + 8].reshape(-1, 64) for y, x in corners])
    moved = windows[random.randint(len(corners), size=len(images)), np.arange(len(images))]
    return np.clip(moved + random.randint(-NOISE, NOISE + 1, size=images.shape), 0, 2**PIXEL_BITS)


def describe(name, quantiser, layers):
    """The network as it is written to its file, without the predictions."""
    q = quantiser
    w1, b1, w2, b2 = (a.astype(np.int64) for a in layers)
    # The smallest shift with which no activations whatever can saturate the logits.
    largest = int(max(np.abs(q.activations.max * np.where(sign * w2 > 0, w2, 0).sum(0) + b2).max()
                      for sign in (1, -1)))
    logit_shift = next(s for s in range(32)
                       if largest + (1 << s >> 1) >> s < 2**(LOGITS["bits"] - 1))
    finishes = ((w1, b1, q.hidden_shift, True, q.activations.json()),
                (w2, b2, logit_shift, False, LOGITS))
    return {
        "name": name,
        "training_images": TRAINING,
        "input_shift": q.input_shift,
        "layers": [{"moving_format": q.activations.json(), "stationary_format": q.weights.json(),
                    "output_format": output, "shift": shift, "relu": relu,
                    "bias": bias.ravel().tolist(), "weights": weights.tolist()}
                   for weights, bias, shift, relu, output in finishes],
    }


def infer(network, images):
    """Integer inference from nothing but the file's contents: the class of each image."""
    def finish(values, shift, relu, form):
        values = (values + ((1 << shift) >> 1)) >> shift
        low = -(1 << (form["bits"] - 1)) if form["signed"] and not relu else 0
        return np.clip(values, low, (1 << (form["bits"] - form["signed"])) - 1)

    values = finish(images.astype(np.int64), network["input_shift"], True,
                    network["layers"][0]["moving_format"])
    for layer in network["layers"]:
        values = finish(values @ np.array(layer["weights"]) + np.array(layer["bias"]),
                        layer["shift"], layer["relu"], layer["output_format"])
    return values.argmax(1)


def text(value, newline="\n"):
    """JSON with a line for each member of long objects and for each array of numbers."""
    flat = json.dumps(value)
    if isinstance(value, dict) and len(flat) > 80:
        brackets, parts = "{}", [f"{json.dumps(k)}: {text(v, newline + ' ')}" for k, v in value.items()]
    elif isinstance(value, list) and not isinstance(value[0], int):
        brackets, parts = "[]", [text(v, newline + " ") for v in value]
    else:
        return flat
    return brackets[0] + newline + " " + ("," + newline + " ").join(parts) + newline + brackets[1]


def arguments():
    """The options, and the quantiser of each network that they ask for."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--check", action="store_true", help="compare with the files, write nothing")
    parser.add_argument("--validate", action="store_true", help="cross-validate, write nothing")
    parser.add_argument("--name", help="one network only; a new name needs --weights and --activations")
    parser.add_argument("--weights", metavar="FORMAT", help="int3 .. int8")
    parser.add_argument("--activations", metavar="FORMAT", help="int3 .. int8, uint3 .. uint8")
    parser.add_argument("--output", metavar="DIR", type=pathlib.Path, default=HERE,
                        help="where network_NAME.json lies (default: beside this script)")
    options = parser.parse_args()
    networks = NETWORKS
    if options.name and options.weights and options.activations:
        networks = {options.name: (options.weights, options.activations)}
    elif options.weights or options.activations:
        parser.error("--name, --weights and --activations go together")
    elif options.name:
        if options.name not in NETWORKS:
            parser.error(f"{options.name}: not one of {', '.join(NETWORKS)}")
        networks = {options.name: NETWORKS[options.name]}
    try:
        return options, {name: Quantiser(*formats) for name, formats in networks.items()}
    except ValueError as error:
        parser.error(str(error))


def validate(name, quantiser, images, labels):
    """Prints how many images of the training set a network classifies that never saw them."""
    right = 0
    for fold in range(FOLDS):
        first, last = fold * TRAINING // FOLDS, (fold + 1) * TRAINING // FOLDS
        rest = np.r_[0:first, last:TRAINING]
        network = describe(name, quantiser, train(images[rest], labels[rest], quantiser))
        right += (infer(network, images[first:last]) == labels[first:last]).sum()
    print(f"{name}: {right} of {TRAINING} in {FOLDS} folds ({100 * right / TRAINING:.1f} %)", flush=True)


def main():
    options, quantisers = arguments()
    data = np.loadtxt(HERE / "digits.csv", delimiter=",", dtype=np.int64)
    images, labels = data[:, :64], data[:, 64]
    status = 0
    for name, quantiser in quantisers.items():
        if options.validate:
            validate(name, quantiser, images, labels)
            continue
        network = describe(name, quantiser, train(images[:TRAINING], labels[:TRAINING], quantiser))
        predictions = infer(network, images)
        right = predictions == labels
        held_out = right[TRAINING:]
        print(f"{name}: {right[:TRAINING].sum()} of {TRAINING} images trained on, {held_out.sum()} of "
              f"{len(held_out)} held out ({100 * held_out.mean():.1f} %)", flush=True)
        content = text(network | {"predictions": "".join(map(str, predictions))}) + "\n"
        path = options.output / f"network_{name}.json"
        if not options.check:
            path.with_suffix(".tmp").write_text(content)
            path.with_suffix(".tmp").replace(path)
        elif not path.exists() or path.read_text() != content:
            print(f"{path}: differs from what training gives", file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
