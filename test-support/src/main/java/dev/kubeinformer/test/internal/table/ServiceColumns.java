package dev.kubeinformer.test.internal.table;

import java.util.ArrayList;
import java.util.List;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The columns of services.
 */
final class ServiceColumns {

	static final List<TableColumn> COLUMNS = List.of(TableColumn.of("Type", "string", Cells.text("spec.type", "")),
			TableColumn.of("Cluster-IP", "string", Cells.text("spec.clusterIP", Cells.NONE)),
			TableColumn.of("External-IP", "string", ServiceColumns::external),
			TableColumn.of("Port(s)", "string", ServiceColumns::ports), TableColumns.AGE,
			TableColumn.wide("Selector", "string", Cells.labels("spec.selector")));

	private ServiceColumns() {
	}

	private static String external(ObjectNode service) {
		List<String> addresses = new ArrayList<>();
		Cells.at(service, "status.loadBalancer.ingress")
			.forEach((ingress) -> addresses
				.add(Cells.text(ingress.path("ip"), Cells.text(ingress.path("hostname"), ""))));
		Cells.at(service, "spec.externalIPs").forEach((address) -> addresses.add(address.asString("")));
		String name = Cells.text(Cells.at(service, "spec.externalName"), "");
		if (!name.isEmpty()) {
			addresses.add(name);
		}
		if (!addresses.isEmpty()) {
			return String.join(",", addresses);
		}
		boolean balanced = "LoadBalancer".equals(Cells.at(service, "spec.type").asString(""));
		return (balanced) ? "<pending>" : Cells.NONE;
	}

	private static String ports(ObjectNode service) {
		List<String> ports = new ArrayList<>();
		Cells.at(service, "spec.ports").forEach((port) -> ports.add(port(port)));
		return (ports.isEmpty()) ? Cells.NONE : String.join(",", ports);
	}

	private static String port(JsonNode port) {
		long node = port.path("nodePort").asLong(0);
		return port.path("port").asLong(0) + ((node > 0) ? ":" + node : "") + "/"
				+ Cells.text(port.path("protocol"), "TCP");
	}

}
