import { Button, Menu } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconChevronDown, IconCopy } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { absolute } from '~/api/address'
import { playlistAddress } from '~/api/files'
import { api, take } from '~/api/client'
import { ApiError } from '~/api/error'
import type { FileDetails, Play } from '~/api/types'
import { copy } from '~/ui/copy'
import { useText } from '~/ui/text/catalogue'
import { inKeys } from '~/ui/text/keys'
import { useState } from 'react'
import { text } from '../text'

/** `http://anna@host/dav/…`: players ask for the password then. */
export function withUser(address: string, username: string | null): string | null {
  if (username === null || username === '') return null
  const url = new URL(address)
  url.username = username
  return url.href
}

async function playlistText(address: string): Promise<string> {
  const answer = await fetch(address)
  if (!answer.ok) throw ApiError.of(answer.status, await answer.json().catch(() => null))
  return answer.text()
}

type Props = { file: FileDetails; url: string | undefined; onOpen: () => void }

/** Addresses to copy. What has to be asked for is asked for when the list opens: browsers let a page copy only right after a click. */
export function CopyMenu({ file, url, onOpen }: Props) {
  const t = useText(text)
  const [open, setOpen] = useState(false)
  const isFile = file.kind === 'file'
  const play = useQuery({ queryKey: ['settings', 'play'], queryFn: async (): Promise<Play> => take(api.GET('/api/v1/play')), enabled: open }).data
  const strm = useQuery({ queryKey: ['strm', file.id], queryFn: async () => playlistText(playlistAddress(file.id, 'strm')), enabled: open && isFile && file.playable }).data
  const dav = absolute(file.davPath)
  const choices: [string, string | null | undefined][] = [
    [t.copies.dav, dav],
    [t.copies.davUser, play === undefined ? undefined : withUser(dav, play.username)],
    [t.copies.rclone, file.rclonePath],
    [t.copies.strm, file.playable ? strm : null],
    [t.copies.link, isFile ? url : null],
    [t.copies.path, file.path],
  ]
  const copyThis = async (what: string, value: string) => {
    const done = await copy(value)
    if (done) notifications.show({ message: t.copied(what), autoClose: 4000 })
    else notifications.show({ message: `${inKeys(t.copyFailed)} ${value}`, autoClose: false, color: 'red' })
  }
  return (
    <Menu position="bottom-start" width={240} onOpen={() => { setOpen(true); onOpen() }}>
      <Menu.Target>
        <Button variant="default" leftSection={<IconCopy size={16} aria-hidden />} rightSection={<IconChevronDown size={14} aria-hidden />}>{t.copy}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {choices.filter(([, value]) => value !== null).map(([what, value]) => (
          <Menu.Item key={what} disabled={value == null} onClick={() => { if (value != null) void copyThis(what, value.trim()) }}>{what}</Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
