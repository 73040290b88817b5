import type { Reading } from '../../contract/types.js'
import type { EwcResult } from '../../inference/test-result.js'
import { scopeName } from '../../registration/family.js'
import type { VerdictMeasure } from '../../registration/test-definition.js'
import type { EvaluateOptions } from '../pair.js'
import { ewcMembers, summarizeFamily, testFigures, toResultVerdicts } from '../result/shared.js'
import type { ReadingPlan } from './basis.js'
import { decideReading } from './decide.js'
import { type DecidedSeries, DecidedSums } from './decided.js'
import { drawReading, type InferredReading, inferReading, type ReadingTests } from './infer.js'
import { OwnSums } from './own.js'
import { type OtherRelease, type ShownSeries, ShownSums } from './shown.js'
import { type CellSums, modelNames } from './sum.js'
import { TestSums } from './tests.js'

/** Everything that a reading keeps of a series after it, and the reading that they make. */
export class ReadingSums {
  readonly #tests: TestSums
  readonly #decided: DecidedSums
  readonly #shown: ShownSums
  readonly #own: OwnSums

  /** @param measures - with means. */
  constructor(
    private readonly of: ReadingPlan,
    measures: readonly string[],
    others: readonly OtherRelease[],
  ) {
    this.#tests = new TestSums(of)
    this.#decided = new DecidedSums(of)
    this.#shown = new ShownSums(of, measures, others)
    this.#own = new OwnSums(of, modelNames(of))
  }

  /** @param isLast - no further series follows. */
  add(own: ShownSeries & DecidedSeries, sums: CellSums, isLast: boolean): void {
    this.#tests.add(own, isLast)
    this.#decided.add(own)
    this.#shown.add(own, sums)
    this.#own.add(own, sums, isLast)
  }

  /** Attempts that count only in a second reading. */
  get late(): number {
    return this.#shown.late
  }

  /** What waiting is worth against persistence, over all deciding steps; of nothing that decides nothing. */
  waiting({ verdicts }: Pick<ReadingTests, 'verdicts'>) {
    return verdicts === null ? [] : this.#decided.waiting()
  }

  /** All tests, after the ladder, and the bounds of means. */
  async infer(options: EvaluateOptions): Promise<InferredReading> {
    const { test } = this.of.registered.rules
    const summed = this.#tests.finish()
    if (test.method === 'percentile-bootstrap') {
      return await drawReading(this.of, summed, this.#own.drawn, test, options)
    }
    const tests = inferReading(this.of, summed, this.#decided.farOff())
    return { tests, bounds: this.#own.bounds }
  }

  /** The reading, with the disposition of every candidate. @param pointLosses - rows outside the grid, by reason. */
  decide({ tests, bounds }: InferredReading, pointLosses: ReadonlyMap<string, number>): Reading {
    const shown = this.#shown
    const all = testsIn(this.of, tests)
    return {
      accounting: shown.accounting(),
      beside_grid: Object.fromEntries(pointLosses),
      measures: shown.measures(bounds),
      differences: shown.differences(),
      // Without hypotheses nothing is decided, so nothing is charged.
      waiting: this.waiting(tests).map(({ comparator, horizon, worth: w }) => {
        return { comparator, step: horizon, w }
      }),
      nowcasts: [...this.of.nowcasts],
      far_off: [...tests.farOff],
      family: summarizeFamily(all, this.of.registered.familySha256),
      tests: all,
      verdicts: verdictsIn(this.of, tests),
      dispositions: dispositionsIn(this.of, tests, this.#decided),
      other_rules: shown.otherRules(),
      newest_known: shown.newestKnown(),
      spread: shown.spread(),
    }
  }
}

function testsIn(
  { registered }: ReadingPlan,
  { summed, judged, weights, groups }: ReadingTests,
): Reading['tests'] {
  const bounds = new Map(groups.map(({ test, found }) => [test, found]))
  return registered.tests.map((test, at) => {
    const { name, candidate, comparator, measure: score, step, decides } = test
    const judgedTest = judged[at]!
    const weight = weights?.[at]
    const ewc = weight === undefined ? undefined : ewcMembers(judgedTest as EwcResult, weight)
    const { cells, comparatorMean, diagnostics } = summed[at]!
    const scope = scopeName(test.stratum, test.group)
    return {
      ...{ name, candidate, comparator, score, step, scope, decides, cells },
      ...testFigures(judgedTest, comparatorMean),
      degrees_of_freedom: ewc?.degrees_of_freedom ?? null,
      weight: weight ?? null,
      level_adjusted: ewc?.level_adjusted ?? null,
      bounds_simultaneous: judgedTest.simultaneousBounds ?? null,
      group_bound: bounds.get(name) ?? null,
      by_verdict: ewc?.by_verdict ?? false,
      hln: diagnostics.hln,
      memory: diagnostics.memory,
      cumulative: diagnostics.cumulative && [...diagnostics.cumulative],
    }
  })
}

/** Of what a verdict rests on, the ids of scores. */
function findScore({ registered: { rules } }: ReadingPlan, measure: VerdictMeasure): string {
  const isMeant = (score: (typeof rules.scores)[number]) =>
    measure === 'point_loss' ? score.primary : score.kind === 'direction'
  return rules.scores.find(isMeant)?.id ?? ''
}

function verdictsIn(of: ReadingPlan, tested: ReadingTests): Reading['verdicts'] {
  return toResultVerdicts(tested.verdicts ?? []).map(({ parts, ...verdict }) => ({
    ...verdict,
    parts: parts.map(({ test, comparator, horizon: step, measure, observed, limit, p }) => {
      return { test, comparator, step, score: findScore(of, measure), observed, limit, p }
    }),
  }))
}

function dispositionsIn(
  of: ReadingPlan,
  tested: ReadingTests,
  sums: DecidedSums,
): Reading['dispositions'] {
  const decided = decideReading(of, tested, sums)
  if (decided === null) return null
  return decided.map(({ candidate, disposition, reasons }) => ({
    ...{ candidate, disposition },
    reasons: reasons.map(({ horizon: step, measure, ...reason }) => ({
      ...{ ...reason, step },
      score: measure === null ? null : findScore(of, measure),
    })),
  }))
}
