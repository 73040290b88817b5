import type { ForecastResource } from '../../../contract/types.js'
import { mark } from './chart.js'
import { el, svg } from './dom.js'
import { formatHours, formatSignedPercent, formatUsd, timeElement } from './words.js'

export function interval({ interval: bounds }: ForecastResource): string {
  const { lower_usd: lower, upper_usd: upper } = bounds
  if (lower === null || upper === null) return 'no quantiles'
  return `${formatUsd(lower)} to ${formatUsd(upper)}`
}

/** How far the models agreed, as a share; the column says that it is not a probability. */
export function agreement({ confidence }: ForecastResource): string {
  return confidence.label === 'unknown'
    ? 'not recorded'
    : `${Math.round(confidence.score * 100)} of 100`
}

/**
 * Builds a cell with its own label, for narrow screens that drop the header. Roles are explicit because a browser may
 * drop them if a table is not laid out as one.
 */
export function tableCell(label: string, ...children: (Node | string)[]): HTMLElement {
  return el('td', { role: 'cell', 'data-label': label }, el('span', {}, ...children))
}

export function headings(...names: string[]): HTMLElement {
  const cells = names.map((name) => el('th', { role: 'columnheader', scope: 'col' }, name))
  return el('thead', { role: 'rowgroup' }, el('tr', { role: 'row' }, ...cells))
}

export function swatch(index: number): SVGElement {
  return svg(
    'svg',
    { class: 'swatch', viewBox: '0 0 16 16', width: 16, height: 16, 'aria-hidden': 'true' },
    mark(index, 8, 8),
  )
}

/** The newest forecasts, one row per horizon and model: the figures of the chart. */
export function latestTable(
  rows: readonly ForecastResource[],
  models: readonly string[],
): HTMLElement {
  const body = rows.map((row) =>
    el(
      'tr',
      { role: 'row' },
      el('th', { role: 'rowheader', scope: 'row' }, formatHours(row.horizon_hours)),
      tableCell('Model', swatch(models.indexOf(row.model.name)), row.model.name),
      tableCell('Forecast', formatUsd(row.estimate.price_usd)),
      tableCell('Change', formatSignedPercent(row.estimate.change_pct)),
      tableCell('Interval', interval(row)),
      tableCell('Agreement', agreement(row)),
      tableCell('Target', timeElement(row.target_at)),
    ),
  )
  return el(
    'table',
    { role: 'table' },
    el('caption', {}, 'The same forecasts in figures'),
    headings('Horizon', 'Model', 'Forecast', 'Change', 'Interval', 'Agreement', 'Target'),
    el('tbody', { role: 'rowgroup' }, ...body),
  )
}

export function historyTable(rows: readonly ForecastResource[], caption: string): HTMLElement {
  const body = rows.map((row) =>
    el(
      'tr',
      { role: 'row' },
      el('th', { role: 'rowheader', scope: 'row' }, timeElement(row.origin_at)),
      tableCell('Horizon', formatHours(row.horizon_hours)),
      tableCell('Model', row.model.name),
      tableCell('Price then', formatUsd(row.lineage.source.price_usd)),
      tableCell('Forecast', formatUsd(row.estimate.price_usd)),
      tableCell('Change', formatSignedPercent(row.estimate.change_pct)),
      tableCell('Interval', interval(row)),
    ),
  )
  return el(
    'table',
    { role: 'table' },
    el('caption', {}, caption),
    headings('Made', 'Horizon', 'Model', 'Price then', 'Forecast', 'Change', 'Interval'),
    el('tbody', { role: 'rowgroup' }, ...body),
  )
}
