import { createHash } from 'node:crypto'
import type { CellLine, Registration } from '../../contract/types.js'
import { canonicalize } from '../../document/canonical.js'
import type { PairedSeries } from '../pair.js'
import { SERIES_NAMED } from '../result/result.js'
import { ReadingSums } from './assemble.js'
import type { ReadingCell } from './cells.js'
import type { EvaluationInput } from './inputs.js'
import { cellFigures, hasLate, type SummedSeries, toCellLine } from './lines.js'
import { type CellSums, createCellSums } from './sum.js'

const PIECE = 65_536

/** What is kept of the series of an evaluation, one after another: of a series only sums outlive it. */
export class SeriesSums {
  #first: ReadingSums | undefined
  #second: ReadingSums | undefined
  readonly #cells: CountedCells
  readonly #scales: ReadonlyMap<string, CellLine['scales']>
  readonly #hash = createHash('sha256')
  #text = ''
  #added = 0

  /** @param onCells - gets the lines of cells in order, in pieces. */
  constructor(
    readonly input: EvaluationInput,
    private readonly onCells: (text: string) => void,
  ) {
    this.#cells = new CountedCells(input.of.registered.rules.steps)
    this.#scales = scalesIn(input.registration)
  }

  /** Adds the next series. @param second - with forecasts included that were committed late or never. */
  readonly add = (paired: PairedSeries, second: PairedSeries | undefined): void => {
    const { of } = this.input
    const first = this.#summed(paired)
    const secondSums = second && this.#summed(second)
    const isLast = ++this.#added === of.registered.rules.series.length
    this.#first ??= this.#begin(first.sums)
    this.#first.add(first.own, first.sums, isLast)
    if (secondSums !== undefined) {
      this.#second ??= this.#begin(secondSums.sums)
      this.#second.add(secondSums.own, secondSums.sums, isLast)
    }
    for (const [at, cell] of first.own.cells.entries()) {
      this.#cells.add(cell)
      this.#line(first, secondSums, cell, secondSums?.own.cells[at])
    }
    if (isLast) this.#flush()
  }

  /** The sums of the first reading, and of the second one if a forecast was late. */
  get readings(): { readonly first: ReadingSums; readonly second: ReadingSums | undefined } {
    const first = this.#first as ReadingSums
    return { first, second: first.late > 0 ? this.#second : undefined }
  }

  /** The member of a result, after the last series. */
  cells() {
    return { ...this.#cells.counted(), sha256: this.#hash.digest('hex') }
  }

  #summed(paired: PairedSeries) {
    const scored = this.input.scored(paired)
    const sums = createCellSums(this.input.of, scored)
    return { own: { ...scored, countKeys: sums.countKeys }, sums }
  }

  #begin({ measures }: CellSums): ReadingSums {
    return new ReadingSums(this.input.of, measures, this.input.others)
  }

  #line(
    first: SummedSeries,
    secondSums: SummedSeries | undefined,
    cell: ReadingCell,
    cellAgain: ReadingCell | undefined,
  ): void {
    const { of } = this.input
    const isTwice = secondSums && cellAgain && hasLate(of, first, cell)
    const second = isTwice ? cellFigures(of, secondSums, cellAgain) : null
    const line = toCellLine(of, first, cell, this.#scales.get(cell.series) ?? [], second)
    this.#text += `${canonicalize(line)}\n`
    if (this.#text.length > PIECE) this.#flush()
  }

  #flush(): void {
    this.#hash.update(this.#text)
    this.onCells(this.#text)
    this.#text = ''
  }
}

/** The scales of each series. */
function scalesIn({ scales }: Registration): ReadonlyMap<string, CellLine['scales']> {
  const bySeries = new Map<string, CellLine['scales']>()
  for (const { series, transform, value } of scales) {
    bySeries.set(series, [...(bySeries.get(series) ?? []), { transform, value }])
  }
  return bySeries
}

/** Counts what is left out of tests and of means; the lines have the rest. */
class CountedCells {
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
  if (to.size < SERIES_NAMED) to.add(series)
}
