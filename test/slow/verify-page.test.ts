import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { sha256Hex } from '../../src/document/digest.js'
import { temporaryFolder } from '../support/folder.js'
import { foreproof, ROOT } from '../support/run.js'

const page = readFileSync(join(ROOT, 'dist/verify.html'))

it('has the same bytes from a second build, in another place', () => {
  const folder = temporaryFolder()
  for (const name of ['src', '.ci', 'package.json', 'tsconfig.json', 'LICENSE']) {
    cpSync(join(ROOT, name), join(folder, name), { recursive: true })
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  // As `npm run build` does, but that types are not checked once more.
  const tsc = 'node_modules/typescript/bin/tsc -p tsconfig.json --noCheck'
  for (const step of ['.ci/generate.mjs', tsc, '.ci/verify-page.mjs']) {
    const built = spawnSync('node', step.split(' '), { cwd: folder, encoding: 'utf8' })
    expect(built.status, built.stderr).toBe(0)
  }
  expect(sha256Hex(readFileSync(join(folder, 'dist/verify.html')))).toBe(sha256Hex(page))
})

it('is written by verify-page, and its digest said', async () => {
  const out = join(temporaryFolder(), 'page.html')
  const ran = await foreproof(['verify-page', '--out', out])
  expect(ran).toMatchObject({ code: 0, stdout: `${sha256Hex(page)}  ${out}\n` })
  expect(readFileSync(out).equals(page)).toBe(true)
  expect((await foreproof('--version --verbose')).stdout).toContain(
    `verify.html  ${sha256Hex(page)}`,
  )
})
