"""Reads a published site as any client would: from its head by next_url to the end.

    walk_site.py ADDRESS_OF_THE_HEAD [FILE]

With a file, once more from the head that the file holds: one that a cache had. Prints a line of JSON for each walk: the
forecast ids in the order in which they came, and how many pages they were on.
"""

import json
import sys
import urllib.parse
import urllib.request


def fetched(place):
    with urllib.request.urlopen(place, timeout=20) as answer:
        assert answer.headers["Content-Type"] == "application/json", answer.headers
        return answer.read()


def walk(place, head):
    body = json.loads(head)
    newest = body["snapshot_at"]
    ids, pages = [], 1
    while True:
        assert body["api_version"] == "v1"
        assert body["snapshot_at"] <= newest, place
        assert pages == 1 or len(body["data"]) == body["pagination"]["page_size"], place
        ids += [row["forecast_id"] for row in body["data"]]
        following = body["pagination"]["next_url"]
        if following is None:
            break
        place = urllib.parse.urljoin(place, following)
        body = json.loads(fetched(place))
        pages += 1
    assert len(set(ids)) == len(ids)
    print(json.dumps({"ids": ids, "pages": pages}))


walk(sys.argv[1], fetched(sys.argv[1]))
for kept in sys.argv[2:]:
    with open(kept, "rb") as file:
        walk(sys.argv[1], file.read())
