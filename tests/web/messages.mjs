// Loaded before the scripts under test: the page's messages in English.

import { readFileSync } from "node:fs";
import { useMessages } from "../../src/taquin/web/static/page/messages.js";

const file = new URL("../../src/taquin/web/static/messages/en.json", import.meta.url);
useMessages(JSON.parse(readFileSync(file, "utf8")), "en");
