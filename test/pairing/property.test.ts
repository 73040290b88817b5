import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MICROS_PER_HOUR } from '../../src/contract/instant.js'
import { compareText } from '../../src/contract/order.js'
import { HOURLY_LEVELS, type PairingRow } from '../../src/forecast/row.js'
import { csvWriter, ndjsonWriter } from '../../src/pairing/lines.js'
import { STATUS_OF, STATUSES } from '../../src/pairing/paired-attempt.js'
import { HOURS } from '../../src/protocol/rules/calendar.js'
import { at, attemptsOf, type HourlyPlan, inOrder, row, summarised } from './made.js'

const START = at('2024-05-01T00:00:00Z')
const text = (instant: number) => new Date(instant / 1000).toISOString().replace('Z', '+00:00')

const price = fc.oneof(fc.constantFrom(null, 0, -1, Number.NaN, 61_000), fc.double())
const time = fc.oneof(
  fc.constantFrom(null, 'never', '2024-05-01T00:00:00', '2024-05-01T00:00:00Z'),
  fc.integer({ min: -5, max: 40 }).map((hour) => text(START + hour * MICROS_PER_HOUR)),
)
const names = ['a', 'b', 'ä', '\u{1f600}', '\uffee']

const anyRow: fc.Arbitrary<{ hour: number; row: PairingRow }> = fc
  .record({
    hour: fc.constantFrom(0, 1, 2, 3, 4, 5, 6, 0.5, 3.25),
    horizon: fc.constantFrom(2, 4, 8, 16, 3, Number.NaN),
    model: fc.constantFrom(...names, 'unknown'),
    change: fc.record(
      {
        targetAt: time,
        generatedAt: time,
        sourcePrice: price,
        forecast: price,
        q10: price,
        q50: price,
        q90: price,
        level: fc.constantFrom(0.8, 0.9),
        attempt: fc.constantFrom(null, 'failed' as const, 'abstained' as const),
        inputAvailableAt: time,
        selectionDataThrough: time,
        vintageId: fc.constantFrom(null, 'v'),
        vintageSha256: fc.constantFrom(null, 'x'),
      },
      { requiredKeys: [] },
    ),
  })
  .map(({ hour, horizon, model, change }) => ({
    hour,
    row: row(text(START + hour * MICROS_PER_HOUR), horizon, model, change),
  }))

const anyRows = fc
  .uniqueArray(anyRow, {
    maxLength: 80,
    selector: ({ hour, row: { horizon, model } }) => `${hour} ${horizon} ${model}`,
  })
  .map((all) => inOrder(all.map((one) => one.row)))

const anyPlan: fc.Arbitrary<HourlyPlan> = fc.record({
  from: fc.integer({ min: 0, max: 2 }).map((hour) => START + hour * MICROS_PER_HOUR - 1),
  to: fc.integer({ min: 3, max: 8 }).map((hour) => START + hour * MICROS_PER_HOUR),
  models: fc.subarray(names, { minLength: 1 }),
  horizons: fc.constant([2, 4, 8, 16]),
  asOf: fc.integer({ min: 0, max: 30 }).map((hour) => START + hour * MICROS_PER_HOUR),
  mode: fc.constantFrom('prospective' as const, 'backtest' as const),
  registeredAt: fc.integer({ min: 0, max: 4 }).map((hour) => START + hour * MICROS_PER_HOUR),
  provenanceRequired: fc.boolean(),
})

const closes = {
  closeAt: (instant: number) => ((instant / MICROS_PER_HOUR) % 7 === 0 ? undefined : 60_000),
}

