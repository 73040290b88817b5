import { html, joinLines, type Markup } from '../markup.js'
import { at, type Scale } from '../scale.js'
import { DRAWING_WIDTH, type Drawing, LETTER, lineAt, shortened, textAt } from './figure.js'

/** The ends of a line; both null if there is none. */
export interface Range {
  readonly lower: number | null
  readonly upper: number | null
}

export interface ChartRow {
  readonly label: string
  readonly tone: 'candidate' | 'comparator' | 'good' | 'bad' | 'open'
  readonly point: number | null
  /** Drawn as a thick line. */
  readonly bounds: Range
  /** Drawn as a thin line, beyond the thick one. */
  readonly outer?: Range
  /** Drawn as small strokes. */
  readonly strokes?: readonly number[]
  /** Texts at the right, one per column. */
  readonly cells: readonly string[]
  /** The text instead of marks if there is no point. */
  readonly absent?: string
}

export interface ChartGroup {
  readonly heading?: string
  readonly rows: readonly ChartRow[]
}

/** A vertical line: zero, a limit, a nominal value. */
export interface Reference {
  readonly at: number
  readonly label: string
  readonly kind: 'zero' | 'limit'
}

export interface RowChart {
  readonly scale: Scale
  readonly tick: (value: number) => string
  /** What the scale measures. */
  readonly axis: string
  readonly references: readonly Reference[]
  readonly columns: readonly string[]
  readonly groups: readonly ChartGroup[]
}

/** Every point and its thick interval, for the range of the scale. */
export function chartExtent(groups: readonly ChartGroup[]): (number | null)[] {
  return groups
    .flatMap(({ rows }) => rows)
    .flatMap(({ point, bounds }) => [point, bounds.lower, bounds.upper])
}

/** The positions of the parts. */
interface Frame {
  readonly left: number
  readonly right: number
  /** The right ends of the columns. */
  readonly columns: readonly number[]
  readonly x: (value: number) => number
  readonly share: (value: number) => number
}

const ROW = 17
const HEADING = 25
const LONGEST_LABEL = 19
const GAP = 8

/** Labels and columns get the width of their text, the marks the rest. */
function createFrame({ scale, columns, groups }: RowChart): Frame {
  const rows = groups.flatMap((group) => group.rows)
  const longest = (texts: readonly string[]) => Math.max(0, ...texts.map((text) => text.length))
  const label = Math.min(LONGEST_LABEL, longest(rows.map((row) => row.label)))
  const ends: number[] = []
  let right = DRAWING_WIDTH
  for (const [index, name] of [...columns.entries()].reverse()) {
    ends.unshift(right)
    right -= longest([name, ...rows.map(({ cells }) => cells[index] ?? '')]) * LETTER + GAP
  }
  const left = label * LETTER + GAP
  const x = (value: number) => left + Math.min(1, Math.max(0, scale.share(value))) * (right - left)
  return { left, right, columns: ends, share: scale.share, x }
}

function marks(row: ChartRow, { left, x, share }: Frame, y: number): Markup {
  if (row.point === null) {
    const absence = shortened(row.absent ?? '', Math.floor((DRAWING_WIDTH - left) / LETTER))
    return textAt('absent', left + 4, y + 4, absence)
  }
  const line = ({ lower, upper }: Range, kind: string) =>
    lower !== null && upper !== null && lineAt(kind, [x(lower), x(upper)], [y, y])
  const beyond = share(row.point)
  const shape =
    beyond < 0 || beyond > 1
      ? html`<path class="point" d="M${at(x(row.point))} ${at(y)}l${beyond < 0 ? 8 : -8} -4v8z"/>`
      : row.tone === 'comparator'
        ? html`<path class="point" d="M${at(x(row.point))} ${at(y - 4.5)}l4.5 4.5l-4.5 4.5l-4.5 -4.5z"/>`
        : html`<circle class="point" cx="${at(x(row.point))}" cy="${at(y)}" r="3.5"/>`
  const strokes = (row.strokes ?? [])
    .filter((value) => share(value) >= 0 && share(value) <= 1)
    .map((value) => lineAt('stroke', [x(value), x(value)], [y - 4, y + 4]))
  return html`<g class="${row.tone}">${strokes}${row.outer && line(row.outer, 'thin')}${line(row.bounds, 'thick')}${shape}</g>`
}

function drawnRow(row: ChartRow, frame: Frame, top: number): Markup {
  const y = top + ROW / 2
  return joinLines([
    textAt('label', 0, y + 4, shortened(row.label, LONGEST_LABEL)),
    marks(row, frame, y),
    ...row.cells.map((cell, index) => textAt('cell', frame.columns[index] ?? 0, y + 4, cell)),
  ])
}

/** The centre of a text, as near as possible to its target without leaving the drawing. */
function inside(x: number, text: string): number {
  const half = (text.length * LETTER) / 2
  return Math.min(DRAWING_WIDTH - half, Math.max(half, x))
}

function axis(chart: RowChart, { left, right, x }: Frame, top: number, bottom: number): Markup {
  const all = chart.scale.ticks.map((tick) => ({ place: x(tick), text: chart.tick(tick) }))
  const room = Math.max(...all.map(({ text }) => text.length)) * LETTER + GAP
  const every = Math.ceil((all.length * room) / (right - left))
  const middle = inside((left + right) / 2, chart.axis)
  return joinLines([
    ...all
      .filter((_, index) => index % every === 0)
      .map(
        ({ place: position, text }) =>
          html`${lineAt('grid', [position, position], [top, bottom])}${textAt('tick', inside(position, text), bottom + 17, text)}`,
      ),
    textAt('axis', middle, bottom + 36, chart.axis),
  ])
}

/** Labels of neighbouring lines get different levels if they would overlap; the lines begin below them. */
function references(chart: RowChart, frame: Frame, top: number, bottom: number): Markup {
  const ends: number[] = []
  const sorted = [...chart.references].sort((a, b) => a.at - b.at)
  return joinLines(
    sorted.map((reference) => {
      const x = at(frame.x(reference.at))
      const half = (reference.label.length * LETTER) / 2
      const centre = inside(frame.x(reference.at), reference.label)
      const free = ends.findIndex((end) => end < centre - half)
      const level = free === -1 ? ends.length : free
      ends[level] = centre + half + 6
      const label = textAt('mark', centre, top - level * 14 - 9, reference.label)
      return html`<path class="reference ${reference.kind}" d="M${x} ${at(top - 4)}V${at(bottom)}"/>${label}`
    }),
  )
}

/**
 * Rows with a point and its intervals on one shared scale, in groups. A value beyond the scale is an arrow at its end,
 * with the figure in the row.
 */
export function drawRowChart(chart: RowChart): Drawing {
  const frame = createFrame(chart)
  // The column names are above the labels of the references.
  const top = 28 + 14 * chart.references.length
  let y = top
  const body = chart.columns.map((column, index) =>
    textAt('column', frame.columns[index] ?? 0, 13, column),
  )
  for (const group of chart.groups) {
    if (group.heading !== undefined) {
      body.push(textAt('heading', 0, y + 20, shortened(group.heading, 50)))
      y += HEADING
    }
    for (const row of group.rows) {
      body.push(drawnRow(row, frame, y))
      y += ROW
    }
    y += 6
  }
  return {
    height: y + 44,
    body: joinLines([axis(chart, frame, top, y), references(chart, frame, top, y), ...body]),
  }
}
