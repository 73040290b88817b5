import { describe, expect, it } from 'vitest'
import { instantOrNaN, MICROS_PER_HOUR } from '../../src/contract/instant.js'
import type { Plan, Registration } from '../../src/contract/types.js'
import type { PairingRow } from '../../src/forecast/row.js'
import { createCosineTables } from '../../src/inference/cosines.js'
import { lintTexts } from '../../src/lint/texts.js'
import { compileRules } from '../../src/protocol/rules/compile.js'
import { planFindings } from '../../src/registration/plan-rules.js'
import { listCautions } from '../../src/report/notes.js'
import { reasonLines } from '../../src/report/reasons.js'
import { blockedBecause } from '../../src/report/sentences.js'
import type { Vintage } from '../../src/truth/closes/vintage.js'
import { createVintage } from '../../src/truth/closes/vintage.js'
import { judgedTest } from '../inference/made.js'
import { type Changes, changedIn } from '../protocol/sample.js'
import { BY_VERDICT, cosineProtocol, NOW, plan } from '../registration/made.js'
import { numbers } from '../support/random.js'
import {
  type Change,
  closesOf,
  evaluated,
  hourAt,
  hourlyADay,
  LEAD_IN,
  LIMITS,
  madeProtocol,
  madeRegistration,
  madeRows,
  madeVintage,
  withoutCloses,
} from './made.js'

/**
 * What a writer can do to look better than he is: each game with what it gains without the limits, and what stops it
 * under them.
 */
const HOURS = 24 * 60
const VINTAGE = madeVintage(HOURS)

/** Without limits on silence, and without a lag that has to be earned. */
const BEFORE: Change = {
  due_minutes: 0,
  limits: { ...LIMITS, availability: 1, availability_stratum: 1 },
}
const NOW_ASKED: Change = { due_minutes: 5 }

async function judged(
  rows: readonly PairingRow[],
  change: Change,
  vintage: Vintage = VINTAGE,
  protocol = madeProtocol(200),
) {
  const registration = madeRegistration(HOURS, change, protocol)
  const { result } = await evaluated(registration, vintage, rows, protocol)
  const [found] = result.dispositions as [(typeof result.dispositions)[number]]
  const { disposition, reasons } = found
  const weighty = reasons.filter(({ leads_to: to }) => to === disposition)
  const codes = [...new Set(weighty.map(({ code }) => code))]
  // Of the report: docs/reference/games.md has these sentences.
  const said = reasonLines(result, found, 9).shown.join(' ').replaceAll('\u202f', ' ')
  return { result, disposition, codes, said }
}

/** The move from an origin to a later hour, as a log return. */
function moved({ originAt }: PairingRow, hours: number, vintage = VINTAGE): number {
  const origin = instantOrNaN(originAt)
  const close = (hour: number) => vintage.closeAt(origin + hour * MICROS_PER_HOUR) ?? Number.NaN
  return Math.log(close(hours) / close(0))
}

/** Rows of a candidate that says this log return at each key. */
function saying(of: (row: PairingRow, hour: number) => number, vintage = VINTAGE): PairingRow[] {
  const rows = [...madeRows(HOURS, vintage, [{ name: 'seer', sight: 0 }], false)]
  return rows.map((row, at) => {
    const forecast = Number(row.sourcePrice) * Math.exp(of(row, Math.floor(at / 4)))
    const spread = 0.006 * Math.sqrt(row.horizon)
    const quantiles = [forecast * (1 - spread), forecast, forecast * (1 + spread)]
    return { ...row, forecast, quantiles }
  })
}

/** A guess: up or down by a coin. */
function guessing(size: number, vintage = VINTAGE): PairingRow[] {
  const random = numbers(5)
  return saying(() => (random() < 0.5 ? -size : size), vintage)
}

/** Rows without this share of those of each horizon: the ones that are worst. */
function withholding(
  rows: readonly PairingRow[],
  share: number,
  badness: (row: PairingRow) => number,
) {
  const worst = new Set(
    [2, 4, 8, 16].flatMap((horizon) => {
      const own = rows.filter((row) => row.horizon === horizon)
      return own.sort((a, b) => badness(b) - badness(a)).slice(0, share * own.length)
    }),
  )
  return (row: PairingRow) => worst.has(row)
}

type Judged = Awaited<ReturnType<typeof judged>>

const reasonOf = ({ result }: Judged, code: string) =>
  result.dispositions[0]?.reasons.find((reason) => reason.code === code)

