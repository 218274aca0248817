import type { Job, JobPage } from '~/api/types'

/** A job for tests: queued, with what the test cares about. */
export const job = (id: string, rest: Partial<Job> = {}): Job => ({
  id, name: `Job ${id}`, category: 'tv', kind: 'nzb', state: 'queued', source: 'api', priority: 0, position: null, added: '2026-11-22T12:00:00Z', started: null, finished: null,
  step: null, stepIndex: null, stepCount: 6, progress: 0, bytes: 0, files: 0, failure: null, retryAt: null, attempts: 0, hasPassword: false, itemId: null, path: null, ...rest,
})

/** A page of a list for tests. */
export const page = (items: Job[], offset = 0, total = offset + items.length): JobPage => ({ items, total, offset, counts: { queued: 0, waiting: 0, paused: 0, running: 0, completed: 0, failed: 0 } })
