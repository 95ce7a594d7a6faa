package dev.kubeinformer.benchmark;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

import io.kubernetes.client.openapi.models.V1Pod;
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

import dev.kubeinformer.internal.codec.WatchFrame;
import dev.kubeinformer.internal.codec.json.JsonCodec;
import dev.kubeinformer.internal.codec.json.JsonMappers;
import dev.kubeinformer.internal.codec.pool.KnownValues;
import dev.kubeinformer.internal.codec.pool.PartPool;
import dev.kubeinformer.internal.codec.protobuf.MessageDecoders;
import dev.kubeinformer.internal.codec.protobuf.ProtobufCodec;
import dev.kubeinformer.internal.codec.protobuf.ProtobufReader;
import dev.kubeinformer.resource.ResourceType;

/**
 * Measures decoding from protobuf, with the same objects that {@link JsonDecodeBenchmark}
 * decodes from JSON: a list of pods, and an event.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class ProtobufDecodeBenchmark {

	/** Number of pods in the list. */
	@Param("1000")
	private int pods;

	/** Whether managedFields are decoded instead of skipped. */
	@Param({ "false", "true" })
	private boolean keepManagedFields;

	/**
	 * Whether equal parts are shared. Because the same pods are decoded repeatedly,
	 * nearly all parts are then known, as in a relist; otherwise the result is that for
	 * new pods.
	 */
	@Param({ "true", "false" })
	private boolean shareEqualParts;

	private byte[] list = {};

	private byte[] event = {};

	private ProtobufCodec<V1Pod> codec;

	/** Creates the pods. */
	@Setup
	public void makePods() {
		this.list = PodMessages.list(this.pods);
		this.event = PodMessages.event(7);
		this.codec = codec(this.keepManagedFields, this.shareEqualParts);
	}

	static ProtobufCodec<V1Pod> codec(boolean keepManagedFields, boolean shareEqualParts) {
		ResourceType<V1Pod> type = ResourceType.of(V1Pod.class);
		JsonMappers mappers = new JsonMappers(keepManagedFields);
		ProtobufReader reader = new ProtobufReader(mappers, new KnownValues(),
				shareEqualParts ? new PartPool(PartPool.MOST_BYTES) : null);
		return new ProtobufCodec<>(type, Objects.requireNonNull(MessageDecoders.find(V1Pod.class)), reader,
				new JsonCodec<>(type, mappers));
	}

	/**
	 * Decodes the list.
	 * @param objects receives the objects
	 * @throws IOException if the list cannot be read
	 */
	@Benchmark
	public void list(Blackhole objects) throws IOException {
		this.codec.readList(new ByteArrayInputStream(this.list), objects::consume);
	}

	/**
	 * Decodes one event.
	 * @return the event
	 * @throws IOException if the event cannot be read
	 */
	@Benchmark
	public WatchFrame<V1Pod> event() throws IOException {
		return this.codec.readEvent(this.event);
	}

}
