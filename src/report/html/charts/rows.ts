import type { ResultBounds } from '../../../evaluation/result/types.js'
import { html, lines, type Markup } from '../markup.js'
import { at, type Scale } from '../scale.js'
import { type ChartLayout, type Drawing, shortened, WIDTH } from './figure.js'

export type Tone = 'candidate' | 'comparator' | 'good' | 'bad' | 'open'

export interface ChartRow {
  readonly label: string
  readonly tone: Tone
  readonly point: number | null
  /** Drawn thick. */
  readonly bounds: ResultBounds | null
  /** Drawn thin, beyond the thick ones. */
  readonly outer?: ResultBounds | null
  /** Written at the right, one per column. */
  readonly cells: readonly string[]
  /** Written in place of marks where there is no point. */
  readonly absent?: string
}

export interface ChartGroup {
  readonly heading?: string
  readonly rows: readonly ChartRow[]
}

export interface RowChart {
  readonly scale: Scale
  readonly tick: (value: number) => string
  /** What the scale measures, and in few words for the narrow drawing. */
  readonly axis: { readonly wide: string; readonly narrow: string }
  /** Upright lines: zero, a limit, a nominal value. */
  readonly references: readonly {
    readonly at: number
    readonly label: string
    readonly kind: 'zero' | 'limit'
  }[]
  readonly columns: readonly string[]
  readonly groups: readonly ChartGroup[]
}

/** Every point and its thick interval, for the scale that must hold them. */
export function extentOf(groups: readonly ChartGroup[]): (number | null)[] {
  return groups
    .flatMap(({ rows }) => rows)
    .flatMap(({ point, bounds }) => [point, bounds?.lower ?? null, bounds?.upper ?? null])
}

interface Frame {
  readonly layout: ChartLayout
  readonly left: number
  readonly right: number
  readonly columns: readonly number[]
  readonly rowHeight: number
  readonly headingHeight: number
  readonly x: (value: number) => number
  readonly share: (value: number) => number
}

/** In the narrow drawing the words of a row stand above its marks, so high. */
const WORDS_ABOVE = 19
const CELL = 92

function frameOf(chart: RowChart, layout: ChartLayout): Frame {
  const width = WIDTH[layout]
  const left = layout === 'wide' ? 190 : 8
  const right = layout === 'wide' ? width - 16 - CELL * chart.columns.length : width - 8
  const clamp = (share: number) => Math.min(1, Math.max(0, share))
  return {
    layout,
    left,
    right,
    columns: chart.columns.map((_, index) => width - CELL * (chart.columns.length - 1 - index)),
    // So that, printed, the two charts of a candidate find room on one page.
    rowHeight: layout === 'narrow' ? 42 : 18,
    headingHeight: layout === 'narrow' ? 30 : 25,
    share: chart.scale.share,
    x: (value) => left + clamp(chart.scale.share(value)) * (right - left),
  }
}

function marks(row: ChartRow, frame: Frame, y: number): Markup {
  if (row.point === null) {
    return html`<text class="absent" x="${at(frame.left + 4)}" y="${at(y + 4)}">${row.absent}</text>`
  }
  const { x } = frame
  const line = (bounds: ResultBounds | null | undefined, kind: string) =>
    bounds &&
    html`<line class="${kind}" x1="${at(x(bounds.lower))}" x2="${at(x(bounds.upper))}" y1="${at(y)}" y2="${at(y)}"/>`
  const share = frame.share(row.point)
  const shape =
    share < 0 || share > 1
      ? html`<path class="point" d="M${at(x(row.point))} ${at(y)}l${share < 0 ? 9 : -9} -5v10z"/>`
      : row.tone === 'comparator'
        ? html`<path class="point" d="M${at(x(row.point))} ${at(y - 5.5)}l5.5 5.5l-5.5 5.5l-5.5 -5.5z"/>`
        : html`<circle class="point" cx="${at(x(row.point))}" cy="${at(y)}" r="4.5"/>`
  return html`<g class="${row.tone}">${line(row.outer, 'thin')}${line(row.bounds, 'thick')}${shape}</g>`
}

