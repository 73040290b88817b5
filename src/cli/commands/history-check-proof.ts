import { formatUtc, MICROS_PER_SECOND } from '../../contract/instant.js'
import { printable } from '../../contract/printable.js'
import { readRegular } from '../../files/regular.js'
import { MAX_PROOF_BYTES, type VerifiedProof, verifyProof } from '../../log/check-proof.js'
import { UNWITNESSED } from '../../log/policy.js'
import { readTrusted } from '../../log/trusted.js'
import { latestTime } from '../../time/rfc3161/time-stamp.js'
import { command } from '../command.js'
import { PUBLIC_KEY } from '../keys.js'
import { digestIn, FORMAT, needed, readAs, TRUST_OPTIONS, texts } from '../options.js'

export default command({
  positionals: '<file>',
  examples: {
    'foreproof history check-proof proof.json --anchors anchors': 'Trusting these authorities',
    'foreproof history check-proof proof.json --public-key log.pem': 'Signed by this key, too',
  },
  options: {
    format: FORMAT,
    file: needed('The proof'),
    ...TRUST_OPTIONS,
    'anchor-sha256': readAs(
      texts('Digest of a certificate in the proof that you trust; repeatable'),
      (given: readonly string[], name) => given.map((one) => digestIn(one, name)),
    ),
    'public-key': PUBLIC_KEY,
  },
  run: async (args, context) => {
    const { file } = args
    const { anchors, witnesses } = readTrusted(args)
    const checked = await verifyProof(readRegular(file, MAX_PROOF_BYTES), {
      file,
      anchors,
      pinned: args['anchor-sha256'],
      key: args['public-key'],
      policy: witnesses,
      now: context.now() / MICROS_PER_SECOND,
    })
    const { findings, ...figures } = checked
    const stamps = figures.stamps.map(({ pinned, ...stamp }) => {
      return { ...stamp, pinned, anchor_chosen_by: pinned ? 'reader' : 'writer' }
    })
    return await context.report({
      findings,
      figures: { ...figures, stamps, another_possible: figures.entry === undefined ? null : true },
      checked: [file],
      headline: file,
      body: formatProof(checked),
    })
  },
})

/** A path leads from one entry to the root and shows nothing about other entries. */
const ANOTHER = 'another forecast under this key is possible: in another entry of this log'

function formatProof({ entry, log, index, size, stamps, witnessedAt }: VerifiedProof): string {
  if (entry === undefined) return 'nothing is proved'
  const times = stamps.map(
    (stamp) =>
      `there by ${formatUtc(latestTime(stamp))}, says ${stamp.authority} ${stamp.anchorSha256} (${stamp.pinned ? 'your anchor' : 'chosen by the writer'})`,
  )
  const witnessed =
    witnessedAt === null
      ? [
          `${ANOTHER}, or in another version of it`,
          `${UNWITNESSED} Where you trust some that did, name them with --witnesses.`,
        ]
      : [ANOTHER, `cosigned by the quorum by ${formatUtc(witnessedAt * MICROS_PER_SECOND)}`]
  return [`entry ${index} of the ${size} of ${log}`, ...witnessed, ...times, entry]
    .map(printable)
    .join('\n')
}
