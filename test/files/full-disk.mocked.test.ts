import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it, vi } from 'vitest'
import { withLock } from '../../src/files/lock.js'
import { writeNewFolder } from '../../src/files/new-folder.js'
import { temporaryFolder } from '../support/folder.js'

const full = vi.hoisted(() => () => {
  throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC', syscall: 'write' })
})
vi.mock('node:fs', async (original) => ({ ...(await original<object>()), writeFileSync: full }))

let folder: string
beforeEach(() => {
  folder = temporaryFolder()
})

it('leaves no lock without a holder', () => {
  const file = join(folder, 'ledger.jsonl')
  expect(() => withLock(file, () => 'done')).toThrow(
    expect.objectContaining({ name: 'ForeproofError', code: 'io', file: `${file}.lock` }),
  )
  expect(readdirSync(folder)).toEqual([])
})

it('leaves nothing of a folder that could not be begun', () => {
  expect(() => writeNewFolder(join(folder, 'run'), { 'result.json': '{}' })).toThrow(
    expect.objectContaining({ name: 'ForeproofError', code: 'io' }),
  )
  expect(readdirSync(folder)).toEqual([])
})
