import { ForeproofError } from '../../contract/error.js'
import { inspectPlainTarget, openPlainTarget } from './in-place.js'
import { inspectLinkedTarget, openLinkedTarget } from './linked.js'
import { isObjectPlace, readObjectPlace } from './s3/address.js'
import type { BuiltSite, SiteTarget, TargetOptions } from './types.js'

/**
 * Opens a target for a build, held against every other one until it is released.
 * @throws {ForeproofError} `usage`; `refused` when something else lies there, `unavailable` when another
 * build is running, `not-found` where there is no such bucket, `io`.
 */
export async function openTarget(options: TargetOptions): Promise<SiteTarget> {
  demandFitting(options)
  if (isObjectPlace(options.out)) return (await objects()).openObjectTarget(options)
  const out = named(options.out)
  return options.inPlace ? openPlainTarget(out) : openLinkedTarget(out)
}

/** The site that lies there now; nothing is written, and nothing held. */
export async function inspectTarget(options: TargetOptions): Promise<BuiltSite | undefined> {
  demandFitting(options)
  if (isObjectPlace(options.out)) return (await objects()).inspectObjectTarget(options)
  const out = named(options.out)
  return options.inPlace ? inspectPlainTarget(out) : inspectLinkedTarget(out)
}

/** Address of a site's files in its store of objects; undefined for a folder. */
export function bucketUrl(options: TargetOptions): string | undefined {
  if (!isObjectPlace(options.out)) return undefined
  const { url, prefix } = readObjectPlace(options.out, options)
  return `${url}/${prefix}`.replace(/\/$/, '')
}

/** No other target has to load this. */
const objects = () => import('./s3/target.js')

function demandFitting({ out, inPlace, endpoint }: TargetOptions): void {
  const objects = isObjectPlace(out)
  // Not a folder `https:`, nor `S3:`.
  if (!objects && /^(s3:|[a-z][a-z0-9+.-]+:\/\/)/i.test(out)) {
    throw new ForeproofError('usage', '--out: an address other than s3:// cannot be written to', {
      help: 'Give the path of a folder, or s3://bucket/prefix.',
    })
  }
  const option = objects && inPlace ? '--in-place' : !objects && endpoint ? '--endpoint' : undefined
  if (option === undefined) return
  throw new ForeproofError(
    'usage',
    `${option} has no meaning for ${objects ? 's3://' : 'a folder'}`,
    { help: `Leave ${option} away.` },
  )
}

/** `site/` is `site`: with the slash, a link's target would be meant and not the link. */
function named(out: string): string {
  return out.replace(/(?<=.)\/+$/, '')
}
