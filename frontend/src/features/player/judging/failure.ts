import { ApiError } from '~/api/error'

/** Why a video stopped or did not begin: the server said no, it does not answer, the bytes are damaged, or no decoder took them. */
export type Failure = { kind: 'http'; status: number; message: string } | { kind: 'away' } | { kind: 'damaged' } | { kind: 'codec' }

/**
 * Finds out what is behind the code of a MediaError. 4 ("source not supported") is told for an HTTP error as well, so the address is asked for one byte before a codec is blamed.
 * @param ask Answers as `fetch` does.
 */
export async function explain(code: number, url: string, ask: (url: string, init: RequestInit) => Promise<Response> = fetch): Promise<Failure> {
  let answer: Response
  try {
    answer = await ask(url, { headers: { Range: 'bytes=0-0' }, cache: 'no-store' })
  } catch {
    return { kind: 'away' }
  }
  if (answer.ok) {
    await answer.body?.cancel()
    // 2 is the network's, which has come back since; 3 is a decoder's that had begun.
    return code === MediaError.MEDIA_ERR_SRC_NOT_SUPPORTED ? { kind: 'codec' } : code === MediaError.MEDIA_ERR_NETWORK ? { kind: 'away' } : { kind: 'damaged' }
  }
  const body: unknown = await answer.json().catch(() => null)
  return { kind: 'http', status: answer.status, message: ApiError.of(answer.status, body).message }
}

/** True if a new link may help: the old one has expired or was revoked. */
export function isStale(failure: Failure): boolean {
  return failure.kind === 'http' && [401, 403, 404, 410].includes(failure.status)
}
