import { describe, expect, it } from 'vitest'
import { studentQuantile, studentTail } from '../../src/inference/student-t.js'
import { renderHtml } from '../../src/report/html/page.js'
import { renderMarkdown } from '../../src/report/markdown/page.js'
import {
  hourAt,
  LEAD_IN,
  LIMITS,
  type ReadResult,
  verdictRun as run,
  withoutCloses,
} from './made.js'

const result = await run(-0.3)
const [seer, other] = result.verdicts ?? []
const testNamed = (name: string) => result.tests.find((test) => test.name === name)

const worthIn = ({ waiting }: ReadResult, name: string) =>
  waiting.find((each) => each.comparator === name && each.step === 'overall')?.w ?? 0

describe('an evaluation with verdict hypotheses', () => {
  it('is shown', () => {
    expect(renderHtml(result)).not.toMatch(/NaN|undefined/)
    expect(renderMarkdown(result)).not.toMatch(/NaN|undefined/)
  })

  it('asks for a lower overall loss, and for every limit of loss and mean direction', () => {
    // Persistence calls no direction; ar1 is asked.
    expect(seer?.parts.map(({ test }) => test)).toEqual([
      'seer/persistence/point_loss/overall/all',
      ...[2, 4, 8, 16].map((horizon) => `seer/persistence/point_loss/${horizon}/all`),
      'seer/ar1/point_loss/overall/all',
      ...[2, 4, 8, 16].map((horizon) => `seer/ar1/point_loss/${horizon}/all`),
      'seer/ar1/direction_error/mean/all',
    ])
  })

  it('has in each part what follows from estimate, error and degrees of freedom', () => {
    for (const part of [...(seer?.parts ?? []), ...(other?.parts ?? [])]) {
      const test = testNamed(part.test)
      if (test === undefined) continue
      if (part.step === 'overall') {
        // The comparator is charged: its mean loss times what waiting is worth is missing in it.
        const charged = worthIn(result, part.comparator) * (test.comparator_mean as number)
        expect(part.limit).toBe(0)
        expect(part.observed).toBeCloseTo((test.observed as number) + charged, 12)
        continue
      }
      const limit = 0.05 * (test.comparator_mean as number)
      expect(part.limit).toBe(limit)
      const t = (limit - (test.observed as number)) / (test.standard_error as number)
      const p = t > 0 ? studentTail(t, test.degrees_of_freedom as number) : 1
      expect(part.p).toBe(p)
    }
    expect(seer?.p).toBe(Math.max(...(seer?.parts.map(({ p }) => p ?? 2) ?? [])))
  })

  it('takes the mean of the direction differences at the four horizons', () => {
    const part = seer?.parts.at(-1)
    const each = [2, 4, 8, 16].map(
      (horizon) => testNamed(`seer/ar1/direction_error/${horizon}/all`)?.observed as number,
    )
    expect(part?.observed).toBeCloseTo(each.reduce((sum, d) => sum + d, 0) / 4, 14)
    expect(part?.limit).toBe(0.02)
  })

  it('shares alpha by 0.6, 0.3 and 0.1, and gives the direction of persistence nothing', () => {
    expect([seer?.weight, other?.weight]).toEqual([0.3, 0.3])
    const weightOf = (keep: (test: (typeof result.tests)[number]) => boolean) =>
      result.tests.filter(keep).reduce((sum, { weight }) => sum + (weight ?? 0), 0)
    expect(weightOf(({ decides }) => decides)).toBeCloseTo(0.3, 12)
    expect(weightOf(({ decides }) => !decides)).toBeCloseTo(0.1, 12)
    const undirected = ({ score, comparator }: (typeof result.tests)[number]) =>
      score === 'direction_error' && comparator === 'persistence'
    expect(result.tests.filter(undirected)).toEqual([])
  })

  it('finds the one better, and rejects its overall tests with it', () => {
    expect(seer).toMatchObject({ decision: 'rejected' })
    const overall = result.tests.filter(
      ({ candidate, step }) => candidate === 'seer' && step === 'overall',
    )
    expect(overall.map(({ decision }) => decision)).toEqual(['rejected', 'rejected'])
    expect(result.dispositions[0]?.disposition).toBe('eligible_for_human_review')
  })

  it('finds the other worse by the simultaneous bounds, shared by two comparators of two candidates', () => {
    const overall = testNamed('other/ar1/point_loss/overall/all')
    const half =
      studentQuantile(0.025 / 4, overall?.degrees_of_freedom as number) *
      (overall?.standard_error as number)
    expect(overall?.bounds_simultaneous).toMatchObject({
      level: 0.025 / 4,
      lower: (overall?.observed as number) - half,
    })
    // Four horizons of loss against two comparators, of direction against one, of two candidates.
    const { level } = testNamed('other/ar1/point_loss/2/all')?.bounds_simultaneous ?? {}
    expect(level).toBe(0.025 / 24)
    expect(result.tests.filter((test) => test.bounds_simultaneous)).toHaveLength(4 + 24)
    expect(other?.decision).toBe('not_rejected')
    const [verdict] = result.dispositions.slice(1)
    expect(verdict?.disposition).toBe('negative')
    expect(verdict?.reasons.map(({ code }) => code)).toContain('significantly_worse')
  })

  it('asks an improvement to exceed what waiting is worth, whether or not provenance is required', async () => {
    // At h hours 5 minutes are 1/(12 h) of the time; losses of persistence grow with √h, near enough.
    expect(worthIn(result, 'persistence')).toBeCloseTo(0.0147, 3)
    for (const reason of result.dispositions[0]?.reasons ?? []) {
      if (reason.code !== 'improvement_established') continue
      expect(reason.limit).toBe(0.02 + worthIn(result, reason.comparator ?? ''))
    }
    expect((await run(-0.3, { provenance_required: true })).waiting).toEqual(result.waiting)
  })

  it('says of a candidate of no skill which part holds it back', async () => {
    const { dispositions, verdicts } = await run('guess')
    const reason = dispositions[1]?.reasons.find(({ code }) => code === 'verdict_not_established')
    expect(reason).toMatchObject({ leads_to: 'inconclusive', limit: 0.05 })
    expect(reason?.found).toBe(verdicts?.[1]?.p_adjusted)
    const part = verdicts?.[1]?.parts.find(({ test }) => test === reason?.test)
    expect(part?.p).toBe(verdicts?.[1]?.p)
  })

  it('reports a direction test whose comparator calls too few, and asks nothing of it', async () => {
    // It calls 103 of 1,440: the 100 pairs of a test, and not the 110 of a condition.
    const rare = { source: 'history' as const, name: 'other', required_as: ['rare'] }
    const found = await run(
      0,
      { candidates: [{ source: 'history', name: 'seer' }], comparators: [rare] },
      ({ model, sourcePrice }, hour) =>
        model === 'other' && hour % 14 === 0 ? { forecast: 1.002 * Number(sourcePrice) } : {},
    )
    const test = found.tests.find(({ name }) => name === 'seer/other/direction_error/4/all')
    // It keeps its pairs, in words 4 days of 24 hours.
    expect(test?.blocked_reasons).toEqual(['too_few_days'])
    expect(test?.pairs).toBeGreaterThan(99)
    expect(test?.pairs).toBeLessThan(110)
    const parts = found.verdicts[0]?.parts ?? []
    expect(parts).toHaveLength(5)
    expect(parts.filter(({ test: name }) => name.includes('direction'))).toEqual([])
  })

  // Forecasting the last price at half of the origins once made a model without skill eligible.
  it('charges half an error for a direction that is not called where outcome and comparator moved', async () => {
    const { tests, differences, measures } = await run(0)
    const name = { candidate: 'other', comparator: 'ar1', step: 4, scope: 'all' }
    const cell = differences.find((one) =>
      Object.entries(name).every(([key, value]) => one[key as keyof typeof one] === value),
    )
    // Some hours have no move, or none that ar1 calls.
    expect(cell?.uncalled?.asked).toBeGreaterThan(1400)
    expect(cell?.uncalled?.not_called).toBe(cell?.uncalled?.asked)
    const test = tests.find((one) => one.name === 'other/ar1/direction_error/4/all')
    expect(test?.observed).toBeCloseTo(0.5 - (test?.comparator_mean as number), 12)
    // Its own figures stay those of the directions that it called.
    const own = measures.find((one) => one.model === 'other' && one.step === 4)
    expect(own?.pairs.direction_error).toBe(0)
    const other = differences.find((one) => one.candidate === 'seer' && one.comparator === 'ar1')
    expect(other?.uncalled?.not_called).toBe(0)
  })

  it('lists attempts without an outcome apart, whatever else became of them', async () => {
    const lost = hourAt(LEAD_IN + 700)
    const nothing = { forecast: null, quantiles: [null, null, null] }
    // `other` left out the origin without a close, and said nothing of its time two hours before.
    const found = await run(
      0.3,
      { limits: LIMITS },
      (row, hour) => {
        if (row.model !== 'other') return {}
        return hour === 700
          ? { ...nothing, attempt: 'failed' }
          : hour === 698
            ? { generatedAt: null }
            : {}
      },
      60,
      (vintage) => withoutCloses(vintage, lost),
    )
    const { accounting, differences: shared } = found
    const said = 'of each model alike: 1 at 2 h, 1 at 4 h, 1 at 8 h and 1 at 16 h'
    for (const text of [renderHtml(found), renderMarkdown(found)]) expect(text).toContain(said)
    for (const model of ['seer', 'other', 'persistence']) {
      const cells = accounting.filter((cell) => cell.model === model)
      // The close is missing at the target of one origin; at an origin none is needed.
      expect(cells.map((cell) => [cell.step, cell.expected, cell.without_outcome])).toEqual([
        ...[2, 4, 8, 16].map((horizon) => [horizon, 1439, 1]),
        ['overall', 4 * 1439, 4],
      ])
      for (const { expected, point, interval, reasons } of cells) {
        expect(reasons).not.toHaveProperty('outcome_missing')
        for (const counts of [point, interval]) {
          expect(Object.values(counts).reduce((sum, count) => sum + count)).toBe(expected)
        }
      }
    }
    // At 698 the candidate is late at the three horizons that have an outcome.
    const all = accounting.find((cell) => cell.model === 'other' && cell.step === 'overall')
    expect(all?.reasons).toEqual({ published_late: 3, recorded_failure: 4 })
    expect(shared.map((cell) => cell.with_outcome)).toEqual(shared.map(() => 1439))
  })

  it('shows the own mean of each model with bounds of the cosine test, which lie around it', () => {
    const own = result.measures.filter(({ bounds }) => bounds.point_loss)
    // Two candidates and two comparators, overall and at four horizons.
    expect(own).toHaveLength(4 * 5)
    for (const { means, bounds } of own) {
      const { lower = 0, upper = 0 } = bounds.point_loss ?? {}
      expect((lower + upper) / 2).toBeCloseTo(means.point_loss as number, 14)
    }
  })
})
