import { EXIT, ForeproofError } from '../../contract/error.js'
import { finding, hasNoErrors } from '../../contract/findings/finding.js'
import type { Instant } from '../../contract/instant.js'
import { type SealResult, sealHistory } from '../../history/seal.js'
import { readPolicy } from '../../log/trusted.js'
import { toVerifierKey } from '../../log/verifier-key.js'
import { ledgerPath, unverifiedLedger } from '../../protocol/ledger-file.js'
import { registeredEntries } from '../../protocol/rules/ledger.js'
import { verifyLedger } from '../../protocol/verify.js'
import { historyName } from '../../store/shown.js'
import { obtainStamp } from '../../time/stamp-entry.js'
import { requireAnchors } from '../../time/target.js'
import { command } from '../command.js'
import { SIGNING_KEY } from '../keys.js'
import { ANCHORS_FOLDER, FORMAT, HISTORY_OPTION, text, textOr } from '../options.js'
import { authorities } from '../stamp-report.js'
import { grouped, pluralize } from '../wording.js'
import { watched } from '../work.js'

const ANCHORS = 'protocols/anchors'

export default command({
  examples: {
    'foreproof history seal --log example.org/forecasts': 'The first checkpoint; it names the log',
    'foreproof history seal --tsa https://freetsa.org/tsr': 'Hourly, after the import',
    'foreproof history seal --key key.pem': 'Signed with a key of Ed25519',
    'foreproof history seal --key key.pem --witnesses witnesses.policy --tsa https://freetsa.org/tsr':
      'Cosigned by witnesses, which sign no second version of the log',
  },
  options: {
    format: FORMAT,
    history: HISTORY_OPTION,
    tsa: authorities('Address of a time-stamp authority that stamps it'),
    log: text('Name of a new log; it cannot be changed'),
    anchors: textOr(ANCHORS, ANCHORS_FOLDER),
    key: SIGNING_KEY,
    ledger: text('Protocol folder whose registrations become entries of the log too'),
    witnesses: text('Policy file of the witnesses to ask; needs --key'),
  },
  run: async (args, context) => {
    const { history: path, tsa = [], key } = args
    const anchors = tsa.length === 0 ? [] : requireAnchors(args.anchors)
    const policy = readPolicy(args.witnesses)
    const registrations = registrationsBeside(args.ledger, context.now())
    const left = 'What is in the log stays; run again to have it cosigned and stamped.'
    const result = await watched(context, left, (signal, show) => {
      const onWait = (seconds: number, why: string) => show(`${why}: waiting ${seconds} s`)
      const stamp = async (url: string, data: Uint8Array) => {
        const { stamp, token } = await obtainStamp({ url, data, anchors, signal, onWait })
        return { authority: stamp.authority, token }
      }
      return sealHistory(path, {
        log: args.log,
        key,
        authorities: tsa,
        stamp,
        registrations,
        witnesses: policy && { policy, signal },
      })
    })
    const { failures, witnessFindings, witnesses, ...figures } = result
    const { left: withoutEntry } = result
    const verifier = key && toVerifierKey(result.log, key).text
    const leftOut =
      withoutEntry === 0
        ? []
        : [finding('log-row-left-out', { count: withoutEntry }, { file: historyName(path) })]
    const code = await context.report({
      findings: [...leftOut, ...witnessFindings, ...failures],
      figures: {
        history: historyName(path),
        ...figures,
        checkpoint: result.checkpoint ?? null,
        failed: failures.length,
        ...(witnesses && { cosigned_by: witnesses }),
        ...(verifier !== undefined && { verifier_key: verifier }),
      },
      checked: [historyName(path)],
      headline: `${result.log}, ${pluralize(result.size, 'entry', 'entries')}`,
      body: formatSeal(result, verifier),
    })
    return failures.length > 0 ? EXIT.unable : code
  },
})

/** Digests of the registrations in the ledger of a folder. */
function registrationsBeside(folder: string | undefined, now: Instant): string[] {
  if (folder === undefined) return []
  const ledger = verifyLedger(folder, now)
  if (ledger !== undefined && hasNoErrors(ledger.findings)) {
    return registeredEntries(ledger).map((entry) => entry.entry_sha256)
  }
  if (ledger !== undefined) {
    throw unverifiedLedger(ledgerPath(folder), ledger.findings, 'Nothing was sealed.')
  }
  throw new ForeproofError('not-found', `${folder}: holds no ledger`, {
    file: folder,
    help: 'Name the folder of the protocols.',
  })
}

function formatSeal(
  { log, size, sealed, appended, checkpoint, ...rest }: SealResult,
  verifier: string | undefined,
): string {
  const lines: string[] = []
  if (checkpoint === undefined) return `${log} has no entries: there is nothing to seal`
  if (appended > 0) lines.push(`${grouped(appended)} rows appended that had no entry yet`)
  lines.push(
    sealed === 0
      ? `nothing new since the checkpoint of ${pluralize(checkpoint, 'entry', 'entries')}`
      : `checkpoint of ${pluralize(size, 'entry', 'entries')}, ${grouped(sealed)} of them new`,
  )
  if (verifier !== undefined) lines.push(`verifier key: ${verifier}`)
  const { stamps, failures, witnesses } = rest
  if (witnesses?.length === 0) lines.push('not cosigned')
  else if (witnesses) lines.push(`cosigned by ${witnesses.join(', ')}`)
  lines.push(stamps.length === 0 ? 'not stamped' : `stamped by ${stamps.join(', ')}`)
  if (failures.length > 0)
    lines.push('the checkpoint is kept; run again with the same --tsa for what is missing')
  return lines.join('\n')
}
