import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MICROS_PER_HOUR, MICROS_PER_MINUTE } from '../../src/contract/instant.js'
import { FILES } from '../../src/evaluation/evidence/folder.js'
import { saidAttempts } from '../../src/evaluation/evidence/pairs-said.js'
import type { Documents } from '../../src/evaluation/load.js'
import type { PairingRow } from '../../src/forecast/row.js'
import { ndjsonWriter, readPairLine } from '../../src/pairing/lines.js'
import { pairAttempts } from '../../src/pairing/pair.js'
import { isLate, type PairedAttempt } from '../../src/pairing/paired-attempt.js'
import type { PairingPlan } from '../../src/pairing/plan.js'
import { HOURS as CALENDAR } from '../../src/protocol/rules/calendar.js'
import { closesTruth } from '../../src/truth/closes/closes-truth.js'
import { at, hourlyPlan, inOrder, recorded, row } from '../pairing/made.js'
import { temporaryFolder } from '../support/folder.js'
import { writeText } from '../support/text-file.js'

const START = at('2025-03-01T00:00:00Z')
const HOURS = 6
const text = (hour: number) =>
  new Date((START + hour * MICROS_PER_HOUR) / 1000).toISOString().replace('.000Z', '+00:00')
const documents = { protocol: {}, registration: { commitment: 'witnessed' } } as never as Documents

const price = fc.constantFrom(null, 0, -1, Number.NaN, Number.POSITIVE_INFINITY, 61_000)
const anyRow = fc.record({
  hour: fc.integer({ min: 0, max: HOURS }),
  horizon: fc.constantFrom(2, 4),
  attempt: fc.constantFrom(null, null, null, 'failed' as const),
  hasForecast: fc.constantFrom(true, true, true, false),
  change: fc.record(
    {
      sourcePrice: price,
      forecast: price,
      q10: price,
      q50: fc.constantFrom(60_000, null),
      q90: price,
      level: fc.constantFrom(0.8, 0.9),
    },
    { requiredKeys: [] },
  ),
})

const anyRows = fc.uniqueArray(anyRow, {
  maxLength: 20,
  selector: ({ hour, horizon }) => `${hour} ${horizon}`,
})

const anyWorld = fc.record({
  rows: anyRows.map((all) =>
    inOrder(
      all.map(({ hour, horizon, attempt, hasForecast, change }) => {
        const own = { ...change, attempt, generatedAt: text(hour) }
        return attempt !== null && !hasForecast
          ? recorded(text(hour), horizon, 'a', attempt)
          : row(text(hour), horizon, 'a', own)
      }),
    ),
  ),
  /** In minutes after the origin; none is never. */
  delays: fc.array(fc.constantFrom(0, 10, 90, null), { minLength: 14, maxLength: 14 }),
  /** Hours whose close is not there. */
  gaps: fc.uniqueArray(fc.integer({ min: 0, max: HOURS + 4 }), { maxLength: 3 }),
  registered: fc.integer({ min: 0, max: 4 }),
  forVerdict: fc.boolean(),
  asOf: fc.constantFrom(HOURS + 4, HOURS),
})

type MadeWorld = typeof anyWorld extends fc.Arbitrary<infer T> ? T : never

function planOf({ delays, gaps, registered, forVerdict, asOf }: MadeWorld): PairingPlan {
  const hourOf = (instant: number) => (instant - START) / MICROS_PER_HOUR
  const committed = (hour: number, { horizon }: { horizon: number }) => {
    const origin = hour * MICROS_PER_HOUR
    const delay = delays[hourOf(origin) * 2 + (horizon === 2 ? 0 : 1)] ?? null
    return delay === null ? undefined : origin + delay * MICROS_PER_MINUTE
  }
  const window = { from: START, to: START + HOURS * MICROS_PER_HOUR }
  return hourlyPlan(
    {
      ...{ ...window, horizons: [2, 4], models: ['a', 'b'], mode: 'prospective', forVerdict },
      ...{ asOf: START + asOf * MICROS_PER_HOUR, publicationLag: 60 * MICROS_PER_MINUTE },
      ...{ provenanceRequired: false, commitment: { committed }, builtIn: new Set(['b']) },
      registeredAt: START + registered * MICROS_PER_HOUR,
    },
    closesTruth({
      first: START,
      closeAt: (instant) => (gaps.includes(hourOf(instant)) ? undefined : 60_000 + hourOf(instant)),
    }),
  )
}

const writer = ndjsonWriter(CALENDAR.label)
async function linesOf(
  attempts: AsyncIterable<Iterable<PairedAttempt>>,
  isSecond = false,
): Promise<string[]> {
  const lines: string[] = []
  for await (const some of attempts) {
    for (const each of some) lines.push(writer.line(isSecond ? (each.second ?? each) : each))
  }
  return lines
}

/** Without bounds that are not scored: no line of a late forecast has those of another level. */
const scoredParts = (lines: readonly string[]) =>
  lines.map((text) => {
    const line = readPairLine(text)!
    const bounds = line.interval_status === 'scored' ? {} : { quantiles: [] }
    return { ...line, ...bounds }
  })

const paired = (plan: PairingPlan, rows: readonly PairingRow[]) =>
  pairAttempts(
    plan,
    (async function* () {
      yield rows
    })(),
  )

describe('forecasts that were late, read from the pairs alone', () => {
  const folder = temporaryFolder()

  it('are in both readings what the history says', async () => {
    let late = 0
    await fc.assert(
      fc.asyncProperty(anyWorld, async (world) => {
        const plan = planOf(world)
        const stored = await linesOf(paired(plan, world.rows))
        late += stored.filter((line) => line.includes('"committed_late"')).length
        writeText(join(folder, FILES.pairs), stored.join(''))
        // An auditor without the history has no log of it either.
        const { commitment: _, ...alone } = plan
        const own = { ...alone, isReadTwice: true }
        for (const isSecond of [false, true]) {
          const said = saidAttempts(paired(own, []), own, folder, documents, plan.builtIn)
          const whole = paired({ ...plan, isReadTwice: true }, world.rows)
          expect(scoredParts(await linesOf(said, isSecond))).toEqual(
            scoredParts(await linesOf(whole, isSecond)),
          )
        }
      }),
      { numRuns: 300 },
    )
    expect(late).toBeGreaterThan(100)
  })

  it('have their outcome beside them exactly where they could be scored', async () => {
    const at = (hour: number, change: object = {}) => row(text(hour), 2, 'a', change)
    const rows = [at(0), at(1, { sourcePrice: 0 }), at(2), at(3, { level: 0.9 }), at(4)]
    const delays = Array.from({ length: 14 }, (_, index) => (index === 8 ? 0 : null))
    const made = { rows, delays, gaps: [4], registered: 0, forVerdict: false, asOf: 10 }
    const lines = (await linesOf(paired(planOf(made), rows)))
      .map((line) => readPairLine(line)!)
      .filter(({ model, step }) => model === 'a' && step === 2)
      .slice(0, 5)
    expect(lines.map((line) => [line.reason, line.outcome, line.quantiles[2]])).toEqual([
      ['not_committed', 60_002, 118_000],
      ['not_committed', null, 118_000],
      ['outcome_missing', null, 118_000],
      // Bounds of another level are no quantiles of these.
      ['not_committed', 60_005, null],
      // Its origin has no close: only the direction needs one.
      ['scored', 60_006, 118_000],
    ])
    expect(
      lines.every(({ reason, status }) => !isLate(reason as never) || status === 'ineligible'),
    ).toBe(true)
  })
})
