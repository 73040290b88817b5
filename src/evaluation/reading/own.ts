import { createCosineTables } from '../../inference/cosines.js'
import type { Memory } from '../../inference/ewc.js'
import { boundsBeside } from '../../inference/ewc-judge.js'
import type { FamilyTest, Series } from '../../inference/family-input.js'
import { MeanSums } from '../../inference/sums.js'
import type { Bounds } from '../../inference/test-result.js'
import { memoryIn, primaryIn, type ReadingPlan } from './basis.js'
import type { SeriesReading } from './cells.js'
import type { CellSums } from './sum.js'

/** The scope of a mean of one model: a step, or all deciding steps. */
export type OwnStep = number | 'overall'

/** The name of a mean of one model: a measure, or the share below a level. */
export const ownName = (model: string, measure: string, step: OwnStep): string =>
  JSON.stringify([model, measure, step])

/** The measures whose means have bounds: the primary score, and coverage. */
export function boundedMeasures({ registered: { rules } }: ReadingPlan): string[] {
  const coverage = rules.scores.filter(({ kind }) => kind === 'coverage')
  return [primaryIn(rules), ...coverage.map(({ id }) => id)]
}

/** The name of a share below a level, as a measure. */
export const belowName = (level: string): string => `below ${level}`

/** A mean of one model, with bounds but outside of the family. */
interface OwnMean {
  readonly name: string
  readonly model: string
  readonly step: OwnStep
  readonly memory: Memory
  readonly valuesIn: (sums: CellSums, cell: number) => Float64Array
}

/** The bounds of means of one model over all series, by `ownName`, a series at a time. */
export class OwnSums {
  readonly #means: readonly OwnMean[]
  readonly #sums = new Map<OwnMean, MeanSums>()
  /** For a bootstrap, which draws from them. */
  readonly drawn: FamilyTest[] = []
  readonly #isDrawn: boolean
  readonly #bounds = new Map<string, Bounds>()
  readonly #tables = createCosineTables()

  constructor(
    private readonly of: ReadingPlan,
    models: readonly string[],
  ) {
    this.#isDrawn = of.registered.rules.test.method === 'percentile-bootstrap'
    this.#means = models.flatMap((model) => listMeans(of, model))
  }

  /** @param isLast - no further series follows. */
  add(series: SeriesReading, sums: CellSums, isLast: boolean): void {
    for (const mean of this.#means) {
      const components = this.#componentsIn(mean, series, sums)
      if (this.#isDrawn) {
        if (components.length > 0) this.drawn.push({ name: mean.name, components })
        continue
      }
      const { plan, design } = this.of
      const meanSums = this.#sums.get(mean) ?? new MeanSums(plan.origins.count, design.blockLength)
      for (const component of components) meanSums.add(component)
      if (!isLast) {
        this.#sums.set(mean, meanSums)
        continue
      }
      if (meanSums.components === 0) continue
      const { name, memory } = mean
      const bounds = boundsBeside({ name, sums: meanSums, memory }, design, this.#tables)
      if (bounds !== undefined) this.#bounds.set(name, bounds)
    }
    if (isLast) this.#sums.clear()
  }

  /** Absent if there are fewer blocks than the cosine test needs. */
  get bounds(): ReadonlyMap<string, Bounds> {
    return this.#bounds
  }

  #componentsIn({ model, step, valuesIn }: OwnMean, own: SeriesReading, sums: CellSums): Series[] {
    if (!this.of.isAsked(model, own.series)) return []
    const cells = own.cells.filter(
      ({ isShown, decides, horizon }) =>
        isShown && (step === 'overall' ? decides : horizon === step),
    )
    return cells.map(({ id }) => ({ values: valuesIn(sums, id) }))
  }
}

/** Over all deciding steps, and by step. */
function listMeans(of: ReadingPlan, model: string): OwnMean[] {
  const { rules } = of.registered
  const levels = rules.weights === null ? [] : rules.forecast.levels
  const at = (measure: string, step: OwnStep, valuesIn: OwnMean['valuesIn']): OwnMean => {
    const name = ownName(model, measure, step)
    return { name, model, step, memory: memoryIn(rules, measure), valuesIn }
  }
  return [
    ...boundedMeasures(of).flatMap((id) =>
      (['overall', ...rules.steps] as const).map((step) =>
        at(id, step, ({ getColumns }, cell) => getColumns(model, cell)[id]!),
      ),
    ),
    ...levels.flatMap((level) =>
      rules.steps.map((step) =>
        at(belowName(level), step, ({ belowIn }, cell) => belowIn(model, cell, level)),
      ),
    ),
  ]
}
