"""Every link of a folder of evidence, made again from the documents (docs/evidence.md).

A link is a function `check_…`: it takes what earlier links gave, by their names, and gives a value
to later ones. It raises Refused where the link is broken, Unchecked where nobody can tell.
"""

from __future__ import annotations

import gzip
import hashlib
import inspect
import pathlib
import stat
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable, NamedTuple

from . import plan, stamps
from .baselines import ABSTAINS, HOURLY, Forecast, Key, hourly_forecasts, series_forecasts
from .chain import MADE_FROM, entry_of, family_digest, read_access, read_ledger, readings_text
from .compare import alpha_holds, compare_readings, near, registered, registered_before
from .compile import compile_rules
from .documents import (DOCUMENT, INPUT, LINES, SMALL, TABLE, Refused, TooLarge, Unchecked,
                        canonical, digest_without, instant_text, micros, need, read_file, read_json,
                        sha256)
from .logs import Policy, Tree, commitment_time, cosignature_times, note_signed, read_checkpoint
from .outcomes import Closes, Releases
from .periods import Hours, Listed, periods_text, read_periods
from .rows import (BESIDE, LATE, LEVEL, attempt_status, history_digest, history_line,
                   interval_status, leaf_of, pair_line, read_closes, read_releases, row_key,
                   status_of, stored_row)
from .scores import plain_transform, scale_of
from .shape import check_shape

Row = dict[str, Any]
# Bytes of a line of pairs.
LONGEST = 1 << 16
LEFT_OUT = """\
the code that scored; the reports; statement and RO-Crate; strata by volatility, return and regime,
with silence in them; models alike; bootstrap draws; cells.ndjson but for its digest; whether the
ledger corrects the result. Of result.json: due_by_end, year_not_asked,
seen_after_end and lower_if_final of the window, series, strata, cells, implausible; of a reading
bounds of means, means that no test is of, shares below quantiles, uncalled directions and withheld
intervals, other_rules, newest_known, spread, beside_grid, hln, memory and cumulative of tests,
reasons of a disposition but for improvements; revocation, and holds, models and unexplained of the
log; others of registrations. Entries of the log that name no key""".replace("\n", " ")


class Given(NamedTuple):
    """What the caller names; history and outcomes may be absent."""

    evidence: pathlib.Path
    protocols: pathlib.Path
    history: pathlib.Path | None
    outcomes: pathlib.Path | None


class Link(NamedTuple):
    state: str
    name: str
    says: str
    note: str


class Found(NamedTuple):
    """What a link gives to later ones, a note, and what of it was left unchecked."""

    value: Any = True
    note: str = ""
    unchecked: str = ""


class Protocol(NamedTuple):
    document: Row
    periods: Hours | Listed


class Log(NamedTuple):
    """Positions of leaves, leaves by key; of checkpoints size, and when stamped and witnessed."""

    leaves: dict[str, int]
    keys: dict[Any, set[str]]
    checkpoints: list[Row]


def verify(given: Given) -> list[Link]:
    """All links. A parameter of a check is what an earlier link gave, needed without default."""
    links: list[Link] = []
    values: dict[str, Any] = {"given": given}
    for name, says, check in LINKS:
        takes = inspect.signature(check).parameters.values()
        missing = [p.name for p in takes if p.name not in values and p.default is p.empty]
        try:
            if missing:
                raise Unchecked(f"an earlier link: {', '.join(missing)}")
            found = check(**{p.name: values[p.name] for p in takes if p.name in values})
        except (Unchecked, TooLarge) as error:
            links.append(Link("not checked", name, says, str(error)))
        except Exception as error:  # Whatever cannot be read does not hold.
            kind = "" if isinstance(error, (Refused, OSError)) else f"{type(error).__name__}: "
            links.append(Link("BROKEN", name, says, f"{kind}{error}"))
        else:
            values[name] = found.value
            state = "not checked" if found.unchecked else "holds"
            links.append(Link(state, name, says, found.unchecked or found.note))
    return links


# ---- documents -----------------------------------------------------------------------------------


def check_folder(given: Given) -> Found:
    for path in sorted(given.evidence.rglob("*")):
        mode = path.lstat().st_mode
        need(stat.S_ISREG(mode) or stat.S_ISDIR(mode),
             f"{path.relative_to(given.evidence)} is no regular file")
    return Found(given.evidence)


def check_result(folder: pathlib.Path) -> Found:
    data = read_file(folder / "result.json", TABLE)
    result: Row = read_json(data)
    check_shape(result)
    need(data.decode() == canonical(result) + "\n", "result.json is not in canonical form")
    need(digest_without(result, "result_sha256", "exploratory", "earlier_readings")
         == result["result_sha256"], "its digest is not its own")
    need(result["result_version"] == 1, "another version of this format")
    cells, told = read_file(folder / "cells.ndjson", LINES), result["cells"]
    need((sha256(cells), cells.count(b"\n")) == (told["sha256"], told["lines"]),
         "cells.ndjson is another one")
    return Found(result)


