import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { sha256Hex } from '../../src/document/digest.js'
import { addRows, EPOCH, HOUR, hourlyRows, writeProducer } from '../history/support.js'
import { temporaryFolder } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'
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

async function holds(command: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await foreproof([command, ...args])
  expect(`${code}${stderr}`).toBe('0')
  return stdout
}
const PLACE = ['--history', history, '--out', out]

it('builds, is current and intact, keeps every rule, and says when rows are missing', async () => {
  const plan = JSON.parse(await holds('publish', ...PLACE, '--dry-run', '--format', 'json'))
  expect(plan).toMatchObject({ ok: true, plan: { version: 1, kind: 'first', pages: 84 } })
  await holds('publish', '--history', history, '--out', `${out}/`)
  await holds('publish', ...PLACE, '--check')
  const { checks } = JSON.parse(await holds('conformance', out, '--format', 'json'))
  // No earlier copy is given, and the history was never sealed.
  const rest = checks.filter(({ outcome }: { outcome: string }) => outcome !== 'passed')
  const rules = ['log-checkpoint', 'log-list', 'log-tiles', 'log-root', 'log-stamps']
  expect(rest).toMatchObject(
    ['sealed-unchanged', 'forecasts-kept', 'not-older', ...rules].map((rule) => ({
      rule,
      outcome: 'not-applicable',
    })),
  )
  // The page on which evaluations are recomputed is named.
  const digest = sha256Hex(readFileSync(join(ROOT, 'dist/verify.html')))
  expect(readFileSync(join(out, 'index.html'), 'utf8')).toContain(`<code>${digest}</code>`)
  grow(now + 1, now + 2)
  const { code, stdout } = await inProcess(['publish', ...PLACE, '--check', '--format', 'json'])
  const findings = [{ code: 'site-outdated' }]
  expect([code, JSON.parse(stdout)]).toMatchObject([1, { ok: false, findings }])
})

it('refuses what it cannot do, and leaves nothing behind', async () => {
  const other = ['--out', join(folder, 'other'), '--history']
  for (const [exit, env, ...args] of [
    [2, {}, ...other, join(folder, 'none')],
    [1, {}, ...other, join(out, 'index.html')],
    [2, {}, ...other, history, '--base-url', 'https://user:sesame@x/'],
    [2, { BTC_FORECAST_API_STALE_AFTER_SECONDS: '0' }, ...other, history],
    [1, {}, '--history', history, '--out', history],
  ] as const) {
    const { code, stderr } = await inProcess(['publish', ...args], env)
    expect([args, code]).toEqual([args, exit])
    expect(stderr).not.toContain('sesame')
  }
  expect(readdirSync(folder).sort()).toEqual(['.site.builds', 'history.sqlite', 'site'])
})
