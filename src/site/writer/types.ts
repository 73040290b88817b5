import type { Instant } from '../../contract/instant.js'
import type { BuildRecord } from '../record.js'
import type { ObjectStoreOptions } from './s3/address.js'

/** Writes files of a site, by their paths from its root. */
export interface SiteWriter {
  /** Writes a file whole; one that had its name before is left alone, for it may be part of another build. */
  put(path: string, bytes: Uint8Array): Promise<void>
}

/** A site that was built. */
export interface BuiltSite {
  /** What its build says of itself; undefined where that cannot be built upon. */
  readonly record: BuildRecord | undefined
  /** The bytes of a file; undefined where it cannot be read. */
  read(path: string): Promise<Buffer | undefined>
  /** The bytes of the page at a place, from the oldest on; undefined where it cannot be read. */
  page(place: number): Promise<Buffer | undefined>
}

/** A site as it is looked at from outside of any build. */
export interface CheckedSite {
  readonly record: BuildRecord | undefined
  /** The text of its checksums; empty where there are none. */
  readonly checksums: string
  /** Where a file lies, as messages show it. */
  place(path: string): string
  /** SHA-256 of each file; undefined for those that cannot be read. */
  digests(paths: readonly string[]): Promise<ReadonlyMap<string, string | undefined>>
  /** Paths of the files that lie there and are neither known nor the builds' own. */
  others(known: ReadonlyMap<string, string>): Promise<readonly string[]>
}

/** Where a site goes. */
export interface TargetOptions extends ObjectStoreOptions {
  /** Path of a folder, or `s3://bucket/prefix`. */
  readonly out: string
  /** Build into a plain folder instead of behind a symbolic link. */
  readonly inPlace: boolean
  /** Ends a build between two pages, and an upload, as a fault would. */
  readonly signal?: AbortSignal | undefined
  /** Called with objects that were uploaded. */
  readonly onUpload?: ((done: number, of: number) => void) | undefined
}

/** Where a site lies, held against every other build. */
export interface SiteTarget {
  /** The site as readers see it now; undefined before the first build. */
  current(): Promise<BuiltSite | undefined>
  /** Begins a build. */
  stage(options: StageOptions): Promise<StagedSite>
  /** Lets the next build in. */
  release(): Promise<void>
}

export interface StageOptions {
  /** Whether it starts from the current site, rather than from nothing. */
  readonly keep: boolean
  readonly durable: boolean
}

/** What a build must keep to where files cannot all change at once. */
interface ObjectNaming {
  /** No earlier build has it: pages and months of attempts that are written have it in their names. */
  readonly generation: number
  /**
   * What the record says of it.
   * @param files all paths of the new site.
   */
  recordOf(files: ReadonlySet<string>, now: Instant): Pick<BuildRecord, 'generation' | 'superseded'>
}

/** A build under way. */
export interface StagedSite extends SiteWriter {
  /** Whether readers see its files as soon as they are put. */
  readonly visible: boolean
  /** Absent for folders. */
  readonly objects?: ObjectNaming
  /** Paths of all files that lie in the folder of the API, also those of others. */
  lying(): Promise<string[]>
  /** Removes a file that may not be there. */
  remove(path: string): Promise<void>
  /** Makes the build visible, all of it at once where the target can do that. */
  publish(): Promise<void>
}