def check_ledger(given: Given) -> Found:
    ledger = read_ledger(read_file(given.protocols / "ledger.jsonl", TABLE))
    readings = set()
    for file in given.protocols.glob("access/*.jsonl"):
        record = read_access(read_file(file, TABLE), file.stem)
        readings.update(entry["entry_sha256"] for entry, _ in record)
    last, latest = 0, latest_now()
    for entry in ledger:
        own, number = entry["entry"], entry["entry"]["seq"]
        made, moment = micros(entry["time"]), micros(own.get("moved_at") or entry["time"])
        need(last <= moment, f"entry {number} is earlier than the line above")
        need(max(made, moment) <= latest, f"entry {number} lies in the future")
        need("moved_at" not in own or made < moment, f"entry {number} was moved before it was made")
        need(set(own.get("readings", [])) <= readings, f"a reading of entry {number} is gone")
        last = moment
    return Found(ledger)


def latest_now() -> int:
    """A clock may be ahead by five minutes."""
    return round((time.time() + 300) * 1_000_000)


def check_registration(given: Given, result: Row, ledger: list[Row]) -> Found:
    own = result["inputs"]["registration"]
    entry = entry_of(ledger, "registered", registration_sha256=own["sha256"])
    entered = entry["entry"]
    path = given.protocols / entered["file"]
    need(path.is_file(), f"not there: {entered['file']}, where the ledger says")
    r: Row = read_json(read_file(path, DOCUMENT))
    need(digest_without(r, "registration_sha256") == r["registration_sha256"] == own["sha256"],
         "its digest is not its own")
    need(own["ledger_entry_sha256"] in entry["digests"], "the result names another entry")
    says = {**r["window"], "registered_at": r["registered_at"], "mode": r["mode"]}
    for name in ("registered_at", "mode", "first_inputs", "last_settled"):
        need(entered[name] == says[name], f"the entry has another {name}")
    family, rules = r["family"], r["rules"]
    tests, sha = family["tests"], own["family_sha256"]
    need(family_digest(tests, rules["weights"]) == family["sha256"] == sha, "another family")
    need(family["size"] == len(tests), "the family has another size")
    need((own["name"], own["registered_at"]) == (r["name"], r["registered_at"]),
         "the result has another name or time")
    # Alpha is divided after it was registered; check_computation looks at it.
    told = result["settings"]
    settings = {name: part for name, part in r.items() if name != "scales"}
    settings["family"] = {name: part for name, part in family.items() if name != "tests"}
    settings["rules"] = {name: part for name, part in rules.items() if name != "series"}
    settings["rules"]["alpha"] = told["rules"]["alpha"]
    settings["not_asked"] = [
        {"comparator": own["comparator"], "series": len(own["series"]), "first": own["series"][:10]}
        for own in r["not_asked"]]
    other = [name for name in {**settings, **told}
             if canonical(settings.get(name)) != canonical(told.get(name))]
    need(not other and set(settings) == set(told), f"settings: {other}: not what was registered")
    bootstrap = rules["test"]["method"] == "percentile-bootstrap"
    kind = "backtest" if r["mode"] == "backtest" else "not_decided" if bootstrap else "evaluation"
    need(result["kind"] == kind, f"it is no {result['kind']}")
    return Found(r)


def check_protocol(given: Given, result: Row, ledger: list[Row], registration: Row) -> Found:
    own, rules = result["inputs"]["protocol"], registration["rules"]
    named = [(of["version"], of["sha256"]) for of in (own, rules, registration["protocol"])]
    need(len(set(named)) == 1, "another protocol")
    entry = entry_of(ledger, "frozen", protocol_version=own["version"],
                     protocol_sha256=own["sha256"])
    need(own["ledger_entry_sha256"] in entry["digests"], "the result names another entry")
    need(entry["entry"]["seq"] < registered(ledger, registration), "frozen after the registration")
    path = given.protocols / entry["entry"]["file"]
    need(path.is_file(), f"not there: {entry['entry']['file']}")
    document: Row = read_json(read_file(path, DOCUMENT))
    sha = digest_without(document, "protocol_sha256")
    need(sha == document["protocol_sha256"] == own["sha256"], "its digest is not its own")
    periods: Hours | Listed
    if rules["periods"]["kind"] == "list":
        file = path.with_name(path.name.removesuffix(".json") + ".periods.csv")
        listed = read_periods(read_file(file, TABLE).decode())
        need(sha256(periods_text(listed)) == rules["periods"]["sha256"],
             "the list of periods is another one")
        periods = Listed(listed, rules)
    else:
        periods = Hours(rules)
    found = Found(Protocol(document, periods))
    try:
        check_window(registration, periods)
    except Unchecked:
        # Altered rules have other times, too.
        check_rules(registration, found.value)
        raise
    return found


