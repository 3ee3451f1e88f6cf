import { keys } from "./work.js";

keys(() => false);
