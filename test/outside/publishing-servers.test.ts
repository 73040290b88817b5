import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { opened } from '../history/support.js'
import { temporaryFolder } from '../support/folder.js'
import { foreproof } from '../support/run.js'
import { idsOf, makeHistory } from '../support/service/history.js'
import { startCaddy, startNginx } from './servers.js'
import { exchange, guide } from './snippets.js'

const DAY = 'public, max-age=86400, stale-while-revalidate=86400'
const MINUTE = 'public, max-age=60, must-revalidate'
const HEAD = '/service/api/v1/forecasts.json'
const PAGE = '/service/api/v1/forecasts/page-0001.json'

const { snippet } = guide('publishing.md')

const folder = temporaryFolder()
const history = join(folder, 'history.sqlite')
const site = join(folder, 'srv', 'site')

beforeAll(async () => {
  mkdirSync(join(folder, 'srv'))
  makeHistory(history)
  const built = await foreproof(['publish', '--history', history, '--out', site])
  expect(built).toMatchObject({ code: 0, stderr: '' })
})

const here = (text: string) => exchange(text, '/srv/forecasts/site', site)
const nginx = () =>
  startNginx((port) => here(exchange(snippet('nginx'), 'listen 80;', `listen 127.0.0.1:${port};`)))
const caddy = () => startCaddy(here(snippet('caddyfile')))

describe.each([
  ['nginx', nginx],
  ['Caddy', caddy],
])('a site behind %s', (_name, start) => {
  let base = ''
  beforeAll(async () => {
    base = `http://127.0.0.1:${(await start()).port}`
  })

  it.each([
    [HEAD, MINUTE],
    ['/service/api/v1/forecasts/latest.json', MINUTE],
    [PAGE, DAY],
    ['/', MINUTE],
  ])('sends %s as it should', async (path, cached) => {
    const { headers, status } = await fetch(base + path)
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe(cached)
    if (path.startsWith('/service')) {
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(headers.get('content-type')).toBe('application/json')
      expect(headers.get('content-encoding')).toMatch(/^(?:gzip|br)$/)
      expect(headers.get('etag')).toBeTruthy()
    }
  })

  it('keeps no caller from reading that a page is not there, and keeps that for no day', async () => {
    const response = await fetch(`${base}/service/api/v1/forecasts/page-9999.json`)
    expect(response.status).toBe(404)
    expect(await response.text()).toContain('There is no such page.')
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('cache-control') ?? '').not.toContain('86400')
  })

  it('holds every rule of the contract, and is mirrored whole', async () => {
    const judged = await foreproof(['conformance', base])
    expect(judged.code, judged.stdout + judged.stderr).toBe(0)
    const mirror = join(folder, `${new URL(base).port}.sqlite`)
    const pulled = await foreproof(['history', 'pull', base, '--history', mirror])
    expect(pulled.code, pulled.stderr).toBe(0)
    const reader = opened(mirror)
    expect(await reader.count()).toBe(idsOf(history).length)
  })
})
