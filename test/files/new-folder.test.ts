import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { createAll, makeFolderSync } from '../../src/files/new-folder.js'
import { temporaryFolder } from '../support/folder.js'

let folder: string
beforeEach(() => {
  folder = temporaryFolder('create all ')
})

const files = (...names: string[]) =>
  names.map((name) => ({ path: join(folder, name), text: name }))
const tree = () => readdirSync(folder, { recursive: true }).map(String).sort()

describe('several files at once', () => {
  it('are written with their folders', () => {
    createAll(files('a', 'new/b', 'new/deep/c'))
    expect(tree()).toEqual(['a', 'new', 'new/b', 'new/deep', 'new/deep/c'])
    expect(readFileSync(join(folder, 'new/deep/c'), 'utf8')).toBe('new/deep/c')
  })

  it.each<[string, (at: string) => void, string]>([
    ['a file', (at) => writeFileSync(join(at, 'a'), 'mine'), 'in the way is'],
    ['a folder', (at) => mkdirSync(join(at, 'a')), 'in the way is'],
    ['a link to nowhere', (at) => symlinkSync('nowhere', join(at, 'a')), 'in the way is'],
    ['a file for a folder', (at) => writeFileSync(join(at, 'new'), ''), 'new: is a file'],
    ['a link for a folder', (at) => symlinkSync('nowhere', join(at, 'new')), 'new: no such file'],
  ])('are refused by name where %s is in the way', (_what, put, says) => {
    put(folder)
    const before = tree()
    expect(() => createAll(files('a', 'z', 'new/b', 'new/c'))).toThrow(
      expect.objectContaining({ name: 'ForeproofError', message: expect.stringContaining(says) }),
    )
    expect(tree()).toEqual(before)
  })

  it('are all gone again where one cannot be written', () => {
    mkdirSync(join(folder, 'old'))
    const tooLong = 'x'.repeat(300)
    expect(() => createAll(files('a', 'old/b', 'new/deep/c', tooLong))).toThrow(
      expect.objectContaining({ name: 'ForeproofError' }),
    )
    expect(tree()).toEqual(['old'])
  })

  it('are all gone again where one name is taken meanwhile', () => {
    // The same name twice: the second is taken only once the first is there.
    expect(() => createAll(files('new/a', 'b', 'b'))).toThrow(
      expect.objectContaining({ code: 'refused' }),
    )
    expect(tree()).toEqual([])
    expect(existsSync(folder)).toBe(true)
  })
})

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
