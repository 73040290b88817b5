"""Every link of a folder of evidence, made again from the documents (docs/evidence.md)."""

from __future__ import annotations

import gzip
import pathlib
import stat
import time
from concurrent.futures import ThreadPoolExecutor
from statistics import median
from typing import Any, Callable

from . import stamps
from .baselines import Past, hourly_forecasts, series_forecast, settle
from .chain import family_digest, read_access, read_ledger
from .documents import MIB, Refused, canonical, content, digest_without, later, micros, periods_text, read_json, read_periods, sha256
from .evaluate import Evaluation, Hours, Listed, plain_transform
from .inference import alpha_divisor, second_counts
from .logs import Policy, Tree, commitment_time, cosignature_times, note_signed, read_checkpoint
from .rows import (HOUR, LATE, attempt_status, history_digest, history_line, in_force, leaf_of, outcome_of, pair_line, read_closes,
                   read_releases, row_key, settled_at, status_of, stored_row, usable)
from .scores import scale_of, transformed
from .shape import REASONS, check_shape

Row = dict[str, Any]
NEAR = 1e-10
# What is read into memory: result and registrations as their formats say, pairs by what a machine holds.
LARGEST, PAIRS = 256 * MIB, 1024 * MIB
LEFT_OUT = ("the code that scored; the reports; statement and RO-Crate; strata by volatility, return and regime; models alike; bootstrap draws; cells.ndjson but for its digest. "
            "Of result.json: window (but through), series, strata, cells, implausible; of a reading bounds of means, means that no test is of, shares below quantiles, uncalled directions and withheld intervals, "
            "other_rules, newest_known, spread, beside_grid, hln, memory and cumulative of tests, reasons of a disposition but for improvements; "
            "of time what is said beside times, checkpoints and cosignatures; of registrations what is said of others")


class Broken(Exception):
    """A link that does not hold."""


class Unchecked(Exception):
    """A link that could not be checked."""


def need(holds: bool, says: str) -> None:
    if not holds:
        raise Broken(says)


def near(found: Any, stored: Any, more: bool = False) -> bool:
    """Figures agree to 1e-10 (relative); everything else exactly. `more`: what is found may have further members."""
    if isinstance(stored, dict):
        return isinstance(found, dict) and (more or set(found) == set(stored)) and all(near(found.get(name), part, more) for name, part in stored.items())
    if isinstance(stored, list):
        return isinstance(found, list) and len(found) == len(stored) and all(near(f, s, more) for f, s in zip(found, stored, strict=True))
    if isinstance(found, bool) or isinstance(stored, bool) or not isinstance(stored, (int, float)) or not isinstance(found, (int, float)):
        return bool(found == stored)
    return abs(found - stored) <= NEAR * max(abs(found), abs(stored)) + 1e-14


