import type { ForecastResource } from '../../../contract/types.js'
import { byId, svg } from './dom.js'
import { formatHours, formatUsd } from './words.js'

/** Marks differ in shape and colour, so that colour is not needed to tell them apart. */
export function mark(index: number, x: number, y: number): SVGElement {
  const look = { class: `mark model-${index % 8}` }
  const shape = index % 4
  if (shape === 0) return svg('circle', { ...look, cx: x, cy: y, r: 5 })
  if (shape === 1) return svg('rect', { ...look, x: x - 4.5, y: y - 4.5, width: 9, height: 9 })
  const points =
    shape === 2
      ? `${x},${y - 6.5} ${x + 6.5},${y} ${x},${y + 6.5} ${x - 6.5},${y}`
      : `${x},${y - 6} ${x + 6},${y + 5} ${x - 6},${y + 5}`
  return svg('polygon', { ...look, points })
}

/** About `count` round numbers across a range. */
export function ticks(low: number, high: number, count: number): number[] {
  const rough = (high - low) / count || 1
  const unit = 10 ** Math.floor(Math.log10(rough))
  const step = unit * ([1, 2, 2.5, 5].find((factor) => unit * factor >= rough) ?? 10)
  const values: number[] = []
  for (let value = Math.ceil(low / step) * step; value <= high; value += step) values.push(value)
  return values
}

/** Draws each forecast's interval, median and price by horizon and model, against the price now. */
export function drawChart(rows: readonly ForecastResource[], models: readonly string[]): void {
  const frame = byId('chart')
  const width = Math.max(300, frame.clientWidth)
  const height = Math.max(260, Math.min(400, width * 0.5))
  const [left, right, top, bottom] = [66, 14, 18, 34]
  const horizons = [...new Set(rows.map((row) => row.horizon_hours))].sort((a, b) => a - b)
  const source = rows[0]?.lineage.source.price_usd ?? Number.NaN
  const values = [source]
  for (const { estimate, interval } of rows) {
    values.push(estimate.price_usd)
    if (interval.lower_usd !== null) values.push(interval.lower_usd)
    if (interval.upper_usd !== null) values.push(interval.upper_usd)
  }
  const [lowest, highest] = [Math.min(...values), Math.max(...values)]
  const pad = (highest - lowest) * 0.08 || Math.abs(highest) * 0.01 || 1
  const [low, high] = [lowest - pad, highest + pad]
  const y = (value: number) => top + ((high - value) / (high - low)) * (height - top - bottom)
  const column = (width - left - right) / horizons.length
  const step = Math.min(34, (column * 0.72) / Math.max(1, models.length))
  const picture = svg('svg', {
    viewBox: `0 0 ${width} ${height}`,
    width,
    height,
    'aria-hidden': 'true',
    focusable: 'false',
  })
  for (const value of ticks(low, high, 5)) {
    picture.append(
      svg('line', { class: 'grid', x1: left, x2: width - right, y1: y(value), y2: y(value) }),
      svg(
        'text',
        { class: 'tick', x: left - 10, y: y(value) + 4, 'text-anchor': 'end' },
        formatUsd(value),
      ),
    )
  }
  picture.append(
    svg('line', { class: 'source', x1: left, x2: width - right, y1: y(source), y2: y(source) }),
  )
  for (const [index, horizon] of horizons.entries()) {
    const middle = left + column * (index + 0.5)
    picture.append(
      svg(
        'text',
        { class: 'tick', x: middle, y: height - 10, 'text-anchor': 'middle' },
        column < 76 ? `${horizon} h` : formatHours(horizon),
      ),
    )
    for (const { horizon_hours, model, estimate, interval } of rows) {
      if (horizon_hours !== horizon) continue
      const which = models.indexOf(model.name)
      const x = middle + (which - (models.length - 1) / 2) * step
      const { lower_usd: lower, median_usd: median, upper_usd: upper } = interval
      const look = `model-${which % 8}`
      if (lower !== null && upper !== null) {
        const bar = { class: `bar ${look}`, x: x - 6, width: 12, rx: 4 }
        picture.append(
          svg('rect', { ...bar, y: y(upper), height: Math.max(1, y(lower) - y(upper)) }),
        )
      }
      if (median !== null) {
        const line = { class: `median ${look}`, x1: x - 6, x2: x + 6 }
        picture.append(svg('line', { ...line, y1: y(median), y2: y(median) }))
      }
      picture.append(mark(which, x, y(estimate.price_usd)))
    }
  }
  frame.replaceChildren(picture)
}
