import { describe, expect, it } from 'vitest'
import { messageOf } from '../../src/contract/findings/finding.js'
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
    ['thousands in short', '/uncertainty/method', '100k replicates', '100k'],
    ['underscores', '/uncertainty/method', '100_000 replicates', '100_000'],
    ['words', '/uncertainty/method', 'two million replicates', '2 million'],
    ['after a colon', '/uncertainty/method', 'replicates: 16', '16'],
    ['a short seed', '/uncertainty/method', 'seed 2', '2'],
    ['a block as long as a horizon', '/uncertainty/method', 'blocks of 16 origins', '16'],
    ['hours with their h', '/uncertainty/method', 'blocks of 72h', '72h'],
    ['a block, named after', '/uncertainty/overlap_rule', '8-hour blocks', '8'],
    [
      'a limit in words',
      '/design/limits/per_horizon_regression',
      'at most ten percent worse',
      '10 percent',
    ],
    [
      'a limit like a level',
      '/design/limits/per_horizon_regression',
      'at most 95 percent worse',
      '95 percent',
    ],
    ['a limit in pp', '/design/limits/per_horizon_regression', 'at most 3pp worse', '3pp'],
    [
      'a limit in basis points',
      '/design/limits/per_horizon_regression',
      'up by 300 basis points',
      '300 basis points',
    ],
    [
      'a limit like alpha',
      '/design/limits/directional_loss',
      'at most 5 percentage points',
      '5 percentage points',
    ],
    [
      'another level of a bound',
      '/design/limits/directional_loss',
      'the upper 90 percent bound below 0.02',
      '90 percent',
    ],
    ['minima elsewhere', '/uncertainty/strata_handling', 'at least 300 pairs a level', '300'],
    ['blocks elsewhere', '/design/stopping', 'from 10 effective blocks on', '10'],
    ['a p elsewhere', '/design/promotion', 'in use once p < 0.10', '0.10'],
    ['an alpha elsewhere', '/estimands/point/rationale', 'at alpha = 0.01', '0.01'],
    ['another target', '/pairing/target_rule', 'the close 24 hours after the origin', '24'],
    [
      'another lag',
      '/pairing/forecast_information_cutoff',
      'at most 90 minutes after its origin',
      '90',
    ],
    ['another share', '/pairing/failure_denominator', 'unscored at 10 percent', '10 percent'],
  ]

  it.each(CASES)('%s', (_, pointer, text, found) => {
    expect(told(changed({ [pointer]: text }))).toEqual([[pointer, found]])
    const { findings } = lintDocuments(documentOf(changed({ [pointer]: text })), {})
    const [warning] = findings.filter(({ code }) => code === 'text-number-differs')
    expect(warning).toMatchObject({ severity: 'warning', pointer })
    // Freezing says it, too, when nothing can be corrected any more.
    expect(warning && messageOf(warning).help).toContain('freeze a new version')
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
    [
      '/uncertainty/method',
      '200k replicates; 0.2 million replicates; blocks of 24h; 24-hour blocks',
    ],
    ['/uncertainty/method', 'Moving blocks (Künsch, 1989); Politis & Romano 1994; Holm 1979'],
    [
      '/uncertainty/method',
      'Lazarus et al., 2018; https://example.org/1234/v5; doi:10.1080/07350015',
    ],
    ['/design/limits/per_horizon_regression', 'by 500 basis points, a factor 1.05'],
    ['/design/limits/per_horizon_regression', 'the 95 % upper adjusted bound, at the 0.05 level'],
    ['/design/limits/directional_loss', '52 % instead of 50 %'],
    ['/design/limits/directional_loss', 'where it calls 1.1 times the minimum of pairs'],
    ['/design/practical_effect_definition', '0.97 of the comparator'],
    ['/sampling/effective_sample', '20 blocks of 24 h = 480 h'],
    [
      '/design/stopping',
      'after 500 pairs and 20 effective blocks; three looks in 2027 are not made',
    ],
    ['/pairing/target_rule', 'origin plus 2, 4, 8 or 16 hours of 3600 seconds'],
    ['/pairing/forecast_information_cutoff', 'at most 60 minutes after its origin'],
    ['/pairing/failure_denominator', 'at most 2 % at 16 h, and 0.05 in a level'],
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

describe('a protocol whose method is the cosine test', () => {
  const METHOD =
    'Equal-weighted cosine t-test (Lazarus, Lewis, Stock and Watson 2018), nu = floor(e / 4), 4 to 16 or 4 to 8, 16 effective blocks'
  const cosine = (values: Record<string, unknown> = {}) =>
    changed({
      ...{ '/uncertainty/method': METHOD, '/uncertainty/replicates': 20_000 },
      '/uncertainty/multiplicity/registered_test_family': 'weights of 0.8 and 0.2',
      '/uncertainty/overlap_rule': 'periods of 8 blocks, 192 hours',
      ...values,
    })

  it('may name the numbers of that test, and no other', () => {
    expect(told(cosine())).toEqual([])
    expect(told(changed({ '/uncertainty/method': 'at least 16 effective blocks' }))).toHaveLength(1)
    for (const [pointer, text, found] of [
      ['/uncertainty/method', `${METHOD}; at most 12 of them`, '12'],
      ['/uncertainty/multiplicity/registered_test_family', 'a weight of 0.7', '0.7'],
      ['/uncertainty/overlap_rule', 'periods of 96 hours', '96'],
    ] as const) {
      expect(told(cosine({ [pointer]: text }))).toEqual([[pointer, found]])
    }
  })

  it('has the weights of the registration, where there is one', () => {
    const inference = { method: 'ewc-t', weights: { deciding: 0.7, other: 0.3 } } as const
    const under = cosine({ '/uncertainty/overlap_rule': 'none' })
    const found = told(under, buildRegistration(plan({ inference }), under, NOW))
    const at = '/uncertainty/multiplicity/registered_test_family'
    expect(found.filter(([pointer]) => pointer === at)).toEqual([
      [at, '0.8'],
      [at, '0.2'],
    ])
  })

  it('is not reckoned with by a smallest p', () => {
    const few = cosine({ '/uncertainty/replicates': 10 })
    const { findings, figures, shortest } = lintDocuments(documentOf(few), { familySize: 5000 })
    expect(findings).toEqual([])
    expect(figures?.method).toBe('ewc-t')
    // Five comparators, nine tests each, in 20 blocks of 24 hours.
    expect(shortest).toMatchObject({ windowOrigins: 480, ewc: { decidingSize: 45 } })
  })

  it('is asked for blocks by whoever asks for more', () => {
    const inference = { method: 'ewc-t', weights: { deciding: 0.8, other: 0.2 } } as const
    const blocks = '/sampling/minimum_effective_sample/effective_independent_blocks_per_comparison'
    const asked = (minimum: number) => {
      const under = cosine({ [blocks]: minimum })
      const made = buildRegistration(plan({ inference }), under, NOW)
      const short = { ...made, window: { ...made.window, origins: 15 * 24 } }
      const documents = { protocol: documentOf(under), plan: documentOf(plan(), 'plan.json') }
      const found = lintPlanned(short, documents)
      return found.find(({ code }) => code === 'window-below-minimum-blocks')?.args
    }
    expect(asked(10)).toMatchObject({ asks: 'the cosine test', minimumBlocks: 16 })
    expect(asked(20)).toMatchObject({ asks: 'the protocol', minimumBlocks: 20 })
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

describe('what holds where a plan names no others', () => {
  const own = ownValue() as Protocol
  const inference = { method: 'ewc-t', weights: { deciding: 0.8, other: 0.2 } } as const
  const stricter = { availability_limit: 0.01, availability_limit_stratum: 0.04 }
  const made = buildRegistration(
    plan({ inference, limits: stricter, publication_lag_minutes: 15 }),
    own,
    NOW,
  )
  const at = '/pairing/forecast_information_cutoff'
  const cutoff = (text: string) =>
    told(changed({ [at]: text }), made).filter(([pointer]) => pointer === at)

  it('is true under a plan that names others', () => {
    expect(cutoff('The lag is 60 minutes where a plan names no other.')).toEqual([])
    expect(cutoff('The lag is 60 minutes.')).toEqual([[at, '60']])
    expect(cutoff('The lag is 45 minutes where a plan names no other.')).toEqual([[at, '45']])
    const shares = '/pairing/failure_denominator'
    const under = changed({ [shares]: '0.02 and 0.05 where a plan names no others' })
    expect(told(under, made).filter(([pointer]) => pointer === shares)).toEqual([])
  })

  it('is told without digits that only binary arithmetic makes', () => {
    const under = changed({ '/sampling/effective_sample': 'at least 77 pairs' })
    under.sampling.minimum_effective_sample.paired_origins_per_horizon = 100
    const [finding] = lintTexts(under, made).filter(
      ({ pointer }) => pointer === '/sampling/effective_sample',
    )
    expect(finding && messageOf(finding).text).toContain('100, 110, 719')
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
