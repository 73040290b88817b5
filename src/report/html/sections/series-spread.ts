import type { Reading, Result } from '../../../evaluation/result/result.js'
import { counted, formatWhole, NOTHING, signedPercent } from '../../../output/figures.js'
import { stepsSaid } from '../../sentences.js'
import { candidatesIn, isHours, stepsIn } from '../../view.js'
import { spreadIn } from '../../window.js'
import { drawnFigure } from '../charts/figure.js'
import { spreadFigures } from '../charts/spread.js'
import { folded, html, joinLines, type Markup } from '../markup.js'
import { renderTable } from './table.js'

/** How the differences lie over series, with the best and the worst; undefined for a single series. */
export function seriesSection(result: Result): Markup | undefined {
  const spreads = spreadIn(result)
  if (spreads.length === 0) return undefined
  const steps = stepsSaid(stepsIn(result), isHours(result))
  return html`<p>${counted(result.series.count, 'series', 'series')} at ${steps}: ${counted(result.cells.lines, 'cell')}. <code>foreproof export cells</code> writes the figures of every series at every step.</p>
${spreadFigures(result).map((figure) => html`${drawnFigure(figure)}\n`)}${candidatesIn(result).map(
  (candidate) => {
    const matching = spreads.filter((spread) => spread.candidate === candidate)
    return (
      matching.length > 0 &&
      folded(`${candidate}: its best and worst series`, joinLines(matching.map(extremes)))
    )
  },
)}`
}

/** The ten best and the ten worst series of a comparison, side by side. */
function extremes({
  candidate,
  comparator,
  series,
  best,
  worst,
}: Reading['spread'][number]): Markup {
  const rows = best.map((each, at) => {
    const other = worst[at]
    return [
      formatWhole(at + 1),
      each.series,
      signedPercent(each.difference, 1),
      other?.series ?? NOTHING,
      signedPercent(other?.difference ?? null, 1),
    ]
  })
  const caption = `${candidate} against ${comparator}: its best and worst of ${formatWhole(series)} series`
  const head = ['', 'best', 'difference', 'worst', 'difference']
  return renderTable({ caption, head, left: [1, 3], rows })
}
