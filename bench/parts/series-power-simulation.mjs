// One simulated evaluation of any series: whether a candidate that is better by a share is eligible.

import { formatStored } from '../../dist/contract/instant.js'
import { remembering } from '../../dist/contract/remembering.js'
import { decide, infer, sumSeries } from '../../dist/evaluation/steps.js'
import { seriesTask } from '../../dist/evaluation/task.js'
import { NO_FORECAST } from '../../dist/forecast/row.js'
import { registeredOver } from '../../dist/lint/power/series/past.js'
import { primaryTransform } from '../../dist/protocol/rules/transforms.js'
import { seriesBaselineRows } from '../../dist/scoring/baselines/series-baselines.js'
import { listScores } from '../../dist/scoring/scores.js'
import { madeWorld } from './power-worlds.mjs'

const NOWHERE = 'a'.repeat(64)

/**
 * Forecasts in the window, by key, with what they are off on the transform that decides.
 * @param hardest - the baseline of each step.
 */
function errorsOf(world, hardest) {
  const kept = KEPT.get(world) ?? madeErrorsOf(world, hardest)
  KEPT.set(world, kept)
  return kept
}

/** A world is asked for each reduction, by one and the same law. */
const KEPT = new WeakMap()

function madeErrorsOf({ all, origins }, hardest) {
  const { protocol, periods, rules, truth } = all
  const on = primaryTransform(protocol.scores).of
  const places = new Map(periods.map(({ label }, at) => [label, at]))
  const indexOf = new Map(protocol.series.map(({ id }, at) => [id, at]))
  const ids = [...new Set(hardest.values())]
  const rows = [...seriesBaselineRows({ ...protocol, ...rules }, periods, truth, ids, origins)]
  const own = rows.filter(({ model, horizon }) => hardest.get(horizon) === model)
  return own.map((row) => {
    const origin = places.get(row.originAt)
    const outcome = on(truth.value(indexOf.get(row.series), origin + row.horizon))
    const middle = on(row.forecast)
    const widths = row.quantiles.map((value) => on(value) - middle)
    return { row, origin, outcome, error: middle - outcome, widths }
  })
}

/**
 * Rows of a candidate. What it does not share with the comparator is the difference of the comparator's errors in two
 * other worlds: a season that it misses in all of them is no chance.
 * @param sizes - of errors, by step. @param sign - −1 where its own errors are mirrored
 */
export function rowsOf(world, twins, { correlation, hardest, sizes, sign = 1 }, reduction) {
  const { back } = primaryTransform(world.all.protocol.scores)
  const apart = sign * Math.sqrt((1 - correlation ** 2) / 2)
  const theirs = errorsOf(world, hardest)
  const [others, less] = twins.map((twin) => errorsOf(twin, hardest))
  const dueOf = remembering((origin) => formatStored(world.all.rules.due(origin)))
  return theirs.map(({ row, origin, outcome, error, widths }, at) => {
    const size = (1 - reduction) * (sizes?.get(row.horizon) ?? 1)
    const own = correlation * error + apart * (others[at].error - less[at].error)
    const when = dueOf(origin)
    return {
      ...{ ...NO_FORECAST, ...row, model: 'mine', attempt: null },
      ...{ generatedAt: when, inputAvailableAt: when, selectionDataThrough: when },
      forecast: back(outcome + size * own),
      quantiles: widths.map((width) => back(outcome + size * (own + width))),
    }
  })
}

/** What makes the mean loss of a candidate that of the comparator, by step: over many worlds, each with its mirror image. */
export function sizesOf(name, law, worlds) {
  const sums = new Map()
  for (let seed = 0; seed < worlds; seed++) {
    const [world, ...twins] = worldsOf(name, ['size', 'size twin', 'size third'], seed, law.over)
    const { protocol, truth } = world.all
    const { of: loss } = listScores(protocol, world.scales).find(({ primary }) => primary)
    const indexOf = new Map(protocol.series.map(({ id }, at) => [id, at]))
    const made = [1, -1].map((sign) => rowsOf(world, twins, { ...law, sign }, 0))
    for (const [at, { row, origin }] of errorsOf(world, law.hardest).entries()) {
      const series = indexOf.get(row.series)
      const value = truth.value(series, origin + row.horizon)
      const of = ({ forecast, quantiles }) =>
        loss(forecast, Float64Array.from(quantiles), value, series)
      const known = sums.get(row.horizon) ?? { own: 0, theirs: 0 }
      const own = (of(made[0][at]) + of(made[1][at])) / 2
      sums.set(row.horizon, { own: known.own + own, theirs: known.theirs + of(row) })
    }
  }
  return new Map([...sums].map(([step, { own, theirs }]) => [step, theirs / own]))
}

/** A world and two others of its kind. */
export const OWN = ['own', 'twin', 'third']
export const worldsOf = (name, kinds, seed, over) =>
  kinds.map((of) => madeWorld(name, `${of}/${seed}`, over))

/** Whether the candidate of a world is eligible, by reduction. */
export async function judgedWorld(name, seed, law, reductions) {
  const [world, ...twins] = worldsOf(name, OWN, seed, law.over)
  const basis = registeredOver(world.all, world.plan, world.scales, world.origins)
  const whole = seriesTask(basis)
  const ofBuiltIns = [...whole.builtInRows()]
  const writer = { header: '', line: () => '' }
  const task = { ...whole, writer, builtInRows: () => ofBuiltIns }
  const found = []
  for (const reduction of reductions) {
    const rows = rowsOf(world, twins, law, reduction)
    const history = async function* () {
      yield rows
    }
    const none = () => undefined
    const read = { task, rows: history(), run: METADATA, options: {} }
    const summed = await sumSeries(read, { pairs: none, cells: none })
    const { result } = decide(await infer(summed))
    found.push(result.reading.dispositions[0].disposition.startsWith('eligible'))
  }
  return found
}

export const METADATA = {
  ...{ code: { name: 'foreproof', version: '0', sha256: NOWHERE }, exploratory: false },
  earlier_readings: 0,
  inputs: {
    protocol: { version: 'made', sha256: NOWHERE, ledger_entry_sha256: null },
    registration: {
      ...{ name: 'made', sha256: NOWHERE, registered_at: '2024-01-01T00:00:00Z' },
      ...{ family_sha256: NOWHERE, ledger_entry_sha256: null },
    },
    history: { sha256: NOWHERE, rows: 1 },
  },
}
