import fc from 'fast-check'
import { afterEach, expect, it, vi } from 'vitest'
import { AuditFile } from '../../../src/service/audit/audit-file.js'
import { AuditLog } from '../../../src/service/audit/audit-log.js'

// Other files of this worker have the same clock.
afterEach(() => void vi.useRealTimers())

/** What a file of the log does with one batch: how much room it has, and how many bytes the disk takes. */
interface Step {
  readonly room: number
  readonly taken: number
}

it('writes lines whole, once and in order, whatever the room and however much is written', async () => {
  const line = fc.integer({ min: 0, max: 300 }).map((length) => `${'x'.repeat(length)}\n`)
  const step = fc.record({ room: fc.nat(900), taken: fc.nat(1200) })
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { maxLength: 60 }),
      fc.array(step, { maxLength: 30 }),
      async (lines, steps) => {
        vi.useFakeTimers({ now: 1_767_225_600_000 })
        const files: string[] = ['']
        const left: Step[] = [...steps]
        const roomNow = () => left[0]?.room ?? Number.POSITIVE_INFINITY
        const file = AuditFile.prototype
        vi.spyOn(file, 'ready').mockResolvedValue()
        vi.spyOn(file, 'prune').mockResolvedValue()
        vi.spyOn(file, 'close').mockResolvedValue()
        vi.spyOn(file, 'room').mockImplementation(roomNow)
        vi.spyOn(file, 'empty', 'get').mockImplementation(() => files.at(-1) === '')
        vi.spyOn(file, 'rotate').mockImplementation(async () => {
          files.push('')
        })
        vi.spyOn(file, 'append').mockImplementation(async (bytes) => {
          const text = bytes.toString('latin1')
          const fits = text.length <= roomNow() || files.at(-1) === ''
          expect(fits).toBe(true)
          const taken = Math.min(left.shift()?.taken ?? text.length, text.length)
          if (taken === 0 && text.length > 0) throw new Error('disk full')
          // As the file does it: half a line does not stay.
          const whole = taken === text.length ? taken : text.lastIndexOf('\n', taken - 1) + 1
          if (whole === 0 && text.length > 0) throw new Error('disk full')
          files[files.length - 1] += text.slice(0, whole)
          return whole
        })
        const dropped = vi.fn()
        const observer = {
          failed: vi.fn(),
          written: vi.fn(),
          removed: vi.fn(),
          dropped,
          lost: vi.fn(),
        }
        const log = new AuditLog(
          'reads.jsonl',
          { maxBytes: 1, backups: 1, maxAgeDays: 1 },
          observer,
        )
        for (const [at, each] of lines.entries()) {
          log.append(each)
          if (at % 7 === 6) await vi.advanceTimersByTimeAsync(30)
        }
        await vi.advanceTimersByTimeAsync(60_000)
        await log.close()
        expect(files.join('')).toBe(lines.join(''))
        for (const text of files) expect(text === '' || text.endsWith('\n')).toBe(true)
        expect(dropped).not.toHaveBeenCalled()
      },
    ),
  )
})

it('gives up a file that does not answer, and says how many lines are lost', async () => {
  vi.useFakeTimers()
  vi.spyOn(AuditFile.prototype, 'ready').mockReturnValue(new Promise(() => {}))
  const observer = {
    failed: vi.fn(),
    written: vi.fn(),
    removed: vi.fn(),
    dropped: vi.fn(),
    lost: vi.fn(),
  }
  const log = new AuditLog('reads.jsonl', { maxBytes: 1, backups: 1, maxAgeDays: 1 }, observer)
  for (const line of ['a\n', 'b\n', 'c\n']) log.append(line)
  await vi.advanceTimersByTimeAsync(100)
  const closed = log.close()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await closed).toBe(false)
  expect(observer.lost.mock.calls).toEqual([[3]])
})
