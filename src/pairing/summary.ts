import { formatUtc } from '../contract/instant.js'
import type { Accounting, CellCounts, Memberships } from './accounting.js'
import {
  type CountsWithRates,
  type PairingPlan,
  type PairingSummary,
  REASONS,
  STATUSES,
  type Status,
} from './types.js'

/** The level of origins that a stratum does not place; its attempts are counted like all others. */
export const UNASSIGNED = 'unassigned'

/** A finished pairing in tables, each of which adds up to the grid. */
export function summaryOf(
  plan: PairingPlan,
  memberships: Memberships,
  accounting: Accounting,
): PairingSummary {
  const { models, rules } = plan
  const horizons = [...new Set(plan.cells.map(({ horizon }) => horizon))].sort((a, b) => a - b)
  const series = [...new Set(plan.cells.map((cell) => cell.series))]
  const points = (selection: Parameters<Accounting['counts']>[0]) => {
    const { expected, point } = accounting.counts(selection)
    return withRates(expected, point)
  }
  const total = accounting.counts({})
  return {
    window: {
      from: rules.textOf(plan.from),
      to: rules.textOf(plan.to),
      origins: plan.origins.count,
      as_of: formatUtc(plan.asOf),
    },
    mode: plan.mode,
    total: withRates(total.expected, total.point),
    models: table(models, (model) => points({ model })),
    horizons: table(horizons, (horizon) => points({ horizon })),
    cells: table(models, (model) => table(horizons, (horizon) => points({ model, horizon }))),
    ...(series[0] !== '' && { series: table(series, (one) => points({ series: [one] })) }),
    strata: table(
      (plan.strata ?? []).map(({ name }) => name),
      (stratum) => {
        const named = memberships.all
          .filter((one) => one.stratum === stratum && (one.level ?? one.origins > 0))
          .map((one) => ({ one, name: one.level ?? UNASSIGNED }))
        const names = new Set(named.map(({ name }) => name))
        return table([...names], (level) =>
          points({ levels: named.filter(({ name }) => name === level).map(({ one }) => one) }),
        )
      },
    ),
    reasons: total.reasons,
    interval: withRates(total.expected, total.interval),
    outside: {
      count: [...accounting.outside.values()].reduce((sum, count) => sum + count, 0),
      reasons: Object.fromEntries(
        REASONS.flatMap((reason) => {
          const count = accounting.outside.get(reason)
          return count === undefined ? [] : [[reason, count]]
        }),
      ),
    },
  }
}

/** A table by name that no name, not even `__proto__`, can spoil. */
function table<Name extends string | number, T>(
  names: readonly Name[],
  cellOf: (name: Name) => T,
): Record<string, T> {
  return Object.fromEntries(names.map((name) => [String(name), cellOf(name)]))
}

function withRates(expected: number, counts: CellCounts['point']): CountsWithRates {
  const rate = (status: Status) => [status, counts[status] / expected] as const
  const rates = Object.fromEntries(STATUSES.map(rate)) as Record<Status, number>
  return { expected, ...counts, rates: expected === 0 ? null : rates }
}