/** The overall loss of a candidate as a share of a comparator's, less 1. */
const overallGain = ({ result }: Judged, comparator = 'persistence') => {
  const test = result.tests.find(({ name }) => name === `seer/${comparator}/point_loss/overall/all`)
  return (test?.observed ?? Number.NaN) / (test?.comparator_mean ?? Number.NaN)
}

describe('withholding', () => {
  const rows = guessing(0.001)
  const expectBlocked = async (kept: readonly PairingRow[], vintage = VINTAGE) => {
    const { disposition, codes, said } = await judged(kept, NOW_ASKED, vintage)
    expect([disposition, codes]).toEqual(['blocked', ['availability_limit_exceeded']])
    expect(said).toContain('of its forecasts could not be scored (limit 2 %)')
  }
  /** How far the price has gone against a forecast an hour before its target. */
  const losing = (row: PairingRow) =>
    -moved(row, row.horizon - 1) * Math.sign(Number(row.forecast) - Number(row.sourcePrice))

  it('made a guess eligible that kept back the fifth that goes wrong, and is blocked', async () => {
    const isKeptBack = withholding(rows, 0.2, losing)
    const kept = rows.filter((row) => !isKeptBack(row))
    const whole = await judged(rows, BEFORE)
    const before = await judged(kept, BEFORE)
    // 0.7 % worse than persistence as a whole, 2.8 % better without its losses.
    expect(overallGain(whole)).toBeCloseTo(0.007, 3)
    expect(overallGain(before)).toBeCloseTo(-0.028, 3)
    expect(before.disposition).toBe('eligible_for_human_review')
    await expectBlocked(kept)
  })

  it('by chance gains nothing, and is blocked all the same', async () => {
    const random = numbers(3)
    const kept = rows.filter(() => random() > 0.2)
    const [whole, before] = [await judged(rows, BEFORE), await judged(kept, BEFORE)]
    expect(Math.abs(overallGain(whole) - overallGain(before))).toBeLessThan(0.001)
    await expectBlocked(kept)
  })

  it('in volatile hours made the own loss smaller, and is blocked', async () => {
    const stormy = stormyVintage()
    const guesses = guessing(0.001, stormy)
    const calm = guesses.filter(({ originAt }) => !isStormy(instantOrNaN(originAt)))
    const lossOf = async (kept: readonly PairingRow[]) => {
      const { result } = await judged(kept, BEFORE, stormy)
      const isOwn = (one: (typeof result.measures)[number]) =>
        one.model === 'seer' && one.step === 'overall' && one.scope === 'all'
      return result.measures.find(isOwn)?.means.point_loss ?? Number.NaN
    }
    const [whole, shown] = [await lossOf(guesses), await lossOf(calm)]
    expect(calm.length / guesses.length).toBeCloseTo(0.8, 10)
    expect(1 - shown / whole).toBeCloseTo(0.21, 2)
    await expectBlocked(calm, stormy)
  })
})

const isStormy = (at: number) => Math.floor(at / MICROS_PER_HOUR / 24) % 5 === 0
/** Prices that move three times as much every fifth day. */
function stormyVintage(): Vintage {
  const closes = new Map<number, number>()
  let [log, last] = [0, 0]
  for (const [at, close] of closesOf(VINTAGE)) {
    log += (isStormy(at) ? 3 : 1) * Math.log(close / (last || close))
    closes.set(at, 60_000 * Math.exp(log))
    last = close
  }
  return createVintage(closes, 'made')
}

const PERSISTENCE: Registration['comparators'][number] = {
  ...{ source: 'built_in', name: 'persistence', required_as: ['persistence'] },
}
const ALONE: Change = { comparators: [PERSISTENCE] }

it('a lag of an hour made the price of that moment eligible, and has to be earned first', async () => {
  const rows = saying((row) => moved(row, 1))
  const before = await judged(rows, { ...BEFORE, ...ALONE })
  expect(overallGain(before)).toBeCloseTo(-0.098, 3)
  expect(before.disposition).toBe('eligible_for_human_review')
  const late = { ...NOW_ASKED, ...ALONE, due_minutes: 60 }
  const now = await judged(rows, late)
  expect([now.disposition, now.codes]).toEqual([
    'inconclusive',
    ['verdict_not_established', 'practical_floor_not_reached'],
  ])
  // At 2, 4, 8 and 16 hours an hour is a half, a quarter and so on of the time: where moves are as large as its root,
  // 1 - (√2/2 + 3/4·2 + 7/8·√8 + 15/16·4) / (√2 + 2 + √8 + 4) = 0.1768, and a copy gains about half of that.
  expect(reasonOf(now, 'practical_floor_not_reached')?.limit).toBeCloseTo(0.02 + 0.1768, 2)
})

