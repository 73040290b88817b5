import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { beforeAll, describe, expect, it } from 'vitest'
import { COMMANDS } from '../../src/cli/commands.js'
import { withProgress } from '../../src/cli/work.js'
import { OUTPUT_FORMATS } from '../../src/output/print.js'
import { jsonLogger } from '../../src/service/log.js'
import { sample, sampleAttempt } from '../history/samples.js'
import { temporaryFolder } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'

describe('every command', () => {
  it.each(COMMANDS.map(({ name }) => name))('%s -h shows an example', async (name) => {
    const { code, stdout, stderr } = await inProcess([...name.split(' '), '-h'])
    expect(code, stderr).toBe(0)
    expect(stdout).toMatch(/Examples:\s+.*foreproof /)
    expect(stdout).toContain(`foreproof ${name}`)
  })

  it.each(COMMANDS.map(({ name }) => name))('%s refuses an unknown option', async (name) => {
    const { code, stderr } = await inProcess([...name.split(' '), '--no-such-option'])
    expect(code).toBe(2)
    expect(stderr).toMatch(/^foreproof: /)
    expect(stderr).not.toContain('    at ')
  })
})

describe('the command line', () => {
  it('without a command prints the overview to standard error and exits 2', async () => {
    const { code, stdout, stderr } = await inProcess([])
    expect([code, stdout]).toEqual([2, ''])
    for (const { name } of COMMANDS) expect(stderr).toContain(`  ${name} `)
  })

  it('prints the overview to standard output when asked', async () => {
    const { code, stdout } = await inProcess('--help')
    expect(code).toBe(0)
    expect(stdout).toContain('Exit codes: 0 the check passed')
    const [, ...texts] = stdout.split(/^(?=\w+:\n)/m)
    const groups = Object.fromEntries(
      texts.map((text) => [
        /^\w+/.exec(text)?.[0],
        text.match(/^ {2}\S+(?: \S+)?(?= {2})/gm) ?? [],
      ]),
    )
    expect(Object.keys(groups)).toEqual([
      ...['Protocols', 'Data', 'Evaluation', 'Time', 'Service', 'Other'],
    ])
    expect(Object.values(groups).flat()).toHaveLength(COMMANDS.length)
    expect(groups.Evaluation?.slice(0, 2)).toEqual(['  power', '  register'])
    expect(groups.Time).toContain('  stamp')
  })

  it('prints its version', async () => {
    expect((await inProcess('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  })
})

it.each([
  ['score --help-me', 'there is no option --help-me', 'See: foreproof score --help'],
  ['pair --fram x', 'there is no option --fram', 'Did you mean --from?'],
  ['validate --formatt draft.json', 'there is no option --formatt', 'Did you mean --format?'],
  ['history pull --from=x', 'FROM is missing', 'Usage: foreproof history pull <from>.'],
  ['history pull x y --from z', '"y" is one argument too many', 'See: foreproof history pull'],
  [
    'history import x.csv --columns value=y model=name',
    '--columns takes one value, value=y, and model=name is behind it',
    'Give the option again: --columns value=y --columns model=name',
  ],
  ['outcomes import x --only=a=b c=d', 'takes one value, a=b, and c=d is', '--only a=b --only c=d'],
  ['validate', 'FILES is missing', 'Usage: foreproof validate <files..>.'],
  ['compare a.json', 'is missing', 'Usage: foreproof compare'],
  ['publish', '--out is missing', 'See: foreproof publish --help'],
  // A variable of a script that is not set.
  ['publish --out ', '--out is empty', 'Give it a value, or leave it out.'],
  ['score --registration= --outcomes v --out x', '--registration is empty', 'or leave it out'],
  ['validate ', 'FILES is empty', 'See: foreproof validate --help'],
  ['publish --no-out', 'there is no option --no-out', 'See: foreproof publish --help'],
  ['history import x --no-history', 'there is no option --no-history', 'See: foreproof history'],
  ['validate x --no-format', 'there is no option --no-format', 'See: foreproof validate --help'],
  ['conformance x --no-keyEnv', 'there is no option --no-keyEnv', 'See: foreproof conformance'],
  ['export postgress://u:p@h/d scores', 'postgress://h/d: no evidence', 'Name the folder'],
  [
    'export postgres:/u:p@h/d --to hubverse --protocol x --out y',
    '(not shown: it may hold a secret): no evidence',
    'as postgres://',
  ],
  ['conformance x --no-pages', 'there is no option --no-pages', 'See: foreproof conformance'],
  ['publish --no-attempts', 'there is no option --no-attempts', 'See: foreproof publish --help'],
  ['validate --constructor x', 'there is no option --constructor', 'See: foreproof validate'],
  ['periods --every -1h', 'there is no option -1h', 'is given as --name=VALUE'],
  [
    'history stats --history postgres:/u:p@h/d',
    '(not shown: it may hold a secret): no kind of history',
    'as postgres://',
  ],
  ['publish --out', '--out needs a value', 'See: foreproof publish --help'],
  ['freeze a.json b.json', '"b.json" is one argument too many', 'See: foreproof freeze --help'],
  ['history verify x postgres://u:p@h/d', 'too many arguments: x, postgres://h/d', 'See: '],
  ['ledger rebase --x', 'there is no option --x', 'See: foreproof ledger rebase --help'],
  ['audit evidence -x', 'there is no option --x', 'See: foreproof audit --help'],
  ['validate --', 'FILES is missing', 'Usage: foreproof validate <files..>.'],
  // Package runners pass `--` on.
  ['gate -- --base release', 'too many arguments: --base, release', 'leave out the --'],
  ['gate -- x', '"x" is one argument too many', 'leave out the --'],
  ['score -- --registration x', 'too many arguments: --registration, x', 'leave out the --'],
  ['history verify -- postgres://u:p@h/d', '"postgres://h/d" is one', 'leave out the --'],
  ['digest -- ', 'FILES is empty', 'See: foreproof digest --help'],
  ['completion -- --bash', 'SHELL: "--bash" is not one of bash, zsh, fish', 'bash'],
  ['freeze x --dir a --dir b', '--dir was given more than once', 'See: foreproof freeze --help'],
  ['lint x --family-size 3 --registration y', 'cannot be used with', 'See: foreproof lint'],
  ['completion tcsh', 'SHELL: "tcsh" is not one of bash, zsh, fish', 'See: foreproof completion'],
  ['score', '--registration, --outcomes, --out are missing', 'See: foreproof score --help'],
  ['validate x --format jsn', '--format: "jsn" is not one of text', 'Did you mean json?'],
  ['history exprt', 'history: there is no command exprt', 'Did you mean: foreproof history export'],
  ['history', 'history: the second word of the command is missing', 'One of: init, import,'],
  ['scor', 'there is no command scor', 'Did you mean: foreproof score'],
])('foreproof %s', async (line, says, help) => {
  const { code, stdout, stderr } = await inProcess(line)
  expect([code, stdout]).toEqual([2, ''])
  const [first, second, ...rest] = stderr.trimEnd().split('\n')
  expect(first).toContain(says)
  expect(second).toContain(help)
  expect(rest).toEqual([])
})

it('takes the words after -- for operands, also those that look like options', async () => {
  const good = join(temporaryFolder(), 'good.json')
  writeFileSync(good, '{"a":1}')
  const plain = await inProcess(['digest', good])
  expect(plain.code).toBe(0)
  expect(await inProcess(['digest', '--', good])).toEqual(plain)
  expect(await inProcess('schema -- plan')).toEqual(await inProcess('schema plan'))
  for (const line of [
    ['validate', good, '--', '--format'],
    ['digest', '--', good, '--format'],
  ]) {
    const { code, stderr } = await inProcess(line)
    expect(code).toBe(2)
    expect(stderr).toContain('--format: no such file')
  }
})

// What a plain `serve` loads is memory in every process and time at every start. Packages and rooms that
// only some option needs are loaded when it is given, by `import()`.

/** Every module that these import, with what they import in turn: packages by name, files below src/. */
function loadedBy(...files: string[]): Set<string> {
  const seen = new Set<string>()
  const left = files.map((file) => new URL(`../../src/${file}`, import.meta.url))
  for (let url = left.pop(); url !== undefined; url = left.pop()) {
    const name = url.pathname.replace(/^.*\/src\//, '')
    if (seen.has(name) || !name.endsWith('.ts')) continue
    seen.add(name)
    const text = readFileSync(url, 'utf8')
    const imports = text.matchAll(/^(?:import|export) (?!type )(?:[^;'"]*? from )?'([^']+)'/gm)
    for (const [, from = ''] of imports) {
      if (from.startsWith('.')) left.push(new URL(from.replace(/\.js$/, '.ts'), url))
      else seen.add(from)
    }
  }
  return seen
}

it('a plain serve loads no client of another store or server, and no reader of tables', () => {
  const loaded = [...loadedBy('cli/main.ts', 'cli/commands/serve.ts')]
  const packages = loaded.filter((name) => !name.endsWith('.ts') && !name.startsWith('node:'))
  expect(packages.sort()).toEqual(['@photostructure/sqlite', 'prom-client', 'yargs'])
  expect(loaded).toContain('service/start.ts')
  expect(
    loaded.filter((name) => /^(?:table|history\/import|history\/natural)\//.test(name)),
  ).toEqual([])
  expect(loaded.filter((name) => /^node:(?:cluster|worker_threads)$/.test(name))).toEqual([])
})

const folder = temporaryFolder()

/** Colours, a title, a C1 command, a turned writing direction, an invisible tag, lines of its own. */
const EVIL =
  'e\u001b[31mred\u001b]0;t\u0007\u009b2J\u202e\u2066\u200f\u061c\u2028\ufeff\u{e0041}\r\n::error::forged\nforged'
const UNSEEN = /(?![\n\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u

function expectSafe(text: string) {
  expect(text).not.toMatch(UNSEEN)
  // Nor does any line begin with what the foreign text wanted to say.
  expect(text).not.toMatch(/^(::error::)?forged/m)
}

/** Runs a command of which nothing that it says steers a terminal. */
async function safe(...words: readonly string[]) {
  const ran = await inProcess(words)
  expectSafe(ran.stdout)
  expectSafe(ran.stderr)
  return ran
}

const evil = (name: string) => join(folder, `${EVIL}${name}`)
const history = join(folder, 'h.sqlite')
const HISTORY = ['--history', history]

beforeAll(async () => {
  const rows = [sample({ model: EVIL }), { ...sampleAttempt({ hour: 1 }), model_name: EVIL }]
  const file = join(folder, 'rows.ndjson')
  writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  expect((await inProcess(['history', 'import', file, ...HISTORY])).code).toBe(0)
})

describe('a file whose name steers a terminal', () => {
  const document = evil('.json')
  const csv = evil('.csv')
  beforeAll(() => {
    const version = JSON.stringify(EVIL).slice(1, -1)
    writeFileSync(document, `{"protocol_version":"${version}","\u202e": 1`)
    writeFileSync(csv, `close_at,close_usd\n2024-01-01T00:00:00Z,\u001b[2J\u202e\n`)
    mkdirSync(evil('-folder'))
  })

  it.each([
    ['validate', document],
    ['verify', document],
    ['history', 'verify', '--history', document],
    ['history', 'import', document, '--history', evil('.sqlite')],
    ['outcomes', 'import', csv],
  ])('in every format of %s %s', async (...words) => {
    for (const format of OUTPUT_FORMATS) {
      expect((await safe(...words, '--format', format)).code).not.toBe(0)
    }
  })

  const others = COMMANDS.filter(({ name }) => !['demo', 'serve'].includes(name))
  it.each(others.map(({ name }) => name))('%s', async (name) => {
    for (const file of [document, evil('-folder'), evil('-absent')]) {
      for (const args of [[file], [file, file], ['--history', file], ['--history', file, file]]) {
        await safe(...name.split(' '), ...args)
      }
    }
  })

  it('an option and a command', async () => {
    for (const args of [[EVIL], ['validate', `--${EVIL}`], ['validate', 'x', '--format', EVIL]]) {
      expect((await safe(...args)).code).toBe(2)
    }
  })
})

describe('a model whose name steers a terminal', () => {
  it.each([
    ['history', 'stats'],
    ['history', 'verify'],
    ['publish', '--out', evil('-site')],
    ['publish', '--out', evil('-site'), '--dry-run', '--format', 'json'],
  ])('%s %s %s', async (...args) => {
    await safe(...args, ...HISTORY)
  })

  it('and JSON says the same name', async () => {
    const { stdout } = await safe('history', 'stats', '--format', 'json', ...HISTORY)
    expect(JSON.parse(stdout).models[0].model).toBe(EVIL)
  })

  it('in every format of a conflict', async () => {
    const other = join(folder, 'other.ndjson')
    const row = sample({ model: EVIL })
    writeFileSync(other, JSON.stringify({ ...row, run: { id: EVIL, generated_at: null } }))
    for (const format of OUTPUT_FORMATS) {
      const { code } = await safe('history', 'import', other, ...HISTORY, '--format', format)
      expect(code).toBe(1)
    }
  })
})

describe('lines that are not the answer', () => {
  it('progress', async () => {
    const stderr = Object.assign(new PassThrough(), { isTTY: true })
    await withProgress({ stderr } as never, async (show) => show(EVIL))
    const text = String(stderr.read())
    expectSafe(text.replaceAll('\r\u001b[K', ''))
  })

  it('the log of the service', () => {
    const stream = new PassThrough()
    jsonLogger(stream, () => 'now').log('info', 'x', EVIL, { path: EVIL })
    const text = String(stream.read())
    expectSafe(text)
    expect(JSON.parse(text)).toMatchObject({ message: EVIL, path: EVIL })
  })
})
