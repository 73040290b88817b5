import type { Result, ResultMeasures, StepOrAll } from '../../../evaluation/result/result.js'
import { decimal, formatWhole, percent } from '../../../output/figures.js'
import { measureText } from '../../measures.js'
import { ownInterval, stepName } from '../../sentences.js'
import {
  coverageIn,
  isHourlyCloses,
  measuresIn,
  modelsIn,
  nominalCoverage,
  overallAndSteps,
  primaryScore,
  stepsIn,
} from '../../view.js'
import { primarySaid } from '../../window.js'
import { html } from '../markup.js'
import { linear, tickDigits } from '../scale.js'
import { drawLegendItem, type Figure, figureCsv, makeOpener } from './figure.js'
import { type ChartRow, chartExtent, drawRowChart } from './row-chart.js'

/** The figures of every model at each step, one row each, coloured by role. */
function modelRows<S extends StepOrAll>(
  result: Result,
  steps: readonly S[],
  measure: string,
  toCells: (value: number | null, measures: ResultMeasures | undefined) => readonly string[],
) {
  const all = steps.map((step) => ({
    heading: step === 'overall' ? 'Overall, mean of the steps' : stepName(result, step),
    found: modelsIn(result).map(({ name: model, role }) => {
      const measures = measuresIn(result, model, step)
      const bounds = measures?.bounds[measure]
      return {
        ...{ model, role, step: String(step), measures },
        pairs: measures?.pairs[measure] ?? 0,
        mean: measures?.means[measure] ?? null,
        lower: bounds?.lower ?? null,
        upper: bounds?.upper ?? null,
      }
    }),
  }))
  const groups = all.map(({ heading, found }) => ({
    heading,
    rows: found.map(
      ({ model, role, mean, lower, upper, measures: of }): ChartRow => ({
        ...{ label: model, tone: role, point: mean, bounds: { lower, upper } },
        cells: toCells(mean, of),
        absent: 'no scored pair',
      }),
    ),
  }))
  return { records: all.flatMap(({ found }) => found), groups }
}

const COLUMNS = ['model', 'role', 'step', 'pairs', 'mean', 'lower', 'upper'] as const
const LINE = html`<line class="thick" x1="1" x2="25" y1="7" y2="7"/>`
const CIRCLE = html`${LINE}<circle class="point" cx="13" cy="7" r="4.5"/>`
const DIAMOND = html`${LINE}<path class="point" d="M13 1.5l5.5 5.5l-5.5 5.5l-5.5 -5.5z"/>`

/** Every model's own mean loss, per step and overall, with its interval. */
export function lossFigure(result: Result): Figure {
  const { id } = primaryScore(result)
  const { records, groups } = modelRows(result, overallAndSteps(result), id, (mean, measures) => [
    measureText(result, id, mean),
    formatWhole(measures?.pairs[id] ?? 0),
  ])
  const overall = records.filter(({ step }) => step === 'overall')
  const means = overall.map((of) => `${of.model} ${measureText(result, id, of.mean)}`)
  const scale = linear([0, ...chartExtent(groups)], 8)
  const title = 'Loss by step'
  return {
    file: 'loss',
    title,
    ...makeOpener(title, records.length),
    description: `Mean loss of each model at each step, with its interval. Overall: ${means.join(', ')}.`,
    drawing: drawRowChart({
      scale,
      tick: (value) =>
        isHourlyCloses(result)
          ? percent(value, tickDigits(scale, 100))
          : decimal(value, tickDigits(scale)),
      axis: `${primarySaid(result)}: left is better`,
      references: [],
      columns: ['loss', 'pairs'],
      groups,
    }),
    csv: figureCsv(COLUMNS, records),
    legend: [
      drawLegendItem(CIRCLE, 26, 'candidate', 'candidate'),
      drawLegendItem(DIAMOND, 26, 'comparator', 'comparator'),
    ],
    caption: html`<p>Each model over all pairs it scored, with its ${ownInterval(result)}. These intervals are wide because all models share the same quiet and wild times; the differences, taken pair by pair, are what is tested.</p>`,
  }
}

/** Coverage of the intervals compared with the nominal level; none if no coverage is scored. */
export function coverageFigures(result: Result): Figure[] {
  const score = coverageIn(result)
  if (score === undefined) return []
  const nominal = nominalCoverage(score)
  const { records, groups } = modelRows(result, stepsIn(result), score.id, (mean, measures) => [
    percent(mean, 1),
    widthText(measures?.means.width_percent),
  ])
  const hasWidth = records.some(({ measures }) => measures?.means.width_percent != null)
  const scale = linear([nominal, ...chartExtent(groups)], 8)
  const title = 'Coverage against the nominal level'
  const figure: Figure = {
    file: 'coverage',
    title,
    ...makeOpener(title, records.length),
    description: `Share of outcomes inside each model’s interval, per step, against the nominal ${percent(nominal, 0)}.`,
    drawing: drawRowChart({
      scale,
      tick: (value) => percent(value, tickDigits(scale, 100)),
      axis: 'share of outcomes inside the interval',
      references: [{ at: nominal, label: `nominal ${percent(nominal, 0)}`, kind: 'zero' }],
      columns: hasWidth ? ['coverage', 'width'] : ['coverage', ''],
      groups,
    }),
    csv: figureCsv(COLUMNS, records),
    caption: html`<p>Left of the line the intervals are too narrow for what they promise, right of it too wide. Narrow intervals are worth something only where the coverage holds.</p><p>Bars: the ${ownInterval(result)}. Diagnostic; it does not decide.</p>${hasWidth && html`<p>Width: the mean, in per cent of the value at the origin.</p>`}`,
  }
  return [figure]
}

const widthText = (width: number | null | undefined) =>
  width == null ? '' : `${decimal(width, 2)}\u202f%`
