"""What an older MemoryClient is told, as JSON: run by its own Python with a URL and a key."""

import json
import sys
import time

from mem0 import MemoryClient


def rows(told: object) -> list:
    """The memories in an answer: a list, or an object with one."""
    return told if isinstance(told, list) else told["results"]


client = MemoryClient(api_key=sys.argv[2], host=sys.argv[1])
user = sys.argv[3]
said = [{"role": "user", "content": "I am allergic to peanuts and live in Rome."}]
found = {"added": client.add(said, user_id=user)}
for _ in range(100):
    if rows(client.get_all(user_id=user)):
        break
    time.sleep(0.1)
kept = client.add("My dog is called Pluto.", user_id=user, infer=False)
known = rows(kept)[0]["id"]
filters = {"AND": [{"user_id": user}]}
found["searched"] = [one["memory"] for one in rows(client.search("dog", user_id=user))]
found["filtered"] = [
    one["memory"] for one in rows(client.search("dog", version="v2", filters=filters))
]
found["all"] = len(rows(client.get_all(user_id=user)))
found["paged"] = client.get_all(version="v2", filters=filters, page=1, page_size=1)["count"]
client.update(known, text="My dog is called Goofy.")
found["got"] = client.get(known)["memory"]
found["history"] = [one["event"] for one in client.history(known)]
client.batch_update([{"memory_id": known, "text": "My cat is called Tom."}])
found["batch"] = client.get(known)["memory"]
found["users"] = user in [one["name"] for one in client.users()["results"]]
client.batch_delete([{"memory_id": known}])
found["left"] = len(rows(client.get_all(user_id=user)))
client.delete_all(user_id=user)
client.delete_users(user_id=user)
found["gone"] = rows(client.get_all(user_id=user))
json.dump(found, sys.stdout)
