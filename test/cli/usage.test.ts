import { expect, it } from 'vitest'
import { inProcess } from '../support/in-process.js'

it.each([
  ['score --help-me', 'there is no option --help-me', 'See: foreproof score --help'],
  ['pair --fram x', 'there is no option --fram', 'Did you mean --from?'],
  ['validate --formatt draft.json', 'there is no option --formatt', 'Did you mean --format?'],
  ['validate', 'FILES is missing', 'Usage: foreproof validate <files..>.'],
  ['freeze', 'DRAFT is missing', 'Usage: foreproof freeze <draft>.'],
  ['compare a.json', 'is missing', 'Usage: foreproof compare'],
  ['publish', '--out is missing', 'See: foreproof publish --help'],
  // A variable of a script that is not set.
  ['publish --out ', '--out is empty', 'Give it a value, or leave it out.'],
  ['score --registration= --outcomes v --out x', '--registration is empty', 'or leave it out'],
  ['init ', 'DIR is empty', 'or leave it out'],
  ['validate ', 'FILES is empty', 'See: foreproof validate --help'],
  ['publish --out', '--out needs a value', 'See: foreproof publish --help'],
  ['freeze a.json b.json', '"b.json" is one argument too many', 'See: foreproof freeze --help'],
  ['history verify x y', 'too many arguments: x, y', 'See: foreproof history verify --help'],
  ['ledger rebase --x', 'there is no option --x', 'See: foreproof ledger rebase --help'],
  ['audit evidence -x', 'there is no option --x', 'See: foreproof audit --help'],
  ['validate -- x', 'FILES is missing', 'Usage: foreproof validate <files..>.'],
  ['freeze x --dir a --dir b', '--dir was given more than once', 'See: foreproof freeze --help'],
  ['lint x --family-size 3 --registration y', 'mutually exclusive', 'See: foreproof lint --help'],
  ['completion tcsh', 'SHELL: "tcsh" is not one of bash, zsh, fish', 'See: foreproof completion'],
  ['score', '--registration, --outcomes, --out are missing', 'See: foreproof score --help'],
  [
    'validate x --format jsn',
    '--format: "jsn" is not one of text, json, sarif',
    'Did you mean json?',
  ],
  ['history exprt', 'history: there is no command exprt', 'Did you mean: foreproof history export'],
  ['history', 'history: the second word of the command is missing', 'One of: init, import,'],
  ['scor', 'there is no command scor', 'Did you mean: foreproof score'],
])('foreproof %s', async (line, says, help) => {
  const { code, stdout, stderr } = await inProcess(line)
  expect([code, stdout]).toEqual([2, ''])
  const [first, second, ...rest] = stderr.trimEnd().split('\n')
  expect(first).toContain(says)
  expect(second).toContain(help)
  expect(rest).toEqual([])
})
