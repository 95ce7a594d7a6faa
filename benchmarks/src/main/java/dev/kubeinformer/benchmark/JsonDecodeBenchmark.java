package dev.kubeinformer.benchmark;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
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
import dev.kubeinformer.resource.ResourceType;

/** Measures the decoding of pods of 5.7 KB from JSON: a list of them, and an event. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class JsonDecodeBenchmark {

	/** Number of pods in the list. */
	@Param("1000")
	private int pods;

	/** Whether managedFields are decoded instead of skipped. */
	@Param({ "false", "true" })
	private boolean keepManagedFields;

	/** Whether the collections are mutable, as a transform needs them. */
	@Param("false")
	private boolean modifiable;

	private byte[] list = {};

	private byte[] event = {};

	private JsonCodec<V1Pod> codec;

	/**
	 * Creates the pods.
	 * @throws IOException never
	 */
	@Setup
	public void makePods() throws IOException {
		ByteArrayOutputStream body = new ByteArrayOutputStream();
		PodList.write(this.pods, body);
		this.list = body.toByteArray();
		this.event = ("{\"type\":\"MODIFIED\",\"object\":" + PodList.pod(PodList.template(), 7) + "}\n")
			.getBytes(StandardCharsets.UTF_8);
		JsonMappers mappers = new JsonMappers(this.keepManagedFields);
		this.codec = new JsonCodec<>(ResourceType.of(V1Pod.class), this.modifiable ? mappers.modifiable() : mappers);
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
