/** Rules about Kubernetes and what is deployed to it. */

import type { Rule } from "../src/types.ts";
import type { OptionSpec } from "./options.ts";
import { type Clients, type Form, type FormCommand, formRule } from "./shared/forms.ts";

const kubectl: OptionSpec = {
  values: [
    "-n",
    "--namespace",
    "--context",
    "--kubeconfig",
    "--cluster",
    "--user",
    "-s",
    "--server",
    "--token",
    "--as",
    "--as-group",
    "-f",
    "--filename",
    "-k",
    "--kustomize",
    "-l",
    "--selector",
    "--field-selector",
    "--grace-period",
    "--timeout",
    "-o",
    "--output",
    "--replicas",
    "--current-replicas",
    "-c",
    "--container",
    "-v",
    "--request-timeout",
    "-p",
    "--patch",
    "--type",
    "--raw",
    "--pod-selector",
    "--from",
    "--clusterrole",
    "--serviceaccount",
    "--group",
  ],
  attached: ["--dry-run", "--cascade"],
};

const helm: OptionSpec = {
  values: [
    "-n",
    "--namespace",
    "--kube-context",
    "--kubeconfig",
    "-f",
    "--values",
    "--set",
    "--set-string",
    "--set-file",
    "--version",
    "--timeout",
    "--description",
    "--history-max",
  ],
};

const clients: Clients = {
  kubectl,
  oc: kubectl,
  kubecolor: kubectl,
  helm,
  helm3: helm,
  helmfile: {
    values: [
      "-f",
      "--file",
      "-e",
      "--environment",
      "-l",
      "--selector",
      "--kube-context",
      "-n",
      "--namespace",
    ],
  },
  argocd: {
    values: [
      "--server",
      "--grpc-web-root-path",
      "--auth-token",
      "--config",
      "-p",
      "--propagation-policy",
      "-N",
      "--app-namespace",
    ],
  },
  flux: { values: ["-n", "--namespace", "--context", "--kubeconfig"] },
  velero: { values: ["-n", "--namespace", "--kubecontext", "--kubeconfig"] },
};

const kube = "kubectl oc kubecolor";

/** Things that a controller makes again. */
const recreated =
  /^(?:pods?|po|jobs?(?:\.batch)?|rs|replicasets?(?:\.apps)?|events?|ev|endpoints?|ep|leases?)$/;
const namespaces = /^(?:ns|namespaces?|projects?)$/;

/** The operands of `kubectl delete`: kinds and names, with `kind/name` taken apart. */
function deleted(
  { operands }: FormCommand,
): { readonly kinds: readonly string[]; readonly names: readonly string[] } {
  const at = operands.findIndex((word) => word.text === "delete");
  const rest = operands.slice(at + 1).map((word) => word.text);
  if (rest[0]?.includes("/")) {
    return {
      kinds: rest.map((text) => text.split("/")[0]!),
      names: rest.map((text) => text.split("/")[1] ?? ""),
    };
  }
  return { kinds: rest[0]?.split(",") ?? [], names: rest.slice(1) };
}

function isBulk(command: FormCommand): boolean {
  return command.has(
    "--all",
    "-l",
    "--selector",
    "--field-selector",
    "-A",
    "--all-namespaces",
    "-f",
    "--filename",
    "-k",
    "--kustomize",
  ) ||
    command.invocation.moreArguments;
}

/** A pod or job that is named comes back by itself. */
function comesBack(command: FormCommand): boolean {
  const { kinds, names } = deleted(command);
  return kinds.length > 0 && kinds.every((kind) => recreated.test(kind.toLowerCase())) &&
    names.length === 1 && !isBulk(command) &&
    command.invocation.args.every((word) => word.isStatic) && !command.production;
}

/** A pod by name, whatever the context: it is what one does to restart it. */
function isPod(command: FormCommand): boolean {
  const { kinds, names } = deleted(command);
  return kinds.length === 1 && recreated.test(kinds[0]!.toLowerCase()) && names.length >= 1 &&
    !isBulk(command);
}

function hasNoReplicas(command: FormCommand): boolean {
  return command.options.some((option) =>
    option.name === "--replicas" && /^0+$/.test(option.value?.text ?? "")
  );
}

