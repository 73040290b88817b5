import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { formatStored } from '../../src/contract/instant.js'
import { exportLines } from '../../src/history/export.js'
import { importResources } from '../../src/history/import.js'
import { pullHistory } from '../../src/history/pull/pull.js'
import { openHistory } from '../../src/history/reader.js'
import { folderDeployment } from '../../src/remote/deployment.js'
import { checkSite } from '../../src/site/check.js'
import { publish } from '../../src/site/publish.js'
import { EPOCH, HOUR, temporaryFolder, writeProducer } from '../history/support.js'

const folder = temporaryFolder()
let history = ''
let mirror = ''
let site = ''
let run = 0

const at = (hour: number) => (EPOCH + hour * HOUR) * 1000
const month = (hour: number) => formatStored(at(hour)).slice(0, 7)
/** An hour of the month after the one that the history begins in. */
const LATER = 24 * 32

function record(...at_: number[]): void {
  const values = at_.map((hour) => ({
    origin_at: formatStored(at(hour)),
    model_name: 'gamma',
    horizon_hours: 4,
    status: hour % 2 === 0 ? 'failed' : 'abstained',
    reason: `hour ${hour}`,
    recorded_at: formatStored(at(hour) + 60_000_000),
    provenance: { input_available_at: formatStored(at(hour)), vintage_id: 'v-1' },
  }))
  expect(importResources(history, values, { now: at(0) }).attempts.added).toBe(values.length)
}

beforeEach(() => {
  run++
  history = join(folder, `history-${run}.sqlite`)
  mirror = join(folder, `mirror-${run}.sqlite`)
  site = join(folder, `site-${run}`)
  const rows = []
  for (let hour = 0; hour < 150; hour++) rows.push({ hour, model: 'alpha', horizon: 4, run: 'r' })
  writeProducer(history, rows)
})

async function build(hour: number, over: { withoutAttempts?: boolean; inPlace?: boolean } = {}) {
  const reader = openHistory(history)
  try {
    const settings = { baseUrl: undefined, inPlace: false, staleAfterSeconds: 10_800, ...over }
    const result = await publish({ reader, out: site, now: at(hour), ...settings })
    expect(checkSite(site, reader).findings).toEqual([])
    return result
  } finally {
    reader.close()
  }
}

const pull = () =>
  pullHistory({ deployment: folderDeployment(site), path: mirror, now: at(LATER + 9) })
const lines = (path: string) => [...exportLines(path)].join('')
const api = (path: string) => join(site, 'service/api/v1', path)

describe('recorded attempts of a published site', () => {
  it.each([false, true])(
    'make a mirror whose export is the origin’s (in place: %s)',
    async (inPlace) => {
      record(3, 4, LATER)
      await build(LATER + 2, { inPlace })
      expect(await pull()).toMatchObject({ complete: true, attempts: { added: 3 }, findings: [] })
      expect(lines(mirror)).toBe(lines(history))
      record(LATER + 1)
      await build(LATER + 3, { inPlace })
      expect(await pull()).toMatchObject({ complete: true, attempts: { added: 1, unchanged: 1 } })
      expect(lines(mirror)).toBe(lines(history))
      expect(await pull()).toMatchObject({ attempts: { added: 0, unchanged: 0 } })
    },
  )

  it('are written again only in the months that have new ones', async () => {
    record(3, LATER)
    const first = await build(LATER + 2)
    expect(first.plan.attemptMonths).toEqual([month(3), month(LATER)])
    record(LATER + 1)
    const second = await build(LATER + 3)
    expect(second.plan.attemptMonths).toEqual([month(LATER)])
    const changed = second.record.changed.filter((path) => path.includes('attempts/'))
    expect(changed.filter((path) => path.endsWith('.ndjson'))).toEqual([
      `service/api/v1/attempts/${month(LATER)}.ndjson`,
    ])
    const third = await build(LATER + 4)
    expect(third.plan.attemptMonths).toEqual([])
    expect(third.record.changed.some((path) => path.includes('attempts'))).toBe(false)
    expect(await pull()).toMatchObject({ complete: true, attempts: { added: 3 } })
  })

  it('that come to a site without any are published by its next build', async () => {
    await build(LATER)
    expect(existsSync(api('attempts.json'))).toBe(false)
    await build(LATER + 1)
    record(7)
    await build(LATER + 2)
    await build(LATER + 3)
    expect(await pull()).toMatchObject({ complete: true, attempts: { added: 1 } })
  })

  it('are left out, and taken away again, on request', async () => {
    record(3)
    await build(LATER)
    await build(LATER + 1, { withoutAttempts: true })
    expect(existsSync(api('attempts.json'))).toBe(false)
    await build(LATER + 2, { withoutAttempts: true })
    expect(readdirSync(api(''))).not.toContain('attempts.json')
    expect(await pull()).toMatchObject({ complete: true, attempts: { added: 0 } })
    await build(LATER + 3)
    expect(await pull()).toMatchObject({ complete: true, attempts: { added: 1 } })
  })

  it('are published before a new one makes a check fail', async () => {
    record(3)
    await build(LATER)
    record(4)
    const reader = openHistory(history)
    expect(checkSite(site, reader).findings).toMatchObject([{ code: 'site-outdated' }])
    reader.close()
  })
})

describe('a pull of attempts', () => {
  beforeEach(async () => {
    record(3, LATER)
    await build(LATER + 2)
  })

  it('refuses a file that is not the listed one, and keeps what came before it', async () => {
    const file = api(`attempts/${month(LATER)}.ndjson`)
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, text.replace('hour', 'year'))
    expect(await pull()).toMatchObject({
      complete: false,
      attempts: { added: 1 },
      findings: [{ code: 'attempts-changed', file }],
    })
    writeFileSync(file, text)
    expect(await pull()).toMatchObject({ complete: true, attempts: { added: 1 } })
    expect(lines(mirror)).toBe(lines(history))
  })

  it.each([
    ['{"files":[{"path":"../../../../secret","attempts":1,"sha256":"' + '0'.repeat(64) + '"}]}'],
    ['{"files":{}}'],
    ['[1]'],
    ['{'],
  ])('refuses the list %s', async (text) => {
    writeFileSync(api('attempts.json'), text)
    const report = await pull()
    expect(report).toMatchObject({ complete: false, attempts: { added: 0 } })
    expect(report.findings).toMatchObject([{ code: 'attempts-unreadable' }])
  })

  it('takes a page of the host in the place of the list for none', async () => {
    writeFileSync(api('attempts.json'), '<!doctype html><title>Not here</title>')
    expect(await pull()).toMatchObject({ complete: true, attempts: { added: 0 }, findings: [] })
  })
})
