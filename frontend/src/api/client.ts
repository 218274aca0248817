import createClient, { type Middleware } from 'openapi-fetch'
import { root } from './address'
import { ApiError } from './error'
import type { paths } from './schema'

let token: string | null = null
let refused: () => void = () => undefined

/** What goes with everything that changes something (the session tells it). */
export function setToken(csrf: string | null): void {
  token = csrf
}

/** Called when the server no longer knows who asks: the session has ended. */
export function onRefused(handler: () => void): void {
  refused = handler
}

const guard: Middleware = {
  onRequest({ request }) {
    if (token !== null && !['GET', 'HEAD'].includes(request.method)) request.headers.set('X-CSRF-Token', token)
    return request
  },
  onResponse({ response, schemaPath }) {
    if (response.status === 401 && schemaPath !== '/api/v1/session') refused()
    return undefined
  },
  onError() {
    return new ApiError(0, 'The server does not answer.')
  },
}

/** Every call of the API, typed by its OpenAPI document. */
export const api = createClient<paths>({ baseUrl: root.href.replace(/\/$/, ''), credentials: 'same-origin' })
api.use(guard)

type Answer<T> = { data?: T; error?: unknown; response: Response }

/** The body of a call that succeeded; throws an ApiError for one that did not. */
export async function take<T>(call: Promise<Answer<T>>): Promise<T> {
  const { data, error, response } = await call
  if (!response.ok) throw ApiError.of(response.status, error)
  return data as T
}

/** The token for calls that do not go through `api`, such as uploads with progress. */
export function csrfToken(): string | null {
  return token
}

/** The header with which a call says that the password was entered again; see `Confirmed`. */
export function confirmedBy(confirmation: string): Record<string, string> {
  return confirmation === '' ? {} : { 'X-Confirmation': confirmation }
}
