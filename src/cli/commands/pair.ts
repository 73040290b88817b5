import { once } from 'node:events'
import { ForeproofError } from '../../contract/error.js'
import type { Finding } from '../../contract/findings/finding.js'
import { nearest } from '../../contract/nearest.js'
import type { Registration } from '../../contract/types.js'
import { AtomicFile } from '../../files/atomic.js'
import { openHistory } from '../../history/store/reader.js'
import type { HistoryReader } from '../../history/store/types.js'
import type { Vintage } from '../../outcomes/types.js'
import { readVintage } from '../../outcomes/vintage.js'
import { printReport, type Report } from '../../output/print.js'
import { csvWriter, ndjsonWriter } from '../../pairing/lines.js'
import { pairBatches } from '../../pairing/pair.js'
import { planOf } from '../../pairing/plan.js'
import { Summariser } from '../../pairing/summary.js'
import type { PairingPlan, Summary } from '../../pairing/types.js'
import type { Command, Context } from '../command.js'
import { historyPath, withHistory } from '../history-option.js'
import {
  checkOutput,
  chosenModels,
  instantOption,
  strataOf,
  verifiedProtocol,
  verifiedRegistration,
} from '../pair-inputs.js'
import { summaryTable } from '../pair-table.js'
import { createProgress } from '../progress.js'
import { Sources } from '../sources.js'

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
    const sources = new Sources()
    const historyFile = historyPath(args.history, context.env)
    const stop = (findings: readonly Finding[], headline: string) =>
      printReport(context, args.format, { findings, headline, source: sources.of })
    const protocol = await verifiedProtocol(args.protocol, context.stdin, sources)
    if (!protocol.ok) return await stop(protocol.findings, 'the protocol does not verify')
    const vintage = readVintage(args.outcomes)
    const registration =
      args.registration === undefined
        ? undefined
        : verifiedRegistration(args.registration, protocol.value, vintage, sources)
    if (registration?.ok === false) {
      return await stop(registration.findings, 'the registration does not verify')
    }
    if (args.out !== undefined && args.out !== '-') {
      const inputs = [args.protocol, historyFile, args.outcomes, args.registration ?? '']
      checkOutput(args.out, inputs)
    }
    const history = openHistory(historyFile)
    try {
      const known = await history.models()
      const registered = registration?.value
      const plan = await planFrom(args, protocol.value, vintage, registered, history, known)
      // The rows come over a connection of their own: this one's page cache is given back first.
      await history.close()
      const { summary, lines } = await pairAll(plan, vintage, history, args, context)
      const onStdout = args.out === '-'
      // Lines own standard output where they go there: the summary steps aside.
      const output = onStdout ? { ...context, colour: false, stdout: context.stderr } : context
      return await printReport(output, args.format, {
        findings: noticed(plan, known, summary, historyFile),
        ...reportOf(args, summary, lines, protocol.value, vintage, registration?.value),
      })
    } finally {
      await history.close()
    }
  },
}
export default command

