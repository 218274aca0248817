import { Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { absolute } from '~/api/address'
import { useRights, useSession } from '~/api/session'
import { CopyButton } from '~/ui/CopyButton'
import { LinkButton } from '~/ui/LinkButton'
import { useText } from '~/ui/text/catalogue'
import { playQuery } from '../queries'
import { text } from '../text'
import classes from './parts.module.css'

/** Where players and programs find this server, each with Copy. */
export function Connect() {
  const t = useText(text).connect
  const may = useRights()('manage')
  const isDemo = useSession()?.demo === true
  const play = useQuery(playQuery).data
  if (play === undefined) return null
  const places = [
    { name: t.dav, value: absolute(play.davPath), hint: play.username !== null ? t.user(play.username) : isDemo ? t.open : t.closed },
    ...(play.mount === null ? [] : [{ name: t.mount, value: `${play.mount.path}/content`, hint: null }]),
    { name: t.sab, value: absolute(play.sabPath), hint: null },
    { name: t.torrents, value: absolute(play.urlBase === '' ? '/' : play.urlBase), hint: null },
  ]
  return (
    <section className={classes.card} aria-labelledby="connect">
      <Title order={2} id="connect" mb="xs">{t.title}</Title>
      <ul className={classes.plain}>
        {places.map(({ name, value, hint }) => (
          <li key={name} className={classes.place}>
            <span className={classes.small}>{name}{hint !== null && ` · ${hint}`}</span>
            <span className={`mono ${classes.address}`}>{value}</span>
            <CopyButton value={value} aria-label={t.copyOf(name)} />
          </li>
        ))}
      </ul>
      {may && <Text size="sm" c="dimmed" mt="xs">{t.arrs} <LinkButton to="/setup" search={{ step: 'arrs' }} size="compact-xs" variant="default">{t.connectArr}</LinkButton></Text>}
    </section>
  )
}
