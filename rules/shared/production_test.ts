/** Names of production, places of hosts, and what a line sets up. */

import assert from "node:assert/strict";
import { hostPlace, namesProduction, namesTest, urlParts } from "./production.ts";

Deno.test("production is a part of a name of its own", () => {
  for (
    const name of [
      "prod",
      "db.prod.example.com",
      "eu-prd-1",
      "shopProd",
      "app_production",
      "live.example.org",
      "prod2",
    ]
  ) {
    assert.equal(namesProduction(name), true, name);
  }
  for (
    const name of [
      "product",
      "reproduce",
      "non-prod",
      "preprod",
      "pre-production",
      "delivery",
      "olive",
      "staging",
      "livereload",
    ]
  ) {
    assert.equal(namesProduction(name), false, name);
  }
});

Deno.test("hosts are here, elsewhere, or cannot be told", () => {
  for (
    const host of [
      "localhost",
      "127.0.0.1",
      "[::1]",
      "/var/run/postgresql",
      "host.docker.internal",
      "db.local",
      "",
    ]
  ) {
    assert.equal(hostPlace(host), "local", host);
  }
  for (const host of ["db.example.com", "10.1.2.3", "a.b.rds.amazonaws.com", "2001:db8::1"]) {
    assert.equal(hostPlace(host), "remote", host);
  }
  for (const host of ["db", "postgres", "$HOST"]) assert.equal(hostPlace(host), "unknown", host);
});

Deno.test("a URL gives host and path, and no credentials", () => {
  assert.deepEqual(urlParts("postgres://a:b@c@db.example.com:5432/shop?x=1"), {
    host: "db.example.com",
    path: "shop",
  });
  assert.deepEqual(urlParts("mongodb+srv://u@h.example.com/x"), { host: "h.example.com", path: "x" });
  assert.deepEqual(urlParts("postgres:///shop"), { host: "", path: "shop" });
  assert.equal(urlParts("select 'a://b'"), undefined);
});

Deno.test("databases for tests are named so", () => {
  for (const name of ["shop_test", "test_shop", "test.db", "shop-test-2", "tmp_x"]) {
    assert.equal(namesTest(name), true, name);
  }
  for (const name of ["shop", "latest", "contest", "attested", "testimonials"]) {
    assert.equal(namesTest(name), false, name);
  }
});
