// edit.js - what a person changes: memories and decisions are edited, pinned and forgotten here.

import { button, h, toast } from "./page.js";
import { tell } from "./worker.js";

// A form in a dialog: fields are {name, label, value, rows, type}; save(values) may throw.
function formDialog(app, title, fields, save, action = "Save") {
  const wrong = h("p", { class: "wrong", id: "edit-wrong", role: "alert" });
  const inputs = fields.map(({ name, value = "", rows, type = "text" }) => rows
    ? h("textarea", { id: `edit-${name}`, rows, value, "aria-describedby": "edit-wrong" })
    : h("input", { id: `edit-${name}`, type, value, autocomplete: "off", "aria-describedby": "edit-wrong" }));
  const submit = async (event) => {
    event?.preventDefault();
    wrong.textContent = "";
    try {
      await save(Object.fromEntries(fields.map(({ name }, i) => [name, inputs[i].value.trim()])));
      dialog.close();
    } catch (error) { wrong.textContent = error.message; inputs[0].focus(); }
  };
  const dialog = app.dialog(title, h("form", { class: "form", onsubmit: submit, onkeydown: (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) submit(event);
  } },
  fields.map(({ name, label }, i) => [h("label", { for: `edit-${name}` }, label), inputs[i]]), wrong,
  h("div", { class: "dialog-actions" }, button("Cancel", { onclick: () => dialog.close() }),
    h("button", { type: "submit", class: "button primary" }, h("span", {}, action)))));
  inputs[0].focus();
}

// What can be done with a saved memory; an observation of a session is as it was seen.
export function entryActions(app, record) {
  if (record.kind !== "observation") return null;
  const { row } = record;
  const isPinned = row.metadata?.pinned === true;
  const id = row.id;
  const after = (text, action) => { toast(text, "", action); app.view?.refresh(); };
  const pin = async () => {
    try {
      await tell("/api/entries/pin", { id, pinned: !isPinned });
      after(isPinned ? `#${id} is no longer pinned.` : `#${id} is pinned.`);
    } catch (error) { toast(error.message, "bad"); }
  };
  const edit = () => formDialog(app, `Edit #${id}`, [
    { name: "title", label: "Title", value: row.title ?? "" },
    { name: "text", label: "Text", value: row.text || row.narrative || "", rows: 9 }],
  async ({ title, text }) => {
    // What is changed is a new entry that takes the place of this one.
    const changed = await tell("/api/entries/edit", { id, title, text });
    if (changed.id !== undefined && changed.id !== id) app.set({ id: String(changed.id) }, { replace: true });
    after(changed.unchanged ? "Nothing was different." : `Saved as #${changed.id}, in place of #${id}.`);
  });
  const forget = async () => {
    if (!await app.confirm(`Forget #${id}?`, `“${record.title}” is deleted, with its vectors. No agent finds it any more.`, "Forget")) return;
    try {
      await tell("/api/entries/forget", { id });
      app.set({ id: "" }, { replace: true });
      // What a person wrote can be saved again; under a number of its own.
      after(`#${id} is forgotten.`, record.isManual && { label: "Undo", run: async () => {
        try {
          const saved = await tell("/api/memory/save", { title: row.title || undefined, text: row.text, project: record.project || undefined });
          after(`Saved again as #${saved.id}.`);
        } catch (error) { toast(error.message, "bad"); }
      } });
    } catch (error) { toast(error.message, "bad"); }
  };
  return h("div", { class: "actions" },
    button(isPinned ? "Unpin" : "Pin", { image: "pin", onclick: pin }),
    record.isManual && button("Edit", { image: "change", onclick: edit }),
    button("Forget", { image: "forget", onclick: forget }));
}

// A decision is changed by who knows the secret of the worker; it is asked for once.
let secret = "";
const SECRET = { name: "secret", label: "Secret (AGENT_MEMORY_SECRET of the worker)", type: "password" };

export function decisionActions(app, decision) {
  if (!["active", "accepted"].includes(decision.status)) return null;
  const act = (what, fields, done) => async (values) => {
    const given = values.secret || secret;
    const body = Object.fromEntries(fields.map((name) => [name, values[name]]));
    await tell(`/api/decisions/${what}`, { id: decision.id, ...body }, given ? { Authorization: `Bearer ${given}` } : {});
    secret = given;
    toast(done);
    app.view?.refresh();
  };
  const asked = () => secret ? [] : [SECRET];
  const edit = () => formDialog(app, "Edit this decision", [
    { name: "title", label: "Title", value: decision.title },
    { name: "rationale", label: "Why", value: decision.rationale ?? "", rows: 8 }, ...asked()],
  act("edit", ["title", "rationale"], "The decision is changed: a new one takes the place of this one."));
  const deprecate = () => formDialog(app, "Deprecate this decision", [
    { name: "reason", label: "Why it no longer holds", rows: 4 }, ...asked()],
  act("deprecate", ["reason"], "The decision is deprecated."), "Deprecate");
  return h("div", { class: "actions" },
    button("Edit", { image: "change", onclick: edit }), button("Deprecate", { image: "forget", onclick: deprecate }));
}
