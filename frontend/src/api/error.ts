/** What is wrong with one value of what was sent. */
export type Fault = { path: string; message: string }

/** A call that was not done. `message` is the server's sentence, for people. */
export class ApiError extends Error {
  /** @param status HTTP status; 0: the server did not answer. */
  constructor(readonly status: number, message: string, readonly faults: readonly Fault[] = []) {
    super(message)
    this.name = 'ApiError'
  }

  /** True when the same call may work in a moment: the server is away, restarts or is busy. */
  get passes(): boolean {
    return this.status === 0 || this.status === 429 || this.status === 502 || this.status === 503 || this.status === 504
  }

  /** What an answer that is no success says. */
  static of(status: number, body: unknown): ApiError {
    const told = typeof body === 'object' && body !== null ? (body as { error?: unknown; faults?: unknown }) : {}
    const faults = Array.isArray(told.faults) ? (told.faults as Fault[]) : []
    const message = typeof told.error === 'string' ? told.error : faults.length > 0 ? faults.map((fault) => fault.message).join(' ') : `HTTP ${status}`
    return new ApiError(status, message, faults)
  }
}
