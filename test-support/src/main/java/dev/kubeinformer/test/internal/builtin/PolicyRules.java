package dev.kubeinformer.test.internal.builtin;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

import tools.jackson.databind.JsonNode;

/**
 * Rules for objects that limit others: roles and bindings, PodDisruptionBudgets,
 * HorizontalPodAutoscalers, PriorityClasses and the taints of Nodes.
 */
final class PolicyRules {

	private static final String RBAC = "rbac.authorization.k8s.io";

	private static final long HIGHEST_PRIORITY = 1_000_000_000;

	private static final Set<String> OTHER_METRICS = Set.of("ContainerResource", "External", "Object", "Pods");

	private PolicyRules() {
	}

	static void role(Part role) {
		rules(role, true);
	}

	static void clusterRole(Part role) {
		rules(role, false);
		role.ifSet("aggregationRule", (aggregation) -> {
			Part selectors = aggregation.at("clusterRoleSelectors");
			if (selectors.size() == 0) {
				selectors.required("at least one clusterRoleSelector required if aggregationRule is non-nil");
			}
			selectors.items().forEach(MetadataRules::selector);
		});
	}

	private static void rules(Part role, boolean namespaced) {
		for (Part rule : role.at("rules").items()) {
			if (rule.at("verbs").size() == 0) {
				rule.at("verbs").required("verbs must contain at least one value");
			}
			Part urls = rule.at("nonResourceURLs");
			if (urls.size() > 0) {
				if (namespaced) {
					urls.invalid("namespaced rules cannot apply to non-resource URLs");
				}
				if (rule.at("apiGroups").size() + rule.at("resources").size() + rule.at("resourceNames").size() > 0) {
					urls.invalid("rules cannot apply to both regular resources and non-resource URLs");
				}
				continue;
			}
			if (rule.at("apiGroups").size() == 0) {
				rule.at("apiGroups").required("resource rules must supply at least one api group");
			}
			if (rule.at("resources").size() == 0) {
				rule.at("resources").required("resource rules must supply at least one resource");
			}
		}
	}

	static void roleBinding(Part binding) {
		binding(binding, true);
	}

	static void clusterRoleBinding(Part binding) {
		binding(binding, false);
	}

	private static void binding(Part binding, boolean namespaced) {
		Part reference = binding.at("roleRef");
		reference.at("apiGroup").oneOf(RBAC);
		if (namespaced) {
			reference.at("kind").oneOf("Role", "ClusterRole");
		}
		else {
			reference.at("kind").oneOf("ClusterRole");
		}
		MetadataRules.requiredName(reference.at("name"), Formats::pathSegment);
		for (Part subject : binding.at("subjects").items()) {
			Part name = subject.at("name");
			if (name.isEmpty()) {
				name.required();
			}
			switch (subject.text("kind")) {
				case "ServiceAccount" -> {
					MetadataRules.name(name, Formats::dnsSubdomain);
					if (!subject.at("apiGroup").isEmpty()) {
						subject.at("apiGroup").unsupported("");
					}
					if (!namespaced && subject.at("namespace").isEmpty()) {
						subject.at("namespace").required();
					}
				}
				case "User", "Group" -> subject.at("apiGroup").oneOf(RBAC);
				default -> subject.at("kind").unsupported("ServiceAccount", "User", "Group");
			}
		}
	}

	static void bindingUpdate(Part binding, JsonNode before) {
		binding.at("roleRef").immutable(before.path("roleRef"));
	}

	static void disruptionBudgetCreate(Part budget) {
		disruptionBudget(budget);
		Part name = budget.at("metadata.name");
		// The name is checked only by the storage, after a successful validation.
		if (budget.rejections().isEmpty()) {
			if (name.isEmpty()) {
				name.required("name or generateName is required");
			}
			MetadataRules.name(name, Formats::pathSegment);
		}
	}

	static void disruptionBudget(Part budget) {
		Part spec = budget.at("spec");
		if (spec.has("minAvailable") && spec.has("maxUnavailable")) {
			spec.invalid("minAvailable and maxUnavailable cannot be both set");
		}
		for (String field : List.of("minAvailable", "maxUnavailable")) {
			spec.ifSet(field, (value) -> {
				WorkloadRules.intOrPercent(value);
				WorkloadRules.notMoreThanAll(value);
			});
		}
		MetadataRules.selector(spec.at("selector"));
		spec.ifSet("unhealthyPodEvictionPolicy", (policy) -> policy.oneOf("AlwaysAllow", "IfHealthyBudget"));
	}

