import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { COMMANDS } from '../../src/cli/commands.js'
import { parseFully } from '../../src/cli/parse-fully.js'
import { parseQuickly } from '../../src/cli/parse-quickly.js'

const terminal = {
  stdin: process.stdin,
  stdout: new PassThrough(),
  stderr: new PassThrough(),
  env: {},
}

const command = async (name: string) => {
  const entry = COMMANDS.find((each) => each.name === name)
  if (entry === undefined) throw new Error(name)
  return (await entry.load()).default
}

/** What yargs makes of the same arguments, without what it adds for itself. */
async function fully(name: string, args: readonly string[]) {
  const { _, $0, ...parsed } = (await parseFully(name, await command(name), args, terminal)) as {
    [key: string]: unknown
  }
  return Object.fromEntries(Object.entries(parsed).filter(([, value]) => value !== undefined))
}

/** Example lines of a command that need no shell to be split. */
async function exampleArguments(name: string): Promise<string[][]> {
  const lines = (await command(name)).examples.map(([line]) => line)
  return lines
    .filter((line) => line.startsWith(`foreproof ${name}`) && !/["'|<>$;&()]/.test(line))
    .map((line) => line.slice(`foreproof ${name}`.length).split(' ').filter(Boolean))
}

describe('parseFully', () => {
  it('refuses an option given twice that takes one value', async () => {
    const freeze = await command('freeze')
    const args = ['x', '--dir', 'a', '--dir', 'b']
    await expect(parseFully('freeze', freeze, args, terminal)).rejects.toThrow(/more than once/)
  })

  it('leaves lists alone', async () => {
    expect(await fully('validate', ['a', 'b', '--no-color'])).toMatchObject({ files: ['a', 'b'] })
  })
})

describe('parseQuickly', () => {
  it.each(COMMANDS.map((entry) => entry.name))(
    'agrees with yargs on the examples of %s',
    async (name) => {
      for (const args of await exampleArguments(name)) {
        const quick = parseQuickly(await command(name), args)
        if (quick !== undefined) expect(quick, args.join(' ')).toEqual(await fully(name, args))
      }
    },
  )

  it('deals with the plain case by itself', async () => {
    const validate = await command('validate')
    expect(parseQuickly(validate, ['a.json', '-', '--format', 'json', '--color'])).toEqual({
      files: ['a.json', '-'],
      format: 'json',
      color: true,
    })
    const freeze = await command('freeze')
    expect(parseQuickly(freeze, ['--dir=x', 'd.json', '--dry-run'])).toEqual({
      draft: 'd.json',
      dir: 'x',
      'dry-run': true,
      dryRun: true,
      format: 'text',
    })
  })

  it.each([
    ['help', ['--help']],
    ['nothing', []],
    ['an unknown option', ['x', '--what']],
    ['a value that is no choice', ['x', '--format', 'xml']],
    ['an option twice', ['x', '--format', 'json', '--format', 'text']],
    ['a negation', ['x', '--no-color']],
    ['a short option', ['x', '-h']],
    ['the end of options', ['--', '-x']],
    ['an empty value', ['x', '--format', '']],
    ['an option without its value', ['x', '--format']],
  ])('leaves %s to yargs', async (_name, args) => {
    expect(parseQuickly(await command('validate'), args)).toBeUndefined()
  })
})
