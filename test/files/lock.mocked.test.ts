import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { withLock } from '../../src/files/lock.js'
import { writeNewFolder } from '../../src/files/new-folder.js'
import { processStart } from '../../src/files/temporary.js'
import { lockSite } from '../../src/site/writer/folder.js'
import { temporaryFolder } from '../support/folder.js'

const before = vi.hoisted(() => ({ write: () => {}, look: () => {} }))
vi.mock('node:fs', async (original) => {
  const real = await original<typeof import('node:fs')>()
  const writing: typeof real.writeFileSync = (...args) => {
    before.write()
    real.writeFileSync(...args)
  }
  const looking = ((...args: Parameters<typeof real.statSync>) => {
    before.look()
    return real.statSync(...args)
  }) as typeof real.statSync
  return { ...real, writeFileSync: writing, statSync: looking }
})

let folder: string
let lock: string
beforeEach(() => {
  folder = temporaryFolder()
  lock = join(folder, 'ledger.jsonl.lock')
})
afterEach(() => {
  Object.assign(before, { write: () => {}, look: () => {} })
  vi.restoreAllMocks()
})

const held = () =>
  withLock(join(folder, 'ledger.jsonl'), () => readFileSync(lock, 'utf8').split(' ')[0])

it('is taken again by one who came too late to put a name into it', () => {
  let late = 0
  before.write = () => {
    if (late++ === 0) renameSync(lock, join(folder, 'aside'))
  }
  expect(held()).toBe(String(process.pid))
  expect(late).toBe(2)
  expect(existsSync(lock)).toBe(false)
})

it('is left to one who is about to put a name into it, by one who looks for the first time', () => {
  writeFileSync(lock, '')
  // A machine that was busy for long between any two instants.
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 1100))
  let wasThere = false
  vi.spyOn(Atomics, 'wait').mockImplementationOnce(() => {
    wasThere = existsSync(lock)
    rmSync(lock)
    return 'timed-out'
  })
  expect(held()).toBe(String(process.pid))
  expect(wasThere).toBe(true)
})

it('of a site is had where it is given back while it is looked at', () => {
  writeFileSync(lock, `${process.pid} ${processStart(process.pid) ?? ''}`.trim())
  before.look = () => {
    before.look = () => {}
    rmSync(lock)
  }
  lockSite(lock)()
})

describe('a full disk', () => {
  beforeEach(() => {
    before.write = () => {
      throw Object.assign(new Error('no space left'), { code: 'ENOSPC', syscall: 'write' })
    }
  })

  it('leaves no lock without a holder', () => {
    expect(held).toThrow(
      expect.objectContaining({ name: 'ForeproofError', code: 'io', file: lock }),
    )
    expect(readdirSync(folder)).toEqual([])
  })

  it('leaves nothing of a folder that could not be begun', () => {
    expect(() => writeNewFolder(join(folder, 'run'), { 'result.json': '{}' })).toThrow(
      expect.objectContaining({ name: 'ForeproofError', code: 'io' }),
    )
    expect(readdirSync(folder)).toEqual([])
  })
})
