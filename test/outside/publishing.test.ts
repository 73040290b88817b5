import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { pathsBelow } from '../../src/site/writer/links.js'
import { opened } from '../history/support.js'
import { temporaryFolder } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'
import { foreproof } from '../support/run.js'
import { idsOf, makeHistory } from '../support/service/history.js'
import { KEYS, startStore, type TestStore } from './object-store.js'
import { startCaddy, startNginx } from './servers.js'
import { exchange, guide, putProgram } from './snippets.js'

const DAY = 'public, max-age=86400, stale-while-revalidate=86400'
const MINUTE = 'public, max-age=60, must-revalidate'
const HEAD = '/service/api/v1/forecasts.json'
const PAGE = '/service/api/v1/forecasts/page-0001.json'

const { snippets, snippet } = guide('publishing.md')
const run = promisify(execFile)
const folder = temporaryFolder()
const history = join(folder, 'history.sqlite')
const site = join(folder, 'srv', 'site')
const programs = join(folder, 'bin')
const BUCKET = 'forecasts.example.org'
let store: TestStore
const env: NodeJS.ProcessEnv = {
  ...process.env,
  ...KEYS,
  PATH: [programs, process.env.PATH].join(delimiter),
  AWS_DEFAULT_REGION: 'us-east-1',
  AWS_EC2_METADATA_DISABLED: 'true',
}

beforeAll(async () => {
  mkdirSync(join(folder, 'srv'))
  makeHistory(history)
  const built = await foreproof(['publish', '--history', history, '--out', site])
  expect(built).toMatchObject({ code: 0, stderr: '' })
  store = await startStore(join(folder, 'objects'), BUCKET)
  putProgram(programs, 'npx')
  const { stdout } = await run('which', ['aws'])
  // Either way will do for the versions of it; nothing must ever reach a real bucket.
  env.AWS_ENDPOINT_URL = store.endpoint
  const aws = `#!/bin/sh\nexec ${stdout.trim()} --endpoint-url ${store.endpoint} "$@"\n`
  writeFileSync(join(programs, 'aws'), aws)
  chmodSync(join(programs, 'aws'), 0o755)
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
    expect(await response.text()).toContain('Page not found')
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('cache-control') ?? '').not.toContain('86400')
  })

  it('holds every rule of the contract, and is mirrored whole', async () => {
    const judged = await inProcess(['conformance', base])
    expect(judged.code, judged.stdout + judged.stderr).toBe(0)
    const mirror = join(folder, `${new URL(base).port}.sqlite`)
    const pulled = await inProcess(['history', 'pull', base, '--history', mirror])
    expect(pulled.code, pulled.stderr).toBe(0)
    const reader = opened(mirror)
    expect(await reader.count()).toBe(idsOf(history).length)
  })
})

it('a bucket gets every file, pages before heads, and can be read by other sites', async () => {
  const lines = snippets.filter(({ language }) => language === 'bash').map(({ text }) => text)
  const [publish = '', cors = ''] = lines
  await run('bash', ['-ec', publish], { cwd: folder, env })
  const puts = store.asked.filter((asked) => asked.startsWith('PUT '))
  const paths = puts.map((asked) => asked.replace(`PUT /${BUCKET}/btc/`, ''))
  const inFolder = (path: string) =>
    path.replace(/(page-\d+)\d{9}/, (_, page) =>
      page.replace(/-(\d{1,3})$/, (_: string, place: string) => `-${place.padStart(4, '0')}`),
    )
  const files = pathsBelow(site).filter((path) => path !== '_headers')
  const sent = paths.map(inFolder).filter((path) => !/^\.foreproof|^checksums-/.test(path))
  expect(sent.toSorted()).toEqual(files.toSorted())
  const isPage = (path: string) => /page-\d+\.json/.test(path)
  expect(paths.findLastIndex(isPage)).toBeLessThan(paths.indexOf('service/api/v1/forecasts.json'))
  const rights = JSON.parse(snippet('json')) as { Statement: { Action: unknown }[] }
  expect(rights.Statement.flatMap(({ Action }) => Action)).toHaveLength(4)

  let said = ''
  store.meddle = async (request, response) => {
    said = `${request.method} ${request.url} ${await text(request)}`
    response.end()
  }
  await run('bash', ['-c', cors], { cwd: folder, env })
  expect(said.startsWith(`PUT /${BUCKET}?cors `)).toBe(true)
  expect(said).toContain('<AllowedOrigin>*</AllowedOrigin>')
  expect(said).toContain('<AllowedMethod>GET</AllowedMethod>')
})

it('a workflow for GitHub Pages builds a sound site, and brings it up to date', async () => {
  const toJson = 'import sys, yaml, json; json.dump(yaml.safe_load(sys.argv[1]), sys.stdout)'
  const { stdout } = await run('/usr/bin/python3', ['-c', toJson, snippet('yaml')])
  const { jobs } = JSON.parse(stdout) as { jobs: { publish: { steps: { run?: string }[] } } }
  const lines = jobs.publish.steps.flatMap((step) => step.run ?? [])
  expect(lines.length).toBe(2)

  const checkout = join(folder, 'checkout')
  mkdirSync(checkout)
  const exported = await inProcess(['history', 'export', '--history', history])
  writeFileSync(join(checkout, 'forecasts.ndjson'), exported.stdout)
  const sequences: number[] = []
  for (let time = 1; time <= 2; time++) {
    rmSync(join(checkout, 'history.sqlite'), { force: true })
    for (const line of lines) await run('bash', ['-ec', line], { cwd: checkout, env })
    sequences.push(JSON.parse(readFileSync(join(checkout, 'site', 'build.json'), 'utf8')).sequence)
  }
  // A build upon the one before counts on by one; one from nothing by two.
  expect(sequences[1]).toBe((sequences[0] ?? 0) + 1)
  const judged = await inProcess(['conformance', join(checkout, 'site')])
  expect(judged.code, judged.stdout).toBe(0)
})
