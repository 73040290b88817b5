import { relative } from '../../../evaluation/result/readings.js'
import type { AnyResult, EvaluationResult, Horizon } from '../../../evaluation/result/types.js'
import { changeInPoints, decimal, percent, signedPercent, whole } from '../../../output/figures.js'
import { hasVerdict } from '../../../registration/family.js'
import { blockedBecause, horizonName } from '../../sentences.js'
import {
  type AnyTest,
  candidatesOf,
  comparatorsOf,
  directedHorizons,
  lossTest,
  nominalIn,
  overallAndHorizons,
  testOf,
  toneOf,
} from '../../view.js'
import { html, type Markup } from '../markup.js'
import { linear, tickDigits } from '../scale.js'
import { cumulativeFigure } from './cumulative.js'
import { csvOf, type Drawing, type Figure, legendItem, legendList, openerOf } from './figure.js'
import { type ChartGroup, type ChartRow, type Reference, rowChart } from './rows.js'

/** The measures whose differences are drawn. */
export type Kind = 'point_loss' | 'direction_error'

/** Point losses are shown relative to the comparator, direction errors as they are. */
export function shownDifference(kind: Kind, test: AnyTest) {
  const shown = (value: number | null | undefined) =>
    kind === 'point_loss' ? relative(value, test) : (value ?? null)
  return {
    ...test,
    horizon: String(test.horizon),
    group: 'group' in test ? test.group : null,
    difference: shown(test.observed),
    lower: shown(test.bounds?.lower),
    upper: shown(test.bounds?.upper),
    lower_adjusted: shown(test.bounds_adjusted?.lower),
    upper_adjusted: shown(test.bounds_adjusted?.upper),
  }
}

/** The columns of a row's CSV. */
export const DIFFERENCE_COLUMNS = [
  'difference',
  'lower',
  'upper',
  'lower_adjusted',
  'upper_adjusted',
  'effective_blocks',
  'p_adjusted',
  'decision',
] as const

/** A test as a row of a forest. */
export function differenceRow(
  kind: Kind,
  label: string,
  test: AnyTest | undefined,
  asked = true,
): ChartRow {
  const none = { lower: null, upper: null }
  if (!test || test.decision === 'blocked') {
    const why = test ? blockedBecause(test.blocked_reasons) : 'not in the family'
    const absent = asked ? `blocked: ${why}` : 'not asked: says up or down too seldom'
    return { label, tone: 'open', point: null, bounds: none, cells: [], absent }
  }
  const { difference, lower, upper, ...shown } = shownDifference(kind, test)
  return {
    label,
    tone: toneOf(test),
    point: difference,
    bounds: { lower, upper },
    outer: { lower: shown.lower_adjusted, upper: shown.upper_adjusted },
    cells: [
      kind === 'point_loss' ? signedPercent(difference, 2) : changeInPoints(difference),
      whole(test.effective_blocks),
    ],
    absent: 'no relative figure: the comparator made no error',
  }
}

const AXIS = {
  point_loss: '% of the comparator’s loss (left is better)',
  direction_error: 'percentage points (left is better)',
}

/** Draws differences on one scale with the limits. */
export function drawDifferences(
  kind: Kind,
  references: readonly Reference[],
  groups: readonly ChartGroup[],
): Drawing {
  const rows = groups.flatMap((group) => group.rows)
  const scale = linear(differenceDomain(references, rows), 9)
  return rowChart({
    scale,
    tick: (value) => decimal(value * 100, tickDigits(scale, 100)),
    axis: AXIS[kind],
    references,
    columns: ['difference', 'blocks'],
    groups,
  })
}

/**
 * The range of the scale: the references and all rows. A comparator with very large differences (a seasonal one, for
 * example) must not compress the others, so rows are cut beyond three times the median reach.
 */
function differenceDomain(references: readonly Reference[], rows: readonly ChartRow[]): number[] {
  const ends = rows.map(({ point, bounds, outer }) =>
    [point, bounds.lower, bounds.upper, outer?.lower, outer?.upper].filter(
      (value): value is number => typeof value === 'number',
    ),
  )
  const reaches = ends
    .filter((each) => each.length > 0)
    .map((each) => Math.max(...each.map(Math.abs)))
    .sort((a, b) => a - b)
  const median = reaches[Math.floor(reaches.length / 2)] ?? 0
  const places = references.map((reference) => reference.at)
  const most = Math.max(3 * median, ...places.map((one) => 1.2 * Math.abs(one)))
  return [...places, ...ends.flat().map((one) => Math.max(-most, Math.min(most, one)))]
}

const MARK = html`<line class="thin" x1="1" x2="33" y1="7" y2="7"/><line class="thick" x1="8" x2="26" y1="7" y2="7"/><circle class="point" cx="17" cy="7" r="4.5"/>`
/** The meaning of the row colours. */
export const DIFFERENCE_LEGEND = [
  legendItem(MARK, 34, 'not significant after Holm', 'open'),
  legendItem(MARK, 34, 'significantly better', 'good'),
  legendItem(MARK, 34, 'significantly worse', 'bad'),
]

export const NO_DIFFERENCE: Reference = { at: 0, label: 'no difference', kind: 'zero' }
export const floorLine = (floor: number): Reference => ({
  at: -floor,
  label: `floor ${percent(-floor)}`,
  kind: 'limit',
})
export const regressionLine = (limit: number): Reference => ({
  at: limit,
  label: `limit ${signedPercent(limit)}`,
  kind: 'limit',
})

