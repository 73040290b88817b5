import { ForeproofError } from '../../contract/error.js'
import { type PairHistoryResult, pairHistory } from '../../evaluation/pair-history.js'
import { AtomicFile } from '../../files/atomic.js'
import { shownHistory } from '../../history/store/shown.js'
import { printReport } from '../../output/print.js'
import { type Context, command } from '../command.js'
import {
  anEnd,
  anInstant,
  checkOutput,
  endOption,
  flag,
  HISTORY,
  historyPath,
  instantOption,
  LOG,
  listOf,
  needed,
  oneOfOr,
  text,
} from '../options.js'
import { writeOut } from '../output.js'
import { pairingFindings, pairingReport } from '../pair-report.js'
import { watched } from '../work.js'

export default command({
  positionals: '',
  examples: [
    [
      'foreproof pair --protocol P.json --history h.sqlite --outcomes vintages/V',
      'Counts of the whole history',
    ],
    [
      'foreproof pair --registration R.json … --out pairs.ndjson',
      'The registered window, one line per attempt',
    ],
  ],
  options: {
    history: HISTORY,
    log: LOG,
    protocol: needed('Frozen protocol'),
    outcomes: needed('Folder of a vintage'),
    registration: text('Take window, models and mode from it'),
    from: anInstant('First origin (the first of the history)'),
    to: anEnd('Last origin (the last of the history)'),
    'as-of': anInstant('Targets after it have not matured (the last close of the vintage)'),
    models: listOf('Expected models, separated by commas (default: all of the history)'),
    'require-provenance': flag('Forecasts without recorded inputs are ineligible'),
    out: text('Write one line per attempt; - is stdout'),
    csv: {
      type: 'boolean',
      describe: 'Write CSV instead of NDJSON (the default for --out NAME.csv)',
    },
    format: oneOfOr('text', ['text', 'json'], 'The summary: text for a person, json for a machine'),
  },
  run: async (args, context) => {
    const { out, models, format } = args
    const history = historyPath(args.history, context.env)
    checkOutput(out, [args.protocol, history, args.outcomes, args.registration ?? ''])
    const csv = args.csv ?? out?.toLowerCase().endsWith('.csv') ?? false
    const lines = out === undefined ? undefined : csv ? ('csv' as const) : ('ndjson' as const)
    const { protocol, outcomes, registration } = args
    const paired = await writingTo(out, context, (onLines, onProgress, signal) =>
      pairHistory({
        protocol,
        outcomes,
        registration,
        history,
        lines,
        onLines,
        onProgress,
        signal,
        log: args.log,
        from: instantOption('from', args.from),
        to: endOption('to', args.to, context),
        asOf: instantOption('as-of', args['as-of']),
        models: models && ((known) => chosenModels(models, known)),
        provenanceRequired: args['require-provenance'],
        stdin: context.stdin,
      }),
    )
    if (!paired.ok) {
      const { findings, document } = paired
      const source = (file: string) => (document?.file === file ? document.text : undefined)
      const headline = `the ${paired.link} does not verify`
      return await printReport(context, format, { findings, headline, source })
    }
    const { inputs, plan, known, summary, attempts, findings } = paired
    const written = lines && { file: out as string, format: lines, count: attempts }
    // Lines own standard output where they go there: the summary steps aside.
    const output = out === '-' ? { ...context, colour: false, stdout: context.stderr } : context
    return await printReport(output, format, {
      findings: [...findings, ...pairingFindings(plan, known, summary, shownHistory(history))],
      ...pairingReport(inputs, paired, written),
    })
  },
})

/** Runs a pairing whose lines go to a file, which is there whole or not at all, or to stdout. */
async function writingTo(
  out: string | undefined,
  context: Context,
  pair: (
    onLines: (text: string) => void | Promise<void>,
    onProgress: (completed: number, total: number) => void,
    signal: AbortSignal,
  ) => Promise<PairHistoryResult>,
): Promise<PairHistoryResult> {
  const toStdout = (text: string) => writeOut(context.stdout, text)
  // From before the file is there: a signal must never leave it behind.
  return await watched(context, 'Nothing was written.', async (signal, show) => {
    const file = out === undefined || out === '-' ? undefined : new AtomicFile(out)
    const onLines = file === undefined ? toStdout : (text: string) => file.write(text)
    try {
      const paired = await pair(
        onLines,
        (done, total) => show(`paired ${done} of ${total}`),
        signal,
      )
      if (paired.ok) file?.replace()
      return paired
    } finally {
      file?.discard()
    }
  })
}

/**
 * Commas separate names, unless a name of the history has them.
 * @throws {ForeproofError} `usage` when none is left.
 */
export function chosenModels(given: readonly string[], known: readonly string[]): string[] {
  const names = given.flatMap((text) =>
    known.includes(text) ? [text] : text.split(',').map((name) => name.trim()),
  )
  const wanted = [...new Set(names.filter((name) => name !== ''))]
  if (wanted.length === 0) {
    throw new ForeproofError('usage', '--models needs at least one name', {
      help: 'Without --models, all models of the history are paired.',
    })
  }
  return wanted
}
