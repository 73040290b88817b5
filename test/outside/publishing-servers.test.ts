import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { opened } from '../history/support.js'
import { temporaryFolder } from '../support/folder.js'
import { freePort } from '../support/free-port.js'
import { foreproof } from '../support/run.js'
import { idsOf, makeHistory } from '../support/service/history.js'
import { exchange, guide } from './snippets.js'

const DAY = 'public, max-age=86400, stale-while-revalidate=86400'
const MINUTE = 'public, max-age=60, must-revalidate'
const HEAD = '/service/api/v1/forecasts.json'
const PAGE = '/service/api/v1/forecasts/page-0001.json'

const { snippet } = guide('publishing.md')
/** Debian's daemons are where only root looks. */
const PATH = `${process.env.PATH}:/usr/sbin:/sbin`

const folder = temporaryFolder()
const history = join(folder, 'history.sqlite')
const site = join(folder, 'srv', 'site')

beforeAll(async () => {
  mkdirSync(join(folder, 'srv'))
  makeHistory(history)
  const built = await foreproof(['publish', '--history', history, '--out', site])
  expect(built).toMatchObject({ code: 0, stderr: '' })
})

async function startNginx(port: number): Promise<ChildProcess> {
  const here = exchange(snippet('nginx'), 'listen 80;', `listen 127.0.0.1:${port};`)
  const server = exchange(here, '/srv/forecasts/site', site)
  const config = join(folder, 'nginx.conf')
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/nginx-${name};`,
  )
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  writeFileSync(
    config,
    `${user} pid ${folder}/nginx.pid; error_log stderr; daemon off; events {}
     http { include /etc/nginx/mime.types; access_log off; ${temporary.join(' ')} ${server} }`,
  )
  const tested = spawnSync('nginx', ['-t', '-q', '-c', config], { encoding: 'utf8', env: { PATH } })
  expect([tested.status, tested.stderr]).toEqual([0, ''])
  return spawn('nginx', ['-c', config], { stdio: 'ignore', env: { PATH } })
}

async function startCaddy(port: number): Promise<ChildProcess> {
  const config = join(folder, 'Caddyfile')
  const here = exchange(snippet('caddyfile'), 'forecasts.example.org', `http://127.0.0.1:${port}`)
  const text = exchange(here, '/srv/forecasts/site', site)
  writeFileSync(config, `{\n\tadmin off\n\tauto_https off\n}\n${text}`)
  const env = { PATH, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  const args = ['--config', config, '--adapter', 'caddyfile']
  const tested = spawnSync('caddy', ['validate', ...args], { encoding: 'utf8', env })
  expect(tested.status, tested.stderr).toBe(0)
  return spawn('caddy', ['run', ...args], { stdio: 'ignore', env })
}

describe.each([
  ['nginx', startNginx],
  ['Caddy', startCaddy],
])('a site behind %s', (_name, start) => {
  let server: ChildProcess
  let base = ''

  beforeAll(async () => {
    const port = await freePort()
    base = `http://127.0.0.1:${port}`
    server = await start(port)
    await vi.waitFor(() => fetch(base + HEAD), { timeout: 100_000 })
  })
  afterAll(async () => {
    const ended = new Promise((resolve) => server.once('exit', resolve))
    server.kill()
    await ended
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
