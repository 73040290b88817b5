import { describe, expect, it } from 'vitest'
import type { EvaluationResult, ResultReason } from '../../src/evaluation/result/types.js'
import { nearestSize, nearestVerdictSize } from '../../src/inference/measured-size.js'
import { formatShare, percent } from '../../src/output/figures.js'
import { renderHtml } from '../../src/report/html/page.js'
import { renderMarkdown } from '../../src/report/markdown/page.js'
import { beforeYouRead, cautionsOf, gainOfSilence, mostLeftOut } from '../../src/report/notes.js'
import { remediesOf } from '../../src/report/reasons.js'
import { leftOut as leftOutWords } from '../../src/report/sentences.js'
import { comparatorsOf } from '../../src/report/view.js'
import { frozen } from '../registration/made.js'
import { sampleResult } from './sample.js'

type Settings = EvaluationResult['settings']
type Models = EvaluationResult['models']

const { required, simple_baseline_pool: pool } = frozen('btcusd-hourly-3').estimands.comparisons

/** Every number that this protocol states in its texts and members, by its name in a result. */
const NUMBERS: Partial<Settings> = {
  practical_effect_floor: 0.03,
  regression_limit: 0.05,
  direction_limit: 0.02,
  direction_epsilon: 1e-6,
  availability_limit: 0.02,
  availability_limit_stratum: 0.05,
  minimum_pairs: 500,
  minimum_blocks: 20,
  alpha: 0.05,
  block_length_origins: 24,
  baseline_pool: [...pool],
}
const VERDICT = {
  method: 'ewc-t' as const,
  weights: { verdict: 0.6, deciding: 0.3, other: 0.1 },
}
/** The tests of registrations from before verdict hypotheses. */
const EARLIER = { method: 'ewc-t' as const, weights: { deciding: 0.8, other: 0.2 } }

const base = sampleResult({ time: 'committed' })
const MODELS: Models = [
  ...base.models.filter(({ role }) => role === 'candidate'),
  ...required.map((name) => {
    return { name, role: 'comparator' as const, source: 'built_in' as const, required_as: [name] }
  }),
]
const resultWith = (changed: Partial<Settings>, models = MODELS): EvaluationResult => ({
  ...base,
  models,
  settings: {
    ...base.settings,
    ...NUMBERS,
    inference: VERDICT,
    provenance_required: true,
    publication_lag_minutes: 0,
    ...changed,
  },
})

/** What waiting is worth against the first comparators, overall and at a step. */
const charged = (...worths: readonly number[]): NonNullable<EvaluationResult['waiting']> =>
  worths.flatMap((worth, at) => {
    const comparator = required[at] as string
    return [
      { comparator, horizon: 'overall', worth },
      { comparator, horizon: 2, worth: 0.9 },
    ]
  })

/** What is said besides that numbers are laxer. */
const besides = (result: EvaluationResult) =>
  cautionsOf(result).filter((caution) => !caution.startsWith('Laxer'))

