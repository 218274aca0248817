import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { CopyButton } from '../CopyButton'
import { useText } from '../text/catalogue'
import { labels, mpvCommand, type PlayerName, type PlaylistFormat } from './players'
import { text } from './text'

type Props = { player: PlayerName | null; url: string; playlist: (format: PlaylistFormat) => string; onClose: () => void }

/** Other ways to the same player, when its link did nothing. */
export function NothingOpened({ player, url, playlist, onClose }: Props) {
  const t = useText(text)
  const name = player === null ? '' : labels[player]
  return (
    <Modal opened={player !== null} onClose={onClose} title={t.silent(name)} closeButtonProps={{ 'aria-label': t.close }}>
      <Stack>
        <Text>{t.why(name)}</Text>
        <Group gap="xs">
          <Button component="a" href={playlist('m3u8')} download size="compact-md">{t.playlist('m3u8')}</Button>
          <CopyButton value={url} label={t.copyLink} size="compact-md" />
          {player === 'mpv' && <CopyButton value={mpvCommand(url)} label={t.copyCommand} size="compact-md" />}
        </Group>
        <Text className="mono" style={{ overflowWrap: 'anywhere' }}>{url}</Text>
      </Stack>
    </Modal>
  )
}
