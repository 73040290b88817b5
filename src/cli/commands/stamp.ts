import { EXIT } from '../../contract/error.js'
import { createFileAtomic } from '../../files/atomic.js'
import { readRegular } from '../../files/regular.js'
import type { LedgerEntry } from '../../protocol/rules/entry.js'
import { clockFaults } from '../../time/level.js'
import { encodeQuery } from '../../time/rfc3161/structures.js'
import { MAX_TOKEN_BYTES } from '../../time/rfc3161/time-stamp.js'
import { verifyToken } from '../../time/rfc3161/verify-token.js'
import { type KeptStamp, keepToken, newNonce } from '../../time/stamp-entry.js'
import { entryToStamp, readLedgerAnchors } from '../../time/target.js'
import { stampedBytes } from '../../time/token-file.js'
import { type ArgumentsOf, type Context, command } from '../command.js'
import { FORMAT, PROTOCOL_FOLDER, text, textOr, usage } from '../options.js'
import {
  authorities,
  entryFigures,
  entryName,
  keptFigures,
  stampBody,
  stampOnTerminal,
} from '../stamp-report.js'

const options = {
  tsa: authorities('Address of a time-stamp authority'),
  format: FORMAT,
  dir: PROTOCOL_FOLDER,
  entry: { ...textOr('last', 'Number of the entry in the ledger (seq), or last'), read: seqIn },
  query: text('Without network: write the request to this file; with --reply, the request sent'),
  reply: text('Without network: read the answer from this file'),
}

type Arguments = ArgumentsOf<typeof options>

export default command({
  examples: {
    'foreproof stamp --tsa https://freetsa.org/tsr':
      'The last entry, and with it all entries before',
    'foreproof stamp --entry 3 --tsa URL --tsa URL': 'Entry 3, by two authorities',
    'foreproof stamp --query request.tsq': 'Writes a request to be sent from another machine',
    'foreproof stamp --query request.tsq --reply reply.tsr': 'Takes the answer to it',
  },
  options,
  run: async (args, context) => {
    const { tsa = [], query, reply, dir } = args
    const byHand = query !== undefined || reply !== undefined
    if (byHand === tsa.length > 0) {
      throw usage(
        byHand
          ? '--tsa cannot be used with --query or --reply'
          : 'no authority to ask: --tsa URL is missing',
        'With network: --tsa URL. Without: --query OUT.tsq, then --reply IN.tsr.',
      )
    }
    const entry = entryToStamp(dir, args.entry, context.now())
    if (reply !== undefined) return readReply(args, reply, entry, context)
    if (query !== undefined) return writeQuery(args, query, entry, context)
    return askAuthorities(args, tsa, entry, context)
  },
})

function seqIn(text: string): number | 'last' {
  if (text === 'last') return text
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text)
  throw usage(
    `--entry ${text}: not the place of an entry`,
    'Give its seq, a whole number from 1, or last.',
  )
}

async function askAuthorities(
  { dir }: Arguments,
  urls: readonly string[],
  entry: LedgerEntry,
  context: Context,
) {
  const target = { folder: dir, entry, anchors: readLedgerAnchors(dir) }
  const { kept, findings, complete } = await stampOnTerminal(target, urls, context)
  const code = await context.report({ findings, ...keptReport(entry, kept) })
  return complete ? code : EXIT.unable
}

/** Writes the request to a file. It is never overwritten, because an answer to its nonce may still come. */
function writeQuery({ dir }: Arguments, file: string, entry: LedgerEntry, context: Context) {
  createFileAtomic(file, encodeQuery(stampedBytes(entry), newNonce()))
  const options = `--dir ${dir} --entry ${entry.seq} --query ${file}`
  return context.report({
    findings: [],
    figures: { entry: entryFigures(entry), query: file },
    headline: `${entryName(entry)}: request written to ${file}`,
    body: [
      `Send it:    curl -H 'Content-Type: application/timestamp-query' --data-binary @${file} -o reply.tsr URL`,
      `Then here:  foreproof stamp ${options} --reply reply.tsr`,
    ].join('\n'),
  })
}

async function readReply(
  { dir, query }: Arguments,
  file: string,
  entry: LedgerEntry,
  context: Context,
) {
  const target = { folder: dir, entry, anchors: readLedgerAnchors(dir) }
  const token = readRegular(file, MAX_TOKEN_BYTES)
  const sent = query === undefined ? undefined : readRegular(query, MAX_TOKEN_BYTES)
  const about = { file, query: sent }
  const verified = await verifyToken(token, stampedBytes(entry), target.anchors, about)
  const common = { findings: verified.findings, checked: [file] }
  if (!verified.ok) {
    return context.report({
      ...common,
      figures: { entry: entryFigures(entry), stamps: [] },
      headline: `${entryName(entry)}: nothing was written`,
    })
  }
  const kept = await keepToken(target, { stamp: verified.stamp, token })
  const findings = [...verified.findings, ...clockFaults(kept.stamp, entry)]
  return context.report({ ...common, findings, ...keptReport(entry, [kept]) })
}

/** The report of the stamps that an entry has now. */
function keptReport(entry: LedgerEntry, kept: readonly KeptStamp[]) {
  return {
    figures: { entry: entryFigures(entry), stamps: kept.map(keptFigures) },
    headline: entryName(entry),
    body: stampBody(kept),
  }
}
