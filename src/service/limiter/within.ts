/**
 * Waits for `promise`, and no longer than `ms`.
 * @throws also where it took too long.
 */
export function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const tooLong = () => reject(new Error(`no answer within ${ms} ms`))
    // What came while this process was busy is read before it is called late.
    const timer = setTimeout(() => setImmediate(tooLong), ms)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
