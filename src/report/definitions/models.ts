import { isPoolName, type PoolName, STRONGEST_SIMPLE } from '../../contract/baseline-names.js'
import { joined } from '../../contract/findings/row.js'
import type { StratumDefinition } from '../../contract/types.js'
import { poolIn } from '../../protocol/rules/bind.js'
import { AR1_RETURNS } from '../../scoring/baselines/ar1.js'
import { DRIFT_HOURS } from '../../scoring/baselines/drift.js'
import { EMA_RETURNS, EMA_SPAN } from '../../scoring/baselines/ema-return.js'
import { ERRORS, LEAST_ERRORS } from '../../scoring/baselines/quantiles.js'
import { MATURITY_HOURS } from '../../scoring/baselines/strongest-simple.js'
import type { DefinitionBasis, DefinitionText } from './basis.js'

const drift = (hours: number) =>
  `P = P0 * exp(h * ln(P0 / C) / ${hours}), where C is the close ${hours} hours before the origin and h the horizon in hours.`

const RULES: Readonly<Record<PoolName, string>> = {
  persistence: 'P = P0.',
  seasonal_naive_24h: 'P is the close 24 hours before the target.',
  drift_24h: drift(DRIFT_HOURS.drift_24h),
  drift_7d: drift(DRIFT_HOURS.drift_7d),
  ar1: `P = P0 * exp(s), where s is the sum of h iterated steps of x(t) = a + b * x(t - 1). a and b are fitted by least squares to the last ${AR1_RETURNS} hourly log returns.`,
  ema_return_24h: `P = P0 * exp(h * m), where m is the exponentially weighted mean (span ${EMA_SPAN}) of the last ${EMA_RETURNS} hourly log returns.`,
}

/** The built-in models that take part, and the pool of the strongest. */
export function modelDefinitions({ builtIns, rules }: DefinitionBasis): DefinitionText[] {
  if (builtIns.length === 0) return []
  const isStrongest = builtIns.includes(STRONGEST_SIMPLE)
  const pool = isStrongest ? poolIn(rules) : []
  const used = [...builtIns, ...pool].filter(isPoolName)
  const strongest = {
    of: STRONGEST_SIMPLE,
    text: `At each origin and horizon, the forecast of one of ${joined(pool, 'and')}: the one with the lowest mean point loss over all earlier origins of the vintage whose targets matured ${MATURITY_HOURS} hours before the origin and at which each of them has a forecast. Ties go to the first by name.`,
  }
  return [
    ...[...new Set(used)].map((name) => ({ of: name, text: RULES[name] })),
    ...(isStrongest ? [strongest] : []),
    {
      of: 'built_in_quantiles',
      text: `Each built-in model predicts P * exp(e), where e is the 0.1, 0.5 or 0.9 quantile of its own last ${ERRORS} matured errors ln(P1 / P) at that horizon. There is none below ${LEAST_ERRORS} errors.`,
    },
    {
      of: 'built_in_closes',
      text: 'Built-in models use closes at or before the origin only. Where a close that one needs is missing, so is its forecast.',
    },
  ]
}

/** How each registered stratum assigns origins to levels. */
export function stratumDefinitions({ rules }: DefinitionBasis): DefinitionText[] {
  const strata = rules.strata as readonly StratumDefinition[]
  return strata.map((stratum) => ({ of: `stratum ${stratum.name}`, text: sentence(stratum) }))
}

function sentence({ by, levels = [], lookback_hours: hours = 0 }: StratumDefinition): string {
  const each = (say: (level: (typeof levels)[number]) => string) => `${levels.map(say).join('; ')}.`
  switch (by) {
    case 'omitted':
      return 'It is not part of the evaluation.'
    case 'hour_of_day':
      return `By the hour of the origin in UTC. ${each(({ level, hours: own = [] }) => `${level}: ${own.join(', ')}`)}`
    case 'weekday':
      return `By the day of the origin in UTC. ${each(({ level, days = [] }) => `${level}: ${days.join(', ')}`)}`
    case 'regime':
      return `By the regime that the history records with the origin. ${each(({ level, regimes = [] }) => `${level}: ${regimes.join(', ')}`)}`
    case 'period':
      return `By the time of the origin, both ends included. ${each(({ level, from, to }) => `${level}: ${from} to ${to}`)}`
    case 'volatility':
      return `By the standard deviation (divisor ${hours - 1}) of the last ${hours} hourly log returns at the origin. ${cuts(levels)}`
    case 'trailing_return':
      return `By the log return of the last ${hours} hours at the origin. ${cuts(levels)}`
  }
}

/** A value on a cut-point belongs to the level above it. */
function cuts(levels: NonNullable<StratumDefinition['levels']>): string {
  const texts = levels.map(({ level, below }) =>
    below === undefined ? `${level}: all others` : `${level}: below ${below}`,
  )
  return `The first of these that fits: ${texts.join('; ')}.`
}
