import { describe, expect, it } from 'vitest'
import type { Result, ResultReason } from '../../src/evaluation/result/result.js'
import { nearestSize, nearestVerdictSize } from '../../src/inference/measured-size.js'
import { formatShare, percent } from '../../src/output/figures.js'
import { compileRules } from '../../src/protocol/rules/compile.js'
import { renderHtml } from '../../src/report/html/page.js'
import { renderMarkdown } from '../../src/report/markdown/page.js'
import { notChecked } from '../../src/report/not-checked.js'
import { beforeYouRead, gainOfSilence, listCautions, mostLeftOut } from '../../src/report/notes.js'
import { listRemedies } from '../../src/report/reasons.js'
import { leftOutSentence } from '../../src/report/sentences.js'
import { frozen } from '../registration/made.js'
import { sampleResult, withReading, withRules } from './sample.js'

type Rules = Result['settings']['rules']
type Comparators = Result['settings']['comparators']

const reference = compileRules(frozen('btcusd-hourly-4'))
const required = reference.required.map(({ name }) => name)
const base = sampleResult({ time: 'committed' })
const COMPARATORS: Comparators = required.map((name) => {
  return { name, source: 'built_in', required_as: [name] }
})

/** A result under the numbers of the reference, but for a change. */
function resultWith(change: Partial<Rules>, comparators = COMPARATORS): Result {
  const { limits, dependence, alpha, baselines, scores } = reference
  const names = reference.required
  const own = { limits, dependence, alpha, baselines, scores, required: names, ...change }
  const of = withRules(base, own)
  return { ...of, settings: { ...of.settings, comparators } }
}
const limited = (change: Partial<Rules['limits']>) =>
  resultWith({ limits: { ...reference.limits, ...change } })
const depending = (change: Partial<Rules['dependence']>) =>
  resultWith({ dependence: { ...reference.dependence, ...change } })

/** What waiting is worth against the first comparators, overall and at a step. */
const charged = (...worths: readonly number[]) => ({
  waiting: worths.flatMap((w, at) => {
    const comparator = required[at] as string
    return [
      { comparator, step: 'overall' as const, w },
      { comparator, step: 2, w: 0.9 },
    ]
  }),
})

/** What is said besides that numbers are laxer. */
const besides = (result: Result) =>
  listCautions(result).filter((caution) => !caution.startsWith('Laxer'))

