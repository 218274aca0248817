import type { AddAnswer } from '~/api/types'

/** One thing that is being added: a file, a link, or one of those in a zip. */
export type Entry = {
  id: number
  name: string
  state: 'sending' | 'queued' | 'duplicate' | 'failed'
  /** Share of the file that the server has. */
  progress: number
  error: string | null
  jobId: string | null
  /** It was sent, and failed: it can be sent once more. */
  canRetry: boolean
}

export type EntriesAction =
  | { type: 'begin'; entries: readonly { id: number; name: string; error?: string }[] }
  | { type: 'progress'; id: number; share: number }
  | { type: 'answer'; ids: readonly number[]; answer: AddAnswer }
  | { type: 'fail'; ids: readonly number[]; error: string }
  | { type: 'again'; id: number }
  | { type: 'clear' }

/** The list of what is being added, newest last. Each fails or succeeds by itself. */
export function entries(list: readonly Entry[], action: EntriesAction): readonly Entry[] {
  switch (action.type) {
    case 'begin':
      return [...list, ...action.entries.map(({ id, name, error }): Entry => ({ id, name, state: error === undefined ? 'sending' : 'failed', progress: 0, error: error ?? null, jobId: null, canRetry: false }))]
    case 'progress':
      return list.map((entry) => (entry.id === action.id ? { ...entry, progress: action.share } : entry))
    case 'fail':
      return list.map((entry) => (action.ids.includes(entry.id) ? { ...entry, state: 'failed', error: action.error, canRetry: true } : entry))
    case 'again':
      return list.map((entry) => (entry.id === action.id ? { ...entry, state: 'sending', progress: 0, error: null, canRetry: false } : entry))
    case 'answer':
      return answered(list, action.ids, action.answer)
    case 'clear':
      return list.filter((entry) => entry.state === 'sending')
  }
}

/** A zip becomes as many rows as it had files; links are answered one by one, in order. */
function answered(list: readonly Entry[], ids: readonly number[], { results }: AddAnswer): Entry[] {
  const [first] = ids
  return list.flatMap((entry) => {
    if (!ids.includes(entry.id)) return [entry]
    const own = ids.length > 1 ? results.slice(ids.indexOf(entry.id), ids.indexOf(entry.id) + 1) : results
    return own.map((result, at): Entry => ({
      // Rows of a zip need ids of their own: fractions, which no other has.
      id: at === 0 ? entry.id : (first ?? 0) + at / (own.length + 1),
      name: result.job?.name ?? result.name, progress: 1, error: result.error, jobId: result.job?.id ?? null,
      // A part of a zip cannot be sent alone.
      canRetry: result.error !== null && own.length === 1,
      state: result.error !== null ? 'failed' : result.duplicate ? 'duplicate' : 'queued',
    }))
  })
}
