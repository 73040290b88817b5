"""The log: leaves, roots, proofs, notes, checkpoints, cosignatures, policies, and from when a forecast counts.

Signatures are made by the package `cryptography`, with the secret keys of RFC 8032, section 7.1.
"""

import base64
import hashlib
import itertools

from common import case, write
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat


def sha(data):
    return hashlib.sha256(data).digest()


def leaf(entry):
    return sha(b"\0" + entry)


def root(leaves):
    """RFC 6962, section 2.1, as it stands there."""
    if not leaves:
        return sha(b"")
    if len(leaves) == 1:
        return leaf(leaves[0])
    k = split(len(leaves))
    return sha(b"\1" + root(leaves[:k]) + root(leaves[k:]))


def split(n):
    k = 1
    while 2 * k < n:
        k *= 2
    return k


def path(m, leaves):
    """RFC 6962, section 2.1.1."""
    if len(leaves) <= 1:
        return []
    k = split(len(leaves))
    if m < k:
        return [*path(m, leaves[:k]), root(leaves[k:])]
    return [*path(m - k, leaves[k:]), root(leaves[:k])]


def proof(m, leaves, whole=True):
    """RFC 6962, section 2.1.2."""
    if m == len(leaves):
        return [] if whole else [root(leaves)]
    k = split(len(leaves))
    if m <= k:
        return [*proof(m, leaves[:k], whole), root(leaves[k:])]
    return [*proof(m - k, leaves[k:], False), root(leaves[:k])]


def hexed(hashes):
    return [one.hex() for one in hashes]


