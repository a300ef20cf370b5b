/** Reading SQL: what is code, what is text, and what a statement does. */

import assert from "node:assert/strict";
import { readSql, type SqlDialect } from "./sql.ts";
import { sqlHarms } from "./statements.ts";

function harms(text: string, dialect: SqlDialect = "postgres"): readonly string[] {
  return sqlHarms(text, dialect).map((harm) => harm.what);
}

const lossy: readonly (readonly [string, SqlDialect, string])[] = [
  ["drop table a", "postgres", "DROP TABLE a"],
  ['DROP TABLE IF EXISTS public."Users" CASCADE', "postgres", "DROP TABLE public.Users"],
  ["select 1; drop schema s", "postgres", "DROP SCHEMA s"],
  ["select ';'; truncate t", "postgres", "TRUNCATE t"],
  ["/* a /* b */ c */ drop database d", "postgres", "DROP DATABASE d"],
  ["select $$ ; drop table x; $$; drop table y", "postgres", "DROP TABLE y"],
  ["do $body$ begin delete from t; end $body$", "postgres", "DELETE FROM t without WHERE"],
  ["do $$ begin execute 'drop table t'; end $$", "postgres", "DROP TABLE t"],
  ["with gone as (delete from t returning *) select * from gone", "postgres", "DELETE FROM t without WHERE"],
  ["explain analyze delete from t", "postgres", "DELETE FROM t without WHERE"],
  ["delete from t where (1 = 1)", "postgres", "DELETE FROM t with a WHERE that is always true"],
  ["delete from t where id = 3 or true", "postgres", "DELETE FROM t with a WHERE that is always true"],
  ["delete from t where id is not null", "postgres", "DELETE FROM t with a WHERE that is always true"],
  ["delete from t where name like '%'", "postgres", "DELETE FROM t with a WHERE that is always true"],
  ["update t set a = (select b from c where d = 1)", "postgres", "UPDATE t without WHERE"],
  ["alter table t add x int, drop y", "postgres", "ALTER TABLE t DROP COLUMN y"],
  ["/*!50000 drop table t */", "mysql", "DROP TABLE t"],
  ["/*! drop */ /*! table t */", "mysql", "DROP TABLE t"],
  ["select 1--1; drop table t", "mysql", "DROP TABLE t"],
  ["select 'it\\'s'; drop table t", "mysql", "DROP TABLE t"],
  ['select "a;b"; drop table t', "mysql", "DROP TABLE t"],
  ["prepare s from 'drop table t'", "mysql", "DROP TABLE t"],
  ["select 1 drop table t", "tsql", "DROP TABLE t"],
  ["if object_id('t') is not null drop table t", "tsql", "DROP TABLE t"],
  ["exec('drop table t')", "tsql", "DROP TABLE t"],
  ["select [drop; table]; delete t", "tsql", "DELETE FROM t without WHERE"],
  ["alter table t delete where 1", "mysql", "ALTER TABLE t DELETE"],
];

for (const [text, dialect, what] of lossy) {
  Deno.test(`${dialect} loses: ${text}`, () => assert.deepEqual(harms(text, dialect), [what]));
}

const harmless: readonly (readonly [string, SqlDialect])[] = [
  ["select 'drop table t'", "postgres"],
  ['select "drop table t" from x', "postgres"],
  ["-- drop table t\nselect 1", "postgres"],
  ["select 1 /* ; drop table t; */", "postgres"],
  ["select $q$ drop table t; $q$", "postgres"],
  ["select e'\\'; drop table t; '", "postgres"],
  ["insert into log values ('it''s; drop table t')", "postgres"],
  ["create function f() returns void as $$ begin delete from t; end $$ language plpgsql", "postgres"],
  ["create trigger a before delete or update on t for each row execute function f()", "postgres"],
  ["select * from t for update", "postgres"],
  ["insert into t values (1) on conflict (id) do update set a = 1", "postgres"],
  ["delete from t where id = any(select id from old)", "postgres"],
  ["delete from t where 1 = 0", "postgres"],
  ["delete from t using u where t.id = u.id", "postgres"],
  ["alter table t drop constraint c, alter column a drop default", "postgres"],
  ["drop index i; drop view v; drop function f", "postgres"],
  ["create temporary table x (a int); truncate x; drop table x", "postgres"],
  ["explain delete from t", "postgres"],
  ["select truncate(1.5, 1)", "mysql"],
  ["# drop table t\nselect 1", "mysql"],
  ["insert into t values (1) on duplicate key update a = 2", "mysql"],
  ["create table a (b int references c on delete cascade on update cascade)", "tsql"],
  ["update t set a = 1 from t join u on t.i = u.i where u.b = 2", "tsql"],
];

for (const [text, dialect] of harmless) {
  Deno.test(`${dialect} loses nothing: ${text}`, () => assert.deepEqual(harms(text, dialect), []));
}

Deno.test("ways out of the database are seen", () => {
  const ways: readonly (readonly [string, SqlDialect])[] = [
    ["copy t from program 'id'", "postgres"],
    ["\\copy t to program 'cat'", "postgres"],
    ["select 1 \\g |sh", "postgres"],
    ["\\! id", "postgres"],
    [".system id", "sqlite"],
    [".output |sh", "sqlite"],
    ["select writefile('a', 'b')", "sqlite"],
    ["system id", "mysql"],
    ["select 1 into dumpfile '/tmp/a'", "mysql"],
    ["exec master..xp_cmdshell 'dir'", "tsql"],
    ["create function f() returns text as 'import os' language plpython3u", "postgres"],
  ];
  for (const [text, dialect] of ways) {
    assert.deepEqual(sqlHarms(text, dialect).map((harm) => harm.kind), ["escape"], text);
  }
});

Deno.test("statements end at semicolons outside of strings and comments only", () => {
  const { statements } = readSql("a ';' ; b -- ;\n; c", "any");
  assert.deepEqual(statements.map((tokens) => tokens[0]?.text), ["A", "B", "C"]);
});
