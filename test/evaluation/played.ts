import { formatStored, type Instant, MICROS_PER_DAY } from '../../src/contract/instant.js'
import { compareText } from '../../src/contract/order.js'
import type { Plan, SeriesProtocol } from '../../src/contract/types.js'
import { seriesTask } from '../../src/evaluation/task.js'
import type { PairingRow } from '../../src/forecast/row.js'
import { describePeriods, type PeriodList } from '../../src/periods/list.js'
import { draftPlan } from '../../src/registration/template.js'
import type { Releases } from '../../src/truth/releases.js'
import { createTruth, createTruthManifest } from '../../src/truth/releases-vintage.js'
import { exampleProtocol } from '../registration/series-examples.js'
import { normals, numbers } from '../support/random.js'
import { BARE, batches, resultOf } from './made.js'
import { seriesBasis } from './series-world.js'

/** The made world of games under a protocol of version 2: values are walks, a candidate goes a share of the way of each move. */

const START = Date.UTC(2025, 0, 1) * 1000
export const [FIRST, LAST] = [60, 179]
const PERIODS_OF_LIST = 190

export interface Player {
  readonly id: string
  readonly group?: string
  readonly from?: string
  /** Of the loss of persistence, what the candidate's is: 0.8 is a fifth better. */
  readonly loss: number
  /** How far its values move. */
  readonly size?: number
}

export interface Game {
  readonly series: readonly Player[]
  /** Whether an outcome was left out, by what the candidate lost more than persistence there. */
  readonly isLeftOut?: (id: string, at: number, worse: number) => boolean
  /** The value of a period, in the place of a step of a walk. @param noise - about 0, at most 1.5. */
  readonly value?: (before: number, noise: number, at: number) => number
  /** How many periods there are, and the first and the last origin. */
  readonly count?: number
  readonly window?: readonly [first: number, last: number]
  /** The last origin that is scored, where that is not the last of the window. */
  readonly through?: number
  /** What the candidate says of a move, in the place of its share of the way. @param before - the value at the origin. */
  readonly says?: (before: number, value: number, at: number, step: number) => number
  /** Whether the candidate says nothing there, by what it would have lost more than persistence. */
  readonly isSilent?: (worse: number, id: string) => boolean
  /** When a period begins, in microseconds from the first on, and how long it lasts; days unless said otherwise. */
  readonly starts?: (at: number) => number
  readonly length?: number
  /** How long after its end a value is known, where the protocol names the column. */
  readonly known?: (at: number) => number
  /** How long after the end of a period a forecast of it is due, where the protocol names the column; and how much later a value is dated. */
  readonly due?: (at: number) => number
  readonly dated?: number
  /** How many periods on the targets of an origin lie, where the list says it. */
  readonly steps?: (at: number) => readonly number[]
  /** How a value is published, in the place of once, and dated. */
  readonly published?: (value: number, end: Instant, at: number) => Releases
  /** Quantiles of the candidate, about what it says. */
  readonly spread?: (level: number) => number
  /** Another model of the history. */
  readonly rival?: { readonly name: string } & Required<Pick<Game, 'says'>>
  readonly protocol?: Partial<SeriesProtocol>
  readonly plan?: Partial<Plan>
}

/** How a candidate without skill is off at a period, beside what `loss` says. */
const luck = numbers(11)
const LUCK = Array.from({ length: 100 * PERIODS_OF_LIST }, () => luck())

