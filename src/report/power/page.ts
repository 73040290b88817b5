import { VERSION } from '../../contract/generated/version.js'
import type { PowerFigures } from '../../lint/power/figures.js'
import { counted, percent, readableTime, whole } from '../../output/figures.js'
import { drawnFigure } from '../html/charts/figure.js'
import { htmlPage } from '../html/document.js'
import { html, type Markup } from '../html/markup.js'
import { table } from '../html/sections/table.js'
import { powerFigure } from './chart.js'
import { foundTable, neededTable, simulatedTables } from './tables.js'
import { powerNotes } from './words.js'

/** Power as one page that needs nothing else. The same figures give the same bytes. */
export function powerPage(figures: PowerFigures): string {
  const { plan, window } = figures
  const simulated = simulatedTables(figures)
  const title = `${plan.name}: what this plan can find`
  return htmlPage({
    title,
    generator: `foreproof ${VERSION}`,
    header: html`<p class="eyebrow">Before registration</p>
<h1>${title}</h1>
<p class="under">${counted(window.origins, 'hourly origin')}, ${readableTime(window.from)} to ${readableTime(window.to)}: ${counted(window.blocks, 'block')}.</p>
`,
    parts: [
      ['find', '', 'What the planned window finds', findSection(figures)],
      ['windows', '', 'Windows of other lengths', drawnFigure(powerFigure(figures))],
      ['needed', '', 'What each test needs', neededSection(figures)],
      ...(simulated.length === 0
        ? []
        : [['simulated', '', 'Simulated', html`${simulated.map(table)}`] as const]),
      ['basis', '', 'What it rests on', basisSection(figures)],
    ],
    footer: html`Made by foreproof ${VERSION} for the plan <code>${plan.sha256}</code>.`,
  })
}

function findSection(figures: PowerFigures): Markup {
  return html`<ul class="reasons">${powerNotes(figures).map((note) => html`<li>${note}</li>`)}</ul>
${table(foundTable(figures))}
<p>${figures.verdict === undefined ? 'Of one comparator. To be found eligible, a candidate has to be better than all that are required, and meet every other condition of the protocol: the chance of that is smaller.' : 'Of one candidate. Not drawn are forecasts that are left out, and what would block: they make the chance smaller.'}</p>`
}

function neededSection(figures: PowerFigures): Markup {
  const { family } = figures
  return html`${table(neededTable(figures))}
<p>${family.weights.verdict !== undefined && `The verdict hypotheses share ${percent(family.weights.verdict, 0)} of α. `}${whole(family.deciding)} tests decide; they share ${percent(family.weights.deciding, 0)} of α, all others ${percent(family.weights.other, 0)}. A level of a stratum has fewer blocks than the window, so its tests need more.</p>`
}

function basisSection({ comparators, outcomes, protocol, seed }: PowerFigures): Markup {
  return html`${table({
    caption: 'Comparators before the window',
    head: ['comparator', 'mean absolute log-return error'],
    rows: comparators.map(({ name, mean_loss }) => [name, percent(mean_loss, 3)]),
  })}
<p>Closes of the vintage ${outcomes.vintage_id}, ${readableTime(outcomes.from)} to ${readableTime(outcomes.to)}, protocol ${protocol.version}, seed ${seed}. A made candidate errs as the comparator does in the share that the correlation says; the rest of its error is that of persistence had the price gone up or down by chance at every hour. So it has the market’s volatility and its fat tails.</p>`
}
