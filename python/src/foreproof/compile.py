"""The rules of a protocol of version 2, as data (docs/protocols.md)."""

from __future__ import annotations

from typing import Any

Row = dict[str, Any]


def _members(of: Row, *names: str) -> Row:
    """These members, null where they are not given."""
    return {name: of.get(name) for name in names}


def _decimal(of: Row, name: str) -> float | None:
    return None if of.get(name) is None else float(of[name])


def _transform(of: Row) -> Row:
    return _members(of.get("transform", {"kind": "identity"}), "kind", "offset")


def _score(score: Row) -> Row:
    primary = score.get("primary", False)
    return {
        **_members(score, "id", "kind", "level", "lower", "upper"), "primary": primary,
        "transform": _transform(score),
        "epsilon": _decimal(score, "epsilon"),
        "tested": "deciding" if primary or score["kind"] == "direction" else None,
    }


def _stratum(stratum: Row) -> Row:
    if stratum["by"] != "past_volatility":
        return _members(stratum, "name", "by", "levels")
    return {**_members(stratum, "name", "by", "series", "changes"),
            "transform": _transform(stratum),
            "levels": [{"level": each["level"], "below": _decimal(each, "below")}
                       for each in stratum["levels"]]}


def compile_rules(protocol: Row) -> Row:
    """The same members as in a registration, with decimals as numbers."""
    baselines = {b["id"] for b in protocol["baselines"]}
    limits, origins, outcome = protocol["limits"], protocol["origins"], protocol["outcome"]
    forecast, strata = protocol["forecast"], protocol.get("strata", [])
    return {
        "version": protocol["protocol_version"], "zone": protocol["zone"],
        "steps": protocol["horizons"],
        "series": [_members(s, "id", "unit", "group", "from") for s in protocol["series"]],
        "origins": {"due": _members(origins["due"], "anchor", "offset"),
                    "waiting": origins.get("waiting", "charged"),
                    "waiting_reason": origins.get("waiting_reason")},
        "outcome": {"over": outcome["over"],
                    "known": _members(outcome["known"], "anchor", "offset"),
                    "release": _members(outcome["release"], "rule", "wait", "lag", "at")},
        "seen": "due", "read_from_text": [],
        "forecast": {"levels": forecast["levels"], "integer": forecast["integer"],
                     "positive": False, "interval": "required",
                     "minimum": _decimal(forecast, "minimum")},
        "scores": [_score(score) for score in protocol["scores"]],
        "scaling": _members(protocol["scaling"], "kind", "period_steps"),
        "baselines": [_members(b, "id", "kind", "season", "pool", "errors")
                      for b in protocol["baselines"]],
        "required": [{"name": n, "model": {"built_in" if n in baselines else "history": n}}
                     for n in protocol["comparisons"]["required"]],
        "dependence": protocol["dependence"], "alpha": float(protocol["uncertainty"]["alpha"]),
        "limits": {n: _decimal(limits, n) for n in (
            "availability", "availability_stratum", "harm", "direction", "practical_effect")},
        "test": {"method": protocol["uncertainty"]["method"], "minimum_blocks": 10,
                 "minimum_origins": 30, "counted": "any"},
        "strata": [_stratum(stratum) for stratum in strata],
        # Without strata all tests decide, with the share of the others.
        "weights": {"verdict": 0.6, "deciding": 0.3 if strata else 0.4,
                    "other": 0.1 if strata else None},
    }