def check_window(registration: Row, periods: Hours | Listed) -> None:
    """Its instants decide which stamps and cancellations count."""
    told, instants = registration["window"], registration["instants"]
    rules = registration["rules"]
    if isinstance(periods, Listed):
        labels = [period["period"] for period in periods.periods]
        need([rules["periods"][name] for name in ("count", "first", "last")]
             == [len(labels), labels[0], labels[-1]], "the list of periods has other ends")
    sha, own = periods.window(rules, told["from"], told["to"])
    # Only days by the clock of a zone hang on the table of time zones, which governments change.
    if instants and sha != instants["sha256"] and periods.asks_zone:
        raise Unchecked(f"by the time zones here, times are others than by those of "
                        f"{instants['tz']}, with which it was registered")
    need(sha == (instants and instants["sha256"]), "instants: not those of the list of periods")
    other = [name for name in own if own[name] != told[name]]
    need(not other, f"window: {', '.join(other)}: not what the rules give")


def check_plan(registration: Row, protocol: Protocol) -> Found:
    """What a registration has from rules and window, so that no author chooses it."""
    r, rules = registration, registration["rules"]
    rules = {**rules, "series": rules.get("series") or [{"id": "BTC/USD"}]}
    not_asked = {of["comparator"]: set(of["series"]) for of in r["not_asked"]}
    need(r["registration_version"] == 1, "another version of this format")
    need(all(c["source"] == "history" for c in r["candidates"]), "a candidate of another source")
    # Where one is the strongest of others, it cannot be made again here.
    believed = any(b["kind"] == "strongest" for b in rules["baselines"])
    if not believed:
        asked = [] if isinstance(protocol.periods, Hours) else plan.not_asked(
            rules, protocol.periods, r["window"])
        need(r["not_asked"] == asked, f"not_asked: rules and window give {asked}")
    need(r["comparators"] == plan.comparators(rules, not_asked),
         "comparators: not those that the rules require")
    need(r["family"]["tests"] == plan.family({**r, "rules": rules}, protocol.periods, not_asked),
         "family: other tests than rules and window give")
    need([(s["series"], s["transform"]) for s in r["scales"]] == plan.scales(rules),
         "scales: not those that the rules ask for")
    need(not r["scales"] or micros(r["scales_as_of"]) <= micros(r["registered_at"]),
         "scales: of values after it was registered")
    need(r["commitment"] in ("self_declared", "stamped", "witnessed"), "another commitment")
    need(r["commitment_log"] is None or r["commitment"] in ("stamped", "witnessed"),
         "a log without a commitment")
    first = r["window"]["first_inputs"]
    need(r["mode"] == "backtest" or (
        first is not None and micros(r["registered_at"]) <= micros(first)),
         "it was registered after its window had begun")
    return Found(unchecked="believed: of which series a baseline is not asked"
                 if believed and not_asked else "")


def check_rules(registration: Row, protocol: Protocol) -> Found:
    rules = registration["rules"]
    need(rules["schema"] == protocol.document["schema_version"], "rules of another version")
    if rules["schema"] == 1:
        raise Unchecked("that a document of version 1 compiles to its rules")
    rules = {**rules, "alpha": float(rules["alpha"])}
    for name, value in compile_rules(protocol.document).items():
        need(near(rules[name], value, more=True),
             f"rules/{name} is not what the protocol says: {value!r:.200}")
    return Found()


# ---- time ----------------------------------------------------------------------------------------


