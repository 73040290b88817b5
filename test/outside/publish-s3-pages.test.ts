import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { temporaryFolder } from '../support/folder.js'
import { freePort } from '../support/free-port.js'
import { foreproof } from '../support/run.js'
import {
  add,
  address,
  expected,
  faults,
  here,
  hours,
  place,
  put,
  useObjectStore,
  walk,
} from './object-site.js'
import { BUCKET, KEYS } from './object-store.js'

const folder = temporaryFolder()
useObjectStore(folder)

const LATER = 'service/api/v1/forecasts/page-9000000001.json'

/** The same store in a process of its own: its lists go on by tokens in DES, which OpenSSL 3 has only when asked. */
let store: ReturnType<typeof spawn>
let inner: string
beforeAll(async () => {
  const port = await freePort()
  inner = here.store.endpoint
  const script = join(
    createRequire(import.meta.url).resolve('s3rver/package.json'),
    '../bin/s3rver.js',
  )
  const place = ['-d', join(folder, 'paged'), '-a', '127.0.0.1', '-p', String(port)]
  const args = ['--openssl-legacy-provider', script, ...place, '--configure-bucket', BUCKET]
  store = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  await new Promise((resolve) => store.stdout?.once('data', resolve))
  here.store = Object.assign(here.store, { endpoint: `http://127.0.0.1:${port}` })
})
afterAll(() => {
  here.store = Object.assign(here.store, { endpoint: inner })
  store.kill()
})

/** By the command: workers write so many pages. */
async function publish(): Promise<void> {
  const { out, endpoint } = place()
  const args = ['publish', '--history', here.history, '--out', out, '--endpoint', endpoint]
  const { code, stderr } = await foreproof(args, { env: KEYS })
  expect([code, stderr]).toEqual([0, ''])
}

const isThere = async (path: string) => (await fetch(address(path))).status === 200

it('a site of more objects than one list shows is published, checked and pruned', async () => {
  add(hours(100, 5800))
  await publish()
  const listed = await fetch(`${here.store.endpoint}/${BUCKET}?list-type=2&prefix=${here.prefix}/`)
  expect(await listed.text()).toContain('<IsTruncated>true</IsTruncated>')
  expect((await walk()).ids).toEqual(await expected())
  expect(await faults()).toEqual([])
  // Behind all others in the order of their names.
  await put('zz.txt', 'theirs')
  expect(await faults()).toEqual([expect.stringMatching(/^site-file-unknown .*zz\.txt$/)])
  await put(LATER, 'left by a build that was killed')
  await put('.foreproof-uploads/7', '{}')
  add(hours(5800, 5801))
  await publish()
  expect(await Promise.all([LATER, '.foreproof-uploads/7', 'zz.txt'].map(isThere))).toEqual([
    false,
    false,
    true,
  ])
  expect((await walk()).ids).toEqual(await expected())
})
