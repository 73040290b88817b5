import type { AddressInfo } from 'node:net'
import type { ErrorCode } from '../../contract/error.js'
import type { ServiceOptions } from '../config/options.js'

/** What a worker is started with. It comes over the channel: every user can read a command line. */
export interface WorkerOptions {
  readonly number: number
  readonly service: Omit<ServiceOptions, 'logger'>
}

/** What the primary asks of a worker. */
export type ToWorker =
  | { readonly ask: 'start'; readonly options: WorkerOptions }
  | { readonly ask: 'reload'; readonly keys?: readonly string[] | undefined }
  /** The whole service stops. */
  | { readonly ask: 'close' }
  /** No worker takes a new connection any more: those that are open get their answers. */
  | { readonly ask: 'end' }
  /** Others go on in its place. */
  | { readonly ask: 'retire' }

/** What a worker tells the primary. */
export type FromWorker =
  /** That it listens to what is asked: what came before that is lost. */
  | { readonly told: 'ready' }
  /** That it takes requests. */
  | { readonly told: 'listening'; readonly address: AddressInfo }
  /** That it takes no new connection any more, and holds its answers back. */
  | { readonly told: 'closed' }
  /** Why it cannot. */
  | {
      readonly told: 'failed'
      readonly code: ErrorCode
      readonly message: string
      readonly help?: string | undefined
    }
