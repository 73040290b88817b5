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

const { stdin, stdout, stderr } = process

it.each([
  [['a', '-', 'b'], { files: ['a', '-', 'b'], dir: 'protocols', 'dry-run': false }],
  [['--dir=x', '--dry-run', 'a', '--no-color'], { dir: 'x', 'dry-run': true, color: false }],
  [['a', '--stamp', 'one', '--stamp', '-', 'b'], { stamp: ['one', '-'], files: ['a', 'b'] }],
  [['a', '--max-rows', '20'], { 'max-rows': 20, maxRows: 20 }],
])('reads %j', async (args, expected) => {
  const terminal = { stdin, stdout, stderr, env: {} }
  const parsed = await parseLine({ name: 'take', describe: 'Takes' }, taking, args, terminal)
  expect(parsed).toMatchObject(expected)
})
