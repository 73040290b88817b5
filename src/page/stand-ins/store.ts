// In the place of store/open.ts: a page reads no database, and audits without the history.

const refused = (): never => {
  throw new Error('a page reads no history')
}

export { refused as openHistory, refused as readHistory, refused as streamed }
