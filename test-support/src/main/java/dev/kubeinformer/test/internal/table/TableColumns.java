package dev.kubeinformer.test.internal.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import tools.jackson.databind.node.ObjectNode;

/**
 * The columns of each resource: those of kube-apiserver for what people look at most, and
 * name and age for the others.
 */
public final class TableColumns {

	private static final TableColumn NAME = new TableColumn("Name", "string", "name",
			"Name must be unique within a namespace.", 0, Cells.text("metadata.name", ""));

	static final TableColumn AGE = TableColumn.of("Age", "string",
			(object) -> Age.of(Cells.at(object, "metadata.creationTimestamp")));

	private static final List<TableColumn> DEFAULT = List.of(NAME, AGE);

	private static final Map<String, List<TableColumn>> COLUMNS = Map.ofEntries(
			Map.entry("namespaces",
					List.of(NAME, TableColumn.of("Status", "string", Cells.text("status.phase", "")), AGE)),
			Map.entry("configmaps",
					List.of(NAME, TableColumn.of("Data", "string", (object) -> data(object, "binaryData")), AGE)),
			Map.entry("secrets",
					List.of(NAME, TableColumn.of("Type", "string", Cells.text("type", "")),
							TableColumn.of("Data", "string", (object) -> data(object, "stringData")), AGE)),
			Map.entry("pods", prepend(PodColumns.COLUMNS)), Map.entry("services", prepend(ServiceColumns.COLUMNS)),
			Map.entry("nodes", prepend(NodeColumns.COLUMNS)),
			Map.entry("deployments.apps",
					workload("spec.selector.matchLabels",
							TableColumn.of("Ready", "string", Cells.ratio("status.readyReplicas", "spec.replicas")),
							TableColumn.of("Up-to-date", "string", Cells.number("status.updatedReplicas")),
							TableColumn.of("Available", "string", Cells.number("status.availableReplicas")))),
			Map.entry("replicasets.apps",
					workload("spec.selector.matchLabels",
							TableColumn.of("Desired", "integer", Cells.number("spec.replicas")),
							TableColumn.of("Current", "integer", Cells.number("status.replicas")),
							TableColumn.of("Ready", "integer", Cells.number("status.readyReplicas")))),
			Map.entry("statefulsets.apps",
					workload("",
							TableColumn.of("Ready", "string", Cells.ratio("status.readyReplicas", "spec.replicas")))),
			Map.entry("daemonsets.apps",
					workload("spec.selector.matchLabels",
							TableColumn.of("Desired", "integer", Cells.number("status.desiredNumberScheduled")),
							TableColumn.of("Current", "integer", Cells.number("status.currentNumberScheduled")),
							TableColumn.of("Ready", "integer", Cells.number("status.numberReady")),
							TableColumn.of("Up-to-date", "integer", Cells.number("status.updatedNumberScheduled")),
							TableColumn.of("Available", "integer", Cells.number("status.numberAvailable")),
							TableColumn.of("Node Selector", "string",
									Cells.labels("spec.template.spec.nodeSelector")))),
			Map.entry("leases.coordination.k8s.io",
					List.of(NAME, TableColumn.of("Holder", "string", Cells.text("spec.holderIdentity", "")), AGE)));

	private TableColumns() {
	}

	/**
	 * Returns the columns of a resource.
	 * @param resource the resource, such as "deployments.apps"
	 * @param asked the columns that its definition asks for, empty for a built-in one
	 * @return the columns
	 */
	public static List<TableColumn> of(String resource, List<TableColumn> asked) {
		return (asked.isEmpty()) ? COLUMNS.getOrDefault(resource, DEFAULT) : prepend(asked);
	}

	private static List<TableColumn> prepend(List<TableColumn> others) {
		List<TableColumn> columns = new ArrayList<>();
		columns.add(NAME);
		columns.addAll(others);
		return List.copyOf(columns);
	}

	private static List<TableColumn> workload(String selector, TableColumn... numbers) {
		List<TableColumn> columns = new ArrayList<>(prepend(List.of(numbers)));
		columns.add(AGE);
		columns.add(TableColumn.wide("Containers", "string", Cells.each("spec.template.spec.containers", "name")));
		columns.add(TableColumn.wide("Images", "string", Cells.each("spec.template.spec.containers", "image")));
		if (!selector.isEmpty()) {
			columns.add(TableColumn.wide("Selector", "string", Cells.labels(selector)));
		}
		return List.copyOf(columns);
	}

	private static long data(ObjectNode object, String more) {
		return object.path("data").size() + object.path(more).size();
	}

}