function drawnRow(row: ChartRow, frame: Frame, top: number): Markup {
  if (frame.layout === 'wide') {
    const y = top + frame.rowHeight / 2
    return lines([
      html`<text class="label" x="0" y="${at(y + 4)}">${shortened(row.label, 26)}</text>`,
      marks(row, frame, y),
      ...row.cells.map(
        (cell, index) =>
          html`<text class="cell" x="${at(frame.columns[index] ?? 0)}" y="${at(y + 4)}">${cell}</text>`,
      ),
    ])
  }
  const cells = row.cells.filter((cell) => cell !== '').join('  ·  ')
  const room = Math.max(8, 48 - cells.length)
  return lines([
    html`<text class="label" x="0" y="${at(top + 14)}">${shortened(row.label, room)}</text>`,
    html`<text class="cell" x="${WIDTH.narrow}" y="${at(top + 14)}">${cells}</text>`,
    marks(row, frame, top + 29),
  ])
}

/** The middle of a text that stays in the drawing, as near to where it is wanted as can be. */
function inside({ layout }: Frame, x: number, half: number): number {
  return Math.min(WIDTH[layout] - half, Math.max(half, x))
}

function axis(chart: RowChart, frame: Frame, top: number, bottom: number): Markup {
  const middle = (frame.left + frame.right) / 2
  const wanted = frame.layout === 'wide' ? 9 : 5
  const every = Math.ceil(chart.scale.ticks.length / wanted)
  const ticks = chart.scale.ticks.filter((_, index) => index % every === 0)
  return lines([
    ...ticks.map((tick) => {
      const label = chart.tick(tick)
      return html`<line class="grid" x1="${at(frame.x(tick))}" x2="${at(frame.x(tick))}" y1="${at(top)}" y2="${at(bottom)}"/><text class="tick" x="${at(inside(frame, frame.x(tick), label.length * 4 + 4))}" y="${at(bottom + 17)}">${label}</text>`
    }),
    html`<text class="axis" x="${at(middle)}" y="${at(bottom + 36)}">${chart.axis[frame.layout]}</text>`,
  ])
}

/** From where to where something goes down. */
type Stretch = readonly [from: number, to: number]

/**
 * Labels of neighbouring lines stand on levels of their own where they would run into each other.
 * @param free - the heights that the lines may go through: those without words.
 */
function references(chart: RowChart, frame: Frame, top: number, free: readonly Stretch[]): Markup {
  const ends: number[] = []
  const sorted = [...chart.references].sort((a, b) => a.at - b.at)
  return lines(
    sorted.map((reference) => {
      const x = at(frame.x(reference.at))
      const half = reference.label.length * 3.3
      const centre = inside(frame, frame.x(reference.at), half)
      const level = firstFree(ends, centre - half)
      ends[level] = centre + half + 6
      const line = [[top - 4 - level * 14, top] as const, ...free]
      return html`<path class="reference ${reference.kind}" d="${line.map(([from, to]) => `M${x} ${at(from)}V${at(to)}`).join('')}"/><text class="mark" x="${at(centre)}" y="${at(top - 9 - level * 14)}">${reference.label}</text>`
    }),
  )
}

function firstFree(ends: readonly number[], from: number): number {
  const free = ends.findIndex((end) => end < from)
  return free === -1 ? ends.length : free
}

/**
 * Rows with a point and its intervals on one shared scale, in groups. What lies beyond the scale is
 * an arrow at its end; its figure stands beside it.
 */
export function rowChart(chart: RowChart, layout: ChartLayout): Drawing {
  const frame = frameOf(chart, layout)
  const top = 28 + 14 * Math.max(1, chart.references.length)
  let y = top
  const body: Markup[] = []
  const free: Stretch[] = []
  for (const group of chart.groups) {
    if (group.heading !== undefined) {
      body.push(
        html`<text class="heading" x="0" y="${at(y + 20)}">${shortened(group.heading, layout === 'wide' ? 100 : 43)}</text>`,
      )
      y += frame.headingHeight
    }
    for (const row of group.rows) {
      body.push(drawnRow(row, frame, y))
      free.push([y + WORDS_ABOVE, y + frame.rowHeight])
      y += frame.rowHeight
    }
    y += 6
  }
  const heads =
    layout === 'wide'
      ? chart.columns.map(
          (column, index) =>
            html`<text class="column" x="${at(frame.columns[index] ?? 0)}" y="${at(top - 9)}">${column}</text>`,
        )
      : []
  return {
    height: y + 44,
    body: lines([
      axis(chart, frame, top, y),
      references(chart, frame, top, layout === 'wide' ? [[top, y]] : free),
      ...heads,
      ...body,
    ]),
  }
}
