import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { draftText } from '../protocol/sample.js'
import { temporaryFolder } from '../support/folder.js'
import { BIN, foreproof } from '../support/run.js'

/** Starts to freeze a draft in the folder protocols of another. */
function freezing(cwd: string, version: string) {
  const child = spawn(process.execPath, [BIN, 'freeze', '-'], { cwd })
  child.stdin.on('error', () => undefined)
  child.stdin.end(draftText(version))
  // Listened for from the start: a run that is done before it is killed closes only once.
  return { child, closed: once(child, 'close') }
}

it('every one of many that freeze at once gets a place in the chain', async () => {
  const cwd = temporaryFolder()
  const versions = Array.from({ length: 8 }, (_, i) => `v${i}`)
  const ends = await Promise.all(versions.map((version) => freezing(cwd, version).closed))
  expect(ends.map(([code]) => code)).toEqual(versions.map(() => 0))
  const { code, stdout } = await foreproof('verify protocols --format json', { cwd })
  expect([code, JSON.parse(stdout).ledgers[0].entries]).toEqual([0, 8])
  expect(readdirSync(join(cwd, 'protocols'))).toHaveLength(9)
})

it('freeze leaves a folder that can be completed, wherever it is killed', async () => {
  const cwd = temporaryFolder()
  for (const delay of [60, 75, 90, 105, 120, 140]) {
    const { child, closed } = freezing(cwd, 'v1')
    await pause(delay)
    child.kill('SIGKILL')
    await closed
  }
  const again = await foreproof('freeze -', { cwd, input: draftText('v1') })
  expect(again, again.stdout).toMatchObject({ code: 0, stderr: '' })
  expect((await foreproof('verify protocols', { cwd })).code).toBe(0)
})