function referencesOf({ settings }: AnyResult, kind: Kind): Reference[] {
  if (kind === 'direction_error') {
    const at = 'direction_limit' in settings ? settings.direction_limit : 0
    return [NO_DIFFERENCE, { at, label: `limit ${changeInPoints(at)}`, kind: 'limit' }]
  }
  const { practical_effect_floor: floor, regression_limit: limit } = settings
  return [floorLine(floor), NO_DIFFERENCE, regressionLine(limit)]
}

interface Forest {
  /** Contains the candidate's position, because its name may be long and hold any character. */
  readonly file: string
  readonly title: string
  readonly kind: Kind
  /** Number of rows in the previous charts. */
  readonly before?: number
  /** The rows against a comparator. */
  readonly rowsOf: (comparator: string) => readonly {
    readonly label: string
    readonly test: AnyTest | undefined
    readonly asked?: boolean
  }[]
}

/** One candidate against every comparator: differences with their intervals and the limits. */
function forestFigure(result: AnyResult, { file, title, kind, before, rowsOf }: Forest): Figure {
  const all = comparatorsOf(result).map((comparator) => ({
    heading: `against ${comparator}`,
    rows: rowsOf(comparator),
  }))
  const groups = all.map(({ heading, rows }) => ({
    heading,
    rows: rows.map(({ label, test, asked }) => differenceRow(kind, label, test, asked)),
  }))
  const said = groups.map(({ heading, rows }) => `${heading} ${rows[0]?.cells[0] || 'blocked'}`)
  const place = all[0]?.rows[0]?.label ?? 'all horizons'
  const first = result.result_version === 1 ? place.replace('overall', 'Overall') : place
  return {
    file,
    title,
    ...openerOf(result, title, groups.flatMap(({ rows }) => rows).length, before),
    description: `Differences to each comparator with intervals. ${first}: ${said.join(', ')}.`,
    drawing: drawDifferences(kind, referencesOf(result, kind), groups),
    csv: csvOf(
      [
        ...(['candidate', 'comparator', 'horizon'] as const),
        ...(result.result_version === 1 ? [] : (['group'] as const)),
        ...DIFFERENCE_COLUMNS,
      ],
      all.flatMap(({ rows }) =>
        rows.flatMap(({ test }) => (test ? shownDifference(kind, test) : [])),
      ),
    ),
    legend: DIFFERENCE_LEGEND,
    legendApart: true,
  }
}

/**
 * For one candidate: loss by horizon and, if groups are registered, by group; for hourly closes also `hourlyFigures`.
 */
function figuresOf(result: AnyResult, candidate: string, place: number): Figure[] {
  type Place = readonly [label: string, horizon: Horizon, group?: string]
  const loss = (file: string, by: string, places: readonly Place[], before = 0) =>
    forestFigure(result, {
      before: before * comparatorsOf(result).length,
      file: `${file}-${place}`,
      title: `${candidate}: difference in loss${by}`,
      kind: 'point_loss',
      rowsOf: (comparator) =>
        places.map(([label, horizon, group]) => ({
          label,
          test: lossTest(result, { candidate, comparator }, horizon, group),
        })),
    })
  const horizons = overallAndHorizons(result).map(
    (horizon): Place => [horizonName(result, horizon), horizon],
  )
  if (result.result_version === 1) {
    return [loss('difference', '', horizons), ...hourlyFigures(result, candidate, place)]
  }
  const groups = result.settings.groups.map((group): Place => [group, 'overall', group])
  const before = (place - 1) * (horizons.length + groups.length)
  const byHorizon = loss('difference', ' by horizon', horizons, before)
  if (groups.length === 0) return [byHorizon]
  return [byHorizon, loss('difference-groups', ' by group', groups, before + horizons.length)]
}

/** Direction, and how the difference in loss developed. */
function hourlyFigures(result: EvaluationResult, candidate: string, place: number): Figure[] {
  const measure = 'direction_error'
  const direction = forestFigure(result, {
    file: `direction-${place}`,
    title: `${candidate}: difference in direction error`,
    kind: measure,
    rowsOf: (comparator) => {
      const directed = directedHorizons(result, candidate, comparator)
      return result.settings.horizons_hours.map((horizon) => ({
        label: horizonName(result, horizon),
        test: testOf(result, { candidate, comparator, measure, horizon }),
        asked: directed.includes(horizon),
      }))
    },
  })
  return [direction, ...[cumulativeFigure(result, candidate, place) ?? []].flat()]
}

/** The charts of every candidate against the comparators. */
export function differenceFigures(result: AnyResult): Figure[] {
  return candidatesOf(result).flatMap((candidate, index) => figuresOf(result, candidate, index + 1))
}

/** How to read the marks of the forest charts; shown once, before the first one. */
export function forestKey(result: AnyResult): Markup {
  return html`<div class="key">${legendList(DIFFERENCE_LEGEND)}
<p>Thick line: ${nominalIn(result)} interval. Thin line: ${
    hasVerdict(result.settings)
      ? 'bounds at the level of the step that the test has on the Holm ladder; they carry no verdict'
      : 'the interval at the level of the test’s own rung on the Holm ladder, by which the limits are judged'
  }. Dashed: the practical floor and the limits. An arrow: beyond the scale. Blocks: those that hold a pair.</p></div>`
}
