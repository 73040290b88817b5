import { copyFileSync, type PathLike, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { opened, writeProducer } from '../../history/support.js'
import { temporaryFolder } from '../../support/folder.js'

const after = vi.hoisted(() => ({ reading: () => {} }))
const before = vi.hoisted(() => ({ looking: (_path: unknown) => {} }))
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>()
  const readSync = ((...args: Parameters<typeof fs.readSync>) => {
    const bytes = fs.readSync(...args)
    after.reading()
    return bytes
  }) as typeof fs.readSync
  const statSync = (path: PathLike, options: { bigint?: boolean } = {}) => {
    if (options.bigint) before.looking(path)
    return fs.statSync(path, options)
  }
  return { ...fs, readSync, statSync }
})

const folder = temporaryFolder()

it('a first writer that commits between two looks at its file has written a history', async () => {
  const [whole, path] = [join(folder, 'whole.sqlite'), join(folder, 'path.sqlite')]
  writeProducer(whole, [{ hour: 1, model: 'a', horizon: 2 }])
  // Its first page is still to come.
  writeFileSync(path, Buffer.alloc(4096))
  after.reading = () => {
    after.reading = () => {}
    copyFileSync(whole, path)
  }
  const reader = opened(path)
  expect(await reader.extent()).toBeDefined()
})

it.each(['opens', 'returns to'])(
  'a file renamed while a reader %s its place is the one it reads',
  async (how) => {
    const [path, other] = [join(folder, `${how}.sqlite`), join(folder, 'other.sqlite')]
    writeProducer(path, [{ hour: 1, model: 'old', horizon: 2 }])
    writeProducer(other, [{ hour: 1, model: 'new', horizon: 2 }])
    const reader = opened(path)
    if (how === 'returns to') await reader.models()
    let looks = 0
    before.looking = (file) => {
      if (file === path && ++looks === 2) renameSync(other, path)
    }
    expect(await reader.models()).toEqual(['new'])
    expect(await reader.models()).toEqual(['new'])
  },
)
