import type { Renderers } from '../evaluation/evidence/folder.js'
import type { AnyResult, EvaluationResult } from '../evaluation/result/types.js'
import { committedFigure, statusFigure } from './html/charts/bars.js'
import { coverageFigure } from './html/charts/coverage.js'
import { cumulativeFigure } from './html/charts/cumulative.js'
import { forestFigure } from './html/charts/difference.js'
import { type Figure, figureSvg } from './html/charts/figure.js'
import { ladderFigure } from './html/charts/ladder.js'
import { lossFigure } from './html/charts/loss.js'
import { seriesForests } from './html/charts/series.js'
import { timeLineFigure } from './html/charts/time-line.js'
import { renderHtml } from './html/page.js'
import { latexTables } from './latex.js'
import { renderMarkdown } from './markdown/page.js'
import { candidatesOf } from './view.js'

/** How evidence folders show their result. */
export const RENDERERS: Renderers = { html: renderHtml, markdown: renderMarkdown }

/** Every chart of a report, in its order. */
function figuresOf(result: AnyResult): Figure[] {
  const commitment = result.time?.commitment ?? null
  return [
    timeLineFigure(result),
    ...(commitment === null ? [] : [committedFigure(result, commitment)]),
    statusFigure(result),
    ...(result.result_version === 1 ? hourlyFigures(result) : seriesForests(result)),
    ladderFigure(result),
  ]
}

function hourlyFigures(result: EvaluationResult): Figure[] {
  return [
    lossFigure(result),
    ...candidatesOf(result).flatMap((_, index) => [
      forestFigure(result, index, 'point_loss'),
      forestFigure(result, index, 'direction_error'),
      ...[cumulativeFigure(result, index) ?? []].flat(),
    ]),
    coverageFigure(result),
  ]
}

/**
 * The charts of a result as drawings (SVG) with what they draw (CSV), and its tables for LaTeX, by the
 * names of their files. The same result gives the same bytes.
 */
export function renderFigures(result: AnyResult): Readonly<Record<string, string>> {
  const charts = figuresOf(result).flatMap((of) => [
    [`${of.file}.svg`, figureSvg(of)] as const,
    [`${of.file}.csv`, of.csv] as const,
  ])
  return { ...Object.fromEntries(charts), ...latexTables(result) }
}
