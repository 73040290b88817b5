import { join, relative, resolve } from 'node:path'
import { EXIT } from '../../contract/error.js'
import { printable } from '../../contract/printable.js'
import { createAll } from '../../files/create-all.js'
import { command } from '../command.js'
import { startFiles } from '../init/files.js'
import { text } from '../options.js'
import { twoColumns } from '../wording.js'
import { uninterrupted } from '../work.js'

/** The way to a frozen protocol, as the README has it. */
const NEXT = ['lint draft.json', 'freeze draft.json', 'verify protocols']

export default command({
  positionals: '[dir]',
  examples: [
    ['foreproof init', 'Into this folder'],
    ['foreproof init forecasts', 'Into a folder of its own, as in a repository that has a README'],
  ],
  options: {
    dir: text('Folder (this one); nothing in it is overwritten'),
  },
  run: ({ dir = '.' }, { stdout, now }) => {
    const files = startFiles(resolve(dir), now())
    // By the names that a person here would use: findings about them are read here.
    const named = files.map(({ path, text }) => ({ path: relative('', path), text }))
    uninterrupted(() => createAll(named))
    const rows = files.map(({ name, what }) => [join(dir, name), what] as const)
    const lines = [
      ...twoColumns(rows).split('\n'),
      '',
      dir === '.'
        ? 'From here to a frozen protocol:'
        : `To a frozen protocol, in ${printable(dir)}:`,
      ...NEXT.map((line) => `  npx foreproof ${line}`),
    ]
    stdout.write(`${lines.join('\n')}\n`)
    return EXIT.holds
  },
})
