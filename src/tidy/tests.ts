import type { EvaluationResult, ResultTest } from '../evaluation/result/types.js'
import { type Cell, type Column, type Row, type Table, tableOf } from '../table/types.js'
import { coordinatesOf, tidyName } from './cells.js'

export const TEST_COLUMNS = [
  { name: 'test', type: 'text' },
  { name: 'model', type: 'text' },
  { name: 'compare_against', type: 'text' },
  { name: 'measure', type: 'text' },
  { name: 'horizon', type: 'integer' },
  { name: 'stratum', type: 'text' },
  { name: 'level', type: 'text' },
  { name: 'decides', type: 'boolean' },
  { name: 'n', type: 'integer' },
  { name: 'effective_blocks', type: 'integer' },
  { name: 'estimate', type: 'number' },
  { name: 'compare_against_mean', type: 'number' },
  { name: 'lower', type: 'number' },
  { name: 'upper', type: 'number' },
  { name: 'standard_error', type: 'number' },
  { name: 'statistic', type: 'number' },
  { name: 'degrees_of_freedom', type: 'integer' },
  { name: 'pval', type: 'number' },
  { name: 'rank', type: 'integer' },
  { name: 'multiplier', type: 'number' },
  { name: 'weight', type: 'number' },
  { name: 'adj_pval', type: 'number' },
  { name: 'adj_level', type: 'number' },
  { name: 'adj_lower', type: 'number' },
  { name: 'adj_upper', type: 'number' },
  { name: 'decision', type: 'text' },
  { name: 'rejected', type: 'boolean' },
  { name: 'blocked_reasons', type: 'text' },
  { name: 'bootstrap_pval', type: 'number' },
  { name: 'bootstrap_lower', type: 'number' },
  { name: 'bootstrap_upper', type: 'number' },
] as const satisfies readonly Column[]

/** Every registered test, one a row, in the order of the family. */
export function testsTable(result: EvaluationResult): Table {
  return tableOf(TEST_COLUMNS, result.tests.map(rowOf))
}

function rowOf(test: ResultTest): Row {
  const { bounds, bounds_adjusted: adjusted, bootstrap, decision } = test
  const row: Record<(typeof TEST_COLUMNS)[number]['name'], Cell> = {
    test: test.name,
    model: test.candidate,
    compare_against: test.comparator,
    measure: tidyName(test.measure),
    ...coordinatesOf(test.horizon, test.stratum),
    decides: test.decides,
    n: test.pairs,
    effective_blocks: test.effective_blocks,
    estimate: test.observed,
    compare_against_mean: test.comparator_mean,
    lower: bounds?.lower ?? null,
    upper: bounds?.upper ?? null,
    standard_error: test.standard_error,
    statistic: statisticOf(test),
    degrees_of_freedom: test.degrees_of_freedom ?? null,
    pval: test.p,
    rank: test.rank,
    multiplier: test.multiplier,
    weight: test.weight ?? null,
    adj_pval: test.p_adjusted,
    adj_level: test.level_adjusted ?? null,
    adj_lower: adjusted?.lower ?? null,
    adj_upper: adjusted?.upper ?? null,
    decision,
    rejected: decision === 'blocked' ? null : decision === 'rejected',
    blocked_reasons: test.blocked_reasons.length > 0 ? test.blocked_reasons.join('; ') : null,
    bootstrap_pval: bootstrap?.p ?? null,
    bootstrap_lower: bootstrap?.lower ?? null,
    bootstrap_upper: bootstrap?.upper ?? null,
  }
  return TEST_COLUMNS.map(({ name }) => row[name])
}

/** Student's t; the percentile bootstrap has no statistic of the kind. */
function statisticOf({ degrees_of_freedom, observed, standard_error }: ResultTest): number | null {
  if (degrees_of_freedom == null || observed === null || !standard_error) return null
  return observed / standard_error
}
