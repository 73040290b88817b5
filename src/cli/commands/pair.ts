import { once } from 'node:events'
import { ForeproofError } from '../../contract/error.js'
import {
  type HistoryFacts,
  historyFacts,
  historyRows,
  regimesOf,
  strataOf,
} from '../../evaluation/history.js'
import { loadPairing, type PairingInputs } from '../../evaluation/load-pairing.js'
import { type PairingResult, runPairing } from '../../evaluation/pair.js'
import { pairingPlan } from '../../evaluation/plan.js'
import { AtomicFile } from '../../files/atomic.js'
import { printReport } from '../../output/print.js'
import { csvWriter, ndjsonWriter } from '../../pairing/lines.js'
import { summaryOf } from '../../pairing/summary.js'
import type { PairingPlan } from '../../pairing/types.js'
import type { Command, Context } from '../command.js'
import { historyPath, withHistory } from '../history-option.js'
import { checkOutput, chosenModels, instantOption } from '../pair-inputs.js'
import { pairingFindings, pairingReport, type WrittenLines } from '../pair-report.js'
import { createProgress } from '../progress.js'

interface Arguments {
  readonly protocol: string
  readonly history: string | undefined
  readonly outcomes: string
  readonly registration: string | undefined
  readonly from: string | undefined
  readonly to: string | undefined
  readonly 'as-of': string | undefined
  readonly models: string[] | undefined
  readonly 'require-provenance': boolean
  readonly out: string | undefined
  readonly csv: boolean | undefined
  readonly format: 'text' | 'json'
}

const command: Command<Arguments> = {
  positionals: '',
  describe: 'Give every expected forecast attempt its status, and count them',
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
  options: (yargs) =>
    withHistory(yargs)
      .option('protocol', { type: 'string', demandOption: true, describe: 'Frozen protocol' })
      .option('outcomes', { type: 'string', demandOption: true, describe: 'Folder of a vintage' })
      .option('registration', { type: 'string', describe: 'Take window, models and mode from it' })
      .option('from', { type: 'string', describe: 'First origin (the first of the history)' })
      .option('to', { type: 'string', describe: 'Last origin (the last of the history)' })
      .option('as-of', {
        type: 'string',
        describe: 'Targets after it have not matured (the last close of the vintage)',
      })
      .option('models', {
        type: 'string',
        array: true,
        describe: 'Models that are expected, separated by commas (all of the history)',
      })
      .option('require-provenance', {
        type: 'boolean',
        default: false,
        describe: 'Forecasts without recorded inputs are ineligible',
      })
      .option('out', { type: 'string', describe: 'Write one line per attempt; - is stdout' })
      .option('csv', { type: 'boolean', describe: 'Lines as CSV (as is for --out NAME.csv)' })
      .option('format', {
        choices: ['text', 'json'] as const,
        default: 'text' as const,
        describe: 'The summary: text for a person, json for a machine',
      }),
  run: async (args, context) => {
    const history = historyPath(args.history, context.env)
    const inputs = await loadPairing(args, context.stdin)
    if (!inputs.ok) {
      const { findings, document } = inputs
      const source = (file: string) => (document?.file === file ? document.text : undefined)
      const headline = `the ${inputs.link} does not verify`
      return await printReport(context, args.format, { findings, headline, source })
    }
    checkOutput(args.out, [args.protocol, history, args.outcomes, args.registration ?? ''])
    const facts = await historyFacts(history)
    const plan = await planFrom(args, inputs, history, facts)
    const { result, lines } = await pairAndWrite(plan, inputs, history, args, context)
    const summary = summaryOf(plan, result.grid, result.memberships, result.accounting)
    // Lines own standard output where they go there: the summary steps aside.
    const output =
      args.out === '-' ? { ...context, colour: false, stdout: context.stderr } : context
    return await printReport(output, args.format, {
      findings: pairingFindings(plan, facts.models, summary, history),
      ...pairingReport(inputs, summary, lines),
    })
  },
}
export default command

async function planFrom(
  args: Arguments,
  { protocol, vintage, registration }: PairingInputs,
  history: string,
  { models, extent }: HistoryFacts,
): Promise<PairingPlan> {
  const given = args.models
  if (registration !== undefined && given !== undefined) {
    throw new ForeproofError('usage', 'the models of a registration cannot be changed', {
      help: 'Leave out --models, or the registration.',
    })
  }
  const regimes = registration && (await regimesOf(history, registration))
  return pairingPlan({
    protocol,
    lastClose: vintage.last,
    extent,
    models: given === undefined ? models : chosenModels(given, models),
    from: instantOption('from', args.from),
    to: instantOption('to', args.to),
    asOf: instantOption('as-of', args['as-of']),
    provenanceRequired: args['require-provenance'],
    ...(registration &&
      regimes && { registration, strata: strataOf(registration, vintage, regimes) }),
  })
}

async function pairAndWrite(
  plan: PairingPlan,
  { vintage }: PairingInputs,
  history: string,
  { out, csv = out?.toLowerCase().endsWith('.csv') ?? false }: Arguments,
  context: Context,
): Promise<{ result: PairingResult; lines: WrittenLines | undefined }> {
  const progress = createProgress(context)
  const file = out === undefined || out === '-' ? undefined : new AtomicFile(out)
  const toStdout = async (text: string) => {
    if (!context.stdout.write(text)) await once(context.stdout, 'drain')
  }
  try {
    const rows = historyRows(history, { from: plan.from, to: plan.to })
    const result = await runPairing(plan, vintage, rows, {
      writer: out === undefined ? undefined : csv ? csvWriter() : ndjsonWriter(),
      onLines: file === undefined ? toStdout : (text) => file.write(text),
      onProgress: (completed, total) => progress.show(`paired ${completed} of ${total}`),
    })
    file?.replace()
    if (out === undefined) return { result, lines: undefined }
    const count = result.accounting.seen
    return { result, lines: { file: out, format: csv ? 'csv' : 'ndjson', count } }
  } finally {
    progress.end()
    file?.discard()
  }
}
