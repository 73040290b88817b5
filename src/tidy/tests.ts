import type { Result, ResultTest } from '../evaluation/result/result.js'
import { recordColumns, type Table, toRecordTable } from '../table/table.js'
import { stepCell } from './scores.js'

export const TEST_COLUMNS = recordColumns<ResultTest>([
  ['test', 'text', ({ name }) => name],
  ['model', 'text', ({ candidate }) => candidate],
  ['compare_against', 'text', ({ comparator }) => comparator],
  ['measure', 'text', ({ score }) => score],
  ['horizon', 'integer', stepCell],
  ['scope', 'text', ({ scope }) => scope],
  ['cells', 'integer', ({ cells }) => cells],
  ['decides', 'boolean', ({ decides }) => decides],
  ['n', 'integer', ({ pairs }) => pairs],
  ['effective_blocks', 'integer', ({ effective_blocks }) => effective_blocks],
  ['estimate', 'number', ({ observed }) => observed],
  ['compare_against_mean', 'number', ({ comparator_mean }) => comparator_mean],
  ['lower', 'number', ({ bounds }) => bounds?.lower ?? null],
  ['upper', 'number', ({ bounds }) => bounds?.upper ?? null],
  ['standard_error', 'number', ({ standard_error }) => standard_error],
  ['statistic', 'number', testStatistic],
  ['degrees_of_freedom', 'integer', ({ degrees_of_freedom }) => degrees_of_freedom],
  ['pval', 'number', ({ p }) => p],
  ['rank', 'integer', ({ rank }) => rank],
  ['multiplier', 'number', ({ multiplier }) => multiplier],
  ['weight', 'number', ({ weight }) => weight],
  ['adj_pval', 'number', ({ p_adjusted }) => p_adjusted],
  ['adj_level', 'number', ({ level_adjusted }) => level_adjusted],
  ['adj_lower', 'number', ({ bounds_adjusted }) => bounds_adjusted?.lower ?? null],
  ['adj_upper', 'number', ({ bounds_adjusted }) => bounds_adjusted?.upper ?? null],
  ['decision', 'text', ({ decision }) => decision],
  ['rejected', 'boolean', ({ decision: of }) => (of === 'blocked' ? null : of === 'rejected')],
  ['blocked_reasons', 'text', ({ blocked_reasons }) => blocked_reasons.join('; ') || null],
  ['hln_statistic', 'number', ({ hln }) => hln?.statistic ?? null],
  ['hln_pval', 'number', ({ hln }) => hln?.p ?? null],
  ['week_memory', 'number', ({ memory }) => memory?.ratio ?? null],
  ['week_memory_limit', 'number', ({ memory }) => memory?.limit ?? null],
  ['pval_nu_4', 'number', ({ memory }) => memory?.p ?? null],
])

/** Every registered test, one per row, in the order of the family. */
export const testsTable = ({ reading }: Pick<Result, 'reading'>): Table =>
  toRecordTable(TEST_COLUMNS, reading.tests)

/** Student's t; the percentile bootstrap has no such statistic. */
function testStatistic({
  degrees_of_freedom,
  observed,
  standard_error,
}: ResultTest): number | null {
  if (degrees_of_freedom === null || observed === null || !standard_error) return null
  return observed / standard_error
}