const forms: readonly Form[] = [
  {
    on: kube,
    words: "delete",
    decision: "deny",
    when: (command) =>
      deleted(command).kinds.some((kind) => namespaces.test(kind.toLowerCase())) && command.has("--all"),
    says: "Every namespace of the cluster would be deleted",
  },
  {
    on: kube,
    words: "delete",
    decision: "deny",
    when: (command) =>
      deleted(command).kinds.some((kind) => namespaces.test(kind.toLowerCase())) &&
      deleted(command).names.some((name) => /^kube-(?:system|public|node-lease)$/.test(name)),
    says: "A namespace that the cluster itself needs would be deleted",
  },
  {
    on: kube,
    words: "delete",
    when: (command) => isPod(command) && !comesBack(command),
    anywhere: true,
    says: "Pods or jobs would be deleted",
  },
  {
    on: kube,
    words: "delete",
    when: (command) =>
      !isPod(command) && (command.operands.length > 1 || isBulk(command) || command.has("--raw")),
    says: "Objects of the cluster would be deleted, with what belongs to them",
  },
  { on: kube, words: "drain", says: "A node would be emptied" },
  { on: kube, words: "scale|autoscale", when: hasNoReplicas, says: "A workload would be stopped" },
  {
    on: kube,
    words: "apply",
    options: ["--prune"],
    says: "Objects that the files do not name would be deleted",
  },
  { on: kube, words: "replace", options: ["--force"], says: "Objects would be deleted and made again" },
  {
    on: kube,
    words: "patch",
    when: ({ options }) =>
      options.some(({ name, value }) =>
        /^(?:-p|--patch)$/.test(name) && /finalizers/.test(value?.text ?? "")
      ),
    says: "Finalizers would be taken away, so that what they guard is left behind",
  },
  {
    on: kube,
    words: "create clusterrolebinding|rolebinding",
    when: ({ options }) =>
      options.some(({ name, value }) =>
        name === "--clusterrole" && /^(?:cluster-admin|admin)$/.test(value?.text ?? "")
      ),
    says: "An account would become administrator of the cluster",
  },
  {
    on: "oc",
    words: "adm policy add-cluster-role-to-user|add-cluster-role-to-group|add-scc-to-user",
    says: "An account would get more rights on the cluster",
  },
  {
    on: kube,
    words: "apply|create|replace",
    anywhere: true,
    when: ({ options }) =>
      options.some(({ name, value }) =>
        /^(?:-f|--filename|-k|--kustomize)$/.test(name) && /^http:\/\//i.test(value?.text ?? "")
      ),
    says: "Objects would be taken from an address that anybody on the way can change",
  },
  { on: "helm helm3", words: "uninstall|delete|del|un", says: "A release and what it runs would be removed" },
  { on: "helmfile", words: "destroy|delete", says: "Every release of the file would be removed" },
  {
    on: "argocd",
    words: "app|proj|cluster|repo|appset delete|rm|remove",
    unasked: ["-y", "--yes"],
    says: "An application or cluster would be removed, with what it runs",
  },
  {
    on: "argocd",
    words: "app sync",
    options: ["--prune", "--force"],
    says: "Objects that are not in the repository would be deleted",
  },
  {
    on: "flux",
    words: "uninstall",
    unasked: ["-s", "--silent"],
    says: "Flux would be removed from the cluster",
  },
  {
    on: "flux",
    words: "delete",
    unasked: ["-s", "--silent"],
    says: "A source or deployment would be removed",
  },
  {
    on: "velero",
    words: "backup|restore|schedule delete",
    unasked: ["--confirm"],
    says: "Backups would be deleted",
  },
  {
    on: "istioctl linkerd cilium",
    words: "uninstall|uninject",
    says: "The network of the cluster would be taken apart",
  },
  { on: "istioctl", words: "x uninstall", says: "The network of the cluster would be taken apart" },
  { on: "skaffold", words: "delete", says: "What was deployed would be removed" },
  {
    on: "kubeadm",
    words: "reset",
    unasked: ["-f", "--force"],
    says: "The node would leave its cluster and lose its state",
  },
  { on: "kustomize", words: "delete", says: "Objects would be deleted" },
  { on: "rancher", words: "delete|rm", says: "Objects of the cluster would be deleted" },
  {
    on: "eksctl",
    words: "delete cluster|nodegroup|fargateprofile|iamserviceaccount",
    says: "A cluster or its nodes would be deleted",
  },
  {
    on: "kops",
    words: "delete",
    options: ["--yes"],
    decision: "deny",
    says: "A cluster would be deleted without a question",
  },
];

