import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { afterUse } from '../support/at-end.js'
import { temporaryFolder } from '../support/folder.js'
import { eventually, serve } from '../support/service/serve.js'

const SIZE = 65_536
const FILLER = 40_960

/** Puts a file system of its own, of 64 KiB, at a folder; gives why it cannot, or nothing. */
function mount(folder: string): string {
  const args = ['-t', 'tmpfs', '-o', `size=${SIZE}`, 'tmpfs', folder]
  const ran = spawnSync('mount', args, { encoding: 'utf8' })
  return ran.status === 0 ? '' : (ran.error?.message ?? ran.stderr).trim()
}

const unmount = (folder: string) => spawnSync('umount', ['--lazy', folder])

function obstacle(): string {
  const folder = temporaryFolder()
  const said = mount(folder)
  if (said === '') unmount(folder)
  rmdirSync(folder)
  return said
}

const why = obstacle()
it.runIf(why !== '')(`cannot mount a small file system here (${why})`, () => {
  expect(why).not.toBe('')
})

describe.runIf(why === '')('an audit log on a small file system of its own', () => {
  it('that is full: reads go on, failures are counted and reported once, whole lines stay, the rest comes when there is room', async () => {
    const served = await serve({
      prepare: (folder) => {
        const audit = join(folder, 'audit')
        mkdirSync(audit)
        expect(mount(audit)).toBe('')
        writeFileSync(join(audit, 'filler'), Buffer.alloc(FILLER))
      },
    })
    // Before the service ends and its folder goes: what was asked for last is done first.
    afterUse(() => unmount(join(served.folder, 'audit')))
    const { auditPath } = served
    const ask = async (name: string) => {
      const headers = { 'X-Request-Id': name }
      const got = await served.get('/v1/forecasts/latest', { headers })
      expect(got.status).toBe(200)
    }
    const lines = () => readFileSync(auditPath, 'utf8').split('\n')
    const names = () =>
      lines()
        .slice(0, -1)
        .map((line) => JSON.parse(line).request_id)

    for (let turn = 0; turn < 150; turn++) await ask(`request-${turn}`)
    await eventually(async () => (await served.figure('audit_write_failures_total')) >= 2)
    expect(served.events('audit-write-failed')).toHaveLength(1)
    expect(served.events('audit-recovered')).toEqual([])
    // What a try has written of a line is cut off again, a moment later.
    await eventually(() => lines().at(-1) === '')
    const kept = names()
    expect(kept.length).toBeGreaterThan(10)
    expect(kept.length).toBeLessThan(150)
    for (let turn = 150; turn < 160; turn++) await ask(`request-${turn}`)
    expect(names()).toEqual(kept)

    rmSync(join(served.folder, 'audit', 'filler'))
    await eventually(() => names().length === 160)
    expect(names()).toEqual(Array.from({ length: 160 }, (_, turn) => `request-${turn}`))
    await served.logged('audit-recovered')
    expect(await served.figure('audit_lines_dropped_total')).toBe(0)
    await ask('afterwards')
    await eventually(() => names().at(-1) === 'afterwards')
  })
})