describe('what is laxer than the reference protocol', () => {
  it('is nothing under the reference itself, nor under one that is stricter', () => {
    expect(listCautions(resultWith({}))).toEqual([])
    expect(listCautions(limited({ practical_effect: 0.05 }))).toEqual([])
    expect(listCautions(depending({ minimum_pairs: 900 }))).toEqual([])
  })

  const direction = reference.scores.map((score) =>
    score.kind === 'direction' ? { ...score, epsilon: 0.01 } : score,
  )
  const pool = reference.baselines.map((of) =>
    of.pool === null ? of : { ...of, pool: ['persistence', 'ar1'] },
  )
  it.each<[string, Result, string | RegExp]>([
    ['floor', limited({ practical_effect: 0.01 }), 'practical floor 1.0\u202f% (3.0\u202f%)'],
    ['harm', limited({ harm: 0.1 }), 'limit of the loss 10.0\u202f% (5.0\u202f%)'],
    ['direction', limited({ direction: 0.03 }), /limit of the direction error 3\.0.* \(2\.0/],
    [
      'epsilon',
      resultWith({ scores: direction }),
      'smallest move with a direction 0.01 (0.000001)',
    ],
    ['availability', limited({ availability: 0.2 }), 'share left out 20.0\u202f% (2.0\u202f%)'],
    [
      'availability in parts',
      limited({ availability_stratum: 0.2 }),
      'share left out in a level or series 20.0\u202f% (5.0\u202f%)',
    ],
    ['pairs', depending({ minimum_pairs: 100 }), 'minimum of pairs 100 (500)'],
    ['blocks', depending({ minimum_blocks: 4 }), 'minimum of effective blocks 4 (20)'],
    ['alpha', resultWith({ alpha: 0.051 }), 'alpha 0.051 (0.05)'],
    ['block length', depending({ block_origins: 12 }), 'block length in hours 12 (24)'],
    ['pool', resultWith({ baselines: pool }), /strongest_simple: seasonal_naive_24h, drift_24h, /],
  ])('%s is in the first lines', (_, result, words) => {
    const [said, ...more] = listCautions(result)
    expect(said).toMatch(words)
    expect(said).toMatch(/^Laxer than the reference \(its number in brackets\): /)
    expect(more).toEqual([])
  })

  it('are all in one line, in every format, with a comparator that is not required', () => {
    const fewer = reference.required.filter(({ name }) => name !== 'ar1')
    const dependence = { ...reference.dependence, minimum_pairs: 100 }
    const result = resultWith({ alpha: 0.051, dependence, required: fewer })
    const [said] = listCautions(result)
    expect(said).toMatch(/100 \(500\); alpha 0\.051 \(0\.05\); not required: ar1\.$/)
    expect(renderHtml(result)).toContain(said)
    expect(renderMarkdown(result)).toContain('alpha 0.051')
  })

  it('is said of a protocol that decides by a bootstrap', () => {
    const test = { method: 'percentile-bootstrap', replicates: 9999, seed: 1 } as const
    expect(listCautions(resultWith({ weights: null, test }))).toEqual([
      expect.stringMatching(/: no joint test, by the rules of earlier protocols\.$/),
    ])
  })
})

it('five lines are open before a report, and the others are folded', () => {
  const chosen = ['first', 'second', 'third', 'fourth', 'fifth'].map((name) => {
    return { name, source: 'history' as const, required_as: ['ar1'] }
  })
  const comparators = [...COMPARATORS.filter(({ name }) => name !== 'ar1'), ...chosen]
  const result = withReading(resultWith({ alpha: 0.051 }, comparators), charged(0.0059))
  const { open, folded } = beforeYouRead(result)
  expect([open.length, folded.length]).toEqual([5, 2])
  expect([...open, ...folded]).toEqual(listCautions(result))
  // What moved a number is before what is only lax.
  expect(open[0]).toMatch(/^Forecasts were accepted up to 2 minutes after their origin/)
  expect(folded[1]).toMatch(/^Laxer than the reference/)
  expect(renderHtml(result)).toContain('<summary>2 more</summary>')
  expect(renderMarkdown(result)).toContain('<details><summary>2 more</summary>\n\n> The required')
})

it('without a commitment times are the word of the candidate, and that comes first', () => {
  const time = { ...base.time!, commitment: null }
  const result = { ...resultWith({ alpha: 0.051 }), time }
  expect(listCautions(result)[0]).toMatch(/^Times are the candidate’s own word/)
})

it('what waiting is worth is said in the first lines, and by comparator among the settings', () => {
  const result = withReading(resultWith({}), charged(0.0059, 0.0059, 0.25))
  const [said, ...more] = besides(result)
  expect(said).toBe(
    'Forecasts were accepted up to 2 minutes after their origin. Without any skill, this can lower a loss by 0.6\u202f% to 25.0\u202f%, depending on the comparator; so much is added to the improvement that a model has to show.',
  )
  expect(more).toEqual([])
  expect(renderHtml(result)).toContain(said)
  expect(renderMarkdown(result).replaceAll('\\', '')).toContain(said)
  expect(renderHtml(result)).toContain(
    'with the charge for waiting 3.6\u202f% against persistence and seasonal_naive_24h, 28.0\u202f% against drift_24h',
  )
  expect(besides(withReading(result, charged(0)))).toEqual([])
})

it('a model in the place of a built-in is pointed out', () => {
  const comparators = COMPARATORS.map((of) =>
    of.name === 'ar1' ? { ...of, name: 'mine', source: 'history' as const } : of,
  )
  expect(besides(resultWith({}))).toEqual([])
  expect(besides(resultWith({}, comparators))).toEqual([
    'The required ar1 was not computed. The model mine of the history has its name and takes its place, and may be anything, so that no candidate can be eligible by it.',
  ])
})

it('what a plan chose for names that mean no rule is said', () => {
  const as = (name: string, source: 'history' | 'built_in', ...required_as: string[]) => {
    return { name, source, required_as }
  }
  const comparators = [
    ...COMPARATORS,
    as('kernel_memory', 'history', 'incumbent'),
    as('drift_24h', 'built_in', 'drift_24h', 'trend'),
  ]
  const open = ['incumbent', 'trend'].map((name) => ({ name, model: { by_plan: true as const } }))
  const names = [...reference.required, ...open]
  expect(besides(resultWith({ required: names }, comparators))).toEqual([
    'The protocol names a comparator without saying which model it is, and the plan chose: incumbent is the model kernel_memory of the history and trend is the rule drift_24h.',
  ])
})

describe('comparators with the same figures', () => {
  const COPIES = 'have the same figures throughout'
  type Row = Result['reading']['measures'][number]
  /** The sample with one more comparator, whose figures are those of the first but for the change. */
  function withTwin(change: (row: Row, at: number) => object): Result {
    const { comparators } = base.settings
    const [first] = comparators
    const own = base.reading.measures.filter(({ model }) => model === first?.name)
    const twin = own.map((row, at) => ({ ...row, ...change(row, at), model: 'its twin' }))
    const settings = {
      ...base.settings,
      comparators: [...comparators, { ...first!, name: 'its twin' }],
    }
    return { ...withReading(base, { measures: [...base.reading.measures, ...twin] }), settings }
  }

  it('are called copies', () => {
    for (const page of [renderHtml, renderMarkdown]) {
      expect(page(base)).not.toContain(COPIES)
      expect(page(withTwin(() => ({})))).toContain(`its twin ${COPIES}`)
      // One other figure at one step, and they are not.
      const other = withTwin(({ means }, at) =>
        at === 0 ? { means: { ...means, point_loss: (means.point_loss ?? 0) + 1e-9 } } : {},
      )
      expect(page(other)).not.toContain(COPIES)
    }
  })

  it('are no copies without any figure', () => {
    const twins = withTwin(() => ({}))
    const measures = twins.reading.measures.map((row) => ({
      ...row,
      pairs: Object.fromEntries(Object.keys(row.pairs).map((name) => [name, 0])),
    }))
    expect(renderHtml(withReading(twins, { measures }))).not.toContain(COPIES)
  })
})

describe('every report of hourly closes shows the measured size of its method', () => {
  const pages = (of: Result, blocks: number) => {
    const result = { ...of, window: { ...of.window, blocks } }
    return [renderHtml(result), renderMarkdown(result).replaceAll('\\', '')]
  }

  it('by a bootstrap: of the nearest number of blocks', () => {
    const { any } = nearestSize('percentile-bootstrap', 180)
    for (const page of pages(sampleResult({ method: 'percentile-bootstrap' }), 150)) {
      expect(page).toContain('percentile-bootstrap at 5 % with 180 blocks of 24 hours')
      expect(page).toContain(`rejected something in ${percent(any.min)}`)
      expect(page).toContain(percent(any.max))
    }
  })

  it('of a verdict hypothesis: that of verdicts, with the design that was measured', () => {
    const measured = nearestVerdictSize(60, base.settings.candidates.length)
    for (const page of pages(base, 70)) {
      expect(page).toContain('equally good forecasters')
      expect(page).toContain(`two comparators, horizons of 2, 4, 8 and 16 hours, 60 blocks`)
      expect(page).toContain(`${percent(measured.usual.negative.max)} wrongly negative`)
      expect(page).toContain(`${percent(measured.long.negative.max)} wrongly negative`)
      expect(page).not.toContain('rejected something in')
    }
  })
})

const candidate = base.settings.candidates[0]?.name ?? ''
const of = { candidate, comparator: 'persistence' }

const LEVEL = 'stratum:volatility=high'
const { differences } = base.reading
const ALL_CELLS = differences.flatMap((cell) => [cell, { ...cell, scope: LEVEL }])

/** The sample with so many keys lost by the candidate at each step, out of a thousand. */
function leftOut(byStep: Readonly<Record<number, number>>, mismatched = 0): Result {
  const limits = { ...base.settings.rules.limits, availability: 0.02, availability_stratum: 0.05 }
  return withReading(withRules(base, { limits }), {
    differences: ALL_CELLS.map((cell) => {
      const silent = byStep[Number(cell.step)] ?? 0
      const lost = {
        candidate_not_scored: silent,
        vintage_mismatch: mismatched,
        comparator_not_scored: 0,
        neither_scored: 0,
      }
      return { ...cell, with_outcome: 1000, shared: 1000 - silent - mismatched, lost }
    }),
  })
}

describe('what a candidate left out', () => {
  it('is its largest share of the origins with an outcome', () => {
    const result = leftOut({ 2: 1, 4: 20, 8: 9, 16: 0 })
    const most = { step: 4, notScored: 20, of: 1000, beyond: false }
    expect(mostLeftOut(result, of, 'all')).toEqual(most)
    // Another vintage is no pair either, and counts.
    const [all, level] = ['all', LEVEL].map((scope) =>
      mostLeftOut(leftOut({ 4: 20 }, 1), of, scope),
    )
    expect(all).toEqual({ ...most, notScored: 21, beyond: true })
    expect(level).toEqual({ ...most, notScored: 21 })
  })

  it('is shown by stratum, and marked where it is too much', () => {
    expect(renderHtml(leftOut({ 4: 20 }))).not.toContain('beyond the limit</b>')
    expect(renderHtml(leftOut({ 4: 21 }))).toContain(
      '<b>2.10\u202f% (4\u00a0h), beyond the limit</b>',
    )
  })

  it('is warned of where it is more than a twentieth', () => {
    expect(gainOfSilence(leftOut({ 2: 50 }), candidate)).toBeUndefined()
    expect(gainOfSilence(leftOut({ 2: 51 }), candidate)).toContain('5.1\u202f%')
  })
})

it('a share that rounds to nothing is a count', () => {
  expect([
    formatShare(1, 17_376),
    formatShare(0, 17_376),
    formatShare(3, 17_376),
    formatShare(0, 0),
  ]).toEqual(['1 of 17,376', '0.00\u202f%', '0.02\u202f%', '–'])
})

it('attempts that were not scored are counted by their reason', () => {
  const accounting = base.reading.accounting.map((cell) =>
    cell.step === 'overall'
      ? {
          ...cell,
          expected: 40,
          point: { ...cell.point, scored: 0 },
          reasons: { committed_late: 30, forecast_missing: 10 },
        }
      : cell,
  )
  expect(leftOutSentence(withReading(base, { accounting }), candidate)).toContain(
    '40 of its 40 expected attempts (100.00\u202f%) were not scored: 30 committed late and 10 forecast missing.',
  )
})

it('what would unblock a blocked candidate is said, each thing once', () => {
  const reasons = ['persistence', 'ar1'].map(
    (comparator): ResultReason => ({
      ...{ code: 'availability_limit_exceeded', leads_to: 'blocked', comparator, step: 2 },
      ...{ score: null, test: null, found: null, limit: null, details: [] },
    }),
  )
  const result = leftOut({})
  const said = listRemedies(result, { candidate, disposition: 'blocked', reasons })
  expect(said).toHaveLength(1)
  expect(said[0]).toMatch(/at least 98\.0\u202f% of the origins .* 95\.0\u202f%/)
  expect(listRemedies(result, { candidate, disposition: 'negative', reasons })).toEqual([])
})

it('a longer window is the remedy only where a test lacks pairs or blocks', () => {
  const blocked = (detail: string): ResultReason => ({
    ...{ code: 'deciding_test_blocked', leads_to: 'blocked', comparator: 'ar1', step: 2 },
    ...{ score: 'point_loss', test: 'x', found: null, limit: null, details: [detail] },
  })
  const said = (detail: string, result = base) =>
    listRemedies(result, { candidate, disposition: 'blocked', reasons: [blocked(detail)] })
  expect(said('too_few_blocks')).toEqual([
    expect.stringMatching(/longer window.* 30 effective blocks/),
  ])
  // Where nothing can be compared at all, a longer window does not help.
  expect(said('no_pairs')).toEqual([])
  expect(said('no_variance')).toEqual([expect.not.stringContaining('longer window')])
  expect(said('comparator_loss_unknown')).toEqual([])
  // The cosine test needs 16, whatever the protocol says.
  const dependence = { ...base.settings.rules.dependence, minimum_blocks: 10 }
  const less = withRules(base, { dependence })
  expect(said('too_few_pairs', less)[0]).toContain('16 effective blocks')
  expect(renderHtml(less)).toContain('16 blocks')
})

describe('what was not checked', () => {
  const TUNED = 'Whether a model was tuned on the outcomes that judge it.'
  it('is no tuning where forecasts were shown before their outcomes, and else is', () => {
    expect(notChecked(sampleResult({ time: 'committed' }))).not.toContain(TUNED)
    for (const of of [{}, { time: 'stamped' }, { kind: 'backtest' }] as const) {
      expect(notChecked(sampleResult(of)), JSON.stringify(of)).toContain(TUNED)
    }
  })
})