/** Rows of a candidate and of another model, in the order of a history. */
function beside(name: string, theirs: readonly PairingRow[], ours: readonly PairingRow[]) {
  return ours.flatMap((row, at) => [{ ...(theirs[at] as PairingRow), model: name }, row])
}

it('half of the directions uncalled hid half of the errors, and count as a coin', async () => {
  // The comparator calls four directions of five; the candidate calls what it is sure of.
  const random = numbers(7)
  const draws = Array.from({ length: HOURS }, () => [random(), random()] as const)
  const drawn = (hour: number) => draws[hour] ?? [0, 0]
  const rival = saying((row, hour) => (drawn(hour)[0] < 0.2 ? -0.1 : 0.1) * moved(row, row.horizon))
  const sure = saying((row, hour) => (drawn(hour)[1] < 0.5 ? 0 : 0.5) * moved(row, row.horizon))
  const comparators: Registration['comparators'] = [
    { source: 'history', name: 'rival', required_as: ['rival'] },
    PERSISTENCE,
  ]
  const rows = beside('rival', rival, sure)
  const directionOf = ({ result }: Judged) =>
    result.tests.find(({ name }) => name === 'seer/rival/direction_error/4/all')?.observed
  const now = await judged(rows, { ...NOW_ASKED, comparators })
  // Half an error at half of the keys, against a fifth.
  expect(directionOf(now)).toBeCloseTo(0.05, 1)
  expect(now.disposition).not.toBe('eligible_for_human_review')
  expect(reasonOf(now, 'verdict_not_established')?.test).toBe('seer/rival/direction_error/mean/all')
  expect(now.said).toContain('The weakest part is the mean direction error against rival')
  const cell = now.result.differences.find(({ comparator }) => comparator === 'rival')
  expect((cell?.uncalled?.not_called ?? 0) / (cell?.uncalled?.asked ?? 1)).toBeCloseTo(0.5, 1)
})

describe('limits of a plan', () => {
  it.each<[string, Plan['limits'], ReturnType<typeof saying>, string, string]>([
    [
      'an epsilon of 0.05 hid every wrong direction',
      { epsilon: 0.05 },
      saying((row, hour) => (hour % 5 < 2 ? 0.3 : -0.02) * moved(row, row.horizon)),
      'direction_limit_exceeded',
      'epsilon 0.05 0.000001',
    ],
    [
      'those of 10,000 % let a horizon be lost',
      { harm: 100, direction: 1 },
      saying((row) => (row.horizon === 16 ? -0.3 : 0.5) * moved(row, row.horizon)),
      'regression_limit_exceeded',
      'harm 100 0.05, direction 1 0.02',
    ],
  ])('%s, and are refused', async (_, wide, rows, code, refused) => {
    const honest = await judged(rows, { ...BEFORE, limits: LIMITS })
    expect(honest.disposition).toBe('negative')
    expect(honest.codes).toContain(code)
    const before = await judged(rows, { ...BEFORE, limits: { ...LIMITS, ...wide } })
    expect(before.disposition).toBe('eligible_for_human_review')
    const findings = planFindings(
      plan({ limits: wide }),
      compileRules(cosineProtocol(BY_VERDICT)),
      NOW,
    )
    const said = findings.map(({ code, severity, args }) => {
      const { name, limit, bound } = args as Record<string, unknown>
      expect([severity, code]).toEqual(['error', 'limit-beyond-protocol'])
      return `${name} ${limit} ${bound}`
    })
    expect(said.join(', ')).toBe(refused)
  })
})

it('a comparator in the place of persistence was easily beaten, and makes nothing eligible', async () => {
  const accomplice = saying((row) => -0.2 * moved(row, row.horizon))
  const rows = beside('accomplice', accomplice, guessing(0.0005))
  const comparators: Registration['comparators'] = [
    { source: 'history', name: 'accomplice', required_as: ['persistence'] },
  ]
  const now = await judged(rows, { ...NOW_ASKED, comparators })
  expect(now.result.verdicts?.[0]?.decision).toBe('rejected')
  expect([now.disposition, now.codes]).toEqual(['inconclusive', ['comparator_substituted']])
  expect(now.said).toContain('no candidate can be eligible by it')
})

