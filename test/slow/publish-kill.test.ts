import { spawn } from 'node:child_process'
import { realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { checkDeployment } from '../../src/conformance/run.js'
import { pullHistory } from '../../src/history/pull/pull.js'
import { openHistory } from '../../src/history/store/open.js'
import { openSqlite } from '../../src/history/store/sqlite/driver.js'
import { folderDeployment } from '../../src/remote/deployment.js'
import { checkSite } from '../../src/site/check.js'
import { seal } from '../history/log/sealed.js'
import { addRows, EPOCH, HOUR, PRODUCER_DDL } from '../history/support.js'
import { temporaryFolder } from '../support/folder.js'
import { numbers } from '../support/random.js'
import { foreproof, ROOT } from '../support/run.js'

const KILLS = 50
const folder = temporaryFolder()

let history = ''
let out = ''
let hour = 0
let run = 0

beforeEach(async () => {
  run++
  history = join(folder, `history-${run}.sqlite`)
  out = join(folder, `site-${run}`)
  const db = openSqlite(history)
  db.exec(PRODUCER_DDL)
  db.close()
  hour = Math.floor((performance.timeOrigin + performance.now() - EPOCH) / HOUR) - 4000
  await grow(400)
})

/** New rows, sealed: a checkpoint covers all of them. */
async function grow(hours: number): Promise<void> {
  const db = openSqlite(history)
  const rows = []
  for (const end = hour + hours; hour < end; hour++) {
    for (const model of ['alpha', 'beta', 'gamma']) {
      for (const horizon of [2, 4, 8, 16]) rows.push({ hour, model, horizon })
    }
  }
  addRows(db, rows)
  db.exec('UPDATE forecast_predictions SET q10_usd = 1, q50_usd = 2, q90_usd = 3')
  db.close()
  await seal(history)
}

const args = (more: readonly string[]) => ['publish', '--history', history, '--out', out, ...more]

/** Starts a build and kills it after so long; true when it had ended by itself before. */
function killAfter(milliseconds: number, more: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(ROOT, 'bin/foreproof.js'), ...args(more)])
    const timer = setTimeout(() => child.kill('SIGKILL'), milliseconds)
    child.on('close', (_code, signal) => {
      clearTimeout(timer)
      resolve(signal === null)
    })
  })
}

async function timeOf(more: readonly string[]): Promise<number> {
  const began = performance.now()
  const { code, stderr } = await foreproof(args(more))
  expect(`${code}${stderr}`).toBe('0')
  return performance.now() - began
}

/** Failures other than being behind the history. */
async function broken(): Promise<string[]> {
  const reader = openHistory(history)
  const { findings } = await checkSite(out, reader)
  await reader.close()
  return findings
    .map(({ code, file }) => `${code} ${file}`)
    .filter((text) => !text.startsWith('site-outdated'))
}

async function unsound(): Promise<string[]> {
  const { findings } = await checkDeployment(realpathSync(out))
  return findings.map(({ code, file }) => `${code} ${file}`)
}

/** What a new mirror has to say of the log: whether it and the rows are in step. */
async function logFaults(): Promise<string[]> {
  const mirror = join(folder, 'mirror.sqlite')
  rmSync(mirror, { force: true })
  const deployment = folderDeployment(realpathSync(out))
  const { findings, log } = await pullHistory({ deployment, path: mirror, now: 0 })
  expect(log?.entries).toBeGreaterThan(4000)
  return findings.map(({ code, file }) => `${code} ${file}`)
}

describe('a build that is killed', () => {
  it(`leaves the old site or the new one, ${KILLS} times`, async () => {
    await timeOf([])
    await grow(30)
    let whole = await timeOf([])
    const random = numbers(410)
    let killed = 0
    for (let kill = 0; killed < KILLS && kill < 4 * KILLS; kill++) {
      // Mostly a few new rows, at times enough to fill many pages.
      await grow(kill % 10 === 0 ? 60 : 2)
      const full = kill % 7 === 0 ? ['--full'] : []
      const began = performance.now()
      if (await killAfter(whole * random(), full)) whole = performance.now() - began
      else killed++
      expect(await broken()).toEqual([])
      if (kill % 10 !== 0) continue
      expect(await unsound()).toEqual([])
      expect(await logFaults()).toEqual([])
    }
    expect(killed).toBe(KILLS)
    await timeOf([])
    expect(await broken()).toEqual([])
    expect(await unsound()).toEqual([])
  })

  it('in place, leaves a site that every client can walk, and the next build mends it', async () => {
    const plain = ['--in-place']
    await timeOf(plain)
    await grow(30)
    const whole = await timeOf(plain)
    const random = numbers(411)
    for (let kill = 0; kill < KILLS / 4; kill++) {
      await grow(kill % 10 === 0 ? 60 : 2)
      await killAfter(whole * (0.15 + 1.1 * random()), plain)
      // Checksums and compressed copies may be a build behind; what a client reads may not be wrong.
      const faults = (await unsound()).filter(
        (fault) =>
          !/-(?:checksums|encodings|pages-reachable|snapshot|latest-is-newest) /.test(fault),
      )
      expect(faults).toEqual([])
      if (kill % 5 === 0) expect(await logFaults()).toEqual([])
    }
    await timeOf(plain)
    expect(await broken()).toEqual([])
    expect(await unsound()).toEqual([])
  })
})
