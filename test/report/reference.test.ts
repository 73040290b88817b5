import { describe, expect, it } from 'vitest'
import type { EvaluationResult } from '../../src/evaluation/result/types.js'
import { protocolLimits } from '../../src/registration/limits.js'
import { designOf } from '../../src/registration/settings.js'
import { renderHtml } from '../../src/report/html/page.js'
import { renderMarkdown } from '../../src/report/markdown/page.js'
import { cautionsOf } from '../../src/report/notes.js'
import { frozen } from '../registration/made.js'
import { sampleResult } from './sample.js'

type Settings = EvaluationResult['settings']

const protocol = frozen('btcusd-hourly-3')
const { required, simple_baseline_pool: pool } = protocol.estimands.comparisons
const limits = protocolLimits(protocol)
const design = designOf(protocol)

/** Every number of the frozen protocol, by its name in a result. */
const NUMBERS: Partial<Settings> = {
  practical_effect_floor: protocol.design.practical_effect_floor,
  regression_limit: limits.per_horizon_regression,
  direction_limit: limits.directional_loss,
  direction_epsilon: limits.direction_epsilon,
  availability_limit: limits.availability_limit,
  availability_limit_stratum: limits.availability_limit_stratum,
  minimum_pairs: design.minimumPairs,
  minimum_blocks: design.minimumBlocks,
  alpha: design.alpha,
  block_length_origins: design.blockLength,
  baseline_pool: [...pool],
}

const base = sampleResult({ mode: 'prospective', time: 'committed' })
const MODELS = [
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
    inference: { method: 'ewc-t', weights: { verdict: 0.6, deciding: 0.3, other: 0.1 } },
    provenance_required: true,
    publication_lag_minutes: 0,
    lag_worth: 0,
    ...changed,
  },
})

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
    const inference = { method: 'ewc-t' as const, weights: { deciding: 0.8, other: 0.2 } }
    const { baseline_pool, availability_limit, ...early } = resultWith({ inference }).settings
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

it('what a lag is worth is said to be added to the floor', () => {
  const paid = { provenance_required: false, publication_lag_minutes: 5, lag_worth: 0.0074 }
  expect(cautionsOf(resultWith(paid))[0]).toMatch(/0\.7\u202f% lower, so as much is added/)
})

it('a model in the place of a built-in is said to make no candidate eligible', () => {
  const models = MODELS.map((model) =>
    model.name === 'ar1' ? { ...model, name: 'mine', source: 'history' as const } : model,
  )
  expect(cautionsOf(resultWith({}, models))).toEqual([
    'What is required as ar1, the name of a built-in rule, was not computed: the model mine of the history takes its place, and may be anything, so that no candidate can be eligible by it.',
  ])
})

it('that inputs were known in time is the word of the candidate, however late forecasts may come', () => {
  // 1 - (1 + √3 + √7 + √15) / (√2 + 2 + √8 + 4) is 0.0968.
  const [said, ...more] = cautionsOf(resultWith({ publication_lag_minutes: 60 }))
  expect(said).toMatch(/own word, which no commitment shows: nothing is added to the floor/)
  expect(said).toMatch(/9\.7\u202f% lower\.$/)
  expect(more).toEqual([])
  const inference = { method: 'ewc-t' as const, weights: { deciding: 0.8, other: 0.2 } }
  expect(cautionsOf(resultWith({ publication_lag_minutes: 60, inference }))).toEqual([
    expect.stringMatching(/no verdict hypothesis/),
  ])
})
