import { inspectPlainTarget, openPlainTarget } from './in-place.js'
import { inspectLinkedTarget, openLinkedTarget } from './linked.js'
import type { BuiltSite, SiteTarget } from './types.js'

/** Where a site goes. */
export interface TargetOptions {
  readonly out: string
  /** Build into a plain folder instead of behind a symbolic link. */
  readonly inPlace: boolean
}

/**
 * Opens a target for a build, held against every other one until it is released.
 * @throws {ForeproofError} `refused` when something else lies there, `unavailable` when another build
 * is running, `io`.
 */
export function openTarget({ out, inPlace }: TargetOptions): SiteTarget {
  return inPlace ? openPlainTarget(named(out)) : openLinkedTarget(named(out))
}

/** The site that lies there now; nothing is written, and nothing held. */
export function inspectTarget({ out, inPlace }: TargetOptions): BuiltSite | undefined {
  return inPlace ? inspectPlainTarget(named(out)) : inspectLinkedTarget(named(out))
}

/** `site/` is `site`: with the slash, a link's target would be meant and not the link. */
function named(out: string): string {
  return out.replace(/(?<=.)\/+$/, '')
}
