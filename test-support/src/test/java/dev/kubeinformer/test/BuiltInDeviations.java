package dev.kubeinformer.test;

import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;

import tools.jackson.databind.JsonNode;

/**
 * Where the embedded API judges built-in objects otherwise than kube-apiserver, and why:
 * mostly the fields that older versions judge otherwise. All other fields must agree.
 */
final class BuiltInDeviations {

	private static final String CHANGED_STATEFUL_SET = "spec: Forbidden: updates to statefulset spec for fields other";

	private static final List<Deviation> KNOWN = List.of(
			new Deviation("StatefulSet", 34, "templates of Pods and claims and the Service are not looked at",
					"spec\\.(template\\.spec|volumeClaimTemplates|serviceName)\\b.*"),
			new Deviation("StatefulSet", 37, "changes are refused as one", "spec|spec\\.(template\\.spec"
					+ "|volumeClaimTemplates|podManagementPolicy|serviceName|selector|revisionHistoryLimit)\\b.*",
					CHANGED_STATEFUL_SET),
			new Deviation("Service", 34, "names must begin with a letter", "metadata\\.name", "a DNS-1035 label"),
			new Deviation("Ingress", 34, "names of Services must begin with a letter",
					"spec\\.(defaultBackend|rules\\[.*]\\.backend)\\.service\\.name", "a DNS-1035 label"),
			new Deviation("Job", 37, "labels that are given out are looked at in updates, too",
					"spec\\.template\\.metadata\\.labels\\[(batch\\.kubernetes\\.io/)?(controller-uid|job-name)]",
					"Required value: must be"),
			new Deviation("HorizontalPodAutoscaler", 36, "the version of the target may be empty",
					"spec\\.(scaleTargetRef\\.apiVersion|minReplicas|metrics)"),
			new Deviation("HorizontalPodAutoscaler", 37, "replicas begin at 1", "spec\\.(minReplicas|metrics)"),
			new Deviation("PersistentVolumeClaim", 32, "a claim never shrinks", "spec\\.resources\\.requests\\.storage",
					"field can not be less than previous value"));

	private BuiltInDeviations() {
	}

	/**
	 * Returns why two verdicts differ.
	 * @param object the object
	 * @param here the verdict of the embedded API
	 * @param there the verdict of a cluster
	 * @param minor the version of the cluster
	 * @return the reason, empty if the verdicts should be alike
	 */
	static String reason(JsonNode object, BuiltInFuzzTests.Verdict here, BuiltInFuzzTests.Verdict there, int minor) {
		String kind = object.path("kind").asString("");
		return KNOWN.stream()
			.filter((known) -> known.kind.equals(kind) && minor < known.until && known.explains(here, there))
			.map(Deviation::reason)
			.findFirst()
			.orElse("");
	}

	/**
	 * Known deviation.
	 *
	 * @param kind the kind of the objects
	 * @param until the first minor version that answers as the embedded API
	 * @param reason the reason
	 * @param fields the fields that are judged otherwise
	 * @param words words in the answer of the cluster
	 */
	private record Deviation(String kind, int until, String reason, Pattern fields, String words) {

		Deviation(String kind, int until, String reason, String fields) {
			this(kind, until, reason, fields, "");
		}

		Deviation(String kind, int until, String reason, String fields, String words) {
			this(kind, until, reason, Pattern.compile(fields), words);
		}

		// An answer that names no other field may be another one, such as that the object
		// exists.
		boolean explains(BuiltInFuzzTests.Verdict here, BuiltInFuzzTests.Verdict there) {
			TreeSet<String> ours = rest(here);
			TreeSet<String> theirs = rest(there);
			boolean explained = ours.size() < here.fields().size() || theirs.size() < there.fields().size();
			return explained && ours.equals(theirs) && there.text().contains(this.words)
					&& (ours.isEmpty() || here.code() == there.code());
		}

		private TreeSet<String> rest(BuiltInFuzzTests.Verdict verdict) {
			TreeSet<String> rest = new TreeSet<>(verdict.fields());
			rest.removeIf((field) -> this.fields.matcher(field).matches());
			return rest;
		}

	}

}
