import type { SeriesProtocol } from '../../src/contract/types.js'

type Season = NonNullable<SeriesProtocol['baselines'][number]['season']>

/** The standard comparators that a protocol has to require: where tests of any series get theirs. */
export interface StandardOptions {
  /** Those that are longer than its periods, and that its list reaches over. */
  readonly seasons?: readonly Season[]
  /** Absent for a protocol without quantiles. */
  readonly errors?: SeriesProtocol['baselines'][number]['errors']
  /** The id of persistence. */
  readonly last?: string
}

/** Persistence, drift, climatology and, for each season, both that go by it: members of a protocol. */
export function standard({
  seasons = [],
  errors,
  last = 'last',
}: StandardOptions = {}): Pick<SeriesProtocol, 'baselines' | 'comparisons'> {
  const by = errors && { errors }
  const baselines: SeriesProtocol['baselines'] = [
    { id: last, kind: 'persistence', ...by },
    { id: 'trend', kind: 'drift', ...by },
    { id: 'usual', kind: 'climatology' },
    ...seasons.flatMap((season): SeriesProtocol['baselines'] => [
      { id: `last_${season}`, kind: 'seasonal_naive', season, ...by },
      { id: `usual_${season}`, kind: 'seasonal_climatology', season },
    ]),
  ]
  return { baselines, comparisons: { required: baselines.map(({ id }) => id) } }
}
