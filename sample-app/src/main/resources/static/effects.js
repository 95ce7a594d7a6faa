// What comes of an experiment, in words, from its start on. Each effect looks at states or rows and has a text.

const REDIS = "shop/redis-0";

const find = (items, id) => items.find((item) => item.id === id);

/** The words that something went through, such as "live → stale → live". */
function trail(first) {
  const words = [first];
  return {
    add: (word) => word !== words.at(-1) && words.push(word),
    toString: () => words.slice(-4).join(" → "),
    isBack: () => words.length > 2 && words.at(-1) === words[0],
  };
}

const word = (item) => (item?.state ?? "gone").toLowerCase().replace("_", " ");

/** An informer that loses its watch and gets it again. */
function outage(id, others) {
  return (start) => {
    const states = trail(word(find(start.informers, id)));
    const before = find(start.informers, id)?.lists ?? 0;
    const deliveries = [];
    let lists = before;
    let other = "";
    return {
      state({ informers }) {
        states.add(word(find(informers, id)));
        lists = find(informers, id)?.lists ?? lists;
        other = others.filter((name) => find(informers, name)).map((name) => `${name}: ${word(find(informers, name))}`)
          .join(", ");
      },
      row({ source, object, type, resync }) {
        if (source === "podHandler" && object === REDIS && !resync) {
          deliveries.push(type.toLowerCase());
        }
      },
      text() {
        const counted = lists === before ? `lists still ${before}` : `lists ${before} → ${lists}`;
        const missed = deliveries.length ? `; redis-0: ${deliveries.join(", ")}` : "";
        return `${id}: ${states}, ${counted}${missed}${other && `; ${other}`}${states.isBack() ? ". Done." : ""}`;
      },
    };
  };
}

function slowHandler(start) {
  let audit = find(start.handlers, "auditHandler");
  let pod = find(start.handlers, "podHandler");
  let most = 0;
  return {
    state({ handlers }) {
      audit = find(handlers, "auditHandler");
      pod = find(handlers, "podHandler");
      most = Math.max(most, audit.queueSize);
    },
    text: () => most > 1 && audit.queueSize === 0 ? `auditHandler: drained, at most ${most} waited. Done.`
      : `auditHandler: ${audit.queueSize} wait, at most ${most}; podHandler: ${pod.queueSize}`,
  };
}

function throwingHandler() {
  const attempts = [];
  let ending = "";
  return {
    row({ source, type, note }) {
      const attempt = source === "auditHandler" && note.match(/attempt (\d+) of (\d+)/);
      if (!attempt || ending) {
        return;
      }
      attempts.push(`${attempt[1]} of ${attempt[2]} ${type === "ERROR" || type === "GAVE_UP" ? "failed" : "worked"}`);
      if (type === "GAVE_UP") {
        ending = ". Given up, until the pod changes or is resynced.";
      } else if (type !== "ERROR") {
        ending = ". Done: the event is handled, once.";
      }
    },
    text: () => attempts.length ? `Attempt ${attempts.slice(-3).join(", ")}${ending}` : "Waits for an event of a pod.",
  };
}

function recreatedPod() {
  const types = { podHandler: [], auditHandler: [] };
  const told = ([handler, got]) => `${handler}: ${got.join(", ") || "…"}`;
  return {
    row({ source, object, type }) {
      if (object === REDIS && (type === "ADD" || type === "DELETE") && types[source]?.length < 2) {
        types[source].push(type.toLowerCase());
      }
    },
    text: () => Object.entries(types).map(told).join("; "),
  };
}

function failingReconciler() {
  let attempts = 0;
  let is = false;
  return {
    state({ reconcilers }) {
      const failing = reconcilers.flatMap((reconciler) => reconciler.failing)
        .find(({ key }) => key === "shop/second-storefront");
      is = Boolean(failing);
      attempts = failing?.attempts ?? attempts;
    },
    text: () => attempts === 0 ? "fooReconciler: …" : is ? `second-storefront: failed ${attempts}×, is tried again`
      : `second-storefront: failed ${attempts}×. It is gone, and so is its failure. Done.`,
  };
}

function leadership(start) {
  const states = trail(word(start.leader));
  const reconciler = trail(word(start.reconcilers[0]));
  return {
    state(now) {
      states.add(word(now.leader));
      reconciler.add(word(now.reconcilers[0]));
    },
    text: () => `This replica: ${states}; ${start.reconcilers[0]?.id ?? "reconcilers"}: ${reconciler}`,
  };
}

const EFFECTS = {
  "cut-watches": outage("pods", ["nodes"]),
  "expire-version": outage("pods", []),
  "stop-api": outage("pods", ["nodes"]),
  "stop-edge": outage("edge.pods", ["hub.pods", "pods"]),
  "slow-handler": slowHandler,
  "throwing-handler": throwingHandler,
  "hopeless-handler": throwingHandler,
  "recreate-pod": recreatedPod,
  "foreign-deployment": failingReconciler,
  "revoke-leadership": leadership,
  "yield-leadership": leadership,
};

/** Begins to look at an experiment. */
export function effectOf(name, state) {
  return EFFECTS[name](state);
}
