// A process that writes to a database until it is killed: store-database.test.mjs starts it.
import { writeSync } from "node:fs";
import { fileDatabase } from "../../pkg/store/node.js";

const database = fileDatabase(process.argv[2]);
const [[, start] = ["", 0]] = await database.read("", "z", { limit: 1 });
for (let number = start + 1; ; number++) {
  // All entries of a write have the same number. The old ones are removed.
  const put = Array.from({ length: 20 }, (_, index) => [`${index}`.padStart(3, "0"), number]);
  put.push(["large", new Uint8Array(20_000 + (number % 7) * 5_000)]);
  await database.write({ remove: [["", "z"]], put });
  // Buffered output would be lost when the process is killed.
  writeSync(1, `${number}\n`);
}
