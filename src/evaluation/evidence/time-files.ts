import { basename, join } from 'node:path'
import { readRegular } from '../../files/regular.js'
import type { LogEntry } from '../../history/store/log-types.js'
import { LARGEST_TOKEN } from '../../time/rfc3161/types.js'
import { TOKEN_SUFFIX } from '../../time/token-file.js'
import type { TimedCheckpoint } from '../proof/checkpoints.js'
import type { RegistrationTime } from '../proof/registration-time.js'
import { type EvidenceFolder, TIME, type TimePath } from './folder.js'

/** Where the parts of a log lie in an evidence folder. */
export const LOG = {
  entries: `${TIME}/log/entries.ndjson`,
  checkpoints: `${TIME}/log/checkpoints`,
  stamps: `${TIME}/log/stamps`,
} as const

/** The anchors and stamps that a registration is borne out by, laid out as beside a ledger. */
export function writeStamps(
  folder: EvidenceFolder,
  { anchors, stamps }: Pick<RegistrationTime, 'anchors' | 'stamps'>,
): void {
  const lists = new Map(anchors.flatMap(({ crls }) => crls.map((crl) => [crl.file, crl.der])))
  for (const { name, certificate } of anchors) {
    folder.putTime(anchorPath(`${name}.pem`), pem(certificate.der))
  }
  for (const [file, der] of lists) folder.putTime(anchorPath(basename(file)), der)
  for (const { authority, entrySha256, file } of stamps) {
    const token = readRegular(file, LARGEST_TOKEN, { links: 'refuse' })
    folder.putTime(`${TIME}/stamps/${entrySha256}/${authority}${TOKEN_SUFFIX}`, token)
  }
}

const anchorPath = (name: string): TimePath => `${TIME}/anchors/${name}`

function pem(der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}

/** The checkpoints that count, with the tokens that do. */
export function writeCheckpoints(
  folder: EvidenceFolder,
  checkpoints: readonly TimedCheckpoint[],
): void {
  for (const { size, note, stamps } of checkpoints) {
    folder.putTime(`${LOG.checkpoints}/${size}`, note)
    for (const { authority, token } of stamps) {
      folder.putTime(`${LOG.stamps}/${size}/${authority}${TOKEN_SUFFIX}`, token)
    }
  }
}

/** An entry of a log as a line. @param shown - whether its key is said: that of an entry of the window. */
export function entryLine({ leaf, key }: LogEntry, shown: boolean): string {
  const hex = Buffer.from(leaf).toString('hex')
  if (!shown || key === undefined) return `{"leaf":"${hex}"}\n`
  const { kind, originAt, model, horizonHours } = key
  return `${JSON.stringify({ leaf: hex, kind, origin_at: originAt, horizon_hours: horizonHours, model })}\n`
}

/** The parts of a folder `time` by their paths in it, to be read there. */
export const inTime = (folder: string): string => join(folder, TIME)
