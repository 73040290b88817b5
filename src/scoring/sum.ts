/**
 * A running sum with Neumaier's correction: the lost low-order parts are carried along, so that the
 * result does not degrade with the number of terms. (Neumaier 1974; the same as R's long double
 * sums to the last digits that a report can show.)
 */
export class CompensatedSum {
  #sum = 0
  #lost = 0

  add(value: number): void {
    const next = this.#sum + value
    this.#lost +=
      Math.abs(this.#sum) >= Math.abs(value) ? this.#sum - next + value : value - next + this.#sum
    this.#sum = next
  }

  get value(): number {
    return this.#sum + this.#lost
  }
}

export interface Mean {
  readonly count: number
  /** Null if nothing was counted. */
  readonly mean: number | null
}

/**
 * Arithmetic mean of the values; NaN is skipped, never imputed.
 * @param members 1 where an entry counts; absent if all do.
 */
export function average(values: Float64Array, members?: Uint8Array): Mean {
  const sum = new CompensatedSum()
  let count = 0
  for (let index = 0; index < values.length; index++) {
    const value = values[index] as number
    if (Number.isNaN(value) || (members !== undefined && members[index] !== 1)) continue
    sum.add(value)
    count++
  }
  return { count, mean: count === 0 ? null : sum.value / count }
}

/** An unweighted mean of means; null if any of them is null, because the others cannot replace it. */
export class MeanOfMeans {
  readonly #sum = new CompensatedSum()
  #count = 0
  #isUnknown = false

  add(mean: number | null): void {
    this.#count++
    if (mean === null) this.#isUnknown = true
    else this.#sum.add(mean)
  }

  /** Null without any. */
  get value(): number | null {
    return this.#count === 0 || this.#isUnknown ? null : this.#sum.value / this.#count
  }
}

/** As `MeanOfMeans`, of those that are all at hand. */
export function averageMeans(means: readonly (number | null)[]): number | null {
  const mean = new MeanOfMeans()
  for (const each of means) mean.add(each)
  return mean.value
}
