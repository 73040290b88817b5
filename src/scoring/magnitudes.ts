import { exp, ln } from '../contract/logarithm.js'
import type { ImplausibleCandidate } from '../contract/types.js'
import { cellsBySeries, type GridCell, type PeriodPosition } from '../pairing/grid.js'
import type { PairedAttempt } from '../pairing/paired-attempt.js'

/** Forecasts off by more than this factor are reported; over a season, honest models stay below e^0.83. */
const FACTOR = 5
/** With fewer shared keys the comparison means nothing. */
const MINIMUM_KEYS = 20
/** If more forecasts than this share have opposite signs, values lie around 0, and their sizes mean nothing. */
const OPPOSITE = 0.2

/**
 * How the forecasts of a candidate for a series compare with those of one comparator, over the same keys, by their sizes
 * where both have the same sign. Where values are often 0, a model that repeats the last value is above 0 only after a
 * sale, and then large: so the keys are chosen by the model that is the smaller one, which makes the factor smaller and
 * never larger.
 */
interface Tally {
  /** Keys at which the candidate is not 0, and those at which the comparator is not; both of them, with one sign, in `both`. */
  own: number
  other: number
  both: number
  opposite: number
  above: number
  below: number
  /** The sum of ln(|candidate| / |comparator|) where both have the same sign. */
  logs: number
}

export interface ComparedModels {
  readonly candidates: readonly { readonly name: string }[]
  readonly comparators: readonly { readonly name: string }[]
}

/**
 * Compares the size of a candidate's forecasts with that of its comparators, to catch wrong units (cents for euros,
 * centimetres for metres) before they waste a reading. It uses only forecasts, never outcomes. Attempts come a series
 * after another; only what was found of one is kept.
 */
export class Magnitudes {
  readonly #candidates: readonly string[]
  readonly #comparators: readonly string[]
  /** By candidate and comparator, of the current series. */
  #tallies: Tally[]
  readonly #values = new Map<string, number>()
  #series: string | undefined
  #origin: PeriodPosition | null = null
  #cell: number | undefined
  readonly #of: number
  /** By candidate: the number of series, and the first. */
  readonly #counts = new Map<
    string,
    { series: number; readonly first: ImplausibleCandidate['first'] }
  >()

  constructor({ candidates, comparators }: ComparedModels, cells: readonly GridCell[]) {
    this.#candidates = candidates.map(({ name }) => name)
    this.#comparators = comparators.map(({ name }) => name)
    this.#of = cellsBySeries(cells).size
    this.#tallies = this.#empty()
  }

  /** Adds one attempt; those of a key must be consecutive. */
  add({ series, origin, cell, model, expected, forecast }: PairedAttempt): void {
    if (!expected || forecast === null || !Number.isFinite(forecast)) return
    if (origin !== this.#origin || cell !== this.#cell) this.#compare()
    if (series !== this.#series) this.#finish()
    this.#series = series
    this.#origin = origin
    this.#cell = cell
    this.#values.set(model, forecast)
  }

  /** Call this after the last attempt. */
  result(): ImplausibleCandidate[] {
    this.#compare()
    this.#finish()
    return this.#candidates.flatMap((candidate) => {
      const implausible = this.#counts.get(candidate)
      return implausible === undefined ? [] : [{ candidate, of: this.#of, ...implausible }]
    })
  }

  #empty(): Tally[] {
    const tally = () => ({ own: 0, other: 0, both: 0, opposite: 0, above: 0, below: 0, logs: 0 })
    return Array.from({ length: this.#candidates.length * this.#comparators.length }, tally)
  }

  /** Keeps what was found of the current series. */
  #finish(): void {
    const series = this.#series
    if (series === undefined) return
    for (const [at, candidate] of this.#candidates.entries()) {
      const nearest = this.#nearest(at)
      if (nearest === undefined) continue
      const implausible = this.#counts.get(candidate) ?? {
        series: 0,
        first: { series, ...nearest },
      }
      this.#counts.set(candidate, { ...implausible, series: implausible.series + 1 })
    }
    this.#tallies = this.#empty()
  }

  /** Compares the forecasts of one key with each other. */
  #compare(): void {
    for (const [at, candidate] of this.#candidates.entries()) {
      const value = this.#values.get(candidate)
      if (value === undefined) continue
      for (const [position, comparator] of this.#comparators.entries()) {
        const other = this.#values.get(comparator)
        const tally = this.#tallies[at * this.#comparators.length + position] as Tally
        if (other !== undefined) count(tally, value, other)
      }
    }
    this.#values.clear()
  }

  /** Undefined unless the candidate's forecasts are too large, or too small, compared with every comparator. */
  #nearest(candidate: number): Omit<ImplausibleCandidate['first'], 'series'> | undefined {
    const tallies = this.#comparators.map((comparator, position) => {
      const tally = this.#tallies[candidate * this.#comparators.length + position] as Tally
      return { comparator, ...tally }
    })
    const measures = (side: 'above' | 'below') => {
      const keysOn = (tally: Tally) => (side === 'above' ? tally.other : tally.own)
      // A comparator that forecasts almost only 0 is not usable for this.
      const usable = tallies.filter((tally) => keysOn(tally) >= MINIMUM_KEYS)
      const isFar = (tally: Tally) => 2 * tally[side] > keysOn(tally) && hasOneSign(tally)
      return usable.every(isFar) ? usable : []
    }
    const [first, ...others] = [...measures('above'), ...measures('below')]
    if (first === undefined) return undefined
    const distance = ({ logs, both }: Tally) => Math.abs(logs / both)
    const nearest = others.reduce((a, b) => (distance(b) < distance(a) ? b : a), first)
    const { comparator, both: keys, above, below, logs } = nearest
    return { comparator, keys, beyond: Math.max(above, below), ratio: exp(logs / keys) }
  }
}

const hasOneSign = ({ both, opposite }: Tally) => opposite <= OPPOSITE * (both + opposite)

function count(tally: Tally, signedOwn: number, signedOther: number): void {
  const [ours, other] = [Math.abs(signedOwn), Math.abs(signedOther)]
  if (ours > 0) tally.own++
  if (other > 0) tally.other++
  if (ours === 0 || other === 0) return
  if (signedOwn > 0 !== signedOther > 0) {
    tally.opposite++
    return
  }
  tally.both++
  tally.logs += ln(ours) - ln(other)
  if (ours > FACTOR * other) tally.above++
  if (other > FACTOR * ours) tally.below++
}