class Audit:
    """One verification. Each method named in LINKS checks one link; later ones use what earlier ones read."""

    def __init__(self, folder: pathlib.Path, protocols: pathlib.Path, history: pathlib.Path | None, outcomes: pathlib.Path | None) -> None:
        self.folder, self.protocols, self.history, self.outcomes = folder, protocols, history, outcomes
        self.found: list[tuple[str, str, str, str]] = []
        self.failed: set[str] = set()
        self.cache: dict[Any, Any] = {}
        self.changes: dict[tuple[str, int], list[tuple[int, float | None]]] = {}

    def run(self) -> list[tuple[str, str, str, str]]:
        """Of each link its state, name, sentence and a note."""
        for name, says, needs in LINKS:
            check: Callable[[], str | None] = getattr(self, "check_" + name)
            missing = [n for n in needs if n in self.failed]
            if missing:
                self.found.append(("not checked", name, says, "an earlier link: " + ", ".join(missing)))
                self.failed.add(name)
                continue
            try:
                self.found.append(("holds", name, says, check() or ""))
            except Unchecked as error:
                self.found.append(("not checked", name, says, str(error)))
                if name in ("outcomes", "history"):
                    continue
                self.failed.add(name)
            except Exception as error:  # Whatever cannot be read does not hold.
                kind = "" if isinstance(error, (Broken, Refused, OSError)) else f"{type(error).__name__}: "
                self.found.append(("BROKEN", name, says, f"{kind}{error}"))
                self.failed.add(name)
        return self.found

    def needed(self) -> set[str]:
        """Links that nobody can do without. Protocols of version 1 may test by the bootstrap, which is never checked."""
        old = hasattr(self, "rules") and self.rules["schema"] == 1
        return {"registration", "protocol"} if old else {"registration", "protocol", "computation"}

    # ---- documents ----

    def check_folder(self) -> None:
        for path in sorted(self.folder.rglob("*")):
            mode = path.lstat().st_mode
            need(stat.S_ISREG(mode) or stat.S_ISDIR(mode), f"{path.relative_to(self.folder)} is no regular file")

    def check_result(self) -> None:
        data = content(self.folder / "result.json", LARGEST)
        self.result: Row = read_json(data)
        check_shape(self.result)
        need(data.decode() == canonical(self.result) + "\n", "result.json is not in canonical form")
        need(digest_without(self.result, "result_sha256", "exploratory", "earlier_readings") == self.result["result_sha256"], "its digest is not its own")
        need(self.result["result_version"] == 1, "another version of this format")
        cells = content(self.folder / "cells.ndjson", 4096 * MIB)
        need(sha256(cells) == self.result["cells"]["sha256"] and cells.count(b"\n") == self.result["cells"]["lines"], "cells.ndjson is another one")

    def check_ledger(self) -> None:
        self.ledger = read_ledger(content(self.protocols / "ledger.jsonl", LARGEST))
        lasts = set()
        for file in self.protocols.glob("access/*.jsonl"):
            lasts.update(e["entry_sha256"] for e in read_access(content(file, LARGEST), file.stem))
        for before, entry in zip([None, *self.ledger], self.ledger):
            times = [micros(e["entry"].get("moved_at") or e["time"]) for e in (before, entry) if e]
            need(times == sorted(times), f"entry {entry['entry']['seq']} is earlier than the line above")
            need(set(entry["entry"].get("readings", [])) <= lasts, f"a reading that entry {entry['entry']['seq']} names is gone")

    def entry(self, kind: str, **members: str) -> Row:
        for entry in self.ledger:
            if entry["kind"] == kind and all(entry["entry"][n] == v for n, v in members.items()):
                return entry
        raise Broken(f"the ledger has no such entry: {kind} {members}")

    def check_registration(self) -> None:
        own = self.result["inputs"]["registration"]
        self.entered = self.entry("registered", registration_sha256=own["sha256"])
        path = self.protocols / self.entered["entry"]["file"]
        if not path.is_file():
            raise Unchecked(f"not there: {self.entered['entry']['file']}, where the ledger says")
        self.registration: Row = read_json(content(path, 16 * MIB))
        r = self.registration
        need(digest_without(r, "registration_sha256") == r["registration_sha256"] == own["sha256"], "its digest is not its own")
        need(own["ledger_entry_sha256"] in self.entered["digests"], "the result names another entry of the ledger")
        need(all(self.entered["entry"][n] == r[n] for n in ("registered_at", "mode")) and all(self.entered["entry"][n] == r["window"][n] for n in ("first_inputs", "last_settled")), "the entry says something else")
        need(family_digest(r["family"]["tests"], r["rules"]["weights"]) == r["family"]["sha256"] == own["family_sha256"] and r["family"]["size"] == len(r["family"]["tests"]), "the digest of the family is not its own")
        need((own["name"], own["registered_at"]) == (r["name"], r["registered_at"]), "the result has another name or time")
        self.rules: Row = r["rules"]
        settings = {n: v for n, v in r.items() if n != "scales"} | {"family": {n: v for n, v in r["family"].items() if n != "tests"}}
        settings["rules"] = {n: v for n, v in self.rules.items() if n != "series"} | {"alpha": self.result["settings"]["rules"]["alpha"]}
        other = [n for n in {**settings, **self.result["settings"]} if n not in settings or canonical(settings[n]) != canonical(self.result["settings"].get(n))]
        need(not other, f"settings: {', '.join(other)}: not what was registered")
        kind = "backtest" if r["mode"] == "backtest" else "not_decided" if self.rules["test"]["method"] == "percentile-bootstrap" else "evaluation"
        need(self.result["kind"] == kind, f"it is no {self.result['kind']}")

    def check_protocol(self) -> None:
        own = self.result["inputs"]["protocol"]
        need(own["version"] == self.rules["version"] == self.registration["protocol"]["version"], "another protocol")
        need(own["sha256"] == self.rules["sha256"] == self.registration["protocol"]["sha256"], "another protocol")
        entry = self.entry("frozen", protocol_version=own["version"], protocol_sha256=own["sha256"])
        need(own["ledger_entry_sha256"] in entry["digests"] and entry["entry"]["seq"] < self.entered["entry"]["seq"], "it was not frozen before the registration")
        path = self.protocols / entry["entry"]["file"]
        if not path.is_file():
            raise Unchecked(f"not there: {entry['entry']['file']}")
        self.protocol: Row = read_json(content(path, 16 * MIB))
        need(digest_without(self.protocol, "protocol_sha256") == self.protocol["protocol_sha256"] == own["sha256"], "its digest is not its own")
        self.periods: list[Row] | None = None
        own_list = self.rules["periods"]
        if own_list["kind"] == "list":
            text = content(path.with_name(path.name.removesuffix(".json") + ".periods.csv"), LARGEST).decode()
            self.periods = read_periods(text)
            need(sha256(periods_text(self.periods)) == own_list["sha256"], "the list of periods is another one")
            need((len(self.periods), self.periods[0]["period"], self.periods[-1]["period"]) == (own_list["count"], own_list["first"], own_list["last"]), "the list of periods is another one")
        self.place = {p["period"]: at for at, p in enumerate(self.periods or [])}
        self.spans: Hours | Listed = Hours() if self.periods is None else Listed(self.periods)
        self.knowns = [self.public(p) for p in self.periods or []]

    def check_rules(self) -> None:
        need(self.rules["schema"] == self.protocol["schema_version"], "rules of another version")
        if self.rules["schema"] == 1:
            raise Unchecked("that a document of version 1 compiles to its rules")
        compiled, rules = compile_rules(self.protocol), dict(self.rules, alpha=float(self.rules["alpha"]))
        for name, value in compiled.items():
            need(near(rules[name], value, more=True), f"rules/{name} is not what the protocol says: {value!r:.200}")

    # ---- time ----

    def check_time(self) -> str:
        rule, told = self.registration["time"], self.result["time"]
        if not rule or not rule["authorities"]:
            return "self-declared: nobody but the writer says when"
        if stamps.openssl() is None:
            raise Unchecked("no openssl")
        first = self.registration["window"]["first_inputs"]
        digests = [d for e in self.ledger[self.entered["entry"]["seq"] - 1 :] for d in e["digests"]]
        times = []
        for authority, said in zip(rule["authorities"], told["authorities"], strict=True):
            need(all(said[n] == authority[n] for n in ("name", "anchor_sha256")), "another authority")
            best: tuple[int, int] | None = None
            need(self.anchor(authority, self.folder / "time" / "anchors") is not None or said["stamp"] is None, f"{authority['name']}: its anchor is not there")
            for digest in digests:
                token = self.folder / "time" / "stamps" / digest / f"{authority['name']}.tsr"
                if token.is_file():
                    moment = self.stamped(token, digest, authority, self.folder / "time" / "anchors")
                    best = moment if best is None or moment[0] < best[0] else best
            need((best is None) == (said["stamp"] is None), f"{authority['name']}: its stamp is not there")
            if best is not None:
                need(micros(said["stamp"]["gen_time"]) == best[0] and (said["stamp"]["accuracy_seconds"] or 0) * 1_000_000 == best[1] - best[0], f"{authority['name']}: another time")
                in_time = self.registration["mode"] != "prospective" or (first is not None and best[1] < micros(first))
                need(said["stamp"]["in_time"] == in_time, f"{authority['name']}: whether it was in time")
                times += [best[1]] if in_time else []
        need(len(times) >= rule["at_least"], f"{len(times)} of {rule['at_least']} authorities stamped it in time")
        if times:
            need(micros(told["stamped_at"]) == sorted(times)[max(1, rule["at_least"]) - 1], "another time than the stamps show")
        return f"stamped by {len(times)} of {len(rule['authorities'])}; anchors chosen by the writer; revocation not checked"

    def anchor(self, authority: Row, anchors: pathlib.Path) -> pathlib.Path | None:
        path = anchors / f"{authority['name']}.pem"
        if not path.is_file():
            return None
        need(stamps.anchor_digest(path.read_text()) == authority["anchor_sha256"], f"{authority['name']}: the anchor is another certificate")
        return path

    def stamped(self, token: pathlib.Path, digest: str, authority: Row, anchors: pathlib.Path) -> tuple[int, int]:
        """genTime, and with its accuracy."""
        anchor = self.anchor(authority, anchors)
        need(anchor is not None and stamps.token_holds(token, digest, anchor), f"{authority['name']}: the stamp on {digest[:12]} does not hold")
        moment, accuracy, _ = stamps.token_time(token.read_bytes())
        return moment, moment + (accuracy or 0)

    def check_log(self) -> str:
        self.checkpoints: list[Row] = []
        self.leaves: dict[str, int] = {}
        told = (self.result["time"] or {}).get("commitment")
        if self.registration["commitment"] not in ("stamped", "witnessed"):
            return "forecasts need not be committed"
        log, rule = self.folder / "time" / "log", self.registration["time"]
        entries = [read_json(line) for line in content(log / "entries.ndjson", 4096 * MIB).splitlines()]
        tree = Tree(bytes.fromhex(e["leaf"]) for e in entries)
        for at, entry in enumerate(entries):
            self.leaves.setdefault(entry["leaf"], at)
        if stamps.openssl() is None:
            raise Unchecked("no openssl")
        sizes = sorted(int(p.name) for p in (log / "checkpoints").iterdir())
        lines, witnesses = [], []
        policy = Policy.registered(rule["witnesses"]) if "witnesses" in rule and self.registration["commitment"] == "witnessed" else None

        def one(size: int) -> tuple[Row, list[str], list[str]]:
            note = (log / "checkpoints" / str(size)).read_text(encoding="utf-8")
            found = read_checkpoint(note)
            need(found["size"] == size and found["origin"] == told["log"] and tree.root(size).hex() == found["root"], f"checkpoint {size} does not follow from the leaves")
            body, times, own, cosigned = "\n".join(note.split("\n")[:3]) + "\n", [], [], {}
            for authority in rule["authorities"]:
                token = log / "stamps" / str(size) / f"{authority['name']}.tsr"
                if token.is_file():
                    times.append(self.stamped(token, sha256(body), authority, self.folder / "time" / "anchors")[1])
                    own.append(f"{size} {authority['name']} {sha256(token.read_bytes())}\n")
            seen = []
            if policy is not None:
                # Without the signature of the log's key it is a checkpoint of another log, and counts for nothing.
                signed = note_signed(note, rule["witnesses"]["log"])
                times = times if signed else []
                for name, key in policy.witnesses.items() if signed else ():
                    moments = cosignature_times(note, key, 2**53)
                    cosigned[name] = moments[0] * 1_000_000 if moments else None
                    seen += [f"{size} {name} {m}\n" for m in moments]
            return {"size": size, "stamps": times, "witnessed": policy.time(cosigned) if policy else None}, sorted(own), sorted(seen)

        with ThreadPoolExecutor(2) as pool:
            for checkpoint, own, seen in pool.map(one, sizes):
                self.checkpoints.append(checkpoint)
                lines += own
                witnesses += seen
        need(sha256("".join(lines)) == told["stamps_sha256"] and len(sizes) == told["checkpoints"], "another set of checkpoints or stamps counted")
        need(told["size"] == max(sizes) and tree.root(told["size"]).hex() == told["root"] and len(entries) == told["size"], "the log ends elsewhere")
        need(sum(len(c["stamps"]) >= rule["at_least"] for c in self.checkpoints) == told["stamped"], "another number of stamped checkpoints")
        if policy is not None:
            need(sum(c["witnessed"] is not None for c in self.checkpoints) == told["witnessed"]["checkpoints"] and policy.liars() == told["witnessed"]["liars_needed"], "witnesses show something else")
            need(sha256("".join(witnesses)) == told["witnessed"]["cosignatures_sha256"], "other cosignatures")
        return f"{len(sizes)} checkpoints; that this log is the published one was not checked"

    # ---- outcomes and history ----

    def check_outcomes(self) -> None:
        self.closes: dict[int, float] | None = None
        self.releases: dict[tuple[str, str], list[tuple[float | None, int | None]]] | None = None
        own = self.result["inputs"]["outcomes"]
        want = self.registration["outcomes"]
        need(want["source"] == own["source"] and want["vintage_sha256"] in (None, own["sha256"]), "another vintage than the registered one")
        if self.outcomes is None:
            raise Unchecked("not there: the vintage of outcomes (--outcomes)")
        data = (self.outcomes / ("closes.csv" if self.periods is None else "releases.csv")).read_bytes()
        need(sha256(data) == own["sha256"], "the vintage is another one")
        manifest: Row = read_json(content(self.outcomes / "manifest.json", LARGEST))
        told = [manifest["vintage_id"], *(manifest.get(old, manifest.get(new)) for old, new in (("count", "rows"), ("last", "complete_to")))]
        need([own[n] for n in ("id", "rows", "complete_to")] == told, "its manifest says something else")
        if self.periods is None:
            self.closes = read_closes(data.decode())
            return
        self.releases = read_releases(data.decode())
        as_of = self.registration["scales_as_of"]
        for scale in self.registration["scales"]:
            transform = next(s["transform"] for s in self.rules["scores"] if plain_transform(s["transform"]) == scale["transform"])
            values = [in_force(self.releases.get((scale["series"], p["period"]), []), p["end"], self.known(p), micros(as_of)) for p in self.periods]
            need(near(scale_of(values, self.rules["scaling"]["period_steps"], transform), scale["value"]), f"the scale of {scale['series']}")

    def instant(self, period: Row, rule: Row) -> int:
        if rule["anchor"] == "column":
            raise Unchecked("an instant of the list is open")
        at: int = period[rule["anchor"]]
        return at + round(rule["minutes"] * 60e6) if "minutes" in rule else later(at, rule["offset"], self.rules["zone"])

    def known(self, period: Row) -> int:
        return self.knowns[self.place[period["period"]]]

    def public(self, period: Row) -> int:
        """When the value of a period can first be public; far away where the list leaves it open."""
        rule = self.rules["outcome"]["known"]
        if rule["anchor"] == "column":
            return 2**60 if period["known"] is None else int(period["known"])
        return self.instant(period, rule)

    def due(self, label: str) -> int:
        rule = self.rules["origins"]["due"]
        if self.periods is None:
            return micros(label) + round(rule["minutes"] * 60e6)
        if label not in self.cache:
            period = self.periods[self.place[label]]
            self.cache[label] = period["due"] if rule["anchor"] == "column" else self.instant(period, rule)
        return int(self.cache[label])

    def check_history(self) -> None:
        self.rows: dict[tuple[str, str, int, str], Row] | None = None
        if self.history is None:
            raise Unchecked("not there: the history as NDJSON (--history)")
        exported = []
        for line in self.history.read_bytes().split(b"\n"):
            if line:
                row = read_json(line)
                exported.append((row, history_line(row)))
        window = dict(self.registration["window"], to=self.result["window"]["through"] or self.registration["window"]["to"])
        labels = None if self.periods is None else [p["period"] for p in self.periods if p["origin"]]
        own = self.result["inputs"]["history"]
        need(history_digest(exported, window, labels) == (own["sha256"], own["rows"]), "the rows of the window are others")
        self.rows = {}
        for row, _ in exported:
            found = self.rows.setdefault(row_key(row), {})
            found["forecast" if "estimate" in row or "value" in row else "attempt"] = row

    # ---- pairs ----

    def check_pairs(self) -> str:
        with gzip.open(self.folder / "pairs.ndjson.gz") as file:
            data = file.read(PAIRS + 1)
        if len(data) > PAIRS:
            raise Unchecked(f"more than {PAIRS // MIB} MiB")
        need(data[-1:] in (b"", b"\n"), "no line feed at the end")
        own = self.result["inputs"]["pairs"]
        need(sha256(data) == own["sha256"] and data.count(b"\n") == own["rows"], "their digest is not what the result says")
        self.pairs: list[Row] = []
        for at, line in enumerate(data.decode().split("\n")[:-1], 1):
            pair = read_json(line)
            need(pair_line(pair) == line + "\n", f"line {at} is not in its normal form")
            need(pair["status"] == status_of(pair["reason"]) or not pair["expected"], f"line {at}: {pair['reason']} is not {pair['status']}")
            self.pairs.append(pair)
        keys: dict[tuple[str, str, int], dict[str, Row]] = {}
        for pair in self.pairs:
            if pair["expected"]:
                models = keys.setdefault((pair["series"], pair["origin"], pair["step"]), {})
                need(pair["model"] not in models, f"{pair['model']} twice at {pair['origin']}")
                models[pair["model"]] = pair
        self.check_grid(keys)
        notes = []
        for key, models in keys.items():
            self.check_key(key, list(models.values()))
        if self.closes is not None or self.releases is not None:
            notes += self.check_baselines(keys)
        else:
            notes.append("outcomes and baselines")
        if self.rows is None:
            notes.append("forecasts and statuses of the history")
        else:
            for key, models in keys.items():
                self.check_statuses(key, models)
        if not notes:
            beside = sum(1 for p in self.pairs if not p["expected"])
            return f"{beside} rows beside the grid are believed" if beside else ""
        raise Unchecked("believed: " + " and ".join(notes))

    def check_grid(self, keys: dict[tuple[str, str, int], dict[str, Row]]) -> None:
        """Every origin of the window at each of its steps, with every model."""
        window, through = self.registration["window"], self.result["window"]["through"]
        models = {m["name"] for m in [*self.registration["candidates"], *self.registration["comparators"]]}
        need(all(models <= set(found) for found in keys.values()), "a model is missing at a key")
        if self.periods is None:
            first, last = micros(window["from"]), micros(window["to"])
            expected = {("BTC/USD", at, step) for at in range(first, last + 1, HOUR) for step in self.rules["steps"]}
            need({(s, micros(o), step) for s, o, step in keys} == expected, "the grid is not that of the registration")
            return
        asked = [p for p in self.periods[self.place[window["from"]] : self.place[through or window["to"]] + 1] if p["origin"]]
        need(through is not None or len(asked) == window["origins"], "another number of origins")
        grid = {(s["id"], p["period"], step) for s in self.rules["series"] for p in asked for step in (p["steps"] or self.rules["steps"])
                if 0 <= self.place[p["period"]] + step < len(self.periods)}
        need(set(keys) == grid, "the grid is not that of the registration")

    def check_key(self, key: tuple[str, str, int], models: list[Row]) -> None:
        """What is alike for all models of a key: target, outcome, what baselines saw."""
        series, origin, step = key
        said = {p["outcome"] for p in models} - {None}
        need(len(said) <= 1 and len({(p["target"], p["seen"]) for p in models}) == 1 and len({p["base"] for p in models} - {None}) <= 1, f"models differ at {key}")
        need(len({p["reason"] in ("outcome_missing", "not_matured") for p in models}) == 1, f"models differ about the outcome of {key}")
        if self.periods is None:
            end = micros(origin) + step * HOUR
            need(micros(models[0]["target"]) == end, f"the target of {key}")
            if self.closes is not None:
                outcome, base = self.closes.get(end), self.closes.get(micros(origin))
                settled: int | None = end
        else:
            target = self.periods[self.place[origin] + step]
            need(models[0]["target"] == target["period"], f"the target of {key}")
            if self.releases is not None:
                rows, known = self.releases.get((series, target["period"]), []), self.known(target)
                settled = settled_at(self.rules["outcome"]["release"], target["end"], known, self.rules["zone"])
                outcome = None if settled is None else outcome_of(self.rules["outcome"]["release"], rows, target["end"], known, settled)
                newest = self.newest(series, origin)
                base = None if newest is None else self.seen(series, newest, self.due(origin))
                if models[0]["reason"] not in ("not_matured",):
                    need(models[0]["seen"] == (None if newest is None else self.periods[newest]["period"]), f"what baselines saw at {key}")
        if self.closes is None and self.releases is None:
            return
        reason = "not_matured" if settled is None or settled > micros(self.as_of()) else "outcome_missing" if outcome is None else ""
        for pair in models:
            need((pair["reason"] if pair["reason"] in ("not_matured", "outcome_missing") else "") == reason, f"the outcome of {key}: {pair['reason']}")
            if pair["outcome"] is not None:
                need(pair["outcome"] == outcome and pair["base"] == base, f"outcome or base of {key}")

    def as_of(self) -> str:
        return self.result["inputs"]["outcomes"]["complete_to"]

    def seen(self, series: str, at: int, moment: int) -> float | None:
        assert self.periods is not None and self.releases is not None
        steps = self.changes.get((series, at))
        if steps is None:
            period = self.periods[at]
            rows, end, known = usable(self.releases.get((series, period["period"]), []), period["end"], self.knowns[at]), period["end"], self.knowns[at]
            steps = self.changes[(series, at)] = [(max(end, known) if as_of is None else max(as_of, known), value) for value, as_of in rows]
        found = None
        for since, value in steps:
            if since > moment:
                break
            found = value
        return found

    def newest(self, series: str, origin: str) -> int | None:
        """The newest period of which baselines see a value when the forecasts of an origin are due."""
        assert self.periods is not None
        found = self.cache.get((series, origin), -2)
        if found == -2:
            moment = self.due(origin)
            # A value can be public before its period ends, so the newest may be later than the origin.
            found = next((at for at in range(len(self.periods) - 1, -1, -1) if self.knowns[at] <= moment and self.seen(series, at, moment) is not None), None)
            self.cache[(series, origin)] = found
        return found

    def check_baselines(self, keys: dict[tuple[str, str, int], dict[str, Row]]) -> list[str]:
        """Makes them again, and names those of which it cannot."""
        believed = [c["name"] for c in self.registration["comparators"] if c["source"] == "built_in"]
        for baseline in self.rules["baselines"]:
            name = baseline["id"]
            if not any(name in models for models in keys.values()):
                continue
            if self.closes is not None and name in ("persistence", "seasonal_naive_24h", "drift_24h", "drift_7d"):
                for step in self.rules["steps"]:
                    origins = {micros(o): models[name] for (_, o, s), models in keys.items() if s == step and name in models}
                    made = hourly_forecasts(self.closes, name, step, set(origins))
                    for at, pair in origins.items():
                        self.compare_baseline(pair, *made.get(at, (None, None)))
            elif self.releases is not None and baseline["kind"] != "strongest":
                self.series_baseline(baseline, {key: models[name] for key, models in keys.items() if name in models})
            else:
                continue
            believed = [n for n in believed if n != name]
        return [f"values of {', '.join(believed)}"] if believed else []

    def compare_baseline(self, pair: Row, point: float | None, quantiles: list[float] | None) -> None:
        says = f"{pair['model']} at {pair['origin']} for {pair['step']}"
        need((pair["value"] is None) == (point is None) and (point is None or near(point, pair["value"])), f"{says}: {point} is not {pair['value']}")
        need(near(list(quantiles) if quantiles else [None] * len(pair["quantiles"]), pair["quantiles"]), f"{says}: other quantiles")

    def series_baseline(self, baseline: Row, pairs: dict[tuple[str, str, int], Row]) -> None:
        """Points of all origins of the list up to the window's end, and quantiles from own errors that were public."""
        assert self.periods is not None and self.releases is not None
        rules, primary = self.rules["forecast"], next(s for s in self.rules["scores"] if s["primary"])
        lows = [min(float(level), 1 - float(level)) for level in rules["levels"]]
        tail = min(lows) if primary["kind"] == "weighted_interval" and lows else 0.5
        if primary["kind"] == "weighted_interval":
            total, rising = 0.0, sorted(lows)
            tail = next(q for q in rising if (total := total + q) >= sum(rising) / 2)
        elif primary["level"] or primary["lower"]:
            tail = min(float(primary["level"] or primary["lower"]), 1 - float(primary["level"] or primary["lower"]))
        starts, ends = [p["start"] for p in self.periods], [p["end"] for p in self.periods]
        targets = sorted({self.place[p["target"]] for p in pairs.values()})
        distance = median(starts[b] - starts[a] for a, b in zip(targets, targets[1:])) if targets[1:] else 0
        last = max(self.place[o] for _, o, _ in pairs)
        for series in sorted({s for s, _, _ in pairs}):
            errors: dict[int, list[tuple[int, float]]] = {}
            for at in range(last + 1):
                period = self.periods[at]
                if not period["origin"]:
                    continue
                moment, newest = self.due(period["period"]), self.newest(series, period["period"])
                past = Past(starts, ends, lambda i: self.seen(series, i, moment), newest, distance)
                for step in period["steps"] or self.rules["steps"]:
                    if not 0 <= at + step < len(self.periods):
                        continue
                    point, values = past.point(baseline["kind"], baseline["season"], at + step, tail)
                    own, pair = errors.setdefault(step, []), pairs.get((series, period["period"], step))
                    centre = None if point is None else transformed(primary["transform"], settle(point, rules))
                    if centre is not None and baseline["errors"]:
                        own.append((at + step, centre))
                    if pair is not None:
                        ready = self.own_errors(series, own, moment, primary["transform"], baseline["errors"]["window"]) if baseline["errors"] else []
                        self.compare_baseline(pair, *(series_forecast(point, values, ready, baseline, rules["levels"], rules, primary["transform"]) or (None, None)))

    def own_errors(self, series: str, made: list[tuple[int, float]], moment: int, transform: Row, window: int) -> list[float]:
        """The newest distances of points (target, transformed) from what is seen of their targets at an instant, oldest first."""
        found: list[float] = []
        for target, centre in reversed(made):
            if self.knowns[target] <= moment:
                value = self.seen(series, target, moment)
                outcome = None if value is None else transformed(transform, value)
                if outcome is not None:
                    found.append(abs(outcome - centre))
                    if len(found) == window:
                        break
        return found[::-1]

    def check_statuses(self, key: tuple[str, str, int], models: dict[str, Row]) -> None:
        """The status of every model of the history, from its rows (docs/pairing.md)."""
        assert self.rows is not None
        series, origin, step = key
        span = self.spans.span(models[next(iter(models))]["target"])
        prospective = self.registration["mode"] == "prospective"
        built_in = {c["name"] for c in self.registration["comparators"] if c["source"] == "built_in"}
        primary = next(s for s in self.rules["scores"] if s["primary"])
        until = self.spans.span(origin)[1] if self.rules["seen"] == "origin" else self.due(origin)
        for model, pair in models.items():
            if model in built_in:
                continue
            both = self.rows.get((series, origin, step, model), {})
            stored = both.get("forecast") or both.get("attempt")
            row = None if stored is None else stored_row(stored, self.rules["forecast"]["levels"])
            if row is not None and "attempt" in both:
                row["attempt"] = both["attempt"]["status"]
            outcome = None if pair["reason"] == "outcome_missing" else 0.0
            status: Row = {"mode": self.registration["mode"], "registered_at": micros(self.registration["registered_at"]), "due": self.due(origin), "target_end": span[1], "seen_until": until,
                           "settled": 1 if pair["reason"] == "not_matured" else 0, "as_of": 0, "outcome": outcome, "provenance_required": self.registration["provenance_required"],
                           "rules": dict(self.rules["forecast"], transform=primary["transform"]), "row": row}
            if prospective and self.registration["commitment"] in ("stamped", "witnessed") and stored is not None and "forecast" in both:
                at = self.leaves.get(leaf_of(both["forecast"]))
                status["committed"] = None if at is None else commitment_time(self.checkpoints, self.registration["time"]["at_least"], self.registration["commitment"] == "witnessed", at)
            reason = attempt_status(status)
            need(reason == pair["reason"], f"{model} at {origin} for {step}: {reason} is not {pair['reason']}")
            if row is not None:
                members = ("value", "quantiles", "vintage_id", "vintage_sha256")
                need(all(near(row[n], pair[n]) for n in members), f"{model} at {origin} for {step}: the history has other values")

    # ---- figures ----

    def check_computation(self) -> str:
        r, notes = self.registration, []
        rules = dict(self.rules, alpha=self.result["settings"]["rules"]["alpha"])
        told = self.result["registrations"]
        # Where there is no verdict hypothesis nothing divides alpha.
        need((told is None) == ((rules["weights"] or {}).get("verdict") is None), "registrations are there without a verdict hypothesis, or are not there with one")
        if told is None:
            need(rules["alpha"] == self.rules["alpha"], "alpha is not the registered one")
        else:
            need(near(self.rules["alpha"] / told["divisor"], rules["alpha"]) and near(self.rules["alpha"], told["protocol_alpha"]) and told["divisor"] == alpha_divisor(told["repetition"] - 1), "alpha is divided by something else")
            before = self.registered_before()
            need(before <= told["repetition"], f"{before} registrations share a candidate and hours, the result says {told['repetition']}")
        if not hasattr(self, "pairs"):
            raise Unchecked("the pairs were not read")
        if rules["test"]["method"] != "ewc-t":
            raise Unchecked("a protocol that tests by the bootstrap")
        listed = rules.get("series") or [{"id": "BTC/USD"}]
        groups = {s["id"]: s.get("group") or "rest" for s in listed} if any(s.get("group") for s in listed) else {}
        scales = {(s["series"], s["transform"]): s["value"] for s in r["scales"]}
        facts = {"candidates": r["candidates"], "comparators": r["comparators"], "not_asked": r["not_asked"], "groups": groups, "scales": scales,
                 "mode": r["mode"], "through": self.result["window"]["through"], "protocol_alpha": self.rules["alpha"], "series": [s["id"] for s in listed]}
        asks = {s["id"] for s in rules["scores"] if s["kind"] == "direction"}
        silent = {b["id"] for b in rules["baselines"] if b["kind"] == "persistence" or b["id"] == "persistence"}
        names = [n for n in r["family"]["tests"] if not (n.split("/")[2] in asks and n.split("/")[1] in silent)]
        words: dict[str, tuple[str, float | None]] = {}
        second = self.result["second_reading"]
        for late, reading in ((False, self.result["reading"]), *(((True, second["reading"]),) if second else ())):
            evaluation = Evaluation(rules, facts, self.pairs, self.spans, self.due, late)
            need([t["name"] for t in reading["tests"]] == names, "other tests than registered")
            if not late:
                reasons = [evaluation.account(m["name"], "overall", "all")["reasons"] for m in [*r["candidates"], *r["comparators"]]]
                count = sum(of.get(reason, 0) for of in reasons for reason in LATE)
                need(count == (second["late"] if second else 0), f"{count} forecasts count only in a second reading, the result says {second and second['late']}")
            judged = evaluation.judge(names, {t["name"]: t for t in reading["tests"]})
            notes += self.compare(judged, reading, evaluation)
            for own in judged["dispositions"]:
                this = (own["disposition"], own["improvement"])
                if not late:
                    words[own["candidate"]] = this
                else:
                    need(second_counts(words[own["candidate"]], this) == (own["candidate"] in second["counts_for"]), f"which reading counts of {own['candidate']}")
        need(not second or set(second["counts_for"]) <= set(words), "the second reading counts of no candidate")
        return "; ".join(notes)

    def registered_before(self) -> int:
        """How many registrations up to this one have a candidate over hours of the window, by name."""
        own, counts = self.registration, dict.fromkeys((c["name"] for c in self.registration["candidates"]), 1)
        told = {other["sha256"]: other["cancelled"] for other in self.result["registrations"]["others"]}
        for entry in self.ledger[: self.entered["entry"]["seq"] - 1]:
            path = self.protocols / entry["entry"].get("file", "")
            if entry["kind"] != "registered":
                continue
            other = read_json(content(path, 16 * MIB)) if path.is_file() else None
            if other is not None and digest_without(other, "registration_sha256") != entry["entry"]["registration_sha256"]:
                other = None
            cancelled = told.get(entry["entry"]["registration_sha256"])
            if other is not None and cancelled is not None:
                self.check_cancelled(other, cancelled["stamps_sha256"])
                continue
            ends = [w[n] for w in (own["window"], (other or own)["window"]) for n in ("first_due", "last_due")]
            over = None in ends or (micros(ends[0]) <= micros(ends[3]) and micros(ends[2]) <= micros(ends[1]))
            for name in counts:
                counts[name] += over and (other is None or name in [c["name"] for c in other["candidates"]])
        return max(counts.values())

    def check_cancelled(self, other: Row, tokens: list[str]) -> None:
        """The stamps that the result names show that a registration was closed before its first inputs."""
        if stamps.openssl() is None:
            raise Unchecked("no openssl")
        closed = self.entry("closed", registration_sha256=other["registration_sha256"])["entry"]
        closing = closed["seq"]
        rule = other["time"] or {"at_least": 1, "authorities": []}
        anchors = self.protocols / "anchors"
        any_of = [{"name": p.stem, "anchor_sha256": stamps.anchor_digest(content(p, MIB).decode())} for p in sorted(anchors.glob("*.pem"))]
        times = []
        for authority in rule["authorities"] or any_of:
            own = []
            for digest in (e["digests"][-1] for e in self.ledger[closing - 1 :]):
                token = self.protocols / "stamps" / digest / f"{authority['name']}.tsr"
                if token.is_file() and sha256(token.read_bytes()) in tokens:
                    own.append(self.stamped(token, digest, authority, anchors)[1])
            times += [min(own)] if own else []
        needed = max(1, rule["at_least"])
        # Also before the window at hand: else it could be cancelled once outcomes are known.
        firsts = [r["window"]["first_inputs"] for r in (other, self.registration)]
        early = all(f is not None and max(micros(closed["closed_at"]), *sorted(times)[needed - 1 : needed]) < micros(f) for f in firsts)
        need(len(times) >= needed and early, f"no stamp shows that {other['name']} was closed before its window")

    def compare(self, judged: Row, reading: Row, evaluation: Evaluation) -> list[str]:
        close = 0
        for own, told in zip([*judged["tests"], *judged["verdicts"]], [*reading["tests"], *reading["verdicts"]], strict=True):
            if "of" in own:
                need((*own["of"][:2], own["of"][2]["id"], *own["of"][3:]) == tuple(told[n] for n in ("candidate", "comparator", "score", "step", "scope")), f"{told['name']} is of something else")
            name = told.get("name") or f"the verdict hypothesis of {told['candidate']}"
            if own["decision"] != told["decision"]:
                p = told["p_adjusted"]
                need(p is not None and abs(p - evaluation.alpha) <= 1e-12 * evaluation.alpha, f"{name}: {own['decision']}, the result says {told['decision']}")
                close += 1
            for member, value in told.items():
                if member in own and member not in ("parts", "decision"):
                    need(near(own[member], value), f"{name}: {member} is {own[member]}, the result says {value}")
            for mine, part in zip(own.get("parts", []), told.get("parts", []), strict=True):
                need(near(mine, part), f"{part['test']} in {name}: {mine}, the result says {part}")
        need(judged["far_off"] == reading["far_off"] and judged["nowcasts"] == reading["nowcasts"], "comparators far off, or nowcasts")
        need(near({f"{c}/{s}": w for (c, s), w in judged["waiting"].items()}, {f"{w['comparator']}/{w['step']}": w["w"] for w in reading["waiting"] }), "what waiting is worth")
        self.check_places(reading, evaluation)
        decisions = [t["decision"] for t in reading["tests"]]
        size, sha = len(decisions), self.registration["family"]["sha256"]
        need(reading["family"] == {"size": size, "sha256": sha, "rejected": decisions.count("rejected"), "blocked": decisions.count("blocked")}, "what became of the family")
        for difference in reading["differences"]:
            if difference["scope"] in evaluation.scopes:
                found = evaluation.difference(difference["candidate"], difference["comparator"], difference["step"], difference["scope"])
                need(near(found, {n: difference[n] for n in found}), f"differences of {difference['candidate']} and {difference['comparator']} at {difference['step']} in {difference['scope']}")
        for told in reading["accounting"]:
            if told["scope"] in evaluation.scopes:
                account = evaluation.account(told["model"], told["step"], told["scope"])
                need(all(told[n] == v for n, v in account.items()), f"attempts of {told['model']} at {told['step']} in {told['scope']}")
        more = self.rules["schema"] == 1  # Hourly evaluations have means that no test is of.
        for told in reading["measures"]:
            if told["scope"] in evaluation.scopes:
                means, pairs = evaluation.means(told["model"], told["step"], told["scope"])
                need(near(told["means"], means, more) and near(told["pairs"], pairs, more), f"means of {told['model']} at {told['step']} in {told['scope']}")
        for own, told in zip(judged["dispositions"], reading["dispositions"] or [], strict=True):
            leads = [reason["leads_to"] for reason in told["reasons"]]
            need({reason["code"] for reason in told["reasons"]} <= REASONS, f"a reason of {told['candidate']} that there is not")
            need(own["candidate"] == told["candidate"] and told["disposition"] in leads, f"the reasons of {told['candidate']}")
            need(own["disposition"] == told["disposition"], f"{told['candidate']} is {own['disposition']}, the result says {told['disposition']}")
            if told["disposition"].startswith("eligible"):
                better = [reason["comparator"] for reason in told["reasons"] if reason["code"] == "improvement_established"]
                need(better == [side["comparator"] for side in own["comparisons"]], f"{told['candidate']} is not said to be better than each comparator")
            for reason in told["reasons"]:
                if reason["code"] in ("improvement_established", "practical_floor_not_reached"):
                    side = next(s for s in own["comparisons"] if s["comparator"] == reason["comparator"])
                    figures = {"found": -side["estimate"] / side["comparator_loss"], "limit": self.rules["limits"]["practical_effect"] + side["waiting_worth"]}
                    need(near(figures, {n: reason[n] for n in figures}), f"{reason['code']} of {told['candidate']} against {reason['comparator']}: {figures}")
        return [f"{close} decisions are too close to say"] if close else []

    def check_places(self, reading: Row, evaluation: Evaluation) -> None:
        """Every model, pair, step and scope that a reading shows, each once."""
        scopes, steps = [*evaluation.scopes, *evaluation.left_out], self.rules["steps"]
        sides = [c["name"] for c in evaluation.comparators]
        models = [*evaluation.candidates, *sides]
        # Groups, like their tests, have only the mean over all steps.
        own = {"accounting": [(m, step, s) for m in models for s in scopes for step in ("overall", *steps)],
               "measures": [(m, step, s) for m in models for s in scopes for step in ("overall", *(() if s.startswith("group=") else steps))],
               "differences": [(c, m, step, s) for c in evaluation.candidates for m in sides for s in scopes for step in steps]}
        for name, places in own.items():
            told = [tuple(of[n] for n in ("model", "candidate", "comparator", "step", "scope") if n in of) for of in reading[name]]
            need(len(told) == len(places) and set(told) == set(places), f"{name}: some are missing, or too many")

    def check_access(self) -> str:
        sha = self.registration["registration_sha256"]
        copy = content(self.folder / "access.jsonl", LARGEST)
        record = read_access(copy, sha)
        kept = self.protocols / "access" / f"{sha}.jsonl"
        need(not kept.is_file() or content(kept, LARGEST).startswith(copy), "the record beside the ledger is another one")
        need(bool(record) and record[-1]["event"] == "result_written" and record[-1]["result_sha256"] == self.result["result_sha256"], "its last line is not this result")
        inputs = self.result["inputs"]
        for entry in record[-2:]:
            need((entry["vintage_sha256"], entry["history_sha256"], entry["exploratory"]) == (inputs["outcomes"]["sha256"], inputs["history"]["sha256"], self.result["exploratory"]), "it is of other inputs")
        times = [micros(self.registration["registered_at"]), *(micros(e["at"]) for e in record)]
        need(times == sorted(times) and times[-1] <= (time.time() + 300) * 1e6, "times that run backwards, or lie ahead")
        need((self.result["earlier_readings"] > 0) == self.result["exploratory"], "whether it is exploratory")
        entered = any(e["kind"] in ("result", "corrected") and e["entry"]["result_sha256"] == self.result["result_sha256"] for e in self.ledger)
        return "" if entered else "warning: the result is not in the ledger"


