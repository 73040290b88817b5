import type { BuildRecord } from './record.js'

/** Where a site lies, and how a new build of it becomes visible. */
export interface Place {
  /** The site as readers see it; undefined before the first build. */
  readonly current: string | undefined
  /** What it says of itself now: a build in sight of readers lowers it before it writes anything. */
  readonly record: BuildRecord | undefined
  /** Opens the folder that a build writes to; `keep` says whether it starts from the current site. */
  begin(keep: boolean): Work
  /** Lets the next build in. */
  release(): void
}

export interface Work {
  readonly folder: string
  /** Readers see this folder while it is being written. */
  readonly visible: boolean
  /** A folder that is to hold the same files; nothing is in it yet. */
  readonly twin?: string
  /** Makes the build visible, all of it at once where the place can do that. */
  publish(): void
}
