import { createHash } from 'node:crypto'
import { compareText } from '../../contract/order.js'
import type { CellLine, Registration } from '../../contract/types.js'
import { canonicalize } from '../../document/canonical.js'
import { rulesData } from '../../protocol/rules/compile.js'
import type { EvaluateOptions, Paired, PairedSeries, PairingTask } from '../pair.js'
import { worseInSecond } from '../result/readings.js'
import type { RunMetadata } from '../result/shared.js'
import type { Result } from '../result/types.js'
import { resultDigest } from '../result-digest.js'
import { ReadingSums } from './assemble.js'
import type { ReadingPlan } from './basis.js'
import type { ReadingCell } from './cells.js'
import { waitingBasisIn } from './decide.js'
import type { DecidedSeries } from './decided.js'
import { cellFigures, cellLine, hasLate, type SummedSeries } from './lines.js'
import type { OtherRelease, ShownSeries } from './shown.js'
import { type CellSums, cellSums } from './sum.js'

/** The input of a result, besides the pairs. */
export interface EvaluationInput {
  readonly of: ReadingPlan
  readonly registration: Registration
  readonly outcomes: Result['inputs']['outcomes']
  readonly isYearUnasked: boolean
  readonly others: readonly OtherRelease[]
  /** Scores the pairs of a series. */
  readonly scored: (paired: PairedSeries) => Omit<ShownSeries & DecidedSeries, 'keysOf'>
}

/** The computations of an evaluation, for protocols of either version: the same for `score` and for `audit`. */
export interface EvaluationTask extends PairingTask {
  /**
   * Scores and tests the pairs, a series at a time, independent of options.
   * @param onCells - gets the lines of cells in order, in pieces.
   */
  readonly evaluation: (onCells: (text: string) => void) => Evaluation
}

const PIECE = 65_536

/** A complete evaluation, a series at a time: of a series only sums outlive it. */
export class Evaluation {
  #first: ReadingSums | undefined
  #second: ReadingSums | undefined
  readonly #cells: CountedCells
  readonly #scales: ReadonlyMap<string, CellLine['scales']>
  readonly #hash = createHash('sha256')
  #text = ''
  #added = 0

  /** @param onCells - gets the lines of cells in order, in pieces. */
  constructor(
    private readonly input: EvaluationInput,
    private readonly onCells: (text: string) => void,
  ) {
    this.#cells = new CountedCells(input.of.registered.rules.steps)
    this.#scales = scalesIn(input.registration)
  }

  /** Adds the next series. @param second - with forecasts included that were committed late or never. */
  readonly add = (paired: PairedSeries, second: PairedSeries | undefined): void => {
    const { of } = this.input
    const first = this.#summed(paired)
    const again = second && this.#summed(second)
    const isLast = ++this.#added === of.registered.rules.series.length
    this.#first ??= this.#begin(first.sums)
    this.#first.add(first.own, first.sums, isLast)
    if (again !== undefined) {
      this.#second ??= this.#begin(again.sums)
      this.#second.add(again.own, again.sums, isLast)
    }
    for (const [at, cell] of first.own.cells.entries()) {
      this.#cells.add(cell)
      this.#line(first, again, cell, again?.own.cells[at])
    }
    if (isLast) this.#flush()
  }

  /** The result, sealed with its own digest. */
  async finish(
    paired: Paired,
    { inputs, ...metadata }: RunMetadata,
    options: EvaluateOptions,
  ): Promise<Result> {
    const { of, registration, outcomes, isYearUnasked } = this.input
    const { registered } = of
    const first = this.#first as ReadingSums
    const { reading, isDecided } = await first.finish(paired.outside, options)
    const isTwice = this.#second !== undefined && first.late > 0
    const again = isTwice ? await this.#second?.finish(paired.outside, options) : undefined
    const result: Result = {
      ...{ ...metadata, result_version: 1, result_sha256: '', kind: kindOf(of) },
      inputs: { ...inputs, outcomes },
      settings: settingsOf(registration, registered),
      window: {
        ...windowOf(of),
        waiting_worth: waitingBasisIn(of, isDecided ? first.waiting() : []).worth,
        year_not_asked: isYearUnasked,
      },
      implausible: [...paired.implausible],
      series: seriesIn(of),
      strata: strataOf(of),
      cells: { ...this.#cells.counted(), sha256: this.#hash.digest('hex') },
      reading,
      second_reading: again
        ? {
            late: first.late,
            counts_for: worseInSecond(reading, again.reading),
            reading: again.reading,
          }
        : null,
    }
    return { ...result, result_sha256: resultDigest(result) }
  }

  #summed(paired: PairedSeries) {
    const scored = this.input.scored(paired)
    const sums = cellSums(this.input.of, scored)
    return { own: { ...scored, keysOf: sums.keysOf }, sums }
  }

