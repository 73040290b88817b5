import type { Instant } from '../../contract/instant.js'
import type { BuildRecord } from '../record.js'
import type { ObjectStoreOptions } from './s3/address.js'

/** Writes files of a site, by their paths from its root. */
export interface SiteWriter {
  /** Writes a complete file. A previous file of this name is not modified, because it may be part of another build. */
  put(path: string, bytes: Uint8Array): Promise<void>
}

/** A site that was built. */
export interface BuiltSite {
  /** The build's record; undefined if no build can continue from it. */
  readonly record: BuildRecord | undefined
  /** The bytes of a file; undefined if it cannot be read. */
  read(path: string): Promise<Buffer | undefined>
  /** The bytes of the page at a position, counted from the oldest; undefined if it cannot be read. */
  page(position: number): Promise<Buffer | undefined>
}

/** A site for a check, outside any build. */
export interface CheckedSite {
  readonly record: BuildRecord | undefined
  /** The text of its checksums; empty if there are none. */
  readonly checksums: string
  /** The location of a file for messages. */
  locate(path: string): string
  /** SHA-256 of each file; undefined for files that cannot be read. */
  digests(paths: readonly string[]): Promise<ReadonlyMap<string, string | undefined>>
  /** Paths of files that are neither known nor temporary files of a build. */
  others(published: ReadonlyMap<string, string>): Promise<readonly string[]>
}

/** Where a site is written. */
export interface TargetOptions extends ObjectStoreOptions {
  /** Path of a folder, or `s3://bucket/prefix`. */
  readonly out: string
  /** Build into a plain folder instead of behind a symbolic link. */
  readonly inPlace: boolean
  /** Stops a build between two pages, and an upload, like an error would. */
  readonly signal?: AbortSignal | undefined
  /** Called as objects are uploaded. */
  readonly onUpload?: ((done: number, of: number) => void) | undefined
}

/** The location of a site, locked against other builds. */
export interface SiteTarget {
  /** The site that readers see now; undefined before the first build. */
  current(): Promise<BuiltSite | undefined>
  /** Begins a build. */
  stage(options: StageOptions): Promise<StagedSite>
  /** Releases the lock for the next build. */
  release(): Promise<void>
}

export interface StageOptions {
  /** Whether it starts from the current site instead of an empty one. */
  readonly keep: boolean
  readonly durable: boolean
}

/** The rules for names if files cannot all change at once. */
interface ObjectNaming {
  /** Unique to this build: the names of written pages and months of attempts contain it. */
  readonly generation: number
  /**
   * The members that it adds to the record.
   * @param files all paths of the new site.
   */
  buildRecord(
    files: ReadonlySet<string>,
    now: Instant,
  ): Pick<BuildRecord, 'generation' | 'superseded'>
}

/** A build in progress. */
export interface StagedSite extends SiteWriter {
  /** Whether readers see its files as soon as they are written. */
  readonly visible: boolean
  /** Absent for folders. */
  readonly objects?: ObjectNaming
  /** Paths of all files in the folder of the API, including those of others. */
  lying(): Promise<string[]>
  /** Removes a file if it exists. */
  remove(path: string): Promise<void>
  /** Makes the build visible, all at once if the target can. */
  publish(): Promise<void>
}
