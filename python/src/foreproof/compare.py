"""What is recomputed of a result, held against what it says."""

from __future__ import annotations

import pathlib
from typing import Any

from . import stamps
from .chain import entry_of
from .documents import (DOCUMENT, SMALL, Refused, digest_without, micros, need, read_file,
                        read_json, sha256)
from .evaluate import Evaluation
from .inference import alpha_divisor, second_counts
from .periods import Hours, Listed
from .rows import LATE
from .shape import REASONS
from .verdicts import judge

Row = dict[str, Any]
# How far figures may be apart, relative; and how near to alpha nobody can say what is rejected.
NEAR, CLOSE = 1e-10, 1e-12
SILENCE = ("availability_limit_exceeded", "comparator_availability_limit_exceeded")


def near(one: Any, other: Any, more: bool = False) -> bool:
    """Figures agree to 1e-10, integers and all else exactly. `more`: the first has more members."""
    if isinstance(other, dict):
        return (isinstance(one, dict) and (more or set(one) == set(other))
                and all(near(one.get(name), part, more) for name, part in other.items()))
    if isinstance(other, (list, tuple)):
        return (isinstance(one, (list, tuple)) and len(one) == len(other)
                and all(near(a, b, more) for a, b in zip(one, other)))
    if any(isinstance(v, bool) or not isinstance(v, (int, float)) for v in (one, other)):
        return type(one) is type(other) and bool(one == other)
    if isinstance(one, int) and isinstance(other, int):
        return one == other
    return abs(one - other) <= NEAR * max(abs(one), abs(other)) + 1e-14


def too_close(alpha: float, *adjusted: float | None) -> bool:
    """Whether all these adjusted p are so near to alpha that rounding decides."""
    return all(p is not None and abs(p - alpha) <= CLOSE * alpha for p in adjusted)


# ---- alpha ---------------------------------------------------------------------------------------


def alpha_holds(result: Row, registration: Row) -> None:
    """Alpha is the registered one, divided by what the number of registrations asks."""
    rules, told = registration["rules"], result["registrations"]
    alpha, used = rules["alpha"], result["settings"]["rules"]["alpha"]
    # Where there is no verdict hypothesis nothing divides alpha.
    need((told is None) == ((rules["weights"] or {}).get("verdict") is None),
         "registrations are there without a verdict hypothesis, or are not there with one")
    if told is None:
        need(used == alpha, "alpha is not the registered one")
        return
    need(told["divisor"] == alpha_divisor(told["repetition"] - 1), "alpha has another divisor")
    need(near(alpha / told["divisor"], used) and near(alpha, told["protocol_alpha"]),
         "alpha is divided by something else")


def registered(ledger: list[Row], registration: Row) -> int:
    """The number of the entry of a registration."""
    sha = registration["registration_sha256"]
    return entry_of(ledger, "registered", registration_sha256=sha)["entry"]["seq"]  # type: ignore


def registered_before(protocols: pathlib.Path, result: Row, ledger: list[Row],
                      registration: Row) -> int:
    """How many registrations up to this one have a candidate over hours of the window, by name."""
    counts = {candidate["name"]: 1 for candidate in registration["candidates"]}
    told = {other["sha256"]: other["cancelled"] for other in result["registrations"]["others"]}
    before = ledger[: registered(ledger, registration) - 1]
    for entry in (e["entry"] for e in before if e["kind"] == "registered"):
        path, sha = protocols / entry["file"], entry["registration_sha256"]
        other = read_json(read_file(path, DOCUMENT)) if path.is_file() else None
        if other is None or digest_without(other, "registration_sha256") != sha:
            # Of a file that is gone or edited nobody knows the candidates, so it counts for all.
            counts = {name: count + 1 for name, count in counts.items()}
        elif told.get(sha) is not None:
            check_cancelled(protocols, ledger, registration, other, told[sha]["stamps_sha256"])
        elif overlap(registration["window"], other["window"]):
            for candidate in other["candidates"]:
                if candidate["name"] in counts:
                    counts[candidate["name"]] += 1
    return max(counts.values())


def overlap(a: Row, b: Row) -> bool:
    """Whether windows share hours; they do where one does not say its ends."""
    ends = [window[end] for window in (a, b) for end in ("first_due", "last_due")]
    if None in ends:
        return True
    first, last, other_first, other_last = map(micros, ends)
    return first <= other_last and other_first <= last


