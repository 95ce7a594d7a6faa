package dev.kubeinformer;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

import io.kubernetes.client.openapi.ApiClient;
import okhttp3.Interceptor;
import okhttp3.Request;
import okhttp3.Response;

import dev.kubeinformer.controller.ReconcileFunction;
import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.ReconcilerStatus;
import dev.kubeinformer.shard.Shards;
import dev.kubeinformer.types.ObjectKey;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Replica of an application with one reconciler of widgets, whose runs and writes are
 * recorded with their times.
 *
 * @param <S> the type of the shards
 */
final class SlotReplica<S extends Shards> implements AutoCloseable {

	final S shards;

	final Informers informers;

	final List<Recorded> runs = new CopyOnWriteArrayList<>();

	/** Requests that the server has answered, except reads. */
	final List<Recorded> writes = new CopyOnWriteArrayList<>();

	final ReconcilerContainer container;

	/**
	 * Starts a replica.
	 * @param world the API server
	 * @param url the URL by which the replica reaches the API server
	 * @param shards the distribution of the widgets
	 * @param function the reconciler
	 * @param settings its further settings
	 */
	SlotReplica(WidgetWorld world, String url, S shards, ReconcileFunction<Widget> function,
			UnaryOperator<ReconcilerSpec<Widget>> settings) {
		this.shards = shards;
		ApiClient client = EngineTestSupport.client(url);
		client.setHttpClient(client.getHttpClient().newBuilder().addNetworkInterceptor(this::record).build());
		this.informers = EngineTestSupport.informers(client, (builder) -> builder);
		ReconcilerSpec<Widget> spec = world.spec((widget, run) -> {
			long start = System.nanoTime();
			try {
				return function.reconcile(widget, run);
			}
			finally {
				this.runs.add(new Recorded(run.key(), slotOf(widget), start, System.nanoTime()));
			}
		});
		this.container = this.informers.controller(settings.apply(spec.withShards(this.shards)));
		this.container.start();
	}

	private Response record(Interceptor.Chain chain) throws IOException {
		Request request = chain.request();
		if (request.method().equals("GET")) {
			return chain.proceed(request);
		}
		List<String> path = request.url().pathSegments();
		int place = path.indexOf("namespaces");
		ObjectKey key = new ObjectKey(path.get(place + 1), (path.size() > place + 3) ? path.get(place + 3) : "");
		long start = System.nanoTime();
		Response answer = chain.proceed(request);
		this.writes.add(new Recorded(key, -1, start, System.nanoTime()));
		return answer;
	}

	int slotOf(Widget widget) {
		return this.shards.slotOf(widget);
	}

	Set<ObjectKey> keys() {
		Set<ObjectKey> keys = new HashSet<>();
		this.runs.forEach((run) -> keys.add(run.key()));
		return keys;
	}

	ReconcilerStatus.SlotRuns slots() {
		ReconcilerStatus.SlotRuns slots = this.container.status().slots();
		assertThat(slots).isNotNull();
		return slots;
	}

	void awaitIdle() throws InterruptedException {
		assertThat(this.container.awaitIdle(WidgetWorld.LONG)).isTrue();
	}

	/**
	 * Requires that no run of a key begins before another one has ended.
	 * @param runs the runs of all replicas
	 */
	static void requireNoOverlap(List<Recorded> runs) {
		Map<ObjectKey, Recorded> last = new HashMap<>();
		List<Recorded> sorted = new ArrayList<>(runs);
		sorted.sort(Comparator.comparingLong(Recorded::start));
		for (Recorded run : sorted) {
			Recorded before = last.put(run.key(), run);
			assertThat(before == null || before.end() <= run.start()).as("%s overlaps %s", before, run).isTrue();
		}
	}

	List<Recorded> runsSince(long time) {
		return new ArrayList<>(this.runs).stream().filter((run) -> run.start() >= time).toList();
	}

	@Override
	public void close() {
		this.container.stop();
		this.informers.close();
	}

	/**
	 * Run or request.
	 *
	 * @param key the key of the run, or the object of the request
	 * @param slot the slot of the run
	 * @param start the time of its start
	 * @param end the time of its end
	 */
	record Recorded(ObjectKey key, int slot, long start, long end) {

	}

}
