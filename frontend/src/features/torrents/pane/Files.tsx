import { Anchor, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { TorrentDetails } from '~/api/types'
import { useFormat } from '~/ui/format/useFormat'
import { ScrollTable } from '~/ui/pane/ScrollTable'
import { useText } from '~/ui/text/catalogue'
import { text } from '../text'

/** The files of a torrent; those in the tree lead there. */
export function Files({ files }: { files: TorrentDetails['files'] }) {
  const t = useText(text)
  const format = useFormat()
  return (
    <Stack gap={4}>
      <Title order={3}>{t.files} ({format.number(files.length)})</Title>
      <ScrollTable label={t.files}>
        <tbody>
          {files.map(({ itemId, path, size, have }) => (
            <tr key={path}>
              <td>{itemId === null ? path : <Anchor inherit renderRoot={(props) => <Link {...props} to="/files" search={{ selected: itemId }} />}>{path}</Anchor>}</td>
              <td data-end>{format.size(size)}</td>
              <td data-end>{have !== null && size > 0 && <Text span inherit c="dimmed">{format.percent(have / size)}</Text>}</td>
            </tr>
          ))}
        </tbody>
      </ScrollTable>
    </Stack>
  )
}