describe('a protocol of version 1, whose numbers and names are free,', () => {
  const changed = (of: Changes) => changedIn(madeProtocol(200), of)
  /** Its numbers in the words from which they are read. */
  const LAX = changed({
    '/pairing/failure_denominator': 'At most 0.9 of the origins, and 0.95 of a level.',
    '/design/limits/per_horizon_regression': 'At most 0.9 worse.',
    '/design/practical_effect_floor': 0.001,
    '/uncertainty/multiplicity/alpha': 0.5,
  })
  const ALLOWED: Change = {
    ...NOW_ASKED,
    limits: {
      ...{ ...LIMITS, harm: 0.9 },
      ...{ availability: 0.9, availability_stratum: 0.95 },
    },
  }

  it('that allows nearly everything makes no half of the forecasts eligible', async () => {
    const rows = guessing(0.001)
    const isLosing = withholding(rows, 0.5, (row) => {
      const side = Math.sign(Number(row.forecast) - Number(row.sourcePrice))
      return -moved(row, row.horizon) * side
    })
    const kept = rows.filter((row) => !isLosing(row))
    const now = await judged(kept, ALLOWED, VINTAGE, LAX)
    // Better by any test, for half of the keys.
    expect(now.result.verdicts?.[0]?.decision).toBe('rejected')
    expect([now.disposition, now.codes]).toEqual(['inconclusive', ['rules_too_lax']])
    const { reasons } = now.result.dispositions[0]!
    const beyond = reasons.filter(({ code }) => code === 'rules_too_lax')
    expect(beyond.map(({ details: [name], found, limit }) => [name, found, limit])).toEqual([
      ['practical_effect', 0.001, 0.01],
      ['harm', 0.9, 0.2],
      ['availability', 0.9, 0.05],
      ['availability_stratum', 0.95, 0.1],
      ['alpha', 0.5, 0.05],
    ])
    expect(now.said).toContain(
      'too lax for any candidate to be eligible (the bound in brackets): share left out 90.0 % (5.0 %).',
    )
    expect(lintTexts(LAX).filter(({ code }) => code === 'rules-too-lax')).toHaveLength(5)
  })

  it('makes who is worse negative all the same', async () => {
    const rows = saying((row) => -0.5 * moved(row, row.horizon))
    const now = await judged(rows, ALLOWED, VINTAGE, LAX)
    expect(now.disposition).toBe('negative')
    expect(reasonOf(now, 'rules_too_lax')?.leads_to).toBe('inconclusive')
  })

  it('that requires four names of its own, all of them bad models, makes nobody eligible', async () => {
    const names = ['benchmark', 'champion', 'incumbent', 'market']
    const models = names.map((name, at) => {
      const rows = saying((row) => (-0.1 - 0.05 * at) * moved(row, row.horizon))
      return rows.map((row) => ({ ...row, model: name }))
    })
    const rows = guessing(0.0005).flatMap((row, at) => [
      ...models.map((of) => of[at] as PairingRow),
      row,
    ])
    const comparators = names.map((name) => {
      return { source: 'history' as const, name, required_as: [name] }
    })
    const made = { ...NOW_ASKED, comparators }
    const protocol = changed({ '/estimands/comparisons/required': names })
    const now = await judged(rows, made, VINTAGE, protocol)
    expect(now.result.verdicts?.[0]?.decision).toBe('rejected')
    expect([now.disposition, now.codes]).toEqual(['inconclusive', ['rules_too_lax']])
    expect(now.said).toContain('does not require the built-in persistence')
    // Each name is in the first lines, with the model that the plan chose for it.
    expect(listCautions(now.result).join()).toContain(
      'and the plan chose: benchmark is the model benchmark of the history, champion is',
    )
    const codes = lintTexts(protocol).map(({ code }) => code)
    expect(codes.filter((code) => code === 'rules-too-lax')).toHaveLength(1)
  })
})

