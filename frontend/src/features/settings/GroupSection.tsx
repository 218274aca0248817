import { Group as Row, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Setting, SettingsAnswer } from '~/api/types'
import { LinkButton } from '~/ui/LinkButton'
import { SettingFields } from '~/ui/setting/SettingFields'
import type { DraftState } from '~/ui/setting/useDraft'
import { useText } from '~/ui/text/catalogue'
import { Arrs } from './Arrs'
import type { Group } from './groups'
import { Indexers } from './Indexers'
import { Passwords } from './Passwords'
import classes from './Settings.module.css'
import { text } from './text'

type Props = { group: Group; answer: SettingsAnswer; numbered: readonly Setting[]; state: DraftState; all: boolean; isExcerpt?: boolean }

/** One group: its settings, and what is numbered in it. `all`: nothing is hidden under "more", as in a search. `isExcerpt`: the group has more than these. */
export function GroupSection({ group, answer, numbered, state, all, isExcerpt = false }: Props) {
  const t = useText(text)
  return (
    <section className={classes.section} aria-labelledby={`group-${group.id}`}>
      <div className={classes.sectionHead}>
        <Title order={2} id={`group-${group.id}`}>{group.title}</Title>
        {isExcerpt && <Link to="/settings" search={{ group: group.id }} className={classes.more} aria-label={t.allOf(group.title)}>{t.all}</Link>}
      </div>
      {!all && group.id === 'providers' && (
        <Row className={classes.panel} p="md" mb="sm" justify="space-between">
          <Text size="sm" flex={1} miw={220}>{t.providers}</Text>
          <LinkButton to="/providers" variant="default">{t.toProviders}</LinkButton>
        </Row>
      )}
      {!all && !isExcerpt && group.id === 'arrs' && <Arrs settings={numbered} template={answer.arr} state={state} />}
      {group.settings.length > 0 && <div className={classes.panel}><SettingFields settings={group.settings} state={state} all={all || isExcerpt} /></div>}
      {!all && !isExcerpt && group.id === 'arrs' && <Indexers settings={numbered} template={answer.indexer} state={state} />}
      {!all && !isExcerpt && group.id === 'imports' && <Passwords settings={numbered} template={answer.password} state={state} />}
    </section>
  )
}
