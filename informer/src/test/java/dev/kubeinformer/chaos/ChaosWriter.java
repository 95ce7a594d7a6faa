package dev.kubeinformer.chaos;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import io.kubernetes.client.custom.V1Patch;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesApi;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import io.kubernetes.client.util.generic.options.PatchOptions;

import dev.kubeinformer.chaos.ChaosCluster.Child;
import dev.kubeinformer.chaos.ChaosCluster.Kind;

/**
 * Creates, changes, relabels, deletes and recreates objects all the time, except while it
 * is paused. What fails because the server is away is counted and forgotten.
 */
final class ChaosWriter implements AutoCloseable {

	/** The label that selectors select by. */
	static final String SELECTED = "chaos";

	/** The label that a transform drops by. */
	static final String DROPPED = "dropped";

	private static final int NAMES = 10;

	private static final List<Kind> KINDS = List.of(Kind.CONFIG_MAPS, Kind.CONFIG_MAPS, Kind.CONFIG_MAPS, Kind.EVENTS,
			Kind.GADGETS, Kind.PARENTS, Kind.PARENTS);

	private final ChaosCluster cluster;

	private final Random random;

	private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();

	private boolean paused = true;

	private long writes;

	private long failures;

	ChaosWriter(ChaosCluster cluster, Random random, Duration period) {
		this.cluster = cluster;
		this.random = random;
		this.executor.scheduleWithFixedDelay(this::write, 0, period.toNanos(), TimeUnit.NANOSECONDS);
	}

	/**
	 * Goes on writing.
	 */
	synchronized void resume() {
		this.paused = false;
	}

	/**
	 * Stops writing, once the write under way has ended.
	 */
	synchronized void pause() {
		this.paused = true;
	}

	synchronized long writes() {
		return this.writes;
	}

	synchronized long failures() {
		return this.failures;
	}

	private synchronized void write() {
		if (this.paused) {
			return;
		}
		Kind kind = KINDS.get(this.random.nextInt(KINDS.size()));
		String namespace = this.cluster.namespaces().get(this.random.nextInt(this.cluster.namespaces().size()));
		// A few objects change often, so that their events meet in the queues.
		String name = "c" + Math.min(this.random.nextInt(NAMES), this.random.nextInt(NAMES));
		try {
			if (kind == Kind.PARENTS && this.random.nextInt(20) == 0) {
				deleteAChild();
			}
			else {
				write(kind, namespace, name);
			}
		}
		catch (RuntimeException ex) {
			this.failures++;
		}
	}

	private void write(Kind kind, String namespace, String name) {
		DynamicKubernetesApi api = this.cluster.api(kind);
		switch (this.random.nextInt(20)) {
			case 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 ->
				patch(kind, namespace, name, kind.patch(this.random.nextInt(1_000_000)));
			case 10, 11, 12 -> relabel(kind, namespace, name, this.random.nextBoolean());
			case 13 -> {
				relabel(kind, namespace, name, false);
				relabel(kind, namespace, name, true);
			}
			case 14, 15, 16 -> count(api.delete(namespace, name).getHttpStatusCode());
			default -> {
				count(api.delete(namespace, name).getHttpStatusCode());
				count(api.create(kind.create(namespace, name, labels(this.random.nextBoolean()))).getHttpStatusCode());
			}
		}
	}

	private void deleteAChild() {
		Child kind = Child.values()[this.random.nextInt(Child.values().length)];
		List<DynamicKubernetesObject> children = this.cluster.list(kind);
		if (!children.isEmpty()) {
			count(this.cluster.delete(kind, children.get(this.random.nextInt(children.size()))));
		}
	}

	private void relabel(Kind kind, String namespace, String name, boolean selected) {
		patch(kind, namespace, name, "{\"metadata\": {\"labels\": {\"%s\": \"%s\", \"%s\": \"%s\"}}}"
			.formatted(SELECTED, selected, DROPPED, this.random.nextBoolean()));
	}

	private void patch(Kind kind, String namespace, String name, String patch) {
		DynamicKubernetesApi api = this.cluster.api(kind);
		int status = api
			.patch(namespace, name, V1Patch.PATCH_FORMAT_JSON_MERGE_PATCH, new V1Patch(patch), new PatchOptions())
			.getHttpStatusCode();
		if (status == 404) {
			DynamicKubernetesObject created = kind.create(namespace, name, labels(true));
			status = api.create(created).getHttpStatusCode();
		}
		count(status);
	}

	private Map<String, String> labels(boolean selected) {
		return Map.of(SELECTED, Boolean.toString(selected), DROPPED, Boolean.toString(this.random.nextBoolean()));
	}

	private void count(int status) {
		if (status < 300 || status == 404) {
			this.writes++;
		}
		else {
			this.failures++;
		}
	}

	@Override
	public void close() {
		this.executor.shutdown();
		try {
			this.executor.awaitTermination(1, TimeUnit.MINUTES);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