def check_time(folder: pathlib.Path, result: Row, ledger: list[Row], registration: Row) -> Found:
    rule, told = registration["time"], result["time"]
    need((rule is None) == (told is None), "proof of time where none is asked for, or none")
    entry, *later = ledger[registered(ledger, registration) - 1 :]
    check_moved(entry["entry"], registration, told and told["stamped_at"])
    if rule is None:
        return Found(note="self-declared: nobody but the writer says when")
    if rule["authorities"]:
        stamps.need_openssl()
    # A stamp on a later entry covers this one, but not one on an earlier place of a later entry.
    places = [place["seq"] for place in (*entry["entry"].get("moved_from", []), entry["entry"])]
    numbered = [*zip(places, entry["digests"], strict=True),
                *((e["entry"]["seq"], e["digests"][-1]) for e in later)]
    first = registration["window"]["first_inputs"]
    in_time: list[stamps.Stamp] = []
    for authority, said in zip(rule["authorities"], told["authorities"], strict=True):
        name, stamp = authority["name"], said["stamp"]
        need(all(said[n] == authority[n] for n in ("name", "anchor_sha256")), "another authority")
        tokens = [(folder / "time" / "stamps" / digest / f"{name}.tsr", digest, number)
                  for number, digest in numbered]
        found = [(stamps.stamped(token, digest, authority, folder / "time" / "anchors"),
                  (number, digest, sha256(read_file(token, SMALL))))
                 for token, digest, number in tokens if token.is_file()]
        own = stamps.earliest([stamp for stamp, _ in found])
        need((own is None) == (stamp is None), f"{name}: its stamp is not there")
        if own is None:
            continue
        need((stamp["entry"], stamp["entry_sha256"], stamp["token_sha256"])
             in [of for at, of in found if at.latest == own.latest], f"{name}: another stamp")
        accuracy = round((stamp["accuracy_seconds"] or 0) * 1_000_000)
        need(micros(stamp["gen_time"]) == own.moment and accuracy == own.latest - own.moment,
             f"{name}: another time")
        counts = stamps.is_in_time(own, registration["mode"], first)
        need(stamp["in_time"] == counts, f"{name}: whether it was in time")
        in_time += [own] if counts else []
    count, asked = len(in_time), rule["at_least"]
    need(count >= asked, f"{count} of {asked} authorities stamped it in time")
    need((told["level"], told["at_least"]) == ("stamped" if in_time else "self_declared", asked),
         "another level than the stamps show, or another number asked for")
    shown = stamps.shown_at(in_time, asked)
    need(told["stamped_at"] == (None if shown is None else instant_text(shown)),
         "another time than the stamps show")
    return Found(note=f"stamped by {count} of {len(rule['authorities'])}; "
                      "anchors chosen by the writer; revocation not checked")


def check_moved(entry: Row, registration: Row, stamped_at: str | None) -> None:
    """An entry that was moved counts from then on, unless stamps or a witnessed log show more."""
    moved, first = entry.get("moved_at"), registration["window"]["first_inputs"]
    if (moved is None or first is None or registration["mode"] == "backtest"
            or registration["commitment"] == "witnessed"):
        return
    counts = min(micros(moved), micros(stamped_at or moved))
    need(counts <= micros(first), "the ledger has it in its place only after forecasts were due")


def check_log(folder: pathlib.Path, result: Row, registration: Row) -> Found:
    if registration["commitment"] not in ("stamped", "witnessed"):
        need(not result["time"] or result["time"]["commitment"] is None,
             "a proof of commitments that are not asked for")
        return Found(Log({}, {}, []), "forecasts need not be committed")
    stamps.need_openssl()
    log, anchors = folder / "time" / "log", folder / "time" / "anchors"
    rule, told = registration["time"], result["time"]["commitment"]
    entries = [read_json(line) for line in read_file(log / "entries.ndjson", LINES).splitlines()]
    leaves = [entry["leaf"] for entry in entries]
    keys: dict[Any, set[str]] = {}
    for entry in entries:
        if "model" in entry:
            keys.setdefault(row_key(entry), set()).add(entry["leaf"])
    tree = Tree(bytes.fromhex(leaf) for leaf in leaves)
    witnessed = registration["commitment"] == "witnessed" and "witnesses" in rule
    policy = Policy.registered(rule["witnesses"]) if witnessed else None

    def read(size: int) -> tuple[Row, list[str], list[str]]:
        """A checkpoint, with the lines of its stamps and cosignatures that are hashed."""
        note = read_file(log / "checkpoints" / str(size), SMALL).decode()
        checkpoint = read_checkpoint(note)
        need(checkpoint == {"origin": told["log"], "size": size, "root": tree.root(size).hex()},
             f"checkpoint {size} does not follow from the leaves")
        digest, times, tokens = sha256("\n".join(note.split("\n")[:3]) + "\n"), [], []
        for authority in rule["authorities"]:
            token = log / "stamps" / str(size) / f"{authority['name']}.tsr"
            if token.is_file():
                times.append(stamps.stamped(token, digest, authority, anchors)[1])
                tokens.append(f"{size} {authority['name']} {sha256(read_file(token, SMALL))}\n")
        if policy is None:
            return {"size": size, "stamps": times, "witnessed": None}, sorted(tokens), []
        # Without the signature of the log's key it is a checkpoint of another log.
        signed = note_signed(note, rule["witnesses"]["log"])
        seen = {name: cosignature_times(note, key, 2**53) if signed else []
                for name, key in policy.witnesses.items()}
        quorum = policy.time({n: times[0] * 1_000_000 for n, times in seen.items() if times})
        own = sorted(f"{size} {name} {t}\n" for name, times in seen.items() for t in times)
        checkpoint = {"size": size, "stamps": times if signed else [], "witnessed": quorum}
        return checkpoint, sorted(tokens), own

    sizes = sorted(int(path.name) for path in (log / "checkpoints").iterdir())
    with ThreadPoolExecutor(2) as pool:
        checkpoints, tokens, cosigned = zip(*pool.map(read, sizes))
    need(sha256("".join(sum(tokens, []))) == told["stamps_sha256"], "another set of stamps counted")
    need([len(sizes), max(sizes)] == [told["checkpoints"], told["size"]], "other checkpoints")
    need(registration["commitment_log"] in (None, told["log"]), "another log than was registered")
    need(len(leaves) == told["size"] and tree.root(len(leaves)).hex() == told["root"],
         "the log ends elsewhere")
    enough = [sorted(c["stamps"])[rule["at_least"] - 1 :] for c in checkpoints]
    need(sum(map(bool, enough)) == told["stamped"], "another number of stamped checkpoints")
    need(told["last_stamped_at"] == (instant_text(enough[-1][0]) if enough[-1] else None),
         "another last stamp of the log")
    if policy is not None:
        shown = {"checkpoints": sum(c["witnessed"] is not None for c in checkpoints),
                 "liars_needed": policy.liars(),
                 "cosignatures_sha256": sha256("".join(sum(cosigned, [])))}
        need(shown == told["witnessed"], "witnesses show something else")
    first = {leaf: at for at, leaf in reversed(list(enumerate(leaves)))}
    return Found(Log(first, keys, list(checkpoints)),
                 f"{len(sizes)} checkpoints; that this log is the published one was not checked")