def check_cancelled(protocols: pathlib.Path, ledger: list[Row], registration: Row, other: Row,
                    tokens: list[str]) -> None:
    """The stamps that the result names show that another was closed before its first inputs."""
    sha = other["registration_sha256"]
    closed = entry_of(ledger, "closed", registration_sha256=sha)["entry"]
    rule, anchors = other["time"] or {"at_least": 1, "authorities": []}, protocols / "anchors"
    authorities = rule["authorities"] or [
        {"name": p.stem, "anchor_sha256": stamps.anchor_digest(read_file(p, SMALL).decode())}
        for p in sorted(anchors.glob("*.pem"))]
    times = []
    for authority in authorities:
        own = []
        for digest in (entry["digests"][-1] for entry in ledger[closed["seq"] - 1 :]):
            token = protocols / "stamps" / digest / f"{authority['name']}.tsr"
            if token.is_file() and sha256(read_file(token, SMALL)) in tokens:
                own.append(stamps.stamped(token, digest, authority, anchors))
        times.append(stamps.earliest(own))
    stamped = stamps.shown_at([stamp for stamp in times if stamp], rule["at_least"])
    if stamped is None:
        raise Refused(f"{other['name']}: too few stamps show that it was closed")
    shown = max(micros(closed["closed_at"]), stamped)
    # Also before the window at hand: else it could be cancelled once outcomes are known.
    firsts = [r["window"]["first_inputs"] for r in (other, registration)]
    need(all(first is not None and shown < micros(first) for first in firsts),
         f"no stamp shows that {other['name']} was closed before its window")


# ---- readings ------------------------------------------------------------------------------------


def compare_readings(result: Row, registration: Row, periods: Hours | Listed,
                     pairs: list[Row]) -> str:
    """Recomputes both readings; says what of them nobody can say, and what was believed."""
    rules = {**registration["rules"], "alpha": result["settings"]["rules"]["alpha"]}
    asks = {s["id"] for s in rules["scores"] if s["kind"] == "direction"}
    silent = {b["id"] for b in rules["baselines"] if "persistence" in (b["kind"], b["id"])}
    # Persistence calls no direction.
    names = [name for name in registration["family"]["tests"]
             if not (name.split("/")[2] in asks and name.split("/")[1] in silent)]
    through, second = result["window"]["through"], result["second_reading"]

    evaluation = Evaluation(rules, registration, through, pairs, periods, late=False)
    first, close, believed = compare_reading(evaluation, names, result["reading"], registration)
    compare_window(evaluation, result["window"])
    models = [m["name"] for m in [*registration["candidates"], *registration["comparators"]]]
    reasons = [evaluation.account(model, "overall", "all")["reasons"] for model in models]
    late = sum(of.get(reason, 0) for of in reasons for reason in LATE)
    # Without witnesses nobody can have taken cosignatures away, so late forecasts are just late.
    late = late if registration["commitment"] == "witnessed" else 0
    need(late == (second["late"] if second else 0),
         f"{late} forecasts count only in a second reading, the result has another number")
    if second:
        evaluation = Evaluation(rules, registration, through, pairs, periods, late=True)
        words, more, levels = compare_reading(evaluation, names, second["reading"], registration)
        close, believed = close + more, believed | levels
        counts = {name for name, word in words.items() if second_counts(first[name], word)}
        need(counts == set(second["counts_for"]), f"the second reading counts for {sorted(counts)}")
    return "; ".join([f"{close} decisions are too close to say"] * bool(close)
                     + [f"silence in {level} is believed" for level in sorted(believed)])


def compare_window(evaluation: Evaluation, told: Row) -> None:
    """What of the window is shown beside the verdict."""
    origins, rules = len(evaluation.origins), evaluation.rules
    overall = {name: worth for (name, step), worth in evaluation.waiting().items()
               if step == "overall"}
    last = {b["id"] for b in rules["baselines"] if "persistence" in (b["kind"], b["id"])}
    shown = [worth for name, worth in overall.items() if name in last] or overall.values()
    own = {"origins": origins, "blocks": origins // rules["dependence"]["block_origins"],
           "origins_a_day": evaluation.a_day("all"),
           "waiting_worth": max((worth or 0 for worth in shown), default=0)}
    other = [name for name in own if not near(own[name], told[name])]
    need(not other, f"window: {', '.join(other)}: not what follows from the pairs")


