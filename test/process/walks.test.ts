import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'
import { normals } from '../support/random.js'
import { standard } from '../support/standard.js'
import { readText } from '../support/text-file.js'

/** What a user does in a folder who has README and docs alone; all goes from `init` to an audit and a report. */
function newUser(name: string) {
  const cwd = temporaryFolder()
  // All commands in this process, which is the only one of the file: each of its own would take a second.
  process.chdir(cwd)
  const path = (file: string) => join(cwd, file)
  const read = (file: string) => readFileSync(path(file), 'utf8')
  const write = (file: string, lines: readonly string[]) =>
    writeFileSync(path(file), `${lines.join('\n')}\n`)
  const said = async (line: string) => {
    const { code, stdout, stderr } = await inProcess(line)
    return { code, text: stdout + stderr, stdout }
  }
  /** A command that does what it says, and has nothing to find. */
  const done = async (line: string) => {
    const { code, text, stdout } = await said(line)
    expect([line, code, text]).toEqual([
      line,
      0,
      expect.not.stringMatching(/warning|(?<!no )error/),
    ])
    return stdout
  }
  /** One with a list that is over: only a backtest is possible, and that is all it warns of. */
  const overdue = async (line: string) => {
    const { code, text } = await said(line)
    expect([line, code, text.match(/(warning|error) [a-z-]+/g), text]).toEqual([
      ...[line, 0, ['warning list-too-short']],
      expect.stringContaining('no verdict is possible from now on'),
    ])
  }
  /** One that refuses; what its help says is done next. */
  const refused = async (line: string, help: string) => {
    const { code, text } = await said(line)
    expect([line, code, text]).toEqual([line, 1, expect.stringContaining(help)])
  }
  const protocol = `--protocol protocols/${name}-1.json`
  const freeze = async (list: string, changes: object) => {
    await done('init --series')
    await done(`periods ${list} --out periods.csv`)
    const draft = JSON.parse(read('draft.json'))
    const own = { protocol_version: `${name}-1`, periods: { made_by: `foreproof periods ${list}` } }
    writeFileSync(path('draft.json'), JSON.stringify({ ...draft, ...own, ...changes }))
    await overdue('lint draft.json --periods periods.csv')
    await overdue('freeze draft.json --periods periods.csv')
    return read('periods.csv')
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(','))
  }
  const outcomes = '--outcomes vintage'
  const register = async (from: string, to: string) => {
    const window = `--from ${from} --to ${to}`
    const plan = await done(`register --template --mode backtest ${window} ${protocol}`)
    const filled = plan
      .replace('<name of this evaluation>', name)
      .replace('<name of your model in the history>', 'mine')
    writeFileSync(path('plan.json'), filled)
    expect((await said(`power --plan plan.json ${protocol}`)).code).toBe(0)
    await done(`register plan.json ${protocol} ${outcomes}`)
  }
  const scoring = (history: string) =>
    `score --registration registration.json --history ${history} ${outcomes} --out evidence/first`
  /** @returns the registration, and each pair of the candidate. */
  const judged = async (history = 'h.sqlite') => {
    await done(scoring(history))
    await done('audit evidence/first')
    await done('report evidence/first --out drawn')
    expect(existsSync(path('drawn/report.html'))).toBe(true)
    const pairs = readText(path('evidence/first/pairs.ndjson.gz'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    return { registration: JSON.parse(read('registration.json')), pairs }
  }
  const judge = async (from: string, to: string) => {
    await register(from, to)
    return await judged()
  }
  return { protocol, write, done, refused, freeze, register, scoring, judged, judge, path }
}

const PRICE = {
  zone: 'Europe/Berlin',
  series: [{ id: 'de', unit: 'EUR/MWh', source: 'exchange' }],
  origins: { due: { anchor: 'end', offset: 'PT0S' } },
  horizons: Array.from({ length: 24 }, (_, at) => 49 + at),
  ...standard({ seasons: ['day', 'week'], errors: { window: 50, minimum: 20 } }),
  dependence: { block_origins: 3, minimum_blocks: 10, minimum_pairs: 30 },
}

const INDEX = {
  zone: 'America/New_York',
  series: [{ id: 'INDPRO', unit: 'index', source: 'FRED' }],
  origins: { due: { anchor: 'end', offset: 'P1D' } },
  outcome: {
    over: 'end',
    known: { anchor: 'end', offset: 'P10D' },
    release: { rule: 'as_of_lag', lag: 'P60D' },
  },
  ...standard({ seasons: ['year'], errors: { window: 50, minimum: 20 } }),
  dependence: { block_origins: 5, minimum_blocks: 12, minimum_pairs: 60 },
}

const RIVER = {
  zone: 'Europe/Berlin',
  series: [{ id: 'koblenz', unit: 'metres above the gauge', source: 'waterways' }],
}

const STORES = {
  zone: 'Europe/Paris',
  series: Array.from({ length: 20 }, (_, at) => ({
    id: `store-${at}`,
    unit: 'items',
    source: 'tills',
  })),
  forecast: {
    point: 'median',
    levels: ['0.05', '0.25', '0.5', '0.75', '0.95'],
    minimum: '0',
    integer: true,
  },
  scaling: { kind: 'seasonal_naive', period_steps: 7 },
}

// The first one waits for all modules.
describe('a new user comes from README to a report', { timeout: 120_000 }, () => {
  it('with prices of each quarter of an hour by the local clock', async () => {
    const user = newUser('price')
    const { protocol, refused, done } = user
    const list = '--every 15m --zone Europe/Berlin --from 2025-08-19 --to 2025-11-05'
    const periods = await user.freeze(`${list} --origins 12:00 --steps 49-72`, PRICE)
    const random = normals(1)
    const prices = periods.map((_, at) => Math.round(80 + 20 * Math.sin(at / 15) + 5 * random()))
    // pandas writes a naive index so; the clock shows 02:00 to 02:45 twice on October 26.
    const clock = ([label = '']: readonly string[]) => `${label.slice(0, 16).replace('T', ' ')}:00`
    user.write('p.csv', [
      'time,price',
      ...periods.map((each, at) => `${clock(each)},${prices[at]}`),
    ])
    const outcomes = `outcomes import p.csv ${protocol} --source exchange --complete-to 2025-11-30`
    await refused(outcomes, '--columns period=NAME')
    const named = `${outcomes} --columns period=time,value=price`
    await refused(named, '--label start or --label end')
    await refused(`${named} --label start`, '--repeated earlier-first')
    const said = await done(`${named} --label start --repeated earlier-first --out vintage`)
    expect(said).toContain('read as the start of 2025-08-19T00:00')

    // And one that has a zone so, in summer and winter.
    const aware = (period: readonly string[]) => {
      const offset = (Date.parse(`${clock(period)}Z`) - Date.parse(period[1] ?? '')) / 3_600_000
      return `${clock(period)}+0${offset}:00`
    }
    const rows = periods.flatMap((origin, at) => {
      const [first = 0, last = -1] = (origin[4] ?? '').split('-').filter(Boolean).map(Number)
      return Array.from({ length: last - first + 1 }, (_, step) => {
        const [target = [], middle = 0] = [
          periods[at + first + step],
          prices[at + first + step - 672],
        ]
        const from = [aware(origin), aware(target), 'mine']
        return [...from, middle - 20, middle - 8, middle, middle + 8, middle + 20].join()
      })
    })
    user.write('f.csv', ['origin,target,model,0.05,0.25,0.5,0.75,0.95', ...rows.slice(37 * 24)])
    const forecasts = `history import f.csv ${protocol} --history h.sqlite`
    const levels = '--columns q0.05=0.05,q0.25=0.25,q0.5=0.5,q0.75=0.75,q0.95=0.95'
    await refused(forecasts, levels)
    await refused(`${forecasts} ${levels}`, '--label start or --label end')
    await done(`${forecasts} ${levels} --label start`)

    const { registration, pairs } = await user.judge('2025-09-29T11:45', '2025-11-02T11:45')
    // Seven comparators: the mean, and 24 quarters of the next day, up to 06:00.
    expect(registration).toMatchObject({ family: { size: 7 * 25 }, window: { origins: 35 } })
    const at = periods.findIndex(([label]) => label === '2025-10-26T02:15/2')
    const pair = pairs.find((each) => each.model === 'mine' && each.target === periods[at]?.[0])
    expect(pair).toMatchObject({ origin: '2025-10-25T11:45', outcome: prices[at] })
  })

  it('with a monthly index and its releases', async () => {
    const user = newUser('index')
    const { protocol, refused, done } = user
    const list = '--months --zone America/New_York --from 2009-01-01 --to 2021-12-31'
    const months = (await user.freeze(list, INDEX)).map(([label = '']) => label)
    const random = normals(2)
    let level = 100
    const index = months.map(() => (level += 0.2 + 0.25 * random()))
    // FRED and the MS of pandas write a month as its first day. Three releases, on the 15th of each of the next months.
    const release = (at: number, later: number) =>
      `${months[at + later + 1] ?? `2022-0${at + later + 2 - months.length}`}-15`
    const value = (at: number, later: number) => ((index[at] ?? 0) + 0.1 * (2 - later)).toFixed(2)
    const rows = months.flatMap((month, at) =>
      [0, 1, 2].map((later) => `${month}-01,${value(at, later)},${release(at, later)}`),
    )
    user.write('v.csv', ['date,INDPRO,realtime_start', ...rows])
    const outcomes = `outcomes import v.csv ${protocol} --source FRED`
    // A column called as the series may be its values, or one of many such columns.
    await refused(outcomes, 'If not, say which column has the values: --columns value=NAME')
    await refused(`${outcomes} --columns value=INDPRO`, '--columns as_of=NAME')
    const named = `${outcomes} --columns period=date,value=INDPRO,as_of=realtime_start`
    await refused(named, '--label start')
    expect(await done(`${named} --label start --out vintage`)).toContain(
      '2009-01-01, a date, read as the first day of 2009-01',
    )

    const forecasts = months.slice(24, -3).flatMap((month, at) =>
      [1, 2, 3].map((step) => {
        const last = Number(value(at + 23, 0)) + 0.2 * step
        return [`${month}-01`, step, 'mine', ...[-1, -0.4, 0, 0.4, 1].map((by) => last + by)].join()
      }),
    )
    user.write('f.csv', ['cutoff,h,model,q05,q25,q50,q75,q95', ...forecasts])
    const history = `history import f.csv ${protocol} --history h.sqlite`
    const columns =
      '--columns origin=cutoff,horizon=h,q0.05=q05,q0.25=q25,q0.5=q50,q0.75=q75,q0.95=q95'
    await refused(history, columns)
    await refused(`${history} ${columns}`, '--label start')
    await done(`${history} ${columns} --label start`)

    const { registration, pairs } = await user.judge('2014-06', '2021-06')
    expect(registration).toMatchObject({ family: { size: 5 * 4 }, window: { origins: 85 } })
    // 60 days after May it is July 30: the release of July 15 is in force.
    const pair = pairs.find(({ model, target }) => model === 'mine' && target === '2018-05')
    expect(pair.outcome).toBe(Number(value(months.indexOf('2018-05'), 1)))
  })

  it('with twenty stores that sell nothing on many days, and no false alarm', async () => {
    const user = newUser('stores')
    const { protocol, refused, done } = user
    const list = '--days --zone Europe/Paris --from 2025-01-01 --to 2025-06-30'
    const days = (await user.freeze(list, STORES)).map(([label = '']) => label)
    const random = normals(3)
    const sells = [0.3, 1, 4, 40, 400]
    const closed = ['2025-01-01', '2025-04-18', '2025-05-01']
    const sold = STORES.series.map((_, store) =>
      days.map((day, at) => {
        const isClosed = closed.includes(day) || (store % 3 === 0 && at % 7 === 4)
        const most = (sells[store % 5] ?? 0) * Math.exp(0.5 * random())
        return isClosed ? 0 : Math.max(0, Math.round(most + Math.sqrt(most) * random()))
      }),
    )
    const rows = sold.flatMap((each, store) =>
      each.map((items, at) => `${days[at]},store-${store},${items}`),
    )
    user.write('s.csv', ['date,unique_id,sales', ...rows])
    const outcomes = `outcomes import s.csv ${protocol} --source tills --complete-to 2025-07-31`
    await refused(outcomes, '--columns series=NAME')
    await done(`${outcomes} --columns series=unique_id,period=date,value=sales --out vintage`)

    const forecasts = sold.flatMap((each, store) =>
      each.slice(42, -3).flatMap((_, made) =>
        [1, 2, 3].map((step) => {
          const same = [1, 2, 3, 4, 5].map((week) => each[made + 42 + step - 7 * week] ?? 0)
          const quantiles = same.sort((a, b) => a - b)
          return [`store-${store}`, days[made + 42], step, 'mine', ...quantiles].join()
        }),
      ),
    )
    user.write('f.csv', ['unique_id,cutoff,h,model,q-5,q-25,q-50,q-75,q-95', ...forecasts])
    const columns = [
      'series=unique_id,origin=cutoff,horizon=h',
      'q0.05=q-5,q0.25=q-25,q0.5=q-50,q0.75=q-75,q0.95=q-95',
    ].join()
    const history = `history import f.csv ${protocol} --history h.sqlite`
    await refused(history, `--columns ${columns}`)
    await done(`${history} --columns ${columns}`)

    const { registration, pairs } = await user.judge('2025-03-01', '2025-06-15')
    expect(registration.scales).toHaveLength(20)
    const nothing = pairs.filter(({ model, outcome }) => model === 'mine' && outcome === 0)
    expect(nothing.length).toBeGreaterThan(500)
    expect(nothing.every(({ status }) => status === 'scored')).toBe(true)
  })

  // A level below the zero of the gauge is negative: so it is another unit there, too.
  it.each([
    ['river', 3],
    ['ebb', -3],
  ])('with the level of a river in centimetres, and again in metres: %s', async (name, level) => {
    const user = newUser(name)
    const { protocol, refused, done } = user
    const list = '--days --zone Europe/Berlin --from 2025-01-01 --to 2025-07-31'
    const days = (await user.freeze(list, RIVER)).map(([label = '']) => label)
    const random = normals(4)
    let above = 0
    const metres = days.map(() => {
      above = 0.9 * above + 0.1 * random()
      return level + above
    })
    user.write('w.csv', ['timestamp,value', ...metres.map((each, at) => `${days[at]},${each}`)])
    const outcomes = `outcomes import w.csv ${protocol} --source waterways --complete-to 2025-08-31`
    await done(`${outcomes} --columns period=timestamp --out vintage`)

    const forecasts = (unit: number) =>
      days.slice(30, -3).flatMap((day, at) =>
        [1, 2, 3].map((step) => {
          const middle = level + 0.9 ** step * ((metres[at + 30] ?? 0) - level)
          const quantiles = [-0.3, -0.1, 0, 0.1, 0.3].map((by) => (middle + by) * unit)
          return [day, step, 'mine', ...quantiles].join()
        }),
      )
    const head = 'origin,horizon,model,q0.05,q0.25,q0.5,q0.75,q0.95'
    const imported = async (file: string, unit: number) => {
      user.write(`${file}.csv`, [head, ...forecasts(unit)])
      await done(`history import ${file}.csv ${protocol} --history ${file}.sqlite`)
    }
    await imported('centimetres', 100)
    await user.register('2025-03-01', '2025-07-20')
    await refused(
      user.scoring('centimetres.sqlite'),
      'not in cents for euros or centimetres for metres',
    )
    // The first write of a key wins: what was wrong goes into a history of its own.
    await imported('metres', 1)
    // The refusal spent nothing: this reading is the first one.
    const { pairs } = await user.judged('metres.sqlite')
    expect(pairs.filter(({ model }) => model === 'mine')).toHaveLength(426)
    const [reading = ''] = readFileSync(user.path('evidence/first/access.jsonl'), 'utf8').split(
      '\n',
    )
    expect(JSON.parse(reading)).toMatchObject({ seq: 1, exploratory: false })
  })
})
