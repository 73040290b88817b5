import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkResult } from '../../src/contract/generated/check-result.js'
import { MICROS_PER_DAY, MICROS_PER_HOUR } from '../../src/contract/instant.js'
import type { SeriesProtocol } from '../../src/contract/types.js'
import type { SeriesTaskBasis } from '../../src/evaluation/plan.js'
import { seriesTask } from '../../src/evaluation/task.js'
import type { PairingRow } from '../../src/forecast/row.js'
import { Memberships } from '../../src/pairing/accounting.js'
import { compileRules } from '../../src/protocol/rules/compile.js'
import { seriesStrata } from '../../src/registration/strata.js'
import { listTruth, NO_TRUTH } from '../../src/truth/shown-values.js'
import { GOLDEN, type GoldenExample, goldenBasis, near } from './golden-example.js'
import { batches, resultOf } from './made.js'
import { seriesWorld } from './series-world.js'

const text = (file: string) => JSON.parse(readFileSync(join(GOLDEN, file), 'utf8'))

interface Strata {
  readonly changes: Partial<SeriesProtocol>
  /** Labels of the origins of every level. */
  readonly levels: Readonly<Record<string, readonly string[]>>
  readonly tests: Readonly<Record<string, Readonly<Record<string, number>> | null>>
}

/** The result of an evaluation, and the levels of its origins. */
async function inLevels(basis: SeriesTaskBasis, rows: AsyncIterable<readonly PairingRow[]>) {
  const task = seriesTask(basis)
  const { sealed } = await resultOf(task, () => rows)
  return { sealed, memberships: new Memberships(task.plan.strata ?? [], task.plan.origins) }
}

describe('strata of the example daily', () => {
  it('have the levels and tests that were computed elsewhere', async () => {
    const golden: Strata = text('strata.json')
    const { daily }: Record<'daily', GoldenExample> = text('evaluation/evaluation.json')
    const { basis, rows } = await goldenBasis('daily', {
      ...daily,
      changes: { ...daily.changes, ...golden.changes },
    })
    const { memberships, sealed: result } = await inLevels(basis, rows())
    const levels = memberships.all.flatMap(({ stratum, level, mask }) => {
      const own = basis.origins.filter((_, at) => mask[at] === 1)
      const labels = own.map((origin) => basis.rules.calendar.label(origin))
      return level === undefined ? [] : [[`${stratum}/${level}`, labels] as const]
    })
    expect(Object.fromEntries(levels)).toEqual(golden.levels)
    expect(checkResult(result)).toEqual([])
    expect(result.strata.map(({ name, levels: of }) => [name, of.length])).toEqual([
      ['day', 2],
      ['turmoil', 2],
    ])
    const { tests } = result.reading
    const ofLevels = tests.filter(({ scope }) => scope.startsWith('stratum:'))
    expect(ofLevels.map(({ name }) => name).sort()).toEqual(Object.keys(golden.tests).sort())
    for (const test of ofLevels) {
      const own = golden.tests[test.name]
      expect([test.name, test.decides, test.p === null]).toEqual([test.name, false, !own])
      if (!own) continue
      expect([test.name, test.degrees_of_freedom, test.pairs]).toEqual([
        ...[test.name, own.nu, own.pairs],
      ])
      near(test.observed ?? Number.NaN, own.estimate as number, 1e-10, `${test.name} difference`)
      near(test.standard_error ?? Number.NaN, own.error as number, 1e-10, `${test.name} error`)
      near(test.p ?? Number.NaN, own.p as number, 1e-10, `${test.name} p`)
    }
    // All other tests share three tenths of alpha, and those of levels one tenth.
    const shareOf = (of: typeof tests) => of.reduce((sum, { weight }) => sum + Number(weight), 0)
    expect(shareOf(ofLevels)).toBeCloseTo(0.1, 12)
    expect(shareOf(tests)).toBeCloseTo(0.4, 12)
    const overall = result.reading.accounting.filter(({ step }) => step === 'overall')
    expect(new Set(overall.map(({ scope }) => scope))).toContain('stratum:turmoil=calm')
  })
})