describe('intervals', () => {
  const withWidth = (row: PairingRow, spread: number): PairingRow => {
    const [price, half] = [Number(row.forecast), spread * Math.sqrt(row.horizon)]
    const [, median = null] = row.quantiles
    return { ...row, quantiles: [price * (1 - half), median, price * (1 + half)] }
  }
  const ownInterval = ({ result }: Judged) =>
    result.measures.find(({ model, step }) => model === 'seer' && step === 2)?.means
  const scores = ({ result }: Judged, measure: string) =>
    result.tests.filter((test) => test.comparator === 'persistence' && test.score === measure)

  it('too narrow, and withheld where they fail, looked sound, and carry no claim', async () => {
    const narrow = saying(() => 0).map((row) => withWidth(row, 0.003))
    const isKeptBack = withholding(narrow, 0.4, (row) => Math.abs(moved(row, row.horizon - 1)))
    const none = { quantiles: [null, null, null] }
    const kept = narrow.map((row) => (isKeptBack(row) ? { ...row, ...none } : row))
    const whole = await judged(narrow, BEFORE)
    const before = await judged(kept, BEFORE)
    expect(ownInterval(whole)?.coverage).toBeCloseTo(0.59, 2)
    expect(ownInterval(before)?.coverage).toBeCloseTo(0.72, 2)
    const saidOf = (of: Judged) =>
      scores(of, 'interval_score').map(({ decision, observed }) => {
        if (decision === 'blocked') return decision
        return decision === 'rejected' ? ((observed ?? 0) < 0 ? 'better' : 'worse') : 'open'
      })
    expect(saidOf(whole)).toEqual(['worse', 'open', 'open', 'open'])
    expect(saidOf(before)).toEqual(['open', 'better', 'better', 'better'])
    const now = await judged(kept, NOW_ASKED)
    expect(saidOf(now)).toEqual(['blocked', 'blocked', 'blocked', 'blocked'])
    for (const test of scores(now, 'interval_score')) {
      expect(blockedBecause(test.blocked_reasons)).toBe('too many intervals withheld')
    }
    expect(now.result.differences[0]?.intervals_withheld).toBe(0.4 * HOURS)
    // Interval score, three pinball losses and coverage at four horizons against two comparators.
    const withheld = now.result.tests.filter((test) => test.blocked_reasons.includes('withheld'))
    expect(withheld).toHaveLength(40)
  })

  it('that are next to nothing are paid for in the interval score, before and now', async () => {
    const rows = saying(() => 0).map((row) => withWidth(row, 0.00005))
    for (const asked of [BEFORE, NOW_ASKED]) {
      const found = await judged(rows, asked)
      expect(ownInterval(found)?.width).toBeLessThan(0.001)
      for (const { observed, decision } of scores(found, 'interval_score')) {
        expect([decision, (observed ?? 0) > 0]).toEqual(['rejected', true])
      }
    }
  })
})

it('one missing close silenced ar1 for a month and blocked a good model, and now does not', async () => {
  const all = saying((row) => 0.3 * moved(row, row.horizon))
  const without = (hours: number) => all.filter((_, at) => at < 4 * 800 || at >= 4 * (800 + hours))
  const rows = without(28)
  const gap = withoutCloses(VINTAGE, hourAt(LEAD_IN + 10))
  // 28 are 4 % of the 718 origins that ar1 has at 2 h, and less than 2 % of the 1439 that have an outcome.
  const now = await judged(rows, NOW_ASKED, gap)
  expect(now.disposition).toBe('eligible_for_human_review')
  expect(now.result.differences[0]?.with_outcome).toBe(1439)
  const more = await judged(without(29), NOW_ASKED, gap)
  const found = reasonOf(more, 'availability_limit_exceeded')?.found
  expect([more.disposition, found]).toEqual(['blocked', 29 / 1439])
})

// That a registration has its share of alpha, and says so, is in registered-before.test.ts.
it('eight overlapping windows found what one did not, and have less alpha each', () => {
  const random = numbers(9)
  const tables = createCosineTables()
  const design = {
    blockLength: 24,
    alpha: 0.05,
    minimumPairs: 100,
    minimumBlocks: 16,
    originsADay: hourlyADay(HOURS),
  }
  const [worlds, step] = [400, 240]
  const better = Array.from({ length: worlds }, () => {
    const all = Float64Array.from({ length: HOURS + 7 * step }, () => random() + random() - 1)
    return Array.from({ length: 8 }, (_, window) => {
      const values = all.subarray(step * window, step * window + HOURS)
      const test = { name: 'loss', components: [{ values }], memory: 'hours' as const }
      const { p, counts } = judgedTest(test, design, tables)
      return (counts.observed ?? 0) < 0 ? (p ?? 1) : 1
    })
  })
  const share = (found: (windows: readonly number[]) => boolean) =>
    better.filter(found).length / worlds
  const once = share(([first = 1]) => first <= 0.05)
  const eight = share((windows) => windows.some((p) => p <= 0.05))
  const divided = share((windows) =>
    windows.some((p, at) => p <= 0.05 / (at === 0 ? 1 : (at + 1) * (at + 2))),
  )
  expect(once).toBeLessThanOrEqual(0.025)
  expect(eight).toBeGreaterThan(3 * once)
  // One side of 1.5 alpha.
  expect(divided).toBeLessThanOrEqual(0.0375)
})
