import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { withLock } from '../../src/files/lock.js'
import { processStart, temporaryName } from '../../src/files/temporary.js'
import { lockSite } from '../../src/site/writer/folder.js'
import { temporaryFolder } from '../support/folder.js'

const knowsStart = processStart(process.pid) !== undefined

let folder: string
let file: string
beforeEach(() => {
  folder = temporaryFolder()
  file = join(folder, 'file')
})

describe('the lock of a site', () => {
  it('keeps a second build away', () => {
    const release = lockSite(file)
    expect(() => lockSite(file)).toThrow(/another build/)
    release()
    lockSite(file)()
    expect(existsSync(file)).toBe(false)
  })

  it('that cannot be read is not said to be that of a process without a number', () => {
    mkdirSync(file)
    const help = `Wait for it; if no foreproof is running, delete ${file}.`
    expect(() => lockSite(file)).toThrow(expect.objectContaining({ code: 'unavailable', help }))
  })

  it.runIf(knowsStart)('is taken over from an earlier process that had the same number', () => {
    writeFileSync(file, `${process.pid} 1\n`)
    const release = lockSite(file)
    expect(readFileSync(file, 'utf8')).toBe(`${process.pid} ${processStart(process.pid)}\n`)
    release()
  })
})

it.runIf(knowsStart)('the lock of a file is taken over in the same way', () => {
  writeFileSync(`${file}.lock`, `${process.pid} ${hostname()} 1\n`)
  expect(withLock(file, () => 'done')).toBe('done')
})

it('what was left by one who was killed while taking a lock over is gone with the next', () => {
  const { pid } = spawnSync('true')
  const aside = temporaryName(`${file}.lock`).replace(/\.\d+-\d*-/, `.${pid}--`)
  writeFileSync(aside, '')
  expect(withLock(file, () => existsSync(aside))).toBe(false)
})

it('the lock of a file is taken over from one who was killed before naming itself', () => {
  writeFileSync(`${file}.lock`, '')
  expect(withLock(file, () => 'done')).toBe('done')
  expect(existsSync(`${file}.lock`)).toBe(false)
})

it('a missing folder is named, not the lock that could not be made in it', () => {
  const missing = join(folder, 'missing')
  expect(() => withLock(join(missing, 'keys.json'), () => 'done')).toThrow(
    expect.objectContaining({ code: 'not-found', message: `${missing}: there is no such folder` }),
  )
})
