import { Text } from '@mantine/core'
import { Row, Section } from '../account/Section'
import css from './Connections.module.css'
import { Copy } from './Once'

const MESSAGE = `POST /gradus HTTP/1.1
Content-Type: application/json
webhook-id: 019f3c2a71b400005c0e9a7d42f1b6aa
webhook-timestamp: 1777888800
webhook-signature: v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=

{
  "type": "participation.judged",
  "timestamp": "2026-05-04T10:00:00.000Z",
  "data": {
    "team_id": "…", "assessment_id": "…",
    "invitation_id": "…", "participation_id": "…",
    "result": "https://…/api/tracking/invitations/…",
    "report": "https://…/teams/…/people/…"
  }
}`

const CHECK = `import base64, hashlib, hmac, time

def is_ours(secret: str, headers: dict[str, str], body: bytes) -> bool:
    sent = headers["webhook-timestamp"]
    if abs(time.time() - int(sent)) > 300:
        return False
    signed = f"{headers['webhook-id']}.{sent}.".encode() + body
    key = base64.b64decode(secret.removeprefix("whsec_"))
    right = base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()
    given = headers["webhook-signature"].split(" ")
    return any(hmac.compare_digest(each, f"v1,{right}") for each in given)`

const invite = (url: string) => `curl ${url}/api/tracking/assessments/$ASSESSMENT/invitations \\
  -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
  -d '{"reference": "candidate-4711", "email": "eve@example.org", "name": "Eve"}'

# where somebody stands, with scores and the page of the report
curl -H "Authorization: Bearer $TOKEN" ${url}/api/tracking/invitations/$INVITATION

# everything that happened since the last time
curl -H "Authorization: Bearer $TOKEN" "${url}/api/tracking/changes?cursor=$CURSOR"`

/** What travels, to be copied. */
export function Examples() {
  return (
    <Section id="examples" title="What travels">
      <Row
        wide
        label="A message"
        hint="Ids and links, no names and no code. Answer with 2xx within ten seconds. It may come twice: the webhook-id is the same then."
      >
        <Example text={MESSAGE} />
      </Row>
      <Row
        wide
        label="Is it ours?"
        hint="Signed as standardwebhooks.com says, so its libraries work too. In Python, without one:"
      >
        <Example text={CHECK} />
      </Row>
      <Row
        wide
        label="Inviting and reading by a program"
        hint="The same reference never invites twice, so a request may be sent again until it is answered."
      >
        <Example text={invite(location.origin)} />
        <Text size="sm" c="dimmed" mt="sm">
          All addresses and fields: <a href="/api/docs">/api/docs</a>, «Tracking».
        </Text>
      </Row>
    </Section>
  )
}

function Example({ text }: { text: string }) {
  return (
    <div>
      <pre className={css.code}>{text}</pre>
      <div className={css.copy}>
        <Copy value={text} />
      </div>
    </div>
  )
}
