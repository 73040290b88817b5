import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

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
