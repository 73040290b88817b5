import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { EvaluationResult } from '../../src/evaluation/result/types.js'
import { ownValue } from '../protocol/sample.js'
import { temporaryFolder } from '../support/folder.js'
import { foreproof, ROOT } from '../support/run.js'

const EXPORT = join(ROOT, '..', 'shared', 'data', 'coinbase_btcusd_1h_2024_2025.csv')
const COMPARATORS = ['persistence', 'seasonal_naive_24h', 'drift_24h', 'ema_return_24h']

// The closes are not ours to publish: where they are absent there is nothing to run on.
describe.runIf(existsSync(EXPORT))('a backtest on nineteen months of real closes', () => {
  let cwd: string
  beforeAll(() => {
    cwd = temporaryFolder()
    const protocol = ownValue()
    protocol.protocol_version = 'backtest-1'
    protocol.estimands.comparisons.required = COMPARATORS
    protocol.uncertainty.replicates = 10_000
    writeFileSync(join(cwd, 'draft.json'), JSON.stringify(protocol))
    const builtIn = (name: string) => ({ source: 'built_in', name })
    const plan = {
      plan_version: 1,
      name: 'ar1 in retrospect',
      mode: 'retrospective',
      window: { from: '2024-02-01T00:00:00Z', to: '2025-07-31T08:00:00Z' },
      candidates: [builtIn('ar1')],
      comparators: Object.fromEntries(COMPARATORS.map((name) => [name, builtIn(name)])),
      strata: ['volatility', 'session', 'week_part'].map((name) => ({
        name,
        by: 'omitted',
        reason: 'none',
      })),
      provenance_required: false,
      outcomes: { source: 'coinbase' },
    }
    writeFileSync(join(cwd, 'plan.json'), JSON.stringify(plan))
  })

  const run = async (...args: string[]) => {
    const ran = await foreproof(args, { cwd })
    expect([args[0], ran.code, ran.stderr]).toEqual([args[0], 0, ''])
    return ran
  }

  it('runs the whole way from the export to an audited report, without a history', async () => {
    await run('freeze', 'draft.json')
    await run('outcomes', 'import', EXPORT, '--out', 'vintage')
    const protocol = 'protocols/backtest-1.json'
    await run('register', 'plan.json', '--protocol', protocol, '--outcomes', 'vintage')
    const scored = await run(
      ...['score', '--registration', 'registration.json'],
      ...['--outcomes', 'vintage', '--out', 'evidence'],
    )
    expect(scored.stdout).toMatch(/^ar1: [A-Z][a-z]+ \(retrospective\)$/m)
    const result = JSON.parse(
      readFileSync(join(cwd, 'evidence', 'result.json'), 'utf8'),
    ) as EvaluationResult
    expect(result.inputs.vintage.sha256).toBe(
      '702527dae86227745d1d6484bd1cec67b923b1837d81d03fbe4b5a5d3a82ba98',
    )
    expect(result.settings.origins).toBe(13_113)
    expect(result.family.size).toBe(116)
    expect(result.accounting.find((cell) => cell.horizon === 'all')?.point.scored).toBe(52_452)
    expect(result.controls.every((control) => control.passed)).toBe(true)
    // An hour's return says next to nothing about the next: within three per cent of persistence.
    const against = result.tests.find((test) => test.horizon === 'overall')
    expect(Math.abs((against?.observed ?? 1) / (against?.comparator_mean ?? 1))).toBeLessThan(0.03)
    const html = readFileSync(join(cwd, 'evidence', 'report.html'), 'utf8')
    expect(html).toContain('Retrospective')
    const audited = await run('audit', 'evidence')
    expect(audited.stdout).toContain('ar1 in retrospect recomputes')
  })
})
