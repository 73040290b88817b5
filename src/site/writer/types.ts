import type { BuildRecord } from '../record.js'

/** Writes files of a site, by their paths from its root. */
export interface SiteWriter {
  /** Writes a file whole; one that had its name before is left alone, for it may be part of another build. */
  put(path: string, bytes: Uint8Array): Promise<void>
}

/** What a worker opens a writer of its own with. */
export interface WriterOptions {
  readonly folder: string
  /** Readers see this folder already: every file must come whole, by a rename. */
  readonly visible: boolean
  /** Whether to wait until the disk has the bytes. */
  readonly durable: boolean
  /** The folder that the next build is staged in, where it is to hold the same files, shared by links. */
  readonly nextStaging?: string | undefined
}

/** A site that was built. */
export interface BuiltSite {
  /** What its build says of itself; undefined where that cannot be built upon. */
  readonly record: BuildRecord | undefined
  /** The bytes of a file; undefined where it cannot be read. */
  read(path: string): Promise<Buffer | undefined>
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

/** A build under way. */
export interface StagedSite extends SiteWriter {
  readonly options: WriterOptions
  /** Paths of the files that lie in one of its folders. */
  list(folder: string): Promise<string[]>
  /** Paths of all files below one of its folders. */
  below(folder: string): Promise<string[]>
  /** Removes a file that may not be there. */
  remove(path: string): Promise<void>
  /** Makes the build visible, all of it at once where the target can do that. */
  publish(): Promise<void>
}
