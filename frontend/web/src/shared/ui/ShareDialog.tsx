import { Anchor, Code, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { CopyValue } from '../forms/Secret'
import { Dialog } from './Dialog'

export interface Shared {
  /** What is shared. */
  title: string
  /** The path of the page. */
  page: string
  /** The path of the feed up to its ending, with its query. */
  feed?: { path: string; query: string }
  /** The path of the image. */
  image?: string
}

const absolute = (path: string) => `${window.location.origin}${path}`
const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Addresses of a page, its feeds and its image, to copy. */
export default function ShareDialog({ title, page, feed, image, onClose }: Shared & { onClose: () => void }) {
  const link = absolute(page)
  const html =
    image &&
    `<a href="${escaped(link)}"><img src="${escaped(absolute(image))}" alt="${escaped(title)}" width="400"></a>`
  const markdown = image && `[![${title.replace(/[[\]\\]/g, '\\$&')}](${absolute(image)})](${link})`
  return (
    <Dialog title="Share" size="lg" onClose={onClose}>
      <Stack gap="lg">
        <Address name="Link" value={link} />
        {feed && (
          <div>
            <Address
              name="Atom feed, for feed readers"
              value={absolute(`${feed.path}.atom${feed.query}`)}
              open
            />
            <Address name="JSON Feed, for programs" value={absolute(`${feed.path}.json${feed.query}`)} open />
          </div>
        )}
        {image && (
          <div>
            <img src={image} alt={`Preview: ${title}`} width={400} style={{ maxWidth: '100%' }} />
            <Text size="sm" c="dimmed" my="xs">
              The image is up to date within minutes and follows the reader’s colour scheme.
            </Text>
            <Address name="HTML" value={html ?? ''} />
            <Address name="Markdown" value={markdown ?? ''} />
          </div>
        )}
      </Stack>
    </Dialog>
  )
}

function Address({ name, value, open = false }: { name: ReactNode; value: string; open?: boolean }) {
  return (
    <div style={{ marginTop: 8 }}>
      <Text size="sm" fw={500} mb={2}>
        {open ? (
          <Anchor href={value} inherit>
            {name}
          </Anchor>
        ) : (
          name
        )}
      </Text>
      <Group gap="sm" wrap="nowrap" align="start">
        <Code style={{ overflowWrap: 'anywhere', flex: 1 }}>{value}</Code>
        <CopyValue value={value} />
      </Group>
    </div>
  )
}
