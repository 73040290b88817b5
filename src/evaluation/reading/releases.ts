import type { Reading, RulesData } from '../../contract/types.js'
import type { MeasureColumns } from '../../scoring/cells.js'
import { meanOf, meanOfMeans } from '../../scoring/sum.js'
import type { DecidedBasis } from './decide.js'
import { primaryIn, type ReadingBasis } from './infer.js'
import type { CellSums } from './sum.js'

/** What is known about values other than the one that counts. */
export interface ReadingRelease {
  /** Other rules of release, if values are revised. Series by their position in the rules. */
  readonly others: readonly { readonly rule: string; readonly valueAt: DecidedBasis['valueAt'] }[]
  /** The scores of the pairs of a model in a cell as if other values counted. */
  readonly rescored: (
    model: string,
    cell: number,
    valueAt: DecidedBasis['valueAt'],
  ) => MeasureColumns
}

/** A rule of release in words. */
export const releaseText = ({ rule, lag, at, wait }: RulesData['outcome']['release']): string =>
  [rule, lag ?? at ?? wait ?? ''].join(' ').trim()

/** The deciding score and coverage under other rules of release; the registered rule comes first. */
export function otherRules(
  { registered, cells, cellOf, others, rescored }: ReadingBasis & ReadingRelease,
  { models }: Pick<CellSums, 'models'>,
): Reading['other_rules'] {
  const { rules } = registered
  const primary = primaryIn(rules)
  const coverages = rules.scores.filter(({ kind }) => kind === 'coverage').map(({ id }) => id)
  const own = { rule: releaseText(rules.outcome.release), columnsIn: columnsOf(cellOf) }
  const all = others.map(({ rule, valueAt }) => ({
    rule,
    columnsIn: (model: string, cell: number) => rescored(model, cell, valueAt),
  }))
  return [own, ...all].flatMap(({ rule, columnsIn }) =>
    models.flatMap((model) =>
      rules.steps.map((step) => {
        const shown = cells.filter((cell) => cell.isShown && cell.horizon === step)
        const columns = shown.map(({ id }) => columnsIn(model, id))
        const under = (id: string) => columns.map((of) => meanOf(of[id]!))
        const meanIn = (id: string) => meanOfMeans(under(id).map(({ mean }) => mean))
        return {
          ...{ rule, model, step, mean: meanIn(primary) },
          pairs: under(primary).reduce((sum, { count }) => sum + count, 0),
          coverage: Object.fromEntries(coverages.map((id) => [id, meanIn(id)])),
        }
      }),
    ),
  )
}

const columnsOf = (cellOf: ReadingBasis['cellOf']) => (model: string, cell: number) =>
  cellOf(model, cell).columns

/** The age of the newest value of any series that baselines see and that lies before the target. */
export function newestKnown({
  registered: { rules },
  paired,
  cells,
}: ReadingBasis): Reading['newest_known'] {
  const { origins } = paired.plan
  return rules.steps.map((step) => {
    const seen = cells.filter(({ horizon }) => horizon === step).map(({ id }) => paired.seen(id))
    const own = Array.from({ length: origins.count }, (_, at) => at).filter((at) =>
      rules.targetsOf(origins.position(at)).includes(step),
    )
    const ages = own.flatMap((at) => {
      const origin = origins.position(at)
      const known = seen.flatMap((of) => (Number.isNaN(of[at]) ? [] : [of[at] as number]))
      // A value of the target itself is as old as the target.
      return known.length === 0
        ? []
        : [origin - Math.min(Math.max(...known), origin + Math.max(0, step))]
    })
    const median = ages.sort((a, b) => a - b)[Math.floor(ages.length / 2)] ?? null
    return { step, origins: own.length, median_steps: median }
  })
}
