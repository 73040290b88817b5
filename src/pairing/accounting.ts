import { ForeproofError } from '../contract/error.js'
import { formatUtc } from '../contract/instant.js'
import type { GridCell, PeriodPosition, WindowOrigins } from './grid.js'
import {
  type CountsWithRates,
  type PairedAttempt,
  type PairingSummary,
  REASONS,
  type Reason,
  STATUS_OF,
  STATUSES,
  type Status,
} from './paired-attempt.js'
import type { PairingPlan, Stratum, StratumLevel } from './plan.js'

/** How the expected attempts of some cells ended: the counts of each table add up to `expected`. */
export interface CellCounts {
  readonly expected: number
  readonly point: Readonly<Record<Status, number>>
  readonly interval: Readonly<Record<Status, number>>
  /** For points, in the order of REASONS; reasons that did not occur are absent. */
  readonly reasons: Readonly<Partial<Record<Reason, number>>>
}

/** Selects counts; an absent member selects everything. */
export interface CellSelection {
  readonly model?: string
  readonly horizon?: number
  readonly series?: readonly string[]
  /** Of the plan, by its id. */
  readonly cell?: number
  /** Levels of one stratum. */
  readonly levels?: readonly Membership[]
}

const REASON_AT = new Map(REASONS.map((reason, index) => [reason, index]))
const STATUS_AT = new Map(STATUSES.map((status, index) => [status, REASONS.length + index]))
const WIDTH = REASONS.length + STATUSES.length

/**
 * Counts attempts as they stream by, by model, horizon and stratum level. A cell holds the reasons of the points, which
 * determine their statuses, and the statuses of the intervals. Attempts are counted only here: summaries and results
 * use these counts.
 */
export class Accounting {
  readonly #plan: PairingPlan
  readonly #rows: ReadonlyMap<number, number>
  readonly #models: ReadonlyMap<string, number>
  readonly #levels: readonly Membership[]
  /** WIDTH numbers a cell; of a model and horizon first the cell of all origins, then every level's. */
  readonly #counts: Int32Array
  #origin: number | null = null
  /** Which of the cells of a model and horizon the current origin belongs to. */
  #parts: readonly number[] = [0]
  /** Of a cell its origins first, then those of every level. */
  readonly #keys: readonly (readonly number[])[]

