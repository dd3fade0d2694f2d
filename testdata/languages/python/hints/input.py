class Client:
    def get(self) -> Response:
        return self.session.get()


client = Client()
remote = pkg.Client()
alias = client
deep = client.session.adapter
fallback = given or Client()
typed: Client = make()
casted = cast(Client, thing)
chosen = Client() if flag else None


async def run(c: Client, o: Optional[pkg.Client], u: "Client | None", items: list[Item]):
    response = await c.get()
    plain = c.get()
    for item in items:
        item.go()
    for part in c.parts():
        part.go()
    with c.open() as session:
        session.go()
    value = None
    value = Client()
    return [i.name for i in items]
