import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { FaultLog } from '../../src/service/log.js'

let lines: unknown[]
let faults: FaultLog
beforeEach(() => {
  vi.useFakeTimers()
  lines = []
  faults = new FaultLog({
    log: (level, event, message, fields) => void lines.push([level, event, message, { ...fields }]),
  })
})
afterEach(() => void vi.useRealTimers())

const met = (cause: string, name = 'disk') => faults.met(name, 'disk-bad', cause, { file: 'x' })
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