  constructor(plan: PairingPlan, memberships: Memberships) {
    this.#plan = plan
    this.#rows = new Map(plan.cells.map(({ id }, index) => [id, index]))
    this.#models = new Map(plan.models.map((model, index) => [model, index]))
    this.#levels = memberships.all
    const cells = plan.models.length * plan.cells.length * (1 + this.#levels.length)
    this.#counts = new Int32Array(cells * WIDTH)
    this.#keys = plan.cells.map((cell) => expectedKeys(plan, cell, this.#levels))
  }

  /**
   * Counts an attempt; those outside the grid are ignored.
   * @throws {ForeproofError} `bug` for an expected attempt that is not on the grid.
   */
  add(attempt: PairedAttempt): void {
    const { reason, intervalStatus, cell: id } = attempt
    if (id === undefined) return
    const cell = this.#firstCell(attempt.model, id)
    if (attempt.origin !== this.#origin) this.#enter(attempt.origin)
    for (const part of this.#parts) {
      const at = (cell + part) * WIDTH
      this.#counts[at + REASON_AT.get(reason)!]!++
      this.#counts[at + STATUS_AT.get(intervalStatus)!]!++
    }
  }

  /**
   * The counts of the selected cells.
   * @throws {ForeproofError} `bug` if they do not add up to the grid.
   */
  counts({ model, horizon, series, cell: one, levels }: CellSelection): CellCounts {
    const parts = levels?.map((level) => 1 + this.#levels.indexOf(level)) ?? [0]
    const { cells: all } = this.#plan
    const among = one === undefined ? all : [all[this.#rows.get(one) as number] as GridCell]
    const meant = among.filter(
      (cell) =>
        (horizon === undefined || cell.horizon === horizon) &&
        (series === undefined || series.includes(cell.series)),
    )
    const models = model === undefined ? this.#plan.models : [model]
    const cells = models.flatMap((of) =>
      meant.flatMap(({ id }) => {
        const first = this.#firstCell(of, id)
        return parts.map((part) => first + part)
      }),
    )
    const keys = meant.flatMap(({ id }) => {
      const rowKeys = this.#keys[this.#rows.get(id) as number] as readonly number[]
      return parts.map((part) => rowKeys[part] as number)
    })
    const expected = models.length * total(keys)
    const countAt = (offset: number) =>
      total(cells.map((cell) => this.#counts[cell * WIDTH + offset]!))
    const point = { scored: 0, failed: 0, abstained: 0, missing: 0, ineligible: 0 }
    const interval = { ...point }
    const reasons: Partial<Record<Reason, number>> = {}
    for (const [reason, offset] of REASON_AT) {
      const count = countAt(offset)
      point[STATUS_OF[reason]] += count
      if (count > 0) reasons[reason] = count
    }
    for (const [status, offset] of STATUS_AT) interval[status] = countAt(offset)
    for (const table of [point, interval]) {
      const given = total(Object.values(table))
      if (given === expected) continue
      const where = `${model ?? 'all models'} at ${horizon ?? 'all horizons'}`
      throw new ForeproofError('bug', `counts of ${where}: ${given} given, ${expected} expected`)
    }
    return { expected, point, interval, reasons }
  }

  #firstCell(model: string, cell: number): number {
    const [m, c] = [this.#models.get(model), this.#rows.get(cell)]
    if (m === undefined || c === undefined) {
      throw new ForeproofError('bug', `the grid holds no ${model} in the cell ${cell}`)
    }
    return (m * this.#plan.cells.length + c) * (1 + this.#levels.length)
  }

  #enter(origin: PeriodPosition | null): void {
    const index = origin === null ? undefined : this.#plan.origins.indexOf(origin)
    if (index === undefined) {
      throw new ForeproofError('bug', `an origin outside the window was expected: ${origin}`)
    }
    const levels = this.#levels.flatMap(({ mask }, at) => (mask[index] === 1 ? [1 + at] : []))
    this.#parts = [0, ...levels]
    this.#origin = origin
  }
}

/** How many origins a cell has, in total and per level. */
function expectedKeys(
  { origins, rules }: PairingPlan,
  cell: GridCell,
  levels: readonly Membership[],
): number[] {
  const counts = new Array<number>(1 + levels.length).fill(0)
  for (let index = 0; index < origins.count; index++) {
    if (!rules.hasCell(origins.position(index), cell)) continue
    counts[0]!++
    for (const [at, { mask }] of levels.entries()) counts[1 + at]! += mask[index] as number
  }
  return counts
}

const total = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0)

/** The origins of a window that belong to one level of a stratum. */
export interface Membership {
  readonly stratum: string
  /** Undefined for origins to which the stratum assigns no level. */
  readonly level: string | undefined
  /** 1 where an origin of the window is in the level. */
  readonly mask: Uint8Array
  readonly origins: number
}

/** Assigns the origins of a window to the levels of each stratum. */
export class Memberships {
  readonly all: readonly Membership[]

  /** Reads the level of every origin from every stratum once. */
  constructor(strata: readonly Stratum[], origins: WindowOrigins) {
    this.all = strata.flatMap((stratum) => listMemberships(stratum, origins))
  }

  /**
   * The origins of a level; undefined for `all`.
   * @throws {ForeproofError} `bug` for an unknown level.
   */
  of(level: StratumLevel): Membership | undefined {
    if (level === 'all') return undefined
    const member = this.all.find((one) => one.stratum === level.name && one.level === level.level)
    if (member !== undefined) return member
    throw new ForeproofError('bug', `no stratum level ${level.name}=${level.level}`)
  }
}

function listMemberships({ name, levels, levelAt }: Stratum, origins: WindowOrigins) {
  const named = [...new Set(levels), undefined]
  const masks = new Map(named.map((level) => [level, new Uint8Array(origins.count)]))
  const unplaced = masks.get(undefined) as Uint8Array
  for (let index = 0; index < origins.count; index++) {
    const mask = masks.get(levelAt(origins.position(index))) ?? unplaced
    mask[index] = 1
  }
  return [...masks].map(([level, mask]): Membership => {
    const count = mask.reduce((sum, member) => sum + member, 0)
    return { stratum: name, level, mask, origins: count }
  })
}

/** The level of origins to which a stratum assigns none; their attempts are counted like all others. */
const UNASSIGNED = 'unassigned'

/** The tables of a finished pairing; each adds up to the grid. */
export function summarizePairing(
  plan: PairingPlan,
  memberships: Memberships,
  accounting: Accounting,
  outside: ReadonlyMap<Reason, number>,
): PairingSummary {
  const { models, rules } = plan
  const horizons = [...new Set(plan.cells.map(({ horizon }) => horizon))].sort((a, b) => a - b)
  const series = [...new Set(plan.cells.map((cell) => cell.series))]
  const points = (selection: CellSelection) => {
    const { expected, point } = accounting.counts(selection)
    return withRates(expected, point)
  }
  const totals = accounting.counts({})
  return {
    window: {
      from: rules.label(plan.from),
      to: rules.label(plan.to),
      origins: plan.origins.count,
      as_of: formatUtc(plan.asOf),
    },
    mode: plan.mode,
    total: withRates(totals.expected, totals.point),
    models: table(models, (model) => points({ model })),
    horizons: table(horizons, (horizon) => points({ horizon })),
    cells: table(models, (model) => table(horizons, (horizon) => points({ model, horizon }))),
    series: table(series, (one) => points({ series: [one] })),
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
    reasons: totals.reasons,
    interval: withRates(totals.expected, totals.interval),
    outside: {
      count: total([...outside.values()]),
      reasons: table(
        REASONS.filter((reason) => outside.has(reason)),
        (reason) => outside.get(reason) ?? 0,
      ),
    },
  }
}

/** A table by name that is safe for every name, even `__proto__`. */
function table<Name extends string | number, T>(
  names: readonly Name[],
  createCell: (name: Name) => T,
): Record<string, T> {
  return Object.fromEntries(names.map((name) => [String(name), createCell(name)]))
}

function withRates(expected: number, counts: CellCounts['point']): CountsWithRates {
  const rate = (status: Status) => [status, counts[status] / expected] as const
  const rates = Object.fromEntries(STATUSES.map(rate)) as Record<Status, number>
  return { expected, ...counts, rates: expected === 0 ? null : rates }
}
