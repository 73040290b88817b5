// In the place of store/open.ts and store/shown.ts: a page reads no database, and audits without the history.

const refused = (): never => {
  throw new Error('a page reads no history')
}

/** A page is given files, and no address with a password. */
export const shownHistory = (path: string): string => path
export const historyFiles = (path: string): readonly string[] => [path]

export { refused as openHistory, refused as readHistory, refused as streamed }
