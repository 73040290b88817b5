import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { exportLines } from '../../src/history/export.js'
import { seriesLines } from '../../src/history/export-series.js'
import { auditedLinks, scoredCopies, scoreWorld } from './score-into.js'
import { makeSeriesFolder } from './series-folder.js'
import { makeStampedWorld, witnesses } from './stamped-world.js'
import { editText, makeWorld } from './world.js'

/** The history of a scored world, as `history export` writes it. */
async function exported(folder: string, lines = exportLines): Promise<string> {
  let text = ''
  for await (const line of lines(join(folder, 'history.sqlite'))) text += line
  const file = join(folder, 'history.ndjson')
  writeFileSync(file, text)
  return file
}

const auditExported = (folder: string, history: string) =>
  auditedLinks(join(folder, 'first'), { paths: { history } })

/** A changed export breaks the link of the history. */
async function expectFound(
  folder: string,
  lines: typeof exportLines,
  change: (text: string) => string,
  code: string,
): Promise<void> {
  const file = await exported(folder, lines)
  editText(file, change)
  const found = await auditExported(folder, file)
  expect(found).toMatchObject({ ok: false, broken: ['history'], findings: [{ code }] })
}

describe('an audit by the export of a history', () => {
  const folder = scoredCopies(() => makeWorld({ replicates: 100 }), 'first')

  it('checks every link, as by the history itself', async () => {
    const found = await auditExported(folder(), await exported(folder()))
    expect(found).toMatchObject({ ok: true, findings: [], open: [], broken: [] })
    expect(found.again).toEqual(found.result)
  })

  it('is no history to score', async () => {
    const history = 'forecasts.ndjson'
    const scored = scoreWorld(await makeWorld({ replicates: 100 }), 'second', { history })
    await expect(scored).rejects.toThrow('an export of a history is for audits')
  })

  it.each<[string, (text: string) => string, string]>([
    [
      'a price changed',
      (text) => text.replace(/("upper_usd":)(\d)(?=[^\n]*"name":"seer")/, '$11$2'),
      'history-differs',
    ],
    ['a line less', (text) => text.replace(/^[^\n]*"name":"seer"[^\n]*\n/m, ''), 'history-differs'],
    ['no lines', () => '', 'history-differs'],
    ['a line twice', (text) => text.replace(/^.*\n/, '$&$&'), 'evidence-unreadable'],
    [
      'lines in another order',
      (text) => `${text.split('\n').slice(0, -1).reverse().join('\n')}\n`,
      'evidence-unreadable',
    ],
    ['the end cut off', (text) => text.slice(0, -9), 'evidence-unreadable'],
    ['what is no row', (text) => `[]\n${text}`, 'evidence-unreadable'],
    [
      'a time that is none',
      (text) => text.replace(/"target_at":"[^"]*"/, '"target_at":"noon"'),
      'evidence-unreadable',
    ],
  ])('finds %s', (_, change, code) => expectFound(folder(), exportLines, change, code))
})

describe('an audit of committed forecasts by the export of their history', () => {
  const folder = scoredCopies(
    async () => makeStampedWorld({ by: await witnesses('alpha', 'beta'), atLeast: 2 }),
    'first',
  )

  it('holds them against the log of the evidence; that of the history is not checked', async () => {
    const found = await auditExported(folder(), await exported(folder()))
    expect(found).toMatchObject({ ok: true, open: ['log'], broken: [] })
    expect(found.again).toEqual(found.result)
  })

  it('finds a price that the log has otherwise', async () => {
    const file = await exported(folder())
    editText(file, (text) => text.replace(/("price_usd":)(\d)/, '$11$2'))
    expect((await auditExported(folder(), file)).ok).toBe(false)
  })
})

describe('an audit of any series by the export of its history', () => {
  const folder = scoredCopies(() => makeSeriesFolder(), 'first')

  it('checks every link', async () => {
    const found = await auditExported(folder(), await exported(folder(), seriesLines))
    expect(found).toMatchObject({ ok: true, findings: [], open: [], broken: [] })
  })

  it.each<[string, (text: string) => string, string]>([
    ['a value changed', (text) => text.replace(/("value":)(\d)/, '$11$2'), 'history-differs'],
    ['a line twice', (text) => text.replace(/^.*\n/, '$&$&'), 'evidence-unreadable'],
    ['a level that is none', (text) => text.replace('"0.1"', '"10"'), 'evidence-unreadable'],
  ])('finds %s', (_, change, code) => expectFound(folder(), seriesLines, change, code))
})