describe('levels of origins', () => {
  it('follow the clock of the zone, over a change of it too', () => {
    const { protocol } = seriesWorld({ origins: 20 })
    // From midnight of the day on which summer begins in Berlin: it has no hour 2.
    const start = Date.UTC(2027, 2, 27, 23) * 1000
    const hours = Array.from({ length: 48 }, (_, at) => ({
      label: `H${at}`,
      ...{ start: start + at * MICROS_PER_HOUR, end: start + (at + 1) * MICROS_PER_HOUR },
    }))
    const strata: SeriesProtocol['strata'] = [
      {
        ...{ name: 'hour', by: 'hour_of_day' },
        levels: [0, 1, 2, 3, 4].map((hour) => ({ level: String(hour), hours: [hour] })),
      },
      {
        ...{ name: 'day', by: 'weekday' },
        levels: [
          { level: 'sunday', days: ['sun'] },
          { level: 'monday', days: ['mon'] },
        ],
      },
    ]
    const rules = compileRules({ ...protocol, zone: 'Europe/Berlin', strata }, hours)
    const [hour, day] = seriesStrata(rules, NO_TRUTH)
    expect([0, 1, 2, 3, 4].map((at) => hour?.levelAt(at))).toEqual(['0', '1', '3', '4', undefined])
    expect([22, 23].map((at) => day?.levelAt(at))).toEqual(['sunday', 'monday'])
  })

  const TURMOIL: SeriesProtocol['strata'] = [
    {
      ...{ name: 'turmoil', by: 'past_volatility', series: 'US', changes: 4 },
      transform: { kind: 'log' },
      levels: [{ level: 'calm', below: '0.06' }, { level: 'rough' }],
    },
  ]

  it('by volatility see what is public when forecasts are due, and nothing later', () => {
    const world = seriesWorld({ protocol: { strata: TURMOIL } })
    const { rules, periods, truth, origins } = world
    const levels = (of: typeof truth) => {
      const [stratum] = seriesStrata(rules, listTruth(of, periods, rules))
      return origins.map((origin) => stratum?.levelAt(origin))
    }
    const found = levels(truth)
    expect(new Set(found)).toEqual(new Set(['calm', 'rough']))
    // Every release is changed that a forecast of one origin could not have seen, by its date or that of its period.
    const middle = 40
    const due = rules.due(origins[middle] as number)
    const change = (isChanged: (seen: number) => boolean): typeof truth => ({
      ...truth,
      releases: (series, period) =>
        truth.releases(series, period).map((release) => {
          const seen = Math.max(release.asOf, rules.known(period))
          return isChanged(seen) ? { ...release, value: 1 + (period % 5) ** 4 } : release
        }),
    })
    const later = levels(change((seen) => seen > due))
    expect(later.slice(0, middle + 1)).toEqual(found.slice(0, middle + 1))
    expect(later).not.toEqual(found)
    const day = levels(change((seen) => seen > due - 14 * MICROS_PER_DAY && seen <= due))
    expect([found[middle], day[middle]]).toContain('calm')
    expect(day[middle]).toBe('rough')
  })

  it('by volatility are none where a value is missing', async () => {
    const { rows, ...basis } = seriesWorld({
      protocol: { strata: [{ ...TURMOIL[0]!, series: '53' }] },
    })
    const { memberships } = await inLevels(basis, batches(rows))
    const none = memberships.all.find(({ level }) => level === undefined)
    const without = basis.origins.filter((_, at) => none?.mask[at] === 1)
    // Weeks 77 and 78 have no value; the newest one seen is that of two weeks before the origin, and five are needed.
    const labels = without.map((origin) => basis.rules.calendar.label(origin))
    expect([labels[0], labels.length]).toEqual(['W081', 4])
  })
})
