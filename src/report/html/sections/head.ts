import type { Result } from '../../../evaluation/result/result.js'
import { formatWhole, listed } from '../../../output/figures.js'
import { BEFORE_YOU_READ, beforeYouRead } from '../../notes.js'
import { marks } from '../../sentences.js'
import { candidatesIn, comparatorsIn } from '../../view.js'
import { valuesSaid, windowSaid } from '../../window.js'
import { folded, html, type Markup } from '../markup.js'

/** Words before the title of the page and of the window: `Exploratory backtest`. */
export function kindLabel({ kind, exploratory }: Result): string {
  if (kind === 'backtest') return exploratory ? 'Exploratory backtest' : 'Backtest'
  return `Prospective${exploratory ? ' exploratory' : ''} evaluation`
}

/** What was evaluated, over which time, and what a reader must know first. */
export function headLines(result: Result): Markup {
  return html`<p class="eyebrow">${kindLabel(result)}</p>
<h1>${result.inputs.registration.name}</h1>
<p class="under">${listed(candidatesIn(result))} against ${listed(comparatorsIn(result))}. ${windowSaid(result)}</p>
<p class="under">${valuesSaid(result)}</p>
${cautions(result)}`
}

function cautions(result: Result): Markup {
  const { open, folded: others } = beforeYouRead(result)
  const banner = (content: Markup | string) => html`<p class="banner" role="note">${content}</p>
`
  const first = marks(result).map(({ word, means }) => banner(html`<b>${word}.</b> ${means}`))
  if (first.length + open.length === 0) return html``
  return html`<p class="under"><b>${BEFORE_YOU_READ}</b></p>
${first}${open.map(banner)}${others.length > 0 && folded(`${formatWhole(others.length)} more`, html`${others.map(banner)}`, 'printed')}`
}
