import type { PairLine, SeriesProtocol } from '../contract/types.js'
import { relative } from '../evaluation/result/readings.js'
import type { SeriesEvaluationResult } from '../evaluation/result/types.js'
import { seriesScores } from '../scoring/series-scores.js'
import {
  type RecordColumn,
  recordColumns,
  type Table,
  toRecordRow,
  toRecordTable,
  toStreamedTable,
} from '../table/types.js'
import { integerCell } from './cells.js'
import { isScored } from './losses.js'
import { quantilesTable } from './pairs.js'
import { weakestTests } from './scores.js'
import { TEST_FIGURES, TEST_NAMES } from './tests.js'

/** The tables of an evaluation of any series: horizons are steps, origins and targets are labels of periods. */

type SeriesTest = SeriesEvaluationResult['tests'][number]
type Measures = SeriesEvaluationResult['measures'][number]

interface Score extends Omit<Measures, 'scores' | 'pairs'> {
  readonly role: string | null
  readonly measure: string
  readonly pairs: number
  readonly estimate: number | null
  readonly test: SeriesTest | undefined
}

type Place = Pick<Measures, 'group' | 'horizon'>

/** Null for all horizons. */
const stepOf = ({ horizon }: { readonly horizon: number | 'overall' }) =>
  horizon === 'overall' ? null : horizon

export const SERIES_SCORE_COLUMNS = recordColumns<Score>([
  ['model', 'text', ({ model }) => model],
  ['role', 'text', ({ role }) => role],
  ['series', 'text', ({ series }) => series],
  ['group', 'text', ({ group }) => group],
  ['horizon', 'integer', stepOf],
  ['measure', 'text', ({ measure }) => measure],
  ['estimate', 'number', ({ estimate }) => estimate],
  ['n', 'integer', ({ pairs }) => pairs],
  ['compare_against', 'text', ({ test }) => test?.comparator ?? null],
  ['difference', 'number', ({ test }) => test?.observed ?? null],
  ['pval', 'number', ({ test }) => test?.p ?? null],
  ['adj_pval', 'number', ({ test }) => test?.p_adjusted ?? null],
])

/** Every mean score of every model, one per row, in the order of the result; with the p of its tests. */
export function seriesScoresTable({ models, measures, tests }: SeriesEvaluationResult): Table {
  const roleOf = new Map(models.map(({ name, role }) => [name, role]))
  const keyOf = (model: string, { group, horizon }: Place, measure: string) =>
    JSON.stringify([model, group, horizon, measure])
  const testOf = weakestTests(tests, (test) => keyOf(test.candidate, test, test.measure))
  const records = measures.flatMap(({ scores, pairs: counts, ...of }) =>
    Object.entries(scores).map(([measure, estimate]) => {
      const test = of.series === 'all' ? testOf.get(keyOf(of.model, of, measure)) : undefined
      const pairs = counts[measure] ?? 0
      return { ...of, role: roleOf.get(of.model) ?? null, measure, estimate, pairs, test }
    }),
  )
  return toRecordTable(SERIES_SCORE_COLUMNS, records)
}

export const SERIES_TEST_COLUMNS: readonly RecordColumn<SeriesTest>[] = [
  ...TEST_NAMES,
  ...recordColumns<SeriesTest>([
    ['measure', 'text', ({ measure }) => measure],
    ['horizon', 'integer', stepOf],
    ['group', 'text', ({ group }) => group],
    ['cells', 'integer', ({ cells }) => cells],
  ]),
  ...TEST_FIGURES,
]

/** Every registered test, one per row, in the order of the family. */
export function seriesTestsTable({ tests }: SeriesEvaluationResult): Table {
  return toRecordTable(SERIES_TEST_COLUMNS, tests)
}

type Difference = SeriesEvaluationResult['cell_differences'][number]
interface Cell extends Difference {
  readonly group: string | null
  readonly cell: SeriesEvaluationResult['cells'][number] | undefined
}

export const CELL_COLUMNS = recordColumns<Cell>([
  ['model', 'text', ({ candidate }) => candidate],
  ['compare_against', 'text', ({ comparator }) => comparator],
  ['series', 'text', ({ series }) => series],
  ['group', 'text', ({ group }) => group],
  ['horizon', 'integer', ({ horizon }) => horizon],
  ['origins', 'integer', ({ cell }) => cell?.origins ?? null],
  ['with_outcome', 'integer', ({ cell }) => cell?.with_outcome ?? null],
  ['in_test', 'boolean', ({ cell }) => cell?.in_test ?? null],
  ['in_means', 'boolean', ({ cell }) => cell?.in_means ?? null],
  ['n', 'integer', ({ pairs }) => pairs],
  ['estimate', 'number', ({ observed }) => observed],
  ['compare_against_mean', 'number', ({ comparator_mean }) => comparator_mean],
  ['lower', 'number', ({ bounds }) => bounds?.lower ?? null],
  ['upper', 'number', ({ bounds }) => bounds?.upper ?? null],
  ['relative', 'number', (of) => relative(of.observed, of)],
  ['relative_lower', 'number', (of) => relative(of.bounds?.lower, of)],
  ['relative_upper', 'number', (of) => relative(of.bounds?.upper, of)],
])

