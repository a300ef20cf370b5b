/** Rules about frameworks and migration tools that drop or rebuild the database of a project. */

import type { Rule } from "../src/types.ts";
import { hostPlace, namesPlace, urlParts } from "./shared/production.ts";
import { type Clients, type Form, type FormCommand, formRule } from "./shared/forms.ts";

const pythons =
  "python python2 python3 python3.8 python3.9 python3.10 python3.11 python3.12 python3.13 python3.14 py pypy3";
const rails = "rails rake";

/** Calls of object mappers that delete every row. */
const emptiesModel =
  /[A-Z]\w*(?:\.all|\.unscoped)?\.(?:delete_all|destroy_all)(?![\w(])|\.objects\.all\(\)\.delete\(\)|[A-Z]\w*::(?:truncate|query\(\)->delete)\(|\bdrop_table\b|\bdrop_database\b|\bdropAllTables\(|\.truncate\(\)/;

/** The database of a test run is made anew each time. */
function notForTests(command: FormCommand): boolean {
  const all = [...command.environment];
  if (
    all.some(({ name, value }) =>
      /_ENV$|^ENV$|^ENVIRONMENT$/.test(name) && /^test(?:ing)?$/i.test(value.text)
    )
  ) return false;
  if (
    all.some(({ name, value }) =>
      name === "DJANGO_SETTINGS_MODULE" && /(?:^|[._])tests?(?:$|[._])/.test(value.text)
    )
  ) return false;
  return !command.invocation.args.some(({ text }) =>
    /^(?:--env[=:]|--environment=|--settings=|RAILS_ENV=|--connection=)?(?:test|testing|\S*[._]test|test_settings)$/
      .test(text) && /test/.test(text) && /=|^test$/.test(text)
  );
}

/** Settings of the environment that name a database on another machine. */
function isElsewhere({ environment, invocation }: FormCommand): boolean {
  const texts = [
    ...environment.filter(({ name }) => namesPlace(name)).map(({ value }) => value.text),
    ...invocation.args.map(({ text }) => text.replace(/^-{0,2}[\w.-]*=/, "").replace(/^jdbc:/, "")),
  ];
  return texts.some((text) => {
    const parts = urlParts(text);
    return parts !== undefined && hostPlace(parts.host) === "remote" && !/^https?:/.test(text);
  });
}

const forms: readonly Form[] = [
  { on: "prisma prisma2", words: "migrate reset", says: "Every table of the database would be dropped" },
  {
    on: "prisma prisma2",
    words: "db push",
    options: ["--force-reset", "--accept-data-loss"],
    says: "Tables or columns would be dropped with their data",
  },
  { on: "prisma prisma2", words: "migrate|db drop|down", says: "Tables would be dropped" },
  {
    on: rails,
    when: ({ operands }) =>
      operands.some(({ text }) =>
        /^(?:db:(?:drop|reset|purge|schema:load|structure:load|setup|truncate_all|seed:replant|migrate:reset|drop:all)(?::_?\w+)?)$/
          .test(text)
      ),
    says: "The database would be dropped or emptied",
  },
  { on: "rails", words: "destroy_all|db:drop:_unsafe", says: "The database would be dropped" },
  {
    on: `${pythons} manage.py django-admin`,
    when: ({ operands, invocation }) => {
      const own = /^(?:manage\.py|django-admin)$/.test(invocation.program)
        ? operands
        : /(?:^|\/)manage\.py$/.test(operands[0]?.text ?? "")
        ? operands.slice(1)
        : [];
      const verb = own[0]?.text ?? "";
      return /^(?:flush|reset_db|sqlflush_apply|drop_test_database|reset_schema|delete_all)$/.test(verb) ||
        (verb === "migrate" && own.some(({ text }) => text === "zero"));
    },
    says: "Every row or table of the database would be deleted",
  },
  {
    on: `${pythons} rails manage.py django-admin php artisan flask console`,
    when: ({ operands, invocation }) =>
      operands.slice(0, 3).some(({ text }) => /^(?:runner|r|shell|shell_plus|tinker|console)$/.test(text)) &&
      [...invocation.args, ...(invocation.stdin === undefined ? [] : [invocation.stdin])].some(({ text }) =>
        emptiesModel.test(text.slice(0, 20_000))
      ),
    says: "Every row of a table would be deleted",
  },
  {
    on: "sequelize sequelize-cli",
    words: "db:drop|db:migrate:undo:all",
    says: "The database would be dropped",
  },
  {
    on: "typeorm typeorm-ts-node-commonjs typeorm-ts-node-esm",
    words: "schema:drop",
    says: "Every table of the database would be dropped",
  },
  {
    on: "knex",
    words: "migrate:rollback",
    options: ["--all"],
    says: "Every migration would be undone, with the data in its tables",
  },
  {
    on: "mikro-orm",
    words: "schema:drop|schema:fresh|migration:fresh|database:drop",
    says: "Every table of the database would be dropped",
  },
  { on: "drizzle-kit", words: "drop", anywhere: true, says: "A migration would be removed from the project" },
  {
    on: "drizzle-kit",
    words: "push|push:*",
    options: ["--force"],
    says: "Columns or tables would be dropped without a question",
  },
  {
    on: "alembic",
    words: "downgrade base",
    says: "Every migration would be undone, with the data in its tables",
  },
  {
    on: "flask",
    words: "db downgrade base",
    says: "Every migration would be undone, with the data in its tables",
  },
  { on: "aerich", words: "downgrade", says: "Migrations would be undone, with the data in their tables" },
  { on: "flyway", words: "clean", says: "Every object of the schema would be dropped" },
  { on: "liquibase", words: "drop-all|dropAll", says: "Every object of the schema would be dropped" },
  { on: "dbmate", words: "drop", says: "The database would be dropped" },
  { on: "migrate", words: "drop", says: "Everything in the database would be dropped" },
  {
    on: "migrate",
    words: "down",
    when: ({ operands, has }) => operands.length === 1 && has("-database", "-path", "-source"),
    says: "Every migration would be undone",
  },
  {
    on: "goose",
    when: ({ operands }) => operands.some(({ text }) => text === "reset"),
    says: "Every migration would be undone",
  },
  { on: "diesel", words: "database reset|drop", says: "The database would be dropped" },
  { on: "sqlx", words: "database|db drop|reset", says: "The database would be dropped" },
  {
    on: "sea-orm-cli sea",
    words: "migrate fresh|reset",
    says: "Every table of the database would be dropped",
  },
  {
    on: "php artisan sail",
    when: ({ operands, invocation }) => {
      const own = invocation.program === "artisan"
        ? operands
        : /(?:^|\/)artisan$/.test(operands[0]?.text ?? "")
        ? operands.slice(1)
        : [];
      return /^(?:migrate:(?:fresh|reset|refresh)|db:wipe)$/.test(own[0]?.text ?? "");
    },
    says: "Every table of the database would be dropped",
  },
  {
    on: "php console",
    when: ({ operands, invocation }) => {
      const own = invocation.program === "console"
        ? operands
        : /(?:^|\/)console$/.test(operands[0]?.text ?? "")
        ? operands.slice(1)
        : [];
      return /^(?:doctrine:(?:database:drop|schema:drop)|d:d:d|d:s:d)$/.test(own[0]?.text ?? "");
    },
    says: "The database would be dropped",
  },
  { on: "mix", words: "ecto.drop|ecto.reset", says: "The database would be dropped" },
  { on: "dotnet", words: "ef database drop", says: "The database would be dropped" },
  { on: "dotnet-ef", words: "database drop", says: "The database would be dropped" },
  { on: "drop-database remove-database", says: "The database would be dropped" },
  { on: "supabase", words: "db reset", says: "The database would be dropped and made again" },
  { on: "hasura", words: "migrate delete", says: "Migrations would be removed from the server" },
  {
    on: "medusa payload strapi directus",
    words: "migrate:fresh|migrate:reset|db:reset|database reset",
    says: "Every table would be dropped",
  },
  { on: "wp", words: "db reset|drop|clean", says: "The database of the site would be dropped" },
  {
    on: "drush",
    words: "sql-drop|sql:drop|site:install|site-install",
    says: "The database of the site would be dropped",
  },
  { on: "bench", words: "drop-site|reinstall", says: "The site and its database would be dropped" },
];

const spec: Clients = {
  prisma: { values: ["--schema", "--config", "--url"] },
  "django-admin": { values: ["--settings", "--database", "--pythonpath"] },
  "manage.py": { values: ["--settings", "--database", "--pythonpath"] },
  migrate: { values: ["-database", "-path", "-source"], style: "words" },
  flyway: { style: "words" },
  liquibase: {
    values: ["--url", "--username", "--password", "--changelog-file", "--changeLogFile", "--defaults-file"],
  },
  dbmate: { values: ["-u", "--url", "-e", "--env", "-d", "--migrations-dir"] },
  alembic: { values: ["-c", "--config", "-n", "--name", "-x"] },
  diesel: { values: ["--database-url", "--migration-dir"] },
  sqlx: { values: ["-D", "--database-url"] },
  knex: { values: ["--env", "--knexfile", "--cwd"] },
  supabase: { values: ["--workdir", "--db-url", "--profile", "--version"] },
  wp: { attached: ["--path", "--url"] },
};

const resetForms: readonly Form[] = forms.map((form): Form => ({
  ...form,
  when: (command) =>
    (form.when === undefined || form.when(command)) && notForTests(command) && !isElsewhere(command) &&
    !command.has("--linked", "--remote"),
}));

const elsewhereForms: readonly Form[] = forms.map((form): Form => ({
  ...form,
  decision: "deny",
  when: (command) =>
    (form.when === undefined || form.when(command)) &&
    (isElsewhere(command) || command.has("--linked", "--remote")),
}));

export const rules: readonly Rule[] = [
  formRule(
    {
      id: "migrations/reset-database",
      title: "Dropping or rebuilding the project's database",
      severity: "high",
      decision: "ask",
      rationale:
        "Development databases hold work that exists nowhere else, and a setting decides whether it is one.",
      advice:
        "Add a migration instead, see what is pending with `npx prisma migrate status`, or reset a database for tests, as in `RAILS_ENV=test bin/rails db:reset`.",
      examples: {
        match: [
          { action: "npx prisma migrate reset --force" },
          { action: "yarn prisma migrate reset" },
          { action: "npx -y prisma@5 migrate reset" },
          { action: "pnpm exec prisma db push --accept-data-loss" },
          { action: "bundle exec rake db:drop db:create" },
          { action: "bin/rails db:schema:load" },
          { action: "RAILS_ENV=production bin/rails db:drop", decision: "deny" },
          { action: "export NODE_ENV=production; npx sequelize-cli db:drop", decision: "deny" },
          {
            action: "DATABASE_URL=postgres://a@ep-x.eu.neon.tech/db npx prisma migrate reset",
            decision: "deny",
          },
          { action: "python3 manage.py flush --no-input" },
          { action: "./manage.py migrate shop zero" },
          { action: "php artisan migrate:fresh --seed" },
          { action: "mix ecto.reset" },
          { action: "bin/rails runner 'User.delete_all'" },
          { action: "python manage.py shell -c 'from a.models import B; B.objects.all().delete()'" },
          { action: "dotnet ef database drop -f" },
          { action: "alembic -c db.ini downgrade base" },
          { action: "supabase db reset" },
          { action: "supabase db reset --linked", decision: "deny" },
        ],
        pass: [
          { action: "npx prisma migrate dev" },
          { action: "npx prisma db push" },
          { action: "bin/rails db:migrate" },
          { action: "RAILS_ENV=test bin/rails db:reset" },
          { action: "python manage.py migrate" },
          { action: "python manage.py test flush" },
          { action: "php artisan migrate" },
          { action: "alembic downgrade -1" },
          { action: "MIX_ENV=test mix ecto.drop" },
          { action: "npx prisma migrate reset --help" },
        ],
      },
    },
    spec,
    [...resetForms, ...elsewhereForms],
    "by-runners",
  ),
];