# ---- outcomes and history ------------------------------------------------------------------------


def check_outcomes(given: Given, result: Row, registration: Row, protocol: Protocol) -> Found:
    own, want, rules = result["inputs"]["outcomes"], registration["outcomes"], registration["rules"]
    periods = protocol.periods
    need(want["source"] == own["source"] and want["vintage_sha256"] in (None, own["sha256"])
         and want["vintage_id"] in (None, own["id"]), "another vintage than the registered one")
    if given.outcomes is None:
        raise Unchecked("not there: the vintage of outcomes (--outcomes)")
    hourly = isinstance(periods, Hours)
    data = read_file(given.outcomes / ("closes.csv" if hourly else "releases.csv"), INPUT)
    need(sha256(data) == own["sha256"], "the vintage is another one")
    manifest: Row = read_json(read_file(given.outcomes / "manifest.json", TABLE))
    names = ("source", "vintage_id", *(("count", "last") if hourly else ("rows", "complete_to")))
    need([manifest[n] for n in names] == [own[n] for n in ("source", "id", "rows", "complete_to")],
         "its manifest says something else")
    # One line is the header.
    need(data.count(b"\n") - 1 == own["rows"], "its manifest says another number of rows")
    if isinstance(periods, Hours):
        closes = Closes(read_closes(data.decode()))
        need(closes.hours[-1] == micros(own["complete_to"]), "its manifest says another end")
        return Found(closes)
    releases = Releases(read_releases(data.decode()), periods, rules)
    for scale in registration["scales"]:
        moment = micros(registration["scales_as_of"])
        transform = next(s["transform"] for s in rules["scores"]
                         if plain_transform(s["transform"]) == scale["transform"])
        values = [releases.value(scale["series"], at, moment) for at in range(len(periods.periods))]
        need(near(scale_of(values, rules["scaling"]["period_steps"], transform), scale["value"]),
             f"the scale of {scale['series']}")
    return Found(releases)


def check_history(given: Given, result: Row, registration: Row, protocol: Protocol) -> Found:
    """Gives rows by key: a forecast and an attempt, each with the leaf of its line."""
    if given.history is None:
        raise Unchecked("not there: the history as NDJSON (--history)")
    lines = read_file(given.history, INPUT).split(b"\n")
    rows = [(row, history_line(row)) for row in map(read_json, filter(None, lines))]
    window = dict(registration["window"])
    window["to"] = result["window"]["through"] or window["to"]
    listed = protocol.periods if isinstance(protocol.periods, Listed) else None
    labels = None if listed is None else [p["period"] for p in listed.periods if p["origin"]]
    own = result["inputs"]["history"]
    need(history_digest(rows, window, labels) == (own["sha256"], own["rows"]),
         "the rows of the window are others")
    found: dict[Any, Row] = {}
    for row, line in rows:
        kind = "forecast" if "estimate" in row or "value" in row else "attempt"
        found.setdefault(row_key(row), {})[kind] = (row, leaf_of(line))
    return Found(found)


# ---- pairs ---------------------------------------------------------------------------------------


