import { dirname } from 'node:path'
import { EXIT, ForeproofError } from '../../contract/error.js'
import { type Finding, hasNoErrors } from '../../contract/findings/finding.js'
import type { Plan, Protocol, Registration } from '../../contract/types.js'
import type { Document, UnreadableDocument } from '../../document/read.js'
import { readVintage } from '../../outcomes/vintage.js'
import { type Format, printReport } from '../../output/print.js'
import { ledgerOf, readLedgerFile } from '../../protocol/ledger-file.js'
import { loadDocument, loadFile } from '../../protocol/load.js'
import { placed } from '../../protocol/rules/check.js'
import { Verifier } from '../../protocol/verify.js'
import { earlierFindings } from '../../registration/earlier.js'
import { prepareRegistration } from '../../registration/prepare.js'
import {
  enterRegistration,
  refuseExisting,
  refuseProtocolFolder,
} from '../../registration/register.js'
import { planTemplate } from '../../registration/template.js'
import { templateText } from '../../registration/template-text.js'
import type { Command, Context } from '../command.js'
import { withFormat } from '../format-option.js'
import { Sources } from '../sources.js'

interface Arguments {
  readonly plan: string | undefined
  readonly protocol: string
  readonly out: string
  readonly outcomes: string | undefined
  readonly template: boolean
  readonly mode: Plan['mode']
  readonly 'dry-run': boolean
  readonly format: Format
}

const command: Command<Arguments> = {
  positionals: '[plan]',
  describe: 'Register an evaluation: every test by name, before any outcome is read',
  examples: [
    ['foreproof register --template --protocol protocols/1.json > plan.json', 'A plan to fill in'],
    ['foreproof register plan.json --protocol protocols/1.json', 'Writes registration.json'],
    [
      'foreproof register plan.json --protocol protocols/1.json --outcomes vintages/coinbase',
      'A backtest, tied to one vintage',
    ],
  ],
  options: (yargs) =>
    withFormat(yargs)
      .positional('plan', { type: 'string', describe: 'A plan, or - for standard input' })
      .option('protocol', {
        type: 'string',
        demandOption: true,
        describe: 'The frozen protocol; its ledger lies beside it',
      })
      .option('out', {
        type: 'string',
        default: 'registration.json',
        describe: 'File to write; never overwritten',
      })
      .option('outcomes', {
        type: 'string',
        describe: 'Retrospective: the vintage to score with. Template: closes for cut-points',
      })
      .option('template', {
        type: 'boolean',
        default: false,
        describe: 'Print a plan for the protocol, to be filled in',
      })
      .option('mode', {
        choices: ['prospective', 'retrospective'] as const,
        default: 'prospective' as const,
        describe: 'Of the template',
      })
      .option('dry-run', { type: 'boolean', default: false, describe: 'Check, and write nothing' }),
  run: async (args, context) => {
    if ((args.plan === undefined) !== args.template) {
      throw new ForeproofError(
        'usage',
        args.template ? '--template takes no plan' : 'which plan is to be registered?',
        { help: 'foreproof register --template --protocol FILE prints one to fill in.' },
      )
    }
    return args.template ? printTemplate(args, context) : register(args, context)
  },
}
export default command

/** The protocol as verified, with its ledger; or what was found wrong with either. */
function readProtocol(path: string): {
  document: Document | UnreadableDocument
  findings: readonly Finding[]
} {
  const verifier = new Verifier()
  const document = loadFile(path)
  verifier.add(document)
  if (verifier.findings.length === 0 && verifier.ledgers.length === 0) {
    throw new ForeproofError('refused', `${path}: no ledger lies beside this protocol`, {
      file: path,
      help: 'Freeze it first: foreproof freeze FILE',
    })
  }
  return { document, findings: verifier.findings }
}

function printTemplate({ protocol: path, outcomes, mode }: Arguments, context: Context) {
  const { document, findings } = readProtocol(path)
  if (!document.ok || !hasNoErrors(findings)) {
    throw new ForeproofError('invalid-input', `${path}: this protocol does not verify`, {
      file: path,
      help: `See: foreproof verify ${path}`,
    })
  }
  const template = planTemplate(document.value as Protocol, {
    mode,
    now: context.now(),
    vintage: outcomes === undefined ? undefined : readVintage(outcomes),
  })
  context.stdout.write(`${templateText(template)}\n`)
  return EXIT.holds
}

async function register(args: Arguments, context: Context) {
  const { out, format, 'dry-run': dryRun } = args
  const ledger = ledgerOf(dirname(args.protocol))
  if (!dryRun) {
    refuseExisting(out)
    refuseProtocolFolder(out, ledger)
  }
  const sources = new Sources()
  const frozen = readProtocol(args.protocol)
  sources.keep(frozen.document)
  const document = await loadDocument(args.plan as string, context.stdin)
  sources.keep(document)
  const common = { checked: [document.file], source: sources.of }
  const refuse = (findings: readonly Finding[]) =>
    printReport(context, format, {
      ...common,
      findings,
      figures: { registration: null, written: false },
      headline: 'not registered; nothing was written',
    })
  if (!document.ok || !frozen.document.ok || !hasNoErrors(frozen.findings)) {
    return refuse([...frozen.findings, ...(document.ok ? [] : document.findings)])
  }
  const { registration, findings } = prepareRegistration({
    plan: document,
    protocol: frozen.document,
    now: context.now(),
    vintage: args.outcomes === undefined ? undefined : readVintage(args.outcomes),
  })
  if (registration === undefined) return refuse(findings)
  const before = readLedgerFile(ledger)
  const repeated = before === undefined ? [] : earlierFindings(registration, before)
  const entry = dryRun ? undefined : enterRegistration(registration, out, ledger)
  return printReport(context, format, {
    ...common,
    findings: [...findings, ...placed(repeated, document)],
    figures: {
      registration: summary(registration),
      written: !dryRun,
      file: dryRun ? null : out,
      ledger:
        entry === undefined
          ? null
          : { file: ledger, seq: entry.seq, entry_sha256: entry.entry_sha256 },
    },
    headline: dryRun
      ? `${registration.name} can be registered (nothing was written)`
      : `${registration.name} registered`,
    body: bodyOf(registration, dryRun ? undefined : out),
  })
}

function summary({ family: _family, ...registration }: Registration): object {
  return registration
}

function bodyOf(registration: Registration, out: string | undefined): string {
  const { window, candidates, comparators, strata, mode } = registration
  const levels = strata.reduce((sum, { levels: own = [] }) => sum + own.length, 0)
  const rows = [
    ['mode', mode],
    ['window', `${window.from} to ${window.to}, ${window.origins} hourly origins`],
    ['as of', registration.as_of],
    ['candidates', candidates.map(({ name }) => name).join(', ')],
    ['comparators', comparators.map(({ name }) => name).join(', ')],
    ['strata', `${levels} levels`],
    ['family', `${registration.family_size} tests`],
    ['sha256', registration.registration_sha256],
    ...(out === undefined ? [] : [['written', out]]),
  ] as const
  return rows.map(([name, value]) => `${String(name).padEnd(11)}  ${value}`).join('\n')
}
