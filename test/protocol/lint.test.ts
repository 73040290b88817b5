import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Finding, formatMessage } from '../../src/contract/findings/finding.js'
import type { Protocol } from '../../src/contract/types.js'
import { runFamily } from '../../src/inference/run-family.js'
import { replicatesFor } from '../../src/lint/family.js'
import { lintDocuments, lintPlanned } from '../../src/lint/lint.js'
import { lintProtocol, lintRegistered } from '../../src/lint/protocol.js'
import { lintTexts } from '../../src/lint/texts.js'
import { compileRules } from '../../src/protocol/rules/compile.js'
import { createRegistration } from '../../src/registration/build.js'
import { family, single } from '../inference/made.js'
import { NOW, plan } from '../registration/made.js'
import { changed, documentOf, ownText, ownValue } from './sample.js'

const codes = (findings: readonly Finding[]) => findings.map((finding) => finding.code)
const UNREACHABLE = new Set<string>(['significance-unreachable', 'window-too-short'])
const nothingCanReject = (findings: readonly Finding[]) =>
  codes(findings).some((code) => UNREACHABLE.has(code))

const BLOCKS = '/sampling/minimum_effective_sample/effective_independent_blocks_per_comparison'
const REPLICATES = '/uncertainty/replicates'
const BLOCK_LENGTH = '/uncertainty/block_length_origins'
const FLOOR = '/design/practical_effect_floor'
const INTERVAL = '/estimands/interval'
const OTHERS = '/estimands/comparisons'
const PAIRS = '/sampling/minimum_effective_sample/paired_origins_per_horizon'

describe('lint of our own protocol', () => {
  it('finds nothing, and says that it carries 5,000 tests', () => {
    const linted = lintDocuments(documentOf(ownText()), {})
    expect(linted.findings).toEqual([])
    expect(linted.figures?.largestFamily).toBe(5000)
    expect(codes(lintProtocol(ownValue(), 5000))).toEqual([])
    expect(codes(lintProtocol(ownValue(), 5001))).toEqual(['significance-unreachable'])
  })

  it('takes a draft without a digest, and one with a stale digest', () => {
    const { protocol_sha256: _, ...draft } = ownValue()
    expect(lintDocuments(documentOf(draft), {}).findings).toEqual([])
    const stale = changed({ '/purpose': 'another' })
    expect(lintDocuments(documentOf(stale), {}).findings).toEqual([])
  })

  it('does not lint what is no protocol', () => {
    const linted = lintDocuments(documentOf(changed({ '/uncertainty/replicates': 0 })), {})
    expect(linted.figures).toBeUndefined()
    const at = { pointer: REPLICATES, position: { line: expect.any(Number) } }
    expect(linted.findings).toMatchObject([{ severity: 'error', ...at }])
  })
})

describe('lint with 10,000 replicates and a minimum of 8 blocks', () => {
  const protocol = changed({ '/uncertainty/replicates': 10_000 })
  protocol.sampling.minimum_effective_sample.effective_independent_blocks_per_comparison = 8

  it('reports the limit of 250 tests and the few blocks, with figures', () => {
    const linted = lintDocuments(documentOf(protocol), {})
    expect(linted.figures).toMatchObject({ largestFamily: 250, minimumBlocks: 8 })
    const family = { largestFamily: 250, tests: 5 * 29 * 4, needed: 23_199 }
    const size = { whiteNoise: '7 to 9', autoregression: '12 to 17' }
    const rule = '/sampling/minimum_effective_sample/rule'
    const severity = 'warning'
    expect(linted.findings).toMatchObject([
      { code: 'family-exceeds-replicates', severity, args: family },
      {
        code: 'too-few-blocks',
        severity,
        pointer: BLOCKS,
        args: { blocks: 8, least: 10, ...size },
      },
      // A text still names what the value was.
      { code: 'text-number-differs', pointer: rule, args: { found: '20' } },
    ])
  })

  it('makes an error of a family size that cannot be tested', () => {
    expect(codes(lintProtocol(protocol, 250))).toEqual(['too-few-blocks'])
    const [first] = lintProtocol(protocol, 251)
    expect(first).toMatchObject({
      code: 'significance-unreachable',
      severity: 'error',
      args: { familySize: 251, largestFamily: 250, needed: 10_039 },
    })
  })
})

