import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { thisHour } from '../support/service/history.js'
import { eventually, type Served, serve, store } from '../support/service/serve.js'
import { expectWalks, filter, limits } from '../support/service/walking.js'
import { expectHidden, moved } from './postgres-history.js'
import { startPostgres } from './servers.js'

const server = await startPostgres()
const database = server.database()
let histories = 0
const sqlite = store.moved
const postgres = async (path: string) => {
  const url = `${database}?schema=history_${++histories}`
  await moved(path, url)
  return url
}

describe('with its history in PostgreSQL', () => {
  store.moved = postgres
  // All that is promised of a service and has to do with its store.
  describe('routes', async () => void (await import('../process/service/routes.test.js')))
  describe('query', async () => void (await import('../process/service/query.test.js')))
  describe('stop', async () => void (await import('../process/service/stop.test.js')))
})

/** What differs between two answers to the same question: when they were given. */
const timeless = (text: string) =>
  text
    .replaceAll(/"age_seconds":[\d.]+/g, '"age_seconds":0')
    .replaceAll(/"checked_at":"[^"]+"/g, '"checked_at":""')

describe('a service on PostgreSQL and one on SQLite', async () => {
  let both: Served[] = []

  const askBoth = async (path: string) => {
    const [one, other] = await Promise.all(both.map((served) => served.get(path)))
    return [one, other].map((got) => ({
      status: got?.status,
      type: got?.headers['content-type'],
      text: timeless(got?.text ?? ''),
      cursor: got?.json?.pagination?.next_cursor,
    }))
  }

  beforeAll(async () => {
    const made = { origins: 60 }
    store.moved = sqlite
    const first = await serve({ made })
    store.moved = async () => postgres(first.historyPath)
    both = [first, await serve({ made })]
  })

  it('answer with the same bytes, on every page of every walk', async () => {
    const wrong = ['limit=0', 'cursor=x', 'horizon_hours=x', 'origin_from=2026', 'model=%00', 'x=1']
    const paths = ['/v1/forecasts/latest', '/v1/health', '/v1/forecasts', '/v1/nothing']
    for (const path of [...paths, ...wrong.map((query) => `/v1/forecasts?${query}`)]) {
      const [one, other] = await askBoth(path)
      expect(other, path).toEqual(one)
    }
    await fc.assert(
      fc.asyncProperty(filter, limits, async ({ query }, sizes) => {
        for (let turn = 0, cursor = ''; ; turn++) {
          const path = `/v1/forecasts?limit=${sizes[turn % sizes.length]}${query}${cursor}`
          const [one, other] = await askBoth(path)
          expect(other, path).toEqual(one)
          if (typeof one?.cursor !== 'string') return
          cursor = `&cursor=${one.cursor}`
        }
      }),
      { numRuns: 40 },
    )
  })

  it('never show the password', async () => {
    for (const served of both) {
      await eventually(() => served.auditText() !== '')
      expectHidden(served.log, served.auditText(), (await served.get('/metrics')).text)
    }
  })
})

it('a walk gives every match once and in order while another writes newer rows', async () => {
  store.moved = postgres
  const served = await serve()
  const newer = newerOrigin(`history_${histories}`)
  await expectWalks(served, served.historyPath, () => server.sql(newer, 'test_1'))
  const latest = await served.get('/v1/forecasts/latest')
  expect(Date.parse(latest.json.data.origin_at)).toBeGreaterThan(thisHour())
})

/** Plain SQL of another program, which adds an origin an hour after the newest. */
function newerOrigin(schema: string): string {
  const origin = `INSERT INTO ${schema}.origins
    SELECT origin_at + 3600000000, generated_at + 3600000000, source_name, pair, source_price_usd,
      regime, first_seen_at, last_seen_at, run_id, configuration_id, manifest_json
    FROM ${schema}.origins ORDER BY origin_at DESC LIMIT 1`
  const rows = `INSERT INTO ${schema}.forecasts
      (origin_at, horizon_hours, model, target_at, price_usd, change_pct, q10_usd, q50_usd, q90_usd,
       model_agreement, run_id, whole, has_provenance)
    SELECT origin_at + 3600000000, horizon_hours, model, target_at + 3600000000, price_usd, change_pct,
      q10_usd, q50_usd, q90_usd, model_agreement, run_id, whole, has_provenance
    FROM ${schema}.forecasts WHERE origin_at = (SELECT max(origin_at) FROM ${schema}.forecasts)`
  return `BEGIN; ${origin}; ${rows}; UPDATE ${schema}.state SET revision = revision + 1; COMMIT`
}
