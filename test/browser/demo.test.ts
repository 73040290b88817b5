import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/folder.js'
import { runPackage } from '../support/python.js'
import { foreproof, type Ran } from '../support/run.js'
import { hasChromium, launch } from './launch.js'
import { openFile } from './looks.js'
import { shownIn, states } from './verify-page.js'

/** Most memory that a process of a browser has had, in MiB. */
function peakOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024
}

describe('foreproof demo', () => {
  const folder = temporaryFolder()
  const out = join(folder, 'out')
  let ran: Ran
  const resultOf = (name: string) =>
    JSON.parse(readFileSync(join(out, name, 'evaluation/result.json'), 'utf8'))
  beforeAll(async () => {
    ran = await foreproof(['demo', '--out', out], { cwd: folder })
  }, 300_000)

  it('runs the whole way, opens with the path of the report and ends with how its site is served', () => {
    expect(ran.code, ran.stderr).toBe(0)
    const lines = ran.stdout.trimEnd().split('\n')
    expect(lines[0]).toContain(join(out, 'prospective', 'evaluation', 'report.html'))
    expect(lines.at(-2)).toContain('http://127.0.0.1:8000/')
    expect(lines.at(-1)).toMatch(/&& .*--bind 127\.0\.0\.1 8000$/)
    expect(lines.at(-1)).toContain(`cd "${join(out, 'site')}" && `)
    expect(existsSync(join(out, 'site/index.html'))).toBe(true)
    // Forecasts say of themselves, and so on the page, that they are synthetic.
    const latest = readFileSync(join(out, 'site/service/api/v1/forecasts/latest.json'), 'utf8')
    expect(JSON.parse(latest).data.lineage.source.name).toContain('synthetic data')
  })

  it('counts every expected attempt once', () => {
    const lines = readFileSync(join(out, 'attempts.ndjson'), 'utf8').trimEnd().split('\n')
    const inGrid = lines.map((line) => JSON.parse(line)).filter((attempt) => attempt.expected)
    expect(inGrid).toHaveLength(3 * 4 * 90 * 24)
  })

  it('tests by the method of its protocol, and keeps one candidate that silence does not block', () => {
    const registration = readFileSync(join(out, 'registration.json'), 'utf8')
    expect(JSON.parse(registration)).toMatchObject({
      protocol: { version: 'btcusd-hourly-4' },
      rules: {
        test: { method: 'ewc-t' },
        weights: { verdict: 0.6, deciding: 0.3, other: 0.1 },
      },
    })
    expect(resultOf('.')).toMatchObject({
      kind: 'backtest',
      reading: {
        dispositions: [
          { candidate: 'kernel_memory', disposition: 'blocked' },
          { candidate: 'ridge_lags', disposition: 'lower' },
          { candidate: 'trend_chaser', disposition: 'blocked' },
        ],
      },
    })
    expect(ran.stdout).toContain('(backtest)')
    expect(ran.stdout).not.toMatch(/text-number-differs|level-too-small/)
  })

  it('is recomputed by the Python package', async () => {
    const of = (name: string) => join(out, name)
    const history = join(folder, 'history.ndjson')
    await foreproof(['history', 'export', '--history', of('history.sqlite'), '--out', history])
    const inputs = ['--protocols', of('protocols'), '--outcomes', of('vintage')]
    const args = ['-m', 'foreproof', 'verify', of('evaluation'), ...inputs, '--history', history]
    const { code, said } = await runPackage([...args, '--allow-unchecked'])
    expect(code, said).toBe(0)
    expect(said).toMatch(/^holds +computation/m)
  }, 300_000)

  it('has an authority of its own, whose stamps are on the registration and the log', () => {
    expect(ran.stdout).toContain('authority is made anew for each run')
    expect(ran.stdout).toMatch(/entry 9 +stamped by 1 of 1 \(demo-authority [0-9a-f]{32}…\)/)
    const list = readFileSync(join(out, 'site/service/api/v1/log/checkpoints.json'), 'utf8')
    const [sealed] = JSON.parse(list).checkpoints
    expect(sealed.authorities).toEqual(['demo-authority'])
    expect(resultOf('.').time).toMatchObject({
      level: 'stamped',
      authorities: [{ name: 'demo-authority', stamp: { in_time: true } }],
    })
    expect(ran.stdout).toMatch(/^holds +the stamps show when the registration was there$/m)
    expect(readFileSync(join(out, 'evaluation/report.md'), 'utf8')).toContain('stamped by 1 of 1')
  })

  const FORECASTS = 4 * 28 * 24

  it('shows a model that is eligible: registered, stamped and committed before its outcomes', () => {
    expect(resultOf('prospective')).toMatchObject({
      kind: 'evaluation',
      reading: {
        dispositions: [
          {
            disposition: 'eligible_for_human_review',
            reasons: expect.arrayContaining([
              expect.objectContaining({ code: 'improvement_established' }),
            ]),
          },
        ],
      },
      time: {
        authorities: [{ stamp: { in_time: true } }],
        commitment: {
          ...{ log: 'demo.example/promise', checkpoints: 28 * 24, stamped: 28 * 24 },
          models: [{ committed: FORECASTS, committed_late: 0, not_committed: 0, withdrawn: 0 }],
        },
      },
    })
    expect(ran.stdout).toContain(
      'Eligible for human review means: by rules fixed before the outcomes',
    )
  })

  it('blocks the same forecasts under a second registration, committed after their outcomes', async () => {
    const { reading, time } = resultOf('prospective-late')
    const { dispositions } = reading
    expect(dispositions[0].disposition).toBe('blocked')
    expect(dispositions[0].reasons[0]).toMatchObject({
      ...{ code: 'availability_limit_exceeded', found: 1 },
    })
    const none = { committed: 0, committed_late: FORECASTS, not_committed: 0, withdrawn: 0 }
    expect(time.commitment.models).toMatchObject([none])
    expect(ran.stdout).toContain(`0 of ${FORECASTS} forecasts within the lag; ${FORECASTS} late`)
    const folders = ['prospective', 'prospective-late'].map((name) => join(out, name))
    const [inTime, late] = await Promise.all(
      folders.map((cwd) =>
        foreproof(['history', 'export', '--history', 'history.sqlite'], { cwd }),
      ),
    )
    expect(late?.stdout.split('\n')).toHaveLength(FORECASTS + 1)
    expect(late?.stdout).toBe(inTime?.stdout)
  })

  it('holds, in each of its evaluations', async () => {
    const folders = ['.', 'prospective', 'prospective-late'].map((name) => join(out, name))
    const audits = folders.map((cwd) => foreproof(['audit', 'evaluation'], { cwd }))
    for (const { code, stdout, stderr } of await Promise.all(audits)) {
      expect(code, stdout + stderr).toBe(0)
    }
  })

  it('has one ledger, and ends with its record', async () => {
    const record = JSON.parse(readFileSync(join(out, 'record/record.json'), 'utf8'))
    const [inTime, late, abandoned, running, backtest] = record.registrations
    expect(record.registrations).toHaveLength(5)
    const shown = { table: 'shown_by_others', end: 'scored' }
    expect(inTime).toMatchObject({ ...shown, divisor: 1 })
    expect(inTime.result.candidates).toMatchObject([{ disposition: 'eligible_for_human_review' }])
    expect(late).toMatchObject({ ...shown, divisor: 6 })
    expect(late.result.candidates).toMatchObject([{ disposition: 'blocked', left_out: FORECASTS }])
    // Ten days, and nine hours of the next, of which that of nine o'clock is due later.
    expect(abandoned).toMatchObject({ end: 'closed', closing: { after_origins: 9 * 24 + 9 } })
    expect(running).toMatchObject({ table: 'shown_by_others', end: 'running' })
    expect(backtest).toMatchObject({ table: 'backtests', end: 'scored' })
    expect(record.chance).toMatchObject({ evaluations: 3, eligible: 1 })
    expect(record.chance.expected_at_most).toBeCloseTo(0.025 + 0.025 + 0.025 / 6, 12)
    const checked = await foreproof(['record', 'check', join(out, 'record')])
    expect([checked.code, checked.stdout]).toEqual([0, expect.stringContaining('by your clock')])
  })

  it.runIf(hasChromium)(
    'has a backtest for whose audit verify.html takes no more than one gigabyte',
    async () => {
      const args = ['--history', join(out, 'history.sqlite'), '--out', join(out, 'history.ndjson')]
      expect((await foreproof(['history', 'export', ...args])).code).toBe(0)
      const browser = await launch()
      const { page } = await openFile(browser, join(out, 'verify.html'), {})
      await page.setInputFiles('#input', out)
      const shown = await shownIn(page)
      expect(new Set(states(shown))).toEqual(new Set(['holds']))
      const inspector = await browser.newBrowserCDPSession()
      const { processInfo } = await inspector.send('SystemInfo.getProcessInfo')
      expect(Math.max(...processInfo.map(({ id }) => peakOf(id)))).toBeLessThan(1024)
    },
    300_000,
  )

  it('does not touch a folder that no demo made', async () => {
    const other = join(folder, 'mine')
    writeFileSync(other, 'my file')
    const { code, stderr } = await foreproof(['demo', '--out', other])
    expect(code).toBe(1)
    expect(stderr).toContain(other)
    expect(readFileSync(other, 'utf8')).toBe('my file')
  })
})