async function planFrom(
  args: Arguments,
  protocol: Parameters<typeof planOf>[0]['protocol'],
  vintage: Vintage,
  registration: Registration | undefined,
  history: HistoryReader,
  known: readonly string[],
): Promise<PairingPlan> {
  const extent = registration === undefined ? await history.extent() : undefined
  const from = instantOption('from', args.from)
  const to = instantOption('to', args.to)
  const asOf = instantOption('as-of', args['as-of'])
  if (registration !== undefined && args.models !== undefined) {
    throw new ForeproofError('usage', 'the models of a registration cannot be changed', {
      help: 'Leave out --models, or the registration.',
    })
  }
  return planOf({
    protocol,
    lastClose: vintage.last,
    models: args.models === undefined ? known : chosenModels(args.models, known),
    provenanceRequired: args['require-provenance'],
    ...(registration === undefined
      ? {}
      : { registration, strata: await strataOf(registration, vintage, history) }),
    ...(extent === undefined ? {} : { extent }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(asOf === undefined ? {} : { asOf }),
  })
}

interface Lines {
  readonly file: string
  readonly format: 'ndjson' | 'csv'
  readonly count: number
}

async function pairAll(
  plan: PairingPlan,
  vintage: Vintage,
  history: HistoryReader,
  args: Arguments,
  context: Context,
): Promise<{ summary: Summary; lines: Lines | undefined }> {
  const summariser = new Summariser(plan)
  const progress = createProgress(context)
  const rows = history.pairingRows({ from: plan.from, to: plan.to })
  const csv = args.csv ?? args.out?.toLowerCase().endsWith('.csv') ?? false
  const writer = csv ? csvWriter() : ndjsonWriter()
  const toStdout = args.out === '-'
  const file = args.out === undefined || toStdout ? undefined : new AtomicFile(args.out)
  let pending = writer.header
  try {
    file?.write(pending)
    for await (const attempts of pairBatches(plan, vintage, rows)) {
      for (const attempt of attempts) {
        summariser.add(attempt)
        if (summariser.seen % PROGRESS_EVERY === 0) {
          progress.show(`paired ${summariser.seen} of ${summariser.expected}`)
        }
        if (file !== undefined) file.write(writer.line(attempt))
        else if (toStdout) {
          pending += writer.line(attempt)
          if (pending.length < STDOUT_CHUNK) continue
          if (!context.stdout.write(pending)) await once(context.stdout, 'drain')
          pending = ''
        }
      }
    }
    const summary = summariser.finish()
    if (toStdout) context.stdout.write(pending)
    file?.replace()
    if (args.out === undefined) return { summary, lines: undefined }
    const format = csv ? 'csv' : 'ndjson'
    return { summary, lines: { file: args.out, format, count: summariser.seen } }
  } finally {
    progress.end()
    file?.discard()
  }
}

const STDOUT_CHUNK = 65_536
const PROGRESS_EVERY = 8192

function noticed(
  plan: PairingPlan,
  known: readonly string[],
  summary: Summary,
  file: string,
): Finding[] {
  const findings: Finding[] = []
  for (const name of plan.models) {
    if (known.includes(name)) continue
    const close = nearest(name, known) ?? null
    const args = { name, nearest: close }
    findings.push({ code: 'pairing-model-unknown', severity: 'warning', file, args })
  }
  const { count } = summary.outside
  if (count > 0) findings.push({ code: 'pairing-beside', severity: 'note', file, args: { count } })
  return findings
}

function reportOf(
  args: Arguments,
  summary: Summary,
  lines: Lines | undefined,
  protocol: { readonly protocol_version: string; readonly protocol_sha256: string },
  vintage: Vintage,
  registration: Registration | undefined,
): Omit<Report, 'findings'> {
  const { vintage_id, source, sha256 } = vintage.manifest
  const { window } = summary
  const facts: [string, string][] = [
    ['protocol', `${protocol.protocol_version}  ${protocol.protocol_sha256}`],
    ...(registration === undefined
      ? []
      : [
          ['registration', `${registration.name}  ${registration.registration_sha256}`] as [
            string,
            string,
          ],
        ]),
    ['outcomes', `${vintage_id}  ${sha256}`],
    ['window', `${window.from} to ${window.to}, ${window.origins} hourly origins`],
    ['as of', `${window.as_of}, ${summary.mode}`],
  ]
  const written = lines === undefined ? '' : `\n\nwritten  ${lines.file} (${lines.count} lines)`
  const head = facts.map(([name, value]) => `${name.padEnd(12)}  ${value}`).join('\n')
  return {
    figures: {
      protocol: { version: protocol.protocol_version, sha256: protocol.protocol_sha256 },
      registration:
        registration === undefined
          ? null
          : { name: registration.name, sha256: registration.registration_sha256 },
      outcomes: { vintage_id, source, sha256 },
      summary,
      lines: lines ?? null,
    },
    headline: `${summary.total.expected} expected attempts`,
    body: `${head}\n\n${summaryTable(summary)}${args.out === '-' ? '' : written}`,
  }
}
