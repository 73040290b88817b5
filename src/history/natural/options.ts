import type { Vintage } from '../../outcomes/types.js'
import type { NaturalColumn } from './columns.js'

/** How the rows of a table are to be read; with any of them every input is taken for a table. */
export interface NaturalOptions {
  /** The names that columns have in the file, where they are others; `''`: the file has no such column. */
  readonly columns?: Readonly<Partial<Record<NaturalColumn, string>>> | undefined
  /** A wide table: every column that has no meaning of its own is a model, and its cells are prices. */
  readonly melt?: boolean | undefined
  /** Times without an offset are UTC; otherwise they are refused. */
  readonly utc?: boolean | undefined
  /** Separator of the cells of CSV; a comma if absent. */
  readonly separator?: string | undefined
  /** Numbers of CSV have a comma where others have a point. */
  readonly decimalComma?: boolean | undefined
  /** The price at an origin is its close, where the row does not say it. */
  readonly outcomes?: Vintage | undefined
}
