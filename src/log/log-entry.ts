/** The key of a forecast or an attempt as it is stored. */
export interface StoredKey {
  /** A timestamp; for a row of any series, the label of a period. */
  readonly originAt: string
  readonly model: string
  /** Hours; for a row of any series, steps. */
  readonly horizonHours: number
  /** Id of the series, in a history of any series (version 2). */
  readonly series?: string
}

/** The key and kind of a log entry; a key may have a forecast and an attempt. */
export interface LogKey extends StoredKey {
  readonly kind: 'forecast' | 'attempt'
}

/** A log entry without an index. */
export interface NewLeaf {
  /** RFC 9162 leaf hash of the entry, 32 bytes. */
  readonly leaf: Uint8Array
  /** Undefined for a registration, and for an entry taken over without its row. */
  readonly key: LogKey | undefined
}

/** An entry of a log; the first has index 0. */
export interface LogEntry extends NewLeaf {
  readonly index: number
}

/** The statement of an authority about when a checkpoint existed (RFC 3161). */
export interface CheckpointStamp {
  readonly authority: string
  /** The complete answer of the authority. */
  readonly token: Uint8Array
}

/** The state of a log at a size, as it was published. */
export interface StoredCheckpoint {
  /** Entries it covers: those with an index below. */
  readonly size: number
  /** The signed note, or the body of one. */
  readonly note: string
  /** By name of the authority. */
  readonly stamps: readonly CheckpointStamp[]
}
