package dev.kubeinformer.test.internal.builtin;

import java.time.ZoneId;
import java.util.Set;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Rules for Jobs and CronJobs (apis/batch/validation of kube-apiserver).
 */
final class BatchRules {

	// The controller appends eleven characters to the name of a CronJob.
	private static final int CRON_NAME_LIMIT = 52;

	private static final String INDEXED = "Indexed";

	private BatchRules() {
	}

	static void job(Part job) {
		Part spec = job.at("spec");
		jobSpec(spec);
		Part selector = spec.at("selector");
		if (!selector.isSet()) {
			selector.required();
		}
		MetadataRules.selector(selector);
		Part labels = spec.at("template.metadata.labels");
		// An absent selector matches nothing.
		if (!selector.isSet() || !MetadataRules.matches(selector.node(), labels.node())) {
			labels.invalid((labels.isSet()) ? Part.shown(labels.node()) : "null",
					"`selector` does not match template `labels`");
		}
	}

	static void jobCreate(Part job) {
		Part spec = job.at("spec");
		String uid = job.text("metadata.uid");
		if (!spec.flag("manualSelector") && spec.has("selector")) {
			Part labels = spec.at("template.metadata.labels");
			hasLabel(labels, "controller-uid", uid);
			hasLabel(labels, "job-name", job.text("metadata.name"));
			hasLabel(labels, "batch.kubernetes.io/controller-uid", uid);
			hasLabel(labels, "batch.kubernetes.io/job-name", job.text("metadata.name"));
			JsonNode matched = spec.at("selector.matchLabels").node();
			for (var wanted : matched.properties()) {
				boolean generated = Set.of("controller-uid", "batch.kubernetes.io/controller-uid")
					.contains(wanted.getKey()) && uid.equals(wanted.getValue().asString(""));
				if (!generated) {
					spec.at("selector").invalid("`selector` not auto-generated");
					break;
				}
			}
		}
		job(job);
	}

	private static void hasLabel(Part labels, String key, String value) {
		JsonNode label = labels.node().path(key);
		if (label.isMissingNode()) {
			labels.required("must be '" + value + "'");
		}
		else if (!value.equals(label.asString(""))) {
			labels.invalid("must be '" + value + "'");
		}
	}

	private static void jobSpec(Part spec) {
		spec.notNegative("parallelism", "completions", "activeDeadlineSeconds", "backoffLimit",
				"ttlSecondsAfterFinished", "backoffLimitPerIndex", "maxFailedIndexes");
		if (spec.has("maxFailedIndexes") && !spec.has("backoffLimitPerIndex")) {
			spec.at("backoffLimitPerIndex").required("when maxFailedIndexes is specified");
		}
		Part mode = spec.at("completionMode");
		if (mode.isSet()) {
			mode.oneOf("NonIndexed", INDEXED);
		}
		if (INDEXED.equals(mode.text())) {
			if (!spec.has("completions")) {
				spec.at("completions").required("when completion mode is Indexed");
			}
			if (spec.number("parallelism") > 100_000) {
				spec.at("parallelism").invalid("must be less than or equal to 100000 when completion mode is Indexed");
			}
		}
		else if (!mode.isSet() || "NonIndexed".equals(mode.text())) {
			spec.ifSet("backoffLimitPerIndex", (limit) -> limit.invalid("requires indexed completion mode"));
			spec.ifSet("maxFailedIndexes", (limit) -> limit.invalid("requires indexed completion mode"));
		}
		if (spec.has("successPolicy") && !INDEXED.equals(mode.text())) {
			spec.at("successPolicy").invalid("requires indexed completion mode");
		}
		spec.ifSet("podReplacementPolicy", (policy) -> {
			if (spec.has("podFailurePolicy")) {
				policy.oneOf("Failed");
			}
			else {
				policy.oneOf("Failed", "TerminatingOrFailed");
			}
		});
		PodRules.template(spec.at("template"));
		Part restart = spec.at("template.spec.restartPolicy");
		if (restart.isEmpty() || "Always".equals(restart.text())) {
			restart.required("valid values: \"OnFailure\", \"Never\"");
		}
		else if (!Set.of("OnFailure", "Never").contains(restart.text())) {
			restart.unsupported("OnFailure", "Never");
		}
		else if (spec.has("podFailurePolicy") && !"Never".equals(restart.text())) {
			restart.invalid("only \"Never\" is supported when podFailurePolicy is specified");
		}
	}

