import type { Reading, Result } from '../../../evaluation/result/result.js'
import { decimal, formatWhole, signedPercent } from '../../../output/figures.js'
import { candidatesIn, isLong } from '../../view.js'
import { spreadIn } from '../../window.js'
import { html } from '../markup.js'
import { linear, tickDigits } from '../scale.js'
import { NO_DIFFERENCE, regressionLine } from './difference.js'
import { drawLegendItem, type Figure, figureCsv, makeOpener } from './figure.js'
import { type ChartRow, drawRowChart } from './row-chart.js'

type Spread = Reading['spread'][number]

/** The quantile of a share: a result has those of 0, 0.05, …, 1. */
const quantileAt = ({ quantiles }: Spread, share: number): number | null =>
  quantiles[Math.round(share * (quantiles.length - 1))] ?? null

function toRow(spread: Spread, harm: number): ChartRow {
  const median = quantileAt(spread, 0.5)
  return {
    label: spread.comparator,
    tone: (median ?? 0) > harm ? 'bad' : (median ?? 0) < 0 ? 'candidate' : 'open',
    point: median,
    bounds: { lower: quantileAt(spread, 0.25), upper: quantileAt(spread, 0.75) },
    strokes: spread.quantiles,
    cells: [
      signedPercent(median, 1),
      `${formatWhole(spread.worse)} of ${formatWhole(spread.series)}`,
    ],
    absent: 'no series has a difference',
  }
}

/** The scale shows nine tenths of the series; a few far ones must not compress the others. */
function listDomain(all: readonly Spread[], harm: number): (number | null)[] {
  return [0, harm, ...all.flatMap((of) => [quantileAt(of, 0.05), quantileAt(of, 0.95)])]
}

const MARK = html`<line class="thick" x1="6" x2="28" y1="7" y2="7"/><circle class="point" cx="17" cy="7" r="4.5"/>`

/** How the differences of a candidate lie over series, one row per comparator; none for a single series. */
export function spreadFigures(result: Result): Figure[] {
  const { harm } = result.settings.rules.limits
  return candidatesIn(result).flatMap((candidate, at) => {
    const spreads = spreadIn(result).filter((of) => of.candidate === candidate)
    if (spreads.length === 0) return []
    const scale = linear(listDomain(spreads, harm), 6)
    const title = `${candidate}: how the differences lie over series`
    const descriptions = spreads.map(
      (of) => `against ${of.comparator} ${signedPercent(quantileAt(of, 0.5), 1)} in the median`,
    )
    const figure: Figure = {
      file: `series-${at + 1}`,
      title,
      ...makeOpener(title, spreads.length, at > 0 || isLong(spreads.length)),
      description: `One row per comparator: the overall difference of every series, as a share of the comparator’s loss. ${descriptions.join('; ')}.`,
      drawing: drawRowChart({
        scale,
        tick: (value) => decimal(value * 100, tickDigits(scale, 100)),
        axis: '% of the comparator’s loss (left is better)',
        references: [NO_DIFFERENCE, regressionLine(harm)],
        columns: ['median', 'worse'],
        groups: [{ rows: spreads.map((of) => toRow(of, harm)) }],
      }),
      csv: figureCsv(
        ['candidate', 'comparator', 'share', 'difference'],
        spreads.flatMap(({ comparator, quantiles }) =>
          quantiles.map((difference, index) => {
            return { candidate, comparator, share: index / (quantiles.length - 1), difference }
          }),
        ),
      ),
      legend: [
        drawLegendItem(MARK, 34, 'median, and the middle half of the series', 'candidate'),
        drawLegendItem(
          html`<line class="stroke" x1="7" x2="7" y1="1" y2="13"/>`,
          14,
          'between two strokes lies a twentieth of the series',
        ),
      ],
      caption: html`<p>Worse: series beyond the limit. Each series is shown by its own overall difference, whatever its size; none of these is tested.</p>`,
    }
    return [figure]
  })
}
