import { statSync } from 'node:fs'
import { ForeproofError, fileError } from '../../contract/error.js'
import { readCodeVersion } from '../../evaluation/code-version.js'
import {
  type AuditResult,
  auditFolder,
  isWithoutInput,
  type LinkState,
  type Unchecked,
} from '../../evaluation/evidence/audit.js'
import { INPUT_SAYS, LINK_SAYS } from '../../evaluation/links.js'
import { RENDERERS } from '../../report/renderers.js'
import { historyFiles, historyName, isUnknownAddress } from '../../store/shown.js'
import { type TrustChoice, toTrustChoice } from '../../time/level.js'
import { command } from '../command.js'
import { aDigest, FORMAT, flag, needed, TRUST_OPTIONS, text } from '../options.js'
import { timeFacts, timeFigures } from '../time-facts.js'
import { twoColumns } from '../wording.js'
import { threads, WORKERS, withProgress } from '../work.js'

export default command({
  positionals: '<folder>',
  examples: {
    'foreproof audit evidence': 'Recomputes everything, inputs where they were',
    'foreproof audit evidence --history copy.sqlite': 'An input that was moved',
    'foreproof audit evidence --anchors ~/anchors --witnesses ~/witnesses.policy':
      'By the authorities and witnesses that you trust',
  },
  options: {
    format: FORMAT,
    workers: WORKERS,
    ...TRUST_OPTIONS,
    folder: needed('The folder that foreproof score wrote'),
    registration: text('The registration, if it was moved'),
    protocol: text('The protocol or its folder, if it was moved'),
    history: text('The history, if it was moved, or its export (NDJSON)'),
    outcomes: text('The vintage, if it was moved'),
    'allow-unchecked': flag(
      'Exit with 0 even if links could not be checked because an input is missing',
    ),
    'accept-code': aDigest('Accept a result that the code with this digest scored'),
  },
  run: async (args, context) => {
    const { folder } = args
    const paths = Object.fromEntries(
      (['registration', 'protocol', 'history', 'outcomes'] as const).flatMap((name) =>
        args[name] === undefined ? [] : [[name, assertThere(name, args[name])]],
      ),
    )
    const who = toTrustChoice(args)
    const audit = await withProgress(context, (show) =>
      auditFolder({
        ...threads(args, show),
        folder,
        paths,
        anchors: args.anchors,
        witnesses: args.witnesses,
        acceptCode: args['accept-code'],
        code: readCodeVersion(),
        render: RENDERERS,
      }),
    )
    return await context.report({
      findings: audit.findings,
      isUnchecked: !args['allow-unchecked'] && audit.links.some(isWithoutInput),
      figures: {
        folder,
        result_sha256: audit.result?.result_sha256 ?? null,
        inputs: audit.paths ?? null,
        time: audit.level ? timeFigures(audit.level, audit.result?.time ?? null, who) : null,
        links: audit.links,
        broken: audit.links.find((link) => link.state === 'broken')?.link ?? null,
      },
      checked: [folder],
      headline: headline(audit, args['allow-unchecked']),
      body: formatAudit(audit, who),
    })
  },
})

function assertThere(name: Input, path: string): string {
  // A server is contacted when it is read; an invalid address is rejected there.
  if (name === 'history' && (historyFiles(path).length === 0 || isUnknownAddress(path))) return path
  try {
    statSync(path)
    return path
  } catch (cause) {
    const { code, message } = fileError(cause, path)
    const help = `Name its folder or file, or leave --${name} out: links that do not need it are still checked.`
    throw new ForeproofError(code, message, { file: path, help, cause })
  }
}

const SIGNS: Readonly<Record<LinkState, string>> = {
  holds: 'holds      ',
  broken: 'BROKEN     ',
  not_checked: 'not checked',
}

/** An earlier broken link is printed above and needs no explanation. */
const BECAUSE: Readonly<Record<Unchecked, string>> = {
  'other-code': ' (other code scored)',
  'earlier-link': '',
  'without-input': '',
  'export-of-history': ' (the given history does not have the rows that it needs)',
}

type Input = keyof NonNullable<AuditResult['paths']>

const lacking = (missing: readonly Input[]): string =>
  ` (not there: ${missing.map((name) => INPUT_SAYS[name]).join(', ')})`

/** The paths of the inputs are shown, because an audit is only as good as its inputs and the folder chooses them. */
function formatAudit({ links, paths, result, level }: AuditResult, who: TrustChoice): string {
  const rows = links.map(
    ({ link, state, because, missing }) =>
      `${SIGNS[state]}  ${LINK_SAYS[link]}${missing ? lacking(missing) : because ? BECAUSE[because] : ''}`,
  )
  if (!paths || !result) return rows.join('\n')
  const { registration, protocol, outcomes, history } = result.inputs
  const gone = new Set<string>(links.flatMap(({ missing = [] }) => missing))
  const held = [
    ['registration', registration.sha256, paths.registration],
    ['protocol', protocol.sha256, paths.protocol],
    ['outcomes', outcomes.sha256, paths.outcomes],
    ...(history.rows > 0 ? [['history', history.sha256, historyName(paths.history)]] : []),
  ] as const
  const inputs = [
    ...held.map(
      ([name, sha256, path]) =>
        [name, gone.has(name) ? `${sha256}  (not there)` : `${sha256}  ${path}`] as const,
    ),
    ...(level === undefined ? [] : timeFacts(level, result.time, who)),
  ]
  return ['Held against:', twoColumns(inputs), '', ...rows].join('\n')
}

/** @param isAllowed - links without an input do not count. */
function headline({ ok, links, result }: AuditResult, isAllowed: boolean | undefined): string {
  const name = result?.inputs.registration.name ?? 'the evidence'
  if (links.some(({ state }) => state === 'broken')) return `${name} does not hold`
  if (!ok) return `${name} could not be checked in full`
  const checked = links.filter(({ state }) => state === 'holds').length
  if (checked === links.length) return `${name} recomputes`
  const code = !isAllowed && links.some(isWithoutInput) ? ' (exit code 3: inputs are missing)' : ''
  return `${name}: ${checked} of ${links.length} links checked, none broken${code}`
}
