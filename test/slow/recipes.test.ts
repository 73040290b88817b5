import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../support/folder.js'
import { ROOT } from '../support/run.js'

const NOT_COPIED = new Set(['node_modules', 'dist', '.git'])
const FOLDER = join(ROOT, 'docs/internals/recipes')
const names = readdirSync(FOLDER)
const recipes = names.map((name) => readFileSync(join(FOLDER, name), 'utf8'))
const found = (pattern: RegExp) =>
  recipes.flatMap((text) => [...text.matchAll(pattern)].map(([, path = '']) => path))

const copy = temporaryFolder()

function run(program: string, ...args: readonly string[]): void {
  // What this runner sets for its own children would make the one inside a part of it.
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST'))
  const options = { cwd: copy, encoding: 'utf8', maxBuffer: 64 * 1_048_576 } as const
  const env = { ...Object.fromEntries(kept), NO_COLOR: '1', NODE_ENV: undefined }
  const { status, stdout, stderr } = spawnSync(program, args, { ...options, env })
  expect(status, `${program} ${args.join(' ')}\n${stdout.slice(-8000)}${stderr}`).toBe(0)
}

it('every kind of addition has a recipe', () => {
  const page = readFileSync(join(ROOT, 'docs/internals/architecture.md'), 'utf8')
  const chapter = page.split('\n## How to add\n')[1]?.split('\n## ')[0] ?? ''
  const kinds = chapter.split('\n\n').filter((paragraph) => paragraph.startsWith('**'))
  const linked = kinds.map((kind) => /\]\(recipes\/([^)]+)\)/.exec(kind)?.[1])
  expect(linked.toSorted()).toEqual(names.toSorted())
})

// One copy for all: what they add does not meet, and a build costs more than a recipe.
it('the recipes apply, compile, keep the rules of the code, and pass their tests', () => {
  cpSync(ROOT, copy, { recursive: true, filter: (path) => !NOT_COPIED.has(basename(path)) })
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  const tests = found(/^Tests: (.+)$/gm).flatMap((line) => line.split(' '))
  for (const name of names) run('git', 'apply', join(FOLDER, name))
  expect(tests.filter((path) => !existsSync(join(copy, path)))).toEqual([])
  // Types are checked once: of src and of the tests that the recipes name, with all that these use.
  run('node', '.ci/generate.mjs')
  run('npx', 'tsc', '-p', 'tsconfig.json', '--noCheck')
  const include = ['src', ...tests.map((path) => (path.endsWith('.ts') ? path : `${path}/**/*.ts`))]
  const base = { extends: './.ci/tsconfig.test.json', compilerOptions: { rootDir: '.' } }
  writeFileSync(join(copy, 'tsconfig.recipes.json'), JSON.stringify({ ...base, include }))
  run('npx', 'tsc', '-p', 'tsconfig.recipes.json')
  run('node', '.ci/findings.mjs')
  run('node', '.ci/house.mjs')
  run('node', '.ci/api.mjs', '--check')
  run('npx', 'biome', 'ci', '--error-on-warnings', ...new Set(found(/^\+\+\+ b\/(.+\.ts)$/gm)))
  run('npx', 'vitest', 'run', '--config', '.ci/vitest.config.ts', '--project', 'unit', ...tests)
})