describe('what is laxer than the reference protocol', () => {
  it('is nothing under the reference itself, nor under one that is stricter', () => {
    expect(cautionsOf(resultWith({}))).toEqual([])
    const strict = { practical_effect_floor: 0.05, alpha: 0.01, minimum_pairs: 900 }
    expect(cautionsOf(resultWith(strict))).toEqual([])
  })

  it.each([
    ['practical_effect_floor', 0.01, 'practical floor 1.0\u202f% (3.0\u202f%)'],
    ['regression_limit', 0.1, 'limit of the loss 10.0\u202f% (5.0\u202f%)'],
    ['direction_limit', 0.03, /limit of the direction error 3\.0.* \(2\.0/],
    ['direction_epsilon', 0.01, 'smallest move with a direction 0.01 (0.000001)'],
    ['availability_limit', 0.2, 'share left out 20.0\u202f% (2.0\u202f%)'],
    [
      'availability_limit_stratum',
      0.2,
      'share left out in a level or series 20.0\u202f% (5.0\u202f%)',
    ],
    ['minimum_pairs', 100, 'minimum of pairs 100 (500)'],
    ['minimum_blocks', 4, 'minimum of effective blocks 4 (20)'],
    ['alpha', 0.051, 'alpha 0.051 (0.05)'],
    ['block_length_origins', 12, 'block length in hours 12 (24)'],
    ['baseline_pool', ['persistence', 'ar1'], /strongest_simple: seasonal_naive_24h, drift_24h, /],
  ])('%s is in the first lines', (name, value, words) => {
    const [said, ...more] = cautionsOf(resultWith({ [name]: value }))
    expect(said).toMatch(words)
    expect(said).toMatch(/^Laxer than the reference \(its number in brackets\): /)
    expect(more).toEqual([])
  })

  it('are all in one line, in every format, with a comparator that is not required', () => {
    const fewer = MODELS.filter(({ name }) => name !== 'ar1')
    const result = resultWith({ alpha: 0.051, minimum_pairs: 100 }, fewer)
    const [said] = cautionsOf(result)
    expect(said).toMatch(/100 \(500\); alpha 0\.051 \(0\.05\); not required: ar1\.$/)
    expect(renderHtml(result)).toContain(said)
    expect(renderMarkdown(result)).toContain('alpha 0.051')
  })

  it('is said of an evaluation from before, as far as it has these numbers', () => {
    const { baseline_pool, availability_limit, ...early } = resultWith({
      inference: EARLIER,
    }).settings
    const settings = { ...early, practical_effect_floor: 0.01 }
    expect(cautionsOf({ ...resultWith({}), settings })).toEqual([
      expect.stringMatching(
        /: practical floor 1\.0.% \(3\.0.%\); no verdict hypothesis, by the rules of earlier protocols\.$/,
      ),
    ])
  })
})

it('five lines are open before a report, and the others are folded', () => {
  const chosen = ['first', 'second', 'third', 'fourth', 'fifth'].map((name) => {
    return { name, role: 'comparator' as const, source: 'history' as const, required_as: ['ar1'] }
  })
  const models = [...MODELS.filter(({ name }) => name !== 'ar1'), ...chosen]
  const result = { ...resultWith({ alpha: 0.051 }, models), waiting: charged(0.0059) }
  const { open, folded } = beforeYouRead(result)
  expect([open.length, folded.length]).toEqual([5, 2])
  expect([...open, ...folded]).toEqual(cautionsOf(result))
  // What moved a number is before what is only lax.
  expect(open[0]).toMatch(/^Whoever waits until forecasts are due knows more/)
  expect(folded[1]).toMatch(/^Laxer than the reference/)
  expect(renderHtml(result)).toContain('<summary>2 more</summary>')
  expect(renderMarkdown(result)).toContain('<details><summary>2 more</summary>\n\n> What is')
})

it('without a commitment times are the word of the candidate, and that comes first', () => {
  const time = { ...base.time!, commitment: null }
  const result = { ...resultWith({ alpha: 0.051 }), time }
  expect(cautionsOf(result)[0]).toMatch(/^Times are the candidate’s own word/)
  const models = MODELS.map((model) => ({ ...model, source: 'built_in' as const }))
  expect(cautionsOf({ ...resultWith({}, models), time })).toEqual([])
})

it('what waiting is worth is said, of every comparator that it is charged to', () => {
  const result = { ...resultWith({}), waiting: charged(0.0059, 0.0059, 0.25) }
  const [said, ...more] = besides(result)
  expect(said).toMatch(
    /without any skill: by 0\.6\u202f% against persistence and seasonal_naive_24h and 25\.0\u202f% against drift_24h, by/,
  )
  expect(more).toEqual([])
  expect(renderHtml(result)).toContain(said)
  expect(renderMarkdown(result).replaceAll('\\', '')).toContain(said)
  expect(besides({ ...result, waiting: charged(0) })).toEqual([])
})

it.each([
  ['', EARLIER],
  [', so that no candidate can be eligible by it', VERDICT],
])('a model in the place of a built-in is pointed out%s', (bars, inference) => {
  const models = MODELS.map((model) =>
    model.name === 'ar1' ? { ...model, name: 'mine', source: 'history' as const } : model,
  )
  expect(besides(resultWith({ inference }))).toEqual([])
  expect(besides(resultWith({ inference }, models))).toEqual([
    `What is required as ar1, the name of a built-in rule, was not computed: the model mine of the history takes its place, and may be anything${bars}.`,
  ])
})

it('what a plan chose for names that mean no rule is said', () => {
  const as = (name: string, source: 'history' | 'built_in', ...required_as: string[]) => {
    return { name, role: 'comparator' as const, source, required_as }
  }
  const models = [
    ...MODELS,
    as('kernel_memory', 'history', 'incumbent'),
    as('drift_24h', 'built_in', 'drift_24h', 'trend'),
  ]
  expect(besides(resultWith({}, models))).toEqual([
    'The protocol names a comparator without saying which model it is, and the plan chose: incumbent is the model kernel_memory of the history and trend is the rule drift_24h.',
  ])
})

describe('comparators with the same figures', () => {
  const COPIES = 'have the same figures throughout'
  const [first = ''] = comparatorsOf(base)
  /** The sample with one more comparator, whose figures are those of the first but for the change. */
  function withTwin(change: (row: EvaluationResult['measures'][number], at: number) => object) {
    const own = base.measures.filter(({ model }) => model === first)
    const twin = own.map((row, at) => ({ ...row, ...change(row, at), model: 'its twin' }))
    const model = { ...base.models.find(({ name }) => name === first)!, name: 'its twin' }
    return { ...base, models: [...base.models, model], measures: [...base.measures, ...twin] }
  }

  it('are called copies', () => {
    for (const page of [renderHtml, renderMarkdown]) {
      expect(page(base)).not.toContain(COPIES)
      expect(page(withTwin(() => ({})))).toContain(`its twin ${COPIES}`)
      // One other figure at one horizon, and they are not.
      const other = withTwin(({ point_loss: loss }, at) =>
        at === 0 ? { point_loss: (loss ?? 0) + 1e-9 } : {},
      )
      expect(page(other)).not.toContain(COPIES)
    }
  })

  it('are no copies without any figure', () => {
    const empty = base.measures.map((row) => ({ ...row, pairs: 0, point_loss: null }))
    expect(renderHtml({ ...withTwin(() => ({})), measures: empty })).not.toContain(COPIES)
  })
})

describe('every report shows the measured size of its method', () => {
  const pages = (settings: Partial<Settings>) => {
    const result = { ...base, settings: { ...base.settings, ...settings } }
    return [renderHtml(result), renderMarkdown(result).replaceAll('\\', '')]
  }

  it.each([
    ['percentile-bootstrap', 150, 180],
    ['ewc-t', 0, 20],
  ] as const)('%s with %i blocks: that with %i', (method, blocks, nearest) => {
    const inference = method === 'ewc-t' ? EARLIER : { method }
    const { any } = nearestSize(method, nearest)
    for (const page of pages({ inference, blocks_in_window: blocks })) {
      expect(page).toContain(`${method} at 5 % with ${nearest} blocks of 24 hours`)
      expect(page).toContain(`rejected something in ${percent(any.least)}`)
      expect(page).toContain(percent(any.most))
    }
  })

  it('of a verdict hypothesis: that of verdicts, with the design that was measured', () => {
    const own = base.models.filter(({ role }) => role === 'candidate').length
    const measured = nearestVerdictSize(60, own)
    for (const page of pages({ inference: VERDICT, blocks_in_window: 70 })) {
      expect(page).toContain('where forecasters were equal')
      expect(page).toContain(`two comparators, horizons of 2, 4, 8 and 16 hours, 60 blocks`)
      expect(page).toContain(`${percent(measured.usual.negative.most)} negative`)
      expect(page).toContain(`${percent(measured.long.negative.most)} negative`)
      expect(page).not.toContain('rejected something in')
    }
  })
})

const candidate = base.models.find(({ role }) => role === 'candidate')?.name ?? ''
const of = { candidate, comparator: 'persistence' }

const LEVEL = { name: 'volatility', level: 'high' }
const ALL_CELLS = base.shared_keys.flatMap((cell) => [cell, { ...cell, stratum: LEVEL }])

/** The sample with so many pairs lost by the candidate at each horizon, out of a thousand. */
function leftOut(byHorizon: Readonly<Record<number, number>>, mismatched = 0): EvaluationResult {
  return {
    ...base,
    settings: { ...base.settings, availability_limit: 0.02, availability_limit_stratum: 0.05 },
    shared_keys: ALL_CELLS.map((cell) => {
      const silent = byHorizon[cell.horizon] ?? 0
      const lost = {
        candidate_not_scored: silent,
        vintage_mismatch: mismatched,
        comparator_not_scored: 7,
        neither_scored: 3,
      }
      return { ...cell, expected: 1010, shared: 1000 - silent - mismatched, lost }
    }),
  }
}

describe('what a candidate left out', () => {
  it('is its largest share of a comparator’s scored origins', () => {
    const result = leftOut({ 2: 1, 4: 20, 8: 9, 16: 0 })
    const most = { horizon: 4, notScored: 20, origins: 1000, beyond: false }
    expect(mostLeftOut(result, of, 'all')).toEqual(most)
    // Another vintage is no pair either, and counts.
    const [all, level] = (['all', LEVEL] as const).map((stratum) =>
      mostLeftOut(leftOut({ 4: 20 }, 1), of, stratum),
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
  ]).toEqual(['1 of 17\u202f376', '0.00\u202f%', '0.02\u202f%', '–'])
})

it('attempts that were not scored are counted by their reason', () => {
  const accounting = base.accounting.map((cell) =>
    cell.horizon === 'all'
      ? {
          ...cell,
          expected: 40,
          point: { ...cell.point, scored: 0 },
          reasons: { committed_late: 30, forecast_missing: 10 },
        }
      : cell,
  )
  expect(leftOutWords({ ...base, accounting }, candidate)).toContain(
    '40 of its 40 expected attempts, 100.00\u202f%, were not scored (30 committed late and 10 forecast missing)',
  )
})

it('what would unblock a blocked candidate is said, each thing once', () => {
  const reasons = ['persistence', 'ar1'].map(
    (comparator): ResultReason => ({
      ...{ code: 'availability_limit_exceeded', leads_to: 'blocked', comparator, horizon: 2 },
      ...{ measure: null, test: null, found: null, limit: null, details: [] },
    }),
  )
  const result = leftOut({})
  const said = remediesOf(result, { candidate, disposition: 'blocked', reasons })
  expect(said).toHaveLength(1)
  expect(said[0]).toMatch(/at least 98\.0\u202f% of the origins .* 95\.0\u202f%/)
  expect(remediesOf(result, { candidate, disposition: 'negative', reasons })).toEqual([])
})

it('a longer window is the remedy only where a test lacks pairs or blocks', () => {
  const blocked = (detail: string): ResultReason => ({
    ...{ code: 'deciding_test_blocked', leads_to: 'blocked', comparator: 'ar1', horizon: 2 },
    ...{ measure: 'point_loss', test: 'x', found: null, limit: null, details: [detail] },
  })
  const said = (detail: string, settings = base.settings) =>
    remediesOf(
      { ...base, settings },
      { candidate, disposition: 'blocked', reasons: [blocked(detail)] },
    )
  expect(said('too_few_blocks')).toEqual([
    expect.stringMatching(/longer window.* 30 effective blocks/),
  ])
  // Where nothing can be compared at all, a longer window does not help.
  expect(said('no_pairs')).toEqual([])
  expect(said('no_variance')).toEqual([expect.not.stringContaining('longer window')])
  expect(said('comparator_loss_unknown')).toEqual([])
  const inference = { method: 'ewc-t' as const, weights: { deciding: 0.8, other: 0.2 } }
  const ewc = { ...base.settings, minimum_blocks: 10, inference }
  expect(said('too_few_pairs', ewc)[0]).toContain('16 effective blocks')
  expect(renderHtml({ ...base, settings: ewc })).toContain('16 effective blocks')
})
