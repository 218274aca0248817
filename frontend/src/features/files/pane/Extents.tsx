import { List, Stack, Text, Title } from '@mantine/core'
import { useMemo } from 'react'
import type { FileDetails } from '~/api/types'
import { useFormat } from '~/ui/format/useFormat'
import { Strip } from '~/ui/strip/Strip'
import { useText } from '~/ui/text/catalogue'
import { text } from '../text'
import { extentsOf } from './extents'

/** Holes that are told in words; the others are counted. */
const Told = 5

/** Where a file's bytes are, by posted file, with known holes; the same in words below. */
export function Extents({ file }: { file: FileDetails }) {
  const t = useText(text)
  const format = useFormat()
  const segments = useMemo(() => extentsOf(file), [file])
  const holes = file.holes.length === 0 ? t.noHoles : t.holes(file.holes.length).replace(/:$/, '.')
  const label = file.origin === 'torrent' ? t.torrentStrip(format.size(file.size), holes) : t.strip(format.size(file.size), t.posted(file.postedTotal), holes)
  return (
    <Stack gap={4}>
      <Title order={3}>{t.where}</Title>
      <Strip segments={segments} total={file.size} label={label} />
      <Text size="sm" c="dimmed">{label}</Text>
      {file.holes.length > 0 && (
        <List size="sm">
          {file.holes.slice(0, Told).map(({ offset, length, reason }) => <List.Item key={offset}>{t.hole(format.size(length), format.percent(offset / file.size), reason)}</List.Item>)}
          {file.holes.length > Told && <List.Item>{t.moreHoles(file.holes.length - Told)}</List.Item>}
        </List>
      )}
    </Stack>
  )
}