LINKS: list[tuple[str, str, tuple[str, ...]]] = [
    ("folder", "the folder holds regular files only", ()),
    ("result", "result.json is whole, and names its own digest and that of cells.ndjson", ("folder",)),
    ("ledger", "the ledger is an unbroken chain", ()),
    ("registration", "the registration is the one that was entered", ("result", "ledger")),
    ("protocol", "the protocol is the frozen one, with its list of periods", ("registration",)),
    ("rules", "the rules are those of the protocol", ("protocol",)),
    ("time", "the stamps show when the registration was there", ("folder", "registration")),
    ("outcomes", "the outcomes are the registered vintage", ("protocol",)),
    ("log", "the log commits to the forecasts", ("folder", "registration")),
    ("history", "the history is the one that was scored", ("protocol",)),
    ("pairs", "every attempt has the status, values and outcome that were scored", ("folder", "protocol", "outcomes", "history", "log")),
    ("computation", "scores, tests and dispositions follow from these", ("protocol",)),
    ("access", "the record of readings is whole and bears the result out", ("folder", "registration")),
]


def compile_rules(protocol: Row) -> Row:
    """The rules of a protocol of version 2, as data: the same members, with decimals as numbers."""
    def transform(of: Row | None) -> Row:
        return {"kind": "identity", "offset": None} if of is None else {"kind": of["kind"], "offset": of.get("offset")}

    def offset(of: Row) -> Row:
        return {"anchor": of["anchor"], "offset": of.get("offset")}

    ids = {b["id"] for b in protocol["baselines"]}
    limits, origins, release = protocol["limits"], protocol["origins"], protocol["outcome"]["release"]
    return {
        "version": protocol["protocol_version"], "zone": protocol["zone"], "steps": protocol["horizons"],
        "series": [{"id": s["id"], "unit": s["unit"], "group": s.get("group"), "from": s.get("from")} for s in protocol["series"]],
        "origins": {"due": offset(origins["due"]), "waiting": origins.get("waiting", "charged"), "waiting_reason": origins.get("waiting_reason")},
        "outcome": {"over": protocol["outcome"]["over"], "known": offset(protocol["outcome"]["known"]), "release": {n: release.get(n) for n in ("rule", "wait", "lag", "at")}},
        "seen": "due", "read_from_text": [],
        "forecast": {"levels": protocol["forecast"]["levels"], "integer": protocol["forecast"]["integer"], "positive": False, "interval": "required",
                     "minimum": None if protocol["forecast"].get("minimum") is None else float(protocol["forecast"]["minimum"])},
        "scores": [{"id": s["id"], "kind": s["kind"], "primary": s.get("primary", False), "transform": transform(s.get("transform")), "level": s.get("level"), "lower": s.get("lower"),
                    "upper": s.get("upper"), "epsilon": float(s["epsilon"]) if "epsilon" in s else None,
                    "tested": "deciding" if s.get("primary") or s["kind"] == "direction" else None} for s in protocol["scores"]],
        "scaling": {"kind": protocol["scaling"]["kind"], "period_steps": protocol["scaling"].get("period_steps")},
        "baselines": [{n: b.get(n) for n in ("id", "kind", "season", "pool", "errors")} for b in protocol["baselines"]],
        "required": [{"name": n, "model": {"built_in" if n in ids else "history": n}} for n in protocol["comparisons"]["required"]],
        "dependence": protocol["dependence"], "alpha": float(protocol["uncertainty"]["alpha"]),
        "limits": {n: float(limits[n]) if n in limits else None for n in ("availability", "availability_stratum", "harm", "direction", "practical_effect")},
        "test": {"method": protocol["uncertainty"]["method"], "minimum_blocks": 10, "minimum_origins": 30, "counted": "any"},
        "strata": [{n: s[n] for n in ("name", "by", *(["levels"] if s["by"] != "past_volatility" else []))} for s in protocol.get("strata", [])],
        # Without strata all tests decide, with the share of the others.
        "weights": {"verdict": 0.6, "deciding": 0.3, "other": 0.1} if protocol.get("strata") else {"verdict": 0.6, "deciding": 0.4, "other": None},
    }
