package dev.kubeinformer.test.internal.builtin;

import java.util.List;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Generates the selector and labels of Jobs that have no manual selector, as
 * kube-apiserver does.
 */
public final class JobSelector {

	private static final String PREFIX = "batch.kubernetes.io/";

	private JobSelector() {
	}

	/**
	 * Generates selector and labels of a new Job.
	 * @param job the Job with its name and UID
	 */
	public static void generate(ObjectNode job) {
		ObjectNode spec = job.withObjectProperty("spec");
		if (spec.path("manualSelector").asBoolean(false)) {
			return;
		}
		JsonNode metadata = job.path("metadata");
		String uid = metadata.path("uid").asString("");
		boolean given = spec.path("template").path("metadata").path("labels").isObject();
		ObjectNode labels = spec.withObjectProperty("template")
			.withObjectProperty("metadata")
			.withObjectProperty("labels");
		ObjectNode own = job.withObject("metadata");
		// In kube-apiserver, both are the same map if the client has set only one of
		// them, even to an empty map.
		boolean same = given && (own.path("labels").isEmpty() || own.path("labels").equals(labels));
		for (String prefix : List.of("", PREFIX)) {
			put(labels, prefix + "controller-uid", uid);
			put(labels, prefix + "job-name", metadata.path("name").asString(""));
		}
		put(spec.withObjectProperty("selector").withObjectProperty("matchLabels"), PREFIX + "controller-uid", uid);
		if (same) {
			own.set("labels", labels.deepCopy());
		}
	}

	/**
	 * Copies the labels of the Pods to a Job without labels.
	 * @param job the Job
	 */
	public static void label(ObjectNode job) {
		ObjectNode metadata = job.withObject("metadata");
		JsonNode labels = job.path("spec").path("template").path("metadata").path("labels");
		if (metadata.path("labels").isEmpty() && !labels.isEmpty()) {
			metadata.set("labels", labels.deepCopy());
		}
	}

	private static void put(ObjectNode labels, String key, String value) {
		if (!labels.has(key)) {
			labels.put(key, value);
		}
	}

}
