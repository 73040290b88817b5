import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import seedrandom from 'seedrandom'
import { beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/folder.js'
import { ROOT } from '../support/run.js'
import { blockWith, guide, putProgram } from './snippets.js'

const { text, snippets, snippet } = guide('first-evaluation.md')
const folder = temporaryFolder()
const project = join(folder, 'my-forecasts')
const tools = join(folder, 'tools')

const COINBASE = join(ROOT, '..', 'shared', 'data', 'coinbase_btcusd_1h_2024_2025.csv')
const realBars = existsSync(COINBASE)

/** Real bars of Coinbase where they are at hand, otherwise made ones of the same hours. */
function bars(): [seconds: number, close: number][] {
  if (realBars) {
    const [, ...lines] = readFileSync(COINBASE, 'utf8').trimEnd().split('\n')
    return lines.map((line) => {
      const [time = '', , , , close = ''] = line.split(',')
      return [Date.parse(`${time.replace(' ', 'T')}Z`) / 1000, Number(close)]
    })
  }
  const random = seedrandom('first evaluation')
  let price = 60_000
  return Array.from({ length: 365 * 24 }, (_, hour) => {
    price *= Math.exp(0.005 * (random() + random() + random() - 1.5))
    return [Date.UTC(2024, 8, 1) / 1000 + hour * 3600, Math.round(price * 100) / 100]
  })
}

/** The lines of a block of the shell, as a person types them in the project. */
function shell(text: string): string {
  const env = { ...process.env, NO_COLOR: '1', PATH: `${tools}${delimiter}${process.env.PATH}` }
  const ran = spawnSync('sh', ['-ec', text], { cwd: project, encoding: 'utf8', env })
  if (ran.status !== 0) throw new Error(`${text}\n${ran.stdout}${ran.stderr}`)
  return ran.stdout
}

const block = (command: string) => blockWith(command, snippets, 'sh')

function forecasts(program: string, name: string, code: string) {
  writeFileSync(join(project, name), code)
  shell(`${program} ${name}`)
  const text = readFileSync(join(project, 'data/forecasts.csv'), 'utf8')
  const [header, ...lines] = text.trimEnd().split('\n')
  expect(header).toBe('origin_at,horizon_hours,model,price_usd,q10_usd,q50_usd,q90_usd')
  return lines.map((line) => {
    const [origin = '', horizon, model, ...figures] = line.split(',')
    const at = new Date(origin.replace(' ', 'T')).toISOString()
    return { key: `${at} ${horizon} ${model}`, figures: figures.map(Number) }
  })
}

beforeAll(() => {
  mkdirSync(project)
  // What is built here is used for what would be installed; the installation has a test of its own.
  putProgram(tools, 'npx')
})

const PATIENCE = { timeout: 300_000 }
describe('docs/first-evaluation.md, on real closes where they are at hand', PATIENCE, () => {
  it('begins with a frozen protocol', () => {
    const lines = block('npx foreproof init').split('\n')
    const own = lines.filter((line) => line.startsWith('npx foreproof'))
    expect(own).toHaveLength(2)
    expect(shell(own.join('\n'))).toContain('my-forecasts-1 frozen: no problems found')
  })

  it('reads the file of an exchange', () => {
    // The columns of the downloads of Kraken; nothing but time and close is read.
    const lines = bars().map(([at, close]) => `${at},${close},${close},${close},${close},1,1\n`)
    writeFileSync(join(project, 'data/XBTUSD_60.csv'), lines.join(''))
    const said = shell(block('outcomes import'))
    expect(said).toContain('kraken')
    expect(said).toContain('no problems found')
  })

  it('forecasts the same with pandas and with data.table', () => {
    const byR = forecasts('Rscript', 'forecast.R', snippet('r'))
    const byPandas = forecasts('/usr/bin/python3', 'forecast.py', snippet('python'))
    expect(byPandas.length).toBeGreaterThan(20_000)
    expect(byR.map(({ key }) => key)).toEqual(byPandas.map(({ key }) => key))
    let farthest = 0
    for (const [index, { figures }] of byPandas.entries()) {
      const others = byR[index]?.figures ?? []
      for (const [at, figure] of figures.entries()) {
        farthest = Math.max(farthest, Math.abs(figure / (others[at] ?? 0) - 1))
      }
    }
    expect(farthest).toBeLessThan(1e-9)
  })

  it('imports what pandas wrote, without an option for its columns', () => {
    expect(shell(block('history import'))).toContain('no problems found')
  })

  it('reads the same from every form in which pandas writes it', () => {
    const python = `
import pandas as pd
# to_json writes at most 15 digits: what is compared has fewer.
table = pd.read_csv("data/forecasts.csv", parse_dates=["origin_at"]).round(2).head(2000)
bars = pd.read_csv("data/closes/closes.csv", parse_dates=["close_at"])
bars = bars.rename(columns={"close_at": "timestamp", "close_usd": "close"})
bars["timestamp"] -= pd.Timedelta(hours=1)
for name in ("open", "high", "low"):
    bars.insert(1, name, bars["close"])
bars["volume"] = 1
bars.set_index("timestamp").to_csv("data/bars.csv")
bars.to_json("data/bars.json", orient="records", date_format="iso", double_precision=15)
bars.to_json("data/bars.ndjson", orient="records", lines=True, double_precision=15)
table.set_index("origin_at").to_csv("data/index.csv")
table.to_csv("data/numbered.csv")
naive = table.assign(origin_at=table["origin_at"].dt.tz_localize(None))
naive.to_csv("data/naive.csv", index=False)
naive.to_json("data/naive.ndjson", orient="records", lines=True, date_format="iso", double_precision=15)
`
    writeFileSync(join(project, 'forms.py'), python)
    shell('/usr/bin/python3 forms.py')
    const digest = (folder: string) =>
      JSON.parse(readFileSync(join(project, folder, 'manifest.json'), 'utf8')).sha256
    for (const form of ['csv', 'json', 'ndjson']) {
      shell(`npx foreproof outcomes import data/bars.${form} --out data/from-${form}`)
      expect([form, digest(`data/from-${form}`)]).toEqual([form, digest('data/closes')])
    }
    const taken = (file: string) =>
      `npx foreproof history import data/${file} --outcomes data/closes --history data/forms.sqlite`
    shell(taken('index.csv'))
    for (const file of ['numbered.csv', 'naive.csv --utc', 'naive.ndjson --utc']) {
      expect(shell(taken(file))).toMatch(/ 0 new, \d+ already there, 0 in conflict/)
    }
    // What has no offset is asked about, with the option that answers.
    expect(() => shell(taken('naive.csv'))).toThrow('If the times are UTC, add --utc.')
  })

  it('says what the window can find, before it is registered', () => {
    const said = shell(block('foreproof power')).replaceAll('\u202f', ' ')
    const [, table = ''] = /it ends with:\n\n```\n(.*?)```/s.exec(text) ?? []
    expect(table.split('\n')).toHaveLength(5)
    expect(said).toContain(realBars ? table : table.split('\n')[0])
    // The sentence below it has the days of the middle line.
    const days = [...table.split('\n')[2]!.matchAll(/about ([\d ]+?)(?= {2}|$)/g)]
    expect(days).toHaveLength(2)
    for (const [about] of days)
      expect(text.replaceAll('\n', ' ')).toMatch(new RegExp(`better (takes )?${about}\\b`))
  })

  it('registers, scores and audits a backtest, which is called one', () => {
    const said = shell(block('foreproof audit'))
    expect(said).toMatch(/^weekly_drift: [\w ]+ \(backtest\)$/m)
    expect(said).toContain('holds        scores, tests and dispositions follow from these')
    expect(existsSync(join(project, 'evidence/first/report.html'))).toBe(true)
  })

  it('gives tables and figures', () => {
    shell(block('foreproof export'))
    expect(readFileSync(join(project, 'scores.csv'), 'utf8')).toMatch(/^model,/)
    expect(existsSync(join(project, 'figures/loss.svg'))).toBe(true)
  })
})
