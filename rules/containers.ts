/** Rules about containers and virtual machines of this machine: their data, and ways out of them. */

import type { Rule } from "../src/types.ts";
import type { Word } from "../src/shell/model.ts";
import type { OptionSpec } from "./options.ts";
import { type Clients, type Form, type FormCommand, formRule } from "./shared/forms.ts";

const engine: OptionSpec = {
  values: [
    "-H",
    "--host",
    "-c",
    "--context",
    "--config",
    "-l",
    "--log-level",
    "--tlscacert",
    "--tlscert",
    "--tlskey",
    "--filter",
    "--url",
    "--connection",
    "--namespace",
  ],
};

const compose: OptionSpec = {
  values: [
    "-H",
    "--host",
    "-c",
    "--context",
    "--config",
    "-l",
    "--log-level",
    "-f",
    "--file",
    "-p",
    "--project-name",
    "--project-directory",
    "--env-file",
    "--profile",
    "-t",
    "--timeout",
    "--ansi",
    "--parallel",
    "--progress",
  ],
};

/** Short options mean one thing to the engine and another to its compose. */
function docker(args: readonly Word[]): OptionSpec {
  return args.slice(0, 20).some(({ text }) => text === "compose") ? compose : engine;
}

/** Options of `run` and `create` that take a value: what follows the image belongs to the program inside. */
const runValues = [
  "-v",
  "--volume",
  "--mount",
  "-e",
  "--env",
  "--env-file",
  "-p",
  "--publish",
  "--name",
  "-w",
  "--workdir",
  "-u",
  "--user",
  "--network",
  "--net",
  "--pid",
  "--ipc",
  "--uts",
  "--userns",
  "--cgroupns",
  "-h",
  "--hostname",
  "--entrypoint",
  "-l",
  "--label",
  "--cap-add",
  "--cap-drop",
  "--security-opt",
  "--device",
  "-m",
  "--memory",
  "--cpus",
  "--gpus",
  "--restart",
  "--platform",
  "--pull",
  "--add-host",
  "--dns",
  "--tmpfs",
  "--ulimit",
  "--shm-size",
  "--log-driver",
  "--log-opt",
  "--volumes-from",
  "--link",
  "--expose",
  "--group-add",
  "--cidfile",
  "--stop-signal",
  "--stop-timeout",
  "--runtime",
  "--sysctl",
  "-a",
  "--attach",
  "--ip",
  "--mac-address",
  "--health-cmd",
  "-H",
  "--host",
  "-c",
  "--context",
  "--config",
  "--log-level",
  "--annotation",
  "--cgroup-parent",
  "--oom-score-adj",
  "--isolation",
  "-f",
  "--file",
  "--project-name",
  "--project-directory",
];

const runSpec: OptionSpec = { values: runValues };

const clients: Clients = {
  docker,
  podman: docker,
  nerdctl: docker,
  finch: docker,
  "docker-compose": compose,
  "podman-compose": compose,
  minikube: { values: ["-p", "--profile", "--driver", "--memory", "--cpus"] },
  kind: { values: ["-n", "--name", "--kubeconfig", "-v"] },
  k3d: { values: ["-c", "--config"] },
  colima: { values: ["-p", "--profile"] },
};

const engines = "docker podman nerdctl finch";
const composes = "docker-compose podman-compose";

/** True for a removal of whatever another command lists. */
function removesListed({ operands, invocation }: FormCommand): boolean {
  return operands.some(listsAll) || (invocation.moreArguments && invocation.via.includes("xargs"));
}

/** `$(docker ps -aq)`: everything there is. */
function listsAll(word: Word): boolean {
  return word.pieces.some((piece) =>
    piece.kind === "unknown" &&
    piece.invocations?.some((one) =>
        /^(?:docker|podman|nerdctl|finch)$/.test(one.program) &&
        one.args.some(({ text }) => /^(?:ps|ls|list|images)$/.test(text)) &&
        !one.args.some(({ text }) => /^(?:--filter|-f)/.test(text))
      ) === true
  );
}

