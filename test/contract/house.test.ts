import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../support/folder.js'
import { ROOT } from '../support/run.js'
import { put } from '../support/text-file.js'

const MAP = 'docs/internals/architecture.md'
const PERSON = { GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@b', GIT_COMMITTER_NAME: 'a' }
const who = { ...PERSON, GIT_COMMITTER_EMAIL: 'a@b', GIT_CEILING_DIRECTORIES: '/' }

it('the house asks subjects of at most 72 characters, where there is a history', () => {
  const folder = temporaryFolder()
  cpSync(join(ROOT, MAP), join(folder, MAP))
  const options = { cwd: folder, encoding: 'utf8', env: { ...process.env, ...who } } as const
  const check = () => spawnSync('node', [join(ROOT, '.ci/house.mjs')], options)
  const commit = (message: string, date: string) =>
    execFileSync('git', ['commit', '--allow-empty', '-qm', message], {
      ...options,
      env: { ...options.env, GIT_COMMITTER_DATE: date },
    })
  expect(check().status).toBe(0)
  execFileSync('git', ['init', '-q'], options)
  expect(check().status).toBe(0)
  commit('x'.repeat(73), '2026-11-28T00:00:00Z')
  commit(`${'x'.repeat(72)}\n\nWhy.`, '2030-01-01T00:00:00Z')
  expect(check().status).toBe(0)
  commit('x'.repeat(73), '2030-01-01T00:00:00Z')
  commit('a subject\nand no empty line', '2030-01-01T00:00:00Z')
  const { status, stderr } = check()
  expect(status).toBe(1)
  expect(stderr).toMatch(/73 characters, not 72 at most\n/)
  expect(stderr).toMatch(/an empty line belongs between subject and body\n/)
  expect(stderr.trim().split('\n')).toHaveLength(2)
})

it('the house asks for the version of a protocol in few rooms only', () => {
  const folder = temporaryFolder()
  cpSync(join(ROOT, MAP), join(folder, MAP))
  const env = { ...process.env, GIT_CEILING_DIRECTORIES: '/' }
  const faultsWith = (file: string, line: string) => {
    put(join(folder, file), `${line}\n`)
    const options = { cwd: folder, encoding: 'utf8', env } as const
    const { stderr } = spawnSync('node', [join(ROOT, '.ci/house.mjs')], options)
    rmSync(join(folder, file))
    return stderr.trim()
  }
  const uses = [
    'if (result.settings.rules.schema === 1) go()',
    'const { schema, required } = result.settings.rules',
    'const isSeries = protocol.schema_version === 2',
    'if (document.protocol_version === version) go()',
    'if (registration.registration_version !== 1) go()',
  ]
  for (const line of uses) {
    expect(faultsWith('src/report/made.ts', line)).toMatch(/^src\/report\/made\.ts:1: asks for a/)
    expect(faultsWith('src/protocol/made.ts', line)).toBe('')
  }
  expect(faultsWith('src/report/made.ts', 'const { kind } = rules.periods')).toBe('')
})
