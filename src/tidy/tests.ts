import type { AnyResult, EvaluationResult, ResultTest } from '../evaluation/result/types.js'
import { type RecordColumn, recordColumns, type Table, toRecordTable } from '../table/types.js'
import { coordinatesOf, tidyName } from './cells.js'

const coordinates = ({ horizon, stratum }: ResultTest) => coordinatesOf(horizon, stratum)

type AnyTest = AnyResult['tests'][number]

/** What a test compares, for either version. */
export const TEST_NAMES = recordColumns<AnyTest>([
  ['test', 'text', ({ name }) => name],
  ['model', 'text', ({ candidate }) => candidate],
  ['compare_against', 'text', ({ comparator }) => comparator],
])

/** The figures of a test. */
export const TEST_FIGURES = recordColumns<AnyTest>([
  ['decides', 'boolean', ({ decides }) => decides],
  ['n', 'integer', ({ pairs }) => pairs],
  ['effective_blocks', 'integer', ({ effective_blocks }) => effective_blocks],
  ['estimate', 'number', ({ observed }) => observed],
  ['compare_against_mean', 'number', ({ comparator_mean }) => comparator_mean],
  ['lower', 'number', ({ bounds }) => bounds?.lower ?? null],
  ['upper', 'number', ({ bounds }) => bounds?.upper ?? null],
  ['standard_error', 'number', ({ standard_error }) => standard_error],
  ['statistic', 'number', statisticOf],
  ['degrees_of_freedom', 'integer', ({ degrees_of_freedom }) => degrees_of_freedom ?? null],
  ['pval', 'number', ({ p }) => p],
  ['rank', 'integer', ({ rank }) => rank],
  ['multiplier', 'number', ({ multiplier }) => multiplier],
  ['weight', 'number', ({ weight }) => weight ?? null],
  ['adj_pval', 'number', ({ p_adjusted }) => p_adjusted],
  ['adj_level', 'number', ({ level_adjusted }) => level_adjusted ?? null],
  ['adj_lower', 'number', ({ bounds_adjusted }) => bounds_adjusted?.lower ?? null],
  ['adj_upper', 'number', ({ bounds_adjusted }) => bounds_adjusted?.upper ?? null],
  ['decision', 'text', ({ decision }) => decision],
  ['rejected', 'boolean', ({ decision: of }) => (of === 'blocked' ? null : of === 'rejected')],
  ['blocked_reasons', 'text', ({ blocked_reasons }) => blocked_reasons.join('; ') || null],
])

export const TEST_COLUMNS: readonly RecordColumn<ResultTest>[] = [
  ...TEST_NAMES,
  ...recordColumns<ResultTest>([
    ['measure', 'text', ({ measure }) => tidyName(measure)],
    ['horizon', 'integer', (test) => coordinates(test).horizon],
    ['stratum', 'text', (test) => coordinates(test).stratum],
    ['level', 'text', (test) => coordinates(test).level],
  ]),
  ...TEST_FIGURES,
  ...recordColumns<ResultTest>([
    ['hln_statistic', 'number', ({ hln }) => hln?.statistic ?? null],
    ['hln_pval', 'number', ({ hln }) => hln?.p ?? null],
    ['week_memory', 'number', ({ week_memory: memory }) => memory?.ratio ?? null],
    ['week_memory_limit', 'number', ({ week_memory: memory }) => memory?.limit ?? null],
    ['pval_nu_4', 'number', ({ week_memory: memory }) => memory?.p ?? null],
  ]),
]

/** Every registered test, one per row, in the order of the family. */
export function testsTable({ tests }: EvaluationResult): Table {
  return toRecordTable(TEST_COLUMNS, tests)
}

/** Student's t; the percentile bootstrap has no such statistic. */
function statisticOf({ degrees_of_freedom, observed, standard_error }: AnyTest): number | null {
  if (degrees_of_freedom == null || observed === null || !standard_error) return null
  return observed / standard_error
}
