import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ForeproofError, fileError } from '../../contract/error.js'
import { createFolderSync } from '../../files/new-folder.js'
import { RECORD_FILE, WAITING_FOLDER } from '../layout.js'
import { lockSite, openBuiltFolder, stageFolder } from './folder.js'
import { inspectLinkedTarget, isLinkedSite, openLinkedTarget } from './linked.js'
import { assertNoLinks } from './links.js'
import { isObjectLocation, parseObjectLocation } from './s3/address.js'
import type { BuiltSite, SiteTarget, TargetOptions } from './site-writer.js'

/**
 * Opens a target for a build and locks it until it is released.
 * @throws {ForeproofError} `usage`; `refused` if something else is there, `unavailable` if another build is running,
 * `not-found` if there is no such bucket, `io`.
 */
export async function openTarget(options: TargetOptions): Promise<SiteTarget> {
  assertMatchingKind(options)
  if (isObjectLocation(options.out)) return (await objects()).openObjectTarget(options)
  const out = named(options.out)
  return options.inPlace ? openPlainTarget(out) : openLinkedTarget(out)
}

/** The site that exists now; nothing is written or locked. */
export async function inspectTarget(options: TargetOptions): Promise<BuiltSite | undefined> {
  assertMatchingKind(options)
  if (isObjectLocation(options.out)) return (await objects()).inspectObjectTarget(options)
  const out = named(options.out)
  return options.inPlace ? inspectPlainTarget(out) : inspectLinkedTarget(out)
}

/** Address of a site's files in its store of objects; undefined for a folder. */
export function bucketUrl(options: TargetOptions): string | undefined {
  if (!isObjectLocation(options.out)) return undefined
  const { url, prefix } = parseObjectLocation(options.out, options)
  return `${url}/${prefix}`.replace(/\/$/, '')
}

/** Loaded only for a target in a store of objects. */
const objects = () => import('./s3/target.js')

function assertMatchingKind({ out, inPlace, endpoint }: TargetOptions): void {
  const objects = isObjectLocation(out)
  // Reject these, so that no folder `https:` or `S3:` is created.
  if (!objects && /^(s3:|[a-z][a-z0-9+.-]+:\/\/)/i.test(out)) {
    throw new ForeproofError('usage', '--out: an address other than s3:// cannot be written to', {
      help: 'Give the path of a folder, or s3://bucket/prefix.',
    })
  }
  const option = objects && inPlace ? '--in-place' : !objects && endpoint ? '--endpoint' : undefined
  if (option === undefined) return
  const message = `${option} has no meaning for ${objects ? 's3://' : 'a folder'}`
  throw new ForeproofError('usage', message, { help: `Leave ${option} away.` })
}

/** `site/` becomes `site`: with the slash, the path would mean a link's target and not the link. */
function named(out: string): string {
  return out.replace(/(?<=.)\/+$/, '')
}

const LOCK = '.foreproof-lock'

/**
 * Opens a site in a plain folder, for hosts that cannot follow a link. Each file is replaced as a whole. Readers may
 * see new pages before the new heads, never new heads before their pages.
 */
function openPlainTarget(out: string): SiteTarget {
  inspectPlainTarget(out)
  try {
    createFolderSync(out)
  } catch (cause) {
    throw fileError(cause, out)
  }
  const release = lockSite(join(out, LOCK))
  const waiting = join(out, WAITING_FOLDER)
  return {
    current: async () => inspectPlainTarget(out),
    stage: async ({ durable }) => {
      rmSync(waiting, { recursive: true, force: true })
      createFolderSync(waiting)
      return stageFolder({ folder: out, visible: true, durable }, () =>
        rmSync(waiting, { recursive: true, force: true }),
      )
    },
    release: async () => release(),
  }
}

/** The site that exists now; nothing is written. */
function inspectPlainTarget(out: string): BuiltSite | undefined {
  if (isLinkedSite(out)) {
    throw new ForeproofError('refused', `${out}: is a link to the builds of a site`, {
      file: out,
      help: 'Leave --in-place away, or name another folder.',
    })
  }
  const site = openBuiltFolder(out)
  if (site.record !== undefined || existsSync(join(out, WAITING_FOLDER))) assertNoLinks(out)
  if (site.record !== undefined) return site
  if (existsSync(out) && !statSync(out).isDirectory()) {
    throw new ForeproofError('refused', `${out}: is not a folder`, { file: out })
  }
  // A stopped first build has no record yet, but its folder for half-written files shows that the files are ours.
  const ours = !existsSync(out) || existsSync(join(out, WAITING_FOLDER))
  if (!ours && readdirSync(out).some((name) => !name.startsWith('.'))) {
    const record = join(out, RECORD_FILE)
    const [file, message, help] = existsSync(record)
      ? [
          record,
          'is not the record of a build',
          'Empty the folder if all in it is the site, or name another one; nothing was changed.',
        ]
      : [
          out,
          'holds files that foreproof did not write',
          'Name an empty folder; nothing was changed.',
        ]
    throw new ForeproofError('refused', `${file}: ${message}`, { file, help })
  }
  return undefined
}
