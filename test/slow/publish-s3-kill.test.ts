import { type ChildProcess, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { checkDeployment } from '../../src/conformance/run.js'
import { EPOCH, HOUR } from '../history/support.js'
import { seal } from '../log/sealed.js'
import {
  add,
  address,
  build,
  expected,
  faults,
  get,
  here,
  hours,
  objects,
  place,
  useObjectStore,
  walk,
  walks,
} from '../outside/object-site.js'
import { KEYS } from '../outside/object-store.js'
import { temporaryFolder } from '../support/folder.js'
import { numbers } from '../support/random.js'
import { BIN } from '../support/run.js'

const KILLS = 16
const folder = temporaryFolder()
useObjectStore(folder)

type Moment = 'before' | 'at' | 'after'

interface Kill {
  /** At the request of this number, */
  readonly number: number
  /** counted from the first, or from the one that brings the record, just before the heads. */
  readonly fromRecord: boolean
  /** Before the store sees it, while it works on it, or when it is done. */
  readonly moment: Moment
}

/** Starts an upload, and kills it; says whether it had not ended before. */
async function upload(kill: Kill | undefined, more: readonly string[] = []): Promise<boolean> {
  let count = 0
  let counts = kill?.fromRecord !== true
  let child: ChildProcess | undefined
  let busy = 0
  here.store.meddle = (request: IncomingMessage, response: ServerResponse, pass: () => void) => {
    busy++
    response.on('close', () => busy--)
    if (request.method === 'PUT' && request.url?.endsWith('/build.json')) counts = true
    if (!counts || ++count !== kill?.number) return pass()
    const end = () => child?.kill('SIGKILL')
    if (kill.moment === 'before') {
      end()
      request.destroy()
      return
    }
    if (kill.moment === 'after') response.on('finish', end)
    pass()
    if (kill.moment === 'at') end()
  }
  const { out, endpoint } = place()
  const flags = ['publish', '--history', here.history, '--out', out, '--endpoint', endpoint]
  const env = { ...process.env, ...KEYS, TMPDIR: folder }
  child = spawn(process.execPath, [BIN, ...flags, ...more], { env, stdio: 'ignore' })
  const signal = await new Promise((resolve) => child?.on('close', (_code, by) => resolve(by)))
  // What the store had begun with when the upload died, it may still bring to its end.
  while (busy > 0) await new Promise((resolve) => setTimeout(resolve, 5))
  here.store.meddle = undefined
  return signal !== null
}

it(`an upload that is killed leaves the old site or the new one, ${KILLS} times`, async () => {
  const random = numbers(416)
  const upTo = (most: number) => Math.floor(most * random())
  const today = Math.floor((performance.timeOrigin + performance.now() - EPOCH) / HOUR)
  let hour = today - 250
  const grow = (by: number) => {
    add(hours(hour, hour + by))
    hour += by
  }
  await seal(here.history)
  await upload(undefined)
  let ids: readonly string[] = await expected()
  let killed = 0
  let sawNew = 0
  for (let run = 0; killed < KILLS && run < 2 * KILLS; run++) {
    const kept = join(folder, 'kept.json')
    writeFileSync(kept, await (await get('service/api/v1/forecasts.json')).text())
    grow(run % 10 === 0 ? 20 : 2)
    const late = upTo(90)
    if (run % 3 === 0) add(hours(late, late + 1, `late-${run}`))
    if (run % 2 === 0) await seal(here.history)
    const base = ['--base-url', address().slice(0, -1)]
    const more = run % 7 === 1 ? ['--full'] : run % 11 === 2 ? base : []
    const fromRecord = random() < 0.4
    const moment = (['before', 'at', 'after'] as const)[upTo(3)] as Moment
    if (await upload({ number: 1 + upTo(fromRecord ? 16 : 45), fromRecord, moment }, more)) killed++
    const [there, old] = await walks([kept])
    const now = there?.ids ?? []
    const after = await expected()
    if (now.length === after.length) sawNew++
    expect(now).toEqual(now.length === after.length ? after : ids)
    // A reader who has the old head already comes to its end.
    expect(old?.ids).toEqual(ids)
    ids = now
  }
  expect(killed).toBe(KILLS)
  expect(sawNew).toBeGreaterThan(KILLS / 5)
  expect(sawNew).toBeLessThan(KILLS)

  // The next build makes all of it good.
  await upload(undefined)
  expect((await walk()).ids).toEqual(await expected())
  expect(await faults()).toEqual([])
  expect((await checkDeployment(address())).findings).toEqual([])
  const end = today + 10
  await build(end)
  await build(end + 2, { full: true })
  // More than an hour later nothing is left of what was before.
  await build(end + 4)
  const mended = await contents()
  here.prefix = 'fresh'
  await build(end + 2)
  await build(end + 4)
  const fresh = await contents()
  expect([...mended.keys()].sort()).toEqual([...fresh.keys()].sort())
  for (const [path, text] of fresh) {
    if (!NOTES.test(path)) expect([path, mended.get(path) === text]).toEqual([path, true])
  }
})

/** They say which build it was. */
const NOTES = /build\.json|checksums/

/** All objects, with the generation taken out of their names and of what they hold; compressed copies by their names. */
async function contents(): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const path of await objects()) {
    const bytes = /\.(gz|br)$/.test(path) ? '' : await (await get(path)).text()
    expect(found.has(plain(path))).toBe(false)
    found.set(plain(path), plain(bytes))
  }
  return found
}

const plain = (text: string) =>
  text.replace(/(page-\d+)\d{9}(?=\.json)/g, '$1').replace(/(checksums-)\d+/g, '$1')
