// Names come from the cluster: they are only ever set as text, never as HTML.

import { connect } from "./feed.js";
import { showConnection } from "./connection.js";
import { listEvents } from "./events.js";
import { prepareExperiments } from "./experiments.js";
import { showLinks } from "./links.js";
import { prepareLook } from "./look.js";
import { showPicture } from "./picture.js";
import { showWords } from "./words.js";

showConnection();
listEvents();
showPicture();
showWords();
prepareLook();
connect();
prepareExperiments();
showLinks();
