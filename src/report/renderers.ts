import type { ReportRenderers } from '../evaluation/evidence/folder.js'
import type { Result } from '../evaluation/result/result.js'
import { committedFigure, statusFigure } from './html/charts/bars.js'
import { differenceFigures } from './html/charts/difference.js'
import { type Figure, figureSvg } from './html/charts/figure.js'
import { ladderFigure } from './html/charts/ladder.js'
import { coverageFigures, lossFigure } from './html/charts/loss.js'
import { spreadFigures } from './html/charts/spread.js'
import { timeLineFigure } from './html/charts/time-line.js'
import { renderHtml } from './html/page.js'
import { renderMarkdown } from './markdown/page.js'

/** How evidence folders render their result. */
export const RENDERERS: ReportRenderers = { html: renderHtml, markdown: renderMarkdown }

/** All charts of a report, in order. */
const figuresIn = (result: Result): Figure[] => [
  timeLineFigure(result),
  ...(result.time?.commitment ? [committedFigure(result.time.commitment)] : []),
  statusFigure(result),
  lossFigure(result),
  ...differenceFigures(result),
  ...spreadFigures(result),
  ...coverageFigures(result),
  ladderFigure(result),
]

/**
 * The charts of a result as drawings (SVG) with their data (CSV), by file name. The same result gives the same bytes.
 */
export function renderFigures(result: Result): Readonly<Record<string, string>> {
  const files = figuresIn(result).flatMap((of) => [
    [`${of.file}.svg`, figureSvg(of)],
    [`${of.file}.csv`, of.csv],
  ])
  return Object.fromEntries(files)
}
