import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Finding } from '../../src/contract/findings/finding.js'
import type { GateOptions } from '../../src/gate/inputs.js'
import { temporaryFolder } from '../support/folder.js'
import { HistoryScript } from './history-script.js'
import { gateFinds } from './repositories.js'

/**
 * Each fixture is a history: its first line names the findings that are expected, in any order, as
 * `code file`, with `pointer` where there is one; `nothing` for none. An error is `!code`. The
 * second line may give options: `base=REV`, `strict`, and `merge-request` for a gate on the merge of
 * HEAD into main in every environment that has one. The rest are steps (see history-script.ts), from a repository in
 * which v1 and v2 were frozen and the base was set.
 */
const histories = new URL('histories/', import.meta.url)

function runHistory(template: string, name: string): { expected: string[]; found: string[][] } {
  const [first = '', second = '', ...rest] = readFileSync(new URL(name, histories), 'utf8')
    .split('\n')
    .map((line) => line.trim())
  const root = join(temporaryFolder(), name)
  cpSync(template, root, { recursive: true })
  const script = new HistoryScript(root)
  const options = second.startsWith('options:') ? second.split(' ').slice(1) : []
  const steps = options.length > 0 ? rest : [second, ...rest]
  for (const line of steps) if (line !== '' && !line.startsWith('#')) script.run(line)
  const strictBytes = options.includes('strict')
  const runs = options.includes('merge-request')
    ? mergeRequests(script)
    : [{ base: baseOf(options), env: {} }]
  const expected = first === 'nothing' ? [] : first.split(', ')
  return {
    expected: expected.sort(),
    found: runs.map((run) =>
      gateFinds({ cwd: root, dir: 'protocols', strictBytes, ...run }, shown).sort(),
    ),
  }
}

function baseOf(options: readonly string[]): string | undefined {
  const base = options.find((option) => option.startsWith('base='))?.slice(5) ?? 'base'
  return base === 'auto' ? undefined : base
}

type Run = Pick<GateOptions, 'base' | 'env'>

/** A merge of HEAD into main in GitHub Actions, and in GitLab CI, which names any of the best common ancestors. */
function mergeRequests(script: HistoryScript): Run[] {
  const main = script.git('rev-parse', 'main').trim()
  script.git('update-ref', 'refs/remotes/origin/main', main)
  const event = `${script.root}.event.json`
  writeFileSync(event, JSON.stringify({ pull_request: { base: { sha: main, ref: 'main' } } }))
  const ancestors = script.git('merge-base', '--all', 'main', 'HEAD').split('\n').filter(Boolean)
  expect(ancestors.length).toBeGreaterThan(1)
  return [
    { env: { GITHUB_ACTIONS: 'true', GITHUB_EVENT_PATH: event, GITHUB_BASE_REF: 'main' } },
    ...ancestors.map((ancestor) => ({
      env: {
        GITLAB_CI: 'true',
        CI_MERGE_REQUEST_DIFF_BASE_SHA: ancestor,
        CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main',
      },
    })),
  ]
}

const shown = ({ code, severity, file, pointer }: Finding) =>
  `${severity === 'error' ? '' : `${severity}:`}${code} ${file?.replace('protocols/', '') ?? ''} ${pointer ?? ''}`.trim()

/** Runs a gate over one of so many histories, in the order of their names; the first one among them. */
export function testHistories(every: number): void {
  describe('gate', () => {
    const template = temporaryFolder()
    beforeAll(() => {
      const start = new HistoryScript(template)
      start.git('init', '-q', '-b', 'main')
      for (const line of ['freeze v1', 'commit', 'freeze v2 q v1', 'commit', 'base'])
        start.run(line)
    })

    const names = readdirSync(histories).sort()
    it.each(names.filter((_, index) => index % every === 0))('%s', (name) => {
      const { expected, found } = runHistory(template, name)
      expect(found).toEqual(found.map(() => expected))
    })
  })
}
