import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/folder.js'
import { ROOT } from '../support/run.js'

const folder = temporaryFolder('foreproof package ')
const project = join(folder, 'my forecasts')
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

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

const [linked = '', packed = ''] = [
  ...readFileSync(join(ROOT, 'README.md'), 'utf8').matchAll(
    /```sh\n([^`]*foreproof --version\n)```/g,
  ),
].map(([, block]) => block)
/** Options of npm that change nothing here but the time it takes: what `prepare` builds is there. */
const QUIETLY = '--ignore-scripts --prefer-offline --no-audit --no-fund'
const quietly = (lines: string) =>
  lines.replaceAll(/\bnpm (init|install|pack|ci)\b/g, `npm $1 ${QUIETLY}`)

/** All that git has, and what `npm ci` makes of it: nothing that only those who develop it need. */
function makeClone(clone: string) {
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' }).split('\0')
  for (const file of ['dist', ...files].filter(Boolean)) {
    cpSync(join(ROOT, file), join(clone, file), { recursive: true })
  }
  shell(quietly('npm ci --omit=dev'), clone)
}

// Where there is nothing but Node, git and a clone.
beforeAll(() => {
  mkdirSync(project)
  makeClone(join(folder, 'foreproof'))
  writeFileSync(join(project, 'package.json'), JSON.stringify({ type: 'module', private: true }))
  writeFileSync(join(project, '.gitignore'), 'node_modules\n*.tgz\n')
  // As the README says, in the folder beside the clone.
  expect(shell(quietly(packed))).toContain(`${manifest.version}\n`)
  shell(quietly(`npm install @types/node@${manifest.devDependencies['@types/node']}`))
}, 600_000)

it('is installed from a clone as the README says', () => {
  const other = join(folder, 'from a clone')
  mkdirSync(other)
  expect(linked).toContain('npm install --save-exact ../foreproof ')
  const lines = quietly(linked).replaceAll('npm install', 'npm install --omit=dev')
  expect(shell(lines, other)).toMatch(new RegExp(`^${manifest.version}$`, 'm'))
}, 120_000)

describe('init in an empty project', () => {
  it('leads to a frozen protocol in the three commands of its README', () => {
    shell('git init --quiet -b main')
    shell('npx foreproof init')
    shell(`${commit} begin`)
    const commands = commandsOf('To a frozen protocol')
    expect(commands).toHaveLength(3)
    const said = commands.map((line) => shell(line))
    for (const text of said) expect(text).toContain('no problems found')
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
    const attributes = (line: string) => shell(`git check-attr ${line}`)
    const checked = attributes('text eol merge -- protocols/ledger.jsonl protocols/a.json')
    expect(checked).toContain('protocols/ledger.jsonl: merge: text')
    expect(checked.match(/eol: lf/g)).toHaveLength(2)
    const bytes = attributes('text -- protocols/stamps/a/b.tsr evidence/x/y')
    expect(bytes).toMatch(/b\.tsr: text: unset\n.*y: text: unset/)
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

/** The TypeScript examples of a page, in order. */
function examples(page: string): string[] {
  const text = readFileSync(join(ROOT, page), 'utf8')
  return [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code)
}

const FILES = new Map<string, string>()
for (const [name, page] of Object.entries({ readme: 'README.md', library: 'docs/library.md' })) {
  for (const [index, code] of examples(page).entries()) FILES.set(`${name}-${index}.ts`, code)
}

/** As strict as TypeScript gets, down to the declarations of what is installed. */
const STRICT = {
  compilerOptions: {
    target: 'es2022',
    module: 'nodenext',
    types: ['node'],
    strict: true,
    skipLibCheck: false,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    outDir: 'out',
  },
  files: [...FILES.keys()],
}

/** What a JavaScript program prints, of either kind. */
function node(...args: string[]): string {
  const ran = spawnSync(process.execPath, args, { cwd: project, encoding: 'utf8' })
  return `${ran.stdout}${ran.stderr}`
}

describe('the library', () => {
  beforeAll(() => {
    for (const [name, code] of FILES) writeFileSync(join(project, name), code)
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(STRICT))
  })

  it('has an example of every entry', () => {
    const entries = Object.entries(manifest.exports)
      .filter(([, target]) => typeof target === 'object')
      .map(([path]) => path.replace('.', 'foreproof'))
    const shown = [...FILES.values()].join('')
    for (const entry of entries) expect(shown).toContain(`from '${entry}'`)
  })

  it('compiles every example under strict TypeScript, declarations included', () => {
    const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
    expect(node(compiler, '-p', 'tsconfig.json')).toBe('')
  })

  it('compiles them with the oldest TypeScript that docs/library.md names', () => {
    const library = readFileSync(join(ROOT, 'docs/library.md'), 'utf8')
    expect(library).toContain('TypeScript 5.4 and newer')
    const old = join(folder, 'typescript 5.4')
    mkdirSync(old)
    shell(quietly('npm init -y && npm install --save-exact typescript@5.4.5'), old)
    const compiler = join(old, 'node_modules', 'typescript', 'bin', 'tsc')
    expect(node(compiler, '--version')).toBe('Version 5.4.5\n')
    expect(node(compiler, '-p', 'tsconfig.json')).toBe('')
  }, 120_000)

  it('runs the example of the README in a project of a user, which has no protocol of ours', () => {
    expect(existsSync(join(project, 'protocols', 'btcusd-hourly-4.json'))).toBe(false)
    expect(node('out/readme-0.js')).toBe('true\n')
  })

  it('has the schemas as files', () => {
    const code = `import s from 'foreproof/schemas/protocol.schema.json' with { type: 'json' }; console.log(s.$id)`
    writeFileSync(join(project, 'schema.mjs'), code)
    expect(node('schema.mjs')).toBe('urn:foreproof:schema:protocol:v1\n')
  })
})