	static void jobUpdate(Part job, JsonNode before) {
		Part spec = job.at("spec");
		JsonNode old = before.path("spec");
		if (!INDEXED.equals(spec.text("completionMode"))) {
			spec.at("completions").immutable(old.path("completions"));
		}
		else if (!spec.at("completions").node().equals(old.path("completions"))
				&& spec.number("completions") != spec.number("parallelism")) {
			spec.at("completions").invalid("can only be modified in tandem with spec.parallelism");
		}
		spec.at("selector").immutable(old.path("selector"));
		boolean suspended = old.path("suspend").asBoolean(false);
		// While a Job is suspended and has never started, the scheduling and the
		// resources of its Pods may change.
		boolean neverStarted = suspended && before.path("status").path("startTime").isMissingNode();
		Part template = spec.at("template");
		if (!Formats.same(fixed(template.node(), suspended, neverStarted),
				fixed(old.path("template"), suspended, neverStarted))) {
			(suspended ? template.as(template.path() + ".spec") : template).invalid(Part.IMMUTABLE);
		}
		for (String field : new String[] { "completionMode", "podFailurePolicy", "backoffLimitPerIndex", "managedBy",
				"successPolicy" }) {
			spec.at(field).immutable(old.path(field));
		}
	}

	private static JsonNode fixed(JsonNode template, boolean suspended, boolean neverStarted) {
		if (!suspended || !(template.deepCopy() instanceof ObjectNode fixed)) {
			return template;
		}
		if (neverStarted) {
			fixed.remove("metadata");
		}
		if (fixed.path("spec") instanceof ObjectNode pod) {
			if (neverStarted) {
				pod.remove("nodeSelector");
				pod.remove("tolerations");
				pod.remove("schedulingGates");
				if (pod.path("affinity") instanceof ObjectNode affinity) {
					affinity.remove("nodeAffinity");
				}
			}
			for (String kind : new String[] { "containers", "initContainers" }) {
				pod.path(kind).forEach((container) -> ((ObjectNode) container).remove("resources"));
			}
		}
		return fixed;
	}

	static void cronJob(Part cronJob) {
		Part spec = cronJob.at("spec");
		Part schedule = spec.at("schedule");
		if (schedule.isEmpty()) {
			schedule.required();
		}
		else {
			String wrong = CronSchedule.wrong(schedule.text());
			if (wrong != null) {
				schedule.invalid(wrong);
			}
			if (schedule.text().contains("TZ")) {
				schedule.invalid("cannot use TZ or CRON_TZ in schedule, use timeZone field instead");
			}
		}
		spec.at("startingDeadlineSeconds").notNegative();
		spec.ifSet("timeZone", BatchRules::timeZone);
		spec.at("concurrencyPolicy").requiredOneOf("Allow", "Forbid", "Replace");
		Part template = spec.at("jobTemplate.spec");
		jobSpec(template);
		template.ifSet("selector", (selector) -> selector.invalid("`selector` will be auto-generated"));
		if (template.flag("manualSelector")) {
			template.at("manualSelector").unsupported("nil", "false");
		}
		spec.notNegative("successfulJobsHistoryLimit", "failedJobsHistoryLimit");
	}

	static void cronJobCreate(Part cronJob) {
		cronJob(cronJob);
		Part name = cronJob.at("metadata.name");
		if (name.text().length() > CRON_NAME_LIMIT) {
			name.invalid(Formats.tooLong(CRON_NAME_LIMIT));
		}
	}

	private static void timeZone(Part zone) {
		if (zone.isEmpty()) {
			zone.invalid("timeZone must be nil or non-empty string");
			return;
		}
		if ("local".equalsIgnoreCase(zone.text())) {
			zone.invalid("timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones");
		}
		if (!ZoneId.getAvailableZoneIds().contains(zone.text())) {
			zone.invalid("unknown time zone " + zone.text());
		}
	}

}
