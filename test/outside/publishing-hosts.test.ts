import { execFile } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, it } from 'vitest'
import { pathsBelow } from '../../src/site/writer/links.js'
import { temporaryFolder } from '../support/folder.js'
import { foreproof, ROOT } from '../support/run.js'
import { serveHttp } from '../support/servers.js'
import { makeHistory } from '../support/service/history.js'
import { guide } from './snippets.js'

const { snippets, snippet } = guide('publishing.md')
const run = promisify(execFile)
const folder = temporaryFolder()
const programs = join(folder, 'bin')
const env: NodeJS.ProcessEnv = {
  ...process.env,
  PATH: [programs, process.env.PATH].join(delimiter),
  AWS_ACCESS_KEY_ID: 'nobody',
  AWS_SECRET_ACCESS_KEY: 'nothing',
  AWS_DEFAULT_REGION: 'us-east-1',
  AWS_EC2_METADATA_DISABLED: 'true',
}

interface Stored {
  readonly path: string
  readonly cached: string | undefined
  readonly body: Buffer
}
const stored: Stored[] = []

/** As much of a bucket as is needed: it keeps what it is sent, and lists it. */
function listOf(url: string): string {
  const prefix = new URL(url, 'http://bucket').searchParams.get('prefix') ?? ''
  const keys = stored
    .map(({ path }) => path.replace('/forecasts.example.org/', ''))
    .filter((key) => key.startsWith(prefix))
  const written = new Date().toISOString()
  const objects = keys.map(
    (key) => `<Contents><Key>${key}</Key><LastModified>${written}</LastModified></Contents>`,
  )
  return `<ListBucketResult><IsTruncated>false</IsTruncated>${objects.join('')}</ListBucketResult>`
}

/** Puts a program of this name before all others. */
function instead(name: string, script: string): void {
  const file = join(programs, name)
  writeFileSync(file, `#!/bin/sh\n${script}\n`)
  chmodSync(file, 0o755)
}

beforeAll(async () => {
  const address = await serveHttp(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    if (request.method === 'GET') {
      if (request.url?.includes('list-type')) return void response.end(listOf(request.url))
      const found = stored.findLast(({ path }) => path === request.url)
      response.statusCode = found === undefined ? 404 : 200
      return void response.end(found?.body)
    }
    if (request.method === 'DELETE') return void response.writeHead(204).end()
    const body = Buffer.concat(chunks)
    stored.push({ path: request.url ?? '', cached: request.headers['cache-control'], body })
    response.setHeader('ETag', '"1"').end()
  })
  mkdirSync(programs)
  const { stdout } = await run('which', ['aws'])
  // Either way will do for the versions of it; nothing must ever reach a real bucket.
  env.AWS_ENDPOINT_URL = address
  instead('aws', `exec ${stdout.trim()} --endpoint-url ${address} "$@"`)
  instead('npx', `shift; exec '${process.execPath}' '${join(ROOT, 'bin', 'foreproof.js')}' "$@"`)
  makeHistory(join(folder, 'producer.sqlite'))
  const built = ['publish', '--history', 'producer.sqlite', '--out', 'site']
  expect(await foreproof(built, { cwd: folder })).toMatchObject({ code: 0 })
})

it('a bucket gets every file, pages before heads, and can be read by other sites', async () => {
  const lines = snippets.filter(({ language }) => language === 'bash').map(({ text }) => text)
  const [publish = '', cors = ''] = lines
  copyFileSync(join(folder, 'producer.sqlite'), join(folder, 'history.sqlite'))
  await run('bash', ['-ec', publish], { cwd: folder, env })
  const paths = stored.map(({ path }) => path.replace('/forecasts.example.org/btc/', ''))
  const site = (path: string) =>
    path.replace(/(page-\d+)\d{9}/, (_, page) =>
      page.replace(/-(\d{1,3})$/, (_: string, place: string) => `-${place.padStart(4, '0')}`),
    )
  const files = pathsBelow(join(folder, 'site')).filter((path) => path !== '_headers')
  const sent = paths.map(site).filter((path) => !/^\.foreproof|^checksums-/.test(path))
  expect(sent.toSorted()).toEqual(files.toSorted())
  const isPage = (path: string) => /page-\d+\.json/.test(path)
  expect(paths.findLastIndex(isPage)).toBeLessThan(paths.indexOf('service/api/v1/forecasts.json'))
  const rights = JSON.parse(snippet('json')) as { Statement: { Action: unknown }[] }
  expect(rights.Statement.flatMap(({ Action }) => Action)).toHaveLength(4)

  stored.length = 0
  await run('bash', ['-c', cors], { cwd: folder, env })
  expect(stored).toMatchObject([{ path: '/forecasts.example.org?cors' }])
  expect(String(stored[0]?.body)).toContain('<AllowedOrigin>*</AllowedOrigin>')
  expect(String(stored[0]?.body)).toContain('<AllowedMethod>GET</AllowedMethod>')
})

it('a workflow for GitHub Pages builds a sound site, and brings it up to date', async () => {
  const toJson = 'import sys, yaml, json; json.dump(yaml.safe_load(sys.argv[1]), sys.stdout)'
  const { stdout } = await run('/usr/bin/python3', ['-c', toJson, snippet('yaml')])
  const { jobs } = JSON.parse(stdout) as { jobs: { publish: { steps: { run?: string }[] } } }
  const lines = jobs.publish.steps.flatMap((step) => step.run ?? [])
  expect(lines.length).toBe(2)

  const checkout = join(folder, 'checkout')
  mkdirSync(checkout)
  const history = join(folder, 'producer.sqlite')
  const exported = await foreproof(['history', 'export', '--history', history])
  writeFileSync(join(checkout, 'forecasts.ndjson'), exported.stdout)
  const sequences: number[] = []
  for (let time = 1; time <= 2; time++) {
    rmSync(join(checkout, 'history.sqlite'), { force: true })
    for (const line of lines) await run('bash', ['-ec', line], { cwd: checkout, env })
    sequences.push(JSON.parse(readFileSync(join(checkout, 'site', 'build.json'), 'utf8')).sequence)
  }
  // A build upon the one before counts on by one; one from nothing by two.
  expect(sequences[1]).toBe((sequences[0] ?? 0) + 1)
  const judged = await foreproof(['conformance', join(checkout, 'site')])
  expect(judged.code, judged.stdout).toBe(0)
})
