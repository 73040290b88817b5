import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { command } from '../../src/cli/command.js'
import { parse } from '../../src/cli/parse.js'

const taking = command({
  positionals: '<files..>',
  describe: '',
  examples: [],
  options: (yargs) =>
    yargs
      .positional('files', { type: 'string', array: true, demandOption: true })
      .option('dir', { type: 'string', default: 'protocols' })
      .option('max-rows', { type: 'number' })
      .option('stamp', { type: 'string', array: true, nargs: 1 })
      .option('dry-run', { type: 'boolean', default: false }),
  run: () => 0,
})

async function parsed(args: readonly string[]) {
  const streams = { stdin: process.stdin, stdout: new PassThrough(), stderr: new PassThrough() }
  const found = await parse('take', taking, args, { ...streams, env: {} })
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
