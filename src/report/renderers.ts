import type { Renderers } from '../evaluation/evidence/folder.js'
import type { AnyResult } from '../evaluation/result/types.js'
import { committedFigure, statusFigure } from './html/charts/bars.js'
import { differenceFigures } from './html/charts/difference.js'
import { type Figure, figureSvg } from './html/charts/figure.js'
import { ladderFigure } from './html/charts/ladder.js'
import { coverageFigure, lossFigure } from './html/charts/loss.js'
import { timeLineFigure } from './html/charts/time-line.js'
import { renderHtml } from './html/page.js'
import { renderMarkdown } from './markdown/page.js'

/** How evidence folders render their result. */
export const RENDERERS: Renderers = { html: renderHtml, markdown: renderMarkdown }

/** All charts of a report, in order. */
function figuresOf(result: AnyResult): Figure[] {
  const { time, result_version: version } = result
  return [
    timeLineFigure(result),
    ...(time?.commitment ? [committedFigure(result, time.commitment)] : []),
    statusFigure(result),
    ...(version === 1 ? [lossFigure(result)] : []),
    ...differenceFigures(result),
    ...(version === 1 ? [coverageFigure(result)] : []),
    ladderFigure(result),
  ]
}

/**
 * The charts of a result as drawings (SVG) with their data (CSV), by file name. The same result gives the same bytes.
 */
export function renderFigures(result: AnyResult): Readonly<Record<string, string>> {
  const files = figuresOf(result).flatMap((of) => [
    [`${of.file}.svg`, figureSvg(of)],
    [`${of.file}.csv`, of.csv],
  ])
  return Object.fromEntries(files)
}
