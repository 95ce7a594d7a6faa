package dev.kubeinformer.test.internal.table;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The columns of nodes.
 */
final class NodeColumns {

	private static final String ROLE = "node-role.kubernetes.io/";

	private static final String INFO = "status.nodeInfo.";

	static final List<TableColumn> COLUMNS = List.of(TableColumn.of("Status", "string", NodeColumns::status),
			TableColumn.of("Roles", "string", NodeColumns::roles), TableColumns.AGE,
			TableColumn.of("Version", "string", Cells.text(INFO + "kubeletVersion", "")),
			TableColumn.wide("Internal-IP", "string", address("InternalIP")),
			TableColumn.wide("External-IP", "string", address("ExternalIP")),
			TableColumn.wide("OS-Image", "string", Cells.text(INFO + "osImage", Age.UNKNOWN)),
			TableColumn.wide("Kernel-Version", "string", Cells.text(INFO + "kernelVersion", Age.UNKNOWN)),
			TableColumn.wide("Container-Runtime", "string", Cells.text(INFO + "containerRuntimeVersion", Age.UNKNOWN)));

	private NodeColumns() {
	}

	private static String status(ObjectNode node) {
		String status = "Unknown";
		for (JsonNode condition : Cells.at(node, "status.conditions")) {
			if ("Ready".equals(condition.path("type").asString(""))) {
				status = ("True".equals(condition.path("status").asString(""))) ? "Ready" : "NotReady";
			}
		}
		return (Cells.at(node, "spec.unschedulable").asBoolean(false)) ? status + ",SchedulingDisabled" : status;
	}

	private static String roles(ObjectNode node) {
		List<String> roles = new ArrayList<>();
		Cells.at(node, "metadata.labels").propertyNames().forEach((label) -> {
			if (label.startsWith(ROLE) && label.length() > ROLE.length()) {
				roles.add(label.substring(ROLE.length()));
			}
		});
		return (roles.isEmpty()) ? Cells.NONE : String.join(",", roles);
	}

	private static Function<ObjectNode, @Nullable Object> address(String type) {
		return (node) -> {
			for (JsonNode address : Cells.at(node, "status.addresses")) {
				if (type.equals(address.path("type").asString(""))) {
					return Cells.text(address.path("address"), Cells.NONE);
				}
			}
			return Cells.NONE;
		};
	}

}
