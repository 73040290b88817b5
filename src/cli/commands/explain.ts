import {
  CODES,
  type Code,
  type Explanation,
  explainCode,
  isCode,
} from '../../contract/findings/finding.js'
import { nearestHelp } from '../../contract/nearest.js'
import { REASONS_EXPLAINED, type ReasonExplanation } from '../../report/reason-help.js'
import { command } from '../command.js'
import { TEXT_OR_JSON, text, usage } from '../options.js'
import { twoColumns } from '../wording.js'

const VERDICTS = 'The verdicts'

export default command({
  positionals: '[code]',
  examples: {
    'foreproof explain ledger-chain': 'what it says, and what to do',
    'foreproof explain ledger-chain --format json': 'the same for a machine',
    'foreproof explain committed_late': 'a reason in a result',
    'foreproof explain eligible': 'a verdict',
    'foreproof explain': 'every code with its sentence',
  },
  options: {
    code: text('The code of a finding, or a verdict or reason in a result'),
    format: TEXT_OR_JSON,
  },
  run: ({ code }, { answer }) => {
    const reasons = REASONS_EXPLAINED
    if (code !== undefined) {
      // `eligible` is short for a verdict.
      const reason =
        reasons.find((each) => each.code === code) ??
        reasons.find((each) => each.subject === VERDICTS && each.code.startsWith(`${code}_`))
      if (reason !== undefined) return answer({ ...reason }, reasonPage(reason))
      const explanation = explainCode(toCode(code))
      return answer(explanation, formatExplanation(explanation))
    }
    const codes = CODES.map(explainCode)
    const rows = codes.map((each) => [each.code, each.example] as const)
    const ofResults = reasons.map((each) => [each.code, each.subject] as const)
    return answer({ codes, reasons }, twoColumns([...rows, ...ofResults]))
  },
})

function toCode(code: string): Code {
  if (isCode(code)) return code
  throw usage(
    `no finding, verdict or reason has the code ${code}`,
    nearestHelp(
      code,
      [...CODES, ...REASONS_EXPLAINED.map((reason) => reason.code)],
      '`foreproof explain` lists every code.',
    ),
  )
}

function formatExplanation({ code, subject, severities, example, help }: Explanation): string {
  return [
    `${code}: ${severities.join(' or ')}`,
    `  ${subject}`,
    '',
    `It says, for example: ${example}`,
    `What to do: ${help}`,
    '',
  ].join('\n')
}

function reasonPage({ code, subject, help }: ReasonExplanation): string {
  const isMeaning = subject === VERDICTS || subject === 'For information'
  return [
    `${code}: a verdict or reason in results`,
    `  ${subject}`,
    '',
    `What ${isMeaning ? 'it means' : 'to do'}: ${help}`,
    '',
  ].join('\n')
}
