import { readFileSync } from 'node:fs'
import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { COMMANDS } from '../../src/cli/commands.js'
import { parseFully } from '../../src/cli/parse-fully.js'

const terminal = {
  stdin: process.stdin,
  stdout: new PassThrough(),
  stderr: new PassThrough(),
  env: {},
}

/** Every call of the tool in a page, up to what only a shell understands. */
const calls = (text: string) =>
  [...text.matchAll(/npx foreproof ([^`\n#>|]+)/g)].map(([, line = '']) => line.trim())

describe.each([
  'README.md',
  'docs/first-evaluation.md',
  'docs/for-researchers.md',
  'docs/for-ci.md',
  'docs/for-operators.md',
  'templates/init/README.md',
])('%s', (name) => {
  const text = readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')

  it('calls commands with arguments and options that they have', async () => {
    for (const line of calls(text)) {
      const entry = COMMANDS.find((each) => `${line} `.startsWith(`${each.name} `))
      if (entry === undefined) throw new Error(`no command: ${line}`)
      const command = (await entry.load()).default
      const args = line.slice(entry.name.length).split(' ').filter(Boolean)
      expect(await parseFully(entry.name, command, args, terminal), line).toBeDefined()
    }
  })

  it('links to pages that are there', () => {
    const page = new URL(`../../${name}`, import.meta.url)
    for (const [, target = ''] of text.matchAll(/\]\(([^):#]+)(?:#[^)]*)?\)/g)) {
      expect(() => readFileSync(new URL(target, page)), target).not.toThrow()
    }
  })
})
