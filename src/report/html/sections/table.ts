import { printable } from '../../../contract/printable.js'
import type { Result, StepOrAll } from '../../../evaluation/result/result.js'
import { stepName } from '../../sentences.js'
import { modelsIn } from '../../view.js'
import { html, Markup } from '../markup.js'

export type HtmlCell = string | Markup

export interface HtmlTable {
  readonly caption: string
  readonly head: readonly string[]
  /** The first cell of a row names the row. */
  readonly rows: readonly (readonly HtmlCell[])[]
  /** Left-aligned columns; the first always is, others are right-aligned. */
  readonly left?: readonly number[]
  /** A smaller font, for tables with many columns. */
  readonly compact?: boolean
}

/**
 * A table that scrolls by itself on narrow screens, and shows each row as a card on a phone. Column names are in the
 * style once, not in every cell, because a ladder has thousands. Roles are explicit because a browser may drop them if
 * a table is not laid out as one.
 */
export function renderTable(of: HtmlTable): Markup {
  const side = (index: number) => (index === 0 || of.left?.includes(index) ? 'l' : 'r')
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${of.caption}"><table role="table"${of.compact ? new Markup(' class="compact"') : ''} style="${columnNames(of.head)}">
<caption>${of.caption}</caption>
<thead role="rowgroup"><tr role="row">${of.head.map((cell, index) => html`<th scope="col" role="columnheader" class="${side(index)}">${breakable(cell)}</th>`)}</tr></thead>
<tbody role="rowgroup">
${of.rows.map(
  (row) => html`<tr role="row">${row.map((cell, index) =>
    index === 0
      ? html`<th scope="row" role="rowheader" class="l">${typeof cell === 'string' ? breakable(cell) : cell}</th>`
      : html`<td role="cell" class="${side(index)}">${cell}</td>`,
  )}</tr>
`,
)}</tbody>
</table></div>`
}

/** A name in pieces, so that a narrow column may break it after an underscore. */
const breakable = (name: string) =>
  name.split('_').map((part, at) => html`${at > 0 && new Markup('_<wbr>')}${part}`)

/** More columns than any table has; style.css has rules for this many. */
const MOST_NAMED = 16

/** `--c1:'model';--c2:'pairs'`: the labels that style.css adds to the cells of a card. */
function columnNames(head: readonly string[]): string {
  const names = head.slice(0, MOST_NAMED)
  return names.map((name, index) => `--c${index + 1}:${quoted(name)}`).join(';')
}

/** Quotes a text for CSS, because a name may hold anything. */
function quoted(text: string): string {
  const safe = printable(text).replace(
    /[^\p{L}\p{N} ]/gu,
    (character) => `\\${(character.codePointAt(0) ?? 0).toString(16)} `,
  )
  return `'${safe}'`
}

/** A column: its name, its cell for each item, and whether it is left-aligned. */
export type HtmlColumn<Of> = readonly [name: string, toCell: (of: Of) => HtmlCell, side?: 'left']

/** A table with one row per item. */
export function columnTable<Of>(
  named: Pick<HtmlTable, 'caption' | 'compact'>,
  items: readonly Of[],
  columns: readonly HtmlColumn<Of>[],
): Markup {
  return renderTable({
    ...named,
    head: columns.map(([name]) => name),
    left: columns.flatMap(([, , side], index) => (side === 'left' ? [index] : [])),
    rows: items.map((of) => columns.map(([, toCell]) => toCell(of))),
  })
}

/** Rows of cells by model and step, both in the first cells; rows without figures are left out. */
export function perModelAndStep(
  result: Result,
  steps: readonly StepOrAll[],
  toCells: (model: string, step: StepOrAll) => readonly HtmlCell[] | undefined,
): HtmlCell[][] {
  return modelsIn(result).flatMap(({ name }) =>
    steps.flatMap((step) => {
      const cells = toCells(name, step)
      return cells === undefined ? [] : [[name, stepName(result, step), ...cells]]
    }),
  )
}
