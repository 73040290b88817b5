import { describe, expect, it } from 'vitest'
import { continuationPages } from '../../../src/site/layout.js'
import { type PlanFacts, planSite } from '../../../src/site/plan/plan.js'
import { type BuildRecord, SITE_FORMAT } from '../../../src/site/record.js'

const settings = { baseUrl: undefined, staleAfterSeconds: 10_800 }

const record: BuildRecord = {
  format: SITE_FORMAT,
  sequence: 4,
  built_at: '2026-01-02T03:00:00+00:00',
  base_url: null,
  page_size: 100,
  stale_after_seconds: 10_800,
  forecasts: 1250,
  pages: 12,
  sealed_pages: 11,
  sealed_through: { origin_at: '2026-01-01T03:00:00+00:00', horizon_hours: 2, model_name: 'a' },
  newest: null,
  mark: null,
  changed: [],
}

const facts = (forecasts: number, intactPages: number): PlanFacts => ({
  forecasts,
  intactPages,
  intactThrough: record.sealed_through,
  mark: null,
})

describe('continuationPages', () => {
  it('leaves the newest 1 to 100 forecasts to the head', () => {
    expect([0, 1, 100, 101, 200, 201].map((count) => continuationPages(count, 100))).toEqual([
      0, 0, 0, 1, 1, 2,
    ])
  })
})

describe('planSite', () => {
  it('keeps every sealed page when rows only came at the end', () => {
    expect(planSite(facts(1274, 11), record, settings)).toMatchObject({
      kind: 'update',
      pages: 12,
      keptPages: 11,
      reopenedPages: 0,
      because: ['new-rows'],
    })
  })

  it('opens sealed pages again from where a row came in late', () => {
    expect(planSite(facts(1251, 7), record, settings)).toMatchObject({
      keptPages: 7,
      reopenedPages: 4,
      because: ['late-rows', 'new-rows'],
    })
  })

  it('starts anew for another base URL, and drops pages that are no more', () => {
    const plan = planSite(facts(150, 0), record, { ...settings, baseUrl: 'https://example.org' })
    expect(plan).toMatchObject({ kind: 'rebuild', keptPages: 0, pages: 1, droppedPages: 11 })
  })

  it('writes only the head again when nothing but time has passed', () => {
    const plan = planSite(facts(1250, 11), record, settings)
    expect(plan).toMatchObject({ kind: 'update', keptPages: 11, pages: 12, because: ['time'] })
  })
})
