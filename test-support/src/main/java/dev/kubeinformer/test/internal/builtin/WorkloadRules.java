package dev.kubeinformer.test.internal.builtin;

import java.util.LinkedHashSet;
import java.util.Set;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Rules for Deployments, ReplicaSets, StatefulSets, DaemonSets and ReplicationControllers
 * (apis/apps/validation of kube-apiserver).
 */
final class WorkloadRules {

	private static final String NO_MATCH = "`selector` does not match template `labels`";

	private static final Set<String> OPERATORS = Set.of("In", "NotIn", "Exists", "DoesNotExist");

	private WorkloadRules() {
	}

	static void deployment(Part deployment) {
		Part spec = deployment.at("spec");
		spec.at("replicas").notNegative();
		selectorAndTemplate(spec, "deployment", "ReplicaSet");
		Part strategy = spec.at("strategy");
		Part rolling = strategy.at("rollingUpdate");
		switch (strategy.text("type")) {
			case "Recreate" -> {
				if (rolling.isSet()) {
					rolling.forbidden("may not be specified when strategy `type` is 'Recreate'");
				}
			}
			case "RollingUpdate" -> {
				if (rolling.isSet()) {
					Part unavailable = rolling.at("maxUnavailable");
					intOrPercent(unavailable);
					intOrPercent(rolling.at("maxSurge"));
					if (value(unavailable) == 0 && value(rolling.at("maxSurge")) == 0) {
						unavailable.invalid("may not be 0 when `maxSurge` is 0");
					}
					notMoreThanAll(unavailable);
				}
			}
			default -> strategy.unsupported("Recreate", "RollingUpdate");
		}
		spec.notNegative("minReadySeconds", "revisionHistoryLimit", "progressDeadlineSeconds");
		spec.ifSet("progressDeadlineSeconds", (deadline) -> {
			if (deadline.number() <= spec.number("minReadySeconds")) {
				deadline.invalid("must be greater than minReadySeconds");
			}
		});
	}

	static void replicaSet(Part set) {
		Part spec = set.at("spec");
		spec.notNegative("replicas", "minReadySeconds");
		selectorAndTemplate(spec, "deployment", "ReplicaSet");
	}

	static void selectorImmutable(Part workload, JsonNode before) {
		workload.at("spec.selector").immutable(before.path("spec").path("selector"));
	}

	private static void selectorAndTemplate(Part spec, String what, String kind) {
		Part selector = spec.at("selector");
		if (!selector.isSet()) {
			selector.required();
		}
		else {
			MetadataRules.selector(selector);
			if (MetadataRules.isEmptySelector(selector)) {
				selector.invalid("empty selector is invalid for " + what);
			}
		}
		if (!isSelector(selector)) {
			selector.invalid("invalid label selector");
			return;
		}
		// An absent selector matches nothing.
		Part labels = spec.at("template.metadata.labels");
		if (!selector.isSet() || !MetadataRules.matches(selector.node(), labels.node())) {
			mismatch(labels);
		}
		template(spec, kind);
	}

	private static void mismatch(Part labels) {
		labels.invalid((labels.isSet()) ? Part.shown(labels.node()) : "null", NO_MATCH);
	}

	private static void template(Part spec, String kind) {
		Part template = spec.at("template");
		PodRules.template(template);
		alwaysRestarted(template, kind);
	}

	private static void alwaysRestarted(Part template, String kind) {
		template.at("spec.restartPolicy").oneOf("Always");
		template.at("spec")
			.ifSet("activeDeadlineSeconds",
					(seconds) -> seconds.forbidden("activeDeadlineSeconds in " + kind + " is not Supported"));
	}

	// Whether the selector can be evaluated.
	private static boolean isSelector(Part selector) {
		for (Part expression : selector.at("matchExpressions").items()) {
			String operator = expression.text("operator");
			boolean values = expression.at("values").size() > 0;
			if (!OPERATORS.contains(operator) || operator.endsWith("In") != values
					|| !Formats.labelKey(expression.text("key")).isEmpty()) {
				return false;
			}
			for (Part value : expression.at("values").items()) {
				if (!Formats.labelValue(value.text()).isEmpty()) {
					return false;
				}
			}
		}
		for (var label : selector.at("matchLabels").node().properties()) {
			if (!Formats.labelKey(label.getKey()).isEmpty()
					|| !Formats.labelValue(label.getValue().asString("")).isEmpty()) {
				return false;
			}
		}
		return true;
	}

	static void statefulSetCreate(Part set) {
		set.at("spec.volumeClaimTemplates").items().forEach((claim) -> StorageRules.claimSpec(claim.at("spec")));
		statefulSet(set);
	}

	static void statefulSet(Part set) {
		Part spec = set.at("spec");
		Part management = spec.at("podManagementPolicy");
		if (!Set.of("OrderedReady", "Parallel").contains(management.text())) {
			management.invalid("must be 'OrderedReady' or 'Parallel'");
		}
		Part strategy = spec.at("updateStrategy");
		Part rolling = strategy.at("rollingUpdate");
		switch (strategy.text("type")) {
			case "" -> strategy.required();
			case "OnDelete" -> {
				if (rolling.isSet()) {
					rolling.invalid("only allowed for updateStrategy 'RollingUpdate'");
				}
			}
			case "RollingUpdate" -> {
				rolling.at("partition").notNegative();
				rolling.ifSet("maxUnavailable", (unavailable) -> {
					intOrPercent(unavailable);
					if (value(unavailable) == 0) {
						unavailable.invalid("cannot be 0");
					}
					notMoreThanAll(unavailable);
				});
			}
			default -> strategy.invalid("must be 'RollingUpdate' or 'OnDelete'");
		}
		Part retention = spec.at("persistentVolumeClaimRetentionPolicy");
		if (retention.isSet()) {
			retention.at("whenDeleted").oneOf("Retain", "Delete");
			retention.at("whenScaled").oneOf("Retain", "Delete");
		}
		spec.notNegative("replicas", "minReadySeconds", "ordinals.start");
		MetadataRules.name(spec.at("serviceName"), Formats::dnsLabel);
		Part selector = spec.at("selector");
		if (!selector.isSet()) {
			selector.required();
		}
		else {
			MetadataRules.selector(selector);
			if (MetadataRules.isEmptySelector(selector)) {
				selector.invalid("empty selector is invalid for statefulset");
			}
		}
		statefulTemplate(spec, selector);
	}