/** Every series at every step, one row per candidate and comparator. */
export function cellsTable({ cells, cell_differences, series }: SeriesEvaluationResult): Table {
  const groupOf = new Map(series.map(({ id, group }) => [id, group]))
  const cellOf = new Map(cells.map((cell) => [`${cell.horizon} ${cell.series}`, cell]))
  const records = cell_differences.map((of) => {
    const cell = cellOf.get(`${of.horizon} ${of.series}`)
    return { ...of, cell, group: groupOf.get(of.series) ?? null }
  })
  return toRecordTable(CELL_COLUMNS, records)
}

type Lines = AsyncIterable<readonly PairLine[]>

const PLACE_COLUMNS = recordColumns<PairLine>([
  ['series', 'text', ({ series }) => series],
  ['origin', 'text', ({ origin }) => origin],
  ['target', 'text', ({ target }) => target],
  ['horizon', 'integer', ({ step }) => integerCell(step)],
  ['model', 'text', ({ model }) => model],
])
const VINTAGE_COLUMNS = recordColumns<PairLine>([
  ['vintage_id', 'text', ({ vintage_id }) => vintage_id],
  ['vintage_sha256', 'text', ({ vintage_sha256 }) => vintage_sha256],
])

/** The scored attempts, one row per quantile. */
export const seriesLongPairsTable = ({ settings }: SeriesEvaluationResult, pairs: Lines): Table =>
  quantilesTable(PLACE_COLUMNS, settings.levels, pairs)

/** Every attempt, expected or off the grid, one per row, in the order of the stored pairs. */
export function seriesPairsTable({ settings }: SeriesEvaluationResult, pairs: Lines): Table {
  const columns: readonly RecordColumn<PairLine>[] = [
    ...PLACE_COLUMNS,
    ...recordColumns<PairLine>([
      ['expected', 'boolean', ({ expected }) => expected],
      ['status', 'text', ({ status }) => status],
      ['reason', 'text', ({ reason }) => reason],
      ['seen', 'text', ({ seen }) => seen],
      ['base', 'number', ({ base }) => base],
      ['outcome', 'number', ({ outcome }) => outcome],
      ['value', 'number', ({ value }) => value],
      ...settings.levels.map(
        (level, at) =>
          [`q${level}`, 'number', ({ quantiles }: PairLine) => quantiles[at] ?? null] as const,
      ),
    ]),
    ...VINTAGE_COLUMNS,
  ]
  return toStreamedTable(columns, pairs, (batch) => batch.map((pair) => toRecordRow(columns, pair)))
}

/** A scored attempt with its losses, in the order of the scores. */
interface Loss extends PairLine {
  readonly losses: readonly (number | null)[]
}

/** Every score of every scored attempt, one attempt per row; null if a value has no transform. */
export function seriesLossesTable(result: SeriesEvaluationResult, pairs: Lines): Table {
  const { models, series, settings } = result
  const roleOf = new Map(models.map(({ name, role }) => [name, role]))
  const placeOf = new Map(series.map(({ id }, at) => [id, at]))
  const scores = seriesScores(
    { series, scores: settings.scores.map(scoreOf), forecast: { levels: [...settings.levels] } },
    series.flatMap(({ id, scales }) => scales.map((scale) => ({ series: id, ...scale }))),
  )
  const number = (value: number | null) => value ?? Number.NaN
  const lossesOf = ({ series: own, value, quantiles, outcome, base }: PairLine) => {
    const all = Float64Array.from(quantiles, (one) => one ?? Number.NaN)
    const place = placeOf.get(own) ?? Number.NaN
    return scores
      .map(({ of }) => of(number(value), all, number(outcome), place, number(base)))
      .map((loss) => (Number.isFinite(loss) ? loss : null))
  }
  const columns: readonly RecordColumn<Loss>[] = [
    ...PLACE_COLUMNS,
    ...recordColumns<Loss>([
      ['role', 'text', ({ model }) => roleOf.get(model) ?? null],
      ...scores.map(({ id }, at) => [id, 'number', ({ losses }: Loss) => losses[at]!] as const),
    ]),
    ...VINTAGE_COLUMNS,
  ]
  return toStreamedTable(columns, pairs, (batch) =>
    batch.filter(isScored).map((pair) => toRecordRow(columns, { ...pair, losses: lossesOf(pair) })),
  )
}

/** A score in the form of the protocol, from its description in a result. */
function scoreOf({
  levels: [lower = '', upper = ''],
  transform,
  ...score
}: SeriesEvaluationResult['settings']['scores'][number]): SeriesProtocol['scores'][number] {
  const [kind, offset] = transform.split(' ')
  return {
    ...score,
    ...(score.kind === 'pinball' ? { level: lower } : { lower, upper }),
    transform: { kind, ...(offset !== undefined && { offset }) },
  } as SeriesProtocol['scores'][number]
}
