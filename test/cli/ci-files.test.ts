import { readFileSync } from 'node:fs'
import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { COMMANDS } from '../../src/cli/commands.js'
import { parseLine } from '../../src/cli/parse.js'

const read = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')
const terminal = {
  stdin: process.stdin,
  stdout: new PassThrough(),
  stderr: new PassThrough(),
  env: {},
}

/** Every call of the tool in a file, up to what only a shell understands. */
function calls(text: string): string[] {
  const found = text.matchAll(
    /(?:npx |npx --no |exec npx |entry: |^)foreproof ((?:gate|verify|ledger)[^\n`>|"]*)/gm,
  )
  return [...found].map(([, rest = '']) => rest.trim())
}

describe.each([
  'docs/ci.md',
  '.pre-commit-hooks.yaml',
  'templates/init/workflow.yml',
  'templates/init/README.md',
])('%s', (name) => {
  it('calls the tool with commands and options that it has', async () => {
    const lines = calls(read(name))
    expect(lines.length).toBeGreaterThan(0)
    for (const line of lines) {
      const entry = COMMANDS.find((each) => `${line} `.startsWith(`${each.name} `))
      if (entry === undefined) throw new Error(`no command: ${line}`)
      const args = line.slice(entry.name.length).split(' ').filter(Boolean)
      const command = (await entry.load()).default
      // A hook gets its file names from the framework.
      const files = command.positionals === '' ? [] : ['x.json']
      await parseLine(entry, command, [...args, ...files], terminal)
    }
  })
})

describe('action.yml', () => {
  it('uses options that the gate has', async () => {
    const gate = COMMANDS.find((each) => each.name === 'gate')
    const options = [
      ...read('action.yml').matchAll(/(?<=[\s(])--(base|dir|strict-bytes|format)\b/g),
    ]
    expect(new Set(options.map(([option]) => option))).toEqual(
      new Set(['--base', '--dir', '--strict-bytes', '--format']),
    )
    const args = ['--base', 'x', '--dir', 'y', '--strict-bytes', '--format', 'github']
    const command = (await gate?.load())?.default
    if (command === undefined) throw new Error('no gate')
    expect(await parseLine({ name: 'gate', describe: '' }, command, args, terminal)).toMatchObject({
      dir: 'y',
    })
  })
})

describe('package-lock.json', () => {
  type Locked = { optionalDependencies?: Record<string, string>; resolved?: string }
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, Locked>
  }

  // npm leaves out, without a word, what it could not get when the lock file was written: whoever
  // has another system would then install a tool without its program.
  it('names the packages of every system, not only of the one it was written on', () => {
    const locked = new Set(Object.keys(packages).map((path) => path.split('node_modules/').at(-1)))
    const wanted = Object.values(packages).flatMap((each) =>
      Object.keys(each.optionalDependencies ?? {}),
    )
    expect(wanted.length).toBeGreaterThan(50)
    expect(wanted.filter((name) => !locked.has(name))).toEqual([])
  })

  it('names no registry', () => {
    expect(Object.values(packages).filter((each) => each.resolved !== undefined)).toEqual([])
  })
})
