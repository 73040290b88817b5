import { remembering } from '../../contract/remembering.js'
import { createCosineTables } from '../../inference/cosines.js'
import {
  cumulativeDifference,
  type HlnFigures,
  hlnTest,
  testWeekMemory,
  type WeekMemory,
} from '../../inference/diagnostics.js'
import { computeTest, type EwcJudged } from '../../inference/ewc-judge.js'
import type { Series } from '../../inference/family-input.js'
import {
  type CellDifferences,
  computeCellDifferences,
  createTestComponent,
} from '../../inference/family-series.js'
import { MeanSums } from '../../inference/sums.js'
import type { StratumLevel } from '../../pairing/plan.js'
import { meanDirectionName } from '../../registration/family.js'
import { directedOrigins } from '../../registration/limits.js'
import { countOutcomes, countWithheld } from '../../scoring/differences.js'
import { type FilledCell, fillCell, StandIns } from '../../scoring/gaps.js'
import { average, MeanOfMeans } from '../../scoring/sum.js'
import { estimandIn, memoryIn, type ReadingPlan } from './basis.js'
import { cellsIn, type ReadingCell, type SeriesReading } from './cells.js'
import { isChargeableIn, type ScopedTest } from './registered.js'

/**
 * How the gaps of a test are filled: with the worst for the candidate, with the best, or with the worst after the
 * comparator was charged what waiting gains.
 */
export type Filling = 'worst' | 'best' | 'charged'

/** A test with its gaps filled, which a decision rests on. */
export interface FilledTest {
  readonly judged: EwcJudged
  /** Over the cells that count by their own pairs. */
  readonly comparatorMean: number | null
}

/** What is shown beside a test; null where it is not. */
export interface BesideTest {
  readonly hln: HlnFigures | null
  readonly memory: WeekMemory | null
  readonly cumulative: readonly number[] | null
}

/** A registered test, before the others are known. */
export interface SummedTest {
  /** The number of cells over which it takes its mean. */
  readonly cells: number
  /** Whether it can be part of a verdict: a direction test only if the comparator calls a direction often enough. */
  readonly isAsked: boolean
  readonly judged: EwcJudged
  /**
   * The comparator's mean over the pairs of the test (with several cells: the unweighted mean of their means). An
   * observed difference, or a bound of it, divided by this is the relative change.
   */
  readonly comparatorMean: number | null
  readonly diagnostics: BesideTest
  readonly filled: Readonly<Partial<Record<Filling, FilledTest>>>
  /** For a bootstrap, which draws from them. */
  readonly components: readonly Series[]
}

/** The tests of a reading, before the ladder. */
export interface SummedTests {
  /** In the order of the family. */
  readonly tests: readonly SummedTest[]
  /** The mean direction error over the steps of a candidate against a comparator; undefined where none is asked. */
  readonly direction: (candidate: string, comparator: string) => EwcJudged | undefined
}

