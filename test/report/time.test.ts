import { describe, expect, it } from 'vitest'
import type { Result } from '../../src/evaluation/result/result.js'
import { renderHtml } from '../../src/report/html/page.js'
import { timeScale } from '../../src/report/html/scale.js'
import { renderMarkdown } from '../../src/report/markdown/page.js'
import { dispositionName } from '../../src/report/sentences.js'
import { type SampleOptions, sampleResult } from './sample.js'

const sample = (options: SampleOptions) => sampleResult({ strata: false, ...options })
const FORMATS = [
  ['html', renderHtml],
  ['markdown', renderMarkdown],
] as const
const LEVEL =
  /stamped by 2 of 3 \\?\(digicert [0-9a-f]{32}…, freetsa [0-9a-f]{32}…\\?\), 2023-12-30T09:12:49Z ± 1 s; anchors chosen by the writer/

/** Text as a reader sees it. */
const seen = (page: string) => page.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')

describe('the level of the registration', () => {
  it.each(FORMATS)('says in %s who stamped and when, as many as are needed', (_, render) => {
    expect(render(sample({ time: 'stamped' }))).toMatch(LEVEL)
    expect(render(sample({ time: 'stamped' }))).not.toMatch(/self-declared time/i)
  })

  it('is in the first line of every prospective verdict without a stamp', () => {
    const [bare, stamped] = [sample({}), sample({ time: 'stamped' })]
    for (const of of bare.reading.dispositions!) {
      expect(dispositionName(bare, of)).toContain('self-declared time')
      expect(dispositionName(stamped, of)).not.toContain('self-declared')
    }
    const chips = [...renderHtml(bare).matchAll(/class="chip">([^<]*)</g)]
    expect(chips).toHaveLength(3)
    for (const [, chip] of chips) expect(chip).toContain('self-declared time')
    for (const [, head] of renderMarkdown(bare).matchAll(/^### .*: (.*)$/gm)) {
      expect(head).toContain('self-declared time')
    }
  })

  it('counts no stamp that came after the first origin', () => {
    const { time, ...rest } = sample({ time: 'stamped' })
    const late = time?.authorities.map(({ stamp, ...of }) => ({
      ...of,
      stamp: stamp && { ...stamp, in_time: false },
    }))
    const result = {
      ...rest,
      time: { ...time, level: 'self_declared', stamped_at: null, authorities: late },
    } as Result
    for (const [, render] of FORMATS) {
      expect(render(result)).toMatch(/self-declared time/i)
      expect(render(result)).toContain('too late, it does not count')
    }
  })

  it('is not all: entries of the log that no row explains mark the verdict', () => {
    const { time, ...rest } = sample({ time: 'committed' })
    const commitment = { ...time?.commitment, unexplained: 0 }
    const explained = { ...rest, time: { ...time, commitment } } as Result
    const marked = { ...rest, time } as Result
    for (const of of rest.reading.dispositions!) {
      expect(dispositionName(marked, of)).toContain('unexplained log entries')
      expect(dispositionName(explained, of)).not.toContain('unexplained')
    }
    for (const [, render] of FORMATS) {
      expect(seen(render(marked))).toContain('No row of the history explains 1 entry of the log')
      expect(seen(render(explained))).not.toContain('No row of the history explains')
    }
  })

  it('is not there where a backtest proves nothing by it', () => {
    const result = sample({ kind: 'backtest' })
    expect(renderHtml(result)).not.toMatch(/self-declared time/i)
    expect(seen(renderHtml(result))).toContain('Time of the registration: self-declared')
  })
})

describe('the time line', () => {
  it.each(FORMATS)('names in %s all times from the registration to the outcomes', (_, render) => {
    const text = seen(render(sample({ time: 'committed' })))
    for (const said of [
      /Registered\W+2023-12-30 09:12:44 UTC\W+the writer’s own clock/,
      /Stamped by freetsa\W+2023-12-30 09:12:49 UTC/,
      /First forecasts due\W+2024-01-01 01:02 UTC/,
      /Last forecasts due\W+2025-07-31 08:02 UTC/,
      /Last checkpoint\W+2025-08-01 00:02:11\.500000|Last checkpoint\W+2025-08-01 00:02:11\.5 UTC/,
      /Outcomes settled\W+2025-08-01 00:00 UTC/,
      /not in a result; access\.jsonl/,
    ]) {
      expect(text).toMatch(said)
    }
  })

  it.each(FORMATS)(
    'gives in %s the share committed of all forecasts, the withdrawn among them',
    (_, render) => {
      const text = seen(render(sample({ time: 'committed' })))
      // 45,000 of 45,000 + 120 + 700 + 1.
      expect(text).toContain('98.21 %')
      expect(text).toContain('1 entry of the log is of no forecast or attempt that the history has')
      expect(seen(render(sample({ time: 'stamped' })))).not.toContain('98.21')
      expect(seen(render(sample({})))).toContain('is what its row says')
    },
  )

  it.each(FORMATS)('says in %s whether witnesses saw the log', (_, render) => {
    const committed = sample({ time: 'committed' })
    const NONE = /No witness saw this log: its writer could have kept several versions of it/
    expect(seen(render(committed))).toMatch(NONE)
    expect(seen(render(sample({ time: 'stamped' })))).not.toMatch(NONE)
    const { commitment, ...time } = committed.time!
    const witnessed = { checkpoints: 700, liars_needed: 2, cosignatures_sha256: 'a'.repeat(64) }
    const holds = { registrations: 3, models_in_window: 7 }
    const seenByThem = seen(
      render({ ...committed, time: { ...time, commitment: { ...commitment!, witnessed, holds } } }),
    )
    expect(seenByThem).not.toMatch(NONE)
    expect(seenByThem).toContain('The log holds 3 registrations. 7 models have forecasts')
    expect(seenByThem).toContain('For a second version of the log 2 witnesses would have to lie')
  })

  it('links tokens and log into the evidence chain, by their digests', () => {
    const result = sample({ time: 'committed' })
    for (const [, render] of FORMATS) {
      expect(render(result)).toContain(result.time?.authorities[0]?.stamp?.token_sha256)
      expect(render(result)).toContain(result.time?.commitment?.root)
      // The whole digest of every anchor that was registered, not its beginning.
      for (const { anchor_sha256 } of result.time?.authorities ?? []) {
        expect(render(result)).toContain(anchor_sha256)
      }
    }
  })

  it('is drawn from one line of time, for any length of the window', () => {
    const day = 86_400_000_000
    for (const days of [0, 0.04, 1, 3, 10, 45, 200, 1_000, 20_000]) {
      const { ticks, share } = timeScale([20_000 * day, (20_000 + days) * day], 4)
      expect(ticks.length).toBeLessThanOrEqual(4)
      for (const tick of ticks) {
        expect(tick % day).toBe(0)
        expect(share(tick)).toBeGreaterThan(0)
        expect(share(tick)).toBeLessThan(1)
      }
    }
  })
})
