"""The Merkle tree of RFC 9162 section 2.1, from its definitions, by hashlib alone.

Reads from standard input {"size": n, "indices": [...], "froms": [...]} for a tree whose leaf i is the
text "entry i"; lists that are absent stand for all. Writes root, inclusion and consistency proofs in hex.
"""

import hashlib
import json
import sys

LEAVES = []
KNOWN = {}


def sha256(data):
    return hashlib.sha256(data).digest()


def split(count):
    """The largest power of two smaller than a count."""
    return 1 << ((count - 1).bit_length() - 1)


def mth(low, high):
    count = high - low
    if count == 0:
        return sha256(b"")
    if count == 1:
        return LEAVES[low]
    # A tree of a million leaves is walked once, whatever is asked of it.
    if (low, high) in KNOWN:
        return KNOWN[low, high]
    middle = low + split(count)
    node = sha256(b"\x01" + mth(low, middle) + mth(middle, high))
    if count > 128:
        KNOWN[low, high] = node
    return node


def path(m, low, high):
    if high - low == 1:
        return []
    k = split(high - low)
    if m < k:
        return path(m, low, low + k) + [mth(low + k, high)]
    return path(m - k, low + k, high) + [mth(low, low + k)]


def subproof(m, low, high, whole):
    if m == high - low:
        return [] if whole else [mth(low, high)]
    k = split(high - low)
    if m <= k:
        return subproof(m, low, low + k, whole) + [mth(low + k, high)]
    return subproof(m - k, low + k, high, False) + [mth(low, low + k)]


def proofs(one):
    size = one["size"]
    texts = lambda hashes: [each.hex() for each in hashes]
    return {
        "root": mth(0, size).hex(),
        "inclusion": [texts(path(m, 0, size)) for m in one.get("indices", range(size))],
        "consistency": [
            texts(subproof(m, 0, size, True)) for m in one.get("froms", range(1, size + 1))
        ],
    }


asked = json.load(sys.stdin)
for i in range(max(one["size"] for one in asked)):
    LEAVES.append(sha256(b"\x00" + b"entry %d" % i))
json.dump([proofs(one) for one in asked], sys.stdout)
