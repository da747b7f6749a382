/** A challenge as a Jupyter notebook (nbformat 4.5), to work on it offline. */
import type { Schemas } from '@/api/client'

type Found = Pick<Schemas['ChallengeView'], 'slug' | 'title' | 'statement' | 'given' | 'samples'>

/**
 * Returns the notebook's JSON: the statement, a cell that writes given.py if the challenge has one, a cell with the answer that
 * can also submit it, and the sample tests.
 */
export function notebook(challenge: Found, answer: string, site: string): string {
  const { slug, title } = challenge
  const samples = challenge.samples.map(({ source }) => `\`\`\`python\n${source.trim()}\n\`\`\``)
  const texts: [kind: 'markdown' | 'code', text: string][] = [
    ['markdown', `# ${title}\n\n${site}/challenges/${slug}\n\n${challenge.statement.trim()}`],
    [
      'markdown',
      `To submit from here, install the terminal client and run \`gradus login ${site}\` once. The cell below then runs your answer here and submits it. Without the client, remove its first line and the cell with \`%load_ext\`.`,
    ],
    ['code', '%load_ext gradus'],
    ...(challenge.given
      ? [['code', `%%writefile given.py\n${challenge.given.trim()}\n`] as ['code', string]]
      : []),
    ['code', `%%gradus ${slug} --submit\n${answer.trim()}\n`],
    ...(samples.length
      ? [['markdown', `## Sample tests\n\n${samples.join('\n\n')}`] as ['markdown', string]]
      : []),
  ]
  const cells = texts.map(([kind, text], index) => ({
    cell_type: kind,
    id: `cell-${index}`,
    metadata: {},
    source: text,
    ...(kind === 'code' && { execution_count: null, outputs: [] }),
  }))
  const kernelspec = { display_name: 'Python 3', language: 'python', name: 'python3' }
  return JSON.stringify({ cells, metadata: { kernelspec }, nbformat: 4, nbformat_minor: 5 }, null, 1)
}
