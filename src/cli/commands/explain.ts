import {
  CODES,
  type Code,
  type Explanation,
  explanationOf,
  isCode,
} from '../../contract/findings/finding.js'
import { nearestHelp } from '../../contract/nearest.js'
import { command } from '../command.js'
import { TEXT_OR_JSON, text, usage } from '../options.js'
import { twoColumns } from '../wording.js'

export default command({
  positionals: '[code]',
  examples: {
    'foreproof explain ledger-chain': 'what it says, and what to do',
    'foreproof explain ledger-chain --format json': 'the same for a machine',
    'foreproof explain': 'every code with its sentence',
  },
  options: {
    code: text('A code, as findings carry it'),
    format: TEXT_OR_JSON,
  },
  run: ({ code }, { answer }) => {
    if (code !== undefined) {
      const explanation = explanationOf(known(code))
      return answer(explanation, pageOf(explanation))
    }
    const codes = CODES.map(explanationOf)
    const rows = codes.map((each) => [each.code, each.example] as const)
    return answer({ codes }, twoColumns(rows))
  },
})

function known(code: string): Code {
  if (isCode(code)) return code
  throw usage(
    `there is no finding with the code ${code}`,
    nearestHelp(code, CODES, '`foreproof explain` lists every code.'),
  )
}

function pageOf({ code, subject, severities, example, help }: Explanation): string {
  return [
    `${code}: ${severities.join(' or ')}`,
    `  ${subject}`,
    '',
    `It says, for example: ${example}`,
    `What to do: ${help}`,
    '',
  ].join('\n')
}
