import { afterAll, describe } from 'vitest'
import { temporaryFolder } from './harness/files'
import { News } from './harness/news'
import { Server } from './harness/server'
import { about } from './shared/about'
import { arrs } from './shared/arrs'
import { backups } from './shared/backups'
import { exports, exportSettings } from './shared/exports'
import { palette } from './shared/palette'
import { settings } from './shared/settings'

// Flows that look, or leave behind what the others here do not mind. A server takes seconds to start: they share one, in this order.
describe('one server', () => {
  const folder = temporaryFolder()
  const news = News.around()
  const server = Server.around(() => ({
    users: ['administrator', 'viewer'], env: { ...news.settings(), ...exportSettings(folder.path), NzbDav__Backup__Keep: '5' },
  }))
  afterAll(() => folder.remove())

  about(server)
  exports(server, folder.path)
  backups(server)
  settings(server)
  palette(server, news)
  // The last: the Sonarr that it leaves does not answer.
  arrs(server)
})
