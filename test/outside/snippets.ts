import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { makeFixtures } from '../../fixtures/make.mjs'
import { createAuthority, serveAuthority } from '../../src/cli/demo/authority.js'
import type { Instant } from '../../src/contract/instant.js'
import { host } from '../conformance/mutants/host.js'
import { atEnd } from '../support/at-end.js'
import { temporaryFolder } from '../support/folder.js'
import { BIN, ROOT } from '../support/run.js'

/** A page of `docs/`, and every block of code in it. */
export function guide(page: string) {
  const text = readFileSync(join(ROOT, 'docs', page), 'utf8')
  // One that belongs to an item of a list is indented.
  const blocks = text.matchAll(/^( *)```(\w+)\n(.*?)^\1```$/gms)
  const snippets = [...blocks].map(([, indent = '', language = '', code = '']) => ({
    language,
    text: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  }))
  /** The only block in a language. */
  const snippet = (language: string): string => {
    const found = snippets.filter((each) => each.language === language)
    if (found.length !== 1) throw new Error(`${found.length} blocks of ${language}`)
    return found[0]?.text ?? ''
  }
  return { text, snippets, snippet }
}

/** The block in a language that holds a text, which one does. */
export function blockWith(
  words: string,
  snippets: ReturnType<typeof guide>['snippets'],
  language = 'bash',
): string {
  const found = snippets.filter((each) => each.language === language && each.text.includes(words))
  if (found.length !== 1) throw new Error(`${found.length} blocks with ${words}`)
  return found[0]!.text
}

/** A text with one thing in it exchanged, which has to be there. */
export function exchange(text: string, from: string, to: string): string {
  if (!text.includes(from)) throw new Error(`no ${from} in: ${text}`)
  return text.replaceAll(from, to)
}

/** A text with all that a guide has an example for exchanged for what it is here, where it is in it. */
export const exchangeAll = (text: string, here: ReadonlyMap<string, string>): string =>
  [...here].reduce((changed, [from, to]) => changed.replaceAll(from, to), text)

const clock = () => Math.round((performance.timeOrigin + performance.now()) * 1000)

/** A time-stamping authority that can be asked until the last test of the file. */
export async function startAuthority(name: string, now: () => Instant = clock) {
  const authority = await createAuthority({ name, now })
  const { url, close } = await serveAuthority(authority)
  atEnd(close)
  return { url, anchorPem: authority.anchorPem }
}

/**
 * Runs lines of a guide in a shell that ends at the first that fails. Not waited for in this thread, which may serve what
 * they ask.
 * @param home - the home folder; programs are in `bin` there.
 * @returns what they say.
 */
export async function runLines(lines: string, cwd: string, home: string): Promise<string> {
  // Without standard input: bash takes a socket there for a remote login and reads its start-up files.
  const child = spawn('bash', ['-euo', 'pipefail', '-c', lines], {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd,
    env: { ...process.env, HOME: home, PATH: `${join(home, 'bin')}:${process.env.PATH}` },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
  const code = await new Promise((resolve) => child.once('close', resolve))
  expect(code, `${lines}\n${said}`).toBe(0)
  return said
}

/** A folder of forecasts in a home with the program, in which the parts of a page are followed. */
export function following(page: string) {
  const { text, snippets: all } = guide(page)
  // One part repeats the commands of the others in order: test/slow/time-whole-way.test.ts follows it.
  const [whole = ''] = /^## The whole way, with witnesses$.*?^(?=## )/ms.exec(text) ?? []
  const snippets = all.filter(({ text }) => !whole.includes(text))
  const home = temporaryFolder()
  const folder = join(home, 'forecasts')
  mkdirSync(join(folder, 'protocols', 'anchors'), { recursive: true })
  putProgram(join(home, 'bin'))
  makeFixtures(join(home, 'made'), 2)
  /** What the page has an example for, and what it is here. */
  const here = new Map<string, string>()
  const exchanged = (lines: string) => exchangeAll(lines, here)
  const block = (words: string, language?: string) => blockWith(words, snippets, language)
  const run = (lines: string) => runLines(exchanged(lines), folder, home)
  /** Puts authorities, by name and address, and the site in the place of those of the page; their anchors. */
  async function meets(authorities: Readonly<Record<string, string>>): Promise<[string, string][]> {
    here.set('https://forecasts.example.org', (await host(() => join(folder, 'site'))).url)
    const anchors: [string, string][] = []
    for (const [name, address] of Object.entries(authorities)) {
      const { url, anchorPem } = await startAuthority(name)
      here.set(address, url)
      anchors.push([`${name}.pem`, anchorPem])
    }
    return anchors
  }
  return { snippets, home, folder, here, exchanged, block, run, meets }
}

/** Puts a program into a folder that runs what is built here; those who want `npx foreproof` call it `npx`. */
export function putProgram(folder: string, name: 'foreproof' | 'npx' = 'foreproof'): void {
  mkdirSync(folder, { recursive: true })
  const shift = name === 'npx' ? 'shift\n' : ''
  const text = `#!/bin/sh\n${shift}exec '${process.execPath}' '${BIN}' "$@"\n`
  writeFileSync(join(folder, name), text, { mode: 0o755 })
}
