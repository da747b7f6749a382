import { Button, Group, Paper, SegmentedControl, Skeleton, Text } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { useSettings } from '../challenge/settings'
import { Markdown } from '../parts/Markdown'
import { Broken } from '../parts/States'
import type { Own } from './data'
import { useSave } from './data'
import { Files } from './Files'
import css from './Own.module.css'

const Editor = lazy(() => import('../challenge/Editor'))
const FIRST = 'challenge.toml'

interface Props {
  teamId: string
  own: Own
  writes: boolean
}

/** The folder beside an editor. It is saved as a whole, so that what is judged fits together. */
export function Work({ teamId, own, writes }: Props) {
  const [base, setBase] = useState(own)
  const [files, setFiles] = useState(own.files)
  const [shown, setShown] = useState(FIRST in own.files ? FIRST : (Object.keys(own.files)[0] ?? FIRST))
  const [view, setView] = useState('write')
  const save = useSave(teamId, own.id)
  const [settings] = useSettings()
  const changed = (name: string) => files[name] !== base.files[name]
  const names = Object.keys(files).sort()
  const dirty = names.some(changed) || names.length !== Object.keys(base.files).length
  // The gate writes outputs below examples: who has nothing unsaved sees them at once.
  if (own !== base && !dirty) {
    setBase(own)
    setFiles(own.files)
  }
  const keep = () =>
    writes &&
    dirty &&
    save.mutate(
      { version: base.version, files },
      {
        onSuccess: saved => {
          setBase(saved)
          setFiles(saved.files)
        },
      },
    )
  const drop = () => {
    const { [shown]: _, ...rest } = files
    setFiles(rest)
    setShown(FIRST)
  }
  const markdown = shown.endsWith('.md')
  return (
    <>
      <div className={css.work}>
        <Files
          names={names}
          shown={shown}
          changed={changed}
          onShow={setShown}
          onAdd={
            writes
              ? name => {
                  setFiles({ ...files, [name]: name.includes('/accepted/') ? '' : '# caught by: ' })
                  setShown(name)
                }
              : undefined
          }
        />
        <div>
          <Group justify="space-between" mb="xs">
            <Text ff="monospace" size="sm">
              {shown}
            </Text>
            <Group gap="xs">
              {markdown && (
                <SegmentedControl
                  size="xs"
                  aria-label="How it is shown"
                  value={view}
                  onChange={setView}
                  data={[
                    { value: 'write', label: 'Write' },
                    { value: 'read', label: 'Preview' },
                  ]}
                />
              )}
              {writes && shown.startsWith('submissions/') && (
                <Button size="xs" variant="default" onClick={drop}>
                  Remove
                </Button>
              )}
              {writes && (
                <Button size="xs" onClick={keep} disabled={!dirty} loading={save.isPending}>
                  Save
                </Button>
              )}
            </Group>
          </Group>
          {markdown && view === 'read' ? (
            <Paper radius="lg" p="lg">
              <Markdown source={files[shown] ?? ''} />
            </Paper>
          ) : (
            <Paper radius="lg" className={css.sheet}>
              <Suspense fallback={<Skeleton h="100%" />}>
                <Editor
                  key={shown}
                  label={shown}
                  plain={!shown.endsWith('.py')}
                  value={files[shown] ?? ''}
                  onChange={text => writes && setFiles(now => ({ ...now, [shown]: text }))}
                  onRun={keep}
                  onSubmit={keep}
                  settings={settings}
                />
              </Suspense>
            </Paper>
          )}
          <Text size="sm" c="dimmed" mt="xs" role="status">
            {dirty ? 'Changed and not saved. Ctrl+Enter saves the whole folder.' : 'Saved.'}
          </Text>
        </div>
      </div>
      {save.error && <Broken error={save.error} />}
    </>
  )
}
