"""Reads a published site as any client would: from its head by next_url to the end.

Prints one line of JSON: the forecast ids in the order in which they came, and the snapshots of the pages.
"""

import json
import sys
import urllib.parse
import urllib.request

place = sys.argv[1]
ids, snapshots = [], []
while place is not None:
    with urllib.request.urlopen(place, timeout=20) as answer:
        assert answer.headers["Content-Type"] == "application/json", answer.headers
        body = json.loads(answer.read())
    assert body["api_version"] == "v1"
    ids += [row["forecast_id"] for row in body["data"]]
    snapshots.append(body["snapshot_at"])
    following = body["pagination"]["next_url"]
    place = following and urllib.parse.urljoin(place, following)
print(json.dumps({"ids": ids, "snapshots": snapshots}))
