import { readFileSync, statSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { afterUse } from '../../support/at-end.js'
import { startHttp } from '../../support/servers.js'

/** Answers a request itself, and says so; anything else is served from the folder. */
export type Answering = (request: IncomingMessage, response: ServerResponse) => boolean

export interface Host {
  readonly url: string
  /** Paths that were asked for, in order. */
  readonly asked: string[]
}

/** A plain web server over a folder, below a path of its own; it ends with the test. */
export async function host(
  folder: () => string,
  answers: Answering = () => false,
  below = '',
): Promise<Host> {
  const asked: string[] = []
  const { url, close } = await startHttp((request, response) => {
    const path = new URL(request.url ?? '/', 'http://host').pathname
    asked.push(path)
    if (answers(request, response) === true) return
    const file = join(folder(), path.slice(below.length))
    const isThere = path.startsWith(below) && statSync(file, { throwIfNoEntry: false })?.isFile()
    if (isThere)
      response.writeHead(200, { 'content-type': 'application/json' }).end(readFileSync(file))
    else response.writeHead(404).end('<html></html>')
  })
  afterUse(close)
  return { url: url + below, asked }
}
