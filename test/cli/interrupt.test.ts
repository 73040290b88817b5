import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { describe, expect, it, vi } from 'vitest'
import { interruptible, uninterrupted } from '../../src/cli/work.js'
import { yieldToEventLoop } from '../../src/files/waiting.js'
import { sample } from '../history/samples.js'
import { temporaryFolder } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'

const folder = temporaryFolder()

/** A command takes its time to load on a busy machine. */
const soon = (holds: () => unknown) => vi.waitFor(holds, { timeout: 50_000 })

const stopped = (left: string) =>
  `foreproof: the run was stopped before it was complete\n  ${left}\n`

describe.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s', (name) => {
  it('ends work where it looks, and what is left is said', async () => {
    const before = process.listenerCount(name)
    const work = interruptible('Half is left.', async (signal) => {
      process.emit(name)
      await yieldToEventLoop(signal)
    })
    await expect(work).rejects.toMatchObject({ code: 'interrupted', help: 'Half is left.' })
    expect(process.listenerCount(name)).toBe(before)
  })

  it('does not cut short work in two', () => {
    expect(uninterrupted(() => process.emit(name))).toBe(true)
  })

  it('ends an import of outcomes that waits for its input', async () => {
    const stdin = new PassThrough()
    stdin.write('{"a":1}\n')
    const before = process.listenerCount(name)
    const out = join(folder, 'vintage')
    const words = ['outcomes', 'import', '-', '--out', out]
    const running = inProcess(words, {}, new PassThrough(), stdin)
    await soon(() => expect(process.listenerCount(name)).toBeGreaterThan(before))
    process.emit(name)
    const { code, stderr } = await running
    expect(stderr).toBe(stopped('Nothing was written.'))
    expect([code, readdirSync(folder)]).toEqual([3, []])
  })

  it('says of an import in batches how many rows it kept', async () => {
    const stdin = new PassThrough()
    stdin.write([0, 1, 2].map((hour) => `${JSON.stringify(sample({ hour }))}\n`).join(''))
    const history = join(folder, 'history.sqlite')
    const words = ['history', 'import', '-', '--history', history, '--batch', '2']
    const running = inProcess(words, {}, new PassThrough(), stdin)
    await soon(async () => {
      const { stdout } = await inProcess(['history', 'stats', '--history', history])
      expect(stdout).toMatch(/\b2\b/)
    })
    process.emit(name)
    const kept = `Whole batches were kept: the first 2 rows of the input are in ${history}.`
    expect(await running).toMatchObject({ code: 3, stderr: stopped(kept) })
    rmSync(history)
  })
})
