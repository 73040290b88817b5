import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { command } from '../../src/cli/command.js'
import { aNumber, flag, list, textOr, texts } from '../../src/cli/options.js'
import { parseLine } from '../../src/cli/parse.js'

const taking = command({
  positionals: '<files..>',
  examples: {},
  options: {
    files: list('Files'),
    dir: textOr('protocols', 'A folder'),
    'max-rows': aNumber('A number'),
    stamp: texts('Addresses'),
    'dry-run': flag('Nothing is written'),
  },
  run: () => 0,
})

async function parsed(args: readonly string[]) {
  const streams = { stdin: process.stdin, stdout: new PassThrough(), stderr: new PassThrough() }
  const found = await parseLine({ name: 'take', describe: 'Takes' }, taking, args, {
    ...streams,
    env: {},
  })
  streams.stdout.end()
  return { found, printed: await text(streams.stdout) }
}

it.each([
  [['a', '-', 'b'], { files: ['a', '-', 'b'], dir: 'protocols', 'dry-run': false }],
  [['--dir=x', '--dry-run', 'a', '--no-color'], { dir: 'x', 'dry-run': true, color: false }],
  [['a', '--stamp', 'one', '--stamp', '-', 'b'], { stamp: ['one', '-'], files: ['a', 'b'] }],
  [['a', '--max-rows', '20'], { 'max-rows': 20, maxRows: 20 }],
])('reads %j', async (args, expected) => {
  expect((await parsed(args)).found).toMatchObject(expected)
})

it('prints its help, and has nothing to run', async () => {
  const { found, printed } = await parsed(['a', '-h'])
  expect(found).toBeUndefined()
  expect(printed).toContain('foreproof take <files..>')
})
