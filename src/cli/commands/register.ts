import { dirname } from 'node:path'
import { EXIT, ForeproofError } from '../../contract/error.js'
import { type Finding, hasNoErrors } from '../../contract/findings/finding.js'
import { type Instant, MICROS_PER_HOUR } from '../../contract/instant.js'
import { printable } from '../../contract/printable.js'
import type { Protocol, Registration, SeriesProtocol } from '../../contract/types.js'
import type { Document } from '../../document/read.js'
import {
  assertJsonName,
  assertNewFile,
  assertOtherFolder,
  enterRegistration,
} from '../../evaluation/enter-registration.js'
import { type AlphaLeft, findEarlierRegistrations } from '../../evaluation/other-registrations.js'
import { lintPlanned } from '../../lint/lint.js'
import { lintSeries, lintSeriesWindow } from '../../lint/lint-series.js'
import { silenceFindings } from '../../lint/silence.js'
import { lintWindow } from '../../lint/window.js'
import { liarsNeeded } from '../../log/policy.js'
import { compilePolicy } from '../../log/policy-rule.js'
import type { FindingsReport } from '../../output/print.js'
import type { PeriodList } from '../../periods/list.js'
import { ledgerPath, readLedgerFile } from '../../protocol/ledger-file.js'
import { loadDocument, loadFile } from '../../protocol/load.js'
import { locateFindings } from '../../protocol/rules/check.js'
import { compileRules, type Rules } from '../../protocol/rules/compile.js'
import type { RegisteredEntry } from '../../protocol/rules/entry.js'
import { listGroups } from '../../protocol/rules/groups.js'
import { checkPolicy } from '../../protocol/rules/policy.js'
import { supersededFindings, type VerifiedProtocol, verifyProtocol } from '../../protocol/verify.js'
import { prepareRegistration } from '../../registration/prepare.js'
import { seriesPlanTemplate } from '../../registration/series-template.js'
import { planTemplate, templateText } from '../../registration/template.js'
import { asksForLog } from '../../registration/time-rules.js'
import { alphaSaid } from '../../report/registrations.js'
import { computeLevel, levelText } from '../../time/level.js'
import type { Anchor } from '../../time/rfc3161/anchors.js'
import type { StampEntryResult } from '../../time/stamp-entry.js'
import { readLedgerAnchors } from '../../time/target.js'
import { readVintage, type Vintage } from '../../truth/closes/vintage.js'
import { readTruth, type TruthVintage } from '../../truth/releases-vintage.js'
import { createSeriesTruth } from '../../truth/series-truth.js'
import { type ArgumentsOf, type Context, command } from '../command.js'
import {
  assertWithout,
  endIn,
  FORMAT,
  flag,
  instantIn,
  needed,
  oneOfOr,
  text,
  textOr,
  usage,
} from '../options.js'
import { authorities, keptFigures, stampBody, stampOnTerminal } from '../stamp-report.js'
import { computeWaitingBefore, type WaitingBefore } from '../waiting-text.js'
import { pluralize, textLookup, twoColumns } from '../wording.js'
import { uninterrupted } from '../work.js'

const options = {
  format: FORMAT,
  stamp: authorities('Address of a time-stamp authority to stamp the registration'),
  plan: text('A plan, or - for standard input'),
  protocol: needed('The frozen protocol; its ledger is beside it'),
  out: textOr('registration.json', 'File to write; never overwritten'),
  outcomes: text('Backtest: the vintage to score with. Template: closes for cut-points'),
  template: flag('Print a plan for the protocol, to be filled in'),
  mode: oneOfOr(
    'prospective',
    ['prospective', 'backtest'],
    'Mode of the plan that --template prints',
  ),
  from: text('Template: label of the first origin; hourly, a date alone is midnight UTC'),
  to: text('Template: label of the last origin; hourly, a date alone is that whole day, UTC'),
  'dry-run': flag('Check, and write nothing'),
}

type Arguments = ArgumentsOf<typeof options>

