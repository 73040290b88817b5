import { existsSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { globSync } from 'tinyglobby'
import { describe, expect, it } from 'vitest'
import { COMMANDS } from '../../src/cli/commands.js'
import { parseLine } from '../../src/cli/parse.js'
import type { BlockedReason } from '../../src/inference/test-result.js'
import { REASONS } from '../../src/pairing/paired-attempt.js'
import { REASONS_EXPLAINED } from '../../src/report/reason-help.js'
import { WORDS } from '../../src/report/reason-words.js'
import { DISPOSITION_NAME } from '../../src/report/sentences.js'
import { inProcess } from '../support/in-process.js'
import { ROOT } from '../support/run.js'

const { stdin, stdout, stderr } = process

const read = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')

/** What a call of the tool is parsed to; it throws where the tool has no such command or option. */
async function parsed(line: string, files: readonly string[] = []) {
  const entry = COMMANDS.findLast((each) => `${line} `.startsWith(`${each.name} `))
  if (entry === undefined) throw new Error(`no command: ${line}`)
  const command = (await entry.load()).default
  const args = line.slice(entry.name.length).split(' ').filter(Boolean)
  const words = [...args, ...(command.positionals === undefined ? [] : files)]
  return await parseLine(entry, command, words, { stdin, stdout, stderr, env: {} })
}

it.each<[string, object]>([
  ['validate a - b --no-color', { files: ['a', '-', 'b'], format: 'text', color: false }],
  ['freeze --dir=x --dry-run a', { dir: 'x', 'dry-run': true, draft: 'a' }],
  [
    'register --protocol p --stamp one --stamp - a',
    { stamp: ['one', '-'], plan: 'a', 'dry-run': false },
  ],
  ['history import a b --history h --batch 20', { files: ['a', 'b'], batch: 20 }],
])('reads %s', async (line, expected) => {
  expect(await parsed(line)).toMatchObject(expected)
})

/** Every call of the tool in a page or a file, up to what only a shell understands. */
const callsIn = (text: string, form: RegExp) =>
  [...text.matchAll(form)].map(([, line = '']) => line.trim())

const pages = globSync('{*.md,docs/**/*.md,bench/*.md,templates/init/*.md}', { cwd: ROOT }).sort()

/** Calls of the tool in blocks of code, and elsewhere where they begin with `npx`. */
function pageCalls(text: string): string[] {
  const joined = text.replaceAll('\\\n', ' ')
  const blocks = joined.matchAll(/^ *```\w*\n.*?^ *```$|^(?: {4}[^\n]*\n)+/gms)
  const inBlocks = [...blocks].flatMap(([block]) =>
    callsIn(block, /(?:^ *|&& |run: |- |exec |bin\/)(?:npx )?foreproof ([a-z][^\n`#|>&]*)/gm),
  )
  return [...inBlocks, ...callsIn(joined, /npx foreproof (?!--version)([^`\n#>|]+)/g)]
}

it.each(pages.filter((name) => !/reference\/(api|findings)/.test(name)))(
  '%s calls commands with arguments and options that they have',
  async (name) => {
    for (const line of pageCalls(read(name))) expect(await parsed(line), line).toBeDefined()
  },
)

it('finds the calls of a page', () => {
  const page = '    foreproof pair x\n\n```sh\nforeproof gate \\\n  --dir y > z\n```\n'
  expect(pageCalls(`${page}\`npx foreproof lint a\``)).toEqual([
    'pair x',
    'gate    --dir y',
    'lint a',
  ])
})

/** What GitHub makes of headings, to link to. */
const anchors = (text: string) =>
  [...text.replaceAll(/^```.*?^```$/gms, '').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

it.each(pages)('%s links to pages and headings that exist', (name) => {
  // A template fills its own links in.
  for (const [, target = '', heading] of read(name).matchAll(/\]\(([^):#]*)(?:#([^)]*))?\)/g)) {
    const file = target === '' ? name : posix.join(posix.dirname(name), target)
    expect(existsSync(join(ROOT, file)), target).toBe(true)
    if (heading !== undefined) expect(anchors(read(file)), target).toContain(heading)
  }
})

it.each(['README.md', 'docs/first-evaluation.md', 'templates/init/README.md'])(
  '%s asks for the power of a plan before it registers it, and says what decides',
  (name) => {
    const text = read(name)
    const asked = text.indexOf('npx foreproof power --plan plan.json')
    expect(asked).toBeGreaterThan(0)
    expect(asked).toBeLessThan(text.indexOf('npx foreproof register plan.json'))
    expect(text).toMatch(
      /[Ww]hat decides is (the cosine test|a Diebold–Mariano test of each difference with a cosine variance)/,
    )
  },
)

describe('docs/why-blocked.md', () => {
  const rows = [...read('docs/why-blocked.md').matchAll(/^\| (`[^|]*) \|/gm)].flatMap(
    ([, cell = '']) => [...cell.matchAll(/`(\w+)`/g)].map(([, code]) => code),
  )
  // Its type knows every reason: one that is missing here does not compile.
  const details: Record<BlockedReason, true> = {
    no_pairs: true,
    too_few_pairs: true,
    too_few_blocks: true,
    too_few_days: true,
    window_shorter_than_block: true,
    empty_replicate: true,
    no_variance: true,
    withheld: true,
    no_scale: true,
  }

  it('has every verdict and every reason of one, of a blocked test and an attempt, once, and no other', () => {
    const known = [
      ...Object.keys(WORDS),
      ...Object.keys(details),
      'comparator_loss_unknown',
      ...Object.keys(DISPOSITION_NAME),
      ...REASONS.filter((reason) => reason !== 'scored'),
    ]
    expect([...rows].sort()).toEqual(known.sort())
  })

  it('says of each what `explain` says, under the same heading', () => {
    const page = read('docs/why-blocked.md').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    for (const { code, subject, help } of REASONS_EXPLAINED) {
      const [, section = ''] = page.split(`## ${subject}\n`)
      const row = section.split('\n').find((line) => line.split(' | ')[0]?.includes(`\`${code}\``))
      expect(row, code).toContain(` | ${help} |`)
    }
    expect(REASONS_EXPLAINED.map(({ code }) => code).sort()).toEqual([...rows].sort())
  })

  it('is what `explain` prints', async () => {
    const page = await inProcess(['explain', 'committed_late'])
    expect(page).toMatchObject({ code: 0, stdout: expect.stringContaining('history seal --tsa') })
    const { reasons } = JSON.parse((await inProcess(['explain', '--format', 'json'])).stdout)
    expect(reasons).toEqual(REASONS_EXPLAINED)
    const verdict = await inProcess(['explain', 'eligible'])
    expect(verdict).toMatchObject({ code: 0, stdout: expect.stringContaining('A person decides') })
    const near = await inProcess(['explain', 'comitted_late'])
    expect(near).toMatchObject({ code: 2, stderr: expect.stringContaining('committed_late') })
  })

  it.each(['README.md', 'docs/README.md'])('is linked from %s', (name) => {
    expect(read(name)).toMatch(/\((docs\/)?why-blocked\.md\)/)
    expect(read(name)).toMatch(/\((docs\/)?not-for\.md\)/)
  })
})

it.each([
  'docs/ci.md',
  '.pre-commit-hooks.yaml',
  'templates/init/workflow.yml',
  'templates/init/README.md',
])('%s calls the tool in CI with commands and options that it has', async (name) => {
  const form =
    /(?:npx |npx --no |exec npx |entry: |^)foreproof ((?:gate|verify|ledger)[^\n`>|"]*)/gm
  const lines = callsIn(read(name), form)
  expect(lines.length).toBeGreaterThan(0)
  // A hook gets its file names from the framework.
  for (const line of lines) expect(await parsed(line, ['x.json']), line).toBeDefined()
})

it('action.yml uses options that the gate has', async () => {
  const options = read('action.yml').match(/(?<=[\s(])--(base|dir|strict-bytes|format)\b/g)
  expect(new Set(options)).toEqual(new Set(['--base', '--dir', '--strict-bytes', '--format']))
  const line = 'gate --base x --dir y --strict-bytes --format github'
  expect(await parsed(line)).toMatchObject({ dir: 'y' })
})

describe('package-lock.json', () => {
  type Locked = { optionalDependencies?: Record<string, string>; resolved?: string }
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, Locked>
  }

  // npm leaves out, without a word, what it could not get when the lock file was written: one who
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

it('workflows name actions by the commits of the table in CONTRIBUTING.md', () => {
  const row = /^\| (actions\/[\w-]+) \| (v\d+\.\d+\.\d+) \| ([0-9a-f]{40}) \|$/gm
  const table = [...read('CONTRIBUTING.md').matchAll(row)].map(
    ([, name, version, commit]) => `${name}@${commit} # ${version}`,
  )
  const files = ['templates/init/workflow.yml', 'docs/ci.md', 'docs/publishing.md']
  const used = [...files, '.github/workflows/ci.yml', '.github/workflows/release.yml'].flatMap(
    (file) => [...read(file).matchAll(/uses: (actions\/.+)/g)].map(([, action]) => action),
  )
  expect(used.length).toBeGreaterThan(10)
  expect(used.filter((action) => !table.includes(action ?? ''))).toEqual([])
  expect(table.filter((action) => !used.includes(action))).toEqual([])
  expect(read('.github/workflows/release.yml')).not.toMatch(/--force origin|tag --force/)
})
