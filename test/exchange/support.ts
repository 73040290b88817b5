import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { beforeEach, expect } from 'vitest'
import { pathsBelow } from '../../src/site/writer/links.js'
import { temporaryFolder } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'

/**
 * Makes a folder for every test of a file.
 * @returns a path in it; without a name its own.
 */
export function folderOfEach(): (name?: string) => string {
  let work = ''
  beforeEach(() => {
    work = temporaryFolder()
    return () => rmSync(work, { recursive: true, force: true })
  })
  return (name = '') => join(work, name)
}

/** The files below a folder, by their paths in it. */
export function filesOf(folder: string): string[] {
  return pathsBelow(folder).sort()
}

/** How a command has to end, and what it has to say then. */
export const ending = (code: number, says: string | RegExp, stderr = '') => ({
  code,
  stdout: expect.stringMatching(says),
  stderr,
})

/** That one clear finding ended an import before anything was written. */
export function expectRefused(done: { readonly stdout: string }, says: string | RegExp): void {
  expect(done).toEqual(ending(1, says))
  expect(done.stdout).toContain('nothing was written')
  expect(done.stdout.split('\n').length).toBeLessThan(20)
}

/** Closes of the hours from the start of 2026 on: 50,000 dollars, and one more each hour. */
export function closesOf(hours: number): string {
  const stamp = (hour: number) => `2026-01-01T${String(hour).padStart(2, '0')}:00:00Z`
  const rows = Array.from({ length: hours }, (_, hour) => `${stamp(hour)},${50_000 + hour}.0\n`)
  return `close_at,close_usd\n${rows.join('')}`
}

/** What `history export` writes of a history. */
export const linesOf = async (history: string): Promise<string> =>
  (await inProcess(['history', 'export', '--history', history])).stdout

/** The same as values. */
export async function valuesOf(history: string) {
  const lines = (await linesOf(history)).split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line))
}

/** The schemas of hubverse, as it released them. */
export const SCHEMAS = new URL('../../../shared/vectors/hubverse/', import.meta.url)

/** What the schemas of a version have against files of a hub's configuration, which have to name them. */
export function configFaults(hub: string, version: string, parts: readonly string[]) {
  const read = (file: string | URL) => JSON.parse(readFileSync(file, 'utf8'))
  return parts.flatMap((part) => {
    const config = read(join(hub, 'hub-config', `${part}.json`))
    const released = read(new URL(`${version}-${part}-schema.json`, SCHEMAS))
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(released)
    validate(config)
    const named = config.schema_version === released.$id ? [] : [config.schema_version]
    return [...named, ...(validate.errors ?? [])]
  })
}
