import type { Release, Releases } from './releases.js'

/** Releases by series and label of the period; empty ones are absent. Each series is made when it is asked for. */
export interface ReleaseTable {
  keys(): Iterable<string>
  has(series: string): boolean
  get(series: string): SeriesReleases | undefined
}

/** Those of one series, by label of the period. */
export interface SeriesReleases {
  keys(): Iterable<string>
  values(): Iterable<Releases>
  get(period: string): Releases | undefined
}

const LEAST_ROWS = 1024

/** A column with more room. */
export function grown<T extends Uint32Array | Float64Array>(column: T, longer: T): T {
  longer.set(column)
  return longer
}

/**
 * A table in columns, 20 bytes a row: objects would take ten times as much. Rows come in the order of the normal form.
 * Names are copied: a text cut out of a piece of a file keeps the whole piece in memory.
 */
export class ReleaseColumns implements ReleaseTable {
  /** Of each series, its first row and the one after its last. */
  readonly #series = new Map<string, { readonly from: number; to: number }>()
  /** Labels are shared by all series. */
  readonly #labels: string[] = []
  readonly #numbers = new Map<string, number>()
  #periods = new Uint32Array(LEAST_ROWS)
  #asOf = new Float64Array(LEAST_ROWS)
  /** NaN: withdrawn. */
  #values = new Float64Array(LEAST_ROWS)
  #rows = 0

  /** Adds a row, behind all others in the order of series, period and instant. */
  add(series: string, period: string, { asOf, value = Number.NaN }: Release): void {
    if (this.#rows === this.#periods.length) this.#grow()
    let number = this.#numbers.get(period)
    if (number === undefined) {
      const label = structuredClone(period)
      number = this.#labels.push(label) - 1
      this.#numbers.set(label, number)
    }
    this.#periods[this.#rows] = number
    this.#asOf[this.#rows] = asOf
    this.#values[this.#rows] = value
    const range = this.#series.get(series)
    this.#rows++
    if (range !== undefined) range.to = this.#rows
    else this.#series.set(structuredClone(series), { from: this.#rows - 1, to: this.#rows })
  }

  keys(): Iterable<string> {
    return this.#series.keys()
  }

  has(series: string): boolean {
    return this.#series.has(series)
  }

  get(series: string): SeriesReleases | undefined {
    const range = this.#series.get(series)
    return range && this.#slice(range.from, range.to)
  }

  #slice(from: number, to: number): SeriesReleases {
    return {
      keys: () => this.#firsts(from, to).map((row) => this.#labelAt(row)),
      values: () => this.#firsts(from, to).map((row) => this.#releasesFrom(row, to)),
      get: (period) => {
        const row = this.#find(period, from, to)
        return row < to && this.#labelAt(row) === period ? this.#releasesFrom(row, to) : undefined
      },
    }
  }

  /** The first rows of the periods of a series. */
  #firsts(from: number, to: number): number[] {
    const rows: number[] = []
    for (let row = from; row < to; row++) {
      if (row === from || this.#periods[row] !== this.#periods[row - 1]) rows.push(row)
    }
    return rows
  }

  /** The first row of a series whose period is not before this one. */
  #find(period: string, from: number, to: number): number {
    let [low, high] = [from, to]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#labelAt(middle) < period) low = middle + 1
      else high = middle
    }
    return low
  }

  #releasesFrom(first: number, to: number): Releases {
    const releases: Release[] = []
    for (let row = first; row < to && this.#periods[row] === this.#periods[first]; row++) {
      const value = this.#values[row] as number
      const asOf = this.#asOf[row] as number
      releases.push({ asOf, value: Number.isNaN(value) ? undefined : value })
    }
    return releases
  }

  #labelAt(row: number): string {
    return this.#labels[this.#periods[row] as number] as string
  }

  #grow(): void {
    const size = 2 * this.#rows
    this.#periods = grown(this.#periods, new Uint32Array(size))
    this.#asOf = grown(this.#asOf, new Float64Array(size))
    this.#values = grown(this.#values, new Float64Array(size))
  }
}
