import type { EvaluationResult, Horizon } from '../../../evaluation/result/types.js'
import { horizonName } from '../../sentences.js'
import { html, Markup } from '../markup.js'

export type HtmlCell = string | Markup

export interface HtmlTable {
  readonly caption: string
  readonly head: readonly HtmlCell[]
  /** The first cell of a row names the row. */
  readonly rows: readonly (readonly HtmlCell[])[]
  /** Columns set flush left instead of right; the first always is. */
  readonly left?: readonly number[]
  /** Set smaller, for tables with many columns. */
  readonly compact?: boolean
}

/** A table that scrolls by itself where the screen is too narrow for it. */
export function table(of: HtmlTable): Markup {
  const side = (index: number) => (index === 0 || of.left?.includes(index) ? 'l' : 'r')
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${of.caption}"><table${of.compact ? new Markup(' class="compact"') : ''}>
<caption>${of.caption}</caption>
<thead><tr>${of.head.map((cell, index) => html`<th scope="col" class="${side(index)}">${cell}</th>`)}</tr></thead>
<tbody>
${of.rows.map(
  (row) => html`<tr>${row.map((cell, index) =>
    index === 0
      ? html`<th scope="row" class="l">${cell}</th>`
      : html`<td class="${side(index)}">${cell}</td>`,
  )}</tr>
`,
)}</tbody>
</table></div>`
}

/** Rows of cells by model and horizon, both named first; no row where there is no figure. */
export function perModelAndHorizon<At extends Horizon | 'all'>(
  result: EvaluationResult,
  horizons: readonly At[],
  cellsOf: (model: string, horizon: At) => readonly HtmlCell[] | undefined,
): HtmlCell[][] {
  return result.models.flatMap(({ name }) =>
    horizons.flatMap((horizon) => {
      const cells = cellsOf(name, horizon)
      return cells === undefined ? [] : [[name, horizonName(horizon), ...cells]]
    }),
  )
}

/** A part of the page that is shown when asked for. */
export function folded(summary: string, body: Markup): Markup {
  return html`<details><summary>${summary}</summary>
${body}
</details>`
}
