package dev.kubeinformer.test.internal.table;

import java.util.List;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The columns of pods.
 */
final class PodColumns {

	static final List<TableColumn> COLUMNS = List.of(TableColumn.of("Ready", "string", PodColumns::ready),
			TableColumn.of("Status", "string", PodColumns::status),
			TableColumn.of("Restarts", "string", PodColumns::restarts), TableColumns.AGE,
			TableColumn.wide("IP", "string", Cells.text("status.podIP", Cells.NONE)),
			TableColumn.wide("Node", "string", Cells.text("spec.nodeName", Cells.NONE)),
			TableColumn.wide("Nominated Node", "string", Cells.text("status.nominatedNodeName", Cells.NONE)),
			TableColumn.wide("Readiness Gates", "string", PodColumns::gates));

	private PodColumns() {
	}

	private static String ready(ObjectNode pod) {
		int ready = 0;
		for (JsonNode container : containers(pod)) {
			ready += (container.path("ready").asBoolean(false)) ? 1 : 0;
		}
		return ready + "/" + Cells.at(pod, "spec.containers").size();
	}

	// The phase, or what is wrong with a container.
	private static String status(ObjectNode pod) {
		String status = Cells.text(Cells.at(pod, "status.phase"), "Unknown");
		status = Cells.text(Cells.at(pod, "status.reason"), status);
		for (JsonNode container : containers(pod)) {
			status = Cells.text(Cells.at(container, "state.waiting.reason"), status);
			status = Cells.text(Cells.at(container, "state.terminated.reason"), status);
		}
		return (Cells.at(pod, "metadata.deletionTimestamp").isString()) ? "Terminating" : status;
	}

	private static String restarts(ObjectNode pod) {
		long restarts = 0;
		for (JsonNode container : containers(pod)) {
			restarts += container.path("restartCount").asLong(0);
		}
		return Long.toString(restarts);
	}

	private static String gates(ObjectNode pod) {
		JsonNode gates = Cells.at(pod, "spec.readinessGates");
		if (gates.isEmpty()) {
			return Cells.NONE;
		}
		int ready = 0;
		for (JsonNode gate : gates) {
			for (JsonNode condition : Cells.at(pod, "status.conditions")) {
				boolean met = condition.path("type").equals(gate.path("conditionType"))
						&& "True".equals(condition.path("status").asString(""));
				ready += (met) ? 1 : 0;
			}
		}
		return ready + "/" + gates.size();
	}

	private static JsonNode containers(ObjectNode pod) {
		return Cells.at(pod, "status.containerStatuses");
	}

}
