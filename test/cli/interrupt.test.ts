import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { interruptible, uninterrupted } from '../../src/cli/interrupt.js'
import { breathe } from '../../src/files/breathe.js'
import { inProcess } from './in-process.js'

const folder = mkdtempSync(join(tmpdir(), 'foreproof-interrupt-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s', (name) => {
  it('ends work where it looks, and what is left is said', async () => {
    const before = process.listenerCount(name)
    const work = interruptible('Half is left.', async (signal) => {
      process.emit(name)
      await breathe(signal)
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
    await vi.waitFor(() => expect(process.listenerCount(name)).toBeGreaterThan(before))
    process.emit(name)
    const { code, stderr } = await running
    expect(stderr).toBe(
      'foreproof: the run was stopped before it was complete\n  Nothing was written.\n',
    )
    expect([code, readdirSync(folder)]).toEqual([3, []])
  })
})
