import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/folder.js'
import { packedInto } from './snippets.js'

const folder = temporaryFolder('foreproof init ')
const project = join(folder, 'my forecasts')

/** A command line as a person types it; throws with what was said where it fails. */
function shell(line: string, cwd = project): string {
  const ran = spawnSync('sh', ['-ec', line], { cwd, encoding: 'utf8' })
  if (ran.status !== 0) throw new Error(`${line}: ${ran.status}\n${ran.stdout}${ran.stderr}`)
  return ran.stdout
}

/** The lines of the shell in a section of the README that init wrote. */
function commandsOf(section: string): string[] {
  const readme = readFileSync(join(project, 'README.md'), 'utf8')
  const [, rest = ''] = readme.split(`## ${section}\n`)
  const [, block = ''] = /```sh\n(.*?)```/s.exec(rest) ?? []
  return block.trimEnd().split('\n')
}

const workflow = () => readFileSync(join(project, '.github', 'workflows', 'foreproof.yml'), 'utf8')
const runs = () => [...workflow().matchAll(/^ +- run: (.*)$/gm)].map(([, line = '']) => line)
const commit = 'git add . && git -c user.name=me -c user.email=me@example.org commit --quiet -m'

// Where there is nothing but Node, git and the package.
beforeAll(() => {
  mkdirSync(project)
  const filename = packedInto(folder)
  writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true }))
  writeFileSync(join(project, '.gitignore'), 'node_modules\n')
  shell(`npm install --ignore-scripts --prefer-offline --no-audit --no-fund "../${filename}"`)
}, 600_000)

describe('init, from the tarball of the package in an empty project', () => {
  it('leads to a frozen protocol in the three commands of its README', () => {
    shell('git init --quiet -b main')
    shell('npx foreproof init')
    shell(`${commit} begin`)
    const commands = commandsOf('To a frozen protocol')
    expect(commands).toHaveLength(3)
    const said = commands.map((line) => shell(line))
    for (const text of said) expect(text).toContain('no findings')
    expect(said[2]).toContain('1 protocol, 1 ledger line verified')
  })

  it('has a workflow whose steps hold for the protocol, and do not once it is changed', () => {
    shell('git switch --quiet -c freeze')
    shell(`${commit} freeze`)
    const [install, gate = '', ...rest] = runs()
    expect([install, rest]).toEqual(['npm ci --ignore-scripts', []])
    expect(shell(gate)).not.toContain('::error')
    const file = join(project, 'protocols', 'my-forecasts-1.json')
    shell('git switch --quiet -c change main && git merge --quiet freeze')
    shell('git branch --quiet -f main freeze')
    writeFileSync(file, readFileSync(file, 'utf8').replace('0.03', '0.01'))
    shell(`${commit} change`)
    expect(() => shell(gate)).toThrow(/::error/)
    shell('git switch --quiet main')
  })

  it('takes a protocol out of a checkout on Windows as it went in', () => {
    const checked = shell(
      'git check-attr text eol merge -- protocols/ledger.jsonl protocols/a.json',
    )
    expect(checked).toContain('protocols/ledger.jsonl: merge: text')
    expect(checked.match(/eol: lf/g)).toHaveLength(2)
    expect(shell('git check-attr text -- protocols/stamps/a/b.tsr evidence/x/y')).toMatch(
      /b\.tsr: text: unset\n.*y: text: unset/,
    )
  })

  it('prints in its README how to renew plan and schemas', () => {
    const [template = ''] = commandsOf('plan.json')
    shell(template)
    const before = readFileSync(join(project, 'schemas', 'protocol.schema.json'), 'utf8')
    shell('npx foreproof schema protocol > schemas/protocol.schema.json')
    expect(readFileSync(join(project, 'schemas', 'protocol.schema.json'), 'utf8')).toBe(before)
    expect(shell('git status --porcelain')).toBe('')
  })
})
