import { describe, expect, it } from 'vitest'
import type { Plan, Protocol } from '../../src/contract/types.js'
import { lintDocuments } from '../../src/lint/lint.js'
import { lintPlanned } from '../../src/lint/planned.js'
import { numbersIn } from '../../src/lint/text-numbers.js'
import { lintTexts } from '../../src/lint/texts.js'
import { buildRegistration } from '../../src/registration/build.js'
import { NOW, plan, protocol } from '../registration/made.js'
import { documentOf, ownText, ownValue } from './sample.js'

/** Our own protocol with some values changed. */
function changed(values: Record<string, unknown>): Protocol {
  const made = ownValue()
  for (const [pointer, value] of Object.entries(values)) {
    const path = pointer.split('/').slice(1)
    const last = path.pop() as string
    path.reduce((at, key) => at[key], made)[last] = value
  }
  return made
}

const told = (of: Protocol, registration?: Parameters<typeof lintTexts>[1]) =>
  lintTexts(of, registration).map(({ pointer, args }) => [
    pointer,
    (args as { readonly found: string }).found,
  ])

describe('a number in a text that the scorer does not use', () => {
  const CASES: [string, string, string, string][] = [
    // [what is wrong, pointer, text, the number that is told]
    ['another power', '/estimands/point/formula', 'the mean of |f - r|^3', '3'],
    [
      'another factor',
      '/estimands/point/secondary/signed_price_percent_bias',
      '10000 * (P - P1)',
      '10000',
    ],
    ['another band', '/estimands/point/secondary/direction', 'no sign within ±1e-5', '1e-5'],
    ['another band, raised', '/estimands/point/secondary/direction', 'no sign within 10⁻⁴', '1e-4'],
    ['another quantile', '/estimands/interval/bounds', 'the 0.05 and 0.9 quantiles', '0.05'],
    ['another penalty', '/estimands/interval/primary_interval_score', '(U - L) + 20 * miss', '20'],
    ['another limit', '/design/limits/per_horizon_regression', 'at most 0.10 worse', '0.10'],
    [
      'another limit, in percent',
      '/design/limits/per_horizon_regression',
      'at most 10 % worse',
      '10 %',
    ],
    ['percent for a fraction', '/design/limits/per_horizon_regression', '0.05 % at most', '0.05 %'],
    [
      'another limit in points',
      '/design/limits/directional_loss',
      '3 percentage points',
      '3 percentage points',
    ],
    ['another floor', '/design/practical_effect_definition', 'at least 5 percent', '5 percent'],
    ['other minima', '/sampling/minimum_effective_sample/rule', 'at least 300 pairs', '300'],
    ['another block', '/uncertainty/method', 'blocks of 48 hours', '48'],
    ['other replicates', '/uncertainty/method', '100,000 replicates', '100,000'],
    ['other replicates, spaced', '/uncertainty/method', '100 000 replicates', '100 000'],
    ['another seed', '/uncertainty/method', 'the seed is 7', '7'],
    ['another level', '/uncertainty/multiplicity/registered_test_family', 'at 0.1 %', '0.1 %'],
    [
      'another look back',
      '/estimands/comparisons/selection',
      'the last 1,000 hourly returns',
      '1,000',
    ],
  ]

  it.each(CASES)('%s', (_, pointer, text, found) => {
    expect(told(changed({ [pointer]: text }))).toEqual([[pointer, found]])
    const { findings } = lintDocuments(documentOf(changed({ [pointer]: text })), {})
    const [warning] = findings.filter(({ code }) => code === 'text-number-differs')
    expect(warning).toMatchObject({ severity: 'warning', pointer })
    expect(warning?.position).toBeDefined()
  })

  it('is told of a value that changed beside its text', () => {
    const pointers = told(changed({ '/uncertainty/replicates': 100_000 })).map(([at]) => at)
    expect(pointers).toEqual(['/uncertainty/multiplicity/registered_test_family'])
    const floor = changed({ '/uncertainty/block_length_origins': 48 })
    expect(told(floor).map(([at]) => at)).toContain('/uncertainty/method')
  })
})

describe('a number in a text that is in use', () => {
  const FINE: [string, string][] = [
    ['/estimands/point/formula', '|ln(P / P0) - ln(P1 / P0)| at 2, 4, 8 and 16 h; 2,4,8,16'],
    ['/estimands/point/formula', 'see (2018), RFC 3339, section 7, SHA-256, q10, drift_7d, 2nd'],
    ['/estimands/point/secondary/direction', 'within 0.000001, or 1 × 10^-6'],
    [
      '/estimands/interval/primary_interval_score',
      'a central 80 % interval, so alpha = 0.2 and 2/0.2',
    ],
    [
      '/design/limits/per_horizon_regression',
      'the upper 95 percent bound may be at most 5% higher',
    ],
    ['/design/limits/per_horizon_regression', 'höchstens 0,05 bei 2 Stunden'],
    ['/design/limits/directional_loss', 'by 2 percentage points'],
    ['/design/practical_effect_definition', '3 per cent, that is 0.03'],
    ['/uncertainty/method', '200 000 replicates, or 200,000; of 24h; N - 24; 20261121'],
    ['/uncertainty/overlap_rule', 'neighbours share up to 15 of 16 hours'],
    ['/uncertainty/multiplicity/registered_test_family', 'some 2,784 tests; 3 candidates'],
  ]
  it.each(FINE)('%s: %s', (pointer, text) => {
    expect(told(changed({ [pointer]: text }))).toEqual([])
  })

  it('is nothing in our own protocol, nor in one whose baselines are not ours', () => {
    expect(lintDocuments(documentOf(ownText()), {}).findings).toEqual([])
    const foreign = changed({
      '/estimands/comparisons/required': ['arima', 'b', 'c', 'd'],
      '/estimands/comparisons/selection': 'arima(3, 1, 5) fitted to 5,000 hours',
    })
    expect(told(foreign)).toEqual([])
  })
})

describe('limits', () => {
  const under = protocol()
  under.design.limits.per_horizon_regression = 'at most 0.08'
  const looser: NonNullable<Plan['limits']> = { per_horizon_regression: 0.08 }

  it('are those of the registration, where there is one', () => {
    expect(told(under)).toEqual([['/design/limits/per_horizon_regression', '0.08']])
    expect(told(under, buildRegistration(plan({ limits: looser }), under, NOW))).toEqual([])
    const usual = buildRegistration(plan(), under, NOW)
    expect(told(under, usual)).toHaveLength(1)
    const documents = { protocol: documentOf(under), plan: documentOf(plan(), 'plan.json') }
    const codes = lintPlanned(usual, documents).map(({ code }) => code)
    expect(codes).toContain('text-number-differs')
  })
})

describe('numbers of a text', () => {
  it('are read in a moment however long a text is', () => {
    for (const text of ['1', '1,', '10 ', '§ ', '1.', 'RFC ', '1 000 ', '(1'].map((part) =>
      part.repeat(200_000),
    )) {
      expect(Array.isArray(numbersIn(text))).toBe(true)
    }
  })
})
