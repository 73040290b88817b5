import { html, lines, type Markup } from '../markup.js'
import { at } from '../scale.js'
import type { LegendItem } from './legend.js'

/** A part of a bar: how many, and the class that colours it. */
export interface Part {
  readonly count: number
  readonly tone: string
}

export interface BarPlace {
  readonly left: number
  readonly full: number
  readonly y: number
}

/** A share too small to be seen still gets this much: nothing that happened may be invisible. */
const LEAST = 2

/** Lengths of the parts of a bar; small parts are widened at the cost of the largest. */
function lengths(parts: readonly Part[], whole: number, full: number): number[] {
  const found = parts.map(({ count }) =>
    count === 0 ? 0 : Math.max(LEAST, (count / Math.max(1, whole)) * full),
  )
  const over = found.reduce((sum, part) => sum + part, 0) - full
  const largest = found.indexOf(Math.max(...found))
  found[largest] = Math.max(0, (found[largest] ?? 0) - Math.max(0, over))
  return found
}

/** A bar of `whole` things, cut into parts. */
export function stackedBar(parts: readonly Part[], whole: number, place: BarPlace): Markup {
  let x = place.left
  return lines(
    lengths(parts, whole, place.full).map((length, index) => {
      const from = x
      x += length
      return (
        length > 0 &&
        html`<rect class="${parts[index]?.tone}" x="${at(from)}" y="${at(place.y)}" width="${at(length)}" height="14"/>`
      )
    }),
  )
}

/** What the colours of the parts mean. */
export function stackLegend(entries: readonly (readonly [tone: string, name: string])[]) {
  return entries.map(([tone, means]): LegendItem => {
    const mark = html`<rect class="${tone}" width="14" height="14"/>`
    return { mark, width: 14, means }
  })
}
