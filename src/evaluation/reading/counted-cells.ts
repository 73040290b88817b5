import type { ReadingCell } from './cells.js'

const MOST_SERIES = 10

/** Counts what is left out of tests and of means; the lines have the rest. */
export class CountedCells {
  #lines = 0
  readonly #steps: ReadonlyMap<number, { cells: number; in_test: number; in_means: number }>
  readonly #noTest = new Set<string>()
  readonly #noMeans = new Set<string>()

  constructor(steps: readonly number[]) {
    this.#steps = new Map(steps.map((step) => [step, { cells: 0, in_test: 0, in_means: 0 }]))
  }

  add({ series, horizon, inTest, isShown }: ReadingCell): void {
    this.#lines++
    const of = this.#steps.get(horizon)
    if (of !== undefined) {
      of.cells++
      of.in_test += Number(inTest)
      of.in_means += Number(isShown)
    }
    if (!inTest) addFew(this.#noTest, series)
    else if (!isShown) addFew(this.#noMeans, series)
  }

  counted() {
    return {
      lines: this.#lines,
      steps: [...this.#steps].map(([step, of]) => ({ step, ...of })),
      no_test: [...this.#noTest],
      no_means: [...this.#noMeans],
    }
  }
}

function addFew(to: Set<string>, series: string): void {
  if (to.size < MOST_SERIES) to.add(series)
}