/** The sums of a family, a series at a time: of a test only what `MeanSums` keeps outlives a series. */
export class TestSums {
  readonly #tallies = new Map<ScopedTest, Tally>()
  /** Of direction tests over all cells, which are reported where the comparator calls none often enough. */
  readonly #uncalled = new Map<ScopedTest, Tally>()
  readonly #directions = new Map<string, DirectionTally>()
  readonly #finished: SummedTest[] = []
  readonly #standIns = remembering(
    (_candidate: string, _comparator: string, _measure: string, filling: Filling) =>
      new StandIns(filling === 'best' ? 'best' : 'worst'),
  )
  readonly #tables = createCosineTables()
  readonly #smallest: number
  readonly #isDrawn: boolean

  constructor(private readonly of: ReadingPlan) {
    this.#smallest = smallestDistance(of.plan.origins)
    this.#isDrawn = of.registered.rules.test.method === 'percentile-bootstrap'
  }

  /** @param isLast - no further series follows: each test is judged, and let go. */
  add(series: SeriesReading, isLast: boolean): void {
    const seriesTests = new SeriesTests(this.of, series, this.#standIns)
    for (const test of this.of.registered.tests) {
      const [cells, called] = [seriesTests.listCells(test), seriesTests.listCalled(test)]
      const tally = this.#tallies.get(test) ?? new Tally(this.of, test, this.#isDrawn)
      tally.add(seriesTests, called)
      const uncalled = this.#tallyUncalled(test)
      uncalled?.add(seriesTests, cells)
      this.#addDirection(test, seriesTests, called)
      if (isLast) this.#finished.push(this.#finish(test, tally, uncalled))
      else this.#tallies.set(test, tally)
    }
    if (!isLast) return
    this.#tallies.clear()
    this.#uncalled.clear()
  }

  #tallyUncalled(test: ScopedTest): Tally | undefined {
    if (test.role !== 'direction_error') return undefined
    const tally = this.#uncalled.get(test) ?? new Tally(this.of, test, this.#isDrawn)
    this.#uncalled.set(test, tally)
    return tally
  }

  finish(): SummedTests {
    const direction = (candidate: string, comparator: string) => {
      const tally = this.#directions.get(JSON.stringify([candidate, comparator]))
      if (tally === undefined) return undefined
      const { measure, filled } = tally
      const { sums } = filled.finish(this.#standIns(candidate, comparator, measure, 'worst'))
      const name = meanDirectionName(candidate, comparator, measure)
      const { rules } = this.of.registered
      return this.#judge({ name, sums, memory: memoryIn(rules, measure) })
    }
    return { tests: this.#finished, direction }
  }

  /** The steps of a direction count together, in the mean of a verdict. */
  #addDirection(test: ScopedTest, own: SeriesTests, cells: readonly ReadingCell[]): void {
    const { candidate, comparator, measure, step } = test
    if (!isDirectionPart(test) || !this.of.testedSteps.includes(step as number)) return
    if (cells.length === 0) return
    const key = JSON.stringify([candidate, comparator])
    const tally = this.#directions.get(key) ?? { measure, filled: new FilledSums(this.of) }
    this.#directions.set(key, tally)
    own.addFilled(tally.filled, test, cells, 'worst')
  }

  #finish(test: ScopedTest, called: Tally, uncalled: Tally | undefined): SummedTest {
    const isAsked = called.cells > 0
    const tally = isAsked ? called : (uncalled ?? called)
    const { candidate, comparator, measure, role, name } = test
    const memory = memoryIn(this.of.registered.rules, measure)
    const withheld = tally.isWithheld()
    const judge = (sums: MeanSums, comparatorMean: number | null) => {
      // A direction is not relative to a loss.
      const noScale = role === 'point_loss' && comparatorMean === 0
      return this.#judge({ name, sums, memory, withheld, noScale })
    }
    const filled = [...tally.filled].map(([filling, of]) => {
      const made = of.finish(this.#standIns(candidate, comparator, measure, filling))
      const judged = judge(made.sums, made.comparatorMean)
      return [filling, { judged, comparatorMean: made.comparatorMean }] as const
    })
    const comparatorMean = tally.comparator.value
    const judged = judge(tally.plain, comparatorMean)
    return {
      ...{ cells: tally.cells, isAsked, judged, comparatorMean },
      filled: Object.fromEntries(filled),
      diagnostics: this.#diagnose(test, tally.plain, judged),
      components: tally.components.length > 0 ? tally.components : [{ values: emptyIn(this.of) }],
    }
  }

  /** A test without a cell stays in the family, and is blocked. */
  #judge(test: Parameters<typeof computeTest>[0] & { readonly sums: MeanSums }): EwcJudged {
    if (test.sums.components === 0) test.sums.add({ values: emptyIn(this.of) })
    return computeTest(test, this.of.design, this.#tables)
  }

  #diagnose(test: ScopedTest, sums: MeanSums, { p, counts }: EwcJudged): BesideTest {
    const { step } = test
    if (p === null || !isWholeDeciding(test) || this.of.registered.rules.weights === null)
      return NOTHING_BESIDE
    const lead = step === 'overall' ? undefined : Math.max(1, Math.ceil(step / this.#smallest))
    const isOne = lead !== undefined && sums.components === 1
    return {
      hln: isOne ? hlnTest(sums.centred(), lead) : null,
      memory:
        step === 'overall'
          ? testWeekMemory(sums.centred(), counts.effectiveBlocks, this.#tables)
          : null,
      cumulative: step === 'overall' ? cumulativeDifference(sums) : null,
    }
  }
}

const isWholeDeciding = ({ decides, group, stratum }: ScopedTest): boolean =>
  decides && group === 'all' && stratum === 'all'

const NOTHING_BESIDE: BesideTest = { hln: null, memory: null, cumulative: null }

const emptyIn = ({ plan }: ReadingPlan) => new Float64Array(plan.origins.count).fill(Number.NaN)

/** The smallest distance between origins, in positions. */
function smallestDistance({ count, position }: ReadingPlan['plan']['origins']): number {
  let smallest = Number.POSITIVE_INFINITY
  for (let at = 1; at < count; at++) smallest = Math.min(smallest, position(at) - position(at - 1))
  return smallest
}

interface DirectionTally {
  readonly measure: string
  readonly filled: FilledSums
}

const isDirectionPart = ({ role, stratum, group, step }: ScopedTest): boolean =>
  role === 'direction_error' && stratum === 'all' && group === 'all' && step !== 'overall'

/** The fillings of a test that a decision needs. */
function listFillings({ registered }: ReadingPlan, test: ScopedTest): Filling[] {
  const { role, stratum, group, step, decides, comparator } = test
  if (registered.rules.test.method === 'percentile-bootstrap') return []
  const isOfLoss = role === 'point_loss' && stratum === 'all'
  const isOverall = isOfLoss && group === 'all' && step === 'overall'
  const isGivenAway = registered.rules.origins.waiting === 'part_of_the_task'
  const isCharged = isOverall && !isGivenAway && isChargeableIn(registered, comparator)
  return [
    ...(isOfLoss ? (['worst'] as const) : []),
    ...(isCharged ? (['charged'] as const) : []),
    ...(decides && group === 'all' ? (['best'] as const) : []),
  ]
}

/** The sums of one test. */
class Tally {
  cells = 0
  readonly plain: MeanSums
  readonly components: Series[] = []
  readonly comparator = new MeanOfMeans()
  readonly filled: ReadonlyMap<Filling, FilledSums>
  /** Over all origins, and over those of the level of the test. */
  readonly #withheld = { all: { withheld: 0, outcomes: 0 }, level: { withheld: 0, outcomes: 0 } }

  constructor(
    private readonly of: ReadingPlan,
    private readonly test: ScopedTest,
    private readonly isDrawn: boolean,
  ) {
    this.plain = sumsIn(of, isWholeDeciding(test) && test.step === 'overall')
    this.filled = new Map(listFillings(of, test).map((filling) => [filling, new FilledSums(of)]))
  }

  add(own: SeriesTests, cells: readonly ReadingCell[]): void {
    this.cells += cells.length
    for (const { id, isShown } of cells) {
      if (!isShown) continue
      const { comparatorMean, ...component } = own.component(this.test, id)
      this.plain.add(component)
      this.comparator.add(comparatorMean)
      if (this.isDrawn) this.components.push(component)
    }
    for (const [filling, sums] of this.filled) own.addFilled(sums, this.test, cells, filling)
    if (this.#asksIntervals()) this.#addWithheld(own, cells)
  }

  /**
   * Whether a test of intervals cannot support a claim: the candidate left out more of them than the limits on silence
   * allow, over all origins or in the level of the test.
   */
  isWithheld(): boolean {
    const { availability, availability_stratum: ofLevel } = this.of.registered.rules.limits
    const { all, level } = this.#withheld
    const isBeyond = (count: typeof all, limit: number | null) =>
      count.withheld > (limit ?? 1) * count.outcomes
    const isWhole = this.test.stratum === 'all'
    return isBeyond(all, availability) || isBeyond(level, isWhole ? availability : ofLevel)
  }

  #asksIntervals(): boolean {
    const { rules } = this.of.registered
    const { step, measure } = this.test
    return rules.weights !== null && step !== 'overall' && estimandIn(rules, measure) === 'interval'
  }

  #addWithheld(own: SeriesTests, cells: readonly ReadingCell[]): void {
    const { candidate, stratum } = this.test
    for (const { id } of cells) {
      for (const [of, sum] of [
        ['all', this.#withheld.all],
        [stratum, this.#withheld.level],
      ] as const) {
        const { withheld, outcomes } = own.withheld(candidate, id, of)
        sum.withheld += withheld
        sum.outcomes += outcomes
      }
    }
  }
}

const sumsIn = ({ plan, design }: ReadingPlan, isWhole = false) =>
  new MeanSums(plan.origins.count, design.blockLength, isWhole)

/** The sums of a test whose gaps are filled. */
class FilledSums {
  readonly #sums: MeanSums
  readonly #means = new MeanOfMeans()
  /** By step, the cells in whose place another counts, if there is one. */
  readonly #others = new Map<number, { times: number; asIs: MeanSums; means: (number | null)[] }>()

  constructor(private readonly of: ReadingPlan) {
    this.#sums = sumsIn(of)
  }

  add(cell: FilledCell, comparatorMean: number | null): void {
    if (cell.isOwn) {
      this.#sums.add(cell)
      this.#means.add(comparatorMean)
      return
    }
    const { horizon } = cell
    const other = this.#others.get(horizon) ?? { times: 0, asIs: sumsIn(this.of), means: [] }
    this.#others.set(horizon, other)
    other.times++
    other.asIs.add(cell)
    other.means.push(comparatorMean)
  }

  finish(standIns: StandIns) {
    for (const [step, { times, asIs, means }] of this.#others) {
      const other = standIns.at(step)
      if (other !== undefined) {
        this.#sums.add(other, times)
        continue
      }
      this.#sums.addAll(asIs)
      for (const mean of means) this.#means.add(mean)
    }
    return { sums: this.#sums, comparatorMean: this.#means.value }
  }
}

/** What the tests of a family take from one series; it is let go with the series. */
class SeriesTests {
  readonly #differences: CellDifferences
  readonly #enough: number
  readonly #filled
  readonly #calls
  readonly withheld

  constructor(
    private readonly of: ReadingPlan,
    private readonly own: SeriesReading,
    getStandIns: (...of: [string, string, string, Filling]) => StandIns,
  ) {
    const { registered, design, memberships } = of
    const { cells, getCell, left, paired } = own
    const getEstimand = (measure: string) => estimandIn(registered.rules, measure)
    this.#differences = computeCellDifferences({ getCell, getEstimand })
    this.#enough = directedOrigins(design.minimumPairs)
    this.#calls = remembering(
      (comparator: string, measure: string, cell: number) =>
        average(getCell(comparator, cell).columns[measure]!).count,
    )
    this.#filled = remembering(
      (candidate: string, comparator: string, measure: string, filling: Filling) => {
        const standIns = getStandIns(candidate, comparator, measure, filling)
        const made = cells.flatMap((cell): (readonly [number, FilledCell])[] => {
          if (!cell.inTest) return []
          const share = filling === 'charged' ? left(cell.id) : undefined
          const values = this.#differences({ candidate, comparator, measure }, cell.id, share)
          const filled = fillCell(cell, values, filling === 'best' ? 'best' : 'worst')
          standIns.offer(filled)
          return [[cell.id, filled]]
        })
        return new Map(made)
      },
    )
    this.withheld = remembering((candidate: string, cell: number, level: StratumLevel) => {
      const members = memberships.of(level)?.mask
      const there = paired.outcomes(cell)
      const withheld = countWithheld(there, getCell(candidate, cell).pairs, members)
      return { withheld, outcomes: countOutcomes(there, members) }
    })
  }

  /** The tested cells of a series for which the comparator is required; for a direction only those that decide. */
  listCells(test: ScopedTest): ReadingCell[] {
    if (!this.of.isAsked(test.comparator, this.own.series)) return []
    const isMeant = ({ inTest, decides }: ReadingCell) =>
      inTest && (decides || test.role !== 'direction_error')
    return cellsIn(this.own.cells, test).filter(isMeant)
  }

  /** For a direction only those in which the comparator calls one at as many origins as a test needs pairs, with a margin. */
  listCalled(test: ScopedTest): ReadingCell[] {
    const { comparator, measure, role } = test
    const cells = this.listCells(test)
    if (role !== 'direction_error') return cells
    return cells.filter(({ id }) => this.#calls(comparator, measure, id) >= this.#enough)
  }

  component(test: ScopedTest, cell: number) {
    const members = this.of.memberships.of(test.stratum)?.mask
    return createTestComponent(test, cell, this.own.getCell, this.#differences, members)
  }

  addFilled(
    to: FilledSums,
    test: ScopedTest,
    cells: readonly ReadingCell[],
    filling: Filling,
  ): void {
    const { candidate, comparator, measure } = test
    // Also where the test has no cell: another series may stand in for one of its own.
    const filled = this.#filled(candidate, comparator, measure, filling)
    for (const { id } of cells) {
      const { comparatorMean } = createTestComponent(test, id, this.own.getCell, this.#differences)
      to.add(filled.get(id) as FilledCell, comparatorMean)
    }
  }
}
