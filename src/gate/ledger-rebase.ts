import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { relative, resolve, sep } from 'node:path'
import { ForeproofError } from '../contract/error.js'
import { firstReason } from '../contract/findings/finding.js'
import { instantOrNaN } from '../contract/instant.js'
import { readDocument } from '../document/read.js'
import { writeFileAtomic } from '../files/atomic.js'
import { readLimited } from '../files/input.js'
import { withLock } from '../files/lock.js'
import { entryText, ledgerPath, ledgerText, MAX_LEDGER_BYTES } from '../protocol/ledger-file.js'
import {
  chain,
  checkEntry,
  entryIdentity,
  entryTime,
  isFrozen,
  type LedgerEntry,
  NO_ENTRY,
  placedAt,
  withoutPosition,
} from '../protocol/rules/entry.js'
import {
  CONFLICT_MARKER,
  frozenEntries,
  type Ledger,
  readLedger,
} from '../protocol/rules/ledger.js'
import { type BaseRevision, findBase } from './git/base.js'
import { Blobs } from './git/objects.js'
import { openRepository, type Repository } from './git/repository.js'
import { gitLine, tryGit } from './git/run.js'
import { readIndex, readTree } from './git/tree.js'

export interface RebaseOptions {
  readonly cwd: string
  /** The protocol folder, relative to `cwd`. */
  readonly dir: string
  /** The revision whose ledger stays unchanged; default: the base of the gate. */
  readonly base?: string | undefined
  readonly env: NodeJS.ProcessEnv
}

export interface RebaseResult {
  readonly file: string
  /** Lines of the base, kept as they are. */
  readonly kept: number
  /** Own entries, appended behind them with new digests. */
  readonly moved: readonly LedgerEntry[]
  /** False when the ledger was in order already. */
  readonly changed: boolean
  readonly base: BaseRevision
}

/**
 * Repairs a ledger after two branches froze at the same time. The lines of the base stay; own entries follow in their
 * order, with new digests. What was frozen, and when, does not change. Also works on a file with conflict marks.
 * @throws {ForeproofError} `refused` when both sides froze the same version with different contents, or what they made
 * does not make one ledger; `invalid-input` when the ledger of the base does not verify, or a line is no entry.
 */
export function rebaseLedger(options: RebaseOptions): RebaseResult {
  const repository = openRepository(options.cwd)
  const { commit, revision, from } = findBase(repository, options.base, options.env)
  const base = findUpstream(repository, { commit, revision, from }, options.base)
  const file = ledgerPath(options.dir)
  const target = resolve(realpathSync(options.cwd), file)
  const path = relative(realpathSync(repository.top), target).split(sep).join('/')
  const blobs = new Blobs(repository, MAX_LEDGER_BYTES)
  const entry = readTree(repository.top, base.commit, path).get(path)
  const upstream = readLedger(entry ? blobs.get(entry.oid) : new Uint8Array(), file)
  assertVerified(upstream, base)
  if (entry === undefined && !existsSync(target)) {
    throw new ForeproofError('not-found', `${file}: the ledger does not exist`, {
      help: `Neither ${base.revision} nor the working tree has one. Name its folder: --dir FOLDER`,
    })
  }
  return withLock(target, () => {
    const work = existsSync(target) ? readLimited(target, MAX_LEDGER_BYTES) : new Uint8Array()
    const staged = (readIndex(repository.top, path).get(path) ?? []).filter((e) => e.stage > 0)
    const texts = [work, ...staged.map(({ oid }) => blobs.get(oid))]
    const moved: LedgerEntry[] = []
    for (const ours of ownEntries(texts, upstream, file)) {
      moved.push(chainBehind(ours, moved.at(-1) ?? upstream.lines.at(-1)?.entry))
    }
    const lines = [...upstream.lines.map((line) => line.text), ...moved.map(entryText)]
    const text = ledgerText(lines)
    assertRebased(readLedger(Buffer.from(text), file), base)
    const changed = Buffer.from(work).toString('utf8').replaceAll('\r\n', '\n') !== text
    if (changed) writeFileAtomic(target, text)
    return { file, kept: upstream.lines.length, moved, changed, base }
  })
}

/**
 * Chains an entry behind another one. If it is older than that, it also records when it can have been placed there.
 */
function chainBehind(own: LedgerEntry, last: LedgerEntry | undefined): LedgerEntry {
  const before = last && placedAt(last)
  const isEarlier = before !== undefined && entryInstant(own) < instantOrNaN(before)
  const { seq, previous, readings, moved_at, moved_from = [] } = own
  const isSame = seq === (last?.seq ?? 0) + 1 && previous === (last?.entry_sha256 ?? NO_ENTRY)
  if (isSame) return own
  const link = { seq, previous, ...(moved_at !== undefined && { moved_at }) }
  return chain(withoutPosition(own), last, {
    ...(readings && { readings }),
    ...(isEarlier && { moved_at: before }),
    moved_from: [...moved_from, link],
  }) as LedgerEntry
}

