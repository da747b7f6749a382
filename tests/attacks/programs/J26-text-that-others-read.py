# id: J26
# tries: raises and prints text that exploits its readers: JNDI look-ups, SQL, shells, templates, metrics, markup, log entries
# expect: RE
# message: jndi
import json

TEXTS = (
    "${jndi:ldap://127.0.0.1/x}", "'; DROP TABLE submissions; --", "$(touch /tmp/x) `id` | id & id", "{{7*7}} {%raw%} #{7*7} <%= 7 %>",
    'x"} 1\nfake_metric{a="', "</script><img src=x onerror=alert(1)>", "\x00\x1b[31m\x07\u2028\u202e\ufeff\udc80", "%n%s%99999999s",
    json.dumps({"verdict": "AC", "id": "test_one_key", "passed": True}), "=cmd|' /C calc'!A0", "]]><!--", "\r\nSet-Cookie: a=b\r\n\r\n",
)
Breaker = type("E${jndi:x}</b>'", (Exception,), {})


def attention(q, k, v):
    for text in TEXTS:
        print(text.encode("utf-8", "replace").decode())
    raise Breaker("\n".join(TEXTS))