def compare_reading(evaluation: Evaluation, names: list[str], reading: Row,
                    registration: Row) -> tuple[dict[str, tuple[str, float | None]], int, set[str]]:
    """Gives disposition and improvement of each candidate, the number of decisions that are too
    close, and levels that are left out and in which the result finds silence.
    """
    need([test["name"] for test in reading["tests"]] == names, "other tests than registered")
    silent = {(of["candidate"], reason["comparator"], level)
              for of in reading["dispositions"] or [] for reason in of["reasons"]
              if reason["code"] in SILENCE and reason["leads_to"] == "blocked"
              for level in reason["details"] if level in evaluation.levels_left_out}
    judged = judge(evaluation, names, {test["name"]: test for test in reading["tests"]},
                   {of[:2] for of in silent})
    close = sum(compare_hypothesis(own, told, evaluation.alpha) for own, told in zip(
        [*judged["tests"], *judged["verdicts"]], [*reading["tests"], *reading["verdicts"]],
        strict=True))
    need(evaluation.far_off == reading["far_off"], f"comparators far off: {evaluation.far_off}")
    need(evaluation.nowcasts == reading["nowcasts"], f"nowcasts: {evaluation.nowcasts}")
    waiting = {(w["comparator"], w["step"]): w["w"] for w in reading["waiting"]}
    need(near(evaluation.waiting(), waiting) and len(waiting) == len(reading["waiting"]),
         "what waiting is worth")
    decisions = [test["decision"] for test in reading["tests"]]
    family = {"size": len(names), "sha256": registration["family"]["sha256"],
              "rejected": decisions.count("rejected"), "blocked": decisions.count("blocked")}
    need(reading["family"] == family, "what became of the family")
    compare_tables(evaluation, reading)
    words = {}
    for own, told in zip(judged["dispositions"], reading["dispositions"] or [], strict=True):
        compare_disposition(own, told, evaluation.rules["limits"]["practical_effect"])
        words[own["candidate"]] = (own["disposition"], own["improvement"])
    return words, close, {level for _, _, level in silent}


def compare_hypothesis(own: Row, told: Row, alpha: float) -> bool:
    """A test or a verdict hypothesis; whether its decision is too close to say."""
    name = told.get("name") or f"the verdict hypothesis of {told['candidate']}"
    if "of" in own:
        candidate, comparator, score, step, scope = own["of"]
        is_of = [told[n] for n in ("candidate", "comparator", "score", "step", "scope")]
        need(is_of == [candidate, comparator, score["id"], step, scope],
             f"{name} is of something else")
    differs = own["decision"] != told["decision"]
    need(not differs or too_close(alpha, own["p_adjusted"], told["p_adjusted"]),
         f"{name}: {own['decision']}, the result says {told['decision']}")
    for member in set(told) & set(own) - {"decision"}:
        need(near(own[member], told[member]),
             f"{name}: {member} is {own[member]!r:.300}, the result says {told[member]!r:.300}")
    return differs


def compare_tables(evaluation: Evaluation, reading: Row) -> None:
    """What became of attempts, means and differences: every model, step and scope, each once."""
    steps, scopes = evaluation.rules["steps"], [*evaluation.scopes, *evaluation.left_out]
    sides = [side["name"] for side in evaluation.comparators]
    models = [*evaluation.candidates, *sides]
    # Groups, like their tests, have only the mean over all steps.
    places = {
        "accounting": [(m, t, s) for m in models for s in scopes for t in ("overall", *steps)],
        "measures": [(m, t, s) for m in models for s in scopes
                     for t in ("overall", *(() if s.startswith("group=") else steps))],
        "differences": [(c, m, t, s) for c in evaluation.candidates for m in sides
                        for s in scopes for t in steps],
    }
    made = {"accounting": evaluation.account, "measures": evaluation.means,
            "differences": evaluation.difference}
    # Hourly evaluations have means that no test is of.
    more = evaluation.rules["schema"] == 1
    for name, expected in places.items():
        members = ("model", "candidate", "comparator", "step", "scope")
        told = {tuple(row[n] for n in members if n in row): row for row in reading[name]}
        need(len(reading[name]) == len(told) and set(told) == set(expected),
             f"{name}: some are missing, or too many")
        for place, row in told.items():
            if place[-1] in evaluation.scopes:
                found = made[name](*place)
                own = {member: row[member] for member in found}
                need(near(own, found, more and name == "measures"), f"{name} of {place}")


def compare_disposition(own: Row, told: Row, floor: float) -> None:
    candidate, word, reasons = told["candidate"], told["disposition"], told["reasons"]
    need(own["candidate"] == candidate, "dispositions of other candidates")
    need({reason["code"] for reason in reasons} <= REASONS, f"an unknown reason of {candidate}")
    need(word in [reason["leads_to"] for reason in reasons], f"the reasons of {candidate}")
    need(own["disposition"] == word, f"{candidate} is {own['disposition']}, the result says {word}")
    better = [r["comparator"] for r in reasons if r["code"] == "improvement_established"]
    sides = {side["comparator"]: side for side in own["comparisons"]}
    need(not word.startswith("eligible") or better == list(sides),
         f"{candidate} is not said to be better than each comparator")
    for reason in reasons:
        if reason["code"] in ("improvement_established", "practical_floor_not_reached"):
            side = sides[reason["comparator"]]
            figures = {"found": -side["estimate"] / side["comparator_loss"],
                       "limit": floor + side["waiting_worth"]}
            need(near(figures, {n: reason[n] for n in figures}),
                 f"{reason['code']} of {candidate} against {reason['comparator']}: {figures}")
