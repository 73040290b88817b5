import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Command, Specs } from '../../src/cli/command.js'
import { COMMANDS } from '../../src/cli/commands.js'
import { SETTINGS, type Setting } from '../../src/service/config/settings.js'
import { temporaryFolder } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'

/** In no message by accident. */
const MARK = 'Zq9wVx7'

/** Slips of an address or a key that has a secret in it. */
const FORMS: readonly ((secret: string) => string)[] = [
  (secret) => ` postgres://u:${secret}@h/db`,
  (secret) => `'postgres://u:${secret}@h/db'`,
  (secret) => `"redis://:${secret}@h"`,
  (secret) => `jdbc:postgresql://h/db?user=u&password=${secret}`,
  (secret) => `host=h user=u password=${secret} dbname=db`,
  (secret) => `postgres:/u:${secret}@h/db`,
  (secret) => `https//u:${secret}@h/db`,
  (secret) => `u:${secret}@h:5432/db`,
  (secret) => `-----BEGIN PRIVATE KEY-----\n${secret}\n-----END PRIVATE KEY-----`,
]
const secrets = fc
  .tuple(fc.string({ maxLength: 4 }), fc.string({ maxLength: 4 }))
  .map(([a, b]) => `${a}${MARK}${b}`.replaceAll('\0', ''))

async function expectHidden(line: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const { code, stdout, stderr } = await inProcess(line, env)
  expect(`${stdout}${stderr}`, line[0]).not.toContain(MARK)
  expect(code).not.toBe(0)
}

/** It makes a folder by any name, and a demonstration takes seconds. */
const APART = ['init', 'demo', 'completion', 'explain']

describe('a secret in the wrong place is not printed by', () => {
  it.each(COMMANDS.filter(({ name }) => !APART.includes(name)))('$name', async ({ name, load }) => {
    const { options, positionals = '' } = (await load()).default as Command<Specs>
    const words = name.split(' ')
    const takesText = Object.entries(options).filter(([, { type }]) => type === 'string')
    const names: readonly string[] = positionals.match(/[\w-]+/g) ?? []
    const needed = Object.entries(options).filter(([, spec]) => spec.demandOption)
    await fc.assert(
      fc.asyncProperty(secrets, fc.constantFrom(...FORMS), async (secret, form) => {
        const value = form(secret)
        const asOptions = (given: readonly string[]) =>
          given.filter((each) => !names.includes(each)).map((each) => `--${each}=${value}`)
        const operands = names.map(() => value)
        const rest = asOptions(needed.map(([each]) => each))
        for (const [option] of takesText) {
          await expectHidden([...words, ...asOptions([option]), ...rest, '--', ...operands])
        }
        await expectHidden([...words, ...rest, '--', ...operands, value])
        await expectHidden([...words, `--${value}`])
        await expectHidden([...words, `--${value.trim()}`, ...operands])
      }),
      { numRuns: 3 },
    )
  })

  it('serve, which may be given it in any variable, or in a file', async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'state'))
    const rows = Object.values<Setting>(SETTINGS)
    await fc.assert(
      fc.asyncProperty(secrets, fc.constantFrom(...FORMS), async (secret, form) => {
        const keys = { BTC_FORECAST_API_KEYS: 'k'.repeat(32) }
        for (const { variable, shown } of rows) {
          await expectHidden(['serve', '--check'], { ...keys, [variable]: form(secret) })
          if (shown === undefined) continue
          const file = join(folder, 'secret')
          writeFileSync(file, form(secret))
          await expectHidden(['serve', '--check'], { ...keys, [`${variable}_FILE`]: file })
        }
      }),
      { numRuns: 3 },
    )
  })
})

it('the audit log is not set to the file of a secret, or to anything else that is none', async () => {
  const folder = temporaryFolder()
  const keys = { BTC_FORECAST_API_KEYS: 'k'.repeat(32) }
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const history = join(folder, 'h.sqlite')
  const secret = file('fingerprint', '{"a secret')
  const address = file('address', history)
  for (const [env, log, says] of [
    [{ BTC_FORECAST_FINGERPRINT_SECRET_FILE: secret }, secret, 'would write over a secret'],
    [{ BTC_FORECAST_HISTORY_DB_FILE: address }, address, 'no audit log'],
    [{}, file('key.pem', '-----BEGIN PRIVATE KEY-----\nMC4C'), 'no audit log'],
  ] as const) {
    const line = ['serve', '--check', '--audit-log', log]
    const { code, stderr } = await inProcess(line, { ...keys, ...env })
    expect([code, stderr]).toEqual([2, expect.stringContaining(says)])
    expect(stderr).not.toMatch(/MC4C|a secret$/m)
  }
})

const PEM = `-----BEGIN PRIVATE KEY-----\n${MARK}7\n${MARK}/x,1\n-----END PRIVATE KEY-----\n`

describe('of a key in the place of another file, nothing is printed by', () => {
  it.each([
    ...[
      'validate FILE',
      'digest FILE',
      'verify FILE',
      'lint FILE',
      'freeze FILE',
      'health check FILE',
    ],
    ...['validate FILE --format json', 'validate FILE --format sarif', 'compare FILE FILE'],
    ...[
      'history import FILE --history new.sqlite',
      'outcomes import FILE --format kraken --out new',
    ],
    ...['history stats --history FILE', 'keys list --keys FILE', 'power --plan FILE', 'audit FILE'],
    ...['witness --logs FILE --key FILE --state FILE', 'serve --check --keys FILE'],
    ...['register FILE --out new', 'score --registration FILE --outcomes FILE --out new'],
  ])('%s', async (line) => {
    const file = join(temporaryFolder(), 'key.pem')
    writeFileSync(file, PEM)
    await expectHidden(line.replaceAll('FILE', file).split(' '))
  })
})

it('a line of a document is shown without the secret that it holds', async () => {
  const file = join(temporaryFolder(), 'draft.json')
  writeFileSync(file, `{\n"a": "postgres://u:${MARK}@h/db",\n"a": 1\n}`)
  const { stdout } = await inProcess(['validate', file])
  expect(stdout).toContain('postgres://h/db')
  expect(stdout).not.toContain(MARK)
})

describe('a secret where a file has names of columns or members is not printed by', () => {
  const header = (name: string) =>
    `origin_at,model,horizon_hours,${name}\n2026-01-01T00:00:00Z,a,2,1\n`
  const member = (name: string) => JSON.stringify({ [name]: 1, a: { [name]: [] } })
  it.each<[string, (name: string) => string]>([
    ['periods FILE', (name) => `${name}\n`],
    ['periods FILE', (name) => `period,start,end\n"a,${name}",x,y\n`],
    ['history import FILE --history new.sqlite', header],
    ['history import FILE --history new.sqlite --format sarif', header],
    ['validate FILE', member],
    ['validate FILE --format json', member],
    ['lint FILE --format junit', member],
    ['health check FILE', (name) => `{"overall_health":"healthy","stages":${member(name)}}`],
  ])('%s', async (line, text) => {
    const file = join(temporaryFolder(), 'given')
    const names = [`postgres://u:${MARK}@h/db`, `host=h password=${MARK}`, `DB_PASSWORD=${MARK}`]
    for (const name of names) {
      writeFileSync(file, text(name))
      await expectHidden(line.replaceAll('FILE', file).split(' '))
    }
  })
})

it('no folder is made of an address', async () => {
  const folder = temporaryFolder()
  const out = join(folder, `postgres://u:${MARK}@h/db`)
  await expectHidden(['init', out])
  expect(readdirSync(folder)).toEqual([])
})
