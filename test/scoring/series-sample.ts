import type { SeriesProtocol } from '../../src/contract/types.js'
import type { SeriesTimes } from '../../src/periods/series-times.js'
import { ALWAYS, type Releases } from '../../src/truth/releases.js'
import { createSeriesTruth } from '../../src/truth/series-truth.js'

/** Instants (null: not said) and values (null: withdrawn) of a period. */
export type Released = readonly (readonly [number | null, number | null])[]

/** What a case of series.json and tests say: a protocol with its times and outcomes, which are those of series s0, s1, … */
export interface SeriesCase {
  /** Of periods; where absent, they have an hour each. */
  readonly starts?: readonly number[]
  readonly ends?: readonly number[]
  readonly due: readonly number[]
  readonly known: readonly number[]
  readonly settled: readonly number[]
  readonly origins: readonly number[]
  readonly horizons: readonly number[]
  readonly levels: readonly string[]
  readonly minimum: string | null
  readonly integer: boolean
  readonly release: SeriesProtocol['outcome']['release']
  readonly baselines: SeriesProtocol['baselines']
  readonly scores: SeriesProtocol['scores']
  readonly scaling: SeriesProtocol['scaling']
  readonly truth: readonly (readonly Released[])[]
}

const HOUR = 3_600_000_000

export const ABSOLUTE: SeriesProtocol['scores'] = [
  { id: 'ae', kind: 'absolute_error', primary: true },
]

export function inputsOf(given: SeriesCase) {
  const { levels, minimum, integer, release, baselines, scores, scaling, horizons, origins } = given
  const protocol = {
    series: given.truth.map((_, at) => ({ id: `s${at}` })),
    horizons,
    outcome: { release },
    forecast: { point: 'median', levels, ...(minimum !== null && { minimum }), integer },
    scores,
    scaling,
    baselines,
  } as unknown as SeriesProtocol
  const periods = given.due.map((_, at) => ({
    label: `p${at}`,
    start: given.starts?.[at] ?? at * HOUR,
    end: given.ends?.[at] ?? (at + 1) * HOUR,
  }))
  const times: SeriesTimes = {
    due: (at) => given.due[at] as number,
    known: (at) => given.known[at] as number,
    settled: (at) => given.settled[at] as number,
    targetsAt: (at) =>
      origins.includes(at) ? horizons.filter((step) => periods[at + step] !== undefined) : [],
  }
  const releases = (series: string, period: string): Releases =>
    (given.truth[Number(series.slice(1))]?.[Number(period.slice(1))] ?? []).map(([at, value]) => ({
      asOf: at ?? ALWAYS,
      value: value ?? undefined,
    }))
  const vintage = { manifest: undefined as never, releases }
  return {
    protocol,
    periods,
    times,
    truth: createSeriesTruth({ ...protocol, ...times }, periods, vintage),
  }
}
