/** Together with the calling process less than a gibibyte. */
const MEMORY_BYTES = 640 * 1_048_576
const EVERY_MS = 25

const parent = process.ppid

// A separate thread, because unpacking may block the main one. It watches the memory, because the heap limit does not
// count buffers, and ends the process if its parent is gone.
setInterval(() => {
  if (process.memoryUsage.rss() > MEMORY_BYTES || process.ppid !== parent) {
    process.kill(process.pid, 'SIGKILL')
  }
}, EVERY_MS)
