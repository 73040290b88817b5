import { ForeproofError } from '../contract/error.js'
import { formatUtc, MICROS_PER_HOUR } from '../contract/instant.js'
import { type Grid, gridOf } from './grid.js'
import {
  type CountsWithRates,
  type PairedAttempt,
  type PairingPlan,
  REASONS,
  type Reason,
  STATUSES,
  type Status,
  type Stratum,
  type Summary,
} from './types.js'

/** The level of origins that a stratum does not place; its attempts are counted like all others. */
export const UNASSIGNED = 'unassigned'

type Tally = Record<Status, number>

const emptyTally = (): Tally => ({ scored: 0, failed: 0, abstained: 0, missing: 0, ineligible: 0 })

/**
 * Counts attempts as they go by and proves at the end that every table adds up to the grid, whose
 * size is computed from the plan alone.
 */
export class Summariser {
  private readonly grid: Grid
  private readonly total = emptyTally()
  private readonly interval = emptyTally()
  private readonly reasons = new Map<Reason, number>()
  private readonly outside = new Map<Reason, number>()
  private readonly cells: Tally[][]
  private readonly strata: { readonly stratum: Stratum; readonly levels: Map<string, Tally> }[]
  private origin: number | undefined
  private originTallies: Tally[] = []
  /** Attempts given so far, of the grid and beside it. */
  seen = 0

  constructor(private readonly plan: PairingPlan) {
    this.grid = gridOf(plan)
    this.cells = this.grid.models.map(() => this.grid.horizons.map(emptyTally))
    this.strata = (plan.strata ?? []).map((stratum) => ({
      stratum,
      levels: new Map(stratum.levels.map((level) => [level, emptyTally()])),
    }))
  }

  add(attempt: PairedAttempt): void {
    const { status, reason } = attempt
    this.seen++
    if (!attempt.expected) {
      this.outside.set(reason, (this.outside.get(reason) ?? 0) + 1)
      return
    }
    const { grid } = this
    this.total[status]++
    this.interval[attempt.intervalStatus]++
    this.reasons.set(reason, (this.reasons.get(reason) ?? 0) + 1)
    const model = grid.modelIndex.get(attempt.model) ?? -1
    const horizon = grid.horizonIndex.get(attempt.horizon) ?? -1
    const cell = this.cells[model]?.[horizon]
    if (cell === undefined) throw disagree(`${attempt.model} at ${attempt.horizon} h`, 0, 1)
    cell[status]++
    if (this.strata.length === 0 || attempt.origin === null) return
    if (attempt.origin !== this.origin) this.enter(attempt.origin)
    for (const tally of this.originTallies) tally[status]++
  }

  /** Attempts that the plan expects. */
  get expected(): number {
    const { origins, horizons, models } = this.grid
    return origins * horizons.length * models.length
  }

  /** @throws {ForeproofError} `bug` when a table does not add up to the grid. */
  finish(): Summary {
    const { grid, plan } = this
    const perModel = grid.origins * grid.horizons.length
    const perHorizon = grid.origins * grid.models.length
    const byModel = this.cells.map(merge)
    const byHorizon = grid.horizons.map((_, index) => merge(this.cells.map((row) => row[index]!)))
    const table = (names: readonly (string | number)[], tallies: readonly Tally[], each: number) =>
      record(names.map((name, index) => [String(name), checked(name, tallies[index]!, each)]))
    return {
      window: {
        from: formatUtc(plan.from),
        to: formatUtc(plan.to),
        origins: grid.origins,
        as_of: formatUtc(plan.asOf),
      },
      mode: plan.mode,
      total: checked('total', this.total, perModel * grid.models.length),
      models: table(grid.models, byModel, perModel),
      horizons: table(grid.horizons, byHorizon, perHorizon),
      cells: record(
        grid.models.map((model, index) => [
          model,
          table(grid.horizons, this.cells[index]!, grid.origins),
        ]),
      ),
      strata: record(this.strata.map((one) => [one.stratum.name, this.levelsOf(one)])),
      reasons: inOrder(this.reasons),
      interval: checked('interval', this.interval, perModel * grid.models.length),
      outside: {
        count: [...this.outside.values()].reduce((all, count) => all + count, 0),
        reasons: inOrder(this.outside),
      },
    }
  }

  private enter(origin: number): void {
    this.origin = origin
    this.originTallies = this.strata.map(({ stratum, levels }) => {
      const level = stratum.levelOf(origin) ?? UNASSIGNED
      let tally = levels.get(level)
      if (tally === undefined) {
        tally = emptyTally()
        levels.set(level, tally)
      }
      return tally
    })
  }

  private levelsOf(one: {
    readonly stratum: Stratum
    readonly levels: ReadonlyMap<string, Tally>
  }): Record<string, CountsWithRates> {
    const { grid } = this
    const origins = new Map<string, number>()
    for (let at = grid.first; at <= grid.last; at += MICROS_PER_HOUR) {
      const level = one.stratum.levelOf(at) ?? UNASSIGNED
      origins.set(level, (origins.get(level) ?? 0) + 1)
    }
    const keys = grid.models.length * grid.horizons.length
    return record(
      [...one.levels].map(([level, tally]) => [
        level,
        checked(`${one.stratum.name} ${level}`, tally, (origins.get(level) ?? 0) * keys),
      ]),
    )
  }
}

/** A table by name that no name, not even `__proto__`, can spoil. */
function record<T>(entries: readonly (readonly [string, T])[]): Record<string, T> {
  return Object.fromEntries(entries)
}

function sum(tally: Tally): number {
  return STATUSES.reduce((all, status) => all + tally[status], 0)
}

function merge(tallies: readonly Tally[]): Tally {
  const merged = emptyTally()
  for (const tally of tallies) for (const status of STATUSES) merged[status] += tally[status]
  return merged
}

function checked(name: string | number, tally: Tally, expected: number): CountsWithRates {
  const found = sum(tally)
  if (found !== expected) throw disagree(String(name), expected, found)
  const rates = emptyTally()
  for (const status of STATUSES) rates[status] = tally[status] / expected
  return { expected, ...tally, rates: expected === 0 ? null : rates }
}

function disagree(name: string, expected: number, found: number): ForeproofError {
  return new ForeproofError('bug', `counts of ${name}: ${expected} expected, ${found} given`)
}

function inOrder(counts: ReadonlyMap<Reason, number>): Partial<Record<Reason, number>> {
  return Object.fromEntries(
    REASONS.filter((reason) => counts.has(reason)).map((reason) => [reason, counts.get(reason)!]),
  )
}
