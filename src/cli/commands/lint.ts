import type { Protocol } from '../../contract/types.js'
import type { Document } from '../../document/read.js'
import { degreesOfWindow } from '../../inference/ewc.js'
import { studentQuantile } from '../../inference/student-t.js'
import type { DesignFigures, RegisteredDesign } from '../../lint/design-figures.js'
import { earliestHourly } from '../../lint/earliest.js'
import { type LintResult, lintDocuments } from '../../lint/lint.js'
import { TEXTS_ARE_NOT_EXECUTED } from '../../lint/texts.js'
import { loadDocument, loadFile } from '../../protocol/load.js'
import { isSeriesProtocol } from '../../protocol/rules/check.js'
import { compileRules } from '../../protocol/rules/compile.js'
import { command } from '../command.js'
import { earliestText } from '../earliest.js'
import { count, FORMAT, needed, text } from '../options.js'
import { lengthsText, lintSeriesDocument } from '../series-lengths.js'
import { grouped, textLookup } from '../wording.js'

/** Checks whether the design of a protocol can answer its question, with the figures behind every finding. */
export default command({
  positionals: '<protocol>',
  examples: {
    'foreproof lint draft.json': 'before it is frozen',
    'foreproof lint draft.json --family-size 2784': 'with the family that is planned',
    'foreproof lint p.json --registration registration.json': 'with its family and window',
  },
  options: {
    protocol: needed('A protocol or a draft of one, or - for standard input'),
    'family-size': {
      ...count('Number of tests in the planned family'),
      conflicts: 'registration',
    },
    registration: text('A registration under this protocol: its family and window count'),
    periods: text('List of periods of a draft (version 2); a frozen protocol has it beside it'),
    outcomes: text('A vintage (version 2), to compare how large the losses of the series are'),
    format: FORMAT,
  },
  run: async (args, context) => {
    const { protocol, 'family-size': familySize, registration } = args
    const document = await loadDocument(protocol, context.stdin)
    const registrationDocument = registration === undefined ? undefined : loadFile(registration)
    const documents =
      registrationDocument === undefined ? [document] : [document, registrationDocument]
    if (document.ok && isSeriesProtocol(document.value)) {
      const lint = {
        document,
        registration: registrationDocument,
        periods: args.periods,
        outcomes: args.outcomes,
        now: context.now(),
      }
      const { findings, lengths, earliest, waiting } = await lintSeriesDocument(lint)
      return context.report({
        findings,
        figures: {
          lengths: lengths ?? null,
          earliest_verdict: earliest ?? null,
          waiting_worth: waiting?.worth ?? null,
        },
        checked: documents.map(({ file }) => file),
        headline: '1 protocol linted',
        source: textLookup(documents),
        ...(lengths &&
          waiting && {
            body: `${earliestText(earliest, context.now())}${waiting.text}\n${lengthsText(lengths, context.now())}`,
          }),
      })
    }
    const linted = lintDocuments(document, { familySize, registration: registrationDocument })
    const { findings, figures, registered } = linted
    const size = registered?.familySize ?? familySize
    const earliest =
      figures === undefined || registrationDocument !== undefined
        ? undefined
        : earliestHourly(compileRules((document as Document).value as Protocol), context.now())
    return context.report({
      findings,
      figures: {
        design: figures === undefined ? null : shownDesign(figures, size, registered),
        earliest_verdict: earliest ?? null,
      },
      checked: documents.map(({ file }) => file),
      headline: '1 protocol linted',
      source: textLookup(documents),
      ...(figures === undefined
        ? {}
        : {
            body: `${earliestText(earliest, context.now())}${carries(figures, linted)}${TEXTS_ARE_NOT_EXECUTED}`,
          }),
    })
  },
})

function shownDesign(
  figures: DesignFigures,
  familySize: number | undefined,
  registered: RegisteredDesign | undefined,
): Record<string, number | string | null> {
  const { windowOrigins = null } = registered ?? {}
  const resampled = figures.method === 'percentile-bootstrap'
  return {
    method: figures.method,
    replicates: figures.replicates,
    alpha: figures.alpha,
    smallest_p: resampled ? figures.smallestP : null,
    largest_family: resampled ? figures.largestFamily : null,
    family_size: familySize ?? null,
    block_length_origins: figures.blockLength,
    minimum_blocks: figures.minimumBlocks,
    minimum_pairs: figures.minimumPairs,
    window_origins: windowOrigins,
    window_blocks: windowOrigins === null ? null : Math.floor(windowOrigins / figures.blockLength),
  }
}

/** What the design can carry, shown with or without findings. */
function carries(figures: DesignFigures, { registered, shortest }: LintResult): string {
  const { method, replicates, alpha, smallestP, largestFamily } = figures
  if (method === 'ewc-t') {
    if (registered !== undefined) return `${asks(figures, registered)}\n`
    return shortest === undefined
      ? ''
      : `${asks(figures, shortest)}, for one candidate in the shortest window\n`
  }
  return (
    'Nothing will be decided under this protocol: it tests by a bootstrap, and foreproof decides by the cosine test only.\n' +
    `${grouped(replicates)} replicates give p-values from ${smallestP.toExponential(2)} up: ` +
    `at alpha ${alpha}, Holm can reject in families of up to ${grouped(largestFamily)} tests\n`
  )
}

/** What the first step of the weighted ladder requires of a deciding test. */
function asks({ alpha, blockLength }: DesignFigures, { windowOrigins, ewc }: RegisteredDesign) {
  const { decidingSize = 1, decidingWeight = 1 } = ewc ?? {}
  const blocks = Math.floor(windowOrigins / blockLength)
  const nu = degreesOfWindow({ origins: windowOrigins, blockLength }, 'hours')
  const level = (alpha * decidingWeight) / decidingSize
  const t = studentQuantile(level, nu)
  return (
    `${blocks} blocks give ${nu} degrees of freedom: the largest |t| that a deciding test needs is ${t.toFixed(2)} ` +
    `(p at or below ${level.toExponential(2)}, first of ${decidingSize})`
  )
}