describe('with any rows', () => {
  it('every key of the grid has one verdict, which follows from its reason, in order, and the counts add up', async () => {
    await fc.assert(
      fc.asyncProperty(anyPlan, anyRows, async (plan, rows) => {
        const attempts = await attemptsOf(plan, closes, rows)
        const summary = summarised(plan, attempts)
        const origins = Math.floor((plan.to - START) / MICROS_PER_HOUR) + 1
        const skipped = Math.ceil((plan.from - START) / MICROS_PER_HOUR)
        const expected = attempts.filter((attempt) => attempt.expected)
        expect(expected).toHaveLength((origins - skipped) * 4 * plan.models.length)
        expect(summary.total.expected).toBe(expected.length)
        for (const status of STATUSES) {
          const count = expected.filter((attempt) => attempt.status === status).length
          expect(summary.total[status]).toBe(count)
        }
        const keys = attempts.map((one) => `${one.origin} ${one.horizon} ${one.model}`)
        expect(new Set(keys).size).toBe(keys.length)
        for (let index = 1; index < attempts.length; index++) {
          const [a, b] = [attempts[index - 1]!, attempts[index]!]
          const [early, late] = [a, b].map(({ horizon }) => horizon || 1e9) as [number, number]
          const step = a.origin! - b.origin! || early - late || compareText(a.model, b.model)
          expect(step).toBeLessThan(0)
        }
        const inWindow = rows.filter((one) => {
          const origin = at(one.originAt)
          return origin >= plan.from && origin <= plan.to
        })
        const beside = attempts.filter((attempt) => !attempt.expected)
        expect(beside.length).toBe(summary.outside.count)
        expect(beside.every((attempt) => attempt.status === 'ineligible')).toBe(true)
        const placed = inWindow.filter(
          (one) =>
            at(one.originAt) % MICROS_PER_HOUR === 0 &&
            plan.horizons.includes(one.horizon) &&
            plan.models.includes(one.model),
        )
        expect(placed.length + beside.length).toBe(inWindow.length)
        for (const { status, reason, intervalStatus, p0, p1 } of attempts) {
          expect(status).toBe(STATUS_OF[reason])
          if (intervalStatus === 'scored') expect(status).toBe('scored')
          expect(p1 !== null).toBe(status === 'scored')
          if (p0 !== null) expect(status).toBe('scored')
        }
      }),
      { numRuns: 300 },
    )
  })

  it('rows in any other order are refused, never paired wrongly', async () => {
    await fc.assert(
      fc.asyncProperty(anyPlan, anyRows, fc.nat(), async (plan, rows, at) => {
        fc.pre(rows.length > 1)
        const index = at % (rows.length - 1)
        const swapped = [...rows]
        swapped.splice(index, 2, rows[index + 1]!, rows[index]!)
        await expect(attemptsOf(plan, closes, swapped)).rejects.toThrow(/not in order/)
      }),
      { numRuns: 200 },
    )
  })

  it('a window in two parts gives the same verdicts as the whole', async () => {
    await fc.assert(
      fc.asyncProperty(anyPlan, anyRows, fc.constant(3), async (plan, rows, hour) => {
        const middle = START + hour * MICROS_PER_HOUR
        const lines = async (from: number, to: number) => {
          const writer = csvWriter(HOURS.label, HOURLY_LEVELS)
          const attempts = await attemptsOf({ ...plan, from, to }, closes, rows)
          return attempts.map((one) => writer.line(one)).join('')
        }
        const [before, after] = [await lines(plan.from, middle - 1), await lines(middle, plan.to)]
        expect(before + after).toBe(await lines(plan.from, plan.to))
      }),
      { numRuns: 100 },
    )
  })
})

describe('lines', () => {
  it('are JSON that says the attempt, with null where JSON has no word', async () => {
    await fc.assert(
      fc.asyncProperty(anyPlan, anyRows, async (plan, rows) => {
        const writer = ndjsonWriter(HOURS.label)
        for (const attempt of await attemptsOf(plan, closes, rows)) {
          const line = writer.line(attempt)
          expect(line.endsWith('\n')).toBe(true)
          const said = JSON.parse(line) as Record<string, unknown>
          expect(said).toMatchObject({
            model: attempt.model,
            status: attempt.status,
            reason: attempt.reason,
            interval_status: attempt.intervalStatus,
            expected: attempt.expected,
          })
          expect(Object.values(said)).not.toContain(undefined)
          expect(JSON.stringify(said)).toBe(line.trimEnd())
        }
      }),
      { numRuns: 50 },
    )
  })

  it('quote what CSV needs quoted', async () => {
    const attempt = (await attemptsOf({ ...PLAN_ONE, models: ['a,"b"\nc'] }, closes, []))[0]!
    expect(csvWriter(HOURS.label, HOURLY_LEVELS).line(attempt)).toBe(
      'BTC/USD,2024-05-01T01:00:00Z,2,2024-05-01T03:00:00Z,"a,""b""\nc",true,missing,outcome_missing,missing,,,,,2024-05-01T01:00:00Z,,,,\n',
    )
  })
})

const PLAN_ONE: HourlyPlan = {
  ...{ from: START + MICROS_PER_HOUR, to: START + MICROS_PER_HOUR, models: ['a'], horizons: [2] },
  ...{ asOf: START + 9 * MICROS_PER_HOUR, mode: 'backtest', provenanceRequired: false },
}

describe('what expects nothing is refused', () => {
  it.each([
    [{ from: START + 1, to: START + 2 }, /no origin/],
    [{ models: [] }, /no models/],
  ])('%j', async (plan, message) => {
    await expect(attemptsOf({ ...PLAN_ONE, ...plan }, closes, [])).rejects.toThrow(message)
  })

  it('a second spelling of one key is beside the grid', async () => {
    const rows = [row('2024-05-01T01:00:00Z', 2, 'a'), row('2024-05-01T03:00:00+02:00', 2, 'a')]
    const always = { closeAt: () => 60_000 }
    const attempts = await attemptsOf(PLAN_ONE, always, rows)
    expect(attempts.map(({ expected, reason }) => [expected, reason])).toEqual([
      [true, 'scored'],
      [false, 'timestamp_invalid'],
    ])
  })
})
