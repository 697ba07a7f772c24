// engraphy: memory for OpenCode. Written by `engraphy install opencode`, removed by
// `engraphy uninstall opencode`. It only hands events to `engraphy hook`, and never fails OpenCode.
import { spawn } from "node:child_process";

const PROGRAM = "{engraphy}";
const LONGEST_MS = 10000;

const run = (event, payload) =>
  new Promise((resolve) => {
    try {
      const child = spawn(PROGRAM[0], [...PROGRAM.slice(1), "hook", "opencode", event], {
        stdio: ["pipe", "pipe", "ignore"],
      });
      const timer = setTimeout(() => child.kill(), LONGEST_MS);
      let said = "";
      child.stdout.on("data", (part) => (said += part));
      child.on("error", () => {
        clearTimeout(timer);
        resolve("");
      });
      child.on("close", () => {
        clearTimeout(timer);
        try {
          resolve(JSON.parse(said)?.hookSpecificOutput?.additionalContext ?? "");
        } catch {
          resolve("");
        }
      });
      child.stdin.on("error", () => {});
      child.stdin.end(JSON.stringify({ hook_event_name: event, ...payload }));
    } catch {
      resolve("");
    }
  });

export const Engraphy = async ({ client, directory, worktree }) => {
  const cwd = directory ?? worktree;
  const given = new Map(); // session -> what its prompts carry
  const begun = new Map(); // session -> what its start gave
  const roles = new Map(); // message -> who wrote it
  const answers = new Map(); // session -> the agent's last text
  const helpers = new Map(); // session -> whether an agent began it: its prompts are nobody's words
  const isHelper = async (session) => {
    if (!helpers.has(session)) {
      const found = await client?.session?.get({ path: { id: session } }).catch(() => undefined);
      helpers.set(session, Boolean(found?.data?.parentID));
    }
    return helpers.get(session);
  };
  const about = (session, more) => ({ session_id: session, cwd, ...more });
  return {
    "chat.message": async (input, output) => {
      const session = input.sessionID ?? output.message?.sessionID;
      const parts = (output.parts ?? []).filter((one) => one.type === "text" && !one.synthetic);
      const prompt = parts.map((one) => one.text).join("\n");
      if (!session || !prompt.trim() || (await isHelper(session))) return;
      if (!begun.has(session)) {
        begun.set(session, await run("SessionStart", about(session, { source: "startup" })));
      }
      const found = await run("UserPromptSubmit", about(session, { prompt }));
      given.set(session, [begun.get(session), found].filter(Boolean));
    },
    "experimental.chat.system.transform": async (input, output) => {
      output.system.push(...(given.get(input.sessionID) ?? []));
    },
    "experimental.session.compacting": async (input, output) => {
      await run("PreCompact", about(input.sessionID, { trigger: "auto" }));
      output.context.push(...(given.get(input.sessionID) ?? []));
    },
    "tool.execute.after": async (input, output) => {
      await run(
        "PostToolUse",
        about(input.sessionID, {
          tool_name: input.tool,
          tool_input: input.args ?? output.metadata ?? {},
          tool_response: String(output.output ?? ""),
          tool_use_id: input.callID,
        }),
      );
    },
    event: async ({ event }) => {
      const said = event.properties ?? {};
      if (event.type === "session.created") helpers.set(said.info?.id, Boolean(said.info?.parentID));
      if (event.type === "message.updated") roles.set(said.info?.id, said.info?.role);
      if (event.type === "message.part.updated" && said.part?.type === "text") {
        const by = roles.get(said.part.messageID);
        if (by === "assistant") answers.set(said.part.sessionID, said.part.text);
      }
      if (event.type === "session.idle" && begun.has(said.sessionID)) {
        const last_assistant_message = answers.get(said.sessionID) ?? "";
        await run("Stop", about(said.sessionID, { last_assistant_message }));
      }
      if (event.type === "session.deleted" && begun.has(said.info?.id)) {
        await run("SessionEnd", about(said.info.id, { reason: "other" }));
      }
    },
  };
};
