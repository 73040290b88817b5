import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { sha256Hex } from '../../src/document/digest.js'
import { addRows, EPOCH, HOUR, hourlyRows, writeProducer } from '../history/support.js'
import { temporaryFolder } from '../support/folder.js'
import { foreproof, ROOT } from '../support/run.js'

const folder = temporaryFolder()
const history = join(folder, 'history.sqlite')
const out = join(folder, 'site')

const grow = (from: number, to: number) =>
  addRows(history, hourlyRows(from, to, ['alpha', 'beta', 'gamma']))

const now = Math.floor((performance.timeOrigin + performance.now() - EPOCH) / HOUR)

beforeAll(() => {
  writeProducer(history, [])
  // Enough pages that they are written in two threads, the newest of them still fresh.
  grow(now - 700, now + 1)
})

async function holds(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await foreproof(args)
  expect(`${code}${stderr}`).toBe('0')
  return stdout
}

describe('foreproof publish', () => {
  it('builds, is current and intact, and keeps every rule', async () => {
    const plan = JSON.parse(
      await holds('publish', '--history', history, '--out', out, '--dry-run', '--format', 'json'),
    )
    expect(plan).toMatchObject({ ok: true, plan: { version: 1, kind: 'first', pages: 84 } })
    await holds('publish', '--history', history, '--out', `${out}/`)
    await holds('publish', '--history', history, '--out', out, '--check')
    const { checks } = JSON.parse(await holds('conformance', out, '--format', 'json'))
    // No earlier copy is given, and the history was never sealed.
    const rest = checks.filter(({ outcome }: { outcome: string }) => outcome !== 'passed')
    const rules = ['log-checkpoint', 'log-list', 'log-tiles', 'log-root', 'log-stamps']
    expect(rest).toMatchObject(
      ['sealed-unchanged', ...rules].map((rule) => ({ rule, outcome: 'not-applicable' })),
    )
    // The page on which evaluations are recomputed is named.
    const digest = sha256Hex(readFileSync(join(ROOT, 'dist/verify.html')))
    expect(readFileSync(join(out, 'index.html'), 'utf8')).toContain(`<code>${digest}</code>`)
  })

  it('says with --check that rows are missing, and exits 1', async () => {
    grow(now + 1, now + 2)
    const check = ['publish', '--history', history, '--out', out, '--check', '--format', 'json']
    const { code, stdout } = await foreproof(check)
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, findings: [{ code: 'site-outdated' }] })
    await holds('publish', '--history', history, '--out', out)
    await holds(...check)
  })

  it('refuses what it cannot do, and leaves nothing behind', async () => {
    const other = join(folder, 'other')
    const run = (...args: string[]) => foreproof(['publish', '--out', other, ...args])
    expect(await run('--history', join(folder, 'none'))).toMatchObject({ code: 2 })
    expect(await run('--history', join(out, 'index.html'))).toMatchObject({ code: 1 })
    expect(await run('--history', history, '--base-url', 'x')).toMatchObject({ code: 2 })
    const env = { BTC_FORECAST_API_STALE_AFTER_SECONDS: '0' }
    const line = ['publish', '--out', other, '--history', history]
    expect(await foreproof(line, { env })).toMatchObject({ code: 2 })
    expect(await foreproof(['publish', '--history', history, '--out', history])).toMatchObject({
      code: 1,
    })
    expect(readdirSync(folder).sort()).toEqual(['.site.builds', 'history.sqlite', 'site'])
  })
})
