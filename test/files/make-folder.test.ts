import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeFolderSync } from '../../src/files/new-folder.js'
import { temporaryFolder } from '../support/folder.js'

const folder = temporaryFolder()

describe('a folder', () => {
  it('is made with those above it, once or again, and what was made is reported', () => {
    const path = join(folder, 'a', 'b', 'c')
    const made: string[] = []
    for (let turn = 0; turn < 2; turn++) makeFolderSync(path, (each) => made.push(each))
    expect(statSync(path).isDirectory()).toBe(true)
    expect(made).toEqual([join(folder, 'a'), join(folder, 'a', 'b'), path])
  })

  it('does not take the place of a file', () => {
    const file = join(folder, 'file')
    writeFileSync(file, '')
    expect(() => makeFolderSync(file)).toThrow(/EEXIST/)
    expect(() => makeFolderSync(join(file, 'b'))).toThrow(/ENOTDIR/)
  })

  // There Node's own way never ends.
  it.runIf(process.platform === 'linux')('fails where the system can make none', () => {
    expect(() => makeFolderSync('/proc/nope/a/b')).toThrow(/ENOENT/)
  })
})