	private static void statefulTemplate(Part spec, Part selector) {
		Part template = spec.at("template");
		if (!isSelector(selector)) {
			selector.invalid("");
		}
		else {
			Part labels = template.at("metadata.labels");
			if (!selector.isSet() || !MetadataRules.matches(selector.node(), labels.node())) {
				mismatch(labels);
			}
			PodRules.template(withClaims(spec, template));
			MetadataRules.labels(labels.as(template.path() + ".labels"));
			MetadataRules.annotations(template.at("metadata.annotations").as(template.path() + ".annotations"));
		}
		alwaysRestarted(template, "StatefulSet");
	}

	// The controller adds a volume for each claim, and sets hostname and subdomain.
	private static Part withClaims(Part spec, Part template) {
		Part claims = spec.at("volumeClaimTemplates");
		if (claims.size() == 0 && !template.has("spec.hostname") && !template.has("spec.subdomain")) {
			return template;
		}
		JsonNode copy = template.node().deepCopy();
		if (copy.path("spec") instanceof ObjectNode pod) {
			pod.remove("hostname");
			pod.remove("subdomain");
			ArrayNode volumes = pod.withArray("volumes");
			ArrayNode others = volumes.deepCopy();
			volumes.removeAll();
			Set<String> names = new LinkedHashSet<>();
			claims.items().forEach((claim) -> names.add(claim.text("metadata.name")));
			names.forEach((name) -> volumes.addObject()
				.put("name", name)
				.putObject("persistentVolumeClaim")
				.put("claimName", name));
			for (JsonNode volume : others) {
				if (!names.contains(volume.path("name").asString(""))) {
					volumes.add(volume);
				}
			}
		}
		return new Part(copy, template.path(), template.rejections());
	}

	static void statefulSetUpdate(Part set, JsonNode before) {
		for (String field : new String[] { "selector", "volumeClaimTemplates", "serviceName", "podManagementPolicy" }) {
			set.at("spec").at(field).immutable(before.path("spec").path(field));
		}
	}

	static void daemonSet(Part set) {
		Part spec = set.at("spec");
		Part selector = spec.at("selector");
		MetadataRules.selector(selector);
		Part template = spec.at("template");
		Part labels = template.at("metadata.labels");
		// An absent selector matches nothing.
		if (!selector.isSet() || (isSelector(selector) && !MetadataRules.matches(selector.node(), labels.node()))) {
			mismatch(labels);
		}
		if (selector.isSet() && MetadataRules.isEmptySelector(selector)) {
			selector.invalid("empty selector is invalid for daemonset");
		}
		template(spec, "DaemonSet");
		spec.at("minReadySeconds").notNegative();
		Part strategy = spec.at("updateStrategy");
		Part rolling = strategy.at("rollingUpdate");
		switch (strategy.text("type")) {
			case "OnDelete" -> {
			}
			case "RollingUpdate" -> rollingDaemons(rolling);
			default -> strategy.unsupported("RollingUpdate", "OnDelete");
		}
		spec.at("revisionHistoryLimit").notNegative();
	}

	private static void rollingDaemons(Part rolling) {
		Part unavailable = rolling.at("maxUnavailable");
		Part surge = rolling.at("maxSurge");
		intOrPercent(unavailable);
		intOrPercent(surge);
		notMoreThanAll(unavailable);
		notMoreThanAll(surge);
		if (value(unavailable) != 0 && value(surge) != 0) {
			surge.invalid("may not be set when maxUnavailable is non-zero");
		}
		else if (value(unavailable) == 0 && value(surge) == 0) {
			unavailable.required("cannot be 0 when maxSurge is 0");
		}
	}

	static void replicationController(Part controller) {
		Part spec = controller.at("spec");
		spec.at("minReadySeconds").notNegative();
		Part selector = spec.at("selector");
		if (selector.size() == 0) {
			selector.required();
		}
		spec.at("replicas").notNegative();
		Part labels = spec.at("template.metadata.labels");
		if (!spec.has("template")) {
			spec.at("template").required();
			return;
		}
		for (var wanted : selector.node().properties()) {
			if (!wanted.getValue().equals(labels.node().path(wanted.getKey()))) {
				mismatch(labels);
				break;
			}
		}
		template(spec, "ReplicationController");
	}

	static void intOrPercent(Part part) {
		if (part.node().isString()) {
			part.invalid(Formats.percent(part.text()));
		}
		else {
			part.notNegative();
		}
	}

	static void notMoreThanAll(Part part) {
		if (part.node().isString() && Formats.percent(part.text()).isEmpty() && value(part) > 100) {
			part.invalid("must not be greater than 100%");
		}
	}

	private static long value(Part part) {
		if (!part.node().isString()) {
			return part.number();
		}
		String digits = part.text().replaceAll("[^0-9]", "");
		return (Formats.percent(part.text()).isEmpty() && digits.length() < 10) ? Long.parseLong(digits) : 0;
	}

}