export default command({
  positionals: '[plan]',
  examples: {
    'foreproof register --template --protocol protocols/1.json > plan.json': 'A plan to fill in',
    'foreproof register plan.json --protocol protocols/1.json': 'Writes registration.json',
    'foreproof register plan.json --protocol protocols/1.json --stamp URL':
      'And has the entry stamped',
    'foreproof register plan.json --protocol protocols/1.json --outcomes vintages/coinbase':
      'A backtest, tied to one vintage',
  },
  options,
  run: async (args, context) => {
    const { template, plan } = args
    const help = 'foreproof register --template --protocol FILE prints a plan to fill in.'
    if (!template) assertWithout(args, ['from', 'to'], 'needs --template', help)
    else if (plan !== undefined) throw usage('PLAN cannot be used with --template', help)
    else assertWithout(args, ['stamp'], 'cannot be used with --template', help)
    if (template) return await printTemplate(args, context)
    if (plan === undefined) throw usage('PLAN is missing', help)
    return await register(plan, args, context)
  },
})

/** Reads the protocol with findings about it and its ledger, which must exist. */
function readProtocol(path: string): VerifiedProtocol {
  const named = verifyProtocol(loadFile(path))
  const { document, findings } = named
  if (document.ok && findings.length === 0) {
    const faults = [
      ...supersededFindings(document, named.ledger),
      ...checkPolicy(document, named.periods),
    ]
    if (faults.length > 0) return { ...named, findings: locateFindings(faults, document) }
  }
  if (findings.length > 0 || named.ledger !== undefined) return named
  throw new ForeproofError('refused', `${path}: this protocol has no ledger beside it`, {
    file: path,
    help: 'Freeze it first: foreproof freeze FILE',
  })
}

async function printTemplate(args: Arguments, context: Context) {
  const { protocol: path, mode, outcomes, from, to } = args
  const { document, findings, periods } = readProtocol(path)
  if (!document.ok || !hasNoErrors(findings)) throw notVerified(path)
  const now = context.now()
  if (periods !== undefined) {
    assertWithout(
      args,
      ['outcomes'],
      'is for the template of hourly BTC/USD',
      'Leave it out: any other template needs no outcomes. It is for register and score.',
    )
    const options = { mode, now, from, to }
    const plan = seriesPlanTemplate(document.value as SeriesProtocol, periods, options)
    context.stdout.write(`${templateText(plan)}\n`)
    return EXIT.holds
  }
  const vintage = outcomes === undefined ? undefined : readVintage(outcomes)
  const window = {
    from: from === undefined ? undefined : instantIn(from, 'from'),
    // Origins are hourly: the last one of a day is at 23:00.
    to: to === undefined ? undefined : endIn(to, 'to', context, MICROS_PER_HOUR),
  }
  const plan = planTemplate(document.value as Protocol, { mode, ...window, now, vintage })
  context.stdout.write(`${templateText(plan)}\n`)
  return EXIT.holds
}

const notVerified = (path: string) =>
  new ForeproofError('invalid-input', `${path}: this protocol does not verify`, {
    file: path,
    help: `See: foreproof verify ${path}`,
  })

async function register(path: string, args: Arguments, context: Context) {
  const { out, 'dry-run': dryRun } = args
  const ledger = ledgerPath(dirname(args.protocol))
  const stamping = args.stamp && createStamping(args.stamp, args.protocol)
  if (!dryRun) {
    assertJsonName(out)
    assertNewFile(out, readLedgerFile(ledger))
    assertOtherFolder(out, ledger)
  }
  const { document: protocol, findings: faults, periods } = readProtocol(args.protocol)
  const plan = await loadDocument(path, context.stdin)
  const source = textLookup([protocol, plan])
  const print = (report: Omit<FindingsReport, 'checked' | 'source'>) =>
    context.report({ ...report, checked: [plan.file], source })
  const refuse = (findings: readonly Finding[]) =>
    print({
      findings,
      figures: { registration: null, written: false },
      headline: 'not registered; nothing was written',
    })
  if (!plan.ok || !protocol.ok || !hasNoErrors(faults)) {
    return refuse([...faults, ...(plan.ok ? [] : plan.findings)])
  }
  const documents = { protocol, plan, periods }
  const { findings, registration, waiting } = prepare(documents, args.outcomes, context.now())
  if (registration === undefined) return refuse(findings)
  const entered = readLedgerFile(ledger)
  const before = entered && (await findEarlierRegistrations(registration, entered))
  const repeated = before?.findings ?? []
  const { alpha } = before ?? {}
  const entry = dryRun
    ? undefined
    : uninterrupted(() => enterRegistration(registration, out, ledger))
  const stamped =
    entry && stamping && (await stampRegistration(stamping, entry, registration, context))
  const file = dryRun ? null : out
  const summary = { ...registration, family: { ...registration.family, tests: undefined } }
  const code = await print({
    findings: [...findings, ...locateFindings(repeated, plan), ...(stamped?.findings ?? [])],
    figures: {
      registration: summary,
      written: entry !== undefined,
      file,
      ledger: entry ? { file: ledger, seq: entry.seq, entry_sha256: entry.entry_sha256 } : null,
      ...(alpha && { alpha }),
      ...(waiting && { waiting_worth: waiting.worth }),
      ...(stamped && { stamps: stamped.figures }),
    },
    headline: entry
      ? `${registration.name} registered`
      : `${registration.name} can be registered (nothing was written)`,
    body: [
      formatRegistration(registration, file, stamped?.level, alpha),
      ...(waiting ? [waiting.text] : []),
      ...(stamped?.lines ?? []),
    ].join('\n'),
  })
  return stamped?.complete === false ? EXIT.unable : code
}

