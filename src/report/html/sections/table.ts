import { printable } from '../../../contract/printable.js'
import type { AnyResult, Horizon } from '../../../evaluation/result/types.js'
import { horizonName } from '../../sentences.js'
import { html, Markup } from '../markup.js'

export type HtmlCell = string | Markup

export interface HtmlTable {
  readonly caption: string
  readonly head: readonly string[]
  /** The first cell of a row names the row. */
  readonly rows: readonly (readonly HtmlCell[])[]
  /** Columns set flush left instead of right; the first always is. */
  readonly left?: readonly number[]
  /** Set smaller, for tables with many columns. */
  readonly compact?: boolean
}

/**
 * A table that scrolls by itself where the screen is too narrow for it, and on a phone is a card for
 * each row. The names of the columns are in the style once, not at every cell: a ladder has thousands.
 * The roles are said because a browser may forget them where a table is not laid out as one.
 */
export function table(of: HtmlTable): Markup {
  const side = (index: number) => (index === 0 || of.left?.includes(index) ? 'l' : 'r')
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${of.caption}"><table role="table"${of.compact ? new Markup(' class="compact"') : ''} style="${columnNames(of.head)}">
<caption>${of.caption}</caption>
<thead role="rowgroup"><tr role="row">${of.head.map((cell, index) => html`<th scope="col" role="columnheader" class="${side(index)}">${cell}</th>`)}</tr></thead>
<tbody role="rowgroup">
${of.rows.map(
  (row) => html`<tr role="row">${row.map((cell, index) =>
    index === 0
      ? html`<th scope="row" role="rowheader" class="l">${cell}</th>`
      : html`<td role="cell" class="${side(index)}">${cell}</td>`,
  )}</tr>
`,
)}</tbody>
</table></div>`
}

/** More columns than any table has; style.css names as many. */
const MOST_NAMED = 16

/** `--c1:'model';--c2:'pairs'`: what style.css writes before the cells of a card. */
function columnNames(head: readonly string[]): string {
  const names = head.slice(0, MOST_NAMED)
  return names.map((name, index) => `--c${index + 1}:${quoted(name)}`).join(';')
}

/** A text as CSS has it, where a name may hold anything. */
function quoted(text: string): string {
  const safe = printable(text).replace(
    /[^\p{L}\p{N} ]/gu,
    (character) => `\\${(character.codePointAt(0) ?? 0).toString(16)} `,
  )
  return `'${safe}'`
}

/** A column: its name, its cell of each item, and whether it is set flush left. */
export type HtmlColumn<Of> = readonly [name: string, cellOf: (of: Of) => HtmlCell, side?: 'left']

/** A table with a row for every item. */
export function columnTable<Of>(
  named: Pick<HtmlTable, 'caption' | 'compact'>,
  items: readonly Of[],
  columns: readonly HtmlColumn<Of>[],
): Markup {
  return table({
    ...named,
    head: columns.map(([name]) => name),
    left: columns.flatMap(([, , side], index) => (side === 'left' ? [index] : [])),
    rows: items.map((of) => columns.map(([, cellOf]) => cellOf(of))),
  })
}

/** Rows of cells by model and horizon, both named first; no row where there is no figure. */
export function perModelAndHorizon<At extends Horizon | 'all'>(
  result: AnyResult,
  horizons: readonly At[],
  cellsOf: (model: string, horizon: At) => readonly HtmlCell[] | undefined,
): HtmlCell[][] {
  return result.models.flatMap(({ name }) =>
    horizons.flatMap((horizon) => {
      const cells = cellsOf(name, horizon)
      return cells === undefined ? [] : [[name, horizonName(result, horizon), ...cells]]
    }),
  )
}
