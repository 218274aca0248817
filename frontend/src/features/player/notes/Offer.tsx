import { Alert, Button, Group, List, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { fileLink, linkAddress, playlistAddress } from '~/api/files'
import type { FileDetails } from '~/api/types'
import { OpenIn } from '~/ui/players/OpenIn'
import { useText } from '~/ui/text/catalogue'
import { missing, type Verdict } from '../judging/judge'
import { text } from '../text'
import classes from './notes.module.css'

type Strings = (typeof text)['en']

/** What a verdict means, in one sentence. */
export function sentence(verdict: Verdict, container: string | null, t: Strings['verdict']): string {
  if (verdict.because === 'container') return t.container(container)
  if (verdict.because !== null) return t[verdict.because]
  switch (verdict.outcome) {
    case 'silent': return t.silent(missing(verdict, 'audio'))
    case 'blind': return t.blind(missing(verdict, 'video'))
    default: return t.nothing([...missing(verdict, 'video'), ...missing(verdict, 'audio')])
  }
}

type Props = { file: FileDetails; verdict: Verdict; container: string | null; onTry: () => void }

/** Says what the browser cannot play, before it has tried, and offers what can. */
export function Offer({ file, verdict, container, onTry }: Props) {
  const t = useText(text)
  const tracks = verdict.tracks.filter(({ track }) => track.kind !== 'subtitle')
  return (
    <Stack className={`surface ${classes.offer}`} gap="md">
      <Alert color="yellow" variant="light" icon={<IconAlertTriangle aria-hidden />} role="alert"><Text>{sentence(verdict, container, t.verdict)}</Text></Alert>
      {tracks.length > 0 && (
        <List size="sm" aria-label={t.media}>
          {tracks.map(({ track, plays }, at) => (
            <List.Item key={at}>
              <span aria-hidden>{plays === true ? '✓ ' : plays === false ? '✗ ' : '? '}</span>
              {[track.name, track.language, track.width === null ? null : `${track.width} × ${track.height ?? 0}`, track.channels === null ? null : `${track.channels} ch`].filter((part) => part !== null).join(' · ')}
            </List.Item>
          ))}
        </List>
      )}
      <Text>{t.verdict.out}</Text>
      <Group gap="xs">
        <Players file={file} filled />
        <Button variant="default" onClick={onTry}>{t.tryAnyway}</Button>
      </Group>
    </Stack>
  )
}

/** The players that the file can be opened in instead. */
export function Players({ file, filled = false }: { file: FileDetails; filled?: boolean }) {
  const link = useQuery(fileLink(file.id)).data
  return (
    <OpenIn variant={filled ? 'filled' : 'default'} playable={link === undefined ? undefined : { url: linkAddress(link), name: file.name }} playlist={(format) => playlistAddress(file.id, format)} onOpen={() => undefined} />
  )
}