def check_pairs(folder: pathlib.Path, result: Row, registration: Row, protocol: Protocol,
                outcomes: Closes | Releases | None = None, history: dict[Any, Row] | None = None,
                log: Log | None = None) -> Found:
    pairs = read_pairs(folder, result)
    keys: dict[Key, dict[str, Row]] = {}
    for pair in (p for p in pairs if p["expected"]):
        models = keys.setdefault((pair["series"], pair["origin"], pair["step"]), {})
        need(pair["model"] not in models, f"{pair['model']} twice at {pair['origin']}")
        models[pair["model"]] = pair
    window, through = registration["window"], result["window"]["through"]
    need(through is None or registration["mode"] == "backtest", "a prospective window is shortened")
    need(set(keys) == protocol.periods.keys(registration["rules"], window["from"],
                                            through or window["to"]),
         "the grid is not that of the registration")
    in_order = [(p["series"], protocol.periods.span(p["origin"]), p["step"], p["model"])
                for p in pairs if p["expected"]]
    need(in_order == sorted(in_order), "lines in another order")
    names = {m["name"] for m in [*registration["candidates"], *registration["comparators"]]}
    for key, models in keys.items():
        need(names <= set(models), f"a model is missing at {key}")
        check_alike(key, list(models.values()), protocol.periods)
    believed = []
    if outcomes is None:
        believed.append("outcomes and baselines")
    else:
        complete_to = micros(result["inputs"]["outcomes"]["complete_to"])
        for key, models in keys.items():
            check_outcome(key, list(models.values()), outcomes, complete_to)
        other = check_baselines(registration, outcomes, keys)
        believed += [f"values of {', '.join(other)}"] if other else []
    if history is None:
        believed.append("forecasts and statuses of the history")
    elif log is None:
        believed.append("statuses, without the log")
    for key, models in keys.items():
        check_statuses(key, models, registration, protocol.periods, history, log)
    beside = [pair for pair in pairs if not pair["expected"]]
    for pair in beside:
        check_beside(pair, protocol.periods, history)
    return Found(pairs, f"why {len(beside)} rows are beside the grid is believed" if beside else "",
                 f"believed: {' and '.join(believed)}" if believed else "")


def check_beside(pair: Row, periods: Hours | Listed, history: dict[Any, Row] | None) -> None:
    """A row without an expected key is a row of the history, and has no outcome."""
    says = f"{pair['model']} at {pair['origin']}, beside the grid"
    need(pair["reason"] in BESIDE and pair["outcome"] is pair["base"] is pair["seen"] is None,
         f"{says}: {pair['reason']}, or an outcome")
    # A key in a second spelling is that of another row.
    if history is not None and pair["reason"] != "timestamp_invalid":
        hourly = isinstance(periods, Hours)
        origin = instant_text(micros(pair["origin"])) if hourly else pair["origin"]
        own = history.get((pair["series"], origin, pair["step"], pair["model"]), {})
        rows = [part[0]["estimate"]["price_usd"] if hourly else part[0]["value"]
                for kind, part in own.items() if kind == "forecast"]
        need(own != {} and near(rows or [None], [pair["value"]]), f"{says}: not in the history")


def read_pairs(folder: pathlib.Path, result: Row) -> list[Row]:
    own, digest, size = result["inputs"]["pairs"], hashlib.sha256(), 0
    pairs: list[Row] = []
    with gzip.open(folder / "pairs.ndjson.gz") as file:
        # By line, so that a small file that unpacks to a large one is refused before it is read.
        for at, data in enumerate(iter(lambda: file.readline(LONGEST + 1), b""), 1):
            need(at <= own["rows"] and len(data) <= LONGEST, f"line {at}: too many or too long")
            digest.update(data)
            size += len(data)
            if size > INPUT.size:
                raise INPUT.above(f"pairs.ndjson.gz unpacked has more than {INPUT.size} bytes: "
                                  "audit it with foreproof")
            pairs.append(read_pair(data, at))
    need(digest.hexdigest() == own["sha256"], "their digest is not what the result says")
    need(len(pairs) == own["rows"], "another number of lines")
    return pairs


def read_pair(data: bytes, at: int) -> Row:
    pair: Row = read_json(data)
    check_shape(pair, "pair")
    need(pair_line(pair).encode() == data, f"line {at} is not in its normal form")
    need(pair["status"] == status_of(pair["reason"]),
         f"line {at}: {pair['reason']} is not {pair['status']}")
    return pair


NO_OUTCOME = ("outcome_missing", "not_matured")


def check_alike(key: Key, models: list[Row], periods: Hours | Listed) -> None:
    """What is alike for all models of a key: target, outcome, what baselines saw."""
    _, origin, step = key
    need(all(len({p[name] for p in models} - {None}) <= 1 for name in ("outcome", "base"))
         and len({p["seen"] for p in models}) == 1
         and len({p["reason"] in NO_OUTCOME for p in models}) == 1, f"models differ at {key}")
    need({p["target"] for p in models} == {periods.target(origin, step)}, f"the target of {key}")


def check_outcome(key: Key, models: list[Row], outcomes: Closes | Releases,
                  complete_to: int) -> None:
    settled, value, seen, base = outcomes.at(*key)
    without = "outcome_missing" if value is None else ""
    reason = "not_matured" if settled > complete_to else without
    for pair in models:
        said = pair["reason"] if pair["reason"] in NO_OUTCOME else ""
        need(said == reason, f"the outcome of {key}: {pair['reason']}")
        need(reason == "not_matured" or pair["seen"] == seen, f"what baselines saw at {key}")
        need(pair["outcome"] is None or (pair["outcome"], pair["base"]) == (value, base),
             f"outcome or base of {key}")


