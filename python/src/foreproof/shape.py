"""Members of a result and their types: the closed lists of `foreproof schema result`.

Settings are held against the registration instead. A line of pairs is that of docs/pairing.md.
"""

from __future__ import annotations

from functools import lru_cache
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
pair: series origin step target model expected status reason interval_status value quantiles seen
    base outcome vintage_id vintage_sha256
"""
# By the last two names of a path, else by the last one; what is not here is a text. With `?` a
# member may be null.
_TYPES = """
object: accounting[] accounting[].reasons authorities[] below below.* beside_grid best[] cells code
    coverage differences[] differences[].comparator_mean differences[].observed dispositions[]
    family groups[] history holds implausible[] implausible[].first inputs inputs.pairs interval
    levels[] lost means measures[] measures[].bounds measures[].pairs models[] newest_known[]
    other_rules[] others[] outcomes pair parts[] point protocol reading reasons[] registration
    same[] series settings spread[] steps[] strata[] tests[] units verdicts[] waiting[] window
    witnessed worst[]
object?: *.bounds bounds.* bounds_adjusted bounds_simultaneous cancelled commitment hln memory
    others[].window registrations second_reading stamp tests[].bounds time uncalled
list: accounting authorities best blocked_reasons cancelled.stamps_sha256 counts_for details
    differences dispositions[].reasons far_off groups implausible levels measures models
    newest_known no_means no_test nowcasts other_rules others parts quantiles same spread steps
    strata tests units.first verdicts waiting worst
list?: cumulative dispositions
boolean: by_verdict decides due_by_end exploratory in_time overlaps pair.expected year_not_asked
integer: *.pairs abstained asked at_least beside_grid.* beyond blocked blocks candidate_not_scored
    checkpoints committed committed_late comparator_not_scored count divisor earlier_readings
    effective_blocks entry expected failed groups[].series holds.registrations implausible[].series
    in_means in_test ineligible keys late liars_needed lines missing models_in_window neither_scored
    newest_known[].step not_called not_committed nowcasts[] of origins origins_a_day
    other_rules[].pairs other_rules[].step pair.step pairs.* reasons.* rejected repetition
    result_version rows scored shared size spread[].series stamped steps[].cells steps[].step
    tests[].cells tests[].pairs unexplained vintage_mismatch with_outcome withdrawn without_outcome
    worse
integer?: degrees_of_freedom intervals_withheld rank
number: bounds_simultaneous.level cumulative[] difference first.ratio hln.p lower protocol_alpha
    quantiles[] statistic upper verdicts[].weight w waiting_worth
number?: accuracy_seconds comparator_mean.* coverage.* found group_bound level_adjusted limit
    lower_if_final mean means.* median_steps memory.p memory.ratio multiplier observed.* p_adjusted
    pair.base pair.outcome pair.quantiles[] pair.value parts[].observed parts[].p seen_after_end
    share standard_error tests[].comparator_mean tests[].observed tests[].p tests[].weight
    verdicts[].p
step: accounting[].step differences[].step measures[].step parts[].step tests[].step waiting[].step
step?: reasons[].step
text: best[].series first.series pair.series reasons[].code worst[].series
text?: complete_to last_stamped_at ledger_entry_sha256 pair.seen pair.vintage_id
    pair.vintage_sha256 reasons[].comparator reasons[].score reasons[].test stamped_at through
"""
_CLASSES: dict[str, tuple[type, ...]] = {
    "object": (dict,), "list": (list,), "boolean": (bool,), "integer": (int,),
    "number": (int, float), "step": (int, str), "text": (str,)}
REASONS = set("""
availability_limit_exceeded comparator_availability_limit_exceeded comparator_substituted
deciding_test_blocked direction_limit_exceeded direction_not_comparable
failure_rate_above_comparator group_harm_not_excluded improvement_established nowcast
only_nowcasts outcomes_missing practical_floor_not_reached regression_limit_exceeded rules_too_lax
significantly_worse verdict_not_established waiting_too_long window_shortened
""".split())


def _lists(text: str) -> dict[str, list[str]]:
    lines = (line.partition(": ") for line in text.strip().replace("\n    ", " ").split("\n"))
    return {"" if path == "." else path: names.split() for path, _, names in lines}


SHAPES = _lists(_MEMBERS)
TYPES = {name: kind for kind, names in _lists(_TYPES).items() for name in names}


@lru_cache(maxsize=None)
def _kind(path: str) -> str:
    *_, last = parts = path.split(".")
    return TYPES.get(".".join(parts[-2:])) or TYPES.get(last) or "text"


def _check_type(value: Any, path: str) -> None:
    kind = _kind(path) if path else "object"
    fits = kind[-1] == "?" if value is None else type(value) in _CLASSES[kind.rstrip("?")]
    need(fits, f"{path or 'result'} is no {kind.rstrip('?')}")


def check_shape(value: Any, path: str = "") -> None:
    """Raises Refused where a member is missing, unknown or of another type."""
    _check_type(value, path)
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
