import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/folder.js'
import { ROOT } from '../support/run.js'
import { packedInto } from './snippets.js'

const folder = temporaryFolder()
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

/** What a program prints, of either kind. */
function run(program: string, ...args: string[]): string {
  const ran = spawnSync(program, args, { cwd: folder, encoding: 'utf8' })
  return `${ran.stdout}${ran.stderr}`
}

/** The TypeScript examples of a page, in order. */
function examples(page: string): string[] {
  const text = readFileSync(join(ROOT, page), 'utf8')
  return [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code)
}

const FILES = new Map<string, string>([
  ...examples('README.md').map((code, index) => [`readme-${index}.ts`, code] as const),
  ...examples('docs/library.md').map((code, index) => [`library-${index}.ts`, code] as const),
])

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

beforeAll(() => {
  const filename = packedInto(folder)
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', private: true }))
  const types = `@types/node@${manifest.devDependencies['@types/node']}`
  const quietly = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund']
  run('npm', 'install', ...quietly, `./${filename}`, types)
  for (const [name, code] of FILES) writeFileSync(join(folder, name), code)
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(STRICT))
  cpSync(join(ROOT, 'protocols'), join(folder, 'protocols'), { recursive: true })
}, 600_000)

describe('the package, installed from its tarball into an empty project', () => {
  it('has an example of every entry', () => {
    const entries = Object.entries(manifest.exports)
      .filter(([, target]) => typeof target === 'object')
      .map(([path]) => path.replace('.', 'foreproof'))
    for (const entry of entries) {
      const shown = [...FILES.values()].some((code) => code.includes(`from '${entry}'`))
      expect([entry, shown]).toEqual([entry, true])
    }
  })

  it('compiles every example under strict TypeScript, declarations included', () => {
    const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
    expect(run(process.execPath, compiler, '-p', 'tsconfig.json')).toBe('')
  })

  it('runs the example of the README', () => {
    expect(run(process.execPath, 'out/readme-0.js')).toBe('true\n')
  })

  it('has the schemas as files', () => {
    const code = `import s from 'foreproof/schemas/protocol.schema.json' with { type: 'json' }; console.log(s.$id)`
    writeFileSync(join(folder, 'schema.mjs'), code)
    expect(run(process.execPath, 'schema.mjs')).toBe('urn:foreproof:schema:protocol:v1\n')
  })
})