def check_baselines(registration: Row, outcomes: Closes | Releases,
                    keys: dict[Key, dict[str, Row]]) -> list[str]:
    """Makes them again, and names those of which it cannot."""
    believed = [c["name"] for c in registration["comparators"] if c["source"] == "built_in"]
    rules = registration["rules"]
    for baseline in rules["baselines"]:
        name = baseline["id"]
        wanted = {key: models[name] for key, models in keys.items() if name in models}
        if not wanted:
            continue
        if isinstance(outcomes, Releases) and baseline["kind"] != "strongest":
            for pair, made in series_forecasts(baseline, rules, outcomes, wanted):
                compare_forecast(pair, made)
        elif isinstance(outcomes, Closes) and name in HOURLY:
            for step in rules["steps"]:
                pairs = {micros(o): pair for (_, o, s), pair in wanted.items() if s == step}
                forecasts = hourly_forecasts(outcomes.prices, name, step, set(pairs))
                for at, pair in pairs.items():
                    compare_forecast(pair, forecasts.get(at, ABSTAINS))
        else:
            continue
        believed = [other for other in believed if other != name]
    return believed


def compare_forecast(pair: Row, made: Forecast) -> None:
    point, quantiles = made
    says = f"{pair['model']} at {pair['origin']} for {pair['step']}"
    need(near(point, pair["value"]), f"{says}: {point} is not {pair['value']}")
    need(near(quantiles or [None] * len(pair["quantiles"]), pair["quantiles"]),
         f"{says}: other quantiles")


def check_statuses(key: Key, models: dict[str, Row], registration: Row, periods: Hours | Listed,
                   history: dict[Any, Row] | None, log: Log | None) -> None:
    """The status of every model, from its rows: of baselines the pairs have these themselves."""
    series, origin, step = key
    rules, commitment = registration["rules"], registration["commitment"]
    prospective = registration["mode"] == "prospective"
    built_in = {c["name"] for c in registration["comparators"] if c["source"] == "built_in"}
    unasked = {of["comparator"] for of in registration["not_asked"] if series in of["series"]}
    primary = next(s for s in rules["scores"] if s["primary"])
    common: Row = {
        "mode": registration["mode"], "registered_at": micros(registration["registered_at"]),
        **periods.instants(origin, step), "as_of": 0,
        "provenance_required": registration["provenance_required"],
        "rules": {**rules["forecast"], "transform": primary["transform"]},
    }
    for model, pair in models.items():
        # Whether there is an outcome, and whether it has settled, was checked before.
        common.update(settled=1 if pair["reason"] == "not_matured" else 0,
                      outcome=None if pair["reason"] == "outcome_missing" else 0.0)
        says = f"{model} at {origin} for {step}"
        if model in built_in:
            need(pair["vintage_id"] is pair["vintage_sha256"] is None, f"{says}: it has a vintage")
            # Over hours a built-in that cannot forecast has no row; elsewhere it abstains.
            silent = (pair["value"] is None if isinstance(periods, Hours)
                      else model in unasked and pair["reason"] == "forecast_missing")
            made = None if silent else baseline_row(pair, common["target_end"])
            reason = attempt_status({**common, "provenance_required": False, "row": made})
            need(reason == pair["reason"] and interval_status(reason, made, rules["forecast"])
                 == pair["interval_status"], f"{says}: {reason} is not {pair['reason']}")
            continue
        if history is None or log is None:
            need(rules["forecast"]["interval"] == "separate"
                 or pair["interval_status"] == pair["status"], f"{says}: its interval")
            continue
        rows = history.get((series, origin, step, model), {})
        forecast, attempt = rows.get("forecast"), rows.get("attempt")
        stored = forecast or attempt
        row = stored_row(stored[0], rules["forecast"]["levels"]) if stored else None
        if row is not None and attempt:
            row["attempt"] = attempt[0]["status"]
        status = {**common, "row": row}
        if prospective and log.keys.get((series, origin, step, model), set()) - (
                {forecast[1]} if forecast else set()):
            status["committed"] = "withdrawn"
        elif prospective and forecast and commitment in ("stamped", "witnessed"):
            at = log.leaves.get(forecast[1])
            status["committed"] = None if at is None else commitment_time(
                log.checkpoints, registration["time"]["at_least"], commitment == "witnessed", at)
        reason = attempt_status(status)
        need(reason == pair["reason"], f"{says}: {reason} is not {pair['reason']}")
        interval = interval_status(reason, row, rules["forecast"])
        need(interval == pair["interval_status"], f"{says}: its interval is {interval}")
        same = ["value", "quantiles", "vintage_id", "vintage_sha256"]
        if row and reason in LATE and row.get("level", LEVEL) != LEVEL:
            same.remove("quantiles")  # A pair cannot say that its interval has another level.
        need(row is None or all(near(row[n], pair[n]) for n in same),
             f"{says}: the history has other values")


