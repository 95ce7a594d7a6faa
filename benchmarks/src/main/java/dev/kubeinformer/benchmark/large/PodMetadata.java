package dev.kubeinformer.benchmark.large;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Random;
import java.util.UUID;

import io.kubernetes.client.proto.Meta;

/**
 * Metadata of pods of deployments, twenty of each, in the API server's form. They are
 * created on demand, because a million of them would not fit into memory with a cache.
 */
final class PodMetadata {

	private static final int NAMESPACES = 200;

	private static final int APPLICATION = 20;

	private static final long CREATED = 1_760_000_000L;

	private final boolean diverse;

	PodMetadata(boolean diverse) {
		this.diverse = diverse;
	}

	/**
	 * Creates the metadata of a pod.
	 * @param number the number of the pod
	 * @param version the resourceVersion of the pod
	 * @return the metadata, which is always the same for a number and a version
	 */
	Meta.ObjectMeta of(int number, long version) {
		int application = number / APPLICATION;
		Random random = new Random(application);
		String hash = this.diverse ? "%010x".formatted(random.nextLong() & 0xFFFFFFFFFFL) : "5b8d496f6d";
		String set = "checkout-service-%d-%s".formatted(application, hash);
		String namespace = "team-" + number % NAMESPACES;
		return Meta.ObjectMeta.newBuilder()
			.setName("%s-%05x".formatted(set, number))
			.setGenerateName(set + "-")
			.setNamespace(namespace)
			.setSelfLink("")
			.setUid(uid("pod", number))
			.setResourceVersion(Long.toString(version))
			.setGeneration(1)
			.setCreationTimestamp(Meta.Time.newBuilder().setSeconds(CREATED + number / 10).setNanos(0))
			.putLabels("app.kubernetes.io/name", this.diverse ? "service-" + application : "checkout-service")
			.putLabels("app.kubernetes.io/instance", "checkout-service-" + application)
			.putLabels("app.kubernetes.io/version",
					this.diverse ? "%d.%d".formatted(random.nextInt(9), random.nextInt(40)) : "1.42.0")
			.putLabels("app.kubernetes.io/part-of", "shop")
			.putLabels("pod-template-hash", hash)
			.putLabels("team", namespace)
			.putAnnotations("prometheus.io/scrape", "true")
			.putAnnotations("prometheus.io/port", "8080")
			.putAnnotations("checksum/config",
					this.diverse ? checksum(random)
							: "c0ffee254729296a45a3885639ac7e10f9d54979d1b6c2b1c0ffee254729296a")
			.addOwnerReferences(Meta.OwnerReference.newBuilder()
				.setKind("ReplicaSet")
				.setName(set)
				.setUid(uid("app", application))
				.setApiVersion("apps/v1")
				.setController(true)
				.setBlockOwnerDeletion(true))
			.build();
	}

	private static String uid(String kind, int number) {
		return UUID.nameUUIDFromBytes((kind + number).getBytes(StandardCharsets.US_ASCII)).toString();
	}

	private static String checksum(Random random) {
		return String.format(Locale.ROOT, "%016x%016x", random.nextLong(), random.nextLong());
	}

}