export async function played({ series, length = MICROS_PER_DAY, ...game }: Game) {
  const { isLeftOut = () => false, isSilent = () => false, says } = game
  const { starts = (at: number) => at * length, count = PERIODS_OF_LIST } = game
  const { window: [first, last] = [FIRST, LAST], value: made } = game
  const next = numbers(3)
  const periods: PeriodList = Array.from({ length: count }, (_, at) => ({
    label: `D${at}`,
    ...{ start: START + starts(at), end: START + starts(at) + length },
    ...(game.due && { due: START + starts(at) + length + game.due(at) }),
    ...(game.known && { known: START + starts(at) + length + game.known(at) }),
    ...(game.steps && { steps: game.steps(at) }),
  }))
  const protocol: SeriesProtocol = {
    ...exampleProtocol('weekly', periods),
    series: series.map(({ loss: _, size: _size, ...each }) => ({
      ...{ ...each, unit: 'u', source: 's' },
    })),
    zone: 'UTC',
    periods: { ...describePeriods(periods), made_by: 'a test' },
    origins: { due: { anchor: 'end', offset: 'PT5M' } },
    outcome: {
      known: { anchor: 'end', offset: 'PT0S' },
      over: 'end',
      release: { rule: 'unrevised', wait: 'PT1H' },
    },
    horizons: [1],
    forecast: { point: 'median', levels: [], integer: false },
    scores: [{ id: 'ae', kind: 'absolute_error', primary: true }],
    scaling: { kind: 'none' },
    baselines: [{ id: 'last', kind: 'persistence' }],
    comparisons: { required: ['last'] },
    dependence: { block_origins: 2, minimum_blocks: 10, minimum_pairs: 50 },
    ...game.protocol,
  }
  const rows: PairingRow[] = []
  const table = series.map(({ id, loss, size = 1 }, index) => {
    const values = [1000]
    const own = periods.map(({ label, end }, at) => {
      const noise = next() + next() + next() - 1.5
      const back = (steps: number) => values[Math.max(0, at + 1 - steps)] as number
      const value = made?.(back(1), noise, at) ?? back(1) + size * noise
      values.push(value)
      // As often further off as nearer.
      const off = loss * (LUCK[index * PERIODS_OF_LIST + at]! < 0.5 ? 0.6 : 1.4)
      const tried = protocol.horizons.map((step) => {
        const before = back(Math.max(1, step))
        const forecast = says?.(before, value, at, step) ?? value - off * (value - before)
        return { step, forecast, worse: Math.abs(forecast - value) - Math.abs(value - before) }
      })
      for (const { step, forecast, worse } of tried) {
        const origin = at - step
        if (origin < first || origin > last || isSilent(worse, id)) continue
        const steps = periods[origin]!.steps
        if (steps && !steps.includes(step)) continue
        const { levels } = protocol.forecast
        const said = (model: string, point: number) => ({
          ...{ ...BARE, series: id, originAt: `D${origin}`, model, horizon: step, attempt: null },
          ...{ generatedAt: formatStored(periods[origin]!.start), forecast: point, levels },
          quantiles: levels.map((level) => point + (game.spread?.(Number(level)) ?? 0)),
        })
        rows.push(said('mine', forecast))
        if (!game.rival) continue
        const theirs = game.rival.says(back(Math.max(1, step)), value, at, step)
        rows.push(said(game.rival.name, theirs))
      }
      const worse = tried[0]!.worse
      const left = isLeftOut(id, at, worse)
      const once = [{ asOf: end + (game.dated ?? 0), value }]
      return [label, left ? [] : (game.published?.(value, end, at) ?? once)] as const
    })
    return [id, new Map(own.filter(([, releases]) => releases.length > 0))] as const
  })
  const completeTo = periods.at(-1)!.end + MICROS_PER_DAY
  const given = { table: new Map(table), sha256: 'a'.repeat(64), source: 's', input: null }
  const vintage = createTruth(createTruthManifest({ ...given, completeTo }), given.table)
  const basis = seriesBasis(
    { protocol, periods, vintage },
    {
      ...draftPlan({
        mode: 'prospective',
        window: { from: `D${first}`, to: `D${last}` },
        source: 's',
      }),
      candidates: ['mine'],
      ...game.plan,
    },
    // Scales need values before it.
    START + starts(first),
  )
  const origin = (row: PairingRow) => Number(row.originAt.slice(1))
  const sorted = rows.sort(
    (a, b) =>
      compareText(a.series, b.series) ||
      origin(a) - origin(b) ||
      a.horizon - b.horizon ||
      compareText(a.model, b.model),
  )
  const origins = basis.origins.filter((at) => at <= (game.through ?? last))
  const task = seriesTask({ ...basis, origins })
  const { result, cells } = await resultOf(task, () => batches(sorted))
  const [found] = result.dispositions
  const { disposition, reasons } = found!
  return { disposition, reasons, codes: reasons.map(({ code }) => code), result, cells, basis }
}

export const several = (count: number, of: Omit<Player, 'id'>, name = 's'): Player[] =>
  Array.from({ length: count }, (_, at) => ({ ...of, id: `${name}${at + 10}` }))

/** Walks of which a share of the time, by period, is over when its forecast is due; the candidate copies the value of then. */
export function copied(seed: number, over: (at: number) => number, size = (_: number) => 1) {
  const random = normals(seed)
  let atDue = 0
  return {
    value: (before: number, _: number, at: number) => {
      atDue = before + size(at) * Math.sqrt(over(at)) * random()
      return atDue + size(at) * Math.sqrt(1 - over(at)) * random()
    },
    says: () => atDue,
  } satisfies Partial<Game>
}
