/** What every generated client is used for, with the types that it has of the answers. */
export interface Client {
  page(query: { limit: number; cursor?: string }): Promise<Page>
  latest(): Promise<{ data: { forecast_id: string } }>
}

interface Page {
  data: readonly { forecast_id: string }[]
  pagination: { next_cursor: string | null }
}

interface Answer<T> {
  data?: T
  error?: Parameters<typeof refuse>[1] | undefined
  response: { status: number }
}

/** The body of an answer, of a client that tells error from body. */
export function bodyOf<T>({ data, error, response }: Answer<T>): NonNullable<T> {
  return data ?? refuse(response.status, error!)
}

/** Throws what the contract describes as an error. */
export function refuse(status: number, { error }: { error: { code: string } }): never {
  throw Object.assign(new Error(error.code), { status, code: error.code })
}
