import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { beforeAll, describe, expect, it } from 'vitest'
import { COMMANDS } from '../../src/cli/commands.js'
import { withProgress } from '../../src/cli/work.js'
import { FORMATS } from '../../src/output/print.js'
import { jsonLogger } from '../../src/service/log.js'
import { sample, sampleAttempt } from '../history/samples.js'
import { temporaryFolder } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'

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
    for (const format of FORMATS) {
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
    for (const format of FORMATS) {
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
