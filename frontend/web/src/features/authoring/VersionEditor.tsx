import { Button, Group, Paper, SegmentedControl, Skeleton, Text } from '@mantine/core'
import { Suspense, useState } from 'react'
import { LazyEditor, useEditorSettings } from '@/features/editor'
import { Markdown } from '@/shared/markdown/Markdown'
import { ErrorMessage } from '@/shared/ui/QueryStates'
import css from './Authoring.module.css'
import { beginning, PackageFiles } from './PackageFiles'
import type { TeamChallenge } from './requests'
import { useSaveVersion } from './requests'

const FIRST = 'challenge.toml'

interface Props {
  teamId: string
  own: TeamChallenge
  writes: boolean
}

/** The file list beside an editor. All files are saved together, so that the judged version is consistent. */
export function VersionEditor({ teamId, own, writes }: Props) {
  const [base, setBase] = useState(own)
  const [files, setFiles] = useState(own.files)
  const [shown, setShown] = useState(FIRST in own.files ? FIRST : (Object.keys(own.files)[0] ?? FIRST))
  const [view, setView] = useState('write')
  const save = useSaveVersion(teamId, own.id)
  const [settings] = useEditorSettings()
  const changed = (name: string) => files[name] !== base.files[name]
  const names = Object.keys(files).sort()
  const dirty = names.some(changed) || names.length !== Object.keys(base.files).length
  // The gate writes outputs below examples. A user without unsaved changes sees them at once.
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
        <PackageFiles
          names={names}
          shown={shown}
          changed={changed}
          onShow={setShown}
          onAdd={
            writes
              ? name => {
                  setFiles({ ...files, [name]: beginning(name) })
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
                  aria-label="View"
                  value={view}
                  onChange={setView}
                  data={[
                    { value: 'write', label: 'Write' },
                    { value: 'read', label: 'Preview' },
                  ]}
                />
              )}
              {writes && (shown.startsWith('submissions/') || shown === 'wrong.toml') && (
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
                <LazyEditor
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
            {dirty ? 'Unsaved changes. Press Ctrl+Enter to save the whole folder.' : 'Saved.'}
          </Text>
        </div>
      </div>
      {save.error && <ErrorMessage error={save.error} />}
    </>
  )
}
