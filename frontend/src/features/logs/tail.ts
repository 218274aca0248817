import type { LogLine, LogPage } from '~/api/types'

/** Lines that are read with one call. */
export const Limit = 1000

/** Lines that the page keeps: as many as the server does. */
const Most = 5000

/** What the page has of the log: `next` is the id after which new lines come. */
export type Tail = { lines: readonly LogLine[]; next: number }

/** The id after which the next call goes on. A full page may not hold the latest line yet. */
function nextOf(page: LogPage, before: number): number {
  return page.lines.length < Limit ? Math.max(page.last, before) : page.lines.at(-1)?.id ?? before
}

/** The first page: the latest lines. */
export function begun(page: LogPage): Tail {
  return { lines: page.lines, next: page.last }
}

/** The tail with what came after it; null: the server has begun to count anew, all is to be read again. */
export function appended(tail: Tail, page: LogPage): Tail | null {
  if (page.last < tail.next) return null
  if (page.lines.length === 0) return { ...tail, next: nextOf(page, tail.next) }
  const known = tail.lines.at(-1)?.id ?? 0
  return { lines: [...tail.lines, ...page.lines.filter((line) => line.id > known)].slice(-Most), next: nextOf(page, tail.next) }
}

/** The categories that occur, shortest part first: what the filter offers. */
export function categoriesOf(lines: readonly LogLine[]): string[] {
  const all = new Set<string>()
  for (const { category } of lines) {
    const parts = category.split('.')
    for (let end = 1; end <= parts.length; end++) all.add(parts.slice(0, end).join('.'))
  }
  return [...all].sort()
}
