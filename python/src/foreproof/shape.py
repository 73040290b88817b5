"""Members of a result: the closed lists of `foreproof schema result`.

Settings are held against the registration instead.
"""

from __future__ import annotations

from typing import Any

from .documents import need

# By path, then by what follows it: `[]` is an item of a list, `*` any name, `?` may be absent.
_MEMBERS = """
.: result_version result_sha256 code kind exploratory earlier_readings inputs time registrations
    settings window implausible series strata cells reading second_reading
code: name version sha256
inputs: protocol registration history pairs outcomes
inputs.protocol: version sha256 ledger_entry_sha256
inputs.registration: name sha256 registered_at family_sha256 ledger_entry_sha256
inputs.history: sha256 rows
inputs.pairs: sha256 rows
inputs.outcomes: id sha256 source rows complete_to
time: level at_least stamped_at authorities commitment
time.authorities[]: name anchor_sha256 stamp
time.authorities[].stamp: gen_time accuracy_seconds in_time token_sha256 entry entry_sha256
    revocation
time.commitment: log size root checkpoints stamped last_stamped_at stamps_sha256 witnessed? holds?
    models unexplained
time.commitment.witnessed: checkpoints liars_needed cosignatures_sha256
time.commitment.holds: registrations models_in_window
time.commitment.models[]: model expected committed committed_late not_committed withdrawn
registrations: protocol_alpha repetition divisor others
registrations.others[]: entry file sha256 registered_at window overlaps same end cancelled
registrations.others[].window: from to
registrations.others[].same[]: candidate as by
registrations.others[].cancelled: entry stamps_sha256
window: through origins blocks origins_a_day due_by_end waiting_worth year_not_asked
    seen_after_end lower_if_final
implausible[]: candidate series of first
implausible[].first: series comparator keys beyond ratio
series: count units groups
series.units: count first
series.groups[]: group series
strata[]: name levels
strata[].levels[]: level origins
cells: lines sha256 steps no_test no_means
cells.steps[]: step cells in_test in_means
reading: accounting beside_grid measures differences waiting nowcasts far_off family tests
    verdicts dispositions other_rules newest_known spread
reading.accounting[]: model step scope expected without_outcome point interval reasons
reading.accounting[].point: scored failed abstained missing ineligible
reading.accounting[].interval: scored failed abstained missing ineligible
reading.measures[]: model step scope pairs means bounds below
reading.measures[].bounds.*: lower upper
reading.measures[].below.*: pairs share bounds
reading.measures[].below.*.bounds: lower upper
reading.differences[]: candidate comparator step scope expected with_outcome shared lost uncalled
    intervals_withheld observed comparator_mean
reading.differences[].lost: candidate_not_scored comparator_not_scored neither_scored
    vintage_mismatch
reading.differences[].uncalled: asked not_called
reading.waiting[]: comparator step w
reading.family: size sha256 rejected blocked
reading.tests[]: name candidate comparator score step scope decides cells pairs effective_blocks
    observed comparator_mean bounds standard_error degrees_of_freedom p weight rank multiplier
    p_adjusted level_adjusted bounds_adjusted bounds_simultaneous group_bound decision by_verdict
    blocked_reasons hln memory cumulative
reading.tests[].bounds: lower upper
reading.tests[].bounds_adjusted: lower upper
reading.tests[].bounds_simultaneous: level lower upper
reading.tests[].hln: statistic p
reading.tests[].memory: ratio limit p
reading.verdicts[]: candidate weight p rank multiplier p_adjusted decision parts
reading.verdicts[].parts[]: test comparator step score observed limit p
reading.dispositions[]: candidate disposition reasons
reading.dispositions[].reasons[]: code leads_to comparator step score test found limit details
reading.other_rules[]: rule model step pairs mean coverage
reading.newest_known[]: step origins median_steps
reading.spread[]: candidate comparator series worse quantiles best worst
reading.spread[].best[]: series difference
reading.spread[].worst[]: series difference
second_reading: late counts_for reading
"""
REASONS = set("""
availability_limit_exceeded comparator_availability_limit_exceeded comparator_substituted
deciding_test_blocked direction_limit_exceeded direction_not_comparable
failure_rate_above_comparator group_harm_not_excluded improvement_established nowcast
only_nowcasts outcomes_missing practical_floor_not_reached regression_limit_exceeded rules_too_lax
significantly_worse verdict_not_established waiting_too_long window_shortened
""".split())


def _shapes() -> dict[str, list[str]]:
    shapes: dict[str, list[str]] = {}
    for line in _MEMBERS.strip().replace("\n    ", " ").split("\n"):
        path, _, names = line.partition(": ")
        shapes["" if path == "." else path] = names.split()
    return shapes


SHAPES = _shapes()


def check_shape(value: Any, path: str = "") -> None:
    """Raises Refused where a member is missing or unknown."""
    if isinstance(value, list):
        for item in value:
            check_shape(item, path + "[]")
    elif isinstance(value, dict) and path != "settings":
        names = SHAPES.get(path)
        if names is not None:
            may = {name[:-1] for name in names if name[-1] == "?"}
            unlike = (set(names) ^ set(value)) - may - {f"{name}?" for name in may}
            need(not unlike, f"{path or 'result'}: members missing or unknown: {sorted(unlike)}")
        for name, part in value.items():
            own = name if names is not None else "*"
            inside = f"{path}.{own}".lstrip(".")
            check_shape(part, "reading" if inside == "second_reading.reading" else inside)