interface Documents {
  readonly protocol: Document
  readonly plan: Document
  readonly periods: PeriodList | undefined
}

interface Prepared {
  readonly findings: readonly Finding[]
  /** Absent if a finding prevents it. */
  readonly registration?: Registration
  /** Of a list of periods. */
  readonly waiting?: WaitingBefore | undefined
}

/** The registration that a plan would make, with what lint says of its design. */
function prepare(
  { protocol, plan, periods }: Documents,
  outcomes: string | undefined,
  now: Instant,
): Prepared {
  const isHourly = periods === undefined
  const closes = isHourly && outcomes !== undefined ? readVintage(outcomes) : undefined
  const value = protocol.value as SeriesProtocol
  const releases = isHourly || outcomes === undefined ? undefined : readTruth(outcomes, value)
  const prepared = prepareRegistration({ plan, protocol, periods, now, closes, releases })
  const { registration } = prepared
  if (registration === undefined) return prepared
  if (isHourly) {
    const linted = lintedHours(registration, { protocol, plan }, closes)
    const findings = [...prepared.findings, ...linted]
    return hasNoErrors(findings) ? { findings, registration } : { findings }
  }
  const rules = compileRules(value, periods)
  const linted = lintedList(registration, { protocol, plan, periods, rules }, releases)
  const findings = [...prepared.findings, ...linted]
  if (!hasNoErrors(findings)) return { findings }
  const waiting = computeWaitingBefore(rules, periods, registration.window)
  return { findings, registration, waiting }
}

function lintedHours(
  registration: Registration,
  documents: Pick<Documents, 'protocol' | 'plan'>,
  closes: Vintage | undefined,
): Finding[] {
  const planned = lintPlanned(registration, documents)
  if (!hasNoErrors(planned)) return planned
  return [...planned, ...locateFindings(lintWindow(registration, closes), documents.plan)]
}

function lintedList(
  registration: Registration,
  { protocol, plan, periods, rules }: Documents & { periods: PeriodList; rules: Rules },
  releases: TruthVintage | undefined,
): Finding[] {
  const truth = releases && createSeriesTruth(rules, periods, releases)
  return [
    ...locateFindings(lintSeries(rules, periods, truth), protocol),
    ...locateFindings(lintSeriesWindow(registration, rules, periods, truth), plan),
    ...locateFindings(silenceFindings(registration, rules, periods, releases), plan),
  ]
}

function formatRegistration(
  registration: Registration,
  file: string | null,
  level: string | undefined,
  alpha: AlphaLeft | undefined,
): string {
  const { window, candidates, comparators, mode } = registration
  return twoColumns([
    ['mode', mode],
    ['window', `${window.from} to ${window.to}, ${originsText(registration)}`],
    ['candidates', candidates.map(({ name }) => name).join(', ')],
    ['comparators', comparators.map(({ name }) => name).join(', ')],
    ['not asked', describeNotAsked(registration)],
    describeParts(registration),
    // The time of the values that losses are divided by; it may be long before the registration.
    [
      'scales',
      registration.scales_as_of === null
        ? undefined
        : `of the values in force at ${registration.scales_as_of}`,
    ],
    ['from texts', textsRead(registration)],
    ['family', `${registration.family.size} tests`],
    ['alpha', alpha && alphaSaid(alpha, isHourly(registration) ? 'hours' : 'origins')],
    ['commitment', asksForLog(registration.commitment) ? committedTo(registration) : undefined],
    ['sha256', registration.registration_sha256],
    ['time', level],
    ['written', file ?? undefined],
  ])
}

