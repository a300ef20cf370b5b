/** What scripts on a command line send to databases, and what requests delete. */

import { type Row, table } from "./judge_table.ts";

const written: Row = {
  facts: {
    files: { "/home/eva/shop/seed.py": "import sqlite3\nsqlite3.connect('a.db').execute('DELETE FROM t')\n" },
  },
};

table("statements that lose data, sent by a script", "ask", [
  `python3 -c "import sqlite3; sqlite3.connect('shop.db').execute('DELETE FROM orders')"`,
  `python3 -c "import psycopg2; c = psycopg2.connect('dbname=shop'); c.cursor().execute('drop table orders')"`,
  `python3 -c "from sqlalchemy import *; create_engine('mysql+pymysql://localhost/shop').connect().execute(text('TRUNCATE orders'))"`,
  "python3 <<'END'\nimport psycopg2\ncur = psycopg2.connect(dbname='shop').cursor()\nsql = 'DROP TABLE '\ncur.execute(sql + 'orders')\nEND",
  `python3 -c "import duckdb; duckdb.connect('w.duckdb').sql('drop table facts')"`,
  `node -e "const {Pool} = require('pg'); new Pool().query('UPDATE users SET admin = true')"`,
  `node -e "require('pg'); client.query({text: 'delete from users'})"`,
  "node -e 'const sql = require(\"postgres\")(); sql`drop schema public cascade`'",
  "node -e 'await prisma.$executeRawUnsafe(\"DROP TABLE users\")'",
  `ruby -e 'require "pg"; PG.connect(dbname: "shop").exec("DROP TABLE users")'`,
  `php -r '$db = new PDO("sqlite:shop.db"); $db->exec("DROP TABLE users");'`,
  `php -r 'mysqli_query($db, "DELETE FROM users");'`,
  `perl -MDBI -e 'DBI->connect("dbi:Pg:dbname=shop")->do("DROP TABLE users")'`,
  `rails runner 'ActiveRecord::Base.connection.execute("DROP TABLE users")'`,
  `python manage.py shell -c "from django.db import connection; connection.cursor().execute('DROP TABLE x')"`,
  `php artisan tinker --execute="DB::statement('DROP TABLE x')"`,
  `python3 -c "import redis; redis.Redis().flushall()"`,
  `node -e "require('mongodb').MongoClient.connect(u).then((c) => c.db('shop').dropDatabase())"`,
]);
table("statements that lose data elsewhere, sent by a script", "deny", [
  `python3 -c "import psycopg2; psycopg2.connect('postgresql://a:b@db.example.com/shop').cursor().execute('DROP TABLE t')"`,
  `python3 -c "import pymysql; pymysql.connect(host='db.prod.example.com').cursor().execute('DELETE FROM t')"`,
  `node -e "new (require('pg').Client)({host: 'db.example.com'}).query('TRUNCATE t')"`,
  `DATABASE_URL=postgres://a@db.live.example.com/x node -e "new (require('pg').Pool)({connectionString: process.env.DATABASE_URL}).query('delete from t')"`,
  `php -r '$db = new PDO("mysql:host=db.example.com;dbname=shop"); $db->query("DROP TABLE t");'`,
  `python3 -c "import redis; redis.Redis(host='cache.prod.example.com').flushdb()"`,
]);
table("statements that lose nothing, and what only looks like one", "none", [
  `python3 -c "import sqlite3; print(sqlite3.connect('shop.db').execute('SELECT * FROM orders').fetchall())"`,
  `python3 -c "import sqlite3; sqlite3.connect('shop.db').execute('DELETE FROM orders WHERE id = ?', (1,))"`,
  `python3 -c "import sqlite3; sqlite3.connect(':memory:').execute('DROP TABLE t')"`,
  `python3 -c "print('DROP TABLE users')"`,
  `node -e "db.exec('CREATE TABLE IF NOT EXISTS t (id int)')"`,
  `node -e "console.log(/drop (.*)/.exec('DROP TABLE users')[1])"`,
  `node -e "runner.run('drop')"`,
  `php -r '$db->query("SELECT 1");'`,
  "rails runner 'puts User.count'",
  "rails db:migrate",
  `python manage.py shell -c "print(1)"`,
  ["python3 seed.py", written],
]);
