import { spawnSync } from 'node:child_process'
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  AtomicFile,
  createFileAtomic,
  writeFileAtomic,
  writePiecesAtomic,
} from '../../src/files/atomic.js'
import { createAll, createFolderSync, StagedFolder } from '../../src/files/new-folder.js'
import { temporaryName } from '../../src/files/temporary.js'
import { temporaryFolder } from '../support/folder.js'

let folder: string
beforeEach(() => {
  folder = temporaryFolder()
})

const inside = (name: string) => join(folder, name)
const text = (name: string) => readFileSync(inside(name), 'utf8')
/** An error of ours that says this. */
const error = (says: object) => expect.objectContaining({ name: 'ForeproofError', ...says })

describe('an atomic file', () => {
  it('has its name only once it is whole, and holds texts and bytes in order', () => {
    const file = new AtomicFile(inside('file'))
    const long = 'é'.repeat(100_000)
    file.write('a')
    file.write(Buffer.from('b'))
    file.write(long)
    file.write('c')
    expect(readdirSync(folder)).not.toContain('file')
    file.replace()
    file.discard()
    expect(text('file')).toBe(`ab${long}c`)
    expect(readdirSync(folder)).toEqual(['file'])
  })

  it('takes the place of a file alone, not that of what every program uses', () => {
    // By links and numbers, for a fault here would take /dev/null from this machine.
    symlinkSync('/dev/null', inside('null'))
    expect(spawnSync('mkfifo', [inside('pipe')]).status).toBe(0)
    for (const [path, kind] of [
      [inside('null'), 'a device'],
      [inside('pipe'), 'a named pipe'],
      ['/proc/self/fd/999', 'the name of an open file'],
    ] as const) {
      const message = `${path}: is ${kind}`
      expect(() => new AtomicFile(path)).toThrow(error({ code: 'refused', message }))
    }
    expect(readdirSync(folder).sort()).toEqual(['null', 'pipe'])
  })

  it('is written through links: they stay, and what they lead to is replaced or made', () => {
    mkdirSync(inside('data'))
    mkdirSync(inside('deep'))
    writeFileSync(inside('data/there'), 'old')
    symlinkSync('data', inside('folder'))
    for (const [link, leads] of [
      ['one', 'data/there'],
      ['two', 'one'],
      ['dangling', 'data/new'],
      // From the folder itself, not from the link that leads to it.
      ['folder/up', '../deep/other'],
    ] as const) {
      symlinkSync(leads, inside(link))
      writeFileAtomic(inside(link), link)
      expect(lstatSync(inside(link)).isSymbolicLink()).toBe(true)
      expect(text(link)).toBe(link)
    }
    expect(text('data/there')).toBe('two')
    expect(readdirSync(inside('data')).sort()).toEqual(['new', 'there', 'up'])
    expect(text('deep/other')).toBe('folder/up')
    expect(() => createFileAtomic(inside('one'), 'x')).toThrow(/already exists/)
    symlinkSync('nowhere/file', inside('lost'))
    const lost = error({ code: 'not-found', message: expect.stringContaining('lost') })
    expect(() => writeFileAtomic(inside('lost'), 'x')).toThrow(lost)
    symlinkSync('circle', inside('circle'))
    expect(() => writeFileAtomic(inside('circle'), 'x')).toThrow(/circle/)
    expect(text('data/there')).toBe('two')
  })

  it('leaves nothing behind when it is discarded', () => {
    writeFileAtomic(inside('file'), 'old')
    const file = new AtomicFile(inside('file'))
    file.write('new')
    file.discard()
    expect(text('file')).toBe('old')
    expect(readdirSync(folder)).toEqual(['file'])
  })

  it('is created once and never again', () => {
    createFileAtomic(inside('file'), 'first')
    const refused = error({ code: 'refused', file: inside('file') })
    expect(() => createFileAtomic(inside('file'), 'second')).toThrow(refused)
    expect(text('file')).toBe('first')
    expect(readdirSync(folder)).toEqual(['file'])
  })

  it('names itself, not what it waits as, when its folder is missing', () => {
    const path = inside('none/file')
    expect(() => writeFileAtomic(path, '')).toThrow(error({ code: 'not-found', file: path }))
  })

  it('is not written when its lines cannot be made', async () => {
    const lines = async function* () {
      yield 'line\n'
      throw new Error('no more')
    }
    await expect(writePiecesAtomic(inside('file'), lines())).rejects.toThrow('no more')
    expect(readdirSync(folder)).toEqual([])
    await writePiecesAtomic(inside('file'), ['a\n', 'b\n'])
    expect(text('file')).toBe('a\nb\n')
  })
})

