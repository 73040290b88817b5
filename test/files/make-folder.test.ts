import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { makeFolder, makeFolderSync } from '../../src/files/make-folder.js'

const folder = mkdtempSync(join(tmpdir(), 'make-folder-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe.each([
  ['at once', async (path: string) => makeFolderSync(path)],
  ['meanwhile', makeFolder],
])('a folder made %s', (name, make) => {
  it('is made with those above it, once or again', async () => {
    const path = join(folder, name, 'b', 'c')
    await make(path)
    await make(path)
    expect(statSync(path).isDirectory()).toBe(true)
  })

  it('does not take the place of a file', async () => {
    const file = join(folder, `${name} file`)
    writeFileSync(file, '')
    await expect(make(file)).rejects.toMatchObject({ code: 'EEXIST' })
    await expect(make(join(file, 'b'))).rejects.toMatchObject({ code: 'ENOTDIR' })
  })

  // There Node's own way never ends.
  it.runIf(process.platform === 'linux')('fails where the system can make none', async () => {
    await expect(make('/proc/nope/a/b')).rejects.toMatchObject({ code: 'ENOENT' })
  })
})