const isHourly = ({ rules }: Registration): boolean => rules.periods.kind === 'hours'

const originsText = (registration: Registration) =>
  isHourly(registration)
    ? `${registration.window.origins} hourly origins`
    : pluralize(registration.window.origins, 'origin')

/** Required baselines that are used for only some series, or for none; undefined if there are none. */
function describeNotAsked(registration: Registration): string | undefined {
  const { not_asked: unasked, comparators } = registration
  const each = unasked.map(({ comparator, series }) => {
    const isNone = comparators.every(({ name }) => name !== comparator)
    return isNone ? comparator : `${comparator} of ${series.length} series`
  })
  return each.length === 0 ? undefined : each.join(', ')
}

/** The numbers that the texts of a protocol of version 1 state; undefined if none was read. */
function textsRead({ rules }: Registration): string | undefined {
  const numbers = rules.read_from_text.filter(({ value }) => typeof value === 'number')
  const each = numbers.map(({ member, value }) => `${member.split('/').at(-1)} ${value}`)
  return each.length === 0 ? undefined : each.join(', ')
}

/** How many levels of strata have tests: parts of names are escaped. */
const levelsIn = (family: readonly string[]): number =>
  new Set(family.filter((test) => test.includes('/stratum:')).map((test) => test.split('/').at(-1)))
    .size

/** The groups and strata that are tested. */
function describeParts(registration: Registration): readonly [string, string] {
  const levels = levelsIn(registration.family.tests)
  if (isHourly(registration)) return ['strata', `${levels} levels`]
  const strata = levels > 0 ? `; ${pluralize(levels, 'level')} of strata` : ''
  return ['groups', `${listGroups(registration.rules).join(', ') || 'none'}${strata}`]
}

function committedTo({ time, commitment_log: log }: Registration): string {
  if (time?.witnesses !== undefined) {
    const needed = liarsNeeded(compilePolicy(time.witnesses))
    const name = printable(time.witnesses.log)
    return `witnessed, in the log ${name}; ${pluralize(needed, 'witness', 'witnesses')} would have to lie for a second version of it`
  }
  return log === null
    ? 'stamped, in the only log of the history: with several, nothing is scored (commitment_log names one)'
    : `stamped, in the log ${printable(log)}`
}

/**
 * Prepares for stamps, before anything is written.
 * @throws {ForeproofError} as `anchorsBeside`.
 */
function createStamping(urls: readonly string[], protocol: string) {
  const folder = dirname(protocol)
  return { urls, folder, anchors: readLedgerAnchors(folder) }
}

/** Requests stamps for the entry of a registration. The entry stays even if no authority answers. */
async function stampRegistration(
  { urls, ...place }: ReturnType<typeof createStamping>,
  entry: RegisteredEntry,
  registration: Registration,
  context: Context,
) {
  const retry = `foreproof stamp --dir ${place.folder} --entry ${entry.seq} --tsa URL`
  const left = `The registration is written. To have it stamped: ${retry}`
  const result = await stampOnTerminal({ ...place, entry }, urls, context, left)
  return {
    findings: result.findings,
    complete: result.complete,
    figures: result.kept.map(keptFigures),
    level: levelAfter(result, place.anchors, entry, registration),
    lines: [stampBody(result.kept), result.complete ? '' : left].filter((line) => line !== ''),
  }
}

/** The level in words, by the authorities that the registration pins, or by all that are trusted here. */
function levelAfter(
  { kept }: StampEntryResult,
  anchors: readonly Anchor[],
  { seq }: RegisteredEntry,
  { time }: Registration,
): string {
  const here = anchors.map(({ name, sha256 }) => ({ name, anchor_sha256: sha256 }))
  const stamps = kept.map(({ stamp }) => stamp)
  return levelText(computeLevel(seq, stamps, time?.authorities ?? here, time?.at_least))
}
