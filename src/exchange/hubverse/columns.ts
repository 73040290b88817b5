import type { Column } from '../../table/types.js'

/** Where things lie in a hub. */
export const HUB = {
  output: 'model-output',
  metadata: 'model-metadata',
  config: 'hub-config',
  oracle: 'target-data/oracle-output.csv',
  series: 'target-data/time-series.csv',
  /** Prices at the origins: no hub has a place for them, and a forecast is not whole without. */
  sources: 'auxiliary-data/source-prices.csv',
} as const

/** How files of model output are written. */
export type HubFormat = 'csv' | 'parquet'

export const ORIGIN_COLUMN = 'origin_id'
/** The Saturday that ends the week of the origin: rounds are weeks. */
export const WEEK_COLUMN = 'reference_date'
export const HORIZON_COLUMN = 'horizon_hours'

export const WEEK: Column = { name: WEEK_COLUMN, type: 'date' }

/** What is asked of an origin, by the variables of an hourly hub. */
export const TASK_COLUMNS: readonly Column[] = [
  { name: ORIGIN_COLUMN, type: 'text' },
  { name: HORIZON_COLUMN, type: 'integer' },
]

/** Columns of a file of model output. In CSV the level of a median is `NA`; in Parquet it is null. */
export function outputColumns(task: readonly Column[], format: HubFormat): readonly Column[] {
  return [
    ...task,
    { name: 'output_type', type: 'text' },
    { name: 'output_type_id', type: format === 'csv' ? 'text' : 'number' },
    { name: 'value', type: 'number' },
  ]
}

export const ORACLE_COLUMNS: readonly Column[] = [
  ...TASK_COLUMNS,
  { name: 'oracle_value', type: 'number' },
]

export const SOURCE_COLUMNS: readonly Column[] = [
  { name: ORIGIN_COLUMN, type: 'text' },
  { name: 'source_price_usd', type: 'number' },
]
