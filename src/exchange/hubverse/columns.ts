import type { Column } from '../../table/table.js'

/** Paths of the files and folders of a hub. */
export const HUB = {
  output: 'model-output',
  metadata: 'model-metadata',
  config: 'hub-config',
  oracle: 'target-data/oracle-output.csv',
  series: 'target-data/time-series.csv',
} as const

/** File format of model output. */
export type HubFormat = 'csv' | 'parquet'

/** The last day of the origin's period, because each origin is a round. */
export const REFERENCE_COLUMN = 'reference_date'

export const REFERENCE_DATE: Column = { name: REFERENCE_COLUMN, type: 'date' }

/** Columns of a file of model output. In CSV the level of a median is `NA`; in Parquet it is null. */
export function outputColumns(task: readonly Column[], format: HubFormat): readonly Column[] {
  return [
    ...task,
    { name: 'output_type', type: 'text' },
    { name: 'output_type_id', type: format === 'csv' ? 'text' : 'number' },
    { name: 'value', type: 'number' },
  ]
}
