package dev.kubeinformer.benchmark;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.informers.impl.cache.CacheImpl;
import io.kubernetes.client.informer.cache.Cache;
import io.kubernetes.client.informer.cache.Indexer;
import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

import dev.kubeinformer.Informers;
import dev.kubeinformer.informer.Informer;

/**
 * The same reads of the same pods from the caches of three clients, without concurrent
 * changes. Each cache has an index by node; the pods have labels, and are in a hundred
 * namespaces.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class CacheReadBenchmark {

	private static final int ASKED = 1 << 17;

	/** Client whose cache is measured. */
	@Param({ "ours", "official", "fabric8" })
	public String client = "ours";

	/** Number of objects. */
	@Param("200000")
	public int size;

	private RawApiProcess api;

	private Informers informers;

	private Reads reads;

	private String[] namespaces;

	private String[] names;

	private String[] keys;

	private int next;

	@Setup
	public void fill() throws IOException, InterruptedException {
		this.api = new RawApiProcess(this.size, "labelled");
		this.informers = Informers.builder(this.api.client()).build();
		Informer<V1Pod> informer = this.informers.informer(V1Pod.class);
		informer.addIndexers(Map.of("node", CacheReadBenchmark::node));
		this.informers.start();
		if (!informer.awaitSync(Duration.ofMinutes(2)) || informer.snapshot().size() != this.size) {
			throw new IllegalStateException("No sync");
		}
		List<V1Pod> pods = new ArrayList<>(informer.snapshot().list());
		this.reads = switch (this.client) {
			case "ours" -> new OurReads(informer);
			case "official" -> new OfficialReads(official(pods));
			default -> new FabricReads(fabric(pods));
		};
		Collections.shuffle(pods, new Random(5));
		int count = Math.min(ASKED, this.size);
		this.namespaces = new String[count];
		this.names = new String[count];
		this.keys = new String[count];
		for (int i = 0; i < count; i++) {
			V1ObjectMeta metadata = pods.get(i).getMetadata();
			// Strings that are not shared with the cache.
			this.namespaces[i] = new String(metadata.getNamespace().toCharArray());
			this.names[i] = new String(metadata.getName().toCharArray());
			this.keys[i] = this.namespaces[i] + "/" + this.names[i];
		}
	}

	@TearDown
	public void end() throws IOException {
		this.informers.close();
		this.api.close();
	}

	private static List<String> node(V1Pod pod) {
		return List.of(pod.getSpec().getNodeName());
	}

	private static Cache<V1Pod> official(List<V1Pod> pods) {
		Cache<V1Pod> cache = new Cache<>();
		cache.addIndexers(Map.of("node", CacheReadBenchmark::node));
		pods.forEach(cache::add);
		return cache;
	}

	private static CacheImpl<Pod> fabric(List<V1Pod> pods) {
		CacheImpl<Pod> cache = new CacheImpl<>();
		cache.addIndexers(Map.of("node", (pod) -> List.of(pod.getSpec().getNodeName())));
		pods.forEach((pod) -> cache.put(new PodBuilder().withNewMetadata()
			.withNamespace(pod.getMetadata().getNamespace())
			.withName(pod.getMetadata().getName())
			.withLabels(pod.getMetadata().getLabels())
			.endMetadata()
			.withNewSpec()
			.withNodeName(pod.getSpec().getNodeName())
			.endSpec()
			.build()));
		return cache;
	}

	private int next() {
		this.next = (this.next + 1 < this.names.length) ? this.next + 1 : 0;
		return this.next;
	}

	@Benchmark
	public @Nullable Object getByKey() {
		return this.reads.byKey(this.keys[next()]);
	}

	@Benchmark
	public @Nullable Object getByNamespaceAndName() {
		int asked = next();
		return this.reads.byName(this.namespaces[asked], this.names[asked]);
	}

	/**
	 * Lists all objects without reading them.
	 * @return the list
	 */
	@Benchmark
	public Object list() {
		return this.reads.list();
	}

	/**
	 * Lists all objects and reads each of them.
	 * @return a value derived from the objects
	 */
	@Benchmark
	@OutputTimeUnit(TimeUnit.MICROSECONDS)
	public int listAndWalk() {
		return walk(this.reads.list());
	}

	@Benchmark
	public Object listOfNamespace() {
		return this.reads.list("team-7");
	}

	@Benchmark
	@OutputTimeUnit(TimeUnit.MICROSECONDS)
	public Object listKeys() {
		return this.reads.keys();
	}

	@Benchmark
	public Object byIndex() {
		return this.reads.byNode("node-7");
	}

	@Benchmark
	public int byIndexAndWalk() {
		return walk(this.reads.byNode("node-7"));
	}

	/**
	 * Lists the objects with a label, by a selector if the client supports selectors.
	 * @return the list
	 */
	@Benchmark
	@OutputTimeUnit(TimeUnit.MICROSECONDS)
	public Object labels() {
		return this.reads.labelled("service-7");
	}

	/**
	 * Lists the objects of a namespace with a label.
	 * @return the list
	 */
	@Benchmark
	@OutputTimeUnit(TimeUnit.MICROSECONDS)
	public Object labelsOfNamespace() {
		return this.reads.labelled("team-7", "service-7");
	}

	private static int walk(List<?> list) {
		int walked = 0;
		for (Object each : list) {
			walked += (each != null) ? 1 : 0;
		}
		return walked;
	}

	private static List<V1Pod> filtered(List<V1Pod> pods, String app) {
		return pods.stream().filter((pod) -> app.equals(pod.getMetadata().getLabels().get("app"))).toList();
	}

	private interface Reads {

		@Nullable Object byKey(String key);

		@Nullable Object byName(String namespace, String name);

		List<?> list();

		List<?> list(String namespace);

		List<String> keys();

		List<?> byNode(String node);

		List<?> labelled(String app);

		List<?> labelled(String namespace, String app);

	}

	private record OurReads(Informer<V1Pod> informer) implements Reads {

		@Override
		public @Nullable Object byKey(String key) {
			return this.informer.getIndexer().getByKey(key);
		}

		@Override
		public @Nullable Object byName(String namespace, String name) {
			return this.informer.snapshot().get(namespace, name);
		}

		@Override
		public List<?> list() {
			return this.informer.getIndexer().list();
		}

		@Override
		public List<?> list(String namespace) {
			return this.informer.lister().namespace(namespace).list();
		}

		@Override
		public List<String> keys() {
			return this.informer.getIndexer().listKeys();
		}

		@Override
		public List<?> byNode(String node) {
			return this.informer.getIndexer().byIndex("node", node);
		}

		@Override
		public List<?> labelled(String app) {
			return this.informer.snapshot().select("app=" + app);
		}

		@Override
		public List<?> labelled(String namespace, String app) {
			return this.informer.snapshot().list(namespace, "app=" + app);
		}

	}

	private record OfficialReads(Indexer<V1Pod> cache) implements Reads {

		@Override
		public @Nullable Object byKey(String key) {
			return this.cache.getByKey(key);
		}

		@Override
		public @Nullable Object byName(String namespace, String name) {
			return new Lister<>(this.cache, namespace).get(name);
		}

		@Override
		public List<?> list() {
			return this.cache.list();
		}

		@Override
		public List<V1Pod> list(String namespace) {
			return new Lister<>(this.cache, namespace).list();
		}

		@Override
		public List<String> keys() {
			return this.cache.listKeys();
		}

		@Override
		public List<?> byNode(String node) {
			return this.cache.byIndex("node", node);
		}

		@Override
		public List<?> labelled(String app) {
			return filtered(this.cache.list(), app);
		}

		@Override
		public List<?> labelled(String namespace, String app) {
			return filtered(list(namespace), app);
		}

	}

	private record FabricReads(CacheImpl<Pod> cache) implements Reads {

		@Override
		public @Nullable Object byKey(String key) {
			return this.cache.getByKey(key);
		}

		@Override
		public @Nullable Object byName(String namespace, String name) {
			return new io.fabric8.kubernetes.client.informers.cache.Lister<>(this.cache, namespace).get(name);
		}

		@Override
		public List<?> list() {
			return this.cache.list();
		}

		@Override
		public List<Pod> list(String namespace) {
			return new io.fabric8.kubernetes.client.informers.cache.Lister<>(this.cache, namespace).list();
		}

		@Override
		public List<String> keys() {
			return this.cache.listKeys();
		}

		@Override
		public List<?> byNode(String node) {
			return this.cache.byIndex("node", node);
		}

		@Override
		public List<?> labelled(String app) {
			return filtered(this.cache.list(), app);
		}

		@Override
		public List<?> labelled(String namespace, String app) {
			return filtered(list(namespace), app);
		}

		private static List<Pod> filtered(List<Pod> pods, String app) {
			return pods.stream().filter((pod) -> app.equals(pod.getMetadata().getLabels().get("app"))).toList();
		}

	}

}
