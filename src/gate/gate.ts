import { basename, dirname, join } from 'node:path'
import { ForeproofError } from '../contract/error.js'
import { type Finding, finding, formatMessage, hasNoErrors } from '../contract/findings/finding.js'
import {
  missingFiles,
  periodListPath,
  type VerifyLedgerResult,
  verifyFrozen,
} from '../protocol/verify.js'
import { gatherInputs } from './gather.js'
import { isCi } from './git/base.js'
import { readIndex } from './git/tree.js'
import {
  finalBytes,
  type GateInputs,
  type GateOptions,
  isDocument,
  isLedger,
  listPaths,
} from './inputs.js'
import { WORK_TREE } from './rules/content.js'
import { checkLedgerHistory } from './rules/ledgers.js'
import { checkNames } from './rules/names.js'
import { checkOutsideGit } from './rules/outside.js'
import { checkDocuments, type PathOutcome, settleMoves } from './rules/states.js'
import { checkTimeEvidence } from './rules/time-evidence.js'
import { checkVersions } from './rules/versions.js'

export interface GateResult {
  readonly findings: readonly Finding[]
  /** Checked documents and ledgers, as findings name them. */
  readonly checked: readonly string[]
  readonly base: {
    readonly revision: string
    /** Null in a repository without commits. */
    readonly commit: string | null
    /** Who named the revision. */
    readonly from: string
  }
  /** Commits between the base and HEAD. */
  readonly commits: number
  /** Documents frozen at the base, and those that came since. */
  readonly frozen: number
  readonly added: number
  /** How many of these, or their lists of periods, git does not track yet. */
  readonly untracked: number
  /** The text of a working-tree document with a finding. */
  readonly source: (file: string) => string | undefined
}

/**
 * Compares a protocol folder at a base revision with the working tree, the index and every commit
 * between them. What was frozen must still be there, unchanged in meaning, at every step; what is
 * new must verify; the ledger may only grow. Reads the local repository alone.
 * @throws {ForeproofError} `unavailable` when git, the repository, the base or a part of the history is
 * missing, and in CI when HEAD has no commit that the base has not; `usage` when the base asked for is the name of several refs; `not-found` when no revision has the folder; `refused` when it is or lies in a symbolic link, a submodule or another repository.
 */
export function runGate(options: GateOptions): GateResult {
  const inputs = gatherInputs(options)
  const ledgers = listPaths(inputs)
    .filter(isLedger)
    .map((path) => ({ path, ...checkLedgerHistory(inputs, path) }))
  const ledgerIn = new Map(ledgers.map(({ path, ledger }) => [dirname(path), ledger]))
  const outcomes = checkDocuments(inputs)
  const touched = outcomes.filter((outcome) => !outcome.untouched)
  const moves = settleMoves(inputs, touched)
  const findings = touched.flatMap((outcome) => [
    ...outcome.findings,
    ...(moves.findings.get(outcome.path) ?? checkNew(inputs, outcome, ledgerIn)),
  ])
  const others = touched.flatMap((outcome) => outcome.others)
  const untouched = new Set(outcomes.flatMap((each) => (each.untouched ? [each.path] : [])))
  findings.push(...checkVersions(inputs, others, untouched))
  const gone = new Set([...moves.gone].map((path) => basename(path)))
  for (const ledger of ledgers) {
    // A document that is gone is reported once, as such.
    const isReported = (each: Finding) =>
      each.code === 'ledger-file-missing' && gone.has(String(each.args.frozen))
    findings.push(...ledger.findings.filter((each) => !isReported(each)))
    if (ledger.ledger !== undefined)
      findings.push(...missingRegistrations(inputs, ledger.path, ledger.ledger))
  }
  const evidence = checkTimeEvidence(inputs)
  findings.push(...evidence.findings, ...checkNames(inputs), ...checkOutsideGit(inputs))
  const isClean =
    touched.length === 0 && ledgers.every((ledger) => ledger.untouched) && evidence.untouched
  if (hasNoErrors(findings)) findings.push(...nothingToCompareError(inputs, isClean, options.env))
  const paths = [...outcomes, ...ledgers].map(({ path }) => path)
  const { revision, commit, from } = inputs.base
  const texts = new Map(
    touched.map(({ path, final }) => [inputs.toName(path), final?.document.text]),
  )
  const added = outcomes.filter(({ path, final }) => final && !inputs.frozen.has(path))
  return {
    findings,
    checked: paths.map(inputs.toName),
    base: { revision, commit: commit ?? null, from },
    commits: inputs.history.commits,
    frozen: [...inputs.frozen.keys()].filter(isDocument).length,
    added: added.length,
    untracked: added.filter(({ path }) =>
      [path, periodListPath(path)].some((each) => inputs.untracked.others.has(each)),
    ).length,
    source: (file) => texts.get(file),
  }
}

/** Registrations whose files are gone; one that a sparse checkout leaves out is not. */
function missingRegistrations(
  { repository: { top }, toName }: GateInputs,
  path: string,
  ledger: VerifyLedgerResult,
): Finding[] {
  const folder = dirname(path)
  const isLeftOut = (file: string) => {
    const from = join(folder, file)
    const staged = from.startsWith('..') ? [] : [...readIndex(top, from).values()].flat()
    return staged.some(({ skipped }) => skipped)
  }
  return missingFiles(join(top, folder), { ...ledger, file: toName(path) }).filter(
    (each) => each.code !== 'registration-file-gone' || !isLeftOut(each.args.path),
  )
}

/**
 * If HEAD has no commit beyond the base, finding nothing means nothing. In CI, where nothing is uncommitted, this
 * must not pass.
 */
function nothingToCompareError(
  { base, repository, history }: GateInputs,
  isClean: boolean,
  env: NodeJS.ProcessEnv,
): Finding[] {
  if (history.commits > 0 || repository.head === undefined) return []
  const { revision } = base
  if (!isCi(env)) return isClean ? [finding('nothing-compared', { revision }, {})] : []
  const { text, help } = formatMessage(finding('nothing-compared', { revision }))
  throw new ForeproofError('unavailable', text, { help })
}

/** Checks a new document: it must verify, with its list, and be in the ledger beside it. */
function checkNew(
  inputs: GateInputs,
  { path, final, frozen }: PathOutcome,
  ledgers: ReadonlyMap<string, VerifyLedgerResult | undefined>,
): readonly Finding[] {
  if (final === undefined || frozen !== undefined) return []
  const list = periodListPath(path)
  const readList = () => finalBytes(inputs, list)
  const { findings } = verifyFrozen(final.document, ledgers.get(dirname(path)), readList)
  const isLost = findings.some(
    ({ code, args }) => code === 'series-periods' && args.fault === 'missing',
  )
  // For example a link; its own finding helps more.
  if (!isLost || !inputs.work.has(list)) return findings
  const args = { where: WORK_TREE.name, undone: false }
  return [finding('not-a-file', args, { file: inputs.toName(list), pointer: '' })]
}
