"""Names of the members of a result: the closed lists of `foreproof schema result`. Settings are held against the registration."""

from __future__ import annotations

from typing import Any

from .documents import Refused

# By path: `[]` is an item of a list, `*` any name; `?` a member that may be absent.
SHAPES = {
    "": "result_version result_sha256 code kind exploratory earlier_readings inputs time registrations settings window implausible series strata cells reading second_reading",
    "code": "name version sha256",
    "inputs": "protocol registration history pairs outcomes",
    "inputs.protocol": "version sha256 ledger_entry_sha256",
    "inputs.registration": "name sha256 registered_at family_sha256 ledger_entry_sha256",
    "inputs.history": "sha256 rows",
    "inputs.pairs": "sha256 rows",
    "inputs.outcomes": "id sha256 source rows complete_to",
    "time": "level at_least stamped_at authorities commitment",
    "time.authorities[]": "name anchor_sha256 stamp",
    "time.authorities[].stamp": "gen_time accuracy_seconds in_time token_sha256 entry entry_sha256 revocation",
    "time.commitment": "log size root checkpoints stamped last_stamped_at stamps_sha256 witnessed? holds? models unexplained",
    "time.commitment.witnessed": "checkpoints liars_needed cosignatures_sha256",
    "time.commitment.holds": "registrations models_in_window",
    "time.commitment.models[]": "model expected committed committed_late not_committed withdrawn",
    "registrations": "protocol_alpha repetition divisor others",
    "registrations.others[]": "entry file sha256 registered_at window overlaps same end cancelled",
    "registrations.others[].window": "from to",
    "registrations.others[].same[]": "candidate as by",
    "registrations.others[].cancelled": "entry stamps_sha256",
    "window": "through origins blocks origins_a_day due_by_end waiting_worth year_not_asked",
    "implausible[]": "candidate series of first",
    "implausible[].first": "series comparator keys beyond ratio",
    "series": "count units groups",
    "series.units": "count first",
    "series.groups[]": "group series",
    "strata[]": "name levels",
    "strata[].levels[]": "level origins",
    "cells": "lines sha256 steps no_test no_means",
    "cells.steps[]": "step cells in_test in_means",
    "reading": "accounting beside_grid measures differences waiting nowcasts far_off family tests verdicts dispositions other_rules newest_known spread",
    "reading.accounting[]": "model step scope expected without_outcome point interval reasons",
    "reading.accounting[].point": "scored failed abstained missing ineligible",
    "reading.accounting[].interval": "scored failed abstained missing ineligible",
    "reading.measures[]": "model step scope pairs means bounds below",
    "reading.measures[].bounds.*": "lower upper",
    "reading.measures[].below.*": "pairs share bounds",
    "reading.measures[].below.*.bounds": "lower upper",
    "reading.differences[]": "candidate comparator step scope expected with_outcome shared lost uncalled intervals_withheld observed comparator_mean",
    "reading.differences[].lost": "candidate_not_scored comparator_not_scored neither_scored vintage_mismatch",
    "reading.differences[].uncalled": "asked not_called",
    "reading.waiting[]": "comparator step w",
    "reading.family": "size sha256 rejected blocked",
    "reading.tests[]": "name candidate comparator score step scope decides cells pairs effective_blocks observed comparator_mean bounds standard_error degrees_of_freedom p weight rank multiplier p_adjusted level_adjusted bounds_adjusted bounds_simultaneous group_bound decision by_verdict blocked_reasons hln memory cumulative",
    "reading.tests[].bounds": "lower upper",
    "reading.tests[].bounds_adjusted": "lower upper",
    "reading.tests[].bounds_simultaneous": "level lower upper",
    "reading.tests[].hln": "statistic p",
    "reading.tests[].memory": "ratio limit p",
    "reading.verdicts[]": "candidate weight p rank multiplier p_adjusted decision parts",
    "reading.verdicts[].parts[]": "test comparator step score observed limit p",
    "reading.dispositions[]": "candidate disposition reasons",
    "reading.dispositions[].reasons[]": "code leads_to comparator step score test found limit details",
    "reading.other_rules[]": "rule model step pairs mean coverage",
    "reading.newest_known[]": "step origins median_steps",
    "reading.spread[]": "candidate comparator series worse quantiles best worst",
    "reading.spread[].best[]": "series difference",
    "reading.spread[].worst[]": "series difference",
    "second_reading": "late counts_for reading",
}
REASONS = {
    "failure_rate_above_comparator", "availability_limit_exceeded", "comparator_availability_limit_exceeded", "deciding_test_blocked",
    "significantly_worse", "regression_limit_exceeded", "direction_limit_exceeded", "practical_floor_not_reached", "verdict_not_established",
    "outcomes_missing", "rules_too_lax", "waiting_too_long", "only_nowcasts", "nowcast", "comparator_substituted", "group_harm_not_excluded",
    "direction_not_comparable", "window_shortened", "improvement_established",
}
NULLABLE = {
    "reading.differences[].uncalled", "reading.dispositions", "reading.measures[].below.*.bounds", "reading.measures[].bounds.*",
    "reading.tests[].bounds", "reading.tests[].bounds_adjusted", "reading.tests[].bounds_simultaneous", "reading.tests[].hln",
    "reading.tests[].memory", "registrations", "registrations.others[].cancelled", "registrations.others[].window", "second_reading", "time",
    "time.authorities[].stamp", "time.commitment",
}


def check_shape(value: Any, path: str = "") -> None:
    """Raises Refused where a member is missing or unknown, or is a list, an object or nothing where it may not."""
    if path in SHAPES and not isinstance(value, dict) and not (value is None and path in NULLABLE):
        raise Refused(f"{path}: no object")
    if path + "[]" in SHAPES and not isinstance(value, list) and not (value is None and path in NULLABLE):
        raise Refused(f"{path}: no list")
    if isinstance(value, list):
        for item in value:
            check_shape(item, path + "[]")
    elif isinstance(value, dict) and path != "settings":
        names = SHAPES[path].split() if path in SHAPES else None
        if names is not None and not {n for n in names if n[-1] != "?"} <= set(value) <= {n.rstrip("?") for n in names}:
            raise Refused(f"{path or 'result'}: members missing or unknown: {sorted({n.rstrip('?') for n in names} ^ set(value))}")
        for name, part in value.items():
            own = name if names is not None else "*"
            check_shape(part, "reading" if (path, own) == ("second_reading", "reading") else f"{path}.{own}".lstrip("."))
