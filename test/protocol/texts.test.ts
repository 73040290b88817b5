import { describe, expect, it } from 'vitest'
import { messageOf } from '../../src/contract/findings/finding.js'
import type { Protocol } from '../../src/contract/types.js'
import { lintDocuments, lintPlanned } from '../../src/lint/lint.js'
import { lintTexts } from '../../src/lint/texts.js'
import { buildRegistration } from '../../src/registration/build.js'
import { NOW, plan } from '../registration/made.js'
import { changed, documentOf } from './sample.js'

const numbersFound = (of: Protocol, registration?: Parameters<typeof lintTexts>[1]) =>
  lintTexts(of, registration).map(({ pointer, args }) => [
    pointer,
    (args as { readonly found: string }).found,
  ])

describe('a number in a text that the scorer does not use', () => {
  const CASES: [string, string, string, string][] = [
    // [what is wrong, pointer, text, the number that is reported]
    ['other minima', '/sampling/minimum_effective_sample/rule', 'at least 300 pairs', '300'],
    ['another block', '/uncertainty/method', 'blocks of 48 hours', '48'],
    ['other replicates', '/uncertainty/method', '100,000 replicates', '100,000'],
    ['other replicates, spaced', '/uncertainty/method', '100 000 replicates', '100 000'],
    ['another seed', '/uncertainty/method', 'the seed is 7', '7'],
    ['thousands in short', '/uncertainty/method', '100k replicates', '100k'],
    ['underscores', '/uncertainty/method', '100_000 replicates', '100_000'],
    ['after a colon', '/uncertainty/method', 'replicates: 16', '16'],
    ['a short seed', '/uncertainty/method', 'seed 2', '2'],
    ['a seed like a year', '/uncertainty/method', 'Seed 2018', '2018'],
    ['replicates with an exponent', '/uncertainty/method', '1.5e5 replicates', '1.5e5'],
    ['a block as long as a horizon', '/uncertainty/method', 'blocks of 16 origins', '16'],
    ['hours with their h', '/uncertainty/method', 'blocks of 72h', '72h'],
    ['a block, named after', '/uncertainty/overlap_rule', '8-hour blocks', '8'],
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
  ]

  it.each(CASES)('%s', (_, pointer, text, found) => {
    expect(numbersFound(changed({ [pointer]: text }))).toEqual([[pointer, found]])
  })

  it('is found beside a value that was changed alone', () => {
    const floor = changed({ '/uncertainty/block_length_origins': 48 })
    expect(numbersFound(floor).map(([at]) => at)).toContain('/sampling/effective_sample')
  })
})

describe('a number in a text that is in use', () => {
  const FINE: [string, string][] = [
    ['/estimands/point/formula', 'see (2018), RFC 3339, section 7, SHA-256, q10, drift_7d, 2nd'],
    // No number of minutes: the digits of a digest.
    ['/pairing/forecast_information_cutoff', 'the 64-hex digest, within 15 minutes'],
    ['/uncertainty/method', '200 000 replicates, or 200,000; of 24h; N - 24; 20261121'],
    [
      '/uncertainty/method',
      '200k replicates; 0.2 million replicates; blocks of 24h; 24-hour blocks',
    ],
    ['/design/limits/per_horizon_regression', 'the 95 % upper adjusted bound, at the 0.05 level'],
    [
      '/design/stopping',
      'after 500 pairs and 20 effective blocks; three looks in 2027 are not made',
    ],
  ]
  it.each(FINE)('%s: %s', (pointer, text) => {
    expect(numbersFound(changed({ [pointer]: text }))).toEqual([])
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

  it('may name the blocks of that test', () => {
    expect(numbersFound(cosine())).toEqual([])
    expect(
      numbersFound(changed({ '/uncertainty/method': 'at least 16 effective blocks' })),
    ).toHaveLength(1)
  })

  it('is not reckoned with by a smallest p', () => {
    const few = cosine({ '/uncertainty/replicates': 10 })
    const { findings, figures, shortest } = lintDocuments(documentOf(few), { familySize: 5000 })
    expect(findings).toEqual([])
    expect(figures?.method).toBe('ewc-t')
    // Five comparators, nine tests each, in 20 blocks of 24 hours.
    expect(shortest).toMatchObject({ windowOrigins: 480, ewc: { decidingSize: 45 } })
  })

  it('is asked for blocks by what asks for more', () => {
    const inference = { method: 'ewc-t', weights: { deciding: 0.8, other: 0.2 } } as const
    const blocks = '/sampling/minimum_effective_sample/effective_independent_blocks_per_comparison'
    const asked = (minimum: number) => {
      const under = cosine({ [blocks]: minimum })
      const made = buildRegistration(plan({ inference }), under, NOW)
      const short = { ...made, window: { ...made.window, origins: 15 * 24 } }
      const documents = { protocol: documentOf(under), plan: documentOf(plan(), 'plan.json') }
      const found = lintPlanned(short, documents)
      return found.find(
        ({ code, args }) => code === 'window-too-short' && args?.fault === 'fewer_blocks',
      )?.args
    }
    expect(asked(10)).toMatchObject({ asks: 'the cosine test', minimumBlocks: 16 })
    expect(asked(20)).toMatchObject({ asks: 'the protocol', minimumBlocks: 20 })
  })
})

it('a number that differs is reported without digits that only binary arithmetic makes', () => {
  const under = changed({ '/sampling/effective_sample': 'at least 77 pairs' })
  under.sampling.minimum_effective_sample.paired_origins_per_horizon = 100
  const { text, help } = messageOf(lintTexts(under)[0]!)
  expect(text).toContain('100, 110, 719')
  // Freezing says it, too, when nothing can be corrected any more.
  expect(help).toContain('freeze a new version')
})

it('numbers are read in a moment however long a text is', () => {
  for (const part of ['1', '1,', '10 ', '1.', '1 000 ', '(1']) {
    const text = `${part.repeat(200_000)} replicates`
    expect(Array.isArray(lintTexts(changed({ '/uncertainty/method': text })))).toBe(true)
  }
})
