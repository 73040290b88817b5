import { readFileSync } from 'node:fs'
import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { COMMANDS } from '../../src/cli/commands.js'
import { parseLine } from '../../src/cli/parse.js'
import type { BlockedReason } from '../../src/inference/types.js'
import { REASONS } from '../../src/pairing/types.js'
import { WORDS } from '../../src/report/reason-words.js'

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
  'docs/not-for.md',
  'docs/why-blocked.md',
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
      expect(await parseLine(entry, command, args, terminal), line).toBeDefined()
    }
  })

  it('links to pages that are there', () => {
    const page = new URL(`../../${name}`, import.meta.url)
    for (const [, target = ''] of text.matchAll(/\]\(([^):#]+)(?:#[^)]*)?\)/g)) {
      expect(() => readFileSync(new URL(target, page)), target).not.toThrow()
    }
  })
})

const page = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')

it.each(['README.md', 'docs/first-evaluation.md', 'templates/init/README.md'])(
  '%s asks for the power of a plan before it registers it, and says what decides',
  (name) => {
    const text = page(name)
    const asked = text.indexOf('npx foreproof power --plan plan.json')
    expect(asked).toBeGreaterThan(0)
    expect(asked).toBeLessThan(text.indexOf('npx foreproof register plan.json'))
    expect(text).toMatch(/[Ww]hat decides is (the|a) cosine (t-)?test/)
    expect(text).toContain('diagnostic')
  },
)

describe('docs/why-blocked.md', () => {
  const rows = [...page('docs/why-blocked.md').matchAll(/^\| (`[^|]*) \|/gm)].flatMap(
    ([, cell = '']) => [...cell.matchAll(/`(\w+)`/g)].map(([, code]) => code),
  )
  // Its type knows every reason: one that is missing here does not compile.
  const details: Record<BlockedReason, true> = {
    no_pairs: true,
    too_few_pairs: true,
    too_few_blocks: true,
    window_shorter_than_block: true,
    empty_replicate: true,
    no_variance: true,
  }

  it('has every reason of a disposition, a blocked test and an attempt, once, and no other', () => {
    const known = [
      ...Object.keys(WORDS),
      ...Object.keys(details),
      'comparator_loss_unknown',
      ...REASONS.filter((reason) => reason !== 'scored'),
    ]
    expect(rows.sort()).toEqual(known.sort())
  })

  it.each(['README.md', 'docs/for-researchers.md'])(
    'is linked from %s, and so is what it is not for',
    (name) => {
      expect(page(name)).toMatch(/\((docs\/)?why-blocked\.md\)/)
      expect(page(name)).toMatch(/\((docs\/)?not-for\.md\)/)
    },
  )
})
