package dev.kubeinformer.benchmark;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Predicate;

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
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

import dev.kubeinformer.internal.codec.DecodedObject;
import dev.kubeinformer.internal.codec.KnownObjects;
import dev.kubeinformer.internal.codec.ListItems;
import dev.kubeinformer.internal.codec.ObjectIdentity;
import dev.kubeinformer.internal.codec.ObjectMetadata;
import dev.kubeinformer.internal.codec.ResourceCodec;
import dev.kubeinformer.internal.codec.ShardFilter;
import dev.kubeinformer.internal.codec.WatchFrame;
import dev.kubeinformer.internal.codec.json.JsonCodec;
import dev.kubeinformer.internal.codec.json.JsonMappers;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.types.Shard;
import dev.kubeinformer.types.ShardKey;

/**
 * Measures the cost of objects of other shards, compared with decoding them without a
 * shard: if a server does not filter, four of five objects belong to other shards.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class ForeignDropBenchmark {

	/** Number of pods in the list. */
	@Param("1000")
	private int pods;

	/** Encoding of the list. */
	@Param({ "json", "protobuf" })
	private String encoding = "";

	/** Whether each application has distinct pods, with JSON in an annotation. */
	@Param({ "false", "true" })
	private boolean diverse;

	/**
	 * Whether all objects belong to other shards, or all are decoded as without shards.
	 */
	@Param({ "true", "false" })
	private boolean foreign;

	private byte[] list = {};

	private byte[] event = {};

	/** With so many shards, hardly any of so few objects belongs to this one. */
	private final ShardFilter shard = ShardFilter.of(new Shard(ShardKey.UID, 1_000_000, Integer.MAX_VALUE));

	private ResourceCodec<V1Pod> codec = new JsonCodec<>(ResourceType.of(V1Pod.class), new JsonMappers(false));

	/**
	 * Creates the pods.
	 * @throws IOException never
	 */
	@Setup
	public void makePods() throws IOException {
		BiFunction<String, Integer, String> form = this.diverse ? PodList::diverse : PodList::pod;
		String pod = form.apply(PodList.template(), 7);
		if (this.encoding.equals("protobuf")) {
			this.list = PodMessages.list(this.pods, form);
			this.event = PodMessages.event(pod);
			this.codec = ProtobufDecodeBenchmark.codec(false, false);
		}
		else {
			ByteArrayOutputStream body = new ByteArrayOutputStream();
			PodList.write(this.pods, form, body);
			this.list = body.toByteArray();
			this.event = ("{\"type\":\"MODIFIED\",\"object\":" + pod + "}\n").getBytes(StandardCharsets.UTF_8);
		}
	}

	/**
	 * Reads the list.
	 * @param objects receives the objects of the shard
	 * @throws IOException if the list cannot be read
	 */
	@Benchmark
	public void list(Blackhole objects) throws IOException {
		ListItems<V1Pod> items = this.foreign ? new Items(this.shard, objects) : objects::consume;
		this.codec.readList(new ByteArrayInputStream(this.list), items);
	}

	/**
	 * Reads one event.
	 * @return the event
	 * @throws IOException if the event cannot be read
	 */
	@Benchmark
	public WatchFrame<V1Pod> event() throws IOException {
		WatchFrame<V1Pod> dropped = this.foreign ? this.codec.readForeign(this.event, this.shard) : null;
		return (dropped != null) ? dropped : this.codec.readEvent(this.event);
	}

	/**
	 * Items of a list.
	 *
	 * @param shard the shard
	 * @param objects receives the objects of the shard
	 */
	private record Items(ShardFilter shard, Blackhole objects) implements ListItems<V1Pod>, KnownObjects {

		@Override
		public void accept(DecodedObject<V1Pod> item) {
			this.objects.consume(item);
		}

		@Override
		public @Nullable KnownObjects known() {
			return this;
		}

		@Override
		public boolean include(ObjectIdentity identity) {
			return this.shard.isForeign(identity);
		}

		@Override
		public Predicate<ObjectIdentity> dropped() {
			return this.shard::isForeign;
		}

		@Override
		public void exclude(ObjectMetadata metadata) {
			throw new UnsupportedOperationException();
		}

		@Override
		public int size() {
			return 0;
		}

	}

}
