package dev.kubeinformer.benchmark.shards;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.util.Config;

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
 * its runs and slots in a journal, and responds to commands on its standard input.
 */
public final class ShardReplica implements ShardListener, EventHandler<V1Pod> {

	private static final String NAMESPACE = "default";

	private final Journal journal;

	private final Slots slots;

	/**
	 * Slots of the objects that the handler knows: added, not deleted, and of no lost
	 * slot.
	 */
	private final Map<String, Integer> handled = new ConcurrentHashMap<>();

	private ShardReplica(Journal journal, Slots slots) {
		this.journal = journal;
		this.slots = slots;
	}

	/**
	 * Runs the replica until the standard input ends or SIGTERM arrives.
	 * @param arguments the kubeconfig, the name of the group, the identity, the number of
	 * slots, the journal, and {@code whole} for a replica that caches everything alone
	 * @throws IOException if a file cannot be used
	 */
	public static void main(String... arguments) throws IOException {
		Path kubeconfig = Path.of(arguments[0]);
		Slots slots = new Slots(ShardKey.UID, Integer.parseInt(arguments[3]));
		ShardReplica replica = new ShardReplica(new Journal(Path.of(arguments[4])), slots);
		boolean whole = arguments.length > 5 && arguments[5].equals("whole");
		ApiClient client = client(kubeconfig);
		Informers informers = Informers.builder(client).build();
		ApiClient own = client(kubeconfig);
		ShardMembership shards = ShardMembership.of(() -> own,
				ShardsSpec.of(NAMESPACE, arguments[1], slots).withIdentity(arguments[2]));
		InformerSpec<V1Pod> spec = InformerSpec.of(V1Pod.class);
		ReconcilerSpec<V1Pod> reconciler = ReconcilerSpec.of("pods", V1Pod.class, replica::reconcile)
			.withConcurrency(4);
		if (!whole) {
			shards.addListener(replica);
			spec = spec.withShards(shards);
			reconciler = reconciler.withShards(shards);
		}
		Informer<V1Pod> informer = informers.informer(spec);
		informer.addHandler(replica, HandlerOptions.defaults());
		informers.controller(reconciler).start();
		informers.start();
		Runtime.getRuntime().addShutdownHook(new Thread(() -> {
			shards.stop();
			informers.stop();
			replica.journal.write("ended", System.nanoTime());
		}, "shutdown"));
		if (!whole) {
			shards.start();
		}
		replica.answer(informer, shards);
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

	@Override
	public void handle(ResourceEvent<V1Pod> event) {
		V1ObjectMeta metadata = Objects.requireNonNull(event.object().getMetadata());
		String key = metadata.getNamespace() + "/" + metadata.getName();
		switch (event.type()) {
			case ADD -> this.handled.put(key, slotOf(event.object()));
			case DELETE -> this.handled.remove(key);
			default -> {
			}
		}
	}

	private int slotOf(V1Pod pod) {
		V1ObjectMeta metadata = Objects.requireNonNull(pod.getMetadata());
		return this.slots.slotOf(metadata.getNamespace(), metadata.getUid());
	}

	@Override
	public void onShardGained(Set<Integer> gained) {
		this.journal.write("gained", System.nanoTime(), text(gained));
	}

	@Override
	public void onShardLost(Set<Integer> lost, ShardLossReason reason) {
		this.journal.write("lost", System.nanoTime(), text(lost), reason);
		if (reason != ShardLossReason.EXPIRED) {
			this.handled.values().removeAll(lost);
		}
	}

	private static String text(Set<Integer> slots) {
		return slots.stream().map(String::valueOf).collect(Collectors.joining(","));
	}

	private void answer(Informer<V1Pod> informer, ShardMembership shards) throws IOException {
		BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
		for (String line = input.readLine(); line != null; line = input.readLine()) {
			if (line.equals("heap")) {
				System.gc();
			}
			List<Object> words = List.of("STATE", shards.slots().size(), informer.snapshot().size(),
					this.handled.size(), ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
			System.out.println(words.stream().map(String::valueOf).collect(Collectors.joining(" ")));
		}
	}

}
