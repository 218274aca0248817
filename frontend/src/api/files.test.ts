import { beforeEach, describe, expect, it, vi, type Mock } from 'vitest'
import { deleteFiles, moveFiles } from './files'

const server = vi.hoisted((): { post: Mock } => ({ post: vi.fn() }))
vi.mock('./client', () => ({ api: { POST: server.post }, take: (answer: unknown) => answer }))

type Body = { ids: string[]; action: string; parentId: string | null; force: boolean | null }
const bodies = () => (server.post.mock.calls as [string, { body: Body }][]).map(([, { body }]) => body)
const many = Array.from({ length: 2001 }, (_, at) => String(at))

beforeEach(() => {
  server.post.mockReset().mockImplementation((_path: string, { body }: { body: Body }) => Promise.resolve({ done: body.ids.length - 1, refused: [{ id: body.ids[0], reason: 'A library has a link to it.' }] }))
})

describe('many files', () => {
  it('are deleted in parts that the server takes, with one answer for all', async () => {
    const answer = await deleteFiles(many, true)
    expect(bodies().map(({ ids, action, force }) => [ids.length, action, force])).toEqual([[1000, 'delete', true], [1000, 'delete', true], [1, 'delete', true]])
    expect(bodies().flatMap(({ ids }) => ids)).toEqual(many)
    expect(answer).toEqual({ done: 1998, refused: ['0', '1000', '2000'].map((id) => ({ id, reason: 'A library has a link to it.' })) })
  })

  it('are moved in parts that the server takes', async () => {
    await moveFiles(many.slice(0, 1500), '9')
    expect(bodies().map(({ ids, action, parentId }) => [ids.length, action, parentId])).toEqual([[1000, 'move', '9'], [500, 'move', '9']])
  })
})