  #begin({ measures }: CellSums): ReadingSums {
    return new ReadingSums(this.input.of, measures, this.input.others)
  }

  #line(
    first: SummedSeries,
    again: SummedSeries | undefined,
    cell: ReadingCell,
    cellAgain: ReadingCell | undefined,
  ): void {
    const { of } = this.input
    const isTwice = again && cellAgain && hasLate(of, first, cell)
    const second = isTwice ? cellFigures(of, again, cellAgain) : null
    const line = cellLine(of, first, cell, this.#scales.get(cell.series) ?? [], second)
    this.#text += `${canonicalize(line)}\n`
    if (this.#text.length > PIECE) this.#flush()
  }

  #flush(): void {
    this.#hash.update(this.#text)
    this.onCells(this.#text)
    this.#text = ''
  }
}

function kindOf({ registered }: ReadingPlan): Result['kind'] {
  if (registered.mode === 'backtest') return 'backtest'
  return registered.rules.test.method === 'percentile-bootstrap' ? 'not_decided' : 'evaluation'
}

/** The scales of each series. */
function scalesIn({ scales }: Registration): ReadonlyMap<string, CellLine['scales']> {
  const bySeries = new Map<string, CellLine['scales']>()
  for (const { series, transform, value } of scales) {
    bySeries.set(series, [...(bySeries.get(series) ?? []), { transform, value }])
  }
  return bySeries
}

/** The registration without series, scales and the names of tests, and with the alpha that is left. */
function settingsOf(
  registration: Registration,
  { rules: all }: ReadingPlan['registered'],
): Result['settings'] {
  const { scales: _, family, ...fixed } = registration
  const { series, ...rules } = rulesData(all)
  return { ...fixed, rules, family: { size: family.size, sha256: family.sha256 } }
}

function windowOf({ registered, plan: { origins }, design }: ReadingPlan) {
  const { rules, isShortened } = registered
  const positions = Array.from({ length: origins.count }, (_, at) => origins.position(at))
  return {
    through: isShortened ? rules.calendar.label(positions.at(-1) as number) : null,
    origins: origins.count,
    blocks: Math.floor(origins.count / rules.dependence.block_origins),
    origins_a_day: design.originsADay(),
    due_by_end: positions.every((origin) => rules.due(origin) <= rules.calendar.end(origin)),
  }
}

function seriesIn({ registered: { rules }, groupOf }: ReadingPlan): Result['series'] {
  const groups = new Map<string, number>()
  for (const { id } of rules.series.toSorted((a, b) => compareText(a.id, b.id))) {
    const group = groupOf(id)
    if (group !== undefined) groups.set(group, (groups.get(group) ?? 0) + 1)
  }
  const units = [...new Set(rules.series.map(({ unit }) => unit))]
  return {
    count: rules.series.length,
    units: { count: units.length, first: units.slice(0, MOST_UNITS) },
    groups: [...groups].map(([group, series]) => ({ group, series })),
  }
}

const MOST_UNITS = 3
const MOST_SERIES = 10

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
  if (to.size < MOST_SERIES) to.add(series)
}

function strataOf({ registered, memberships }: ReadingPlan): Result['strata'] {
  const names = [...new Set(registered.levels.map(({ name }) => name))]
  return names.map((name) => ({
    name,
    levels: registered.levels
      .filter((of) => of.name === name)
      .map((of) => ({ level: of.level, origins: memberships.of(of)?.origins ?? 0 })),
  }))
}
