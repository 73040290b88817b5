import { expect } from 'vitest'
import type { ReadonlyDeep } from '../../src/contract/readonly-deep.js'
import type { CellLine, Reading } from '../../src/contract/types.js'
import type {
  EvaluationResult,
  ResultStratum,
  SeriesEvaluationResult,
} from '../../src/evaluation/result/types.js'

/** A few of what differs by more than 1e-12, as paths with both values. */
function differing(given: unknown, wanted: unknown, path = ''): string[] {
  return differences(given, wanted, path).slice(0, 8)
}

function differences(given: unknown, wanted: unknown, path: string): string[] {
  if (typeof given === 'number' && typeof wanted === 'number') {
    const scale = Math.max(1, Math.abs(given), Math.abs(wanted))
    return Math.abs(given - wanted) <= 1e-12 * scale ? [] : [`${path}: ${given} for ${wanted}`]
  }
  if (
    given !== null &&
    wanted !== null &&
    typeof given === 'object' &&
    typeof wanted === 'object'
  ) {
    const names = new Set([...Object.keys(given), ...Object.keys(wanted)])
    return [...names].flatMap((name) =>
      differences(
        (given as Record<string, unknown>)[name],
        (wanted as Record<string, unknown>)[name],
        `${path}/${name}`,
      ),
    )
  }
  return Object.is(given, wanted) ? [] : [`${path}: ${String(given)} for ${String(wanted)}`]
}

/** That nothing does. */
const same = (...of: Parameters<typeof differing>) => expect(differing(...of).join('\n')).toBe('')

const part = (text: string) => text.replace(/[%/=:]/g, encodeURIComponent)
const scopeOf = (stratum: ResultStratum) =>
  stratum === 'all' ? 'all' : `stratum:${part(stratum.name)}=${part(stratum.level)}`
const stepOf = (horizon: number | 'all' | 'overall' | null) =>
  horizon === 'all' ? 'overall' : horizon
