// bridge.ts - runs inside the webview, before the page's scripts: requests go to the extension, and the page's
// links (#...) stay its own, where the editor would scroll to them.

/** The function as text, to be called with the page's first address and its colours. Nothing outside of it is there when it runs. */
export const bridge = String(function start(address: string, theme: string) {
  const page = globalThis as any;
  page.localStorage.setItem("codexmem.theme", theme);
  const { postMessage } = page.acquireVsCodeApi();
  page.history.replaceState(null, "", address);

  const waiting = new Map<number, (message: any) => void>();
  page.addEventListener("message", ({ data }: { data: any }) => waiting.get(data.id)?.(data));
  let last = 0;
  page.fetch = (path: string, { method, headers, body, signal }: any = {}) => new Promise((resolve, reject) => {
    const id = ++last;
    let stream: any;
    const end = (finish: () => void) => {
      waiting.delete(id);
      try { finish(); } catch { /* the reader has gone */ }
    };
    const fail = (error: Error) => end(() => { reject(error); stream?.error(error); });
    signal?.addEventListener("abort", () => {
      if (!waiting.has(id)) return;
      postMessage({ id, stop: true });
      fail(new DOMException("aborted", "AbortError"));
    }, { once: true });
    waiting.set(id, (message) => {
      if (message.failed) return fail(new TypeError(message.failed));
      if (message.end) return end(() => stream.close());
      if (message.part) return stream.enqueue(Uint8Array.from(atob(message.part), (each) => each.charCodeAt(0)));
      const bytes = new ReadableStream({ start: (controller) => { stream = controller; } });
      resolve(new Response(bytes, { status: message.status, headers: { "Content-Type": message.type ?? "" } }));
    });
    postMessage({ id, asked: { path, method, headers, body } });
  });

  page.addEventListener("click", (event: any) => {
    const link = event.composedPath().find((each: any) => each.tagName === "A");
    const target = link?.getAttribute("href") ?? "";
    if (!target) return;
    const file = /^(?:vscode(?:-insiders)?:\/\/file|file:\/\/)(\/.*?)(?::(\d+))?(?::\d+)?$/.exec(target);
    if (!file && !target.startsWith("#/")) return;
    event.preventDefault();
    event.stopPropagation();
    if (file) return postMessage({ open: `file://${file[1]}`, line: Number(file[2] ?? 1) });
    page.location.hash = target;
  }, true);
});
