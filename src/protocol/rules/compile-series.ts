import type { RulesData, SeriesProtocol } from '../../contract/types.js'
import { WEIGHTS, WITHOUT_OTHERS } from './weights.js'

/** Compiles the rules of a protocol of version 2: its members, with omitted ones written as null. */
export function compileSeries(protocol: SeriesProtocol): RulesData {
  const { periods, forecast, limits, comparisons, dependence, uncertainty, outcome } = protocol
  const { count, first, last } = periods
  const { strata = [] } = protocol
  const { rule, wait = null, lag = null, at = null } = outcome.release
  const ids = new Set(protocol.baselines.map(({ id }) => id))
  return {
    schema: 2,
    version: protocol.protocol_version,
    sha256: protocol.protocol_sha256,
    series: protocol.series.map(({ id, unit, group = null, from = null }) => {
      return { id, unit, group, from }
    }),
    zone: protocol.zone,
    periods: { kind: 'list', sha256: periods.sha256, count, first, last },
    origins: {
      due: anchored(protocol.origins.due),
      waiting: protocol.origins.waiting ?? 'charged',
      waiting_reason: protocol.origins.waiting_reason ?? null,
    },
    steps: [...protocol.horizons],
    seen: 'due',
    outcome: {
      over: outcome.over,
      known: anchored(outcome.known),
      release: { rule, wait, lag, at },
    },
    forecast: {
      levels: [...forecast.levels],
      minimum: forecast.minimum === undefined ? null : Number(forecast.minimum),
      positive: false,
      integer: forecast.integer,
      interval: 'required',
    },
    scores: protocol.scores.map(toScore),
    scaling: {
      kind: protocol.scaling.kind,
      period_steps: protocol.scaling.period_steps ?? null,
    },
    baselines: protocol.baselines.map(({ id, kind, season = null, pool = null, errors = null }) => {
      return { id, kind, season, pool: pool && [...pool], errors }
    }),
    required: comparisons.required.map((name) => ({
      name,
      model: ids.has(name) ? { built_in: name } : { history: name },
    })),
    strata: strata.map(toStratum),
    dependence: { ...dependence },
    alpha: Number(uncertainty.alpha),
    weights: strata.length > 0 ? { ...WEIGHTS } : { ...WITHOUT_OTHERS, other: null },
    limits: {
      availability: Number(limits.availability),
      availability_stratum: Number(limits.availability_stratum),
      harm: Number(limits.harm),
      direction: limits.direction === undefined ? null : Number(limits.direction),
      practical_effect: Number(limits.practical_effect),
    },
    test: { method: uncertainty.method, minimum_blocks: 10, minimum_origins: 30, counted: 'any' },
    read_from_text: [],
  }
}

type Anchored = RulesData['outcome']['known']

const anchored = ({ anchor, offset }: SeriesProtocol['outcome']['known']): Anchored => {
  return { anchor, offset: offset ?? null }
}

function toScore(score: SeriesProtocol['scores'][number]): RulesData['scores'][number] {
  const { id, kind, transform, level = null, lower = null, upper = null } = score
  const epsilon = score.epsilon === undefined ? null : Number(score.epsilon)
  const primary = score.primary === true
  return {
    ...{ id, kind, level, lower, upper, epsilon, primary },
    transform: compiledTransform(transform),
    tested: primary || kind === 'direction' ? 'deciding' : null,
  }
}

function compiledTransform(
  transform: SeriesProtocol['scores'][number]['transform'],
): RulesData['scores'][number]['transform'] {
  return { kind: transform?.kind ?? 'identity', offset: transform?.offset ?? null }
}

type Stratum = NonNullable<SeriesProtocol['strata']>[number]

function toStratum({ name, by, levels, ...own }: Stratum): RulesData['strata'][number] {
  if (by !== 'past_volatility') {
    return {
      ...{ name, by },
      levels: levels.map(({ level, hours, days }) => {
        return { level, ...(hours && { hours: [...hours] }), ...(days && { days: [...days] }) }
      }),
    }
  }
  const { series = '', changes = 0, transform } = own
  return {
    ...{ name, by, series, changes, transform: compiledTransform(transform) },
    levels: levels.map(({ level, below }) => {
      return { level, below: below === undefined ? null : Number(below) }
    }),
  }
}
