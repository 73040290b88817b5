/** What every generated client is used for, so that one test can hold them all to it. */
export interface Client {
  /** The ids of a page, and the cursor of the next one. */
  page(cursor?: string): Promise<{ ids: string[]; next: string | null }>
  /** The id of the newest forecast. */
  latest(): Promise<string>
}

/** An answer that the contract describes as an error. */
export class Refused extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string) {
    super(`${status} ${code}`)
    this.status = status
    this.code = code
  }
}