	static void autoscaler(Part autoscaler) {
		Part spec = autoscaler.at("spec");
		Part least = spec.at("minReplicas");
		Part most = spec.at("maxReplicas");
		if (least.isSet() && least.number() < 0) {
			least.invalid("must be greater than or equal to 0");
		}
		if (most.number() == 0) {
			most.required("must be set and greater than 0");
		}
		else if (most.number() < 0) {
			most.invalid("must be greater than or equal to 1");
		}
		if (least.isSet() && most.number() < least.number()) {
			most.invalid(Long.toString(most.number()), "must be greater than or equal to `minReplicas`");
		}
		MetadataRules.requiredName(spec.at("scaleTargetRef.kind"), Formats::pathSegment);
		MetadataRules.requiredName(spec.at("scaleTargetRef.name"), Formats::pathSegment);
		Part version = spec.at("scaleTargetRef.apiVersion");
		if (!version.text().contains("/")) {
			version.invalid("apiVersion must specify API group");
		}
		List<Part> metrics = spec.at("metrics").items();
		metrics.forEach(PolicyRules::metric);
		boolean external = metrics.stream()
			.anyMatch((metric) -> Set.of("Object", "External").contains(metric.text("type")));
		if (least.isSet() && least.number() == 0 && !external) {
			spec.at("metrics")
				.forbidden("must specify at least one Object or External metric to support scaling to zero replicas");
		}
	}

	private static void metric(Part metric) {
		Part type = metric.at("type");
		if (type.isEmpty()) {
			type.required("must specify a metric source type");
		}
		type.oneOf("ContainerResource", "External", "Object", "Pods", "Resource");
		metric.ifSet("resource", PolicyRules::resourceMetric);
		if ("Resource".equals(type.text()) && !metric.has("resource")) {
			metric.at("resource").required("must populate information for the given metric source");
		}
		else if (metric.has("resource") && OTHER_METRICS.contains(type.text())) {
			metric.at("resource").forbidden("must populate the given metric source only");
		}
	}

	private static void resourceMetric(Part resource) {
		if (resource.at("name").isEmpty()) {
			resource.at("name").required("must specify a resource name");
		}
		Part target = resource.at("target");
		Part type = target.at("type");
		if (type.isEmpty()) {
			type.required("must specify a metric target type");
		}
		if (!Set.of("Utilization", "Value", "AverageValue").contains(type.text())) {
			type.invalid("must be either Utilization, Value, or AverageValue");
		}
		for (String field : List.of("value", "averageValue")) {
			target.ifSet(field, (value) -> {
				if (QuantityValue.of(value.node()).signum() != 1) {
					value.invalid("must be positive");
				}
			});
		}
		boolean utilization = target.has("averageUtilization");
		if (utilization && target.number("averageUtilization") < 1) {
			target.at("averageUtilization").invalid("must be greater than 0");
		}
		if (!utilization && !target.has("averageValue")) {
			target.at("averageUtilization").required("must set either a target raw value or a target utilization");
		}
		if (utilization && target.has("averageValue")) {
			target.at("averageValue").forbidden("may not set both a target raw value and a target utilization");
		}
	}

	static void priorityClass(Part priority) {
		if (priority.text("metadata.name").startsWith("system-")) {
			priority.at("metadata.name")
				.forbidden("priority class names with 'system-' prefix are reserved for system use only. error: "
						+ priority.text("metadata.name") + " is not a known system priority class");
		}
		else if (priority.number("value") > HIGHEST_PRIORITY) {
			priority.at("value").forbidden("maximum allowed value of a user defined priority is " + HIGHEST_PRIORITY);
		}
		priority.ifSet("preemptionPolicy", (policy) -> policy.requiredOneOf("PreemptLowerPriority", "Never"));
	}

	static void priorityClassUpdate(Part priority, JsonNode before) {
		if (priority.number("value") != before.path("value").asLong(0)) {
			priority.at("value").forbidden("may not be changed in an update.");
		}
		priority.at("preemptionPolicy").immutable(before.path("preemptionPolicy"));
	}

	// Checks taints. Failures have the path metadata.taints, as in kube-apiserver.
	static void node(Part node) {
		Set<String> known = new HashSet<>();
		Part taints = node.at("spec.taints").as("metadata.taints");
		for (Part taint : taints.items()) {
			taint.at("key").invalid(Formats.labelKey(taint.text("key")));
			List<String> wrong = Formats.labelValue(taint.text("value"));
			if (!wrong.isEmpty()) {
				taint.at("value").invalid(String.join(";", wrong));
			}
			taint.at("effect").requiredOneOf("NoSchedule", "PreferNoSchedule", "NoExecute");
			if (!known.add(taint.text("key") + " " + taint.text("effect"))) {
				taint.duplicate(Part.shown(taint.node()), "taints must be unique by key and effect pair");
			}
		}
	}

}