# The test tree of certificate-transparency logs, with its published roots.
TREE = [bytes.fromhex(one) for one in ("", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f")]
ROOTS = """e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d
fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125
aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77
d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7
4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4
76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef
ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c
5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328""".split()
assert [root(TREE[:n]).hex() for n in range(9)] == ROOTS
TREE_SOURCE = "the test tree of RFC 6962 logs with its published roots; paths by RFC 6962, section 2.1"

ENTRY = f'{{"entry_sha256":"{"ab" * 32}"}}'.encode()

write(
    "log-leaf",
    "RFC 9162, 2.1.1; sha256sum of the byte 00 and the entry",
    [
        case("nothing", {"entry": ""}, ROOTS[1]),
        case("a byte", {"entry": "00"}, leaf(b"\0").hex()),
        case("a line of an export", {"entry": b'{"a":1}'.hex()}, leaf(b'{"a":1}').hex(), against="no byte stands before a leaf"),
        case("a registration, by its entry of the ledger", {"entry": ENTRY.hex()}, leaf(ENTRY).hex()),
    ],
)
write(
    "log-root",
    TREE_SOURCE,
    [
        case(f"{n} leaves", {"leaves": hexed(TREE[:n])}, ROOTS[n], against={3: "the last leaf is doubled where it has no neighbour", 2: None}.get(n))
        for n in range(9)
    ],
)
INCLUDED = [(0, 1), (5, 8), (2, 3), (6, 7), (0, 8), (4, 5), (3, 6)]
write(
    "log-inclusion",
    TREE_SOURCE,
    [case(f"leaf {m} of {n}", {"leaves": hexed(TREE[:n]), "index": m}, hexed(path(m, TREE[:n])), against="a path begins at the root" if n == 6 else None) for m, n in INCLUDED]
    + [case("no such leaf", {"leaves": hexed(TREE[:3]), "index": 3}, error=True)],
)
CONSISTENT = [(6, 8), (2, 5), (1, 1), (0, 4), (4, 8), (3, 7), (7, 8), (1, 8)]
write(
    "log-consistency",
    TREE_SOURCE,
    [case(f"{m} in {n}", {"leaves": hexed(TREE[:n]), "from": m}, hexed(proof(m, TREE[:n]) if m else []), against="the root before is part of a path" if m == 4 else None) for m, n in CONSISTENT]
    + [case("of more leaves than there are", {"leaves": hexed(TREE[:3]), "from": 4}, error=True)],
)


def inclusion(m, n, **change):
    given = {"leaf": leaf(TREE[m]).hex(), "index": m, "size": n, "path": hexed(path(m, TREE[:n])), "root": ROOTS[n]}
    return {**given, **change}


def consistency(m, n, **change):
    given = {"from": m, "size": n, "path": hexed(proof(m, TREE[:n])) if m else [], "from_root": ROOTS[m], "root": ROOTS[n]}
    return {**given, **change}


HASH = "ab" * 32
write(
    "log-inclusion-holds",
    TREE_SOURCE,
    [case(f"leaf {m} of {n}", inclusion(m, n), True) for m, n in INCLUDED]
    + [
        case("at another index", inclusion(5, 8, index=4), False, against="any index will do"),
        case("in a tree of another size", inclusion(4, 5, size=8), False),
        case("a hash too many", inclusion(5, 8, path=[*hexed(path(5, TREE)), HASH]), False),
        case("a hash too few", inclusion(5, 8, path=hexed(path(5, TREE))[:-1]), False),
        case("another root", inclusion(5, 8, root=ROOTS[7]), False),
        case("another leaf", inclusion(5, 8, leaf=HASH), False),
        case("an index outside", inclusion(2, 3, index=3), False),
        case("the root as its own leaf", inclusion(0, 1, leaf=ROOTS[8], root=ROOTS[8], size=8), False),
    ],
)
write(
    "log-consistency-holds",
    TREE_SOURCE,
    [case(f"{m} in {n}", consistency(m, n), True) for m, n in CONSISTENT]
    + [
        case("another root before", consistency(6, 8, from_root=ROOTS[5]), False),
        case("another root after", consistency(6, 8, root=ROOTS[7]), False),
        case("other sizes", consistency(6, 8, **{"from": 5}), False),
        case("a hash too many", consistency(6, 8, path=[*hexed(proof(6, TREE)), HASH]), False),
        case("nothing shows it", consistency(6, 8, path=[]), False),
        case("equal sizes and two roots", consistency(4, 4, root=HASH, path=[]), False, against="trees of one size are one tree"),
        case("something after nothing", consistency(0, 4, path=[HASH]), False),
        case("backwards", consistency(8, 8, size=6, root=ROOTS[6], path=[]), False),
    ],
)

# ------------------------------------------------------------------ notes
SECRETS = [
    "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
    "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
    "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
    "833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42",
]
KEYS = [Ed25519PrivateKey.from_private_bytes(bytes.fromhex(one)) for one in SECRETS]
RAW = [key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw) for key in KEYS]
assert RAW[0].hex() == "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
NOTE, COSIGNATURE = 1, 4


def key_id(name, of, kind):
    return sha(name.encode() + b"\n" + bytes([kind]) + RAW[of])[:4]


def verifier(name, of, kind):
    return f"{name}+{key_id(name, of, kind).hex()}+{b64(bytes([kind]) + RAW[of])}"


def b64(data):
    return base64.b64encode(data).decode()


def signed(body, name, of, kind=NOTE):
    return f"— {name} {b64(key_id(name, of, kind) + KEYS[of].sign(body.encode()))}\n"


def cosigned(body, name, of, time, kind=COSIGNATURE, prefix="cosignature/v1\n"):
    text = f"{prefix}time {time}\n{body}".encode()
    return f"— {name} {b64(key_id(name, of, kind) + time.to_bytes(8, 'big') + KEYS[of].sign(text))}\n"


LOG = "forecasts.example.org/btcusd"
BODY = f"{LOG}\n8\n{b64(bytes.fromhex(ROOTS[8]))}\n"
OWN = signed(BODY, LOG, 0)
KEY = verifier(LOG, 0, NOTE)
FLIPPED = OWN[:-10] + ("A" if OWN[-10] != "A" else "B") + OWN[-9:]


def note(*lines, body=BODY):
    return body + "\n" + "".join(lines)


write(
    "signed-note",
    "C2SP signed-note; Ed25519 by the package cryptography with the keys of RFC 8032, 7.1",
    [
        case("its own signature", {"note": note(OWN), "key": KEY}, True),
        case("beside another's", {"note": note(signed(BODY, "else.example", 1), OWN), "key": KEY}, True),
        case("by another key under the name", {"note": note(signed(BODY, LOG, 1)), "key": KEY}, False, against="a signature is known by its name"),
        case("by the key under another name", {"note": note(signed(BODY, "else.example", 0)), "key": KEY}, False),
        case("of another text", {"note": note(OWN, body=BODY.replace("\n8\n", "\n7\n")), "key": KEY}, False),
        case("one good, one bad signature of the key", {"note": note(OWN, FLIPPED), "key": KEY}, False),
        case("without a signature", {"note": BODY, "key": KEY}, False),
        case("extension lines are signed, too", {"note": note(OWN, body=BODY + "more\n"), "key": KEY}, False),
        case("a cosignature is none", {"note": note(cosigned(BODY, LOG, 0, 5)), "key": KEY}, False),
        case("no line feed at the end", {"note": note(OWN)[:-1], "key": KEY}, error=True),
        case("a hyphen for the dash", {"note": note(OWN.replace("—", "-")), "key": KEY}, error=True),
        case("a carriage return", {"note": note(OWN).replace("\n8\n", "\r\n8\n"), "key": KEY}, error=True),
        case("base64 without its padding", {"note": note(OWN.replace("=\n", "\n") if "=" in OWN else OWN[:-2] + "\n"), "key": KEY}, error=True),
        case("an identifier that is not the key's", {"note": note(OWN), "key": KEY.replace(key_id(LOG, 0, NOTE).hex(), "00000000")}, error=True),
    ],
)


def checkpoint(origin, size, hash):
    return {"origin": origin, "size": size, "root": hash}


def head(*lines):
    return "".join(f"{line}\n" for line in lines)


B64_ROOT = b64(bytes.fromhex(ROOTS[8]))
write(
    "checkpoint",
    "C2SP tlog-checkpoint, by hand",
    [
        case("three lines", {"note": BODY}, checkpoint(LOG, 8, ROOTS[8])),
        case("signed", {"note": note(OWN)}, checkpoint(LOG, 8, ROOTS[8])),
        case("an extension line", {"note": head(LOG, 8, B64_ROOT, "more")}, checkpoint(LOG, 8, ROOTS[8])),
        case("an empty log", {"note": head(LOG, 0, b64(bytes.fromhex(ROOTS[0])))}, checkpoint(LOG, 0, ROOTS[0])),
        case("a leading zero", {"note": head(LOG, "08", B64_ROOT)}, error=True, against="a size is any number"),
        case("a negative size", {"note": head(LOG, -1, B64_ROOT)}, error=True),
        case("a root of 31 bytes", {"note": head(LOG, 8, b64(bytes(31)))}, error=True),
        case("no origin", {"note": head("", 8, B64_ROOT)}, error=True),
        case("two lines", {"note": head(LOG, 8)}, error=True),
    ],
)

# ------------------------------------------------------------------ stamps on a registration
FIRST = "2026-01-10T00:00:00Z"


def stamp(authority, at, accuracy=None, entry=5):
    return {"authority": authority, "gen_time": at, "accuracy_seconds": accuracy, "entry": entry}


def shown(at, **in_time):
    return {"in_time": in_time, "stamped_at": at, "holds": at is not None}


def stamped(stamps, mode="prospective", at_least=2):
    return {"mode": mode, "first_inputs": FIRST, "entry": 5, "authorities": ["a", "b", "c"], "at_least": at_least, "stamps": stamps}


EARLY = [stamp("a", "2026-01-08T00:00:00Z", 1), stamp("b", "2026-01-09T00:00:00Z", 0.5), stamp("c", "2026-01-09T12:00:00Z")]
STAMPED = [
    ("the second of three", stamped(EARLY), shown("2026-01-09T00:00:00.500000Z", a=True, b=True, c=True), "the first stamp is enough"),
    ("one is missing", stamped(EARLY[:2]), shown("2026-01-09T00:00:00.500000Z", a=True, b=True, c=None), None),
    ("two are missing", stamped(EARLY[:1]), shown(None, a=True, b=None, c=None), None),
    ("before the first inputs, and by its accuracy not", stamped([EARLY[0], stamp("b", "2026-01-09T23:59:59Z", 1)]), shown(None, a=True, b=False, c=None), "accuracy does not matter"),
    ("a microsecond before them", stamped([EARLY[0], stamp("b", "2026-01-09T23:59:59Z", 0.999999)]), shown("2026-01-09T23:59:59.999999Z", a=True, b=True, c=None), None),
    ("at the first inputs", stamped([EARLY[0], stamp("c", FIRST)]), shown(None, a=True, b=None, c=False), "a stamp at the first inputs is in time"),
    ("late, of a backtest", stamped([EARLY[0], stamp("c", "2026-02-01T00:00:00Z")], "backtest"), shown("2026-02-01T00:00:00Z", a=True, b=None, c=True), None),
    ("on an entry before it", stamped([EARLY[0], stamp("b", "2026-01-07T00:00:00Z", entry=4)]), shown(None, a=True, b=None, c=None), "a stamp on any entry counts"),
    ("on a later entry, and earlier", stamped([*EARLY, stamp("b", "2026-01-08T12:00:00Z", entry=7)]), shown("2026-01-08T12:00:00Z", a=True, b=True, c=True), None),
    ("the earlier of two by their accuracy", stamped([EARLY[0], stamp("b", "2026-01-09T00:00:00Z", 60), stamp("b", "2026-01-09T00:00:10Z", 1)]), shown("2026-01-09T00:00:11Z", a=True, b=True, c=None), None),
    ("another authority", stamped([EARLY[0], stamp("d", "2026-01-09T00:00:00Z")]), shown(None, a=True, b=None, c=None), None),
]
write(
    "registration-stamps",
    "docs/registration.md, by hand",
    [case(name, given, found, against=why) for name, given, found, why in STAMPED],
)

REAL = """developers.google.com/android/binary_transparency/0
611
2GZ1zmS5VkfUZmn2ZyR4KZXwHLD+xnwBIWzql/cD50w=

— pixel_transparency_log csh42zBFAiAd3Y1FwqNTt5RglY0uG7heC6Yu1gEbXXPYmZ7LdOILMAIhAIt68PnR/3TADAaC7hvrSHbpziV7TmpIwOUydLmcjyTQ
— ArmoredWitness-small-breeze nRq5UQAAAABnoqrsRIofXn68vTohcAm2KG4ACGyRPNePUk02BSWD0WKV5ElejTk5Z+Tm3GmJ5j/etA+fkL9XuaQsnTyZbr437sF4AQ==
— ArmoredWitness-autumn-wood qZb5XQAAAABnoqrl57G9CblEl3lwwuqzbaJvVMqNiZCbYZseYT1YZHYmls3CmT1wxZ1fNgM4RxHuUxjAwcI2ghTx6R5aCg+L0DGPBA==
"""
NOW = 1738800000


def armored(name, raw, kind=COSIGNATURE):
    public = base64.b64decode(raw)[1:]
    own = sha(name.encode() + b"\n" + bytes([kind]) + public)[:4]
    return f"{name}+{own.hex()}+{b64(bytes([kind]) + public)}"


BREEZE = armored("ArmoredWitness-small-breeze", "AQAWYpUjfGGPQiWOgt6sLWap0P9rVOe+Ofu2uNZbO4FD")
WOOD = armored("ArmoredWitness-autumn-wood", "AesIVCbad7gbU07JnA6YfZD0qg4B1c8xF4ISdnt9vjip")
W = verifier("w1.example", 1, COSIGNATURE)
AT = 1767225600


def mine(*lines, now=AT + 60):
    return {"note": note(OWN, *lines), "key": W, "now": now}


write(
    "cosignature",
    "C2SP tlog-cosignature; the first three are a public checkpoint of Android with two cosignatures of ArmoredWitness devices",
    [
        case("a real one", {"note": REAL, "key": BREEZE, "now": NOW}, [1738713836]),
        case("another real one", {"note": REAL, "key": WOOD, "now": NOW}, [1738713829]),
        case("real, of another text", {"note": REAL.replace("\n611\n", "\n612\n"), "key": WOOD, "now": NOW}, []),
        case("two of one witness", mine(cosigned(BODY, "w1.example", 1, AT + 9), cosigned(BODY, "w1.example", 1, AT)), [AT, AT + 9], against="the last of a note counts"),
        case("a key identifier made with 0x01", mine(cosigned(BODY, "w1.example", 1, AT, kind=NOTE)), []),
        case("signed without its first line", mine(cosigned(BODY, "w1.example", 1, AT, prefix="")), [], against=None),
        case("by another witness's key", mine(cosigned(BODY, "w1.example", 2, AT)), []),
        case("at time 0", mine(cosigned(BODY, "w1.example", 1, 0)), []),
        case("five minutes ahead", mine(cosigned(BODY, "w1.example", 1, AT), now=AT - 300), [AT]),
        case("more than five minutes ahead", mine(cosigned(BODY, "w1.example", 1, AT), now=AT - 301), []),
        case("a plain signature of the witness", mine(signed(BODY, "w1.example", 1, COSIGNATURE)), []),
        case("one good, one bad", mine(cosigned(BODY, "w1.example", 1, AT), cosigned(BODY + "x\n", "w1.example", 1, AT - 5)), [AT]),
    ],
)

# ------------------------------------------------------------------ policies
VKEYS = [verifier(f"w{at + 1}.example", at, COSIGNATURE) for at in range(4)]


def policy(*lines, witnesses=4):
    return "".join(f"{line}\n" for line in [*(f"witness w{at + 1} {VKEYS[at]}" for at in range(witnesses)), *lines])


def accepts(of, names):
    """`of` is a name, or (k, members)."""
    if isinstance(of, str):
        return of in names
    return sum(accepts(one, names) for one in of[1]) >= of[0]


def names_in(of):
    return {of} if isinstance(of, str) else set().union(*map(names_in, of[1]))


def liars(of):
    """By trying all: the fewest witnesses that two sets have in common, each of which satisfies the quorum."""
    all_names = sorted(names_in(of))
    sets = [set(s) for n in range(len(all_names) + 1) for s in itertools.combinations(all_names, n) if accepts(of, set(s))]
    return min(len(a & b) for a in sets for b in sets)


def time_of(of, times):
    """By trying all: the earliest time at which those that have cosigned satisfy the quorum."""
    for at in sorted(t for t in times.values() if t is not None):
        if accepts(of, {name for name, t in times.items() if t is not None and t <= at}):
            return at
    return None


ALL4 = ["w1", "w2", "w3", "w4"]
TIMES = {"w1": 50, "w2": 20, "w3": None, "w4": 40}
NESTED = (2, [(1, ["w1", "w2"]), (2, ["w3", "w4"])])
POLICIES = [
    ("three of four", policy("group g 3 w1 w2 w3 w4", "quorum g"), (3, ALL4), "the first cosignature is enough"),
    ("two of three", policy("group g 2 w1 w2 w3", "quorum g", witnesses=3), (2, ALL4[:3]), None),
    ("two of two", policy("group g all w1 w2", "quorum g", witnesses=2), (2, ALL4[:2]), None),
    ("any of two", policy("group g any w1 w2", "quorum g", witnesses=2), (1, ALL4[:2]), None),
    ("a witness", policy("quorum w1", witnesses=1), "w1", None),
    ("groups of groups", policy("group a any w1 w2", "group b all w3 w4", "group c all a b", "quorum c"), NESTED, None),
    ("a comment and tabs", "# ours\n\n" + policy("group g 1 w1 w2", "quorum\tg", witnesses=2), (1, ALL4[:2]), None),
]
BAD_POLICIES = [
    ("no quorum", policy("group g 1 w1 w2")),
    ("a quorum that is not defined", policy("quorum g")),
    ("two quorums", policy("quorum w1", "quorum w2")),
    ("more than there are", policy("group g 5 w1 w2 w3 w4", "quorum g")),
    ("none of them", policy("group g 0 w1 w2", "quorum g")),
    ("in two groups", policy("group a 1 w1 w2", "group b 1 w2 w3", "quorum a")),
    ("a group before its members", "group g 1 w1\n" + policy("quorum g")),
    ("a key twice", policy(f"witness w5 {VKEYS[0]}", "quorum w5")),
    ("a name twice", policy(f"witness w1 {verifier('other', 3, COSIGNATURE)}", "quorum w1", witnesses=3)),
    ("a key that signs notes", f"witness w1 {verifier('w1.example', 0, NOTE)}\nquorum w1\n"),
    ("an unknown line", policy("include others", "quorum w1")),
]
write(
    "witness-policy",
    "C2SP tlog-policy; liars and times by trying all sets of witnesses",
    [
        case(name, {"policy": text, "times": {one: TIMES[one] for one in sorted(names_in(of))}}, {"liars": liars(of), "time": time_of(of, TIMES)}, against=why)
        for name, text, of, why in POLICIES
    ]
    + [
        case("all have cosigned", {"policy": POLICIES[0][1], "times": {"w1": 5, "w2": 9, "w3": 7, "w4": 8}}, {"liars": 2, "time": 8}),
        case("no witness is asked for", {"policy": "quorum none\n", "times": {}}, {"liars": 0, "time": 0}),
    ]
    + [case(name, {"policy": text, "times": {}}, error=True) for name, text in BAD_POLICIES],
)

# ------------------------------------------------------------------ from when a forecast counts
STAMPS = [
    {"size": 3, "stamps": [100, 130], "witnessed": 110},
    {"size": 5, "stamps": [90], "witnessed": 300},
    {"size": 9, "stamps": [200, 210, 220], "witnessed": 150},
    {"size": 12, "stamps": [], "witnessed": None},
]


def counts_from(checkpoints, at_least, entry, witnessed):
    holding = [one for one in checkpoints if one["size"] > entry]
    stamped = [sorted(one["stamps"])[at_least - 1] for one in holding if len(one["stamps"]) >= at_least]
    seen = [one["witnessed"] for one in holding if one["witnessed"] is not None]
    if not stamped or (witnessed and not seen):
        return None
    return max(min(stamped), min(seen)) if witnessed else min(stamped)


ENTRIES = [
    (0, 2, False, None),
    (0, 1, False, "the smallest checkpoint that holds it counts"),
    (3, 2, False, "an index counts from 1"),
    (4, 1, False, None),
    (8, 3, False, None),
    (9, 1, False, None),
    (0, 2, True, None),
    (3, 1, True, "one checkpoint has to have stamp and cosignature"),
    (4, 2, True, None),
    (11, 1, True, None),
    (20, 1, False, None),
]
write(
    "commitment-time",
    "docs/time.md and docs/registration.md, by their sentences",
    [
        case(
            f"entry {entry}, {least} stamps{', witnessed' if witnessed else ''}",
            {"checkpoints": STAMPS, "at_least": least, "witnessed": witnessed, "entry": entry},
            counts_from(STAMPS, least, entry, witnessed),
            against=why,
        )
        for entry, least, witnessed, why in ENTRIES
    ],
)
