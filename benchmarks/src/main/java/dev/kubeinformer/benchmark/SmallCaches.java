package dev.kubeinformer.benchmark;

import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.proto.Meta;
import io.kubernetes.client.proto.V1;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.json.JsonMappers;
import dev.kubeinformer.internal.codec.pool.KnownValues;
import dev.kubeinformer.internal.codec.pool.PartPool;
import dev.kubeinformer.internal.codec.protobuf.MalformedMessageException;
import dev.kubeinformer.internal.codec.protobuf.MessageDecoder;
import dev.kubeinformer.internal.codec.protobuf.MessageDecoders;
import dev.kubeinformer.internal.codec.protobuf.ProtobufReader;

/**
 * Measures the memory of several informers with few small objects, with and without
 * shared parts: when the caches are filled, and after each object has changed many times.
 * An informer is represented by its decoder and its objects, because the rest is the same
 * in both cases.
 */
public final class SmallCaches {

	private final int objects;

	private final List<Cache> caches = new ArrayList<>();

	private SmallCaches(int informers, int objects, boolean share) {
		this.objects = objects;
		JsonMappers mappers = new JsonMappers(false);
		for (int i = 0; i < informers; i++) {
			this.caches.add(new Cache(mappers, objects, share));
		}
	}

	/**
	 * Runs the measurement.
	 * @param arguments whether parts are shared, the number of informers, of objects of
	 * each of them, and of changes of each object (true, 13, 300, 300)
	 * @throws Exception if something fails
	 */
	public static void main(String... arguments) throws Exception {
		boolean share = arguments.length == 0 || Boolean.parseBoolean(arguments[0]);
		int informers = (arguments.length > 1) ? Integer.parseInt(arguments[1]) : 13;
		int objects = (arguments.length > 2) ? Integer.parseInt(arguments[2]) : 300;
		int changes = (arguments.length > 3) ? Integer.parseInt(arguments[3]) : 300;
		// Load the classes first.
		new SmallCaches(1, 10, share).decode(0);
		double empty = used();
		SmallCaches caches = new SmallCaches(informers, objects, share);
		caches.decode(0);
		double filled = used() - empty;
		for (int i = 1; i <= changes; i++) {
			caches.decode(i);
		}
		double changed = used() - empty;
		System.out.printf(Locale.ROOT, "%d informers with %d objects of %d bytes, %s shared parts: %.2f MB%n",
				informers, objects, message(0, 0, 0).length, share ? "with" : "without", filled);
		System.out.printf(Locale.ROOT, "after %d changes of each object %.2f MB%n", changes, changed);
		Reference.reachabilityFence(caches);
	}

	private void decode(int change) throws MalformedMessageException {
		for (int i = 0; i < this.caches.size(); i++) {
			Cache cache = this.caches.get(i);
			for (int j = 0; j < this.objects; j++) {
				byte[] message = message(i, j, change);
				cache.pods[j] = cache.reader.read(cache.decoder, message, 0, message.length);
				cache.present = (change == 0) ? 0 : this.objects;
			}
		}
	}

	private static byte[] message(int informer, int number, int change) {
		// Three objects of one application.
		String application = "application-" + informer + "-" + number / 3;
		Meta.Time time = Meta.Time.newBuilder().setSeconds(1_700_000_000L + 7919L * number + change).build();
		return V1.Pod.newBuilder()
			.setMetadata(Meta.ObjectMeta.newBuilder()
				.setNamespace("default")
				.setName(application + "-" + number)
				.setUid(String.format(Locale.ROOT, "1b4e28ba-2fa1-11d2-%04d-%012d", informer, number))
				.setResourceVersion(Long.toString(1_000_000L * change + number))
				.setCreationTimestamp(Meta.Time.newBuilder().setSeconds(1_700_000_000L + number))
				.putLabels("app.kubernetes.io/name", application)
				.putLabels("app.kubernetes.io/part-of", "shop")
				.addOwnerReferences(Meta.OwnerReference.newBuilder()
					.setKind("ReplicaSet")
					.setName(application)
					.setUid(String.format(Locale.ROOT, "7c4e28ba-2fa1-11d2-%04d-%012d", informer, number / 3))
					.setController(true)))
			.setSpec(V1.PodSpec.newBuilder()
				.setNodeName("node-" + number % 5)
				.setServiceAccountName("default")
				.addContainers(V1.Container.newBuilder()
					.setName("app")
					.setImage("registry.example.org/" + application + ":1.2.3")
					.addPorts(V1.ContainerPort.newBuilder().setName("http").setContainerPort(8080))))
			.setStatus(V1.PodStatus.newBuilder()
				.setPhase("Running")
				.setPodIP("10.1." + number / 250 + "." + number % 250)
				.setStartTime(time)
				.addConditions(V1.PodCondition.newBuilder().setType("Initialized").setStatus("True"))
				.addConditions(
						V1.PodCondition.newBuilder().setType("Ready").setStatus("True").setLastTransitionTime(time)))
			.build()
			.toByteArray();
	}

	private static double used() {
		for (int i = 0; i < 4; i++) {
			System.gc();
		}
		return (Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory()) / 1e6;
	}

	/** Cache of one informer. */
	private static final class Cache {

		private final MessageDecoder<V1Pod> decoder = Objects.requireNonNull(MessageDecoders.find(V1Pod.class));

		private final ProtobufReader reader;

		private final @Nullable V1Pod[] pods;

		/** Number of cached objects; nothing is cached during the first list. */
		private int present;

		Cache(JsonMappers mappers, int objects, boolean share) {
			this.pods = new V1Pod[objects];
			this.reader = new ProtobufReader(mappers, new KnownValues(),
					share ? new PartPool(PartPool.MOST_BYTES, () -> this.present) : null);
		}

	}

}
