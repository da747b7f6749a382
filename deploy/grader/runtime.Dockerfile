# The heavy layer of the grader image: torch, numpy, pytest. Built offline from collected wheels by
# deploy/grader-image.sh, again only when a requirement or the base image changes.
ARG BASE
FROM ${BASE} AS install
LABEL gradus.stage=install
ARG TORCH
ARG SITE
COPY wheels/ /wheels/
COPY requirements.txt trim.py patch_torch.py /
# Run from its own wheel, pip need not be installed and so cannot be left behind.
# compileall fails on files that are written for a newer Python than this one; nobody here imports those.
RUN pip="$(echo /wheels/pip-*.whl)/pip" \
 && python3 "$pip" install --quiet --no-index --find-links /wheels --no-compile --root-user-action ignore \
      --target /site -r /requirements.txt "$TORCH" \
 && python3 /trim.py packages /site \
 && python3 /patch_torch.py /site/torch \
 && echo /opt/gradus > /site/gradus.pth \
 && chmod -R u=rwX,go=rX /site \
 && { python3 -m compileall -q -j 0 --invalidation-mode unchecked-hash -s /site -p "$SITE" /site || true; }

FROM ${BASE}
LABEL gradus.stage=runtime
ARG SITE
COPY trim.py /tmp/trim.py
RUN python3 /tmp/trim.py interpreter && rm /tmp/trim.py
COPY --from=install /site ${SITE}
ENV PYTHONPATH=/opt/gradus PYTHONDONTWRITEBYTECODE=1
WORKDIR /
