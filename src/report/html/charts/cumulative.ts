import { formatUtc, type Instant, parseInstant } from '../../../contract/instant.js'
import { overallTests, relative } from '../../../evaluation/result/readings.js'
import type { Result, ResultTest } from '../../../evaluation/result/result.js'
import {
  CUMULATIVE_STEPS,
  FLUCTUATION_STEPS,
  fluctuationBand,
} from '../../../inference/diagnostics.js'
import { decimal, signedPercent } from '../../../output/figures.js'
import { html, joinLines, type Markup } from '../markup.js'
import { at, linear, tickDigits, timeScale } from '../scale.js'
import {
  DRAWING_WIDTH,
  type Drawing,
  drawLegendItem,
  type Figure,
  figureCsv,
  lineAt,
  shortened,
  textAt,
} from './figure.js'

/** A moment of the window: the sum of the differences so far, and the band there; absent in its first part. */
interface Reached {
  readonly comparator: string
  readonly at: Instant
  readonly cumulative: number
  readonly lower: number | null
  readonly upper: number | null
}

/** All moments of a test, as shares of the comparator's loss; empty if the test was not made. */
function listReached({ settings }: Result, test: ResultTest): Reached[] {
  const { comparator, standard_error: error } = test
  const cumulative = test.cumulative ?? []
  const { first_due: first, last_due: last } = settings.window
  const [from, to] = [parseInstant(first) ?? 0, parseInstant(last) ?? 0]
  const half = relative(fluctuationBand(error ?? 0), test)
  if (half === null) return []
  const sums = cumulative.map((sum) => relative(sum, test) ?? 0)
  return sums.map((sum, step) => {
    const before = sums[step - FLUCTUATION_STEPS]
    return {
      comparator,
      at: from + ((to - from) * step) / CUMULATIVE_STEPS,
      cumulative: sum,
      lower: before === undefined ? null : before - half,
      upper: before === undefined ? null : before + half,
    }
  })
}

const LEFT = 46
const HEADING = 24
const HEIGHT = 110

/** Draws the line of one comparator with its band, below `top`. */
function panel(comparator: string, reached: readonly Reached[], top: number): Markup {
  const bottom = top + HEADING + HEIGHT
  const inBand = reached.filter((one) => one.lower !== null)
  const scale = linear(
    reached.flatMap((one) => [0, one.cumulative, one.lower, one.upper]),
    4,
  )
  const times = timeScale(
    reached.map((one) => one.at),
    4,
  )
  const x = (moment: Instant) => at(LEFT + times.share(moment) * (DRAWING_WIDTH - LEFT))
  const y = (value: number | null) => at(bottom - scale.share(value ?? 0) * HEIGHT)
  const path = (points: readonly string[]) => `M${points.join('L')}`
  const line = reached.map((one) => `${x(one.at)} ${y(one.cumulative)}`)
  const above = inBand.map((one) => `${x(one.at)} ${y(one.upper)}`)
  const below = inBand.map((one) => `${x(one.at)} ${y(one.lower)}`).reverse()
  return joinLines([
    textAt('heading', 0, top + 14, shortened(`against ${comparator}`, 50)),
    html`<path class="band" d="${path([...above, ...below])}z"/>`,
    ...scale.ticks.map((tick) => {
      const height = Number(y(tick))
      const label = decimal(tick * 100, tickDigits(scale, 100))
      return html`${lineAt('grid', [LEFT, DRAWING_WIDTH], [height, height])}${textAt('cell', LEFT - 6, height + 4, label)}`
    }),
    html`<path class="reference zero" d="M${LEFT} ${y(0)}H${DRAWING_WIDTH}"/>`,
    html`<path class="cumulative" d="${path(line)}"/>`,
    ...times.ticks.map((tick) =>
      textAt('tick', Number(x(tick)), bottom + 15, formatUtc(tick).slice(0, 10)),
    ),
  ])
}

function draw(panels: readonly (readonly Reached[])[]): Drawing {
  const step = HEADING + HEIGHT + 24
  const axis = '% of the comparator’s loss, summed so far (down is better)'
  return {
    height: panels.length * step + 20,
    body: joinLines([
      ...panels.map((reached, index) => panel(reached[0]?.comparator ?? '', reached, index * step)),
      textAt('axis', DRAWING_WIDTH / 2, panels.length * step + 12, axis),
    ]),
  }
}

const BAND = 'where it stays in 95 % of windows without any difference'
const LEGEND = [
  drawLegendItem(html`<path class="cumulative" d="M0 3L22 11"/>`, 22, 'difference so far'),
  drawLegendItem(html`<path class="band" d="M0 1h22v12h-22z"/>`, 22, BAND),
]

/**
 * How the overall difference of one candidate developed, against every comparator; undefined if none is known.
 * @param index - of the candidate among all of them, from 1.
 */
export function cumulativeFigure(
  result: Result,
  candidate: string,
  index: number,
): Figure | undefined {
  const panels = overallTests(result.reading, candidate)
    .map((test) => listReached(result, test))
    .filter((reached) => reached.length > 0)
  if (panels.length === 0) return undefined
  const title = `${candidate}: how the difference in loss came about`
  const descriptions = panels.map((reached) => {
    const { comparator = '', cumulative = 0 } = reached.at(-1) ?? {}
    return `against ${comparator} ${signedPercent(cumulative, 2)}`
  })
  return {
    file: `cumulative-${index}`,
    title,
    opener: title,
    description: `The difference in overall loss, summed over the window, with a band. At its end: ${descriptions.join(', ')}.`,
    drawing: draw(panels),
    csv: figureCsv(
      ['comparator', 'at', 'cumulative', 'lower', 'upper'],
      panels.flat().map((one) => ({ ...one, at: formatUtc(one.at) })),
    ),
    legend: LEGEND,
    caption: html`<p>What each origin adds to the difference; at the right end it is the difference itself. An even slope is a difference that lasts, a step one that came at once.</p><p>At each moment the centre of the band is the value of the line ${FLUCTUATION_STEPS} % of the window earlier. Where the line is outside, the fluctuation test of Giacomini and Rossi (2010) rejects that there is no difference at any time (two-sided at 5 %, sums over 0.3 of the window, critical value 3.012); it decides nothing.</p>`,
  }
}
