import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ForeproofError } from '../../src/contract/error.js'
import { runGate } from '../../src/gate/gate.js'
import { HistoryScript } from './history-script.js'

/**
 * Each fixture is a history: its first line names the findings that are expected, in any order, as
 * `code file`, with `pointer` where there is one; `nothing` for none. An error is `!code`. The
 * second line may give options. The rest are steps (see history-script.ts), from a repository in
 * which v1 and v2 were frozen and the base was set.
 */
const histories = new URL('histories/', import.meta.url)
const hasGit = spawnSync('git', ['--version']).status === 0

let folder: string
let template: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gate-'))
  template = join(folder, 'template')
  cpSync(new URL('../protocol/', import.meta.url), template, {
    recursive: true,
    filter: () => false,
  })
  const script = new HistoryScript(folder)
  script.git('init', '-q', '-b', 'main', template)
  const start = new HistoryScript(template)
  for (const line of ['freeze v1', 'commit', 'freeze v2 q v1', 'commit', 'base']) start.run(line)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function runHistory(name: string): { expected: string[]; found: string[] } {
  const [first = '', second = '', ...rest] = readFileSync(new URL(name, histories), 'utf8')
    .split('\n')
    .map((line) => line.trim())
  const root = join(folder, name)
  cpSync(template, root, { recursive: true })
  const script = new HistoryScript(root)
  const options = second.startsWith('options:') ? second.split(' ').slice(1) : []
  const steps = options.length > 0 ? rest : [second, ...rest]
  for (const line of steps) if (line !== '' && !line.startsWith('#')) script.run(line)
  const base = options.find((option) => option.startsWith('base='))?.slice(5) ?? 'base'
  const expected = first === 'nothing' ? [] : first.split(', ')
  return { expected: expected.sort(), found: found(root, base, options).sort() }
}

function found(root: string, base: string, options: readonly string[]): string[] {
  const strictBytes = options.includes('strict')
  const asked = base === 'auto' ? undefined : base
  try {
    const gate = runGate({ cwd: root, dir: 'protocols', base: asked, strictBytes, env: {} })
    return gate.findings.map(({ code, severity, file, pointer }) => {
      const mark = severity === 'error' ? '' : `${severity}:`
      return `${mark}${code} ${file?.replace('protocols/', '')} ${pointer ?? ''}`.trim()
    })
  } catch (error) {
    if (error instanceof ForeproofError) return [`!${error.code}`]
    throw error
  }
}

describe.runIf(hasGit)('gate', () => {
  it.each(readdirSync(histories))('%s', (name) => {
    const { expected, found } = runHistory(name)
    expect(found).toEqual(expected)
  })
})
