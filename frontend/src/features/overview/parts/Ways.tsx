import { Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { absolute } from '~/api/address'
import { jobCountsQuery } from '~/api/queries'
import { useRights } from '~/api/session'
import { CopyButton } from '~/ui/CopyButton'
import { LinkButton } from '~/ui/LinkButton'
import { useText } from '~/ui/text/catalogue'
import { playQuery } from '../queries'
import { text } from '../text'
import classes from './parts.module.css'

/** How to play, for those who have not yet. */
export function Ways() {
  const t = useText(text)
  const may = useRights()('add')
  const counts = useQuery(jobCountsQuery).data
  const play = useQuery(playQuery).data
  const dav = play === undefined ? '' : absolute(play.davPath)
  const lines = play === undefined ? [] : play.mount === null ? play.rclone : [`${play.mount.path}/content`]
  return (
    <section aria-labelledby="ways">
      <Title order={2} id="ways" mb="xs">{t.emptyTitle}</Title>
      {may && counts?.completed === 0 && <Text mb="sm">{t.firstAdd} <LinkButton to="." search={(now) => ({ ...now, add: '1' })} size="compact-sm">{t.add}</LinkButton></Text>}
      <Text c="dimmed" mb="xs">{t.ways}</Text>
      <ul className={classes.cards}>
        <li className={classes.card}>
          <Title order={3}>{t.wayPage}</Title><Text size="sm" mb="xs">{t.wayPageText}</Text>
          <LinkButton to="/files" size="compact-sm" variant="default">{t.openFiles}</LinkButton>
        </li>
        <li className={classes.card}>
          <Title order={3}>{t.wayDav}</Title><Text size="sm">{t.wayDavText}</Text>
          <Text size="sm" className="mono" my="xs" style={{ overflowWrap: 'anywhere' }}>{dav}</Text>
          <CopyButton value={dav} />
        </li>
        <li className={`${classes.card} ${classes.wide}`}>
          <Title order={3}>{t.wayMount}</Title><Text size="sm">{play?.mount == null ? t.wayMountText : t.wayFolderText}</Text>
          {lines.map((line) => <pre key={line} className={classes.line}>{line}</pre>)}
          <CopyButton value={lines.join('\n')} />
        </li>
      </ul>
    </section>
  )
}