/** Options after which kubectl shows secrets as they are. */
const secretForms: readonly Form[] = [
  {
    on: kube,
    words: "get|describe|view-secret",
    anywhere: true,
    when: ({ operands, options, invocation }) => {
      if (operands[0]?.text === "view-secret") return true;
      const kinds = operands[1]?.text ?? "";
      if (!/(?:^|,)secrets?(?:$|[,/])/i.test(kinds) || operands[0]?.text !== "get") return false;
      return options.some(({ name, value }) =>
        /^(?:-o|--output)$/.test(name) &&
        /^(?:ya?ml|json|jsonpath|go-template|template|custom-columns)/.test(value?.text ?? "")
      ) ||
        invocation.args.some(({ text }) => /^-o(?:ya?ml|json)/.test(text));
    },
    says: "Secrets of the cluster would be printed",
  },
  {
    on: kube,
    words: "config view",
    options: ["--raw"],
    anywhere: true,
    says: "Keys of the cluster would be printed",
  },
  {
    on: "helm helm3",
    words: "get values|all",
    options: ["--show-secrets"],
    anywhere: true,
    says: "Secrets of a release would be printed",
  },
];

export const rules: readonly Rule[] = [
  formRule(
    {
      id: "kubernetes/delete",
      title: "Deleting or stopping what runs in a cluster",
      severity: "high",
      decision: "ask",
      rationale:
        "Namespaces, volumes and definitions take everything below them along, for everybody who uses the cluster.",
      advice:
        "Look first with `kubectl get all -n staging`, try it with `kubectl delete -f app.yaml --dry-run=server`, and delete one named thing at a time.",
      examples: {
        match: [
          { action: "kubectl delete namespace staging" },
          { action: "kubectl delete ns --all", decision: "deny" },
          { action: "kubectl --context prod-eu delete deployment web", decision: "deny" },
          { action: "kubectl config use-context live && kubectl delete -f app.yaml", decision: "deny" },
          { action: "kubectl -n dev delete pods --all" },
          { action: "oc delete pvc/data" },
          { action: "kubectl delete crd/things.example.com" },
          { action: "kubectl drain node-1 --ignore-daemonsets" },
          { action: "kubectl scale deploy/web --replicas=0" },
          { action: "kubectl apply --prune -f k8s/ -l app=web" },
          { action: "helm uninstall web -n staging" },
          { action: "helm --kube-context production uninstall web", decision: "deny" },
          { action: "argocd app delete web --yes", decision: "deny" },
          { action: "kubectl get ns -o name | xargs kubectl delete" },
        ],
        pass: [
          { action: "kubectl get pods -n prod" },
          { action: "kubectl delete pod web-7c9" },
          { action: "kubectl delete job migrate" },
          { action: "kubectl delete ns staging --dry-run=client" },
          { action: "kubectl scale deploy/web --replicas=3" },
          { action: "kubectl apply -f k8s/" },
          { action: "kubectl rollout restart deploy/web" },
          { action: "helm upgrade --install web ./chart" },
          { action: "helm uninstall web --dry-run" },
          { action: "kubectl logs delete-worker-1" },
        ],
      },
    },
    clients,
    forms,
  ),
  formRule(
    {
      id: "kubernetes/print-secret",
      title: "Printing secrets of a cluster",
      severity: "medium",
      decision: "ask",
      rationale: "What is printed stays in the conversation and its logs; base64 hides nothing.",
      advice:
        "Name what is there, as in `kubectl get secrets -n staging`, and let programs read the values from the cluster.",
      examples: {
        match: [
          { action: "kubectl get secret db -o yaml" },
          { action: "kubectl -n prod get secret/db -o jsonpath='{.data.password}'" },
          { action: "kubectl config view --raw" },
        ],
        pass: [
          { action: "kubectl get secrets" },
          { action: "kubectl describe secret db" },
          { action: "kubectl config view" },
          { action: "kubectl get configmap db -o yaml" },
        ],
      },
    },
    clients,
    secretForms,
  ),
];
