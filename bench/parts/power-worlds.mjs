// Made worlds of three designs under a protocol of version 2, for the bench of power: their past, and a window.
import { readFileSync } from 'node:fs'
import { describePeriods } from '../../dist/periods/list.js'
import { compileRules } from '../../dist/protocol/rules/compile.js'
import { draftPlan } from '../../dist/registration/template.js'
import { computeScales } from '../../dist/scoring/scales.js'
import { createTruth, createTruthManifest } from '../../dist/truth/releases-vintage.js'
import { createSeriesTruth } from '../../dist/truth/series-truth.js'
import { madeRandom } from './made-market.mjs'
import { ROOT } from './measured.mjs'

const [HOUR, DAY] = [3_600_000_000, 86_400_000_000]
const START = Date.UTC(2024, 0, 1) * 1000

/**
 * Of each design: the template that it is made from, what it changes there, and how its values come about. The past is so long that baselines
 * of its longest season are about as old in it as they will be in the window.
 */
export const DESIGNS = {
  // Places of a hub, each week at the steps of a hub; admissions on a logarithmic scale wander and turn back.
  weekly: {
    ...{
      template: 'weekly',
      period: 7 * DAY,
      past: 416,
      window: 60,
      series: 6,
      steps: [1, 2, 3, 4],
    },
    protocol: { dependence: { block_origins: 5, minimum_blocks: 10, minimum_pairs: 30 } },
    value: (random, length, common) => {
      let log = 0
      return Array.from({ length }, (_, at) => {
        log = 0.97 * log + 0.15 * (0.6 * common[at] + 0.8 * random.normal())
        return Math.round(300 * Math.exp(log))
      })
    },
  },
  // One series, each day at a week of steps: a level that wanders under noise, and a season.
  daily: {
    ...{
      template: 'daily',
      period: DAY,
      past: 1826,
      window: 180,
      series: 1,
      steps: [1, 2, 3, 4, 5, 6, 7],
    },
    protocol: {},
    value: (random, length) => {
      let level = 0
      return Array.from({ length }, (_, at) => {
        level = 0.97 * level + random.normal()
        return 30 + 3 * Math.sin((2 * Math.PI * at) / 365.25) + level + 0.7 * random.normal()
      })
    },
  },
  // One series, each month at a quarter of steps: a level that drifts, and a season.
  monthly: {
    ...{
      template: 'daily',
      period: 30 * DAY,
      past: 120,
      window: 60,
      series: 1,
      steps: [1, 2, 3],
    },
    protocol: { dependence: { block_origins: 3, minimum_blocks: 16, minimum_pairs: 48 } },
    value: (random, length) => {
      let level = 0
      return Array.from({ length }, (_, at) => {
        level += 0.3 * random.normal()
        return 60 + 2 * Math.sin((2 * Math.PI * at * 30) / 365.25) + level + 0.5 * random.normal()
      })
    },
  },
  // All hours of tomorrow, each noon: load that goes by the hour and the day of the week.
  load: {
    ...{ template: 'load', period: HOUR, past: 24 * 400, window: 24 * 120, series: 1 },
    steps: Array.from({ length: 24 }, (_, at) => 13 + at),
    protocol: {},
    value: (random, length) => {
      let [slow, quick] = [0, 0]
      return Array.from({ length }, (_, at) => {
        slow = 0.995 * slow + 0.1 * random.normal()
        quick = 0.8 * quick + 0.5 * random.normal()
        const weekend = Math.floor(at / 24) % 7 >= 5 ? -6 : 0
        return 50 + 8 * Math.sin((2 * Math.PI * (at - 7)) / 24) + weekend + 2 * slow + quick
      })
    },
  },
}

/**
 * A world of a design: everything that an evaluation rests on but the registration.
 * @param over - other sizes; what of the protocol's outcome and origins is otherwise; by how much later a value is public (`lag`); by `judged` what is
 * missing of the values that the evaluation sees (`isMissing`), and series of it (`from`, by place)
 */