describe('lint', () => {
  it.each<[string, string, unknown, string, ('error' | 'warning')?]>([
    ['too few replicates for one test', REPLICATES, 38, 'significance-unreachable', 'error'],
    ['too many replicates', REPLICATES, 20_000_001, 'too-many-replicates', 'error'],
    ['few replicates', REPLICATES, 999, 'few-replicates'],
    ['few blocks', BLOCKS, 9, 'too-few-blocks'],
    ['one block', BLOCKS, 1, 'too-few-blocks'],
    ['short blocks', BLOCK_LENGTH, 15, 'block-shorter-than-horizon'],
    ['few pairs', PAIRS, 479, 'minimum-pairs-below-blocks'],
    ['no floor', FLOOR, 0, 'practical-floor-zero'],
    ['percent for a fraction', FLOOR, 3, 'practical-floor-unreachable', 'error'],
    ['another level', `${INTERVAL}/bounds`, 'central 90 % interval', 'text-number-differs'],
    ['another alpha', `${INTERVAL}/primary_interval_score`, 'U + 2/0.1', 'text-number-differs'],
    ['another confidence', '/uncertainty/interval', '99% percentile', 'text-number-differs'],
    ['spelling in a list', `${OTHERS}/required`, ['ar1', 'AR1', 'b', 'c'], 'baseline-listed-twice'],
    ['and across', `${OTHERS}/simple_baseline_pool`, ['Drift-24h'], 'baseline-listed-twice'],
  ])('%s', (_, pointer, value, code, severity = 'warning') => {
    const { findings } = lintDocuments(documentOf(changed({ [pointer]: value })), {})
    const found = findings.find((finding) => finding.code === code)
    expect(found?.severity).toBe(severity)
    expect(found?.position).toBeDefined()
  })

  it('accepts what lies on the boundaries', () => {
    for (const changes of [{ [BLOCKS]: 10 }, { [BLOCK_LENGTH]: 16 }, { [PAIRS]: 480 }]) {
      expect(lintProtocol(changed(changes))).toEqual([])
    }
    for (const changes of [
      { [`${INTERVAL}/coverage`]: '80 %, or 80.0 per cent; alpha = 0.2' },
      { [`${INTERVAL}/bounds`]: 'alpha = 0.2, 2 / 0.2' },
      { '/uncertainty/interval': 'bounds at 95 %' },
    ]) {
      expect(lintDocuments(documentOf(changed(changes)), {}).findings).toEqual([])
    }
    expect(codes(lintProtocol(changed({ [REPLICATES]: 1000 }), 25))).toEqual([])
  })

  it('names the replicates that a family needs', () => {
    for (const alpha of [0.05, 0.01, 0.037]) {
      for (const size of [1, 7, 116, 2784]) {
        const needed = replicatesFor(size, alpha)
        const protocol = changed({ '/uncertainty/multiplicity/alpha': alpha })
        protocol.uncertainty.replicates = needed
        expect(nothingCanReject(lintProtocol(protocol, size))).toBe(false)
        protocol.uncertainty.replicates = needed - 1
        expect(nothingCanReject(lintProtocol(protocol, size))).toBe(true)
      }
    }
  })
})

describe('lint of a registered family and window', () => {
  const registered = (windowOrigins: number, familySize = 100) =>
    lintRegistered(ownValue(), { familySize, windowOrigins }).map(({ code, args }) =>
      code === 'window-too-short' && 'fault' in args ? `${code} ${args.fault}` : code,
    )

  it('compares the window with the minima of the protocol', () => {
    expect(registered(527)).toEqual([])
    // Under the limit of availability 25 of 500 may be missing, which leaves 475.
    expect(registered(500)).toEqual(['window-without-room'])
    expect(registered(499)).toEqual(['window-too-short fewer_pairs'])
    expect(registered(479)).toEqual([
      'window-too-short fewer_blocks',
      'window-too-short fewer_pairs',
    ])
    expect(registered(527, 5001)).toEqual(['significance-unreachable'])
  })

  it('warns of few blocks where the protocol does not ask for more', () => {
    const protocol = changed({ [BLOCKS]: 2 })
    protocol.sampling.minimum_effective_sample.paired_origins_per_horizon = 48
    const findings = lintRegistered(protocol, { familySize: 100, windowOrigins: 4 * 24 + 5 })
    expect(findings).toMatchObject([
      { code: 'window-few-blocks', args: { blocks: 4, whiteNoise: '9 to 20' } },
    ])
  })
})

describe('where lint says that no test can reject', () => {
  it('an evaluation as extreme as can be rejects none; elsewhere it rejects', async () => {
    const figures = fc.record({
      replicates: fc.integer({ min: 1, max: 400 }),
      alpha: fc.constantFrom(0.05, 0.01, 0.025, 0.005),
      tests: fc.integer({ min: 1, max: 12 }),
      blockLength: fc.integer({ min: 1, max: 12 }),
      origins: fc.integer({ min: 1, max: 60 }),
      minimumBlocks: fc.integer({ min: 1, max: 6 }),
      minimumPairs: fc.integer({ min: 1, max: 40 }),
    })
    let unreachable = 0
    await fc.assert(
      fc.asyncProperty(figures, async (given) => {
        const { origins, tests, alpha, replicates, blockLength, minimumBlocks, minimumPairs } =
          given
        const protocol = changed({ '/uncertainty/replicates': replicates })
        protocol.uncertainty.multiplicity.alpha = alpha
        protocol.uncertainty.block_length_origins = blockLength
        protocol.sampling.minimum_effective_sample = {
          ...{ paired_origins_per_horizon: minimumPairs, rule: 'both' },
          effective_independent_blocks_per_comparison: minimumBlocks,
        }
        const registered = { familySize: tests, windowOrigins: origins }
        const never = nothingCanReject([
          ...lintProtocol(protocol, tests),
          ...lintRegistered(protocol, registered),
        ])
        const extreme = { values: new Float64Array(origins).fill(-1) }
        const result = await runFamily(
          family(
            Array.from({ length: tests }, (_, i) => single(`t${i}`, extreme)),
            { replicates, alpha, blockLength, minimumBlocks, minimumPairs },
          ),
        )
        const rejections = result.tests.filter(
          (test) => test.status === 'tested' && test.holm.rejected,
        )
        expect(rejections.length).toBe(never ? 0 : tests)
        if (never) unreachable++
      }),
      { numRuns: 400 },
    )
    expect(unreachable).toBeGreaterThan(50)
    expect(unreachable).toBeLessThan(390)
  })
})

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
    const asked = (minimum: number) => {
      const under = cosine({ [BLOCKS]: minimum })
      const made = createRegistration(plan(), compileRules(under), NOW)
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
  const { text, help } = formatMessage(lintTexts(under)[0]!)
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
