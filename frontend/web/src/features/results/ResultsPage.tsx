import { Button, Menu, SegmentedControl, Select, Text, Title } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useParams, useSearchParams } from 'react-router'
import { AssessmentFrame } from '@/features/assessments'
import { AppliedRejudges } from '@/features/authoring'
import { pluralize } from '@/shared/format/numbers'
import { Loaded } from '@/shared/ui/QueryStates'
import { CandidateFeedback } from './CandidateFeedback'
import { ComparedAnswers } from './ComparedAnswers'
import css from './Results.module.css'
import { AT_MOST, ResultsTable } from './ResultsTable'
import { type Counting, exportUrl, type Results, results as resultsQuery, type Where } from './requests'
import { SimilarAnswers } from './SimilarAnswers'
import { ItemStatistics, Statistics } from './Statistics'
import { VariantComparison } from './VariantComparison'

export function Component() {
  return <AssessmentFrame>{() => <Whole />}</AssessmentFrame>
}

/** The results page. All selections are part of the URL. */
function Whole() {
  const { teamId = '', assessmentId = '' } = useParams()
  const [params] = useSearchParams()
  const where = { teamId, assessmentId }
  const version = Number(params.get('version'))
  const counting: Counting = {
    attempts: params.get('attempts') === 'last' ? 'last' : 'best',
    ...(version > 0 && { version }),
  }
  return (
    <Loaded query={useQuery(resultsQuery(where, counting))}>
      {results => <ResultsView where={where} counting={counting} results={results} />}
    </Loaded>
  )
}

interface ViewProps {
  where: Where
  counting: Counting
  results: Results
}

function ResultsView({ where, counting, results }: ViewProps) {
  const [params, setParams] = useSearchParams()
  const at = `/teams/${where.teamId}/assessments/${where.assessmentId}`
  const put = (name: string, value: string) =>
    setParams(
      before => {
        before.delete(name)
        if (value) before.set(name, value)
        return before
      },
      // Synchronously, so that a second click sees the first one's selection.
      { replace: true, preventScrollReset: true, flushSync: true },
    )
  const chosen = (params.get('people') ?? '').split(',').filter(Boolean).slice(0, AT_MOST)
  const compared = chosen.flatMap(id => results.people.filter(each => each.participation_id === id))
  return (
    <>
      <Bar where={where} counting={counting} results={results} put={put} />
      {results.finished === 0 ? (
        <Text c="dimmed">
          {results.started
            ? 'No one has finished yet. Results appear here when the first candidate finishes.'
            : 'No one has started yet. Invite candidates to see their results here.'}
        </Text>
      ) : (
        <>
          <Statistics results={results} />
          <Notes results={results} />
          <AppliedRejudges {...where} />
          <Part title="Candidate feedback">
            <CandidateFeedback where={where} />
          </Part>
          <Part title="Items">
            <ItemStatistics items={results.items} />
          </Part>
          {results.items.some(item => item.variants.length > 0) && (
            <Part title="Variants">
              <VariantComparison items={results.items} />
            </Part>
          )}
          <Part title="Candidates">
            <ResultsTable
              results={results}
              at={at}
              sort={params.get('sort') ?? '-score'}
              onSort={sort => put('sort', sort)}
              chosen={chosen}
              onChoose={ids => put('people', ids.join(','))}
            />
          </Part>
          {compared.length > 1 && (
            <Part title="Side by side" id="compare">
              <ComparedAnswers
                where={where}
                at={at}
                results={results}
                people={compared}
                slug={params.get('item') ?? ''}
                onSlug={slug => put('item', slug)}
              />
            </Part>
          )}
          <Part title="Similar answers">
            <SimilarAnswers
              where={where}
              at={at}
              open={params.get('pair') ?? ''}
              onOpen={pair => put('pair', pair)}
            />
          </Part>
        </>
      )}
    </>
  )
}

function Part({ title, id, children }: { title: string; id?: string; children: ReactNode }) {
  return (
    <section className={css.part} id={id}>
      <Title order={2} fz="1.35rem" mb="sm">
        {title}
      </Title>
      {children}
    </section>
  )
}

function Notes({ results }: { results: Results }) {
  const said = [
    results.unfinished > 0 &&
      `${pluralize(results.unfinished, 'answer')} ${results.unfinished === 1 ? 'is' : 'are'} still being judged; the figures may change.`,
    results.to_review > 0 &&
      `${pluralize(results.to_review, 'text')} ${results.to_review === 1 ? 'is still to review and counts' : 'are still to review and count'} as 0 points, so the scores are not final.`,
    results.left_out > 0 && `${pluralize(results.left_out, 'older attempt')} not included.`,
  ].filter(Boolean)
  return said.length > 0 ? (
    <Text size="sm" c="dimmed" mt="sm">
      {said.join(' ')}
    </Text>
  ) : null
}

const FILES = [
  ['csv', 'Table (CSV)'],
  ['json', 'Data (JSON)'],
  ['pdf', 'Report (PDF)'],
] as const

function Bar({ where, counting, results, put }: ViewProps & { put: (name: string, value: string) => void }) {
  return (
    <div className={css.bar}>
      <SegmentedControl
        aria-label="Which attempt counts"
        value={counting.attempts}
        onChange={value => put('attempts', value === 'last' ? value : '')}
        data={[
          { value: 'best', label: 'Best attempt' },
          { value: 'last', label: 'Last attempt' },
        ]}
      />
      {results.versions.length > 1 && (
        <Select
          aria-label="Version of the plan"
          w={170}
          allowDeselect={false}
          value={String(counting.version ?? '')}
          onChange={value => put('version', value ?? '')}
          data={[
            { value: '', label: 'All versions' },
            ...results.versions.map(each => ({ value: String(each), label: `Version ${each}` })),
          ]}
        />
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" ml="auto" leftSection={<IconDownload size={16} />}>
            Download
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {FILES.map(([ending, name]) => (
            <Menu.Item key={ending} component="a" href={exportUrl(where, ending, counting)} download>
              {name}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </div>
  )
}
