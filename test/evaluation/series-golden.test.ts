import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { seriesTask } from '../../src/evaluation/task.js'
import { readPairLine } from '../../src/pairing/lines.js'
import { type Reason, STATUS_OF } from '../../src/pairing/paired-attempt.js'
import { listScores } from '../../src/scoring/scores.js'
import { GOLDEN, type GoldenExample, goldenBasis, goldenText, near } from './golden-example.js'
import { resultOf } from './made.js'

type Bounds = Readonly<Record<string, readonly [lower: number, upper: number]>>

interface Golden extends GoldenExample {
  readonly scales: Readonly<Record<string, number>>
  readonly cells: readonly (readonly [string, number, boolean, boolean])[]
  readonly tests: Readonly<Record<string, Readonly<Record<string, number>> | null>>
  /** The same with the worst in the place of missing outcomes, and with the best. */
  readonly worst: Golden['tests']
  readonly best: Golden['tests']
  /** Overall, the comparator charged for waiting. */
  readonly overall_parts: Golden['tests']
  /** What waiting is worth, by comparator and step, or overall. */
  readonly waiting: Readonly<Record<string, number>>
  readonly nowcasts: readonly number[]
  readonly far_off: readonly string[]
  /** What an improvement has to reach, and what it is. */
  readonly floors: Readonly<Record<string, readonly [asked: number, found: number]>>
  /** Of groups. */
  readonly group_bounds: Readonly<Record<string, number>>
  /** Required comparators that cannot forecast half of the keys. */
  readonly not_asked: readonly string[]
  /** Shares of outcomes that are missing, where these are too many. */
  readonly missing: readonly number[]
  readonly means: Readonly<Record<string, number>>
  /** Of each candidate; null where it has no p. */
  readonly verdicts: Readonly<Record<string, number | null>>
  /** Of tests, and of candidates by their names. */
  readonly decisions: Readonly<Record<string, string>>
  readonly adjusted: Readonly<Record<string, number>>
  /** At alpha, at the level that the ladder leaves to a test, and of all deciding tests at once. */
  readonly bounds: Bounds
  readonly bounds_adjusted: Bounds
  readonly simultaneous: Bounds
  readonly dispositions: Readonly<Record<string, string>>
}
const CASES = JSON.parse(readFileSync(join(GOLDEN, 'evaluation/evaluation.json'), 'utf8')) as {
  readonly [name in Name]: Golden
}
type Name = 'weekly' | 'load' | 'daily'

/** What has to become of every expected attempt, by model, series, origin and horizon. */
function expectedPairs(name: Name, levels: number) {
  const [, ...lines] = goldenText(`${name}-pairs`).trimEnd().split('\n')
  return new Map(
    lines.map((line) => {
      const [model, series, origin, horizon, reason = '', ...rest] = line.split(',')
      const numbers = rest.map((cell) => (cell === '' ? Number.NaN : Number(cell)))
      const own = { reason, quantiles: numbers.slice(0, levels), losses: numbers.slice(levels) }
      return [[model, series, origin, horizon].join(), own] as const
    }),
  )
}

/** Imports what the other program wrote, registers and scores it. */
async function evaluated(name: Name) {
  const golden = CASES[name]
  const { basis, rows } = await goldenBasis(name, golden)
  const { protocol, registration } = basis
  return { golden, protocol, registration, ...(await resultOf(seriesTask(basis), rows)) }
}

function nearBounds(
  found: { readonly lower: number; readonly upper: number } | null | undefined,
  [lower, upper]: readonly number[] = [],
  what: string,
): void {
  near(found?.lower ?? Number.NaN, lower ?? Number.NaN, 1e-10, what)
  near(found?.upper ?? Number.NaN, upper ?? Number.NaN, 1e-10, what)
}

