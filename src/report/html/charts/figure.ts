import { counted } from '../../../output/figures.js'
import type { Cell } from '../../../table/table.js'
import { csvText } from '../../../table/write.js'
import { isLong } from '../../view.js'
import { drawingStyle } from '../document.js'
import { folded, html, joinLines, Markup } from '../markup.js'
import { at } from '../scale.js'

/**
 * Width of every drawing in its own units. A phone shows them a little smaller than CSS pixels, so that the smallest
 * text is still readable there; all other screens show them larger.
 */
export const DRAWING_WIDTH = 400

/** Maximum average width of a letter in a drawing. */
export const LETTER = 6.8

export interface Drawing {
  readonly height: number
  readonly body: Markup
}

type Span = readonly [from: number, to: number]

/** A text in a drawing; its class decides whether it starts, ends or is centred at `x`. */
export const textAt = (of: string, x: number, y: number, text: string): Markup =>
  html`<text class="${of}" x="${at(x)}" y="${at(y)}">${text}</text>`

/** A line in a drawing. */
export const lineAt = (of: string, [x1, x2]: Span, [y1, y2]: Span): Markup =>
  html`<line class="${of}" x1="${at(x1)}" x2="${at(x2)}" y1="${at(y1)}" y2="${at(y2)}"/>`

/** A mark of a chart and its meaning. */
export interface LegendItem {
  /** Drawn in a box of this width and a height of 14. */
  readonly mark: Markup
  readonly width: number
  readonly means: string
  /** The class for its colour. */
  readonly tone?: string | undefined
}

export function drawLegendItem(
  mark: Markup,
  width: number,
  means: string,
  tone?: string,
): LegendItem {
  return { mark, width, means, tone }
}

export interface Figure {
  /** The name of its files, without an ending. */
  readonly file: string
  readonly title: string
  /** A description for people who cannot see the chart. */
  readonly description: string
  readonly drawing: Drawing
  /** The data of the chart, as CSV. */
  readonly csv: string
  /** The meaning of the marks. */
  readonly legend?: readonly LegendItem[]
  /** True if several charts share a legend elsewhere on the page. */
  readonly legendApart?: boolean
  /** How to read the marks; absent if the text around explains it. */
  readonly caption?: Markup
  /** The text that unfolds it on the page; without it, the figure is open. */
  readonly opener?: string
}

/** The text that unfolds a chart of many rows. */
export const makeOpener = (
  title: string,
  rows: number,
  isFolded = isLong(rows),
): Pick<Figure, 'opener'> => (isFolded ? { opener: `${title}: ${counted(rows, 'row')}` } : {})

/** The data of a chart as CSV: the members of each record that have a column. */
export function figureCsv<Name extends string>(
  columns: readonly Name[],
  records: readonly { readonly [name in Name]: Cell }[],
): string {
  return csvText(
    columns,
    records.map((record) => columns.map((name) => record[name])),
  )
}

/** Shortens in the middle, because the ends of a name say more. */
export function shortened(text: string, most: number): string {
  const characters = [...text]
  if (characters.length <= most) return text
  const head = Math.ceil((most - 1) / 2)
  return `${characters.slice(0, head).join('')}…${characters.slice(characters.length - (most - 1 - head)).join('')}`
}

/** The figure on a page, with its caption and its files. */
export function drawnFigure(of: Figure): Markup {
  const id = `chart-${of.file}`
  const { height, body } = of.drawing
  const legend = of.legend && !of.legendApart && legendList(of.legend)
  const figure = html`<figure id="${id}">
<h3>${of.title}</h3>
<svg role="img" aria-labelledby="${id}-t ${id}-d" viewBox="0 0 ${DRAWING_WIDTH} ${at(height)}" width="${DRAWING_WIDTH}" height="${at(height)}">
<title id="${id}-t">${of.title}</title>
<desc id="${id}-d">${of.description}</desc>
${body}
</svg>
${(legend || of.caption) && html`<figcaption>${legend}${of.caption}</figcaption>`}
${downloads(of)}
</figure>`
  return of.opener === undefined ? figure : folded(of.opener, figure)
}

/** Links that contain the files themselves: the page needs no script or other file, and its data stay with it. */
function downloads(of: Figure): Markup {
  const link = (kind: string, type: string, text: string) =>
    html`<a download="${of.file}.${kind.toLowerCase()}" href="data:${type};base64,${Buffer.from(text).toString('base64')}">${kind}<span class="hidden"> of the chart: ${of.title}</span></a>`
  return html`<p class="downloads">Download: ${link('SVG', 'image/svg+xml', figureSvg(of))} ${link('CSV', 'text/csv;charset=utf-8', of.csv)}</p>`
}

const tone = (of: LegendItem) => of.tone && new Markup(` class="${of.tone}"`)

/** The legend as a list of the page. */
export function legendList(items: readonly LegendItem[]): Markup {
  return html`<ul class="legend">${items.map(
    (item) =>
      html`<li><svg aria-hidden="true" width="${item.width}" height="14"${tone(item)}>${item.mark}</svg> ${item.means}</li>`,
  )}</ul>`
}

const LINE = 20

/** The legend as a separate drawing, one item per line. */
function legendDrawing(items: readonly LegendItem[]): Drawing {
  const drawn = items.map(
    (item, index) =>
      html`<g transform="translate(0 ${index * LINE})"><g${tone(item)}>${item.mark}</g><text x="${item.width + 6}" y="11">${item.means}</text></g>`,
  )
  return { height: items.length * LINE, body: joinLines(drawn) }
}

const MARGIN = 16
const TITLE = 26

/** Characters that XML cannot contain in any form. */
const NO_XML = /[\ufffe\uffff]/g

/** The drawing with title and legend as a self-contained file: it needs no page, style or font. */
export function figureSvg({ title, description, drawing, legend: items = [] }: Figure): string {
  const legend = legendDrawing(items)
  const width = DRAWING_WIDTH + 2 * MARGIN
  const under = MARGIN + TITLE + drawing.height + 8
  const height = at(under + legend.height + MARGIN)
  return html`<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="t d" viewBox="0 0 ${width} ${height}" width="${2 * width}" font-family="sans-serif">
<title id="t">${title}</title>
<desc id="d">${description}</desc>
<style>${drawingStyle()}</style>
<rect width="100%" height="100%" fill="#fff"/>
<g transform="translate(${MARGIN} ${MARGIN})"><text class="strong" y="13">${shortened(title, 56)}</text></g>
<g transform="translate(${MARGIN} ${MARGIN + TITLE})">
${drawing.body}
</g>
<g transform="translate(${MARGIN} ${at(under)})">
${legend.body}
</g>
</svg>
`.text.replace(NO_XML, '\ufffd')
}
