import { score } from "./slider.js";
import { draft, finish, given, keys, onNext, ready } from "./work.js";

const begin = given()?.score ?? null;
const slider = score(begin, (moving) => {
  ready(true);
  if (!moving) draft({ score: slider.value });
});
ready(begin !== null);
slider.focus();
keys((key) => slider.key(key));
onNext(() => {
  slider.stop();
  finish({ score: slider.value });
});
