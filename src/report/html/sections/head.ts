import type { AnyResult, EvaluationResult } from '../../../evaluation/result/types.js'
import { listed, readableTime, whole } from '../../../output/figures.js'
import { BEFORE_YOU_READ, beforeYouRead } from '../../notes.js'
import { marks } from '../../sentences.js'
import { seriesWindowSaid } from '../../series/words.js'
import { candidatesOf, comparatorsOf } from '../../view.js'
import { folded, html, type Markup } from '../markup.js'

/** Words before the title of the page and of the window: `Exploratory backtest`. */
export function kindOf({ kind, exploratory }: AnyResult): string {
  if (kind === 'backtest') return exploratory ? 'Exploratory backtest' : 'Backtest'
  return `Prospective${exploratory ? ' exploratory' : ''} evaluation`
}

const windowSaid = ({ settings: { origins, from, to, as_of: asOf } }: EvaluationResult) =>
  `${whole(origins)} hourly origins, ${readableTime(from)} to ${readableTime(to)}; outcomes as of ${readableTime(asOf)}.`

/** What was evaluated, over which time, and what a reader must know first. */
export function headLines(result: AnyResult): Markup {
  const window = result.result_version === 1 ? windowSaid(result) : seriesWindowSaid(result)
  return html`<p class="eyebrow">${kindOf(result)}</p>
<h1>${result.inputs.registration.name}</h1>
<p class="under">${listed(candidatesOf(result))} against ${listed(comparatorsOf(result))}. ${window}</p>
${marks(result).map(
  (mark) => html`<p class="banner" role="note"><b>${mark.word}.</b> ${mark.means}</p>
`,
)}${cautions(result)}`
}

function cautions(result: AnyResult): Markup {
  const { open, folded: others } = beforeYouRead(result)
  const banner = (says: string) => html`<p class="banner" role="note">${says}</p>
`
  if (open.length === 0) return html``
  const more = html`${others.map(banner)}`
  return html`<p class="under"><b>${BEFORE_YOU_READ}</b></p>
${open.map(banner)}${others.length > 0 && folded(`${whole(others.length)} more`, more, 'printed')}`
}
