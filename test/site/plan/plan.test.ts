import { describe, expect, it } from 'vitest'
import { continuationPages } from '../../../src/site/layout.js'
import {
  type PlanFacts,
  type PublishPlanResult,
  planSite,
  type SiteSettings,
} from '../../../src/site/plan/plan.js'
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
  it.each<[string, Parameters<typeof facts>, Partial<SiteSettings>, Partial<PublishPlanResult>]>([
    [
      'keeps every sealed page when rows only came at the end',
      [1274, 11],
      {},
      { kind: 'update', pages: 12, keptPages: 11, reopenedPages: 0, because: ['new-rows'] },
    ],
    [
      'starts anew for another base URL, and drops pages that are no more',
      [150, 0],
      { baseUrl: 'https://example.org' },
      { kind: 'rebuild', keptPages: 0, pages: 1, droppedPages: 11 },
    ],
    [
      'writes only the head again when nothing but time has passed',
      [1250, 11],
      {},
      { kind: 'update', keptPages: 11, pages: 12, because: ['time'] },
    ],
  ])('%s', (_what, [forecasts, intact], change, plan) => {
    expect(planSite(facts(forecasts, intact), record, { ...settings, ...change })).toMatchObject(
      plan,
    )
  })
})