describe.each(Object.keys(CASES) as Name[])(
  'the example %s, paired and scored elsewhere',
  (name) => {
    it('has the same reasons, forecasts of baselines, losses, means and tests', async () => {
      const { golden, protocol, registration, result, cells, text } = await evaluated(name)
      const scales = Object.entries(golden.scales).map(([series, value]) => {
        return { series, transform: 'identity', value }
      })
      for (const [index, { value, series }] of registration.scales.entries()) {
        near(value, scales[index]?.value ?? Number.NaN, 1e-12, `scale ${series}`)
      }
      expect(registration.scales).toMatchObject(scales.map(({ value: _, ...of }) => of))
      const everywhere = protocol.series.map(({ id }) => id)
      expect(registration.not_asked).toEqual(
        golden.not_asked.map((comparator) => ({ comparator, series: everywhere })),
      )
      const { levels } = protocol.forecast
      const wanted = expectedPairs(name, levels.length)
      const scores = listScores(protocol, scales)
      const middle = levels.indexOf('0.5')
      const ofPersistence = protocol.baselines.filter(({ kind }) => kind === 'persistence')
      const persistent = ofPersistence.map(({ id }) => id)
      const lines = text.trimEnd().split('\n').map(readPairLine)
      expect(lines).toHaveLength(wanted.size)
      const others: unknown[] = []
      for (const line of lines) {
        if (line === undefined) throw new Error()
        const { model, series, origin, step, status, reason, outcome, value } = line
        const key = [model, series, origin, step].join()
        const own = wanted.get(key)
        if (own?.reason !== reason || STATUS_OF[reason as Reason] !== status) {
          others.push([key, reason, own?.reason])
          continue
        }
        if (reason !== 'scored') continue
        const quantiles = Float64Array.from(line.quantiles, Number)
        for (const [index, score] of scores.entries()) {
          const place = protocol.series.findIndex(({ id }) => id === series)
          const loss = score.of(
            Number(value),
            quantiles,
            Number(outcome),
            place,
            line.base ?? Number.NaN,
          )
          near(loss, own.losses[index] as number, 1e-12, `${key} ${score.id}`)
        }
        if (Number.isNaN(own.quantiles[0])) continue
        if (persistent.includes(model)) {
          near(line.base ?? Number.NaN, own.quantiles[middle] as number, 1e-12, `${key} base`)
        }
        for (const [index, quantile] of own.quantiles.entries()) {
          near(quantiles[index] as number, quantile, 1e-12, `${key} q${levels[index]}`)
        }
      }
      expect(others).toEqual([])
      expect(cells.map((cell) => [cell.series, cell.step, cell.in_test, cell.in_means])).toEqual(
        golden.cells,
      )
      for (const [key, mean] of Object.entries(golden.means)) {
        const [model, score = ''] = key.split('/')
        const all = result.measures.find(
          (each) => each.model === model && each.step === 'overall' && each.scope === 'all',
        )
        near(all?.means[score] ?? Number.NaN, mean, 1e-12, key)
      }
      expect(result.tests).toHaveLength(Object.keys(golden.tests).length)
      for (const test of result.tests) {
        const { candidate, comparator, step, scope } = test
        const where = scope === 'all' ? step : scope
        const turns = test.score === 'turns' ? ['turns'] : []
        const key = [candidate, comparator, ...turns, where].join('/')
        const own = golden.tests[key]
        expect([key, test.decision]).toEqual([key, golden.decisions[key]])
        if (!own) continue
        expect([key, test.degrees_of_freedom, test.effective_blocks, test.pairs]).toEqual([
          ...[key, own.nu, own.blocks, own.pairs],
        ])
        near((test.observed ?? Number.NaN) / (own.estimate as number), 1, 1e-10, `${key} estimate`)
        near((test.standard_error ?? Number.NaN) / (own.error as number), 1, 1e-10, `${key} error`)
        near(test.p ?? Number.NaN, own.p as number, 1e-10, `${key} p`)
        near(test.p_adjusted ?? Number.NaN, golden.adjusted[key] ?? 0, 1e-10, `${key} adjusted`)
        nearBounds(test.bounds, golden.bounds[key], `${key} bounds`)
        nearBounds(test.bounds_adjusted, golden.bounds_adjusted[key], `${key} adjusted bounds`)
        if (scope !== 'all') {
          const bound = golden.group_bounds[key] ?? Number.NaN
          // Of a direction there is none.
          if (test.group_bound === null) expect([key, bound]).toEqual([key, Number.NaN])
          else near(test.group_bound ?? Number.NaN, bound, 1e-10, `${key} bound`)
          expect(test.bounds_simultaneous).toBeNull()
          continue
        }
        nearBounds(test.bounds_simultaneous, golden.simultaneous[key], `${key} simultaneous`)
      }
      for (const { reasons } of result.dispositions) {
        const missing = reasons.filter(({ code }) => code === 'outcomes_missing')
        expect(missing.map(({ found }) => found)).toEqual(golden.missing)
      }
      expect(result.nowcasts).toEqual(golden.nowcasts)
      expect(result.far_off).toEqual(golden.far_off)
      const waiting = new Map(
        result.waiting.map((each) => [`${each.comparator}/${each.step}`, each.w]),
      )
      expect([...waiting.keys()]).toEqual(Object.keys(golden.waiting))
      for (const [key, worth] of Object.entries(golden.waiting)) {
        near(waiting.get(key) ?? Number.NaN, worth, 1e-10, `waiting ${key}`)
      }
      for (const { candidate, reasons } of result.dispositions) {
        for (const { code, comparator, found, limit } of reasons) {
          const [asked, gained] = golden.floors[`${candidate}/${comparator}/overall`] ?? []
          const isMet = code === 'improvement_established'
          if (!isMet && code !== 'practical_floor_not_reached') continue
          near(limit ?? Number.NaN, asked ?? 0, 1e-10, `${candidate} floor`)
          near(found ?? Number.NaN, gained ?? 0, 1e-10, `${candidate} estimate`)
          expect(Number(gained) >= Number(asked)).toBe(isMet)
        }
      }
      const words = result.dispositions.map(({ candidate, disposition }) => [
        candidate,
        disposition,
      ])
      expect(Object.fromEntries(words)).toEqual(golden.dispositions)
      for (const { candidate, p, p_adjusted: adjusted, parts } of result.verdicts) {
        for (const part of parts.filter(({ p, score }) => p !== null && score !== 'turns')) {
          const key = [candidate, part.comparator, part.step].join('/')
          const own = (part.step === 'overall' ? golden.overall_parts : golden.worst)[key]
          near(part.observed ?? Number.NaN, own?.estimate ?? 0, 1e-10, `${key} worst`)
        }
        near(p ?? -1, golden.verdicts[candidate] ?? -1, 1e-10, candidate)
        near(adjusted ?? -1, golden.adjusted[candidate] ?? -1, 1e-10, `${candidate} adjusted`)
      }
    })
  },
)
