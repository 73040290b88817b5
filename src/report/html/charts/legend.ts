import { html, lines, Markup } from '../markup.js'
import { at } from '../scale.js'

/** A mark of a chart and what it means. */
export interface LegendItem {
  /** Drawn in a box of this width and of the height 14. */
  readonly mark: Markup
  readonly width: number
  /** The class that colours it. */
  readonly tone?: string
  readonly means: string
}

const tone = (of: LegendItem) => of.tone && new Markup(` class="${of.tone}"`)

/** The legend as a list of the page. */
export function legendList(items: readonly LegendItem[]): Markup {
  return html`<ul class="legend">${items.map(
    (item) =>
      html`<li><svg aria-hidden="true" width="${item.width}" height="14"${tone(item)}>${item.mark}</svg> ${item.means}</li>`,
  )}</ul>`
}

const GAP = 22
const LINE = 20
/** Width of a letter at most, on average. */
const LETTER = 7

/** The legend as part of a drawing that stands alone, from the top down. */
export function legendDrawing(items: readonly LegendItem[], width: number) {
  let [x, y] = [0, 0]
  const drawn = items.map((item) => {
    const long = item.width + 6 + item.means.length * LETTER
    if (x > 0 && x + long > width) [x, y] = [0, y + LINE]
    const place = `translate(${at(x)} ${at(y)})`
    x += long + GAP
    return html`<g transform="${place}"><g${tone(item)}>${item.mark}</g><text x="${item.width + 6}" y="11">${item.means}</text></g>`
  })
  return { height: items.length === 0 ? 0 : y + LINE, body: lines(drawn) }
}
