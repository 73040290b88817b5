import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { messageOf } from '../../src/contract/findings/finding.js'
import type { SeriesEvaluationResult } from '../../src/evaluation/result/types.js'
import { Forger } from './forger.js'
import { audited, scoreWorld } from './score-into.js'
import {
  DAYS,
  makeSeriesFolder,
  replaceTruth,
  type SeriesFolderOptions,
  truthLines,
} from './series-folder.js'

const BACKTEST = { plan: { mode: 'retrospective' as const }, origins: 70 }
const FIRST = 40
const label = (origin: number) => DAYS[FIRST + origin]!.label

async function scored(through: string, options: SeriesFolderOptions = BACKTEST) {
  const world = await makeSeriesFolder(options)
  const found = await scoreWorld(world, 'first', { through })
  const said = found.ok ? [] : found.findings.map((each) => messageOf(each).text)
  return { world, found, said }
}

it('is the first part of a retrospective window, decides nothing and is audited as such', async () => {
  const { world, found } = await scored(label(59))
  if (!found.ok) throw new Error('not scored')
  const result = found.result as SeriesEvaluationResult
  expect(result.settings).toMatchObject({
    from: label(0),
    to: label(69),
    through: label(59),
    origins: 60,
  })
  const [{ disposition, reasons }] = result.dispositions as [
    SeriesEvaluationResult['dispositions'][0],
  ]
  expect(disposition).toBe('blocked')
  expect(reasons[0]?.code).toBe('window_shortened')
  // The same figures as those of a window that was registered so.
  const own = await scoreWorld(await makeSeriesFolder({ ...BACKTEST, origins: 60 }), 'first')
  expect(own).toMatchObject({ result: { tests: result.tests, cells: result.cells } })
  const folder = join(world.folder, 'first')
  expect(await audited(folder)).toMatchObject({ ok: true, findings: [] })
  for (const name of ['report.html', 'report.md']) {
    const text = readFileSync(join(folder, name), 'utf8').replaceAll('\\', '')
    expect(text).toContain(`to ${label(59)} (registered: to ${label(69)})`)
  }
  // Outcomes were seen: the whole window is no first reading any more.
  expect(await scoreWorld(world, 'second')).toMatchObject({ result: { earlier_readings: 1 } })
}, 60_000)

it('of a whole window is the window', async () => {
  const { found } = await scored(label(69))
  expect(found).toMatchObject({ ok: true })
  expect(JSON.stringify(found)).not.toContain('"through"')
}, 60_000)

it('is refused of a prospective window, and at what is no origin of it', async () => {
  const ahead = await scored(label(9), {})
  expect(ahead.said).toEqual(['a prospective window is scored as it is registered, or not at all'])
  const { said } = await scored(label(70))
  expect(said).toEqual([
    `${label(70)} is no origin of the registered window, ${label(0)} to ${label(69)}`,
  ])
}, 60_000)

it('is offered where the end of a retrospective window is not settled', async () => {
  const world = await makeSeriesFolder(BACKTEST)
  // Complete to the day 90, and settled two days later: target 88 is the last, of the origin 86, which is 27 March.
  const until = DAYS[90]!.label
  const settled = (line: string, at: number) => at === 0 || (line.split(',')[1] ?? '') <= until
  await replaceTruth(world, truthLines(world).filter(settled))
  const whole = await scoreWorld(world, 'first')
  const help = whole.ok ? '' : messageOf(whole.findings[0]!).help
  expect(help).toContain('which decides nothing: --through 2024-03-27')
  expect(await scoreWorld(world, 'first', { through: '2024-03-28' })).toMatchObject({ ok: false })
  expect(await scoreWorld(world, 'first', { through: '2024-03-27' })).toMatchObject({ ok: true })
}, 60_000)

it.each([
  ['changed', label(59), label(58)],
  ['taken out', label(59), undefined],
  ['put in', label(69), label(59)],
])(
  'is found where it was %s in a result',
  async (_, scoredTo, said) => {
    const { world } = await scored(scoredTo)
    const at = new Forger(world.folder)
    at.result((result) => {
      const { through: _through, ...settings } = result.settings as { through?: string }
      Object.assign(result, { settings: { ...settings, ...(said && { through: said }) } })
    })
    await at.seal()
    expect(await audited(at.run)).toMatchObject({ ok: false })
  },
  60_000,
)
