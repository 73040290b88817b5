import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect } from 'vitest'
import { temporaryFolder } from '../../support/folder.js'
import { ROOT } from '../../support/run.js'
import type { Mutation } from './mutation.js'

interface Report {
  readonly testResults: readonly {
    readonly name: string
    readonly assertionResults: readonly { readonly status: string }[]
  }[]
}

/** Modules and other files that a module names. */
const NAMED = /(?:from |import\(|new URL\()'(\.[^']*)'/g

/** Every source and test with what it names, from the root. */
function graph(): Map<string, readonly string[]> {
  const files = ['src', 'test'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => join(folder, file)),
  )
  const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
  return new Map(
    files.map((file) => {
      const names = [...read(file).matchAll(NAMED)].map(([, name = '']) =>
        join(dirname(file), name).replace(/\.js$/, '.ts'),
      )
      return [file, names]
    }),
  )
}

/** What a test reaches of a file: all modules on the way, which the mutant needs of its own. */
function between(modules: ReturnType<typeof graph>, test: string, mutated: string): Set<string> {
  const known = new Map<string, boolean>()
  const reaches = (file: string): boolean => {
    const before = known.get(file)
    if (before !== undefined) return before
    known.set(file, file === mutated)
    const found = (modules.get(file) ?? []).filter(reaches).length > 0 || file === mutated
    known.set(file, found)
    return found
  }
  // Once more, for what an import in a circle was not known of yet.
  reaches(test)
  for (let size = -1; size !== [...known.values()].filter(Boolean).length; ) {
    size = [...known.values()].filter(Boolean).length
    for (const [file, found] of known) {
      if (!found && modules.get(file)?.some((name) => known.get(name))) known.set(file, true)
    }
  }
  return new Set([...known].flatMap(([file, found]) => (found ? [file] : [])))
}

/**
 * Writes a mutant: of its own it has what leads from the test to the mutated file; all else are links to the root, so
 * that every mutant shares it, loaded once.
 */
function writeMutant(
  folder: string,
  modules: ReturnType<typeof graph>,
  [file, text, put, tests]: Mutation,
): string {
  const [test, mutated] = [`test/${tests}.test.ts`, `src/${file}`]
  const own = between(modules, test, mutated)
  expect(own.has(test), `${test} does not reach ${file}`).toBe(true)
  const links = new Set<string>()
  for (const name of own) {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    const before = readFileSync(join(ROOT, name), 'utf8')
    // A row whose rule is written in another way by now has to be written anew.
    if (name === mutated) expect(before.split(text), `${file}: ${text}`).toHaveLength(2)
    writeFileSync(path, name === mutated ? before.replace(text, () => put) : before)
    for (const other of modules.get(name) ?? []) if (!own.has(other)) links.add(other)
  }
  // What tests read beside sources.
  for (const name of readdirSync(ROOT)) {
    if (!['src', 'test', 'node_modules'].includes(name)) links.add(name)
  }
  for (const name of links) {
    const path = resolve(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    symlinkSync(join(ROOT, name), path)
  }
  return test
}

/** Runs the tests of each mutation against its mutant. @returns those that no test noticed. */
export function survivors(mutations: readonly Mutation[]): Mutation[] {
  const all = temporaryFolder()
  symlinkSync(join(ROOT, 'node_modules'), join(all, 'node_modules'))
  const test = { root: all, include: ['m*/test/**/*.test.ts'], isolate: false }
  writeFileSync(join(all, 'vitest.config.mjs'), `export default ${JSON.stringify({ test })}`)
  const modules = graph()
  const files = mutations.map(
    (mutation, at) => `m${at}/${writeMutant(join(all, `m${at}`), modules, mutation)}`,
  )
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST'))
  const report = join(all, 'report.json')
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs')
  const args = ['--config', join(all, 'vitest.config.mjs'), '--reporter=json']
  const ran = spawnSync(process.execPath, [vitest, 'run', ...args, `--outputFile=${report}`], {
    cwd: all,
    env: { ...Object.fromEntries(kept), NODE_ENV: undefined },
    encoding: 'utf8',
    // A mutant may run in circles.
    timeout: 600_000,
  })
  expect(ran.status, ran.stderr).toBe(1)
  const { testResults }: Report = JSON.parse(readFileSync(report, 'utf8'))
  return mutations.filter((_, at) => {
    const own = testResults.find(({ name }) => name.endsWith(`/${files[at]}`))
    return !own?.assertionResults.some(({ status }) => status === 'failed')
  })
}
