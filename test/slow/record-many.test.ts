import { statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { makeOrigin, type Origin, recordIn, saveLedger } from '../record/disk.js'
import { day, MadeLedger } from '../record/made-ledger.js'
import { temporaryFolder } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'

let origin: Origin
beforeAll(async () => {
  origin = await makeOrigin()
}, 120_000)

async function recordOf(ledger: MadeLedger, on: number) {
  const folder = temporaryFolder()
  await saveLedger(folder, ledger, origin)
  const out = join(folder, 'record')
  const before = process.cpuUsage()
  const built = await inProcess([
    ...['record', '--protocols', join(folder, 'protocols'), '--now', day(on), '--out', out],
    ...['--registrations', join(folder, 'registrations', '*')],
    ...['--evidence', join(folder, 'evidence', '*')],
  ])
  const { user, system } = process.cpuUsage(before)
  expect([built.code, built.stderr]).toEqual([0, ''])
  return { out, seconds: (user + system) / 1e6 }
}

it('a thousand registrations: built in five seconds, on a page of at most one megabyte', async () => {
  const ledger = new MadeLedger(origin.templates)
  const digests: string[] = []
  for (let at = 0; at < 1000; at++) {
    const on = at * 2
    const digest = ledger.register({ on, days: [on + 3, on + 9], candidates: [`model-${at % 40}`] })
    if (at % 5 === 0) ledger.stamp(on + 1)
    digests.push(digest)
    // Twelve days after its registration.
    if (at % 10 === 6) ledger.score(digests[at - 6]!, 'inconclusive', on + 1)
    if (at % 7 === 0 && at % 10 !== 0) ledger.close(digest, 'abandoned', on + 1)
  }
  const { out, seconds } = await recordOf(ledger, 3000)
  expect(recordIn(out).registrations).toHaveLength(1000)
  expect(statSync(join(out, 'index.html')).size).toBeLessThan(1_000_000)
  expect(seconds).toBeLessThan(5)
}, 300_000)
