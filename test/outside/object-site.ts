import { execFile } from 'node:child_process'
import { type IncomingHttpHeaders, request, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { importResources } from '../../src/history/import/import.js'
import { checkSite } from '../../src/site/check.js'
import { type PublishOptions, publishSite } from '../../src/site/publish.js'
import {
  addRows,
  EPOCH,
  HOUR,
  hourlyRows,
  type MadeRow,
  opened,
  writeProducer,
} from '../history/support.js'
import { BUCKET, KEYS, startStore, type TestStore } from './object-store.js'

/** The store, and the history and the prefix of the test that runs. */
export const here = {
  folder: '',
  store: undefined as unknown as TestStore,
  history: '',
  prefix: '',
}
let run = 0

/** Starts a store for a file of tests; each test has a history of 600 rows and a prefix of its own. */
export function useObjectStore(folder: string): void {
  beforeAll(async () => {
    here.folder = folder
    here.store = await startStore(join(folder, 'objects'))
  })
  beforeEach(() => {
    run++
    here.history = join(folder, `history-${run}.sqlite`)
    here.prefix = `site-${run}`
    writeProducer(here.history, [])
    add(hours(0, 100))
  })
  afterEach(() => {
    here.store.meddle = undefined
  })
}

/** Six rows an hour. */
export const hours = (from: number, to: number, model = 'beta'): MadeRow[] =>
  hourlyRows(from, to, ['alpha', model], [2, 4, 8])

export const add = (rows: readonly MadeRow[]): void => addRows(here.history, rows)

export type Over = Partial<Omit<PublishOptions, 'reader' | 'now'>>

export const place = () => ({
  out: `s3://${BUCKET}/${here.prefix}`,
  endpoint: here.store.endpoint,
  env: KEYS,
})

/** The command that publishes to this test's place. */
export function publishLine(): string[] {
  const { out, endpoint } = place()
  return ['publish', '--history', here.history, '--out', out, '--endpoint', endpoint]
}

/** Builds as if it were so many hours after the first row. */
export async function build(hour: number, over: Over = {}) {
  const reader = opened(here.history)
  const now = (EPOCH + hour * HOUR) * 1000
  here.store.asked.length = 0
  return await publishSite({
    ...{ ...place(), reader, now, baseUrl: undefined, inPlace: false, staleAfterSeconds: 10_800 },
    ...over,
  })
}

export async function faults(): Promise<string[]> {
  const reader = opened(here.history)
  const { findings } = await checkSite(place().out, reader, place())
  return findings.map(({ code, file }) => `${code} ${file}`)
}

/** A reader who is none of ours gets all that the history has, and the site is sound. */
export async function expectWhole(): Promise<void> {
  expect((await walk()).ids).toEqual(await expected())
  expect(await faults()).toEqual([])
}

export async function expected(): Promise<string[]> {
  const reader = opened(here.history)
  const rows = await reader.page({ after: undefined, limit: 100_000 })
  return rows.map(({ originAt, model, horizonHours }) => `${originAt}:${model}:${horizonHours}`)
}

export const address = (path = '') => `${here.store.endpoint}/${BUCKET}/${here.prefix}/${path}`
export const get = async (path: string) =>
  fetch(address(path), { headers: { 'accept-encoding': 'identity' } })
/** Paths of the objects that were written since the last build began, in order. */
export const puts = () =>
  here.store.asked
    .filter((each) => each.startsWith('PUT'))
    .map((each) => each.slice(each.indexOf(here.prefix) + here.prefix.length + 1))
export const objects = async (): Promise<string[]> => {
  const list = `${here.store.endpoint}/${BUCKET}?list-type=2&prefix=${here.prefix}/`
  const keys = (await (await fetch(list)).text()).matchAll(/<Key>([^<]*)<\/Key>/g)
  return [...keys].map(([, key = '']) => key.slice(here.prefix.length + 1))
}

export const put = (path: string, body: string | Buffer) =>
  fetch(address(path), {
    method: 'PUT',
    body: new Uint8Array(Buffer.from(body)),
    headers: { 'content-type': 'application/json' },
  })
export const remove = (path: string) => fetch(address(path), { method: 'DELETE' })

/** The object as it lies there, with what is sent of it: `fetch` would decode it. */
export const raw = (path: string) =>
  new Promise<{ headers: IncomingHttpHeaders; bytes: Buffer }>((resolve, reject) => {
    request(address(path), async (answer) => {
      resolve({ headers: answer.headers, bytes: await buffer(answer) })
    })
      .on('error', reject)
      .end()
  })

export async function attempt(originAt: string): Promise<void> {
  const made = { origin_at: originAt, model_name: 'gamma', horizon_hours: 4, status: 'failed' }
  await importResources(here.history, [{ ...made, reason: 'no data' }], { now: 0 })
}

interface Walked {
  readonly ids: readonly string[]
  readonly pages: number
}

/** What a reader that is none of ours gets, from the head that lies there; */
export async function walk(from?: string): Promise<Walked> {
  return (await walks([], from))[0] as Walked
}

/** and from heads that were kept in files. */
export async function walks(
  kept: readonly string[],
  from = address('service/api/v1/forecasts.json'),
): Promise<Walked[]> {
  const script = join(import.meta.dirname, 'walk_site.py')
  const options = { maxBuffer: 1 << 28 }
  const { stdout } = await promisify(execFile)('python3', [script, from, ...kept], options)
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

/** Answers in the store's place. */
export function answer(response: ServerResponse, status: number, code: string, more = ''): void {
  response.statusCode = status
  response.end(`<?xml version="1.0"?><Error><Code>${code}</Code>${more}</Error>`)
}
