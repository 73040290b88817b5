/**
 * `register`, `score` and `audit` of many series: daily values, seven horizons, one model and the baselines of the
 * template. Memory of each command, with that of a tenth of the series, and processor time of `register` by series.
 * Memory is measured with a small heap, because V8 collects garbage late where there is room.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { draftPlan } from '../dist/registration/template.js'
import { openSqlite } from '../dist/store/sqlite/driver.js'
import { foreproof, inFolder, numbers, promise, ROOT, sizes } from './parts/measured.mjs'

const { series, origins } = sizes({ series: [1000, 20], origins: [80, 72] })
const HORIZONS = [1, 2, 3, 4, 5, 6, 7]
const LEAD_IN = 150
const SMALL_HEAP = { ...process.env, NODE_OPTIONS: '--max-old-space-size=60' }
const next = numbers(7)
const day = (at) => new Date(Date.UTC(2020, 0, 1 + at)).toISOString().slice(0, 10)
const labels = Array.from({ length: LEAD_IN + origins + HORIZONS.length }, (_, at) => day(at))
const inWindow = labels.slice(LEAD_IN, LEAD_IN + origins)

function draft(ids) {
  const file = join(ROOT, 'templates', 'series', 'daily', 'draft.json')
  const example = JSON.parse(readFileSync(file, 'utf8'))
  return {
    ...example,
    ...{ protocol_version: 'bench-1', zone: 'UTC', horizons: HORIZONS },
    series: ids.map((id) => ({ id, unit: 'items', source: 'made' })),
    scaling: { kind: 'none' },
    outcome: { ...example.outcome, release: { rule: 'unrevised', wait: 'P7D' } },
    periods: { made_by: 'days, made' },
    dependence: { block_origins: 7, minimum_blocks: 10, minimum_pairs: 50 },
  }
}

function forecastOf(series, origin, horizon) {
  const value = Math.round(1000 * (10 + 10 * next())) / 1000
  const [a, b, c, d] = [value - 2, value - 1, value + 1, value + 2]
  const quantiles = { 0.05: a, 0.25: b, 0.5: value, 0.75: c, 0.95: d }
  const generated_at = `${origin}T23:00:00.000000+00:00`
  return { series, origin, model: 'mine', horizon, value, quantiles, generated_at }
}

/** By plain SQL: an import would take longer than all else. */
function addForecasts(history, ids) {
  const db = openSqlite(history)
  db.exec('PRAGMA synchronous = off; BEGIN')
  const add = db.prepare('INSERT INTO foreproof_series_forecasts VALUES (?, ?, ?, ?, ?)')
  for (const id of ids) {
    for (const origin of inWindow) {
      for (const horizon of HORIZONS) {
        add.run(id, origin, horizon, 'mine', JSON.stringify(forecastOf(id, origin, horizon)))
      }
    }
  }
  db.exec('COMMIT')
  db.close()
}

/** What each command takes for so many series. */
const spentOn = (count) =>
  inFolder((cwd) => {
    // Of 13 characters: a text of fewer that is cut out of a longer one never keeps that one in memory.
    const ids = Array.from({ length: count }, (_, at) => `article-${String(at).padStart(5, '0')}`)
    const write = (name, text) => writeFileSync(join(cwd, name), text)
    const ours = (...args) => foreproof(args, { cwd })
    write('draft.json', JSON.stringify(draft(ids)))
    const days = ['--from', labels[0], '--to', labels.at(-1)]
    ours('periods', '--days', '--zone', 'UTC', ...days, '--out', 'days.csv')
    ours('freeze', 'draft.json', '--periods', 'days.csv')
    const protocol = ['--protocol', 'protocols/bench-1.json']
    const rows = ids.flatMap((id) => labels.map((label) => `${id},${label},${10 + 10 * next()}\n`))
    write('outcomes.csv', `series,period,value\n${rows.join('')}`)
    const until = ['--source', 'made', '--complete-to', '2022-01-01']
    ours('outcomes', 'import', 'outcomes.csv', ...protocol, ...until, '--out', 'vintage')
    const one = [ids[0], labels[0], 1, 'other', 3, 1, 2, 3, 4, 5]
    const quantiles = 'q0.05,q0.25,q0.5,q0.75,q0.95'
    write('one.csv', `series,origin,horizon,model,value,${quantiles}\n${one.join()}\n`)
    ours('history', 'import', 'one.csv', ...protocol, '--history', 'history.sqlite')
    addForecasts(join(cwd, 'history.sqlite'), ids)
    write(
      'plan.json',
      JSON.stringify({
        ...draftPlan({
          mode: 'backtest',
          window: { from: inWindow[0], to: inWindow.at(-1) },
          source: 'made',
        }),
        ...{ name: 'many', candidates: ['mine'] },
      }),
    )
    const outcomes = ['--outcomes', 'vintage']
    const measured = (...args) => foreproof(args, { cwd, env: SMALL_HEAP })
    const register = measured('register', 'plan.json', ...protocol, ...outcomes, '--out', 'r.json')
    const inputs = ['--registration', 'r.json', '--history', 'history.sqlite', ...outcomes]
    const score = measured('score', ...inputs, '--out', 'evidence')
    const audit = measured('audit', 'evidence')
    return { register, score, audit }
  })

const all = await spentOn(series)
const tenth = await spentOn(series / 10)
for (const name of ['register', 'score', 'audit']) {
  promise('memory / that of a tenth', all[name].megabytes / tenth[name].megabytes, {
    ...{ most: 1.3, of: name },
  })
}
promise('register, processor time / that of a tenth', all.register.cpu / tenth.register.cpu, {
  most: 10,
})
