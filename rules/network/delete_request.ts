/** Requests that delete: of stores and services that are administered over HTTP, and of what is on other machines. */

import type { Invocation, Word } from "../../src/shell/model.ts";
import type { Evidence, InvocationRule, Match } from "../../src/types.ts";
import { evidenceOf, shorten } from "../evidence.ts";
import { hostPlace, namesProduction, namesTest } from "../shared/production.ts";
import { addressOf } from "./addresses.ts";
import { requestOf } from "./clients.ts";

/** A request as a server sees it. */
interface Asked {
  readonly method: string;
  /** Undefined when it is not known. */
  readonly host: string | undefined;
  readonly port: string | undefined;
  /** Without the slash in front, and without a query. */
  readonly path: string;
  readonly query: string;
  readonly body: string;
}

/** What a store would lose. */
interface Loss {
  readonly what: string;
  /** Its name, where it has one. */
  readonly name?: string;
}

/** A store that is administered over HTTP. */
interface Store {
  readonly ports: readonly string[];
  readonly hosts?: RegExp;
  loss(asked: Asked): Loss | undefined;
}

const sqlLoss =
  /\b(?:drop|truncate)(?:\s|%20|\+)+(?:table|database|measurement|series)\b|\bdelete(?:\s|%20|\+)+from\b/i;