/** Names of tests had hours in version 1. */
const nameOf = (name: string) => name.replace(/\/(\d+)h\//, '/$1/')
const keyed = <T>(rows: readonly T[], keyOf: (row: T) => string) =>
  Object.fromEntries(rows.map((row) => [keyOf(row), row]))

interface Compared {
  readonly reading: ReadonlyDeep<Reading>
  readonly lines: readonly CellLine[]
}

type Old = EvaluationResult | SeriesEvaluationResult
/** The members that both forms of a reading have. */
type OldReading = Pick<Old, 'tests' | 'family'> & {
  readonly verdicts?: Old['verdicts']
  readonly dispositions: Old['dispositions']
}

const CHOSEN = [
  ...(['pairs', 'effective_blocks', 'observed', 'comparator_mean', 'bounds'] as const),
  ...(['standard_error', 'p', 'rank', 'multiplier', 'p_adjusted', 'bounds_adjusted'] as const),
  ...(['decision', 'blocked_reasons', 'decides', 'candidate', 'comparator'] as const),
]

/** A result with the dispositions of its first reading, where the second counts for some. */
export const firstOf = <R extends Old>(result: R): R => ({
  ...result,
  dispositions: result.second_reading?.first_dispositions ?? result.dispositions,
})

/** What both forms say of tests, verdicts and dispositions. */
function sameJudgement(
  reading: ReadonlyDeep<Reading>,
  old: OldReading,
  method: 'ewc-t' | 'bootstrap',
) {
  const isTested = method === 'ewc-t'
  const directed = 'direction_error'
  const asked = old.tests.filter((test) => !(isTested && test.weight === 0))
  const unasked = new Set(reading.tests.flatMap(({ name, cells }) => (cells === 0 ? [name] : [])))
  expect(reading.tests.map(({ name }) => name)).toEqual(asked.map(({ name }) => nameOf(name)))
  const tests = keyed(asked, ({ name }) => nameOf(name))
  for (const test of reading.tests) {
    const before = tests[test.name]!
    const beside = {
      ...{ step: before.horizon, score: before.measure, weight: before.weight ?? null },
      degrees_of_freedom: before.degrees_of_freedom ?? null,
      level_adjusted: before.level_adjusted ?? null,
      by_verdict: before.by_verdict ?? false,
      bounds_simultaneous: before.bounds_simultaneous ?? null,
      ...('stratum' in before &&
        isTested && {
          hln: before.hln ?? null,
          memory: before.week_memory ?? null,
          cumulative: before.cumulative ?? null,
        }),
      ...('stratum' in before && { scope: scopeOf(before.stratum) }),
      ...('group' in before && {
        scope: before.group === 'all' ? 'all' : `group=${part(before.group)}`,
        group_bound: before.group_bound ?? null,
        cells: before.cells,
      }),
    }
    const wanted = { ...Object.fromEntries(CHOSEN.map((name) => [name, before[name]])), ...beside }
    // Of a direction that is not asked nothing is shown.
    if ('stratum' in before && unasked.has(test.name)) {
      expect(test.blocked_reasons).toContain('no_pairs')
      expect(before.p).toBeNull()
      continue
    }
    const given = Object.fromEntries(Object.keys(wanted).map((name) => [name, test[name as never]]))
    same(given, wanted, test.name)
  }
  const { size: _, ...family } = old.family
  expect(reading.family.sha256).toBe(family.sha256)
  expect(reading.family.rejected).toBe(family.rejected)
  const verdicts = (old.verdicts ?? []).map(({ parts, ...verdict }) => ({
    ...verdict,
    parts: parts.map(({ horizon: step, measure: score, test, ...of }) => {
      return { ...of, step, score, test: nameOf(test) }
    }),
  }))
  same(reading.verdicts, verdicts)
  if (!isTested) return expect(reading.dispositions).toBeNull()
  // Of a window that is too short for tests less is said.
  if (reading.tests.every(({ cells }) => cells === 0)) {
    const said = (of: readonly { disposition: string }[]) => of.map((each) => each.disposition)
    return expect(said(reading.dispositions ?? [])).toEqual(said(old.dispositions))
  }
  // Nothing can be lost by a direction where the candidate has no pair: it is not comparable, and was called blocked.
  const isWithoutPairs = (comparator: string | null, step: unknown, score: string | null) =>
    score === directed &&
    old.tests.some(
      (test) =>
        test.comparator === comparator &&
        test.horizon === step &&
        test.measure === 'point_loss' &&
        test.decides &&
        test.pairs === 0,
    )
  const dispositions = old.dispositions.map(({ reasons, ...of }) => ({
    ...of,
    reasons: reasons.flatMap(({ horizon: step, measure: score, test, ...reason }) => {
      if (isWithoutPairs(reason.comparator, step, score)) return []
      return [{ ...reason, step, score, test: test && nameOf(test) }]
    }),
  }))
  const given = (reading.dispositions ?? []).map(({ reasons, ...of }) => ({
    ...of,
    reasons: reasons.filter((each) => !isWithoutPairs(each.comparator, each.step, each.score)),
  }))
  same(given, dispositions)
}

/** Of version 1. */
export function sameHourly({ reading, lines }: Compared, old: EvaluationResult) {
  const hasVerdict = old.verdicts !== undefined
  sameJudgement(reading, old, hasVerdict ? 'ewc-t' : 'bootstrap')
  const keyOf = ({ step, scope, ...of }: { step: unknown; scope: string; model?: string }) =>
    [of.model, step, scope].join(' ')
  const oldKey = (of: {
    horizon: number | 'all' | 'overall'
    stratum: ResultStratum
    model?: string
  }) => [of.model, stepOf(of.horizon), scopeOf(of.stratum)].join(' ')
  const accounting = keyed(old.accounting, oldKey)
  for (const { step: _, scope: _scope, ...row } of reading.accounting) {
    const {
      horizon: _h,
      stratum: _s,
      ...wanted
    } = accounting[keyOf({ step: _, scope: _scope, ...row })]!
    same(row, { without_outcome: 0, ...wanted })
  }
  expect(reading.accounting.length).toBe(old.accounting.length)
  const measures = keyed(old.measures, oldKey)
  for (const row of reading.measures) {
    const before = measures[keyOf(row)]!
    const { interval } = before
    same(row.means, {
      ...{ point_loss: before.point_loss, direction_error: before.direction.error_rate },
      ...{ absolute_percent_error: before.absolute_percent_error, coverage: interval.coverage },
      ...{ log_return_bias: before.log_return_bias, percent_bias: before.percent_bias },
      ...{ interval_score: interval.score, width: interval.width },
      ...{ width_percent: interval.width_percent },
      ...Object.fromEntries(
        Object.entries(interval.pinball).map(([level, mean]) => [`pinball_${level}`, mean]),
      ),
    })
    expect(row.pairs).toMatchObject({
      ...{ point_loss: before.pairs, direction_error: before.direction.eligible },
      interval_score: interval.pairs,
    })
    const bounds = { point_loss: before.point_loss_bounds, coverage: interval.coverage_bounds }
    same(row.bounds, row.scope === 'all' ? bounds : {})
    same(row.below, before.below ?? {})
  }
  expect(reading.measures.length).toBe(old.measures.length)
  const pairKey = (of: { candidate: string; comparator: string }) =>
    `${of.candidate} ${of.comparator}`
  const shared = keyed(old.shared_keys, (row) => `${pairKey(row)} ${oldKey(row)}`)
  for (const row of reading.differences) {
    const { horizon: _, stratum: _s, ...before } = shared[`${pairKey(row)} ${keyOf(row)}`]!
    const { step: _step, scope: _scope, observed: _o, comparator_mean: _c, ...given } = row
    const wanted = { uncalled: null, intervals_withheld: null, ...before }
    const { with_outcome, ...counted } = given
    same(before.with_outcome === undefined ? counted : given, wanted)
    expect(with_outcome).toBeGreaterThanOrEqual(given.shared)
  }
  expect(reading.differences.length).toBe(old.shared_keys.length)
  const waiting = (old.waiting ?? []).map(({ comparator, horizon: step, worth: w }) => {
    return { comparator, step, w }
  })
  same(reading.waiting, waiting)
  expect(lines.map(({ step }) => step)).toEqual(old.settings.horizons_hours)
}

/** Of version 2. */
export function sameSeries({ reading, lines }: Compared, old: SeriesEvaluationResult) {
  sameJudgement(reading, old, 'ewc-t')
  const lineOf = keyed(lines, ({ series, step }) => `${series} ${step}`)
  const accounting = keyed(reading.accounting, (row) => `${row.model} ${row.step} ${row.scope}`)
  for (const { model, series, horizon, ...counts } of old.accounting) {
    if (series !== 'all' && horizon === 'all') continue
    const row: ReadonlyDeep<Partial<Reading['accounting'][number]> | CellLine['models'][string]> =
      series === 'all'
        ? accounting[`${model} ${stepOf(horizon)} all`]!
        : lineOf[`${series} ${horizon}`]!.models[model]!
    const { expected, without_outcome, point, reasons } = row
    same({ expected, without_outcome, point, reasons }, counts)
  }
  const measures = keyed(reading.measures, (row) => `${row.model} ${row.step} ${row.scope}`)
  // A window that is too short for tests is shown all the same.
  const isTested = old.cells.some(({ in_test }) => in_test)
  for (const { model, series, group, horizon, pairs, scores } of isTested ? old.measures : []) {
    const scope = group === 'all' ? 'all' : `group=${part(group)}`
    const row =
      series === 'all'
        ? measures[`${model} ${horizon} ${scope}`]!
        : lineOf[`${series} ${horizon}`]!.models[model]!
    same(row.means, scores, `${model} ${series} ${scope} ${horizon}`)
    same(row.pairs, pairs)
  }
  for (const { candidate, comparator, series, horizon, ...keys } of old.shared_keys) {
    const line = lineOf[`${series} ${horizon}`]!
    const { differences: _, ...given } =
      line.comparisons[[candidate, comparator].map(part).join('/')]!
    same(given, { uncalled: null, intervals_withheld: null, ...keys })
  }
  const primary = old.settings.scores.find((score) => score.primary)!.id
  for (const { candidate, comparator, series, horizon, ...of } of old.cell_differences) {
    const line = lineOf[`${series} ${horizon}`]!
    const given = line.comparisons[[candidate, comparator].map(part).join('/')]!
    const { pairs, ...wanted } = of
    same(given.differences[primary], wanted)
    expect(given.shared).toBe(pairs)
  }
  const cells = old.cells.map(({ horizon: step, origins: registered, ...of }) => {
    return { ...of, step, registered }
  })
  expect(
    lines.map(({ series, step, registered, with_outcome, in_test, in_means }) => {
      return { series, step, registered, with_outcome, in_test, in_means }
    }),
  ).toEqual(cells)
  const named = <T extends { horizon: unknown }>(rows: readonly T[]) =>
    rows.map(({ horizon: step, ...of }) => ({ ...of, step }))
  const waiting = named(old.waiting).map(({ worth: w, ...of }) => ({ ...of, w }))
  same(reading.waiting, waiting)
  expect(reading.nowcasts).toEqual(old.nowcasts)
  expect(reading.far_off).toEqual(old.far_off)
  const rules = named(old.other_rules).map((row) => ({ coverage: {}, ...row }))
  same(reading.other_rules, rules)
  same(reading.newest_known, named(old.newest_known))
}