export function madeWorld(name, seed, over = {}) {
  const design = { ...DESIGNS[name], ...over }
  const { template, period, past, window, steps } = design
  const most = Math.max(...steps)
  const length = past + window + most + 1
  const isOrigin = (at) => name !== 'load' || at % 24 === 11
  const periods = Array.from({ length }, (_, at) => ({
    label: `P${String(at).padStart(5, '0')}`,
    ...{ start: START + at * period, end: START + (at + 1) * period },
    ...(!isOrigin(at) && { origin: false }),
  }))
  const draft = JSON.parse(readFileSync(`${ROOT}/templates/series/${template}/draft.json`, 'utf8'))
  const ids = Array.from({ length: design.series }, (_, at) => `s${at + 1}`)
  const protocol = {
    ...draft,
    series: ids.map((id) => ({ id, unit: 'u', source: 's' })),
    zone: 'UTC',
    periods: { ...describePeriods(periods), made_by: 'a bench' },
    origins: { due: { anchor: 'end', offset: 'PT0S' }, ...design.origins },
    outcome: {
      ...draft.outcome,
      known: { anchor: 'end', offset: 'PT0S' },
      release: { rule: 'unrevised', wait: 'PT1H' },
      ...design.outcome,
    },
    horizons: steps,
    ...design.protocol,
  }
  const random = madeRandom(`power/${name}/${seed}`)
  const common = Array.from({ length }, () => random.normal())
  const table = new Map(
    ids.map((id) => {
      const values = design.value(random, length, common)
      const rows = periods.map(({ label, end }, at) => [
        label,
        [{ asOf: end + (design.lag ?? 0), value: values[at] }],
      ])
      return [id, new Map(rows)]
    }),
  )
  const setting = (own, rows) => {
    const given = { table: rows, sha256: 'a'.repeat(64), source: 's', input: null }
    const completeTo = periods[length - 1].end + (design.lag ?? 0) + 2 * DAY
    const vintage = createTruth(createTruthManifest({ ...given, completeTo }), rows)
    const rules = compileRules(own, periods)
    const truth = createSeriesTruth(rules, periods, vintage)
    return { protocol: own, periods, rules, vintage, truth }
  }
  const all = setting(protocol, table)
  const origins = periods.flatMap((_, at) =>
    at >= past && at < past + window && isOrigin(at) ? [at] : [],
  )
  const plan = {
    ...draftPlan({
      mode: 'prospective',
      window: { from: periods[origins[0]].label, to: periods[origins.at(-1)].label },
      source: 's',
    }),
    candidates: ['mine'],
  }
  const scaled = computeScales(protocol, periods, all.truth, all.rules.due(origins[0]))
  if (!scaled.ok) throw new Error(JSON.stringify(scaled.findings))
  const judged = over.judged ? setting(...seenOnly(all, table, over.judged, past)) : all
  return { all, judged, past: pastOf(all, past), plan, origins, scales: scaled.scales }
}

/** The protocol and the values of a world, without what is missing. */
function seenOnly({ protocol, periods }, table, { isMissing = () => false, from }, past) {
  const series = protocol.series.map((each, at) => {
    const begins = from?.(at, past)
    return begins === undefined ? each : { ...each, from: periods[begins].label }
  })
  const rows = protocol.series.map(({ id }, place) => {
    const own = [...table.get(id)].filter((_, at) => {
      return at >= (from?.(place, past) ?? 0) && !isMissing(place, at, past)
    })
    return [id, new Map(own)]
  })
  return [{ ...protocol, series }, new Map(rows)]
}

/** The same with what was known before the window alone. */
function pastOf({ protocol, periods, rules, vintage }, until) {
  const table = new Map(
    protocol.series.map(({ id }) => [
      id,
      new Map(periods.slice(0, until).map(({ label }) => [label, vintage.releases(id, label)])),
    ]),
  )
  const given = { table, sha256: 'a'.repeat(64), source: 's', input: null }
  const completeTo = periods[until - 1].end + 2 * HOUR
  const own = createTruth(createTruthManifest({ ...given, completeTo }), table)
  return {
    protocol,
    periods,
    rules,
    vintage: own,
    truth: createSeriesTruth(rules, periods, own),
  }
}
