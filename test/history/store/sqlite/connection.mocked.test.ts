import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { openHistory } from '../../../../src/history/store/open.js'
import { temporaryFolder, writeProducer } from '../../support.js'

const after = vi.hoisted(() => ({ reading: () => {} }))
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>()
  const readSync = ((...args: Parameters<typeof fs.readSync>) => {
    const bytes = fs.readSync(...args)
    after.reading()
    return bytes
  }) as typeof fs.readSync
  return { ...fs, readSync }
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
  const reader = openHistory(path)
  expect(await reader.extent()).toBeDefined()
  await reader.close()
})
