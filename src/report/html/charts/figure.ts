import type { ResultBounds } from '../../../evaluation/result/types.js'
import type { Column, ColumnType, Row } from '../../../table/types.js'
import { csvText } from '../../../table/write-csv.js'
import type { Markup } from '../markup.js'
import type { LegendItem } from './legend.js'

/** Two drawings of one chart: the page shows the one that fits, so text never shrinks. */
export type ChartLayout = 'wide' | 'narrow'

/** Widths in user units, which are CSS pixels at full size. */
export const WIDTH = { wide: 840, narrow: 350 } as const satisfies Record<ChartLayout, number>

export interface Drawing {
  readonly height: number
  readonly body: Markup
}

export interface Figure {
  /** Unique on the page; letters, digits and hyphens. */
  readonly id: string
  /** The name of its files, without an ending; it stays the same from one version to the next. */
  readonly file: string
  readonly title: string
  /** What can be seen, in words, for those who cannot see it. */
  readonly description: string
  readonly draw: (layout: ChartLayout) => Drawing
  /** The figures that are drawn. */
  readonly data: { readonly columns: readonly Column[]; readonly rows: readonly Row[] }
  /** What the marks mean. */
  readonly legend?: readonly LegendItem[]
  /** True where the page has the legend elsewhere: several charts share it. */
  readonly legendApart?: boolean
  /** How to read the marks; left out where the text around says it. */
  readonly caption?: Markup
}

/** A column of what is drawn. */
export function column(name: string, type: ColumnType): Column {
  return { name, type }
}

/** Lower and upper bound, each empty where there are none. */
export function boundCells(bounds: ResultBounds | null | undefined): Row {
  return [bounds?.lower ?? null, bounds?.upper ?? null]
}

/** What is drawn, as a table. */
export function figureCsv({ data }: Figure): string {
  return csvText(data.columns, data.rows)
}

/** Shortens in the middle, for the ends of a name tell more than its heart. */
export function shortened(text: string, most: number): string {
  const characters = [...text]
  if (characters.length <= most) return text
  const head = Math.ceil((most - 1) / 2)
  return `${characters.slice(0, head).join('')}…${characters.slice(characters.length - (most - 1 - head)).join('')}`
}