def baseline_row(pair: Row, end: int) -> Row:
    """A forecast of a baseline, made in time, or its abstention."""
    none = dict.fromkeys(("input_available_at", "selection_data_through"))
    return {**none, **pair, "generated_at": instant_text(0), "target_at": instant_text(end),
            "level": LEVEL, "attempt": "abstained" if pair["value"] is None else None}


# ---- figures -------------------------------------------------------------------------------------


def check_computation(given: Given, result: Row, ledger: list[Row], registration: Row,
                      protocol: Protocol, pairs: list[Row]) -> Found:
    alpha_holds(result, registration)
    if registration["rules"]["test"]["method"] != "ewc-t":
        raise Unchecked("a protocol that tests by the bootstrap")
    note = compare_readings(result, registration, protocol.periods, pairs)
    unchecked = ""
    if result["registrations"] is not None:
        try:
            before = registered_before(given.protocols, result, ledger, registration)
        except Unchecked as error:
            unchecked = f"which registrations were cancelled: {error}"
        else:
            told = result["registrations"]["repetition"]
            need(before <= told,
                 f"{before} registrations share a candidate and hours, the result says {told}")
    return Found(True, note, unchecked)


def check_access(given: Given, folder: pathlib.Path, result: Row, ledger: list[Row],
                 registration: Row) -> Found:
    sha, own = registration["registration_sha256"], result["result_sha256"]
    copy = read_file(folder / "access.jsonl", TABLE)
    record = read_access(copy, sha)
    need(copy.decode() == readings_text(record), "a line is spelt in another way")
    kept = given.protocols / "access" / f"{sha}.jsonl"
    need(kept.is_file(), "the record of readings beside the ledger is missing")
    need(read_file(kept, TABLE).startswith(copy), "the record beside the ledger is another one")
    need(record != [] and record[-1][0]["result_sha256"] == own, "its last line is not this result")
    of = [*(result["inputs"][n] for n in ("outcomes", "history")), result["code"]]
    made_from = {name: part["sha256"] for name, part in zip(MADE_FROM, of)}
    lines = [(entry, count) for entry, count in record if made_from.items() <= entry.items()]
    need(record[-1] in lines, "it is of other inputs or of other code")
    # Another run may have read outcomes meanwhile: what counts is what came before the own reading.
    earlier = [count for entry, count in lines if entry["event"] == "outcomes_read"][-1]
    need(result["earlier_readings"] == earlier, f"{earlier} earlier readings count")
    need(result["exploratory"] == record[-1][0]["exploratory"] == (earlier > 0),
         "whether it is exploratory")
    window, prospective = registration["window"], registration["mode"] == "prospective"
    starts = [registration["registered_at"], *[window["last_settled"]] * prospective]
    times = [micros(entry["at"]) for entry, _ in record]
    need(max(map(micros, starts)) <= times[0] and times == sorted(times)
         and times[-1] <= latest_now(), "times that run backwards, lie ahead or before outcomes")
    ends = [entry["kind"] for entry in ledger if entry["kind"] in ("closed", "result")
            and entry["entry"]["registration_sha256"] == sha]
    need(ends[:1] != ["closed"], "the registration was closed before it had a result")
    entered = any(entry["entry"].get("result_sha256") == own for entry in ledger)
    return Found(True, "" if entered else (
        f"warning result-not-in-ledger: the ledger has no entry of the result {own}. "
        "foreproof ledger rebase --evidence FOLDER enters it"))


LINKS: list[tuple[str, str, Callable[..., Found]]] = [
    ("folder", "the folder holds regular files only", check_folder),
    ("result", "result.json is whole, and names its own digest and that of cells.ndjson",
     check_result),
    ("ledger", "the ledger is an unbroken chain", check_ledger),
    ("registration", "the registration is the one that was entered", check_registration),
    ("protocol", "the protocol is the frozen one, with its list of periods", check_protocol),
    ("plan", "comparators, scales and tests are those that rules and window give", check_plan),
    ("rules", "the rules are those of the protocol", check_rules),
    ("time", "the stamps show when the registration was there", check_time),
    ("outcomes", "the outcomes are the registered vintage", check_outcomes),
    ("log", "the log commits to the forecasts", check_log),
    ("history", "the history is the one that was scored", check_history),
    ("pairs", "every attempt has the status, values and outcome that were scored", check_pairs),
    ("computation", "scores, tests and dispositions follow from these", check_computation),
    ("access", "the record of readings is whole and bears the result out", check_access),
]
