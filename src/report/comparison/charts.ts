import type { Horizon, ResultStratum } from '../../evaluation/result/types.js'
import { change, decimal, percent } from '../../output/figures.js'
import {
  DIFFERENCE_COLUMNS,
  DIFFERENCE_LEGEND,
  differenceCells,
  differenceDomain,
  differenceRow,
} from '../html/charts/difference-rows.js'
import { column, type Figure } from '../html/charts/figure.js'
import { drawLosses, LOSS_DATA, LOSS_LEGEND, lossCells, lossRow } from '../html/charts/loss.js'
import { rowChart } from '../html/charts/rows.js'
import { linear, tickDigits } from '../html/scale.js'
import { horizonName, stratumName } from '../sentences.js'
import { measuresOf, testOf } from '../view.js'
import { type Compared, pairsOf } from './compared.js'

/** Where a chart is taken: at a horizon and in a level of a stratum. */
interface Place {
  readonly horizon: Horizon
  readonly stratum: ResultStratum
  /** The name of the files. */
  readonly file: string
}

const said = ({ horizon, stratum }: Place) =>
  stratum === 'all' ? horizonName(horizon) : `${horizonName(horizon)}, ${stratumName(stratum)}`

const EVALUATION = [column('evaluation', 'integer'), column('registration', 'text')]
const named = ({ number, result }: Compared) => [number, result.inputs.registration.name]

/** The difference of every candidate to every comparator, an evaluation a row. */
export function differencesFigure(all: readonly Compared[], place: Place): Figure {
  const tests = pairsOf(all).map((pair) => ({
    pair,
    of: all.flatMap((one) => {
      const test = testOf(one.result, { ...pair, ...place, measure: 'point_loss' })
      return test ? [{ one, test }] : []
    }),
  }))
  const groups = tests
    .filter(({ of }) => of.length > 0)
    .map(({ pair, of }) => ({
      heading: `${pair.candidate} against ${pair.comparator}`,
      rows: of.map(({ one, test }) => differenceRow('point_loss', one.label, test)),
    }))
  const references = referencesOf(all)
  const rows = groups.flatMap((group) => group.rows)
  const scale = linear(
    differenceDomain(
      references.map(({ at }) => at),
      rows,
    ),
    9,
  )
  return {
    id: place.file,
    file: place.file,
    title: `Difference in loss: ${said(place)}`,
    description: `For each candidate and comparator a row for every evaluation that tested them, with its intervals. ${rows.length} rows.`,
    legend: DIFFERENCE_LEGEND,
    data: {
      columns: [
        ...EVALUATION,
        ...['candidate', 'comparator', 'horizon', 'stratum', 'level'].map((name) =>
          column(name, 'text'),
        ),
        ...DIFFERENCE_COLUMNS,
      ],
      rows: tests.flatMap(({ pair, of }) =>
        of.map(({ one, test }) => [
          ...named(one),
          ...[pair.candidate, pair.comparator, String(place.horizon)],
          ...(place.stratum === 'all' ? [null, null] : [place.stratum.name, place.stratum.level]),
          ...differenceCells('point_loss', test),
        ]),
      ),
    },
    draw: (layout) =>
      rowChart(
        {
          scale,
          tick: (value) => decimal(value * 100, tickDigits(scale, 100)),
          axis: {
            wide: 'candidate minus comparator, in per cent of the comparator’s loss (left is better)',
            narrow: '% of the comparator’s loss (left is better)',
          },
          references,
          columns: ['difference', 'evidence'],
          groups,
        },
        layout,
      ),
  }
}

/** No difference, and the floor and the limit where all evaluations have the same. */
function referencesOf(all: readonly Compared[]) {
  const common = (value: (of: Compared) => number) => {
    const found = [...new Set(all.map(value))]
    return found.length === 1 ? found : []
  }
  return [
    { at: 0, label: 'no difference', kind: 'zero' as const },
    ...common(({ result }) => result.settings.practical_effect_floor).map((floor) => ({
      at: -floor,
      label: `floor ${percent(-floor)}`,
      kind: 'limit' as const,
    })),
    ...common(({ result }) => result.settings.regression_limit).map((limit) => ({
      at: limit,
      label: `limit ${change(limit)}`,
      kind: 'limit' as const,
    })),
  ]
}

/** Every model's own loss, an evaluation a row. */
export function lossesFigure(all: readonly Compared[], horizon: Horizon, file: string): Figure {
  const models = [...new Set(all.flatMap(({ result }) => result.models.map(({ name }) => name)))]
  const found = models.map((model) => ({
    model,
    of: all.flatMap((one) => {
      const own = one.result.models.find(({ name }) => name === model)
      const measures = measuresOf(one.result, model, horizon)
      return own && measures ? [{ one, own, measures }] : []
    }),
  }))
  const groups = found.map(({ model, of }) => ({
    heading: model,
    rows: of.map(({ one, own, measures }) => lossRow(one.label, own.role, measures)),
  }))
  return {
    ...{
      id: file,
      file,
      title: `Loss of each model: ${horizonName(horizon)}`,
      legend: LOSS_LEGEND,
    },
    description:
      'For each model a row for every evaluation, with its mean absolute log-return error and interval.',
    data: {
      columns: [...EVALUATION, ...LOSS_DATA],
      rows: found.flatMap(({ of }) =>
        of.map(({ one, own, measures }) => [...named(one), ...lossCells(own, horizon, measures)]),
      ),
    },
    draw: drawLosses(groups),
  }
}
