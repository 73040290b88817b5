/** What every generated client is used for, so that one test can hold them all to it. */
export interface Client {
  page(cursor?: string): Promise<ReturnType<typeof pageOf>>
  /** The id of the newest forecast. */
  latest(): Promise<string>
}

/** The ids of a page, and the cursor of the next one. */
export const pageOf = (body: {
  data: readonly { forecast_id: string }[]
  pagination: { next_cursor: string | null }
}) => ({
  ids: body.data.map(({ forecast_id }) => forecast_id),
  next: body.pagination.next_cursor,
})

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