const loseForms: readonly Form[] = [
  {
    on: engines,
    words: "system prune",
    says: "Stopped containers, unused networks and images would be deleted, volumes as well if asked for",
  },
  { on: engines, words: "volume prune|rm|remove", says: "Volumes would be deleted with the data in them" },
  {
    on: engines,
    words: "image|container|network|builder|buildx|pod prune",
    says: "What is not in use just now would be deleted",
  },
  { on: engines, words: "system reset", says: "Everything that the engine holds would be deleted" },
  {
    on: engines,
    words: "compose down|rm",
    options: ["-v", "--volumes"],
    says: "The volumes of the project would be deleted with the data in them",
  },
  {
    on: composes,
    words: "down|rm",
    options: ["-v", "--volumes"],
    says: "The volumes of the project would be deleted with the data in them",
  },
  {
    on: engines,
    words: "rm",
    options: ["-v", "--volumes"],
    says: "Containers would be deleted with their volumes",
  },
  {
    on: engines,
    words: "container rm",
    options: ["-v", "--volumes"],
    says: "Containers would be deleted with their volumes",
  },
  { on: engines, words: "rm", options: ["-a", "--all"], says: "Every container would be deleted" },
  {
    on: engines,
    words: "rm|rmi",
    when: removesListed,
    says: "Everything that the list holds would be deleted",
  },
  {
    on: engines,
    words: "container|image rm",
    when: removesListed,
    says: "Everything that the list holds would be deleted",
  },
  { on: engines, words: "rmi", options: ["-a", "--all"], says: "Every image would be deleted" },
  {
    on: engines,
    words: "stack|service|secret|config rm|remove",
    says: "Services, secrets or settings of the swarm would be removed",
  },
  {
    on: engines,
    words: "swarm leave",
    options: ["-f", "--force"],
    says: "The swarm would be left, and its state lost",
  },
  {
    on: engines,
    words: "context rm",
    options: ["-f", "--force"],
    says: "A context would be removed though it is in use",
  },
  {
    on: "podman",
    words: "machine rm|reset",
    says: "The virtual machine would be deleted with all containers and volumes in it",
  },
  { on: "minikube", words: "delete", says: "The cluster would be deleted with the data in it" },
  { on: "kind", words: "delete cluster|clusters", says: "The cluster would be deleted with the data in it" },
  { on: "k3d", words: "cluster delete|rm", says: "The cluster would be deleted with the data in it" },
  { on: "ctlptl", words: "delete", says: "The cluster would be deleted with the data in it" },
  {
    on: "colima",
    words: "delete|prune",
    says: "The virtual machine would be deleted with all containers and volumes in it",
  },
  {
    on: "limactl lima",
    words: "delete|rm|remove|factory-reset",
    says: "The virtual machine would be deleted with its disk",
  },
  { on: "vagrant", words: "destroy", says: "The virtual machine would be destroyed with its disk" },
  { on: "vagrant", words: "snapshot delete", says: "A snapshot would be deleted" },
  { on: "multipass", words: "delete|purge", says: "The virtual machine would be deleted with its disk" },
  { on: "lxc incus", words: "delete|rm", says: "The container would be deleted with its disk" },
  {
    on: "lxc incus",
    words: "storage|project|image delete|rm",
    says: "Storage, images or projects would be deleted",
  },
  { on: "lxc-destroy", says: "The container would be deleted with its disk" },
  {
    on: "virsh",
    words: "undefine|destroy|vol-delete|pool-delete|snapshot-delete",
    says: "A machine would be switched off hard or deleted",
  },
  {
    on: "VBoxManage vboxmanage",
    words: "unregistervm|closemedium",
    options: ["--delete", "-delete", "--delete-all"],
    says: "The machine would be deleted with its disks",
  },
  { on: "prlctl", words: "delete", says: "The machine would be deleted with its disks" },
  { on: "tart", words: "delete|prune", says: "The machine would be deleted with its disk" },
  { on: "qm pct", words: "destroy", says: "The machine would be destroyed with its disks" },
  { on: "wsl", options: ["--unregister"], says: "The distribution would be deleted with everything in it" },
  { on: "remove-vm", says: "The machine would be deleted" },
];

/** Directories of the host from which a container reaches everything. */
const wholeHost =
  /^(?:\/|\/\.|\/(?:etc|root|home|usr|var|boot|proc|sys|dev|lib|var\/run|run|var\/lib|var\/lib\/docker|var\/lib\/kubelet|Users|home\/[^/:]+|Users\/[^/:]+)\/?|[A-Za-z]:[\\/]?)$/;
const sockets =
  /(?:docker|containerd|podman|crio|cri-dockerd)(?:\/podman)?\.sock$|^\/\/\.?\/pipe\/docker_engine/i;

/** Source of a mount as `-v` or `--mount` writes it. */
function mountSource(name: string, value: string): string {
  if (name === "--mount") return /(?:^|,)(?:source|src)=([^,]*)/.exec(value)?.[1] ?? "";
  return /^(?:[A-Za-z]:[\\/])?[^:]*/.exec(value)?.[0] ?? "";
}

