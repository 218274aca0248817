import type { FileDetails } from '~/api/types'
import type { StripKind } from '~/ui/strip/Strip'
import type { Segment } from '~/ui/strip/layout'

/** More posted files than this would be a pattern without meaning: they are drawn as one. */
const Apart = 150

/** What the strip of a file shows: posted files that take turns in shade, holes above them. A torrent's file is one stretch. */
export function extentsOf(file: Pick<FileDetails, 'size' | 'posted' | 'postedTotal' | 'holes'>): Segment<StripKind>[] {
  const holes = file.holes.map(({ offset, length }): Segment<StripKind> => ({ start: offset, length, kind: 'hole' }))
  const apart = file.postedTotal > 0 && file.postedTotal <= Apart && file.posted.length === file.postedTotal
  const held: Segment<StripKind>[] = apart
    ? file.posted.map(({ offset, length }, at) => ({ start: offset, length, kind: at % 2 === 0 ? 'a' : 'b' }))
    : [{ start: 0, length: file.size, kind: 'a' }]
  return [...held, ...holes]
}
