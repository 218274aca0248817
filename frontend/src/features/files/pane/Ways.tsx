import { Button, Group } from '@mantine/core'
import { IconDownload, IconPlayerPlayFilled } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { fileLink, linkAddress, playlistAddress, zipAddress } from '~/api/files'
import type { FileDetails } from '~/api/types'
import { LinkButton } from '~/ui/LinkButton'
import { OpenIn } from '~/ui/players/OpenIn'
import { useText } from '~/ui/text/catalogue'
import { text } from '../text'
import { CopyMenu } from './CopyMenu'

/** The ways to the bytes: here, in a player, as an address, as a download. */
export function Ways({ file }: { file: FileDetails }) {
  const t = useText(text)
  const [wanted, setWanted] = useState(false)
  const isFile = file.kind === 'file'
  const link = useQuery({ ...fileLink(file.id), enabled: isFile && wanted }).data
  const want = () => setWanted(true)
  const url = link === undefined ? undefined : linkAddress(link)
  return (
    <Group gap="xs">
      {file.playable && <LinkButton to="/play/$id" params={{ id: file.id }} leftSection={<IconPlayerPlayFilled size={16} aria-hidden />}>{t.play}</LinkButton>}
      {file.playable && <OpenIn playable={url === undefined ? undefined : { url, name: file.name }} playlist={(format) => playlistAddress(file.id, format)} onOpen={want} />}
      <CopyMenu file={file} url={url} onOpen={want} />
      {isFile
        ? <Download id={file.id} label={t.download} />
        : <Button component="a" href={zipAddress(file.id)} download variant="default" leftSection={<IconDownload size={16} aria-hidden />}>{t.downloadZip}</Button>}
    </Group>
  )
}

/** The link is made at the click: it holds from then on. */
function Download({ id, label }: { id: string; label: string }) {
  const link = useQuery({ ...fileLink(id), enabled: false })
  const start = async () => {
    const made = link.data ?? (await link.refetch()).data
    if (made === undefined) return
    const anchor = document.createElement('a')
    anchor.href = linkAddress(made)
    anchor.download = made.name
    anchor.click()
  }
  return <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />} loading={link.isFetching} onClick={() => void start()}>{label}</Button>
}
