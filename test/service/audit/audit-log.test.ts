import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { checkPayload } from '../../../src/contract/check-payload.js'
import { AuditFile } from '../../../src/service/audit/audit-file.js'
import { type AuditEntry, AuditLog, auditLine } from '../../../src/service/audit/audit-log.js'
import { Metrics } from '../../../src/service/health/metrics.js'
import { FaultLog, type Logger } from '../../../src/service/log.js'

// Other files of this worker have the same clock.
afterEach(() => void vi.useRealTimers())

function logOf() {
  const events: string[] = []
  const logger: Logger = { log: (_, event) => void events.push(event) }
  const settings = { auditMaxBytes: 1, auditBackups: 1, auditMaxAgeDays: 1 }
  const metrics = new Metrics()
  const parts = { logger, metrics, faults: new FaultLog(logger) }
  return { log: new AuditLog({ auditPath: 'reads.jsonl', ...settings }, parts), events, metrics }
}

/** What a file of the log does with one batch: how much room it has, and how many bytes the disk takes. */
interface Step {
  readonly room: number
  readonly taken: number
}

it('writes lines whole, once and in order, in any room and however much is written', async () => {
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
        const { log, events } = logOf()
        for (const [at, each] of lines.entries()) {
          log.append(each)
          if (at % 7 === 6) await vi.advanceTimersByTimeAsync(30)
        }
        await vi.advanceTimersByTimeAsync(60_000)
        await log.close()
        expect(files.join('')).toBe(lines.join(''))
        for (const text of files) expect(text === '' || text.endsWith('\n')).toBe(true)
        expect(events).not.toContain('audit-line-dropped')
      },
    ),
  )
})

it('gives up a file that does not answer, and says how many lines are lost', async () => {
  vi.useFakeTimers()
  vi.spyOn(AuditFile.prototype, 'ready').mockReturnValue(new Promise(() => {}))
  const { log, events, metrics } = logOf()
  for (const line of ['a\n', 'b\n', 'c\n']) log.append(line)
  await vi.advanceTimersByTimeAsync(100)
  const closed = log.close()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await closed).toBe(false)
  expect(events).toEqual(['audit-lines-lost'])
  expect(await metrics.render()).toContain('forecast_api_audit_lines_dropped_total 3\n')
})

const entry: fc.Arbitrary<AuditEntry> = fc.record({
  timestamp: fc.constantFrom('2026-01-02T03:04:05.678Z', '2026-01-02T03:04:05.679Z'),
  method: fc.constantFrom('GET', 'POST', ''),
  path: fc.oneof(fc.constant('/v1/forecasts'), fc.string({ unit: 'binary' })),
  remote_address: fc.constantFrom(null, '127.0.0.1', '2001:db8::1'),
  status: fc.constantFrom(200, 401, 503),
  latency_seconds: fc.oneof(
    fc.double({ min: 0, max: 0.01, noNaN: true }),
    fc.double({ min: 0, max: 9000, noNaN: true }),
  ),
  forecast_ids: fc.constantFrom('[]', '["a:b:2"]', '["a:b:2","a:\\u00e9:4"]'),
  key_fingerprint: fc.constantFrom(null, '0123456789abcdef', 'fedcba9876543210'),
  key_name: fc.constantFrom(null, 'alice'),
  request_id: fc.constantFrom('request-1', 'request-2'),
})

it('a line of the audit says of a request what it was', () => {
  fc.assert(
    fc.property(entry, (each) => {
      const line = auditLine(each)
      expect(line).toMatch(/^[\x20-\x7e]*\n$/)
      const said = JSON.parse(line)
      expect(checkPayload('audit-event', said)).toEqual([])
      expect(said).toEqual({
        ...each,
        latency_seconds: Number(each.latency_seconds.toFixed(6)),
        forecast_ids: JSON.parse(each.forecast_ids),
      })
    }),
  )
})

describe('a log of faults', () => {
  let lines: unknown[]
  let faults: FaultLog
  beforeEach(() => {
    vi.useFakeTimers()
    lines = []
    faults = new FaultLog({
      log: (level, event, message, fields) =>
        void lines.push([level, event, message, { ...fields }]),
    })
  })

  const met = (cause: string, name = 'disk') =>
    faults.report(name, 'disk-bad', cause, { file: 'x' })
  const over = (name = 'disk') => faults.over(name, 'disk-good', 'it works')

  it('a fault has a line when it begins, one for another cause, and one with a count when it ends', () => {
    over()
    for (let turn = 0; turn < 1000; turn++) met('full')
    met('gone')
    met('gone')
    met('elsewhere', 'other disk')
    vi.advanceTimersByTime(600_000)
    expect(lines).toEqual([
      ['error', 'disk-bad', 'full', { file: 'x' }],
      ['error', 'disk-bad', 'gone', { file: 'x' }],
      ['error', 'disk-bad', 'elsewhere', { file: 'x' }],
    ])
    for (let turn = 0; turn < 10; turn++) over()
    vi.advanceTimersByTime(600_000)
    met('full')
    expect(lines.slice(3)).toEqual([
      ['info', 'disk-good', 'it works', { suppressed: 1000 }],
      ['error', 'disk-bad', 'full', { file: 'x' }],
    ])
  })

  it('one that comes and goes is one, and one whose cause never stays is no flood', () => {
    for (let turn = 0; turn < 1000; turn++) {
      met('full')
      over()
      vi.advanceTimersByTime(1000)
    }
    expect(lines).toHaveLength(1)
    for (let turn = 0; turn < 1000; turn++) met(`cause ${turn}`)
    expect(lines).toHaveLength(20)
    over()
    faults.close()
    expect(lines.at(-1)).toEqual(['info', 'disk-good', 'it works', { suppressed: 999 + 981 }])
  })

  it('what has no end to be noticed is over when it was not met for a minute', () => {
    for (let turn = 0; turn < 3; turn++) {
      faults.metOnce('row', 'row-bad', 'a row')
      vi.advanceTimersByTime(59_000)
    }
    expect(lines).toHaveLength(1)
    vi.advanceTimersByTime(1000)
    const message = 'no longer met: row'
    expect(lines[1]).toEqual(['info', 'row-bad-over', message, { suppressed: 2 }])
  })
})
