import { Button, Menu, type ButtonProps } from '@mantine/core'
import { IconChevronDown, IconExternalLink } from '@tabler/icons-react'
import { useState } from 'react'
import { useText } from '../text/catalogue'
import { launch } from './launch'
import { keepPlayer, lastPlayer } from './last'
import { NothingOpened } from './NothingOpened'
import { labels, players, way, type Playable, type PlayerName, type PlaylistFormat } from './players'
import { isSafari, systemOf } from './system'
import { text } from './text'

type Props = ButtonProps & {
  /** Undefined while the link is being made. */
  playable: Playable | undefined
  playlist: (format: PlaylistFormat) => string
  /** The list is shown: the time to make a link. */
  onOpen: () => void
}

/** The players that a file can be opened in: this system's first, the one used last before all. */
export function OpenIn({ playable, playlist, onOpen, ...button }: Props) {
  const t = useText(text)
  const [failed, setFailed] = useState<PlayerName | null>(null)
  const [last, setLast] = useState(lastPlayer)
  const system = systemOf(navigator.userAgent, navigator.maxTouchPoints)
  const { own, others } = players(system, last)
  const item = (name: PlayerName) => {
    const how = playable === undefined ? undefined : way(name, system, playable, isSafari(navigator.userAgent))
    const chosen = () => {
      keepPlayer(name)
      setLast(name)
    }
    if (how !== undefined && 'playlist' in how) return <Menu.Item key={name} component="a" href={playlist(how.playlist)} download onClick={chosen}>{labels[name]}</Menu.Item>
    const open = async () => {
      if (how === undefined) return
      chosen()
      if (!await launch(how.scheme)) setFailed(name)
    }
    return <Menu.Item key={name} disabled={how === undefined} onClick={() => void open()}>{labels[name]}</Menu.Item>
  }
  return (
    <>
      <Menu position="bottom-start" width={220} onOpen={onOpen}>
        <Menu.Target>
          <Button variant="default" leftSection={<IconExternalLink size={16} aria-hidden />} rightSection={<IconChevronDown size={14} aria-hidden />} {...button}>{t.open}</Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{playable === undefined ? t.preparing : t.here}</Menu.Label>
          {own.map(item)}
          <Menu.Label>{t.asPlaylist}</Menu.Label>
          {(['m3u8', 'xspf'] as const).map((format) => <Menu.Item key={format} component="a" href={playlist(format)} download>{t.playlist(format)}</Menu.Item>)}
          <Menu.Label>{t.elsewhere}</Menu.Label>
          {others.map(item)}
        </Menu.Dropdown>
      </Menu>
      {playable !== undefined && <NothingOpened player={failed} url={playable.url} playlist={playlist} onClose={() => setFailed(null)} />}
    </>
  )
}
