package dev.kubeinformer.benchmark.shards;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.util.Config;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.Informers;
import dev.kubeinformer.ShardMembership;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.Reconciliation;
import dev.kubeinformer.controller.Result;
import dev.kubeinformer.handler.EventHandler;
import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.shard.ShardListener;
import dev.kubeinformer.shard.ShardLossReason;
import dev.kubeinformer.shard.ShardsSpec;
import dev.kubeinformer.types.ShardKey;
import dev.kubeinformer.types.Slots;

/**
 * Replica that caches and reconciles the pods of its slots, without Spring. It records
 * its runs and slots in a journal, and executes commands from its standard input.
 */
public final class ShardReplica implements ShardListener {

	private static final String NAMESPACE = "default";

	private final Journal journal;

	private final Slots slots;

	/**
	 * Slots of the objects that the handler knows: added, not deleted, and of no lost
	 * slot.
	 */
	private Map<Known, Integer> handled = new HashMap<>();

	private ShardReplica(Journal journal, Slots slots) {
		this.journal = journal;
		this.slots = slots;
	}

	/**
	 * Runs the replica until the standard input ends or SIGTERM arrives.
	 * @param arguments the kubeconfig, the name of the group, the identity, the number of
	 * slots, the journal, and options: {@code whole} for a replica that caches everything
	 * alone; {@code metadata=} and the URL of a server whose pods are cached as metadata
	 * only, without a reconciler; {@code settle=} and the settle time
	 * @throws IOException if a file cannot be used
	 */
	public static void main(String... arguments) throws IOException {
		Map<String, String> options = new HashMap<>();
		Arrays.stream(arguments)
			.skip(5)
			.map((each) -> each.split("=", 2))
			.forEach((option) -> options.put(option[0], option[option.length - 1]));
		Slots slots = new Slots(ShardKey.UID, Integer.parseInt(arguments[3]));
		ShardReplica replica = new ShardReplica(new Journal(Path.of(arguments[4])), slots);
		ApiClient own = client(Path.of(arguments[0]));
		ShardsSpec spec = ShardsSpec.of(NAMESPACE, arguments[1], slots).withIdentity(arguments[2]);
		if (options.containsKey("settle")) {
			spec = spec.withSettleTime(Duration.parse(options.get("settle")));
		}
		ShardMembership shards = ShardMembership.of(() -> own, spec);
		shards.addListener(replica);
		String metadata = options.get("metadata");
		if (metadata != null) {
			ApiClient client = new ApiClient();
			client.setBasePath(metadata);
			Informers informers = Informers.builder(client).build();
			replica.run(informers, informers.informer(InformerSpec.metadata(V1Pod.class).withShards(shards)), shards);
		}
		else {
			Informers informers = Informers.builder(client(Path.of(arguments[0]))).build();
			boolean whole = options.containsKey("whole");
			informers
				.controller(ReconcilerSpec.of("pods", V1Pod.class, replica::reconcile)
					.withConcurrency(4)
					.withShards(whole ? null : shards))
				.start();
			replica.run(informers, informers.informer(InformerSpec.of(V1Pod.class).withShards(whole ? null : shards)),
					whole ? null : shards);
		}
	}

	private <T extends KubernetesObject> void run(Informers informers, Informer<T> informer,
			@Nullable ShardMembership shards) throws IOException {
		EventHandler<T> handler = (event) -> handle(event.type(), event.object());
		informer.addHandler(handler, HandlerOptions.defaults());
		informers.start();
		Runtime.getRuntime().addShutdownHook(new Thread(() -> {
			if (shards != null) {
				shards.stop();
			}
			informers.stop();
			this.journal.write("ended", System.nanoTime());
		}, "shutdown"));
		if (shards != null) {
			shards.start();
		}
		answer(informer, shards);
		System.exit(0);
	}

	private static ApiClient client(Path kubeconfig) throws IOException {
		return Config.fromConfig(Files.newBufferedReader(kubeconfig));
	}

	private Result reconcile(V1Pod pod, Reconciliation<V1Pod> run) throws InterruptedException {
		V1ObjectMeta metadata = Objects.requireNonNull(pod.getMetadata());
		long begin = System.nanoTime();
		// Long enough that runs which are not exclusive overlap.
		Thread.sleep(1);
		this.journal.write("run", run.key(), metadata.getResourceVersion(), begin, System.nanoTime());
		return Result.done();
	}

	private synchronized void handle(ResourceEvent.Type type, KubernetesObject object) {
		V1ObjectMeta metadata = Objects.requireNonNull(object.getMetadata());
		Known known = new Known(Objects.requireNonNull(metadata.getNamespace()),
				Objects.requireNonNull(metadata.getName()));
		switch (type) {
			case ADD -> this.handled.put(known, this.slots.slotOf(metadata.getNamespace(), metadata.getUid()));
			case DELETE -> this.handled.remove(known);
			default -> {
			}
		}
	}

	@Override
	public void onShardGained(Set<Integer> gained) {
		this.journal.write("gained", System.nanoTime(), text(gained));
	}

	@Override
	public void onShardLost(Set<Integer> lost, ShardLossReason reason) {
		this.journal.write("lost", System.nanoTime(), text(lost), reason);
		if (reason != ShardLossReason.EXPIRED) {
			forget(lost);
		}
	}

	private synchronized void forget(Set<Integer> lost) {
		this.handled.values().removeAll(lost);
		// The table of a map does not shrink, and must not count as memory of the cache.
		this.handled = new HashMap<>(this.handled);
	}

	private synchronized int known() {
		return this.handled.size();
	}

	private static String text(Set<Integer> slots) {
		return slots.stream().map(String::valueOf).collect(Collectors.joining(","));
	}

	private void answer(Informer<?> informer, @Nullable ShardMembership shards) throws IOException {
		BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
		for (String line = input.readLine(); line != null; line = input.readLine()) {
			if (line.equals("heap")) {
				System.gc();
			}
			List<Object> words = List.of("STATE", (shards != null) ? shards.slots().size() : 0,
					informer.snapshot().size(), known(),
					ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
			System.out.println(words.stream().map(String::valueOf).collect(Collectors.joining(" ")));
		}
	}

	/**
	 * Object that the handler knows.
	 *
	 * @param namespace the namespace of the object, whose text the cache shares
	 * @param name the name of the object, whose text the cache shares
	 */
	private record Known(String namespace, String name) {
	}

}
