import { Stack, Text, Title } from '@mantine/core'
import { useMemo } from 'react'
import type { TorrentDetails } from '~/api/types'
import { useFormat } from '~/ui/format/useFormat'
import { inOrder } from '~/ui/strip/layout'
import { Strip, type StripKind } from '~/ui/strip/Strip'
import { useText } from '~/ui/text/catalogue'
import { text } from '../text'

/** The pieces that are held, in order; the same in words below. */
export function Pieces({ torrent: { runs, pieces, have, pieceLength } }: { torrent: TorrentDetails }) {
  const t = useText(text)
  const format = useFormat()
  const segments = useMemo(() => inOrder<StripKind>(runs.map(({ state, length }) => ({ kind: state, length }))), [runs])
  if (pieces === null) return null
  const wanted = runs.reduce((sum, { state, length }) => state === 'wanted' ? sum + length : sum, 0)
  const label = t.piecesOf(format.number(have ?? 0), format.number(pieces), wanted, pieceLength === null ? null : format.memory(pieceLength))
  return (
    <Stack gap={4}>
      <Title order={3}>{t.pieces}</Title>
      <Strip segments={segments} total={pieces} label={label} />
      <Text size="sm" c="dimmed">{label}</Text>
    </Stack>
  )
}