/** Options in front of the image that take the walls down. */
function opens({ options, invocation }: FormCommand): boolean {
  const before = new Set(invocation.args.slice(0, imageIndex(invocation.args)));
  return options.some(({ name, value, word }) => {
    if (!before.has(word)) return false;
    const text = value?.text ?? "";
    switch (name) {
      case "--privileged":
        return true;
      case "--pid":
      case "--userns":
      case "--ipc":
      case "--uts":
        return text === "host" && name !== "--ipc" && name !== "--uts";
      case "--cap-add":
        return /^(?:CAP_)?(?:ALL|SYS_ADMIN|SYS_PTRACE|SYS_MODULE|DAC_READ_SEARCH|SYS_RAWIO)$/i.test(text);
      case "--security-opt":
        return /^(?:apparmor|seccomp)[=:]unconfined$/i.test(text);
      case "--device":
        return /^\/dev\/(?:sd|nvme|vd|xvd|mmcblk|disk|mem|kmem|dm-|mapper)/.test(text);
      case "-v":
      case "--volume":
      case "--mount": {
        const source = mountSource(name, text);
        return wholeHost.test(source) || sockets.test(source);
      }
    }
    return false;
  });
}

/** Index of the image among the arguments; their number when there is none. */
function imageIndex(args: readonly Word[]): number {
  let seen = 0;
  const verbs = args[0]?.text === "container" || args[0]?.text === "compose" ? 2 : 1;
  for (let at = 0; at < args.length; at++) {
    const { text } = args[at]!;
    if (text.startsWith("-") && text !== "-") {
      const cluster = /^-[a-zA-Z]+$/.test(text);
      const takesNext = cluster
        ? runValues.includes(`-${text.at(-1)}`) && !runValues.includes(text.slice(0, 2)) ||
          runValues.includes(text)
        : runValues.includes(text);
      if (takesNext) at++;
      continue;
    }
    if (seen++ === verbs) return at;
  }
  return args.length;
}

const runForms: readonly Form[] = [
  {
    on: engines,
    words: "run|create",
    when: opens,
    anywhere: true,
    says: "The container could reach and change the whole machine, or all of a home",
  },
  {
    on: engines,
    words: "container run|create",
    when: opens,
    anywhere: true,
    says: "The container could reach and change the whole machine, or all of a home",
  },
];

const runClients: Clients = { docker: runSpec, podman: runSpec, nerdctl: runSpec, finch: runSpec };

export const rules: readonly Rule[] = [
  formRule(
    {
      id: "containers/lose-data",
      title: "Deleting containers, images or volumes with what they hold",
      severity: "medium",
      decision: "ask",
      rationale:
        "Volumes and the disks of virtual machines hold databases that exist nowhere else, also those of other projects.",
      advice:
        "Stop without deleting, as in `docker compose down`, look with `docker volume ls`, and remove one named container with `docker rm web`.",
      examples: {
        match: [
          { action: "docker system prune -af --volumes" },
          { action: "docker volume rm shop_data" },
          { action: "docker compose -f dev.yml down --volumes" },
          { action: "docker-compose down -v" },
          { action: "docker rm -f $(docker ps -aq)" },
          { action: "docker ps -q | xargs docker rm -f" },
          { action: "podman volume prune" },
          { action: "docker --context production volume rm data", decision: "deny" },
          { action: "minikube delete" },
          { action: "kind delete cluster --name dev" },
          { action: "vagrant destroy -f" },
          { action: "multipass purge" },
        ],
        pass: [
          { action: "docker compose down" },
          { action: "docker compose up -d" },
          { action: "docker rm -f web" },
          { action: "docker rmi app:old" },
          { action: "docker volume ls" },
          { action: "docker run --rm -v data:/data alpine ls" },
          { action: "minikube start" },
          { action: "vagrant halt" },
        ],
      },
    },
    clients,
    loseForms,
  ),
  formRule(
    {
      id: "containers/reach-host",
      title: "Starting a container that reaches the whole machine",
      severity: "high",
      decision: "ask",
      rationale:
        "With the root of the machine, its processes or the engine's socket inside, a container is root on the machine.",
      advice:
        "Mount what is needed and nothing more, as in `docker run --rm -v ./src:/src:ro alpine ls /src`.",
      examples: {
        match: [
          { action: "docker run -v /:/host alpine ls /host" },
          { action: "docker run --rm -it --privileged alpine" },
          { action: "docker run -v /var/run/docker.sock:/var/run/docker.sock app" },
          { action: "podman run --pid=host alpine ps" },
          { action: "docker run --mount type=bind,source=/etc,target=/x alpine" },
          { action: "docker create --cap-add SYS_ADMIN alpine" },
          { action: "docker run -v $HOME:/h alpine sh" },
        ],
        pass: [
          { action: "docker run --rm -v ./src:/src node npm test" },
          { action: "docker run --rm -v ~/app:/app -v ~/.npm:/root/.npm node npm ci" },
          { action: "docker run -p 8080:80 nginx" },
          { action: "docker run --rm alpine echo --privileged" },
          { action: "docker exec -it web sh" },
          { action: "docker run --network host app" },
        ],
      },
    },
    runClients,
    runForms,
  ),
];
