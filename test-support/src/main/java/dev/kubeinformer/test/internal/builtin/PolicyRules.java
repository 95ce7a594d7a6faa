package dev.kubeinformer.test.internal.builtin;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

import tools.jackson.databind.JsonNode;

/**
 * Rules for what limits others: roles and bindings, PodDisruptionBudgets,
 * HorizontalPodAutoscalers, PriorityClasses and the taints of Nodes.
 */
final class PolicyRules {

	private static final String RBAC = "rbac.authorization.k8s.io";

	private static final long HIGHEST_PRIORITY = 1_000_000_000;

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
		if (least.isSet() && least.number() < 1) {
			least.invalid("must be greater than or equal to 1");
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
	}

	static void priorityClass(Part priority) {
		if (priority.text("metadata.name").startsWith("system-")) {
			priority.at("metadata.name")
				.forbidden("priority class names with 'system-' prefix are reserved for system use only. error: "
						+ priority.text("metadata.name") + " is not a known system priority class");
		}
		else if (priority.number("value") > HIGHEST_PRIORITY) {
			priority.at("value")
				.forbidden("maximum allowed value of a user defined priority is " + HIGHEST_PRIORITY);
		}
		priority.ifSet("preemptionPolicy", (policy) -> policy.requiredOneOf("PreemptLowerPriority", "Never"));
	}

	static void priorityClassUpdate(Part priority, JsonNode before) {
		if (priority.number("value") != before.path("value").asLong(0)) {
			priority.at("value").forbidden("may not be changed in an update.");
		}
		priority.at("preemptionPolicy").immutable(before.path("preemptionPolicy"));
	}

	// The path is that of kube-apiserver.
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