const stores: readonly Store[] = [
  {
    ports: ["9200", "9201", "9243"],
    hosts:
      /^(?:es|elastic(?:search)?|opensearch)(?:[-.\d]|$)|\.(?:es|aoss)\.amazonaws\.com$|\.(?:elastic-cloud\.com|found\.io)$/,
    loss({ method, path }) {
      if (method !== "DELETE") return undefined;
      const [first = "", second] = path.split("/");
      if (/^_(?:search|pit|async_search|tasks|sql)$/.test(first)) return undefined;
      if (first.startsWith("_") && first !== "_all") {
        return second === undefined ? undefined : { what: `${first}/${second}` };
      }
      // A document has the name of its index in front.
      return first === "" || second !== undefined ? undefined : { what: `the index ${first}`, name: first };
    },
  },
  {
    ports: ["5984", "6984"],
    loss: ({ method, path }) =>
      method === "DELETE" && /^[^/_][^/]*$/.test(path)
        ? { what: `the database ${path}`, name: path }
        : undefined,
  },
  {
    ports: ["8500", "8501"],
    loss: ({ method, path, query }) =>
      method === "DELETE" && path.startsWith("v1/kv") && /(?:^|&)recurse/.test(query)
        ? { what: "every key of a range" }
        : undefined,
  },
  {
    ports: ["2379"],
    loss: ({ method, path, query, body }) =>
      (method === "DELETE" && path.startsWith("v2/keys") && query.includes("recursive")) ||
        (path === "v3/kv/deleterange" && body.includes("range_end"))
        ? { what: "every key of a range" }
        : undefined,
  },
  {
    ports: ["8200"],
    loss: ({ method, path }) =>
      method === "DELETE" && /^v1\/(?:sys\/|[^/]+\/metadata\/)/.test(path)
        ? { what: path.slice(3) }
        : undefined,
  },
  {
    ports: ["8086", "8123", "9000"],
    loss: ({ method, path, query, body }) =>
      sqlLoss.test(query) || sqlLoss.test(body)
        ? { what: "data of the database" }
        : (method === "DELETE" && path.startsWith("api/v2/buckets/")) || path === "api/v2/delete"
        ? { what: "data of a bucket" }
        : undefined,
  },
  {
    ports: ["15672", "15671"],
    loss: ({ method, path }) =>
      method === "DELETE" && /^api\/(?:queues|vhosts|exchanges|users)\//.test(path)
        ? { what: path.slice(4) }
        : undefined,
  },
  {
    ports: ["8983"],
    loss: ({ path, query, body }) =>
      /\badmin\/(?:collections|cores)$/.test(path) && /action=(?:DELETE|UNLOAD)\b/i.test(query)
        ? { what: "a collection" }
        : /\/update\b/.test(path) && /<query>\s*\*:\*|"query"\s*:\s*"\*:\*"/.test(body)
        ? { what: "every document" }
        : undefined,
  },
  {
    ports: ["6333", "7700", "8108", "19530"],
    loss: ({ method, path }) =>
      method === "DELETE" && /^(?:collections|indexes)\/[^/]+(?:\/documents)?$/.test(path)
        ? { what: path, name: path.split("/")[1]! }
        : undefined,
  },
  {
    ports: ["6443", "8001", "16443"],
    loss: ({ method, path }) =>
      method === "DELETE" && /^apis?\//.test(path)
        ? { what: path.replace(/^apis?\/[^/]+\//, "") }
        : undefined,
  },
  {
    ports: ["2375", "2376", "docker.sock"],
    loss: ({ method, path, query }) => {
      const plain = path.replace(/^v\d+(?:\.\d+)?\//, "");
      if (method === "POST" && /^(?:volumes|images|containers|build|networks)\/prune$/.test(plain)) {
        return { what: plain };
      }
      if (method !== "DELETE") return undefined;
      if (plain.startsWith("volumes/")) return { what: `the volume ${plain.slice(8)}`, name: plain.slice(8) };
      return plain.startsWith("containers/") && /(?:^|&)v=(?:1|true)/.test(query)
        ? { what: "a container with its volumes" }
        : undefined;
    },
  },
];

/** Loss that the path alone shows, whatever listens there. */
function lossByPath({ method, path }: Asked): Loss | undefined {
  if (method === "POST" && /(?:^|\/)_delete_by_query$/.test(path)) {
    return { what: "every document that a query finds", name: path.split("/")[0]! };
  }
  if (/(?:^|\/)api\/v1\/admin\/tsdb\/delete_series$/.test(path)) return { what: "series of measurements" };
  return method === "DELETE" && /^_all$/.test(path) ? { what: "every index" } : undefined;
}

/** Whole repositories and projects. */
const projects: readonly (readonly [host: RegExp, path: RegExp])[] = [
  [/^api\.github\.com$|^github\./, /^(?:api\/v3\/)?repos\/[^/]+\/[^/]+\/?$/],
  [/(?:^|\.)gitlab\./, /^api\/v4\/(?:projects|groups)\/[^/]+\/?$/],
  [/^api\.bitbucket\.org$/, /^2\.0\/repositories\/[^/]+\/[^/]+\/?$/],
];

/** Services that are there to be tried out. */
const playgrounds =
  /(?:^|\.)(?:httpbin\.org|httpbingo\.org|postman-echo\.com|reqres\.in|jsonplaceholder\.typicode\.com)$/;

const privateNetwork = /^(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.)/;

export const deleteRequest: InvocationRule = {
  on: "invocation",
  id: "network/delete-request",
  title: "Deleting by a request to a server",
  severity: "high",
  decision: "ask",
  rationale:
    "What a server deletes is gone for everybody who uses it, and a request asks for it without the questions that the server's own client has.",
  advice:
    "Look first, as in `curl -s http://localhost:9200/_cat/indices`; try it against a test server, or let the person delete it.",
  programs: [
    "curl",
    "curlie",
    "wget",
    "wget2",
    "http",
    "https",
    "xh",
    "xhs",
    "invoke-webrequest",
    "invoke-restmethod",
    "iwr",
    "irm",
  ],
  examples: {
    match: [
      { action: "curl -X DELETE http://localhost:9200/orders" },
      { action: "curl -XDELETE 'https://search.example.com:9200/logs-*'", decision: "deny" },
      { action: "curl -X DELETE http://es:9200/_all" },
      { action: 'curl -XPOST localhost:9200/orders/_delete_by_query -d \'{"query":{"match_all":{}}}\'' },
      { action: "http DELETE localhost:5984/shop" },
      { action: "curl -s --unix-socket /var/run/docker.sock -X DELETE http://localhost/volumes/data" },
      { action: "curl -X POST 'http://localhost:8086/query' --data-urlencode 'q=DROP DATABASE metrics'" },
      { action: "curl -X DELETE https://api.example.com/v1/items/1" },
      { action: "wget --method=DELETE https://api.example.com/v1/items/1" },
      {
        action: 'curl -X DELETE -H "Authorization: token x" https://api.github.com/repos/acme/shop',
        decision: "deny",
      },
      { action: "curl -Q 'DELE old.zip' ftp://files.example.com" },
    ],
    pass: [
      { action: "curl -X DELETE http://localhost:3000/api/items/1" },
      { action: "curl -X DELETE http://api:8080/items/1" },
      { action: "curl -X DELETE http://localhost:9200/orders_test" },
      { action: "curl -X DELETE http://localhost:9200/orders/_doc/1" },
      { action: "curl -s http://localhost:9200/_cat/indices" },
      { action: "curl -X POST https://api.example.com/v1/items -d name=DELETE" },
      { action: "curl -X DELETE https://httpbin.org/delete" },
      { action: 'curl -X DELETE "$API/items/1"' },
      { action: "curl -Q 'PWD' ftp://files.example.com" },
    ],
  },
  match(invocation): Match | undefined {
    const request = requestOf(invocation);
    if (request === undefined) return undefined;
    const body = request.body.map((word) => word.text.slice(0, 4096)).join("\n");
    const method = request.method?.text.toUpperCase() ?? (body === "" ? "GET" : "POST");
    let found: Match | undefined;
    // A request can have thousands of addresses, and the evidence names all of them.
    let known: Evidence | undefined;
    const evidence = () => known ??= evidenceOf(invocation);
    for (const url of request.urls) {
      const asked = {
        ...askedOf(url),
        method,
        body,
        ...(request.socket === undefined ? {} : socketOf(request.socket)),
      };
      const match = judged(asked, invocation, evidence);
      if (match?.decision === "deny") return match;
      found ??= match;
      for (const command of request.commands ?? []) {
        const target = /^[-+*]*\s*(?:DELE|RMD|rm|rmdir)\s+(.+)$/i.exec(command.text.slice(0, 1000))?.[1];
        if (target === undefined) continue;
        found ??= {
          message: `${shorten(target, 80)} would be deleted on ${asked.host ?? "another machine"}.`,
          evidence: evidence(),
        };
      }
    }
    return found;
  },
};

function askedOf(url: Word): Omit<Asked, "method" | "body"> {
  const address = addressOf(url);
  const [path = "", query = ""] = (address?.path ?? "").split("?", 2);
  return {
    host: address?.host,
    port: /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:[^/?#@]*@)?[^/?#:]*:(\d{1,5})(?:[/?#]|$)/i.exec(
      url.text.slice(0, 4096),
    )?.[1],
    path: path.replace(/^\/+|\/+$/g, ""),
    query,
  };
}

/** A socket of a daemon on this machine. */
function socketOf(socket: Word): Pick<Asked, "host" | "port"> {
  return { host: "localhost", port: socket.text.slice(socket.text.lastIndexOf("/") + 1) };
}

function judged(asked: Asked, invocation: Invocation, evidence: () => Evidence): Match | undefined {
  const { method, host, port, path } = asked;
  const place = host === undefined ? "unknown" : privateNetwork.test(host) ? "unknown" : hostPlace(host);
  const store = stores.find(({ ports, hosts }) =>
    (port !== undefined && ports.includes(port)) || (host !== undefined && hosts?.test(host) === true)
  );
  const loss = store?.loss(asked) ?? lossByPath(asked);
  if (loss !== undefined) {
    if (loss.name !== undefined && namesTest(loss.name)) return undefined;
    const elsewhere = place === "remote" || (host !== undefined && namesProduction(host)) ||
      invocation.remote !== undefined && namesProduction(invocation.remote);
    return {
      decision: elsewhere ? "deny" : "ask",
      message: `${shorten(loss.what, 80)} would be deleted on ${host ?? "a server"}.`,
      evidence: evidence(),
    };
  }
  if (method !== "DELETE" || host === undefined || place !== "remote" || playgrounds.test(host)) {
    return undefined;
  }
  const whole = projects.some(([hosts, paths]) => hosts.test(host) && paths.test(path));
  return {
    decision: whole ? "deny" : "ask",
    message: `${
      shorten(path === "" ? "What the address stands for" : path, 80)
    } would be deleted on ${host}.`,
    evidence: evidence(),
  };
}
