package dev.kubeinformer.benchmark;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.models.V1Pod;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

import dev.kubeinformer.Informers;
import dev.kubeinformer.benchmark.custom.Widget;
import dev.kubeinformer.internal.codec.DecodedObject;
import dev.kubeinformer.internal.codec.json.JsonCodec;
import dev.kubeinformer.internal.codec.json.JsonMappers;
import dev.kubeinformer.resource.ResourceType;

/**
 * Measures the mutable copy that a run gets of its primary: of a pod of 5.7 KB, which is
 * copied by generated code, and of a custom resource, which is copied by reflection.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class CopyBenchmark {

	private V1Pod pod = new V1Pod();

	private Widget widget = new Widget();

	/**
	 * Decodes the objects as a cache does.
	 * @throws IOException never
	 */
	@Setup
	public void decode() throws IOException {
		JsonMappers mappers = new JsonMappers(false);
		this.pod = decoded(ResourceType.of(V1Pod.class), JSON.serialize(LargePod.of(0)), mappers);
		this.widget = decoded(ResourceType.of(Widget.class), """
				{"metadata":{"name":"w","namespace":"n","uid":"u","resourceVersion":"1","labels":{"a":"b"}},
				"spec":{},"status":{}}
				""", mappers);
	}

	private static <T extends KubernetesObject> T decoded(ResourceType<T> type, String json, JsonMappers mappers)
			throws IOException {
		String list = "{\"kind\":\"%sList\",\"items\":[%s]}".formatted(type.kind(), json);
		List<DecodedObject<T>> items = new ArrayList<>();
		new JsonCodec<>(type, mappers).readList(new ByteArrayInputStream(list.getBytes(StandardCharsets.UTF_8)),
				items::add);
		return Objects.requireNonNull(items.get(0).object());
	}

	@Benchmark
	public V1Pod pod() {
		return Informers.copyOf(this.pod);
	}

	@Benchmark
	public Widget widget() {
		return Informers.copyOf(this.widget);
	}

}