/**
 * During a rebase all lines at HEAD stay. During a merge, the side that contains the base keeps its lines; if both
 * do, only the lines of the base stay.
 */
function findUpstream(
  { top, head }: Repository,
  base: BaseRevision,
  asked: string | undefined,
): BaseRevision {
  if (asked !== undefined || base.commit === undefined) return base
  // Files, not names: a tag called MERGE_HEAD is no merge.
  const file = (name: string) => resolve(top, gitLine(top, ['rev-parse', '--git-path', name]) ?? '')
  if (existsSync(file('rebase-merge')) || existsSync(file('rebase-apply'))) {
    return { commit: head, revision: 'HEAD', from: 'the rebase' }
  }
  if (!existsSync(file('MERGE_HEAD'))) return base
  const merged = readFileSync(file('MERGE_HEAD'), 'utf8').split('\n')[0]
  const containsBase = (side: string | undefined) => {
    const args = ['merge-base', '--is-ancestor', base.commit as string, side ?? '']
    return tryGit(top, args).status === 0
  }
  if (containsBase(head) === containsBase(merged)) return base
  return containsBase(head)
    ? { commit: head, revision: 'HEAD', from: 'the merge' }
    : { commit: merged, revision: 'MERGE_HEAD', from: 'the merge' }
}

function assertVerified(ledger: Ledger, base: BaseRevision): void {
  if (ledger.findings.length === 0) return
  throw new ForeproofError('invalid-input', `${ledger.file} does not verify at ${base.revision}`, {
    file: ledger.file,
    findings: ledger.findings,
    help: 'Nothing was written. Name a revision whose ledger verifies with --base REV.',
  })
}

/**
 * An entry that both sides made on their own is kept once, in the place of the base. What followed the other one would
 * have lost its place, and its stamps.
 */
function assertRebased({ file, findings }: Ledger, base: BaseRevision): void {
  const [first] = findings
  if (first === undefined) return
  const isTwin = first.code === 'ledger-chain' && first.args.fault === 'followed'
  const message = isTwin
    ? `an entry of this branch (${first.args.version}, to be entry ${first.args.entry}) follows one that ${base.revision} made on its own, or whose line was removed`
    : `behind the lines of ${base.revision}, those of this branch do not verify${firstReason(findings)}`
  throw new ForeproofError('refused', message, {
    ...{ file, findings },
    help: `Nothing was written. Take the lines of this branch back (git checkout ${base.revision} -- ${file}), and run their commands again: freeze, register, close. A result comes back with: foreproof ledger rebase --evidence FOLDER`,
  })
}

/** The entries that the upstream does not have, each once, in the order of their places. */
function ownEntries(texts: readonly Uint8Array[], upstream: Ledger, file: string): LedgerEntry[] {
  const identities = new Set(upstream.lines.map((line) => entryIdentity(line.entry)))
  const frozen = new Map(frozenEntries(upstream).map((entry) => [entry.protocol_version, entry]))
  const entries: LedgerEntry[] = []
  for (const text of texts) {
    for (const entry of parseEntries(text, file)) {
      if (identities.has(entryIdentity(entry))) continue
      identities.add(entryIdentity(entry))
      if (isFrozen(entry)) {
        const earlier = frozen.get(entry.protocol_version)
        if (earlier?.protocol_sha256 === entry.protocol_sha256) continue
        if (earlier !== undefined) {
          const message = `both sides froze version ${entry.protocol_version}, with different contents`
          throw new ForeproofError('refused', message, {
            file,
            help: 'Nothing was written. Keep the file of the base, and freeze yours as a new version.',
          })
        }
        frozen.set(entry.protocol_version, entry)
      }
      entries.push(entry)
    }
  }
  // Times of places never decrease in a ledger, but the times at which its entries were made may.
  const placed = (entry: LedgerEntry) => instantOrNaN(placedAt(entry))
  return entries.sort((a, b) => placed(a) - placed(b) || a.seq - b.seq)
}

function parseEntries(bytes: Uint8Array, file: string): LedgerEntry[] {
  const lines = Buffer.from(bytes).toString('utf8').split(/\r?\n/)
  return lines.flatMap((text, index) => {
    if (text.trim() === '' || CONFLICT_MARKER.test(text)) return []
    const document = readDocument(Buffer.from(text), file)
    if (document.ok && checkEntry(document.value).length === 0)
      return [document.value as LedgerEntry]
    throw new ForeproofError('invalid-input', `line ${index + 1} is not a ledger entry`, {
      file,
      position: { line: index + 1, column: 1 },
      help: 'Nothing was written. Restore the line, or remove it if it does not belong to the ledger.',
    })
  })
}

/** An entry that was checked has a time that can be read. */
const entryInstant = (entry: LedgerEntry) => instantOrNaN(entryTime(entry)[1])
