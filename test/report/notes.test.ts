import { describe, expect, it } from 'vitest'
import type { EvaluationResult } from '../../src/evaluation/result/types.js'
import { nearestSize, nearestVerdictSize } from '../../src/inference/measured-size.js'
import { percent } from '../../src/output/figures.js'
import { renderHtml } from '../../src/report/html/page.js'
import { renderMarkdown } from '../../src/report/markdown/page.js'
import { cautionsOf } from '../../src/report/notes.js'
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

const base = sampleResult({ mode: 'prospective', time: 'committed' })
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
    lag_worth: 0,
    ...changed,
  },
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
    ['availability_limit_stratum', 0.2, 'share left out in a level 20.0\u202f% (5.0\u202f%)'],
    ['minimum_pairs', 100, 'minimum of pairs 100 (500)'],
    ['minimum_blocks', 4, 'minimum of effective blocks 4 (20)'],
    ['alpha', 0.051, 'alpha 0.051 (0.05)'],
    ['block_length_origins', 12, 'block length in hours 12 (24)'],
    ['baseline_pool', ['persistence', 'ar1'], /strongest_simple: seasonal_naive_24h, drift_24h, /],
  ])('%s is in the first lines', (name, value, words) => {
    const [said, ...more] = cautionsOf(resultWith({ [name]: value }))
    expect(said).toMatch(words)
    expect(said).toMatch(/^Laxer than the reference protocol btcusd-hourly-3/)
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
        /: no verdict hypothesis, by the rules of earlier protocols; practical floor 1\.0.% \(3\.0.%\)\.$/,
      ),
    ])
  })
})

it('without a commitment times are the word of the candidate, and that comes first', () => {
  const time = { ...base.time!, commitment: null }
  const result = { ...resultWith({ alpha: 0.051 }), time }
  expect(cautionsOf(result)[0]).toMatch(/^Times are the candidate’s own word/)
  const models = MODELS.map((model) => ({ ...model, source: 'built_in' as const }))
  expect(cautionsOf({ ...resultWith({}, models), time })).toEqual([])
})

describe('what a lag is worth', () => {
  // 1 - (1 + √3 + √7 + √15) / (√2 + 2 + √8 + 4) is 0.0968.
  const late = { publication_lag_minutes: 60 }
  const paid = { publication_lag_minutes: 5, lag_worth: 0.0074 }
  it.each<[string, Partial<Settings>, RegExp | undefined]>([
    [
      'said where inputs need not have been known',
      { ...late, inference: EARLIER, provenance_required: false },
      /60 minutes after their origin.* 9\.7\u202f% lower\.$/,
    ],
    [
      'said to be added to the floor',
      { ...paid, provenance_required: false },
      /0\.7\u202f% lower, so as much is added/,
    ],
    [
      'the word of the candidate where inputs were recorded',
      late,
      /own word, which no commitment shows: nothing is added to the floor.* 9\.7\u202f% lower\.$/,
    ],
    ['not said of inputs recorded for earlier tests', { ...late, inference: EARLIER }, undefined],
  ])('is %s', (_, settings, words) => {
    const result = resultWith(settings)
    const said = besides(result)
    expect(said).toEqual(words ? [expect.stringMatching(words)] : [])
    for (const one of said) {
      expect(renderHtml(result)).toContain(one)
      expect(renderMarkdown(result).replaceAll('\\', '')).toContain(one)
    }
    expect(besides({ ...result, mode: 'retrospective' })).toEqual([])
  })
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
