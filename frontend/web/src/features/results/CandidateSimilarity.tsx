import { Anchor, Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { formatOptionalDateTime, formatPercent, pluralize } from '@/shared/format/numbers'
import { ErrorMessage, Loaded } from '@/shared/ui/QueryStates'
import css from './Results.module.css'
import { candidateSimilarity, type Pair, type Similarity, useCompareAnswers, type Where } from './requests'

interface Props {
  where: Where
  participationId: string
}

/**
 * What the latest comparison found about one candidate: others' answers, and the catalogue's accepted answers and editorials,
 * that share code with theirs.
 */
export function CandidateSimilarity({ where, participationId }: Props) {
  const query = useQuery(candidateSimilarity(where, participationId))
  return (
    <Loaded query={query}>
      {found => <Found where={where} participationId={participationId} found={found} />}
    </Loaded>
  )
}

function Found({ where, participationId, found }: Props & { found: Similarity }) {
  const compare = useCompareAnswers(where)
  const pairs = found.pairs.map(pair => seenFrom(pair, participationId))
  return (
    <>
      <Text size="sm" role="status">
        {summary(found)}{' '}
        {!found.fresh && (
          <Button
            size="compact-xs"
            variant="default"
            loading={compare.isPending}
            onClick={() => compare.mutate()}
          >
            {found.made_at ? 'Compare again' : 'Compare the answers'}
          </Button>
        )}
      </Text>
      {compare.error && <ErrorMessage error={compare.error} />}
      {pairs.length > 0 && (
        <ul className={css.alike}>
          {pairs.map(({ id, title, own, other, differ }) => (
            <li key={id}>
              <Anchor
                component={Link}
                inherit
                to={`/teams/${where.teamId}/assessments/${where.assessmentId}/results?pair=${id}`}
              >
                <b>{formatPercent(own.share)}</b> of the answer to “{title}”
              </Anchor>{' '}
              is also in: {other.name}
              {other.elsewhere && `, in ${other.elsewhere}`}
              {differ && ', to another variant of the challenge'}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** The pair with the candidate's own side and the other one. */
function seenFrom({ id, title, left, right, variants_differ: differ }: Pair, participationId: string) {
  return left.participation_id === participationId
    ? { id, title, own: left, other: right, differ }
    : { id, title, own: right, other: left, differ }
}

function summary({ made_at, fresh, pairs, threshold }: Similarity): string {
  if (!made_at) return 'The answers of this assessment have not been compared yet.'
  const when = `Compared with others and with the catalogue on ${formatOptionalDateTime(made_at)}.`
  const changed = fresh ? '' : ' Answers have changed since then.'
  if (pairs.length === 0)
    return `No answer shares ${formatPercent(threshold)} or more of its code with another one. ${when}${changed}`
  return `${pluralize(pairs.length, 'similar answer')}. ${when}${changed} Similarity alone is not evidence of copying.`
}