describe('a staged folder', () => {
  it('has its name only once everything is in it', () => {
    const staged = new StagedFolder(inside('site'))
    staged.append('lines', 'a\n')
    staged.append('other', '')
    staged.append('lines', 'b\n')
    expect(readdirSync(folder)).not.toContain('site')
    staged.commit()
    staged.discard()
    expect(readdirSync(folder)).toEqual(['site'])
    expect(text('site/lines')).toBe('a\nb\n')
    expect(readdirSync(inside('site')).sort()).toEqual(['lines', 'other'])
  })

  it('takes no name that is in use, and leaves nothing behind', () => {
    writeFileSync(inside('site'), 'a file')
    const staged = new StagedFolder(inside('site'))
    staged.append('lines', 'a\n')
    expect(() => staged.commit()).toThrow(expect.objectContaining({ code: 'ENOTDIR' }))
    staged.discard()
    expect(readdirSync(folder)).toEqual(['site'])
  })
})

it('what a killed writer has left goes with the next write in its place, and nothing else does', () => {
  const own = temporaryName(inside('file'))
  const ended = own.replace(`.${process.pid}-`, `.${spawnSync('true').pid}-`)
  // A process of before had the number of this one.
  const former = own.replace(/-\d*-(?=[0-9a-f]{8}-)/, '-1-')
  const elsewhere = ended.replace(/[0-9a-f]{8}(?=-[0-9a-f]{8}\.tmp$)/, '00000000')
  const kept = [own, elsewhere, ended.replace('.file.', '.other.')]
  const writers = [
    () => writeFileAtomic(inside('file'), ''),
    () => new StagedFolder(inside('file')).commit(),
  ]
  for (const write of writers) {
    for (const path of [...kept, former]) writeFileSync(path, '')
    mkdirSync(join(ended, 'deep'), { recursive: true })
    write()
    expect(readdirSync(folder).sort()).toEqual(
      ['file', ...kept.map((path) => basename(path))].sort(),
    )
    rmSync(inside('file'), { recursive: true })
  }
})

const files = (...names: string[]) => names.map((name) => ({ path: inside(name), text: name }))
const tree = () => readdirSync(folder, { recursive: true }).map(String).sort()

describe('several files at once', () => {
  it('are written with their folders', () => {
    createAll(files('a', 'new/b', 'new/deep/c'))
    expect(tree()).toEqual(['a', 'new', 'new/b', 'new/deep', 'new/deep/c'])
    expect(text('new/deep/c')).toBe('new/deep/c')
  })

  it.each<[string, () => void, string]>([
    ['a file', () => writeFileSync(inside('a'), 'mine'), 'in the way is'],
    ['a folder', () => mkdirSync(inside('a')), 'in the way is'],
    ['a link to nowhere', () => symlinkSync('nowhere', inside('a')), 'in the way is'],
    ['a file for a folder', () => writeFileSync(inside('new'), ''), 'new: is a file'],
    ['a link for a folder', () => symlinkSync('nowhere', inside('new')), 'new: no such file'],
  ])('are refused by name where %s is in the way', (_what, put, says) => {
    put()
    const before = tree()
    const refused = error({ message: expect.stringContaining(says) })
    expect(() => createAll(files('a', 'z', 'new/b', 'new/c'))).toThrow(refused)
    expect(tree()).toEqual(before)
  })

  it.each([
    ['one cannot be written', ['a', 'old/b', 'new/deep/c', 'x'.repeat(300)], 'io'],
    // The same name twice: the second is taken only once the first is there.
    ['one name is taken meanwhile', ['new/a', 'b', 'b'], 'refused'],
  ])('are all gone again where %s', (_, names, code) => {
    mkdirSync(inside('old'))
    expect(() => createAll(files(...names))).toThrow(error({ code }))
    expect(tree()).toEqual(['old'])
  })
})

describe('a folder', () => {
  it('is made with those above it, once or again, and what was made is reported', () => {
    const path = inside('a/b/c')
    const made: string[] = []
    for (let turn = 0; turn < 2; turn++) createFolderSync(path, (each) => made.push(each))
    expect(statSync(path).isDirectory()).toBe(true)
    expect(made).toEqual([inside('a'), inside('a/b'), path])
  })

  it('does not take the place of a file', () => {
    const file = inside('file')
    writeFileSync(file, '')
    expect(() => createFolderSync(file)).toThrow(/EEXIST/)
    expect(() => createFolderSync(join(file, 'b'))).toThrow(/ENOTDIR/)
  })

  // There Node's own way never ends.
  it.runIf(process.platform === 'linux')('fails where the system can make none', () => {
    expect(() => createFolderSync('/proc/nope/a/b')).toThrow(/ENOENT/)
  })
})
