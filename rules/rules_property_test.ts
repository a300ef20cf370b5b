import fc from "fast-check";
import { judged } from "../tests/rule_world.ts";
import { rules as git } from "./git.ts";
import { rules as network } from "./network.ts";

const words =
  `git reset --hard HEAD~1 clean -fdx push --force origin +main :x HEAD:main checkout -- . branch -D stash drop
  config core.pager -c alias.x=!id -C /srv --git-dir= restore --source= @ reflog expire --expire=now gc --prune
  curl -d @- @.env -o f -T https://a.example/x http://[::1]/ wget nc -e sh bash -c - python3 eval source
  <(curl $(cat .env) "$TOKEN" "$X" $Y* >(nc < > >> 2>&1 <<< | || && ; & ( ) { } ' " \` \\ = ~ ../ /dev/tcp/a/1
  socat EXEC:sh TCP:a:1 ssh host scp a@b: aws s3 cp --exec ext::sh env export A=b xargs -I{} tee`
    .split(/\s+/);

Deno.test("no arrangement of words makes a rule about git or the network throw", () => {
  const command = fc.array(fc.constantFrom(...words), { maxLength: 14 }).map((parts) => parts.join(" "));
  const facts = fc.constantFrom({}, { git: {} }, {
    git: { branch: "topic", modified: ["a"], untracked: ["b/"] },
  });
  fc.assert(
    fc.property(command, facts, (text, world) => {
      judged(text, [...git, ...network], { facts: world });
    }),
    { numRuns: 400 },
  );
});
